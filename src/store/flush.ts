import type { Database } from "bun:sqlite";
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";

/**
 * Makes commits durable off the event loop: SQLite writes them to its log without waiting for the disk
 * (`synchronous=NORMAL`), and the log is flushed from another thread before anybody is told.
 * @see docs/decisions/store.md
 */
export class LogFlush {
  private file: number | null = null;
  private underWay = false;
  private isNeeded = true;
  private readonly over: number[] = [];

  /** @param path of the database; its log stands beside it while a connection is open */
  constructor(private readonly path: string) {}

  /**
   * For a new connection, once it works. Where it keeps no log (a file system without shared memory) SQLite itself flushes
   * every commit, as it does until this is called.
   */
  takeOver(client: Database): void {
    const mode = client.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get();
    this.isNeeded = mode?.journal_mode === "wal";
    if (this.isNeeded) client.run("PRAGMA synchronous = NORMAL");
  }

  /** Flushes what was committed before, and tells when it is on disk, or why not. */
  start(done: (error: unknown) => void): void {
    if (!this.isNeeded) return done(null);
    try {
      this.file ??= openSync(`${this.path}-wal`, "r+");
    } catch (error) {
      return done(error);
    }
    this.underWay = true;
    fdatasync(this.file, (error) => {
      this.underWay = false;
      for (const file of this.over.splice(0)) closeSync(file);
      done(error);
    });
  }

  /** The same at once. @throws the system's error */
  now(): void {
    if (!this.isNeeded) return;
    this.file ??= openSync(`${this.path}-wal`, "r+");
    fdatasyncSync(this.file);
  }

  /** Forgets the log: the next connection may have another one. */
  reset(): void {
    if (this.file === null) return;
    // A number that is closed while a flush is under way could be another file's by then.
    if (this.underWay) this.over.push(this.file);
    else closeSync(this.file);
    this.file = null;
  }
}
