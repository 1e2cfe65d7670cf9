/**
 * The server's self-check: runs `doctor` in a separate process, so that reading all of a large store blocks no
 * requests, and so that the lock on the data folder is tested by another process.
 */
import type { Credits } from "../accounts/credits.ts";
import type { Users } from "../accounts/users.ts";
import type { Config } from "../config.ts";
import { messageOf } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { type Finding, NO_SERVER_RUNS } from "../store/examine.ts";
import { type Program, runProgram } from "./program.ts";

/** The result of a self-check. */
export interface DoctorReport {
  /** All checks. */
  findings: readonly Finding[];
  /** Failed checks, with the next step. */
  troubles: readonly Finding[];
  /** Another process could lock the data folder while this server holds it: its file system does not support locks. */
  isUnlocked: boolean;
}

/**
 * Runs a self-check.
 * @param program command line that starts this program, without the command
 * @returns null without a result, for instance if the machine allows no further process
 */
export async function runDoctor(program: Program, dataDir: string): Promise<DoctorReport | null> {
  try {
    const { out } = await runProgram(program, ["doctor", "--json", "--data-dir", dataDir]);
    // Printed by `doctor.ts` of this program; incomplete output is not valid JSON.
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return reportOf(findings);
  } catch {
    // Killed, refused by the system, or incomplete: leave it to the next check.
    return null;
  }
}

function reportOf(findings: readonly Finding[]): DoctorReport {
  return {
    findings,
    troubles: findings.filter(({ status }) => status !== "ok"),
    isUnlocked: findings.some(({ check, message }) => check === "server" && message === NO_SERVER_RUNS),
  };
}

/** The result of the last self-check; empty before the first. */
export interface LastSelfCheck {
  broken: readonly string[];
  findings: readonly Finding[];
  atMs: number | null;
}

/** What a self-check looks at, and where its result is stored. */
export interface SelfChecked {
  examined: LastSelfCheck;
  config: Pick<Config, "dataDir" | "store">;
  runtime: Pick<Runtime, "now">;
  accounts: Checked | null;
  storeFailure(): string | null;
}

type Checked = { users: Pick<Users, "hasOwner">; credits: Pick<Credits, "problems"> };

/** Runs a self-check and stores its result. @param program null where no other process can be started */
export async function selfCheck(checked: SelfChecked, program: Program | null): Promise<DoctorReport | null> {
  const { examined, config, runtime, accounts } = checked;
  const found =
    config.store !== "" && accounts !== null
      ? reportOf(await databaseFindings(accounts, checked.storeFailure()))
      : program && (await runDoctor(program, config.dataDir));
  if (found === null) return null;
  examined.findings = found.findings;
  examined.atMs = runtime.now();
  examined.broken = found.troubles.flatMap(({ status, message }) => (status === "broken" ? [message] : []));
  return found;
}

/** A database is asked over the server's own connections; it counts those of every server. */
async function databaseFindings(accounts: Checked, failure: string | null): Promise<Finding[]> {
  if (failure !== null) return [{ check: "store", status: "broken", message: failure }];
  try {
    const found = await accountFindings(accounts);
    return [
      { check: "store", status: "ok", message: "PostgreSQL responds, and its schema is current." },
      ...found,
    ];
  } catch (error) {
    return [{ check: "store", status: "broken", message: messageOf(error) }];
  }
}

/** Findings about owner and ledger. */
export async function accountFindings({ users, credits }: Checked): Promise<Finding[]> {
  const problems = await credits.problems();
  return [
    (await users.hasOwner())
      ? { check: "owner", status: "ok", message: "The service has an owner." }
      : {
          check: "owner",
          status: "warning",
          message: "The service has no owner yet: execcomp users create --user EMAIL --password-stdin",
        },
    problems.length === 0
      ? { check: "ledger", status: "ok", message: "Every balance matches its ledger." }
      : {
          check: "ledger",
          status: "broken",
          message: `${problems.length} balances do not match their ledger. See: execcomp credits check`,
        },
  ];
}

/** A check that found something broken is repeated after this long, or after ten times as long as it took. */
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
  let timer: ReturnType<typeof setTimeout>;
  let isEnded = false;
  const schedule = (ms: number) => {
    timer = setTimeout(() => void check(), ms);
    timer.unref();
  };
  const check = async () => {
    const startedMs = monotonic();
    const isBroken = await look().catch(() => true);
    const tookMs = monotonic() - startedMs;
    if (!isEnded) schedule(isBroken ? Math.max(againMs, tookMs * SHARE_OF_TIME) : HOUR_MS);
  };
  schedule(Math.min(FIRST_MS, againMs));
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
