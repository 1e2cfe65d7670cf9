import { expect, test } from "bun:test";
import { killRound } from "../../scripts/soak/kill.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const dataDir = tempFolder();

// A hundred at random moments: bun run soak kill --rounds 100
test.each([
  [0, 1],
  [0.15, 0],
  [0.4, 0.7],
  [0.8, 1],
])(
  "killed at %p of a round: every answered charge is in the ledger once, rate limits forget at most a second",
  async (moment, wealth) => {
    const round = await killRound({ dataDir, program: PROGRAM, moment, wealth });
    expect(round.wrong).toEqual([]);
    expect(round.answered).toBeGreaterThan(0);
  },
  300_000,
);
