/**
 * The content hash of a snapshot file: SHA-256 of all its bytes, with the seal's own hash, key and signature counted as
 * zeros. One flipped byte anywhere else changes it. The seal is a line of fixed length in the first pages of the file, so
 * that it can be filled in without SQLite moving anything.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const MARK = "execcomp-seal-1:";
const FIELDS = { hash: 64, key: 64, signature: 128 } as const;
const LENGTH = MARK.length + FIELDS.hash + 1 + FIELDS.key + 1 + FIELDS.signature;
/** The seal's table is made first, so its page is among the first few. */
const SEARCHED = 65_536;
/** Bytes hashed at a time: what a server that hashes in the background does between two answers, under a millisecond. */
const CHUNK = 1 << 20;

/** What a snapshot's seal says. `key` and `signature` are null until an operator signs. */
export interface Seal {
  /** Lower-case hex, 64 digits. */
  contentHash: string;
  /** Ed25519 public key, hex. */
  key: string | null;
  /** Ed25519 signature over the content hash's 32 bytes, hex. */
  signature: string | null;
}

/** The line that the writer puts into the table `seal`, to be filled in. */
export const EMPTY_SEAL = `${MARK}${"0".repeat(FIELDS.hash)}:${"0".repeat(FIELDS.key)}:${"0".repeat(FIELDS.signature)}`;

/** What a seal's line says; undefined where it is none, or not filled in. */
export function readSealLine(line: string): Seal | undefined {
  const match = /^execcomp-seal-1:([0-9a-f]{64}):([0-9a-f]{64}):([0-9a-f]{128})$/.exec(line);
  if (match === null) return undefined;
  const [, contentHash = "", key = "", signature = ""] = match;
  if (/^0+$/.test(contentHash)) return undefined;
  const signed = !/^0+$/.test(key);
  // A key without a signature, or a signature without a key, is no seal of ours.
  if (signed === /^0+$/.test(signature)) return undefined;
  return { contentHash, key: signed ? key : null, signature: signed ? signature : null };
}

/** Hashes the file and writes the hash into its seal. Returns the hash. @throws Error when the file has no seal */
export function sealFile(path: string): string {
  const file = openSync(path, "r+");
  try {
    const at = requireSeal(file, path);
    writeSync(file, EMPTY_SEAL, at);
    const hash = finish(hashingAround(file, at));
    writeSync(file, hash, at + MARK.length);
    return hash;
  } finally {
    closeSync(file);
  }
}

/** Puts a signature over the content hash into the seal; the hash stays as it is. */
export function signFile(path: string, key: string, signature: string): void {
  const file = openSync(path, "r+");
  try {
    const at = requireSeal(file, path);
    writeSync(file, `${key}:${signature}`, at + MARK.length + FIELDS.hash + 1);
  } finally {
    closeSync(file);
  }
}

/** A seal, and the hash that the bytes around it have now. */
export interface CheckedSeal {
  seal: Seal;
  actualHash: string;
}

/** The seal's line in the first bytes of a file, whatever SQLite makes of them; undefined where there is none. */
export function findSealLine(head: Uint8Array): string | undefined {
  const at = findSeal(head);
  return at === undefined ? undefined : Buffer.from(head.subarray(at, at + LENGTH)).toString("latin1");
}

/** As `findSealLine`, in a file. @throws the system's error when the file cannot be read */
export function readSealLineOf(path: string): string | undefined {
  const file = openSync(path, "r");
  try {
    return findSealLine(headOf(file));
  } finally {
    closeSync(file);
  }
}

/** The seal of the file and the hash that its bytes have now; undefined where there is no seal. Reads the whole file. */
export function checkFile(path: string): CheckedSeal | undefined {
  return finish(checkingFile(path));
}

/** As `checkFile`, letting others go first after each chunk: for a server that answers meanwhile. */
export function checkFileInBackground(path: string): Promise<CheckedSeal | undefined> {
  return finishInBackground(checkingFile(path));
}

/** As `checkFile`, for a snapshot that stands in memory. */
export function checkBytes(bytes: Uint8Array): CheckedSeal | undefined {
  return finish(checkingBytes(bytes));
}

/** As `checkFileInBackground`, for a snapshot that stands in memory. */
export function checkBytesInBackground(bytes: Uint8Array): Promise<CheckedSeal | undefined> {
  return finishInBackground(checkingBytes(bytes));
}

function* checkingFile(path: string): Generator<void, CheckedSeal | undefined> {
  const file = openSync(path, "r");
  try {
    const head = headOf(file);
    const at = findSeal(head);
    if (at === undefined) return undefined;
    const seal = readSealLine(head.toString("latin1", at, at + LENGTH));
    return seal && { seal, actualHash: yield* hashingAround(file, at) };
  } finally {
    closeSync(file);
  }
}

function* checkingBytes(bytes: Uint8Array): Generator<void, CheckedSeal | undefined> {
  const at = findSeal(bytes);
  if (at === undefined) return undefined;
  const seal = readSealLine(Buffer.from(bytes.subarray(at, at + LENGTH)).toString("latin1"));
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(bytes.subarray(0, at)).update(EMPTY_SEAL);
  for (let offset = at + LENGTH; offset < bytes.length; offset += CHUNK) {
    hasher.update(bytes.subarray(offset, offset + CHUNK));
    yield;
  }
  return seal && { seal, actualHash: hasher.digest("hex") };
}

function headOf(file: number): Buffer {
  const head = Buffer.alloc(SEARCHED);
  return head.subarray(0, readSync(file, head, 0, SEARCHED, 0));
}

/** Offset of the seal's line in the first bytes of a file. */
function findSeal(head: Uint8Array): number | undefined {
  const searched = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SEARCHED));
  const at = searched.indexOf(MARK);
  return at < 0 || at + LENGTH > searched.length ? undefined : at;
}

function requireSeal(file: number, path: string): number {
  const at = findSeal(headOf(file));
  if (at === undefined) throw new Error(`${path} has no seal to fill in`);
  return at;
}

/** Takes every step at once. */
function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A step between two turns of the event loop. */
async function finishInBackground<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await Bun.sleep(1);
  }
}

function* hashingAround(file: number, at: number): Generator<void, string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = Buffer.alloc(CHUNK);
  const { size } = fstatSync(file);
  for (let offset = 0; offset < size;) {
    const read = readSync(file, chunk, 0, CHUNK, offset);
    if (read === 0) break;
    const part = chunk.subarray(0, read);
    // The seal lies within the first chunk: it is in the first pages.
    if (offset === 0) part.write(EMPTY_SEAL, at, "latin1");
    hasher.update(part);
    offset += read;
    yield;
  }
  return hasher.digest("hex");
}
