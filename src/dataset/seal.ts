/**
 * The seal of a snapshot file: its edition, its content hash and a signature over both. The content hash is the SHA-256 of all
 * bytes of the file, with the seal's own hash, key and signature counted as zeros; any other changed byte changes it. The seal
 * is a line of fixed length in the first pages of the file, so that it can be filled in without SQLite moving anything, and
 * read before the rest of a download has arrived.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { Edition } from "../domain/edition.ts";

const MARK = "execcomp-seal-2:";
const FIELDS = { edition: 17, hash: 64, key: 64, signature: 128 } as const;
/** Offset of the hash: what is before it is hashed. */
const HASH = MARK.length + FIELDS.edition + 1;
/** The hash, key and signature of a file that has none yet. */
const BLANK = [FIELDS.hash, FIELDS.key, FIELDS.signature].map((length) => "0".repeat(length)).join(":");
const LENGTH = HASH + BLANK.length;
/** The seal is within this many bytes: its table is created first, so its page is among the first few. */
export const SEAL_WITHIN = 65_536;
/** Bytes hashed per step: a server that hashes in the background does so in under a millisecond. */
const CHUNK = 1 << 20;

/** The contents of a snapshot's seal. `key` and `signature` are null until an operator signs it. */
export interface Seal extends Edition {
  /** Lower-case hex, 64 digits. */
  contentHash: string;
  /** Ed25519 public key, hex. */
  key: string | null;
  /** Ed25519 signature over `signedText`, hex. */
  signature: string | null;
}

/** The blank line that the writer puts into the table `seal`. */
export function blankSeal({ edition, sequence }: Edition): string {
  const text = `${edition}.${String(sequence).padStart(6, "0")}`;
  if (!/^\d{4}-\d\d-\d\d\.\d{6}$/.test(text)) throw new Error(`cannot seal edition ${text}`);
  return `${MARK}${text}:${BLANK}`;
}

/** The bytes that a signature covers. */
export function signedText({ edition, sequence, contentHash }: Omit<Seal, "key" | "signature">): Uint8Array {
  const blank = blankSeal({ edition, sequence });
  return Buffer.from(blank.slice(0, HASH) + contentHash, "latin1");
}

/** Parses a seal's line; undefined if it is malformed or blank. */
export function readSealLine(line: string): Seal | undefined {
  const match =
    /^execcomp-seal-2:(\d{4}-\d\d-\d\d)\.(\d{6}):([0-9a-f]{64}):([0-9a-f]{64}):([0-9a-f]{128})$/.exec(line);
  if (match === null) return undefined;
  const [, edition = "", sequence = "", contentHash = "", key = "", signature = ""] = match;
  if (/^0+$/.test(contentHash)) return undefined;
  const signed = !/^0+$/.test(key);
  // A key without a signature, or a signature without a key, is not a valid seal.
  if (signed === /^0+$/.test(signature)) return undefined;
  return {
    edition,
    sequence: Number(sequence),
    contentHash,
    key: signed ? key : null,
    signature: signed ? signature : null,
  };
}

/** Hashes the file and writes the hash into its seal. @returns the hash @throws Error if the file has no seal */
export function sealFile(path: string): string {
  const { at, hash } = lastOf(hashing(path)) ?? noSeal(path);
  write(path, at + HASH, hash + BLANK.slice(FIELDS.hash));
  return hash;
}

/** Writes a signature over the content hash into the seal. The content hash does not change. */
export function signFile(path: string, key: string, signature: string): void {
  const at = findSeal(headOf(path)) ?? noSeal(path);
  write(path, at + HASH + FIELDS.hash + 1, `${key}:${signature}`);
}

function write(path: string, at: number, text: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, text, at);
  } finally {
    closeSync(file);
  }
}

function noSeal(path: string): never {
  throw new Error(`${path} has no seal to fill in`);
}

/** The seal's line in the first bytes of a file, read without SQLite; undefined if there is none. */
export function findSealLine(head: Uint8Array): string | undefined {
  const at = findSeal(head);
  return at === undefined ? undefined : Buffer.from(head.subarray(at, at + LENGTH)).toString("latin1");
}

/** Like `findSealLine`, for a file. @throws the system's error if the file cannot be read */
export function readSealLineOf(path: string): string | undefined {
  return findSealLine(headOf(path));
}

function headOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(SEAL_WITHIN);
    return head.subarray(0, readSync(file, head, 0, SEAL_WITHIN, 0));
  } finally {
    closeSync(file);
  }
}

/** Offset of the seal's line in the first bytes of a file. */
function findSeal(head: Uint8Array): number | undefined {
  const searched = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SEAL_WITHIN));
  const at = searched.indexOf(MARK);
  return at < 0 || at + LENGTH > searched.length ? undefined : at;
}

/** A seal, and the actual hash of the bytes around it. */
export interface CheckedSeal {
  seal: Seal;
  actualHash: string;
}

/** The path of a snapshot, or its bytes. */
type Source = string | Uint8Array;

/** The seal of a snapshot and the actual hash of its bytes; undefined if there is no seal. Reads all of it. */
export function checkSeal(source: Source): CheckedSeal | undefined {
  return checkedSeal(lastOf(hashing(source)));
}

/** Like `checkSeal`, yielding to the event loop after each chunk, for a running server. */
export async function checkSealInBackground(source: Source): Promise<CheckedSeal | undefined> {
  let found: Hashed | undefined;
  for (found of hashing(source)) await Bun.sleep(1);
  return checkedSeal(found);
}

function checkedSeal(found: Hashed | undefined): CheckedSeal | undefined {
  const seal = found && readSealLine(found.line);
  return seal && { seal, actualHash: found.hash };
}

function lastOf<T>(steps: Iterable<T>): T | undefined {
  let last: T | undefined;
  for (last of steps);
  return last;
}

interface Hashed {
  /** Offset of the seal's line. */
  at: number;
  line: string;
  /** Of everything around the seal. */
  hash: string;
}

/** Hashes a snapshot, one chunk a step; the last one has the result, none does if there is no seal. */
function* hashing(source: Source): Generator<Hashed | undefined> {
  const hasher = new Bun.CryptoHasher("sha256");
  let seal: Omit<Hashed, "hash"> | undefined;
  for (const chunk of typeof source === "string" ? chunksOf(source) : copiedChunks(source)) {
    if (seal === undefined) {
      // The seal is in the first pages, hence in the first chunk.
      const at = findSeal(chunk);
      if (at === undefined) return;
      seal = { at, line: chunk.toString("latin1", at, at + LENGTH) };
      chunk.write(BLANK, at + HASH, "latin1");
    }
    hasher.update(chunk);
    yield undefined;
  }
  yield seal && { ...seal, hash: hasher.digest("hex") };
}

/** The chunks of a file, all in the same memory. */
function* chunksOf(path: string): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.alloc(CHUNK);
    for (let offset = 0; ;) {
      const read = readSync(file, chunk, 0, CHUNK, offset);
      if (read === 0) return;
      yield chunk.subarray(0, read);
      offset += read;
    }
  } finally {
    closeSync(file);
  }
}

function* copiedChunks(bytes: Uint8Array): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += CHUNK)
    yield Buffer.from(bytes.subarray(offset, offset + CHUNK));
}
