/** Who started the server and wants to know how it is. */
import { readSupervision } from "../config.ts";

/** Whoever started the server and wants to know how it is. */
export interface Supervisor {
  /** Everything answers. */
  ready(): void;
  /** It ends; answers in flight are finished. */
  stopping(): void;
  /** How often `alive` has to be called, in milliseconds; null where nobody waits for it. */
  aliveEveryMs: number | null;
  alive(): void;
}

/** Nobody wants to know. */
const NOBODY: Supervisor = {
  ready() {},
  stopping() {},
  aliveEveryMs: null,
  alive() {},
};

/** The service manager that the environment names. Its side is loaded only where there is one. */
export async function findSupervisor(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<Supervisor> {
  const { notifySocket, watchdogMs } = readSupervision(environment);
  if (notifySocket === null || process.platform !== "linux") return NOBODY;
  return (await import("./systemd.ts")).systemd(notifySocket, watchdogMs);
}
