/**
 * A server whose flushes to disk fail under load, for a while or until it is killed, and the state it leaves behind:
 *
 *     bun run soak fsync [--rounds 300] [--executable dist/execcomp]
 *
 * Checked after every round, in a new process: each answered charge is in the ledger once, each refused one is not or
 * was reversed, and balances add up. Linux only: strace makes the system call fail.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { STORE_FILE } from "../../src/store/folder.ts";
import { until } from "../../test/support/until.ts";
import { type Answered, checkStore, newUser, putLoad, startServer } from "./round.ts";

const ROOT = dirname(dirname(import.meta.dir));

/** The result of one round. */
export interface FsyncRound {
  answered: number;
  /** Charges that were refused because the store failed. */
  refused: number;
  /** Refused charges that were found in the file and reversed. */
  takenBack: number;
  /** All violations; empty if the round went well. */
  wrong: string[];
}

/** The settings of a round. */
export interface FsyncOptions {
  dataDir: string;
  /** The command that starts the server, before `serve`. */
  program: readonly string[];
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
export async function fsyncRound({
  dataDir,
  program,
  first,
  failing,
  end,
}: FsyncOptions): Promise<FsyncRound> {
  const user = await newUser(dataDir, 400);
  const when = failing === Infinity ? `${first}+` : `${first}..${first + failing - 1}`;
  const inject = `inject=fdatasync,fsync:error=EIO:when=${when}`;
  const traced = [
    "strace",
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-e",
    "trace=fdatasync,fsync",
    "-e",
    inject,
    ...program,
  ];
  const { origin, child } = await startServer(traced, dataDir);
  const answers: Answered[] = [];
  const load = putLoad(origin, user, answers);
  const isRefused = ({ status }: Answered) => status === 503;
  await until("a charge is refused", () => answers.some(isRefused));
  if (failing !== Infinity) {
    const since = answers.length;
    await until("it charges again", () => answers.slice(since).some(({ charged }) => charged));
  }
  process.kill(tracedBy(child.pid), end);
  await Promise.all([child.exited, load]);
  const wrong = await checkStore(dataDir);
  const sums = sumsOf(dataDir, user.userId);
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

/** The total cost of each request, and its number of entries. */
function sumsOf(dataDir: string, userId: string): Map<string, { sum: number; entries: number }> {
  const client = new Database(join(dataDir, STORE_FILE), { readonly: true });
  const rows = client
    .query<{ id: string; sum: number; entries: number }, [string]>(
      "SELECT request_id AS id, sum(amount_credits) AS sum, count(*) AS entries FROM ledger" +
        " WHERE user_id = ? AND kind = 'charged' GROUP BY request_id",
    )
    .all(userId);
  client.close();
  return new Map(rows.map(({ id, sum, entries }) => [id, { sum, entries }]));
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { rounds: { type: "string", default: "300" }, executable: { type: "string" } },
  });
  if (!canInject()) {
    console.error("Needs Linux, strace, and the right to use it.");
    return 2;
  }
  const program =
    values.executable === undefined ? [process.execPath, join(ROOT, "src", "main.ts")] : [values.executable];
  const rounds = Math.min(1000, Number(values.rounds));
  const dataDir = mkdtempSync(join(tmpdir(), "execcomp-fsync-"));
  const total = { answered: 0, refused: 0, takenBack: 0 };
  let failed = 0;
  for (let n = 0; n < rounds; n += 1) {
    const round = await fsyncRound({
      dataDir,
      program,
      first: 10 + Math.floor(Math.random() * 40),
      failing: n % 2 === 0 ? Infinity : 1 + Math.floor(Math.random() * 4),
      end: n % 3 === 0 ? "SIGTERM" : "SIGKILL",
    });
    total.answered += round.answered;
    total.refused += round.refused;
    total.takenBack += round.takenBack;
    for (const line of round.wrong) console.log(`round ${n + 1}: ${line}`);
    if (round.wrong.length > 0) failed += 1;
  }
  rmSync(dataDir, { recursive: true });
  console.log(
    `${rounds} rounds of failing flushes: ${total.answered} charges answered and in the ledger, ${total.refused} refused, of which ${total.takenBack} turned up and were taken back; ${failed} rounds with something wrong`,
  );
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) process.exit(await main());
