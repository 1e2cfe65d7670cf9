/** Downloads a snapshot from an address on the command line. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, OperatorError } from "../../errors.ts";
import { asFullDisk, requireRoom } from "../../dataset/installed.ts";
import { SEAL_WITHIN } from "../../dataset/seal.ts";
import type { Runtime } from "../../runtime.ts";

/** Dependencies of a download. */
interface DownloadDeps {
  fetch: Runtime["fetch"];
  /** Where to; replaced. */
  file: string;
  /** Larger files are refused. */
  maxBytes: number;
  /** Called with the first `SEAL_WITHIN` bytes of a file, or all of a shorter one, before more is stored; throws to refuse it. */
  inspect(head: Uint8Array): void;
  progress(received: number): void;
}

/** How long a server may stay silent. */
const SILENT_MS = 60_000;

/** Whether a word of the command line is an address and not a file. */
export function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

/** An address for logs and messages, without any password or signature. */
export function shownAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : url.origin + url.pathname;
}

/** @throws OperatorError with the reason; the caller deletes what has arrived */
export async function download(address: string, deps: DownloadDeps): Promise<void> {
  const place = shownAddress(address);
  const url = URL.parse(address);
  if (url === null) throw new OperatorError(`Cannot read the address ${JSON.stringify(address)}.`);
  if (!isEncrypted(url))
    throw new OperatorError(`${place} does not use https. Plain http is for this machine only.`);
  const connection = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => connection.abort(new Error(`no data for ${SILENT_MS / 1000} seconds`));
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, SILENT_MS);
  };
  heard();
  const request = {
    headers: { "accept-encoding": "identity" },
    signal: connection.signal,
    decompress: false,
  };
  try {
    const answer = await deps.fetch(url, request).catch((cause: unknown) => {
      throw new OperatorError(`No response from ${place}: ${messageOf(cause)}.`);
    });
    const problem = problemOf(answer, url);
    if (problem !== null) throw new OperatorError(`${place} ${problem}`);
    await receive(answer, place, deps, heard);
  } finally {
    clearTimeout(timer);
    // Closes a connection on which a refused file is still arriving.
    connection.abort();
  }
}

/** Whether nobody between this machine and the address can read or change the transfer. */
function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Why a response cannot be used, as a predicate; null if it can. */
function problemOf(answer: Response, url: URL): string | null {
  const from = answer.url === "" ? url : new URL(answer.url);
  if (!isEncrypted(from)) return `redirects to ${shownAddress(from.href)}, which does not use https.`;
  const encoding = answer.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity")
    return `answered with the content coding ${encoding.slice(0, 40)}, which was not requested: a small file could expand to fill the disk. Turn off compression there.`;
  return answer.status === 200 ? null : `answered ${answer.status}.`;
}

/** Stores the body. @throws OperatorError if it is too large, refused by `inspect`, or the connection breaks */
async function receive(
  answer: Response,
  place: string,
  { file, maxBytes, inspect, progress }: DownloadDeps,
  heard: () => void,
): Promise<void> {
  const length = answer.headers.get("content-length");
  const total = length === null ? null : Number(length);
  let received = 0;
  const receivedMore = (bytes: number) => {
    received += bytes;
    const least = Math.max(received, total ?? 0);
    if (least > maxBytes)
      throw new OperatorError(`The file has at least ${least} bytes, more than the limit of ${maxBytes}.`);
  };
  const inspectHead = async () => inspect(await Bun.file(file).slice(0, SEAL_WITHIN).bytes());
  receivedMore(0);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  requireRoom(dirname(file), total ?? 0);
  writeFileSync(file, "", { mode: 0o600 });
  try {
    for await (const chunk of answer.body ?? []) {
      heard();
      const isHeadComplete = received >= SEAL_WITHIN;
      receivedMore(chunk.byteLength);
      appendFileSync(file, chunk);
      if (!isHeadComplete && received >= SEAL_WITHIN) await inspectHead();
      progress(received);
    }
    if (received < SEAL_WITHIN) await inspectHead();
    if (total !== null && received !== total) throw new Error("the connection ended");
  } catch (cause) {
    const failure = asFullDisk(cause, dirname(file));
    if (failure instanceof OperatorError) throw failure;
    const of = total === null ? "" : ` of ${total}`;
    throw new OperatorError(
      `${place} was interrupted after ${received}${of} bytes: ${messageOf(cause)}. Run the same command again.`,
    );
  }
}
