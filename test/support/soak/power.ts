/**
 * Simulated power cuts: a store's writes and flushes are recorded. At a random moment only flushed data is certain to
 * be on disk; each other write is there, missing, or torn, sector by sector. After every cut SQLite must find the file intact, balances
 * and ledgers add up, and every charge, key and revocation that was reported to be on disk be there. Linux only: strace records.
 */
import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { STORE_FILE } from "../../../src/store/folder.ts";
import { realRuntime } from "../../../src/runtime.ts";
import { SqliteStore } from "../../../src/store/open.ts";
import { checkStore } from "./sqlite.ts";

const FILES = [STORE_FILE, `${STORE_FILE}-wal`];
const SECTOR_BYTES = 512;

/** One recorded event, ordered by completion. */
type Event =
  | { kind: "write"; file: string; at: number; bytes: Uint8Array; startedAt: number }
  | { kind: "truncate"; file: string; length: number; startedAt: number }
  | { kind: "flush"; file: string; startedAt: number }
  | { kind: "told"; lines: readonly string[]; startedAt: number };

/** A recording of a load on a store. */
export interface Recording {
  /** The folder as it was at the start. */
  before: string;
  events: readonly Event[];
}

/** Runs the load under strace. @param folder a scratch folder */
export async function record(folder: string, charges: number): Promise<Recording> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { recursive: true });
  await new SqliteStore({ dataDir, runtime: realRuntime() }).close();
  const before = join(folder, "before");
  cpSync(dataDir, before, { recursive: true });
  const trace = join(folder, "trace");
  const acks = join(folder, "acks");
  const strace = ["strace", "-f", "-qq", "-y", "-xx", "-s", "70000", "-o", trace];
  const calls = ["-e", "trace=pwrite64,write,ftruncate,fdatasync,fsync"];
  const load = [process.execPath, join(import.meta.dir, "power-load.ts"), dataDir, acks, String(charges)];
  const child = Bun.spawn([...strace, ...calls, ...load], { stdout: "inherit", stderr: "inherit" });
  await child.exited;
  return { before, events: eventsOf(readFileSync(trace, "latin1")) };
}

const BEGUN = /^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/;
const WHOLE = /^(\d+) +(\w+)\((.*)$/;
const DONE = /\) += (-?\d+)/;

/** The lines of a trace as events; a call that is split by another thread's line is joined again. */
export function eventsOf(trace: string): Event[] {
  const events: Event[] = [];
  const begun = new Map<string, { text: string; startedAt: number }>();
  for (const line of trace.split("\n")) {
    const [, waiting = "", , front] = BEGUN.exec(line) ?? [];
    if (front !== undefined) {
      begun.set(waiting, { text: front, startedAt: events.length });
      continue;
    }
    const [, pid = "", call = "", rest = ""] = RESUMED.exec(line) ?? WHOLE.exec(line) ?? [];
    const { text, startedAt } = begun.get(pid) ?? { text: "", startedAt: events.length };
    begun.delete(pid);
    const event = eventOf(call, text + rest, startedAt);
    if (event !== null) events.push(event);
  }
  return events;
}

function eventOf(call: string, text: string, startedAt: number): Event | null {
  const [, path = ""] = /^\d+<([^>]*)>/.exec(text) ?? [];
  const file = basename(Buffer.from(bytesOf(path)).toString());
  const result = Number(DONE.exec(text)?.[1] ?? -1);
  if (result < 0) return null;
  const [, data = ""] = /, "([^"]*)"/.exec(text) ?? [];
  if (call === "write" && file === "acks") {
    return { kind: "told", lines: Buffer.from(bytesOf(data)).toString().trim().split("\n"), startedAt };
  }
  if (!FILES.includes(file)) return null;
  const numbers = /, (\d+)(?:, (\d+))?\) +=/.exec(text) ?? [];
  const written = { at: Number(numbers[2]), bytes: bytesOf(data).subarray(0, result) };
  if (call === "pwrite64") return { kind: "write", file, ...written, startedAt };
  if (call === "ftruncate") return { kind: "truncate", file, length: Number(numbers[1]), startedAt };
  if (call === "fdatasync" || call === "fsync") return { kind: "flush", file, startedAt };
  throw new Error(`${call} on ${file} is not simulated`);
}

