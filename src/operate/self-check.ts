/**
 * The server's self-check: runs `doctor` in a separate process, so that reading all of a large store blocks no
 * requests, and so that the lock on the data folder is tested by another process.
 */
import { type Config, environmentOf } from "../config.ts";
import { type Finding, NO_SERVER_RUNS } from "../store/examine.ts";
import { runProgram } from "./program.ts";

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
 * @param env environment in which it finds the same store; by default this process's own
 * @returns null without a result, for instance if the machine allows no further process
 */
export async function runDoctor(
  program: readonly string[],
  dataDir: string,
  env?: Record<string, string | undefined>,
): Promise<DoctorReport | null> {
  try {
    const { out } = await runProgram(program, ["doctor", "--json", "--data-dir", dataDir], env);
    // Printed by `doctor.ts` of this program; incomplete output is not valid JSON.
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return {
      findings,
      troubles: findings.filter(({ status }) => status !== "ok"),
      isUnlocked: findings.some(({ check, message }) => check === "server" && message === NO_SERVER_RUNS),
    };
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
}

/** Runs a self-check and stores its result. */
export async function selfCheck(
  examined: LastSelfCheck,
  program: readonly string[],
  config: Pick<Config, "dataDir" | "store">,
  nowMs: number,
): Promise<DoctorReport | null> {
  const found = await runDoctor(program, config.dataDir, environmentOf(config));
  if (found === null) return null;
  examined.findings = found.findings;
  examined.atMs = nowMs;
  examined.broken = found.troubles.flatMap(({ status, message }) => (status === "broken" ? [message] : []));
  return found;
}
