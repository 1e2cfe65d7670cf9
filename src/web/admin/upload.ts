/** A form with a file, taken from the request as it comes: the file goes to disk, never into memory. @see RFC 7578 */
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ServiceError } from "../../errors.ts";

/** A form that has arrived whole. */
export interface Uploaded {
  fields: ReadonlyMap<string, string>;
  /** What the browser calls the file. */
  name: string;
}

/** How a form with a file is taken. */
export interface UploadOptions {
  /** Where the file goes; it must not be there. It is gone again when the upload is refused. */
  file: string;
  maxBytes: number;
  /** Told of the fields that stand before the file, before a byte of it is kept. Throws to refuse it. */
  check(fields: ReadonlyMap<string, string>): void;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 2000;

/**
 * Takes the form's one file. Refuses with `too_large`, with `invalid_parameter` for a form that is broken or has no file,
 * and with whatever `check` throws; then nothing more of it is read.
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
    new ServiceError(
      "too_large",
      `The file exceeds ${(maxBytes / 2 ** 30).toFixed(0)} GiB, which is the limit.`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const { Busboy } = await import("@fastify/busboy");
  const fields = new Map<string, string>();
  const failed = Promise.withResolvers<never>();
  let isOver = false;
  failed.promise.catch(() => void (isOver = true));
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
      // Leaving the loop lets go of the body: nothing more of it is taken.
      if (isOver) return;
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
  return new ServiceError("invalid_parameter", "The upload is malformed, or incomplete.");
}