/** `\x41\x42` as bytes; a text without escapes unchanged. */
function bytesOf(escaped: string): Uint8Array {
  return escaped.startsWith("\\x")
    ? new Uint8Array(Buffer.from(escaped.replaceAll("\\x", ""), "hex"))
    : new Uint8Array(Buffer.from(escaped, "latin1"));
}

/** Which flushes a disk honors. */
export type Disk = "honest" | "ignores flushes";

/**
 * The store's files after a cut following the first `events` of a recording, in a fresh folder.
 * @param random from 0 to 1
 * @returns what had been reported to be on disk by then
 */
function cut(
  { before, events }: Recording,
  { after, disk, random, folder }: { after: number; disk: Disk; random: () => number; folder: string },
): string[] {
  cpSync(before, folder, { recursive: true });
  const happened = events.slice(0, after);
  const flushedUpTo = new Map<string, number>();
  for (const event of happened) {
    if (event.kind === "flush" && disk === "honest") flushedUpTo.set(event.file, event.startedAt);
  }
  for (const file of FILES) {
    const path = join(folder, file);
    const own = happened.flatMap((event, index) =>
      (event.kind === "write" || event.kind === "truncate") && event.file === file ? [{ event, index }] : [],
    );
    const begun = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const ends = own.map(({ event }) => (event.kind === "write" ? event.at + event.bytes.length : 0));
    const bytes = new Uint8Array(ends.reduce((most, end) => Math.max(most, end), begun.length));
    bytes.set(begun);
    let { length } = begun;
    for (const { event, index } of own) {
      const isSure = index < (flushedUpTo.get(file) ?? 0);
      if (!isSure && random() < 0.4) continue;
      if (event.kind === "truncate") {
        bytes.fill(0, event.length);
        length = event.length;
      } else {
        writeTo(bytes, event, isSure || random() < 0.6 ? null : random);
        length = Math.max(length, event.at + event.bytes.length);
      }
    }
    writeFileSync(path, bytes.subarray(0, length));
  }
  return happened.flatMap((event) => (event.kind === "told" ? event.lines : []));
}

/** @param torn null for a complete write; otherwise some of its sectors are missing */
function writeTo(
  file: Uint8Array,
  { at, bytes }: { at: number; bytes: Uint8Array },
  torn: (() => number) | null,
): void {
  for (let from = 0; from < bytes.length; from += SECTOR_BYTES) {
    if (torn === null || torn() < 0.5) file.set(bytes.subarray(from, from + SECTOR_BYTES), at + from);
  }
}

/** What is wrong with a store after a cut; empty if everything reported is there. */
async function wrongAfter(folder: string, promised: readonly string[]): Promise<string[]> {
  try {
    const wrong = await checkStore(folder);
    const client = new Database(join(folder, STORE_FILE), { readonly: true });
    const rows = (sql: string) => client.query<{ id: string }, []>(sql).all();
    const texts = (sql: string) => new Set(rows(sql).map(({ id }) => id));
    const there: Readonly<Record<string, ReadonlySet<string>>> = {
      charge: texts("SELECT request_id AS id FROM ledger WHERE kind = 'charged'"),
      opened: texts("SELECT subject AS id FROM page_openings"),
      key: texts("SELECT id FROM keys"),
      revoked: texts("SELECT id FROM keys WHERE revoked_at_ms IS NOT NULL"),
    };
    client.close();
    for (const line of promised) {
      const [kind = "", id = ""] = line.split(" ");
      if (there[kind]?.has(id) !== true) wrong.push(`${line} was told, and is not there`);
    }
    return wrong;
  } catch (error) {
    return [`the store cannot be opened: ${String(error)}`];
  }
}

/** Cuts at random moments. @returns how many left a fault, and the first lines of the faults */
export async function cuts(recording: Recording, count: number, disk: Disk, folder: string) {
  const lines: string[] = [];
  let failed = 0;
  for (let n = 0; n < count; n += 1) {
    const after = 1 + Math.floor(Math.random() * recording.events.length);
    const place = join(folder, `cut-${disk === "honest" ? "" : "control-"}${n}`);
    const promised = cut(recording, { after, disk, random: Math.random, folder: place });
    const wrong = await wrongAfter(place, promised);
    if (wrong.length > 0) {
      failed += 1;
      lines.push(`cut ${n} after ${after} events: ${wrong.slice(0, 3).join("; ")}`);
    }
    rmSync(place, { recursive: true });
  }
  return { failed, lines };
}
