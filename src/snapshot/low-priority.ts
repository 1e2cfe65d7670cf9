import { getPriority, setPriority } from "node:os";

/** Steps behind the rest of the process, of the 40 that there are. */
const BEHIND = 5;

/**
 * Called by a thread: where cores are short, whoever waits for one company is answered first. Only on Linux has a thread
 * a priority of its own.
 */
export function letOthersGoFirst(): void {
  if (process.platform !== "linux") return;
  try {
    // The process itself may have been started with a low priority.
    setPriority(0, Math.min(19, getPriority() + BEHIND));
  } catch {
    // A sandbox that forbids it: then both share the cores alike.
  }
}
