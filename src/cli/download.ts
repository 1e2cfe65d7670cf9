/** Fetches a large file into the data folder, going on where an earlier try broke off. @see RFC 9110, section 14 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type } from "../domain/schema.ts";
import { OperatorError, messageOf } from "../errors.ts";
import type { Runtime } from "../runtime.ts";

/** What a download needs. */
export interface DownloadDeps {
  fetch: Runtime["fetch"];
  dataDir: string;
  /** A longer file is refused. */
  maxBytes: number;
  /** What unfinished bytes are kept under, where the address is another each time; else the address. */
  name?: string;
  /** Told as bytes come in. @param total undefined where the server does not say */
  progress(received: number, total: number | undefined): void;
}

/** What is kept beside an unfinished file: of which version of which file its bytes are. */
const Note = type({ url: "string", validator: "string" });

/** How long a server may be silent. */
const SILENT_MS = 60_000;

/** A file that has come in whole. */
export interface Downloaded {
  file: string;
  /** What its server calls this version; null where it does not say. */
  validator: string | null;
  /** Deletes it: whoever does not, finds it again at the next call, without another byte. */
  done(): void;
}

/**
 * Downloads a file. What has come in stays when the connection breaks: the next call goes on from there, if the server
 * can and the file is still the same one.
 *
 * @throws OperatorError saying what is wrong, and how much there is to go on from
 */
export async function download(url: URL, deps: DownloadDeps): Promise<Downloaded> {
  const fetched = await downloadIfChanged(url, deps, null);
  if (fetched === null) throw new OperatorError(`${hostAndPath(url)} answers 304 to no condition.`);
  return fetched;
}

/**
 * As `download`, where a version is there already.
 *
 * @param known what its server called that version; null for none
 * @returns null where it is still the one: nothing was fetched
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
    if (answer?.status === 200) begin(file, name, answer);
    if (answer !== null) await receive(answer, file, { ...deps, url, heard: silence.heard });
  } finally {
    silence.end();
  }
  return { file, validator: validatorOf(file, name), done: () => discard(file) };
}

/** What is asked for, what its bytes are kept under, and the version that is there already. */
interface Wanted {
  url: URL;
  name: string;
  known: string | null;
}

/** The answer to take: 206 with what follows on the file, 200 with all of it, or 304; null where nothing is missing. */
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
  if (size === 0) throw new OperatorError(`${hostAndPath(url)} answers ${answer.status}.`);
  // It has no such part, or sent another one than was asked for: from the beginning, then.
  discard(file);
  return ask(wanted, file, fetcher, signal);
}

/** A validator is an entity tag in quotation marks, or a date. */
function conditionOf(known: string | null): Record<string, string> {
  if (known === null) return {};
  return known.startsWith('"') ? { "if-none-match": known } : { "if-modified-since": known };
}

/** An address without its query, which may hold a signature. */
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
    answer = await fetcher(url, { headers, signal });
  } catch (cause) {
    throw new OperatorError(`No answer from ${hostAndPath(url)}: ${messageOf(cause)}.`);
  }
  if (url.protocol === "https:" && answer.url.startsWith("http:"))
    throw new OperatorError(`${hostAndPath(url)} leads to ${answer.url}, which is not https.`);
  return answer;
}

/** Begins the file anew, and notes which version of it this is, where the server says so. */
function begin(part: string, name: string, { headers }: Response): void {
  writeFileSync(part, "", { mode: 0o600 });
  const etag = headers.get("etag");
  // A weak one says that the content means the same, not that its bytes are the same.
  const validator = etag !== null && !etag.startsWith("W/") ? etag : headers.get("last-modified");
  if (validator === null) rmSync(noteOf(part), { force: true });
  else writeFileSync(noteOf(part), JSON.stringify({ url: name, validator }));
}

/** Writes what comes in behind what is there. @throws OperatorError when it is too long, or breaks off */
async function receive(
  answer: Response,
  part: string,
  { url, maxBytes, progress, heard }: DownloadDeps & { url: URL; heard(): void },
): Promise<void> {
  let received = statSync(part).size;
  const length = answer.headers.get("content-length");
  const total = length === null ? undefined : received + Number(length);
  if (total !== undefined && total > maxBytes) throw tooLong(part, total, maxBytes);
  try {
    for await (const chunk of answer.body ?? []) {
      heard();
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLong(part, received, maxBytes);
      appendFileSync(part, chunk);
      progress(received, total);
    }
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw brokenOff(url, received, total, messageOf(cause));
  }
  if (total !== undefined && received !== total)
    throw brokenOff(url, received, total, "the connection ended");
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
    `The file has ${bytes} bytes or more; at most ${maxBytes} are taken. Raise --max-bytes if it should be that long.`,
  );
}

function brokenOff(url: URL, received: number, total: number | undefined, why: string): OperatorError {
  const of = total === undefined ? "" : ` of ${total}`;
  return new OperatorError(
    `${hostAndPath(url)} broke off after ${received}${of} bytes: ${why}. Run the same command again to go on from there.`,
  );
}

/** Aborts when nothing was heard for so long. */
function silenceLimit(ms: number): { signal: AbortSignal; heard(): void; end(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error(`no byte for ${ms / 1000} seconds`));
  let timer = setTimeout(abort, ms);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(abort, ms);
    },
    end: () => clearTimeout(timer),
  };
}
