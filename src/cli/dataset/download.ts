/** Downloads a large file into the data folder, resuming interrupted downloads. @see RFC 9110, section 14 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type } from "../../domain/schema.ts";
import { asFullDisk, requireRoom } from "../../dataset/installed.ts";
import { OperatorError, messageOf } from "../../errors.ts";
import type { Runtime } from "../../runtime.ts";
import { isEncrypted } from "../../operate/published-dataset.ts";
import { SEAL_WITHIN } from "../../dataset/seal.ts";

/** Dependencies of a download. */
export interface DownloadDeps {
  fetch: Runtime["fetch"];
  dataDir: string;
  /** Larger files are refused. */
  maxBytes: number;
  /** Key for unfinished bytes, if the URL changes every time; the URL by default. */
  name?: string;
  /** Called with the first `SEAL_WITHIN` bytes of a file, or all of a shorter one, before more is stored; throws to refuse it. */
  inspect(head: Uint8Array): void;
  /** Called as bytes arrive. @param total undefined if the server does not send it */
  progress(received: number, total: number | undefined): void;
}

/** Stored next to an unfinished file: which version of which file its bytes belong to. */
const Note = type({ url: "string", validator: "string" });

/** How long a server may send nothing. */
const SILENT_MS = 60_000;

/** A completely downloaded file. */
export interface Downloaded {
  file: string;
  /** The server's validator of this version; null if it sends none. */
  validator: string | null;
  /** Deletes the file. Otherwise the next call finds it again without downloading anything. */
  done(): void;
}

/**
 * Downloads a file. If the connection breaks, the received part is kept: the next call resumes from there, if the server
 * supports it and the file has not changed.
 *
 * @throws OperatorError with the reason, and how much can be resumed
 */
export async function download(url: URL, deps: DownloadDeps): Promise<Downloaded> {
  const fetched = await downloadIfChanged(url, deps, null);
  if (fetched === null)
    throw new OperatorError(`${hostAndPath(url)} answered 304 to an unconditional request.`);
  return fetched;
}

/**
 * Like `download`, for a file of which a version exists already.
 *
 * @param known the server's validator of that version; null for none
 * @returns null if it has not changed
 */
export async function downloadIfChanged(
  url: URL,
  deps: DownloadDeps,
  known: string | null,
): Promise<Downloaded | null> {
  const folder = join(deps.dataDir, "downloads");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { name = url.href } = deps;
  const file = join(folder, `${Bun.hash(name).toString(16)}.part`);
  const silence = silenceLimit(SILENT_MS);
  try {
    const answer = await ask({ url, name, known }, file, deps.fetch, silence.signal);
    if (answer?.status === 304) return null;
    if (answer !== null) await receive(answer, file, { ...deps, url, name, heard: silence.heard });
    inspect(file, deps);
  } catch (error) {
    silence.abort();
    throw error;
  } finally {
    silence.end();
  }
  return { file, validator: validatorOf(file, name), done: () => discard(file) };
}

/** What to download, the key of its unfinished bytes, and the validator of an existing version. */
interface Wanted {
  url: URL;
  name: string;
  known: string | null;
}

/** The response to use: 206 with the rest of the file, 200 with all of it, or 304; null if the file is complete already. */
async function ask(
  wanted: Wanted,
  file: string,
  fetcher: Runtime["fetch"],
  signal: AbortSignal,
): Promise<Response | null> {
  const { url, name, known } = wanted;
  const validator = validatorOf(file, name);
  const size = validator === null ? 0 : statSync(file).size;
  const going = validator === null || size === 0 ? {} : { range: `bytes=${size}-`, "if-range": validator };
  const headers = { "accept-encoding": "identity", ...going, ...conditionOf(known) };
  const answer = await get(fetcher, url, headers, signal);
  const range = answer.headers.get("content-range") ?? "";
  const isNext = size > 0 && answer.status === 206 && range.startsWith(`bytes ${size}-`);
  if (answer.status === 200 || isNext) return answer;
  await answer.body?.cancel();
  if (known !== null && answer.status === 304) return answer;
  if (size > 0 && answer.status === 416 && range === `bytes */${size}`) return null;
  if (size === 0) throw new OperatorError(`${hostAndPath(url)} answered ${answer.status}.`);
  // The server does not have that range, or sent a different one: start over.
  discard(file);
  return ask(wanted, file, fetcher, signal);
}

/** The conditional header for a validator, which is an entity tag in quotation marks or a date. */
function conditionOf(known: string | null): Record<string, string> {
  if (known === null) return {};
  return known.startsWith('"') ? { "if-none-match": known } : { "if-modified-since": known };
}

