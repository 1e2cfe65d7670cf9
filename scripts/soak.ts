/**
 * Lets things fail at random moments under load, REST and page buttons, and checks after each that every answered charge is in the ledger
 * once, no refused one is, and balances add up:
 *
 *     bun run soak [--store sqlite|postgres] [--rounds 40] [--seed 1] [--executable dist/execcomp]
 *
 * The rounds of SQLite are kills and failing flushes in turn, then as many simulated power cuts, after which only flushed data is certain to be on
 * disk. Those of PostgreSQL with Redis, three servers on them, are kills of a server, of PostgreSQL, of a primary with a standby and of
 * Redis, a flush that fails, and the power of all. Default both stores. Linux; strace makes flushes fail and records writes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../test/support/seeded-random.ts";
import { SOURCES } from "../test/support/program.ts";
import { missingForPostgres, runPostgres, type Victim } from "../test/support/soak/postgres.ts";
import { cuts, record } from "../test/support/soak/power.ts";
import { canInject, flushRound, killRound, type Round } from "../test/support/soak/sqlite.ts";

const { values } = parseArgs({
  options: {
    store: { type: "string" },
    rounds: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    executable: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const program = values.executable === undefined ? SOURCES : [resolve(values.executable)];
/** Charges of a recording for power cuts: some three checkpoints of the log. */
const RECORDED = 6000;

/** Prints violations, and the sums of rounds. @returns whether nothing was wrong */
function told(name: string, all: readonly Round[]): boolean {
  const sum = (of: (round: Round) => number) => all.reduce((total, round) => total + of(round), 0);
  for (const line of all.flatMap(({ wrong }) => wrong).slice(0, 20)) console.log(line);
  const wrong = sum((round) => round.wrong.length);
  console.log(
    `${name}: ${sum((one) => one.charged)} charges answered and in the ledger, ${sum((one) => one.pages)} of them page buttons; ` +
      `${sum((one) => one.cutOff)} in it whose answer was cut off; ${sum((one) => one.noCredits)} refused for want of credits, ` +
      `${sum((one) => one.unavailable)} with 503, of which ${sum((one) => one.takenBack)} turned up and were taken back; ${wrong} wrong`,
  );
  return wrong === 0;
}

async function sqliteRounds(folder: string): Promise<boolean> {
  const random = seededRandom(Number(values.seed));
  const place = { dataDir: join(folder, "rounds"), program };
  const [kills, flushes]: [Round[], Round[]] = [[], []];
  const mayInject = canInject();
  for (let n = 0; n < rounds; n += 1) {
    kills.push(
      await killRound({ moment: random.whole(0, 100) / 100, wealth: random.whole(0, 100) / 100 }, place),
    );
    if (!mayInject) continue;
    const failing = n % 2 === 0 ? Infinity : random.whole(1, 4);
    const end = n % 3 === 0 ? "SIGTERM" : "SIGKILL";
    flushes.push(await flushRound({ first: random.whole(10, 50), failing, end }, place));
  }
  const good = told(`SQLite, ${kills.length} kills`, kills);
  if (!mayInject) {
    console.log("skipped: failing flushes and power cuts need Linux, strace and the right to use it");
    return good;
  }
  return (
    told(`SQLite, ${flushes.length} times failing flushes`, flushes) && (await powerCuts(folder)) && good
  );
}

/** As a control the same cuts are made on a disk that ignores flushes: some must lose data, or the simulation detects nothing. */
async function powerCuts(folder: string): Promise<boolean> {
  const recording = await record(join(folder, "power"), RECORDED);
  const honest = await cuts(recording, rounds, "honest", folder);
  const control = await cuts(recording, rounds, "ignores flushes", folder);
  for (const line of honest.lines.slice(0, 20)) console.log(line);
  console.log(
    `SQLite, ${rounds} power cuts: ${honest.failed} wrong; on a disk that ignores flushes ${control.failed}`,
  );
  return honest.failed === 0 && control.failed > 0;
}

async function postgresRounds(): Promise<boolean> {
  const missing = missingForPostgres();
  if (missing !== null) {
    console.log(`skipped: ${missing}`);
    return true;
  }
  const kinds: Victim[] = ["server", "primary", "database", "redis", "power"];
  if (canInject()) kinds.push("flush");
  const victims = Array.from({ length: rounds }, (_, n) => kinds[n % kinds.length] ?? "server");
  const run = await runPostgres({ victims, seed: Number(values.seed), program, onRound: console.log });
  const counts = [...Map.groupBy(victims, (one) => one)].map(([victim, all]) => `${victim} ${all.length}`);
  return told(`PostgreSQL with Redis, ${rounds} rounds (${counts.join(", ")})`, [run]);
}

const folder = mkdtempSync(join(tmpdir(), "execcomp-soak-"));
try {
  const good = [
    values.store === "postgres" || (await sqliteRounds(folder)),
    values.store === "sqlite" || (await postgresRounds()),
  ];
  process.exitCode = good.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
