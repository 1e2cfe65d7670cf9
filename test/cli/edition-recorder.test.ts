/** When a server records the current dataset, and how it reports that it could not. */
import { expect, test } from "bun:test";
import {
  type EditionRecorderDeps,
  recordEditions,
  recordIfNew,
} from "../../src/cli/dataset/edition-recorder.ts";
import { createLog } from "../../src/log.ts";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { tempFolder } from "../support/folder.ts";
import { PROGRAM } from "../support/program.ts";

const folder = tempFolder();
const dataset = openDataset(folder);
const latest = { seq: 1, edition: "2026-01-01", recordedAt: "2026-01-01T00:00:00.000Z" };

function recorder(program: readonly string[], recorded: string | null) {
  const lines: Record<string, unknown>[] = [];
  let ms = 0;
  const deps: EditionRecorderDeps = {
    dataDir: folder,
    program,
    snapshots: { current: () => dataset },
    changes: { latest: () => (recorded === null ? null : { ...latest, contentHash: recorded }) },
    // Each reading of the clock is three seconds later: that is how long recording takes.
    runtime: { monotonic: () => (ms += 3000) },
    log: createLog({ now: () => 0 }, (line) => lines.push(JSON.parse(line))),
  };
  return { deps, lines };
}

test("nothing is started while the current dataset is the one recorded last", async () => {
  const { deps, lines } = recorder(["/nonexistent/execcomp"], dataset.info.contentHash);
  expect([await recordIfNew(deps), lines]).toEqual([10_000, []]);
});

test("a new one is recorded in a separate process, which then pauses for nine times as long as it took", async () => {
  const { deps, lines } = recorder(PROGRAM, "another");
  expect(await recordIfNew(deps)).toBe(27_000);
  expect(lines).toMatchObject([{ event: "changes_recorded", kind: "begun", edition: dataset.info.edition }]);
  // This server does not answer from the installed dataset: it must not start a useless process every ten seconds.
  expect([await recordIfNew(deps), lines.length]).toEqual([60_000, 1]);
});

test.each([[["/nonexistent/execcomp"]], [[...PROGRAM, "nonsense"]]])(
  "a failure to record is reported, and retried after a quarter of an hour",
  async (program) => {
    const { deps, lines } = recorder(program, null);
    expect(await recordIfNew(deps)).toBe(900_000);
    expect(lines).toMatchObject([{ level: "error", event: "changes_not_recorded" }]);
  },
);

test("a server that is stopping no longer checks", () => {
  const { deps, lines } = recorder(PROGRAM, null);
  recordEditions(deps)();
  expect(lines).toEqual([]);
});
