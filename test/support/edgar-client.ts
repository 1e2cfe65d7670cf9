import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, RateLimiter } from "../../src/ingest/edgar/rate-limiter.ts";
import { Edgar, type EdgarDeps } from "../../src/ingest/edgar/client.ts";
import { testRuntime, type TestRuntime } from "./runtime.ts";
import type { ReplayEdgar } from "./edgar.ts";

/** A folder that is deleted after the test. */
export interface TestFolder extends Disposable {
  path: string;
}

/** A fresh folder for one test. */
export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), "execcomp-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A clock on which waiting takes no time and is recorded. */
export interface TestClock extends Clock {
  slept: number[];
}

/** A clock over a test's runtime: sleeping advances it. */
export function testClock(runtime: TestRuntime): TestClock {
  const slept: number[] = [];
  return {
    slept,
    now: () => runtime.now(),
    async sleep(ms) {
      slept.push(ms);
      runtime.advance(ms);
    },
  };
}

/** A client of a replayed EDGAR with its own clock. */
export function testEdgar(
  replay: Pick<ReplayEdgar, "wwwUrl" | "dataUrl">,
  folder: string,
  options: { runtime?: TestRuntime; contact?: string; timeoutMs?: number } & Pick<
    EdgarDeps,
    "isPatient" | "onWait"
  > = {},
): { edgar: Edgar; clock: TestClock; runtime: TestRuntime; rateLimiter: RateLimiter } {
  const runtime = options.runtime ?? testRuntime();
  const clock = testClock(runtime);
  const rateLimiter = new RateLimiter(join(folder, "edgar"), clock);
  const edgar = new Edgar({
    // Only loopback is called: the replay's own addresses.
    runtime: { ...runtime, fetch: (input, init) => fetch(input, init) },
    clock,
    rateLimiter,
    contact: options.contact ?? "A Tester tester@example.com",
    wwwUrl: replay.wwwUrl,
    dataUrl: replay.dataUrl,
    timeoutMs: options.timeoutMs ?? 2000,
    ...(options.isPatient && { isPatient: true }),
    ...(options.onWait && { onWait: options.onWait }),
  });
  return { edgar, clock, runtime, rateLimiter };
}
