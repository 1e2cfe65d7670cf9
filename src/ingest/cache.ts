/** What is kept on disk: documents, results of reading them, and which were fetched when. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { ParsedFiling } from "../reader/parsed-filing.ts";
import type { GivenFacts } from "../reader/pipeline.ts";
import type { Clock } from "./edgar/rate-limiter.ts";
import type { Fetched, Validators } from "./edgar/client.ts";
import { type } from "../lib/schema.ts";
import { parseJson } from "../lib/text.ts";

/**
 * Documents as they were fetched, by the SHA-256 of their bytes, so that an improved reader can read them without the network:
 * `ab/abcdef….zst` in a folder, each file compressed separately.
 */
export class RawStore {
  constructor(private readonly folder: string) {}

  /** Stores bytes, each content once. @returns their SHA-256 in hex */
  async put(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const sha256 = hashOf(bytes);
    await pack(placeOf(this.folder, `${sha256}.zst`), bytes);
    return sha256;
  }

  /** The bytes with that SHA-256; null if they are missing or damaged. */
  async get(sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await unpack(placeOf(this.folder, `${sha256}.zst`));
    return bytes !== null && hashOf(bytes) === sha256 ? bytes : null;
  }
}

function placeOf(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name);
}

/** Writes a compressed file unless it is there. It is renamed into place, so that a crash leaves a complete file or none. */
async function pack(file: string, content: Uint8Array<ArrayBuffer> | string): Promise<void> {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  await Bun.write(fresh, await Bun.zstdCompress(content, { level: 3 }));
  renameSync(fresh, file);
}

/** The content of a compressed file; null if it is missing or damaged. */
async function unpack(file: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await Bun.zstdDecompress(await Bun.file(file).bytes()));
  } catch {
    return null;
  }
}

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array<ArrayBuffer>): string {
  return Bun.CryptoHasher.hash("sha256", bytes, "hex");
}

/**
 * Results of reading documents in a folder, so that a run after a crash reads none of them twice. The key is a hash of the
 * document, the facts known about it, and the reader itself, so a changed reader reads everything again.
 */
export class ParseCache {
  constructor(
    private readonly folder: string,
    private readonly reader: string,
  ) {}

  async get(sha256: string, given: GivenFacts): Promise<ParsedFiling | null> {
    const bytes = await unpack(this.fileOf(sha256, given));
    // Written by `put` of the same reader from a `ParsedFiling`.
    return (parseJson(new TextDecoder().decode(bytes ?? undefined)) ?? null) as ParsedFiling | null;
  }

  put(sha256: string, given: GivenFacts, parsed: ParsedFiling): Promise<void> {
    return pack(this.fileOf(sha256, given), JSON.stringify(parsed));
  }

  private fileOf(sha256: string, given: GivenFacts): string {
    const key = `${this.reader} ${sha256} ${JSON.stringify(given)}`;
    return placeOf(this.folder, `${Bun.CryptoHasher.hash("sha256", key, "hex")}.json.zst`);
  }
}

/** Identifies a version of the reader: by the executable, or by the sources it runs from. */
export function readerIdentity(): string {
  if (/\$bunfs|~BUN/.test(import.meta.url)) {
    const { size, mtimeMs } = statSync(process.execPath);
    return `${size}-${mtimeMs}`;
  }
  const source = join(import.meta.dir, "..");
  const files = [...new Bun.Glob("{reader,domain,ingest,dataset}/**/*.ts").scanSync(source)].sort();
  const hasher = new Bun.CryptoHasher("sha256");
  for (const file of files) hasher.update(readFileSync(join(source, file)));
  return hasher.digest("hex");
}

/** A requested document. */
const journalEntry = type({
  url: "string",
  /** Null if EDGAR does not have the document. */
  sha256: "string | null",
  etag: "string | null",
  lastModified: "string | null",
  fetchedAtMs: "number",
});

/** A requested document, with its hash in the raw store. */
export type JournalEntry = typeof journalEntry.infer;

/**
 * Which documents were fetched and when, so that a run after a crash need not fetch them again: a file with one JSON line per
 * entry, of which the last of a URL counts. A line truncated by a crash is skipped, and the next entry starts on a new line.
 */
export class Journal {
  private readonly byUrl = new Map<string, JournalEntry>();

  constructor(private readonly file: string) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const lines = text.split("\n").filter((line) => line !== "");
    for (const line of lines) {
      const entry = journalEntry(parseJson(line));
      if (!(entry instanceof type.errors)) this.byUrl.set(entry.url, entry);
    }
    mkdirSync(dirname(file), { recursive: true });
    if (lines.length > 2 * this.byUrl.size + 100) {
      const fresh = `${file}.${process.pid}.new`;
      writeFileSync(fresh, [...this.byUrl.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      renameSync(fresh, file);
    } else if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  }

  find(url: string): JournalEntry | undefined {
    return this.byUrl.get(url);
  }

  add(entry: JournalEntry): void {
    this.byUrl.set(entry.url, entry);
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
  }
}

/** The bytes of an address, or why there are none. */
export type Obtained =
  | { kind: "available"; sha256: string; bytes: Uint8Array<ArrayBuffer>; fromDisk: boolean }
  | Extract<Fetched, { kind: "missing" | "unavailable" }>;

/** What was fetched less than this long ago is not requested again; afterwards it is, conditionally. */
const FRESH_MS = 24 * 60 * 60_000;

/**
 * The bytes of an address: those on disk if they are fresh, else what EDGAR has now, else those on disk.
 *
 * @param request asks EDGAR; with the validators of the copy on disk, if there is one
 */
export async function obtain(
  { clock, journal, raw }: { clock: Clock; journal: Journal; raw: RawStore },
  url: string,
  request: (validators: Validators | undefined) => Promise<Fetched>,
): Promise<Obtained> {
  const entry = journal.find(url);
  const isFresh = entry !== undefined && clock.now() - entry.fetchedAtMs < FRESH_MS;
  if (isFresh && entry.sha256 === null) return { kind: "missing" };
  const copy = entry?.sha256 ? await raw.get(entry.sha256) : null;
  const cached =
    copy === null || !entry?.sha256
      ? null
      : { kind: "available" as const, sha256: entry.sha256, bytes: copy, fromDisk: true };
  if (cached !== null && isFresh) return cached;
  const note = ({ sha256, etag, lastModified }: Omit<JournalEntry, "url" | "fetchedAtMs">) =>
    journal.add({ url, sha256, etag, lastModified, fetchedAtMs: clock.now() });
  const got = await request(cached === null ? undefined : entry);
  switch (got.kind) {
    case "unchanged":
      if (cached === null || entry === undefined)
        return { kind: "unavailable", why: `${url} answered 304 to an unconditional request` };
      note(entry);
      return cached;
    case "missing":
      note({ sha256: null, etag: null, lastModified: null });
      return { kind: "missing" };
    case "ok": {
      const { bytes, etag, lastModified } = got;
      const sha256 = await raw.put(bytes);
      note({ sha256, etag, lastModified });
      return { kind: "available", sha256, bytes, fromDisk: false };
    }
    case "unavailable":
      return cached ?? got;
  }
}
