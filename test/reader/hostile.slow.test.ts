import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOSTILE } from "../support/hostile.ts";

const CHILD = join(import.meta.dir, "../support/read-child.ts");
const directory = mkdtempSync(join(tmpdir(), "execcomp-hostile-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What `read-child.ts` prints. */
interface Reading {
  readonly status: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly rows: readonly string[];
  readonly invariantViolations: readonly string[];
  readonly peakBytes: number;
}

const GOOD = ["ada-example 2023 16100000", "ada-example 2022 13990000", "ben-sample 2023 23550000"];

/** Documents that still say what the good one says; a careful reader gets the same rows, a cautious one refuses. */
const STILL_READABLE = [
  "nested 10,000 deep",
  "spans nested 10,000 deep in a cell",
  "unclosed everything",
  "utf-16 little endian",
  "utf-16 big endian",
  "a table of a million cells",
  "a style sheet of a million rules",
  "fifty megabytes",
];

describe("a hostile document", () => {
  for (const [name, make] of Object.entries(HOSTILE)) {
    test(`${name}: is read or refused with a reason, within 100 MB and 8 times its size`, () => {
      const bytes = make();
      const file = join(directory, "document");
      writeFileSync(file, bytes);
      const child = Bun.spawnSync([process.execPath, CHILD, file], { stdout: "pipe", stderr: "pipe" });
      expect(child.stderr.toString()).toBe("");
      expect(child.exitCode).toBe(0);
      // The child is ours and prints this.
      const reading = JSON.parse(child.stdout.toString()) as Reading;
      expect(reading.invariantViolations).toEqual([]);
      expect(reading.reason).not.toBe("internal");
      if (STILL_READABLE.includes(name) && reading.status === "parsed") expect(reading.rows).toEqual(GOOD);
      expect(reading.peakBytes).toBeLessThan(100e6 + 8 * bytes.length);
    }, 300_000);
  }
});
