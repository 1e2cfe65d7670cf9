import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { OperatorError } from "../errors.ts";
import { type Program, runProgram } from "./program.ts";

/** A copy of the store to be downloaded. */
export interface BackupCopy {
  bytes: number;
  stream(): ReadableStream<Uint8Array>;
  /** Deletes the copy; idempotent. */
  discard(): void;
}

const NAME = /^download-[0-9a-z-]+\.sqlite(\.unfinished)?$/;
const DAY_MS = 86_400_000;

/**
 * Copies the store next to itself and checks the copy, like any backup, for a single download.
 *
 * @param id used in the name of the copy
 * @throws OperatorError if it cannot be made: the disk is full, or the store is damaged
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

/** Deletes copies left by a server that was killed. */
function deleteStale(dataDir: string, nowMs: number): void {
  for (const name of readdirSync(dataDir)) {
    const file = join(dataDir, name);
    const age = NAME.test(name) ? nowMs - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs) : 0;
    if (age > DAY_MS) rmSync(file, { force: true });
  }
}
