/** The service manager that started the server and wants to be notified of its state. */
import { readSupervision } from "../../config.ts";

/** A service manager, or its absence. */
export interface Supervisor {
  /** Notifies that the server is ready. */
  ready(): void;
  /** Notifies that the server is stopping; requests in flight are finished. */
  stopping(): void;
  /** Interval at which `alive` must be called, in milliseconds; null if it is not needed. */
  aliveEveryMs: number | null;
  alive(): void;
}

/** No service manager. */
const NO_SUPERVISOR: Supervisor = {
  ready() {},
  stopping() {},
  aliveEveryMs: null,
  alive() {},
};

/** The service manager according to the environment. The code for it is loaded only if there is one. */
export async function findSupervisor(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<Supervisor> {
  const { notifySocket, watchdogMs } = readSupervision(environment);
  if (notifySocket === null || process.platform !== "linux") return NO_SUPERVISOR;
  return (await import("./systemd.ts")).systemd(notifySocket, watchdogMs);
}