/** A URL without its query, which may contain a signature. */
function hostAndPath({ origin, pathname }: URL): string {
  return origin + pathname;
}

async function get(
  fetcher: Runtime["fetch"],
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetcher(url, { headers, signal, decompress: false });
  } catch (cause) {
    throw new OperatorError(`No response from ${hostAndPath(url)}: ${messageOf(cause)}.`);
  }
  const problem = problemOf(answer, url);
  if (problem === null) return answer;
  await answer.body?.cancel();
  throw new OperatorError(`${hostAndPath(url)} ${problem}`);
}

/** Why a response cannot be used whatever its status, as a predicate; null if it can. */
function problemOf(answer: Response, url: URL): string | null {
  const from = answer.url === "" ? url : new URL(answer.url);
  if (!isEncrypted(from)) return `redirects to ${hostAndPath(from)}, which does not use https.`;
  const encoding = answer.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity")
    return `answered with the content coding ${encoding.slice(0, 40)}, which was not asked for: a small file could unpack to a disk full. Switch compression off there.`;
  return null;
}

/** Starts the file over, and records the validator of this version if the server sends one. */
function begin(part: string, name: string, { headers }: Response): void {
  writeFileSync(part, "", { mode: 0o600 });
  const etag = headers.get("etag");
  // A weak tag only means that the content is equivalent, not that the bytes are the same.
  const validator = etag !== null && !etag.startsWith("W/") ? etag : headers.get("last-modified");
  if (validator === null) rmSync(noteOf(part), { force: true });
  else writeFileSync(noteOf(part), JSON.stringify({ url: name, validator }));
}

/** Appends the response to the file. @throws OperatorError if it is too large or the connection breaks */
async function receive(
  answer: Response,
  part: string,
  { url, name, heard, ...deps }: DownloadDeps & { url: URL; name: string; heard(): void },
): Promise<void> {
  const { maxBytes, progress } = deps;
  if (answer.status === 200) begin(part, name, answer);
  let received = statSync(part).size;
  let isInspected = false;
  const length = answer.headers.get("content-length");
  const total = length === null ? undefined : received + Number(length);
  if (total !== undefined && total > maxBytes) throw tooLong(part, total, maxBytes);
  requireRoom(dirname(part), total === undefined ? 0 : total - received);
  try {
    for await (const chunk of answer.body ?? []) {
      heard();
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLong(part, received, maxBytes);
      appendFileSync(part, chunk);
      if (!isInspected && received >= SEAL_WITHIN) {
        inspect(part, deps);
        isInspected = true;
      }
      progress(received, total);
    }
  } catch (cause) {
    const full = asFullDisk(cause, dirname(part));
    if (full instanceof OperatorError) throw full;
    throw brokenOff(url, received, total, messageOf(cause));
  }
  if (total !== undefined && received !== total)
    throw brokenOff(url, received, total, "the connection ended");
}

/** Has the beginning of the file inspected; a refused file is deleted. */
function inspect(part: string, deps: Pick<DownloadDeps, "inspect">): void {
  const head = Buffer.alloc(SEAL_WITHIN);
  const file = openSync(part, "r");
  try {
    deps.inspect(head.subarray(0, readSync(file, head, 0, head.length, 0)));
  } catch (error) {
    discard(part);
    throw error;
  } finally {
    closeSync(file);
  }
}

function validatorOf(part: string, name: string): string | null {
  if (!existsSync(part) || !existsSync(noteOf(part))) return null;
  try {
    const note = Note(JSON.parse(readFileSync(noteOf(part), "utf8")));
    return note instanceof type.errors || note.url !== name ? null : note.validator;
  } catch {
    return null;
  }
}

function discard(part: string): void {
  for (const file of [part, noteOf(part)]) rmSync(file, { force: true });
}

function noteOf(part: string): string {
  return `${part}.json`;
}

function tooLong(part: string, bytes: number, maxBytes: number): OperatorError {
  discard(part);
  return new OperatorError(
    `The file has at least ${bytes} bytes, more than the limit of ${maxBytes}. Raise --max-bytes to accept it.`,
  );
}

function brokenOff(url: URL, received: number, total: number | undefined, why: string): OperatorError {
  const of = total === undefined ? "" : ` of ${total}`;
  return new OperatorError(
    `${hostAndPath(url)} was interrupted after ${received}${of} bytes: ${why}. Run the same command again to resume.`,
  );
}

/** Aborts when nothing has been received for the given time. */
function silenceLimit(ms: number) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error(`no data for ${ms / 1000} seconds`));
  let timer = setTimeout(abort, ms);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(abort, ms);
    },
    /** Closes a connection on which a refused file is still arriving. */
    abort: () => controller.abort(),
    end: () => clearTimeout(timer),
  };
}
