/** How a new server takes the place of the one before it without a request that fails. */
import { OperatorError } from "../errors.ts";
import type { Listener } from "../app.ts";
import { FolderInUseError, type HeldFolder } from "../store/lock.ts";

/** The server before this one, and what is needed to follow it. */
export interface TakeOver {
  listener: Listener;
  /** Process of the server before; null where there is none. */
  previous: number | null;
  folder: HeldFolder;
  /** Asks a process to end. */
  end(process: number): void;
}

/** Connections made before the link was changed are accepted within this time. */
const ACCEPT_MS = 300;
/** The server before has eight seconds for answers in flight, and ends within ten. */
const MAX_WAIT_MS = 15_000;
const LOOK_MS = 20;

/**
 * Takes over: callers come to the new socket at once and wait; the server before ends, and its data folder is taken.
 * @throws OperatorError when it does not end: callers reach it again then
 */
export async function takeOver({ listener, previous, folder, end }: TakeOver): Promise<void> {
  const takeBack = listener.publish();
  try {
    // A free folder has no server to end: the number in the link may be another process's by now.
    if (isTaken(folder)) return;
    if (previous !== null) {
      await Bun.sleep(ACCEPT_MS);
      tell(previous, end);
    }
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += LOOK_MS) {
      if (isTaken(folder)) return;
      await Bun.sleep(LOOK_MS);
    }
    throw new OperatorError(
      `The server before this one (process ${previous ?? "unknown"}) still holds the data folder after ${MAX_WAIT_MS / 1000} seconds. Callers reach it again.`,
    );
  } catch (error) {
    takeBack();
    await listener.stop(0);
    throw error;
  }
}

/** Whether the folder is ours now; false while another server holds it. */
function isTaken(folder: HeldFolder): boolean {
  try {
    folder.acquire();
    return true;
  } catch (error) {
    if (error instanceof FolderInUseError) return false;
    throw error;
  }
}

function tell(previous: number, end: TakeOver["end"]): void {
  try {
    end(previous);
  } catch {
    // It has ended by itself.
  }
}
