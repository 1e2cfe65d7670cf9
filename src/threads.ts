/** Worker threads: where their code is, and their priority. */
import { getPriority, setPriority } from "node:os";

/** The URL of a worker thread's file. The executable names it by its path below `src` too (`scripts/build.ts`). */
export function workerAddress(
  file:
    "ingest/worker" | "charts/worker" | "analysis/worker" | "analysis/export/worker" | "analysis/sql/worker",
): string {
  return new URL(`./${file}.ts`, import.meta.url).href;
}

/** Sends a message to a worker; its next message is the answer. Rejects where it fails. Not for two questions at once. */
export function askWorker<Answer>(worker: Worker, message: unknown): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const heard = new AbortController();
  const { signal } = heard;
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => resolve(data), { signal });
  worker.addEventListener(
    "error",
    (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    },
    { signal },
  );
  worker.postMessage(message);
  return promise.finally(() => heard.abort());
}

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
