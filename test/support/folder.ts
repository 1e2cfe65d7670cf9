import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder that is removed after the tests of this file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
