/** Receives a form with a file while it streams in: the file goes to disk, never into memory. @see RFC 7578 */
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ServiceError } from "../../errors.ts";

/** A completely received form. */
export interface Uploaded {
  fields: ReadonlyMap<string, string>;
  /** The file name given by the browser. */
  name: string;
}

/** Options of `receiveUpload`. */
export interface UploadOptions {
  /** Path to write the file to; it must not exist. Deleted if the upload is refused. */
  file: string;
  maxBytes: number;
  /** Called with the fields before the file, before any of it is written. Throws to refuse the upload. */
  check(fields: ReadonlyMap<string, string>): void;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 2000;

/**
 * Receives the form's one file. Refuses with `too_large`, with `invalid_parameter` for a form that is malformed or has no
 * file, and with whatever `check` throws; nothing more is read after a refusal.
 */
export async function receiveUpload(request: Request, options: UploadOptions): Promise<Uploaded> {
  try {
    return await receive(request, options);
  } catch (error) {
    rmSync(options.file, { force: true });
    throw error;
  }
}

async function receive(request: Request, { file, maxBytes, check }: UploadOptions): Promise<Uploaded> {
  const tooLarge = () =>
    new ServiceError("too_large", `The file exceeds the limit of ${(maxBytes / 2 ** 30).toFixed(0)} GiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const { Busboy } = await import("@fastify/busboy");
  const fields = new Map<string, string>();
  const failed = Promise.withResolvers<never>();
  let hasFailed = false;
  failed.promise.catch(() => void (hasFailed = true));
  let writing: Promise<void> | undefined;
  let name = "";
  const contentType = request.headers.get("content-type") ?? "";
  const limits = { files: 1, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fileSize: maxBytes };
  const form = malformed(() => new Busboy({ headers: { "content-type": contentType }, limits }));
  form.on("error", () => failed.reject(broken()));
  form.on("field", (field, value) => void fields.set(field, value));
  form.on("file", (_field, stream, given) => {
    stream.on("limit", () => failed.reject(tooLarge()));
    stream.on("error", () => {});
    try {
      check(fields);
    } catch (refused) {
      failed.reject(refused);
      return;
    }
    name = given;
    writing = pipeline(stream, createWriteStream(file, { flags: "wx", mode: 0o600 }));
    writing.catch((error: unknown) => failed.reject(error));
  });
  const read = async (): Promise<void> => {
    for await (const chunk of request.body ?? []) {
      // Leaving the loop releases the body: nothing more of it is read.
      if (hasFailed) return;
      if (!form.write(chunk)) await once(form, "drain");
    }
    const finished = once(form, "finish");
    form.end();
    await finished;
    await writing;
  };
  await Promise.race([read(), failed.promise]);
  if (writing === undefined || name === "")
    throw new ServiceError("invalid_parameter", "Choose a file first.");
  return { fields, name };
}

function malformed<T>(make: () => T): T {
  try {
    return make();
  } catch {
    throw broken();
  }
}

function broken(): ServiceError {
  return new ServiceError("invalid_parameter", "The upload is malformed or incomplete.");
}
