import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { type Program, runProgram } from "./program.ts";

/** A copy of the store that is on its way to somebody. */
export interface BackupCopy {
  bytes: number;
  stream(): ReadableStream<Uint8Array>;
  /** Deletes it: when it has gone, or will not. Again changes nothing. */
  discard(): void;
}

const NAME = /^download-[0-9a-z-]+\.sqlite(\.unfinished)?$/;
const DAY_MS = 86_400_000;

/**
 * Copies the store beside itself, checked as every backup is, to be sent once.
 *
 * @param id goes into the name of the copy
 * @throws OperatorError when it cannot be made: the disk is full, the store is damaged
 */
export async function copyForDownload(
  program: Program,
  dataDir: string,
  id: string,
  nowMs: number,
): Promise<BackupCopy> {
  deleteStale(dataDir, nowMs);
  const file = join(dataDir, `download-${id}.sqlite`);
  const { code, err } = await runProgram(program, ["backup", file, "--by-server", "--data-dir", dataDir]);
  if (code !== 0) throw new OperatorError(err === "" ? "The backup could not be made." : err);
  return {
    bytes: statSync(file).size,
    stream: () => Bun.file(file).stream(),
    discard: () => rmSync(file, { force: true }),
  };
}

/** What a server that was killed in the middle of it has left. */
function deleteStale(dataDir: string, nowMs: number): void {
  for (const name of readdirSync(dataDir)) {
    const file = join(dataDir, name);
    const age = NAME.test(name) ? nowMs - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs) : 0;
    if (age > DAY_MS) rmSync(file, { force: true });
  }
}
