/**
 * A server whose flushes to disk fail under load, for a while or until it is killed, and the state it leaves behind:
 *
 *     bun run soak fsync [--rounds 300] [--executable dist/execcomp]
 *
 * Checked after every round, in a new process: each answered charge is in the ledger once, each refused one is not or
 * was reversed, and balances add up. Linux only: strace makes the system call fail.
 */
import { existsSync, readFileSync } from "node:fs";
import { until } from "../../test/support/until.ts";
import {
  type Answered,
  chargesOf,
  checkStore,
  newUser,
  putLoad,
  type RoundPlace,
  runRounds,
  startServer,
} from "./round.ts";

/** The result of one round. */
interface FsyncRound {
  answered: number;
  /** Charges that were refused because the store failed. */
  refused: number;
  /** Refused charges that were found in the file and reversed. */
  takenBack: number;
  /** All violations; empty if the round went well. */
  wrong: string[];
}

interface FsyncOptions extends RoundPlace {
  /** The first flush that fails, and how many fail; Infinity: all from then on. */
  first: number;
  failing: number;
  /** How the server ends. */
  end: "SIGKILL" | "SIGTERM";
}

/** Whether rounds can be run here: strace must be allowed to trace processes. */
export function canInject(): boolean {
  if (Bun.which("strace") === null) return false;
  return Bun.spawnSync(["strace", "-qq", "-o", "/dev/null", "-e", "inject=fsync:error=EIO", "true"]).success;
}

/** One round on a data folder that is kept between rounds. */
export async function fsyncRound(options: FsyncOptions): Promise<FsyncRound> {
  const { dataDir, program, first, failing, end } = options;
  // More than are charged until a flush fails: each flush may have some twenty.
  const user = await newUser(dataDir, 10_000);
  const when = failing === Infinity ? `${first}+` : `${first}..${first + failing - 1}`;
  const inject = `inject=fdatasync,fsync:error=EIO:when=${when}`;
  const strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync", "-e", inject];
  const { origin, pid: tracer } = await startServer({ dataDir, program: [...strace, ...program] });
  const answers: Answered[] = [];
  const load = putLoad(origin, user, answers);
  const isRefused = ({ status }: Answered) => status === 503;
  await until("a charge is refused", () => answers.some(isRefused));
  if (failing !== Infinity) {
    const since = answers.length;
    await until("it charges again", () => answers.slice(since).some(({ charged }) => charged));
  }
  process.kill(tracedBy(tracer), end);
  await load;
  await until("the server is gone", () => !existsSync(`/proc/${tracer}`));
  const wrong = await checkStore(dataDir);
  const sums = chargesOf(dataDir, user.userId);
  for (const { id, charged, status } of answers) {
    const sum = sums.get(id)?.sum ?? 0;
    if (sum !== (charged ? -1 : 0)) wrong.push(`request ${id} was answered ${status} and cost ${-sum}`);
  }
  return {
    answered: answers.filter(({ charged }) => charged).length,
    refused: answers.filter(isRefused).length,
    takenBack: [...sums.values()].filter(({ entries }) => entries === 2).length,
    wrong,
  };
}

/** The server's process: strace's only child. */
function tracedBy(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

function main(): Promise<number> | number {
  if (!canInject()) {
    console.error("Needs Linux, strace, and the right to use it.");
    return 2;
  }
  const round = (n: number, place: RoundPlace) =>
    fsyncRound({
      ...place,
      first: 10 + Math.floor(Math.random() * 40),
      failing: n % 2 === 0 ? Infinity : 1 + Math.floor(Math.random() * 4),
      end: n % 3 === 0 ? "SIGTERM" : "SIGKILL",
    });
  return runRounds(
    300,
    round,
    (sum) =>
      `rounds of failing flushes: ${sum((one) => one.answered)} charges answered and in the ledger, ${sum((one) => one.refused)} refused, of which ${sum((one) => one.takenBack)} turned up and were taken back`,
  );
}

if (import.meta.main) process.exit(await main());
