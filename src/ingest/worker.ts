/** Worker that reads documents and commits filings off the main thread: one answer per request, in order. See `worker-pool.ts`. */
import { messageOf } from "../errors.ts";
import { realRuntime } from "../runtime.ts";
import { parseFiling } from "../reader/pipeline.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-pool.ts";

declare const self: Worker;

self.addEventListener("message", async ({ data }: MessageEvent<WorkerRequest>) => {
  self.postMessage(await answer(data));
});

async function answer(request: WorkerRequest): Promise<WorkerAnswer> {
  if (request.kind === "read") return { kind: "parsed", parsed: parseFiling(request.bytes, request.given) };
  try {
    // Loaded only here: threads that read documents need no database.
    const { commitFilings, realClock } = await import("./context.ts");
    const byCik = Map.groupBy(request.filings, ({ company }) => company.cik);
    await commitFilings(request.dataDir, realClock(realRuntime()), byCik);
    return { kind: "committed" };
  } catch (error) {
    return { kind: "failed", why: messageOf(error) };
  }
}
