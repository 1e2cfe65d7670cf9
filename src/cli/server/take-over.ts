/** Holding the data folder, and taking it over from the server that runs on it. */
import { OperatorError } from "../../errors.ts";
import type { Listener } from "../../server/app.ts";
import { FolderInUseError, type HeldFolder } from "../../store/folder.ts";

/** Its public methods, so that tests can pass their own. */
type FolderLock = Pick<HeldFolder, keyof HeldFolder>;

/**
 * Acquires the lock of the data folder. If it cannot be written (a full or read-only disk), anonymous callers are served
 * anyway, and the lock is acquired once the store can be opened.
 * @throws FolderInUseError
 */
export function takeFolder(folder: FolderLock): void {
  try {
    folder.acquire();
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
  }
}

/** Time in which connections made before the socket link was changed are accepted. */
const ACCEPT_MS = 300;
/** The previous server has eight seconds for requests in flight, and exits within ten. */
const MAX_WAIT_MS = 15_000;
const LOOK_MS = 20;

/**
 * Takes over: new connections go to the new socket at once and wait; the previous server stops, and its data folder is taken.
 * @param previous its process id; null if there is none
 * @param end asks a process to stop
 * @throws OperatorError if it does not stop; connections then go to it again
 */
export async function takeOver(
  listener: Listener,
  previous: number | null,
  folder: FolderLock,
  end: (process: number) => void,
): Promise<void> {
  const takeBack = listener.publish();
  try {
    // If the folder is free there is no server to stop: the process id in the link may belong to another process by now.
    if (isTaken(folder)) return;
    if (previous !== null) {
      await Bun.sleep(ACCEPT_MS);
      try {
        end(previous);
      } catch {
        // It has already exited.
      }
    }
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += LOOK_MS) {
      if (isTaken(folder)) return;
      await Bun.sleep(LOOK_MS);
    }
    throw new OperatorError(
      previous === null
        ? "The server that has the data folder does not listen on this --socket. Start with its --socket, or stop it first."
        : `The previous server (process ${previous}) still has the data folder after ${MAX_WAIT_MS / 1000} seconds. Connections go to it again.`,
    );
  } catch (error) {
    takeBack();
    await listener.stop(0);
    throw error;
  }
}

/** Whether this process holds the folder now; false while another server does. */
function isTaken(folder: FolderLock): boolean {
  try {
    folder.acquire();
    return true;
  } catch (error) {
    if (error instanceof FolderInUseError) return false;
    throw error;
  }
}
