import type { Database } from "bun:sqlite";
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";

/**
 * Makes commits durable off the event loop: SQLite writes them to its log without syncing (`synchronous=NORMAL`), and
 * another thread syncs the log before they are acknowledged.
 * @see docs/decisions/store.md
 */
export class LogFlush {
  private file: number | null = null;
  private underWay = false;
  private isNeeded = true;
  private readonly over: number[] = [];

  /** @param path of the database; its log has the same name plus `-wal` while a connection is open */
  constructor(private readonly path: string) {}

  /**
   * Takes over syncing for a new connection. Without a log (on a file system without shared memory), SQLite continues
   * to sync every commit, as it does until this is called.
   */
  takeOver(client: Database): void {
    const mode = client.query<{ journal_mode: string }, []>("PRAGMA journal_mode").get();
    this.isNeeded = mode?.journal_mode === "wal";
    if (this.isNeeded) client.run("PRAGMA synchronous = NORMAL");
  }

  /** Syncs the commits so far, and reports when they are durable, or the error. */
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

  /** The same, synchronously. @throws the system's error */
  now(): void {
    if (!this.isNeeded) return;
    this.file ??= openSync(`${this.path}-wal`, "r+");
    fdatasyncSync(this.file);
  }

  /** Forgets the log, because the next connection may have a different one. */
  reset(): void {
    if (this.file === null) return;
    // While a flush runs, closing would let another file reuse the descriptor.
    if (this.underWay) this.over.push(this.file);
    else closeSync(this.file);
    this.file = null;
  }
}
