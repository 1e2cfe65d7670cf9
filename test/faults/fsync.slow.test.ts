import { expect, test } from "bun:test";
import { canInject, fsyncRound } from "../../scripts/soak/fsync.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const dataDir = tempFolder();
const possible = canInject();
if (!possible) console.log("skipped: failing flushes need Linux, strace and the right to use it");

// Three hundred at random moments: bun run soak fsync --rounds 300
test.skipIf(!possible).each([
  [12, Infinity, "SIGKILL"],
  [25, Infinity, "SIGTERM"],
  [18, 1, "SIGKILL"],
  [30, 3, "SIGTERM"],
] as const)(
  "flush %p and %p more fail, then %s: refused requests are not charged, answered ones exactly once",
  async (first, failing, end) => {
    const round = await fsyncRound({ dataDir, program: PROGRAM, first, failing, end });
    expect(round.wrong).toEqual([]);
    expect(round.refused).toBeGreaterThan(0);
  },
  300_000,
);
