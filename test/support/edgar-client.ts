import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEdgar, type Edgar } from "../../src/ingest/edgar/client.ts";
import { type Clock, filePoliteness, type Politeness } from "../../src/ingest/edgar/politeness.ts";
import { testAmbient, type TestAmbient } from "./ambient.ts";
import type { ReplayEdgar } from "./edgar.ts";

/** A folder that is gone after the test. */
export interface TestFolder extends Disposable {
  path: string;
}

/** A fresh folder for one test. */
export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), "execcomp-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A clock on which waiting takes no time and is remembered. */
export interface TestClock extends Clock {
  slept: number[];
}

/** A clock over a test's ambient: sleeping advances it. */
export function testClock(ambient: TestAmbient): TestClock {
  const slept: number[] = [];
  return {
    slept,
    now: () => ambient.now(),
    async sleep(ms) {
      slept.push(ms);
      ambient.advance(ms);
    },
  };
}

/** A client of a replayed EDGAR with a clock of its own. */
export function testEdgar(
  replay: Pick<ReplayEdgar, "wwwUrl" | "dataUrl">,
  folder: string,
  options: { ambient?: TestAmbient; contact?: string; timeoutMs?: number } = {},
): { edgar: Edgar; clock: TestClock; ambient: TestAmbient; politeness: Politeness } {
  const ambient = options.ambient ?? testAmbient();
  const clock = testClock(ambient);
  const politeness = filePoliteness(join(folder, "edgar"), clock);
  const edgar = createEdgar({
    // Only loopback is reached: the replay's own addresses.
    ambient: { ...ambient, fetch: (input, init) => fetch(input, init) },
    clock,
    politeness,
    contact: options.contact ?? "A Tester tester@example.com",
    wwwUrl: replay.wwwUrl,
    dataUrl: replay.dataUrl,
    timeoutMs: options.timeoutMs ?? 2000,
  });
  return { edgar, clock, ambient, politeness };
}
