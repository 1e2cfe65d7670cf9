/**
 * The server's self-check: runs `doctor` in a separate process, so that reading all of a large store blocks no
 * requests, and so that the lock on the data folder is tested by another process.
 */
import type { Credits } from "../accounts/credits.ts";
import type { LedgerProblem } from "../accounts/ledger.ts";
import type { Users } from "../accounts/users.ts";
import type { Config } from "../config/settings.ts";
import { messageOf, ServiceError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { type Finding, NO_SERVER_RUNS } from "../store/examine.ts";
import { parseAs } from "../lib/validation.ts";
import { type Program, repeat, runProgram } from "./program.ts";

/** Findings, and the ledger entry up to which they hold; null for the whole ledger. */
export interface CheckResult {
  findings: readonly Finding[];
  newestEntry: number | null;
}

/** Failed checks, with the next step. */
export function troublesOf({ findings }: CheckResult): Finding[] {
  return findings.filter(({ status }) => status !== "ok");
}

/** Whether another process could lock the data folder while this server holds it: its file system does not support locks. */
export function isUnlocked({ findings }: CheckResult): boolean {
  return findings.some(({ check, message }) => check === "server" && message === NO_SERVER_RUNS);
}

/** What `doctor` prints. */
const FOUND = {
  findings: [{ check: "string", status: ["===", "ok", "warning", "broken"], message: "string" }, "[]"],
  "newestEntry?": "number | null",
} as const;

/** How long a self-check may take, in ms. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Runs a self-check at the lowest priority.
 * @param program command line that starts this program, without the command
 * @param since ledger entry up to which all has been checked; null for all of the ledger
 * @returns null without a result, for instance if the machine allows no further process
 */
export async function runDoctor(
  program: Program,
  dataDir: string,
  since: number | null = null,
): Promise<CheckResult | null> {
  try {
    const words = ["doctor", "--json", "--data-dir", dataDir];
    if (since !== null) words.push("--since", String(since));
    const { out } = await runProgram(program, words, { isNice: true, timeoutMs: PATIENCE_MS });
    const { findings, newestEntry = null } = parseAs(FOUND, out);
    return { findings, newestEntry };
  } catch {
    // Killed, refused by the system, or incomplete: leave it to the next check.
    return null;
  }
}

/** The result of the last self-check; empty before the first. */
export interface LastSelfCheck {
  broken: readonly string[];
  findings: readonly Finding[];
  atMs: number | null;
  /** Ledger entry up to which the server has checked what is newer than its first check. */
  provenEntry?: number;
}

/** What a self-check looks at, and where its result is stored. */
export interface SelfChecked {
  examined: LastSelfCheck;
  config: Pick<Config, "dataDir" | "store">;
  runtime: Pick<Runtime, "now">;
  accounts: Checked | null;
  storeFailure(): string | null;
}

type Checked = {
  users: Pick<Users, "hasOwner" | "findById">;
  credits: Pick<Credits, "problems" | "recentProblems">;
};

/**
 * Runs a self-check and stores its result. It begins at the last proven entry, the first one near the newest: only
 * `doctor` checks a whole ledger. @param program null where no other process can be started
 */
export async function selfCheck(checked: SelfChecked, program: Program | null): Promise<CheckResult | null> {
  const { examined, config, runtime, accounts } = checked;
  const since = examined.provenEntry ?? Number.MAX_SAFE_INTEGER;
  const result =
    config.store !== "" && accounts !== null
      ? await databaseFindings(accounts, () => checked.storeFailure(), since)
      : program && (await runDoctor(program, config.dataDir, since));
  if (result === null) return null;
  const troubles = troublesOf(result);
  const isProven = !troubles.some(({ check }) => check === "ledger");
  if (isProven && result.newestEntry !== null) examined.provenEntry = result.newestEntry;
  examined.findings = result.findings;
  examined.atMs = runtime.now();
  examined.broken = troubles.flatMap(({ status, message }) => (status === "broken" ? [message] : []));
  return result;
}

/**
 * Findings about a database, over the server's own connections; the database counts those of every server.
 * @param since ledger entry after which to check; null for all of it
 */
export async function databaseFindings(
  accounts: Checked,
  failure: () => string | null,
  since: number | null,
): Promise<CheckResult> {
  const broken = (message: string): CheckResult => ({
    findings: [{ check: "store", status: "broken", message }],
    newestEntry: null,
  });
  const before = failure();
  if (before !== null) return broken(before);
  try {
    const { findings, newestEntry } = await accountFindings(accounts, since, true);
    const up = "PostgreSQL responds, and its schema is current.";
    return { findings: [{ check: "store", status: "ok", message: up }, ...findings], newestEntry };
  } catch (error) {
    // The message for callers (`unavailable`) is not a cause.
    const isTold = error instanceof ServiceError;
    return broken(failure() ?? (isTold ? "The database did not answer in time." : messageOf(error)));
  }
}

/**
 * Findings about owner and ledger.
 * @param since ledger entry after which to check; null for all of it
 * @param isServed whether a server runs, which needs an owner
 * @param folder appended to commands (see `sameFolder`)
 */
export async function accountFindings(
  { users, credits }: Checked,
  since: number | null,
  isServed: boolean,
  folder = "",
): Promise<CheckResult> {
  const { problems, newestEntry } =
    since === null
      ? { problems: await credits.problems(), newestEntry: null }
      : await credits.recentProblems(since);
  const findings: Finding[] = [
    (await users.hasOwner())
      ? { check: "owner", status: "ok", message: "The service has an owner." }
      : isServed
        ? {
            check: "owner",
            status: "warning",
            message: `The service has no owner yet: execcomp users create --user EMAIL --password-stdin${folder}`,
          }
        : { check: "owner", status: "ok", message: "No owner yet; no server runs on this folder." },
    problems.length === 0
      ? { check: "ledger", status: "ok", message: "Every balance matches its ledger." }
      : {
          check: "ledger",
          status: "broken",
          message: `${problems.length} ${problems.length === 1 ? "balance does" : "balances do"} not match the ledger: ${await namesOf(users, problems)}. Restore a backup, or correct it with: execcomp credits grant`,
        },
  ];
  return { findings, newestEntry };
}

/** Problems listed in a message. */
const MAX_NAMED = 3;

/** The users with a problem, each with a description; only the first of many. */
async function namesOf(users: Checked["users"], problems: readonly LedgerProblem[]): Promise<string> {
  const descriptions: string[] = [];
  for (const { userId, problem } of problems.slice(0, MAX_NAMED))
    descriptions.push(`${(await users.findById(userId))?.email ?? userId} (${problem})`);
  return [...descriptions, ...(problems.length > MAX_NAMED ? ["and others"] : [])].join(", ");
}

/** The delay before repeating a check that failed; ten times the check's duration if that is longer. */
const AGAIN_MS = 5_000;
const SHARE_OF_TIME = 10;
const HOUR_MS = 3_600_000;
const FIRST_MS = 2_000;

/**
 * Runs a check soon after the start, then every hour; while something is broken, every few seconds, so that whatever
 * reports it recovers with it.
 *
 * @param look runs the check and returns whether something is broken
 * @returns a function that ends the checks
 */
export function checkRegularly(
  { monotonic }: Pick<Runtime, "monotonic">,
  look: () => Promise<boolean>,
  againMs = AGAIN_MS,
): () => void {
  return repeat(Math.min(FIRST_MS, againMs), async () => {
    const startedMs = monotonic();
    const isBroken = await look().catch(() => true);
    return isBroken ? Math.max(againMs, (monotonic() - startedMs) * SHARE_OF_TIME) : HOUR_MS;
  });
}
