/**
 * A server looks at itself as `doctor` would: in a process of its own, so that reading every page of a large store
 * holds up no answer, and so that the lock on the data folder is tried by somebody else.
 */
import { type Config, environmentOf } from "../config.ts";
import { type Finding, NO_SERVER_RUNS } from "../store/examine.ts";
import { runProgram } from "./program.ts";

/** What a look at oneself found. */
export interface Examination {
  /** Everything that was looked at. */
  findings: readonly Finding[];
  /** What is broken or wants attention, with the next step. */
  troubles: readonly Finding[];
  /** Another process could take the data folder although this server holds it: its file system does not lock. */
  isUnlocked: boolean;
}

/**
 * @param program what starts this program, before the command
 * @param env with which it finds the same store; this process's own by default
 * @returns null when nothing could be learned, as on a machine that allows no further process
 */
export async function examineOneself(
  program: readonly string[],
  dataDir: string,
  env?: Record<string, string | undefined>,
): Promise<Examination | null> {
  try {
    const { out } = await runProgram(program, ["doctor", "--json", "--data-dir", dataDir], env);
    // The same program prints it (`doctor.ts`): whole, or cut off in the middle and then no JSON.
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return {
      findings,
      troubles: findings.filter(({ status }) => status !== "ok"),
      isUnlocked: findings.some(({ check, message }) => check === "server" && message === NO_SERVER_RUNS),
    };
  } catch {
    // Killed, refused by the system, or cut off in the middle of its answer: there is a next time.
    return null;
  }
}

/** What the last look found; of a server that has not looked yet, nothing. */
export interface Examined {
  broken: readonly string[];
  findings: readonly Finding[];
  atMs: number | null;
}

/** As `examineOneself`, and keeps what was found. */
export async function examine(
  examined: Examined,
  program: readonly string[],
  config: Pick<Config, "dataDir" | "store">,
  nowMs: number,
): Promise<Examination | null> {
  const found = await examineOneself(program, config.dataDir, environmentOf(config));
  if (found === null) return null;
  examined.findings = found.findings;
  examined.atMs = nowMs;
  examined.broken = found.troubles.flatMap(({ status, message }) => (status === "broken" ? [message] : []));
  return found;
}
