/** What the environment says about the process and its terminal, apart from settings. */
import { OperatorError } from "../errors.ts";

/** Set for the processes that a server starts: they end when their standard input does, and with it when the server ends. */
export const ENDS_WITH_STDIN = "EXECCOMP_ENDS_WITH_STDIN";

/** The environment for a process that must not outlive this one. */
export function dependentEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  return { ...environment, [ENDS_WITH_STDIN]: "1" };
}

/** Whether this process must not outlive the one that started it. */
export function endsWithStdin(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return environment[ENDS_WITH_STDIN] === "1";
}

/** Whether a terminal may get marks such as bold. @see https://no-color.org */
export function wantsColor(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

/** A pager. */
export interface PagerCommand {
  command: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** The user's pager: `PAGER`, by default `less` set up as git does; null if it is empty or `cat`. */
export function pagerOf(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PagerCommand | null {
  const pager = environment["PAGER"] ?? "command -v less >/dev/null || exec cat; exec less";
  if (pager === "" || pager === "cat" || process.platform === "win32") return null;
  return { command: ["sh", "-c", pager], environment: { LESS: "FRX", LESSCHARSET: "utf-8", ...environment } };
}

/** Variables that change how Bun runs inside the executable: an open debugger, additional flags. */
const RUNTIME_VARIABLES = ["BUN_INSPECT", "BUN_INSPECT_CONNECT_TO", "BUN_INSPECT_NOTIFY", "BUN_OPTIONS"];

/**
 * Refuses to start under Bun's own variables.
 * @throws OperatorError when a variable would open the process to others or change how it runs
 */
export function refuseRuntimeVariables(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const found = RUNTIME_VARIABLES.filter((name) => (environment[name] ?? "") !== "");
  if (found.length === 0) return;
  throw new OperatorError(
    `${found.join(" and ")} would change how this program runs, or let others look into it. Unset it, then try again.`,
  );
}
