/** The service manager that started the server and wants to be notified of its state. */
import { readSupervision } from "../../config.ts";
import { OperatorError } from "../../errors.ts";

/** A service manager, or its absence. */
export interface Supervisor {
  /** Notifies that the server is ready. */
  ready(): void;
  /** Notifies that the server is stopping; requests in flight are finished. */
  stopping(): void;
  /** Interval at which `alive` must be called, in milliseconds; null if it is not needed. */
  aliveEveryMs: number | null;
  alive(): void;
  /** Descriptor of the listening socket that was passed; null if there is none. */
  socket: number | null;
}

/** The first passed descriptor. @see sd_listen_fds(3) */
const FIRST_SOCKET = 3;

/** No service manager. */
const NO_SUPERVISOR: Supervisor = {
  ready() {},
  stopping() {},
  aliveEveryMs: null,
  alive() {},
  socket: null,
};

/**
 * The service manager according to the environment. The code for it is loaded only if there is one.
 * @throws OperatorError if it passes several sockets
 */
export async function findSupervisor(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<Supervisor> {
  const { notifySocket, watchdogMs, sockets } = readSupervision(environment);
  if (sockets > 1) {
    throw new OperatorError(
      `The service manager passes ${sockets} sockets. Use a single ListenStream= in the .socket unit.`,
    );
  }
  const socket = sockets === 1 ? FIRST_SOCKET : null;
  if (notifySocket === null || process.platform !== "linux") return { ...NO_SUPERVISOR, socket };
  return { ...(await import("./systemd.ts")).systemd(notifySocket, watchdogMs), socket };
}
