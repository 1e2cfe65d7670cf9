import { expect, test } from "bun:test";
import { join } from "node:path";

test("memory is flat over a thousand documents", () => {
  const child = Bun.spawnSync([process.execPath, join(import.meta.dir, "../support/read-many-child.ts")], {
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(child.stderr.toString()).toBe("");
  // The child is ours and prints a list of byte counts.
  const inUse = JSON.parse(child.stdout.toString()) as number[];
  expect(inUse).toHaveLength(10);
  const early = Math.max(...inUse.slice(0, 3));
  const late = Math.max(...inUse.slice(-3));
  expect(late).toBeLessThan(early + 4e6);
}, 300_000);
