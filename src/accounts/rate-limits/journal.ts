import type { Runtime } from "../../runtime.ts";
import { parseJson } from "../../lib/text.ts";
import { ServiceError } from "../../errors.ts";
import type { SqliteStore } from "../../store/open.ts";
import { Delayed, SOON_MS, WriteBehind } from "../../store/store.ts";
import type { windowHits } from "../../store/schema.ts";
import { WINDOW_SECONDS } from "./limits.ts";

const WINDOW_MS = WINDOW_SECONDS * 1000;

// Plain SQL, prepared: each commit of a charge writes a line (`charged` in `bench rows`).
const NEWEST_PAST = "SELECT max(id) AS id FROM window_hits WHERE id > ? AND at_ms <= ?";
const LINES =
  'SELECT id, writer, at_ms AS "atMs", hits FROM window_hits WHERE id > ? AND at_ms > ? ORDER BY id';

/** One line of the journal: the requests counted since the previous line. */
interface JournalLine {
  id: number;
  /** On the monotonic clock. */
  atMs: number;
}

/**
 * Persists rate limits: each commit adds a line with the requests counted since the last one, and deletes lines older
 * than a window. Lines store ages along with the wall clock time of writing, because neither the wall clock nor the
 * monotonic clock alone survives both a restart and a change of the machine's time.
 */
export class Journal {
  private readonly writer: string;
  private readonly pending = new WriteBehind<string, number[]>((failed, newer) => [...failed, ...newer]);
  private readonly soon = new Delayed(SOON_MS, () => {
    this.dropOld();
    if (this.pending.size > 0) this.store.scheduleCommit();
  });
  private readonly written: JournalLine[] = [];
  private readTo = 0;
  private generation = -1;
  private add: (id: string, atMs: number) => void = () => {};

  constructor(
    private readonly store: SqliteStore,
    private readonly runtime: Pick<Runtime, "now" | "monotonic" | "id">,
  ) {
    this.writer = runtime.id();
    let line: JournalLine | null = null;
    store.onEveryCommit({
      size: () => this.pending.size,
      write: () => {
        line = this.write();
      },
      settled: (error) => {
        this.pending.settled(error);
        if (error === null && line !== null) this.written.push(line);
        line = null;
      },
    });
  }

  /** Loads the requests still within their windows, and keeps `add` for requests counted by other processes later. */
  load(add: (id: string, atMs: number) => void): void {
    this.add = add;
    this.catchUp();
  }

  /** Adds requests that other processes have counted on the same store since the last call. */
  catchUp(): void {
    try {
      const generation = this.store.generation();
      if (generation === this.generation) return;
      this.readOthers();
      this.generation = generation;
    } catch (error) {
      // While the store is down, requests are counted in memory only, and anonymous access continues.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  /** Queues a counted request for the next commit, at most half a second away. */
  note(id: string, atMs: number): void {
    const times = this.pending.get(id);
    if (times === undefined) this.pending.set(id, [atMs]);
    else times.push(atMs);
    this.soon.schedule();
  }

  private write(): JournalLine | null {
    if (this.pending.size === 0) return null;
    const monotonicMs = this.runtime.monotonic();
    const { client } = this.store;
    const row = client
      .query<{ id: number }, [string, number, string]>(
        "INSERT INTO window_hits (writer, at_ms, hits) VALUES (?, ?, ?) RETURNING id",
      )
      .get(this.writer, Math.round(this.runtime.now()), hitsText(this.pending.take(), monotonicMs));
    let oldest = 0;
    while (this.written[0] !== undefined && this.written[0].atMs < monotonicMs - WINDOW_MS) {
      oldest = this.written.shift()?.id ?? oldest;
    }
    if (oldest > 0) {
      client.query("DELETE FROM window_hits WHERE id <= ?").run(oldest);
    }
    return row === null ? null : { id: row.id, atMs: monotonicMs };
  }

  private readOthers(): void {
    const monotonicMs = this.runtime.monotonic();
    const nowMs = this.runtime.now();
    // The previous server may have left an hour of lines; skip those older than a window.
    const sinceMs = nowMs - WINDOW_MS;
    const [past] = this.store.rows<{ id: number | null }>(NEWEST_PAST, this.readTo, sinceMs);
    const lines = this.store.rows<typeof windowHits.$inferSelect>(LINES, this.readTo, sinceMs);
    if (typeof past?.id === "number") {
      this.readTo = past.id;
      // Delete only up to the first current line: after a clock was set back, one may precede expired lines.
      const before = (lines[0]?.id ?? Infinity) - 1;
      this.written.push({ id: Math.min(past.id, before), atMs: monotonicMs - WINDOW_MS - 1 });
    }
    const hits: { id: string; atMs: number }[] = [];
    for (const line of lines) {
      this.readTo = Math.max(this.readTo, line.id);
      if (line.writer === this.writer) continue;
      // A time in the future means that the clock was set back: treat the line as just written.
      const writtenMs = monotonicMs - Math.max(0, nowMs - line.atMs);
      this.written.push({ id: line.id, atMs: writtenMs });
      // Written by `hitsText` below; an unreadable line is ignored.
      const agesById = (parseJson(line.hits) ?? {}) as Record<string, number[]>;
      for (const [id, ages] of Object.entries(agesById)) {
        for (const age of ages) {
          if (writtenMs - age > monotonicMs - WINDOW_MS) hits.push({ id, atMs: writtenMs - age });
        }
      }
    }
    hits.sort((a, b) => a.atMs - b.atMs);
    for (const { id, atMs } of hits) this.add(id, atMs);
  }

  /** Nothing is written while the store is down, so drop requests that have left their window. */
  private dropOld(): void {
    if (this.store.failure === null) return;
    const fromMs = this.runtime.monotonic() - WINDOW_MS;
    for (const [id, times] of this.pending.entries()) {
      const recent = times.filter((atMs) => atMs > fromMs);
      if (recent.length === 0) this.pending.delete(id);
      else this.pending.set(id, recent);
    }
  }
}

/** The age of each request by window. */
function hitsText(hits: ReadonlyMap<string, readonly number[]>, nowMs: number): string {
  const ages = [...hits].map(([id, times]) => [id, times.map((atMs) => Math.floor(nowMs - atMs))]);
  return JSON.stringify(Object.fromEntries(ages));
}
