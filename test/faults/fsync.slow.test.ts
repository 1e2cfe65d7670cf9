import { expect, test } from "bun:test";
import { canInject, flushRound } from "../support/soak/sqlite.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const place = { dataDir: tempFolder(), program: PROGRAM };
const possible = canInject();
if (!possible) console.log("skipped: failing flushes need Linux, strace and the right to use it");

// Forty at random moments: bun run soak --store sqlite
test.skipIf(!possible).each([
  [12, Infinity, "SIGKILL"],
  [25, Infinity, "SIGTERM"],
  [18, 1, "SIGKILL"],
  [30, 3, "SIGTERM"],
] as const)(
  "flush %p and %p more fail, then %s: refused requests are not charged, answered ones exactly once",
  async (first, failing, end) => {
    const { wrong, unavailable } = await flushRound({ first, failing, end }, place);
    expect(wrong).toEqual([]);
    expect(unavailable).toBeGreaterThan(0);
  },
  300_000,
);
