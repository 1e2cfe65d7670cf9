import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

const FULL = 1 << 20;

/** A file written sequentially through a buffer. */
export class ExportSink {
  private readonly file: number;
  private pieces: string[] = [];
  private waiting = 0;

  constructor(path: string) {
    this.file = openSync(path, "w");
  }

  /** Adds text, which is written to the file in large pieces. */
  write(text: string): void {
    this.pieces.push(text);
    this.waiting += text.length;
    if (this.waiting >= FULL) this.drain();
  }

  /** Writes the remaining text and closes the file. */
  close(): void {
    this.drain();
    fsyncSync(this.file);
    closeSync(this.file);
  }

  private drain(): void {
    const bytes = new TextEncoder().encode(this.pieces.join(""));
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
    this.pieces = [];
    this.waiting = 0;
  }
}
