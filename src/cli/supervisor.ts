/** Who started the server and wants to know how it is. */
import { readSupervision } from "../config.ts";
import { OperatorError } from "../errors.ts";

/** Whoever started the server and wants to know how it is. */
export interface Supervisor {
  /** Everything answers. */
  ready(): void;
  /** It ends; answers in flight are finished. */
  stopping(): void;
  /** How often `alive` has to be called, in milliseconds; null where nobody waits for it. */
  aliveEveryMs: number | null;
  alive(): void;
  /** Descriptor of the listening socket that it hands over; null where there is none. */
  socket: number | null;
}

/** The first descriptor that is handed over. @see sd_listen_fds(3) */
const FIRST_SOCKET = 3;

/** Nobody wants to know. */
const NOBODY: Supervisor = {
  ready() {},
  stopping() {},
  aliveEveryMs: null,
  alive() {},
  socket: null,
};

/**
 * The service manager that the environment names. Its side is loaded only where there is one.
 * @throws OperatorError when it hands over several sockets
 */
export async function findSupervisor(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<Supervisor> {
  const { notifySocket, watchdogMs, sockets } = readSupervision(environment);
  if (sockets > 1) {
    throw new OperatorError(
      `The service manager hands over ${sockets} sockets: give the .socket unit one ListenStream=.`,
    );
  }
  const socket = sockets === 1 ? FIRST_SOCKET : null;
  if (notifySocket === null || process.platform !== "linux") return { ...NOBODY, socket };
  return { ...(await import("./systemd.ts")).systemd(notifySocket, watchdogMs), socket };
}
