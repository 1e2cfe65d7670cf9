import { setPriority } from "node:os";

/**
 * Called by a thread: where cores are short, whoever waits for one company is answered first. Only on Linux has a thread
 * a priority of its own.
 */
export function letOthersGoFirst(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, 5);
  } catch {
    // A sandbox that forbids it: then both share the cores alike.
  }
}
