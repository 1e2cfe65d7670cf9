import { expect, test } from "bun:test";
import { killRound } from "../support/soak/sqlite.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const place = { dataDir: tempFolder(), program: PROGRAM };

// Forty at random moments: bun run soak --store sqlite
test.each([
  [0, 1],
  [0.15, 0],
  [0.4, 0.7],
  [0.8, 1],
])(
  "killed at %p of a round: every answered charge is in the ledger once, rate limits forget at most a second",
  async (moment, wealth) => {
    const { wrong, charged } = await killRound({ moment, wealth }, place);
    expect(wrong).toEqual([]);
    expect(charged).toBeGreaterThan(0);
  },
  300_000,
);
