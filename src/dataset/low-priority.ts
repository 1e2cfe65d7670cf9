import { getPriority, setPriority } from "node:os";

/** Nice levels below the rest of the process, out of 40. */
const BEHIND = 5;

/**
 * Lowers the priority of the calling thread, so that requests for a single company come first when cores are scarce. Has an
 * effect only on Linux, where threads have priorities of their own.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    // The process itself may have been started with a lower priority.
    setPriority(0, Math.min(19, getPriority() + BEHIND));
  } catch {
    // A sandbox may forbid it: then all threads have the same priority.
  }
}
