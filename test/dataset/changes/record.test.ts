/** What is recorded as editions replace each other. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChangeHistory, historyFolder, historyPath } from "../../../src/dataset/changes/history.ts";
import { type Recorded, recordChanges } from "../../../src/dataset/changes/record.ts";
import { installFile, rollBack } from "../../../src/dataset/installed.ts";
import type { CompanyRecord } from "../../../src/dataset/record.ts";
import { tempFolder } from "../../support/folder.ts";
import { testFiling, testRecord, testRow } from "../../support/record.ts";
import { writeTestSnapshot } from "../../support/snapshot.ts";

const folder = tempFolder();
let dataDir = "";
let made = 0;
let history: ChangeHistory;
const opened: ChangeHistory[] = [];

beforeEach(() => {
  dataDir = join(folder, `data-${++made}`);
  history = new ChangeHistory(dataDir);
  opened.push(history);
});
afterAll(() => opened.forEach((one) => one.close()));

const DAY = "2026-02-03T04:05:06.000Z";

/** Makes a snapshot of the records the current one. */
function use(records: CompanyRecord[], edition = "2026-01-01"): void {
  installFile(dataDir, writeTestSnapshot(folder, `made-${++made}.sqlite`, records, edition), DAY);
}

const record = (limits?: { changes: number; editions: number }): Recorded =>
  recordChanges(dataDir, DAY, limits);

/** Everything recorded since an edition, abbreviated. */
function since(seq = 0): string[] {
  return history
    .changesAfter(seq, 0, 1000)
    .map((one) =>
      [
        one.change,
        one.kind,
        one.fiscalYear,
        one.executiveId ?? one.accession,
        one.fields.join(","),
        one.totalBefore,
        one.totalAfter,
        one.complete,
      ].join(" "),
    );
}

const before = testRecord();
/** The next proxy: a new year, and a different total for the previous one. */
const after = testRecord({
  filings: [...before.filings, testFiling({ year: 2026 })],
  observations: [
    ...before.observations,
    testRow(
      {
        accession: "0000000001-26-000001",
        name: "Ada Byrne",
        fiscalYear: 2025,
        role: "Chief Executive Officer",
        peo: { held: true, evidence: "title", because: null },
      },
      { salary: 300 },
    ),
    testRow(
      {
        accession: "0000000001-26-000001",
        position: 2,
        name: "Ada Byrne",
        fiscalYear: 2024,
        role: "Chief Executive Officer",
      },
      { salary: 120 },
    ),
  ],
});

describe("a new current edition", () => {
  test("begins the record, which then lists additions, changes and removals", () => {
    use([before]);
    expect(record()).toEqual({ kind: "begun", edition: "2026-01-01" });
    expect(since()).toEqual([]);
    expect(record()).toEqual({ kind: "unchanged" });
    use([after], "2026-03-20");
    expect(record()).toEqual({ kind: "recorded", edition: "2026-03-20", changes: 3 });
    expect(since()).toEqual([
      "added filing 2025 0000000001-26-000001    true",
      "changed executive_year 2024 ada-byrne reported_year,salary,total_compensation,source 1 1.2 true",
      "added executive_year 2025 ada-byrne   3 true",
    ]);
    expect(history.latest()).toMatchObject({ edition: "2026-03-20", recordedAt: DAY });
    expect(history.byCompany(10)).toMatchObject([
      {
        ticker: "ACME",
        filings: [{ form: "DEF 14A", filingDate: "2026-03-15", change: "added" }],
        years: [
          { fiscalYear: 2025, change: "added", rows: 1 },
          { fiscalYear: 2024, change: "changed", rows: 1 },
        ],
      },
    ]);
  });

  test("is recorded in reverse if an operator returns to the previous one", () => {
    use([before]);
    record();
    use([after]);
    record();
    rollBack(dataDir);
    expect(record()).toMatchObject({ kind: "recorded", changes: 3 });
    expect(since(2)).toEqual([
      "removed filing 2025 0000000001-26-000001    ",
      "removed executive_year 2025 ada-byrne  3  ",
      "changed executive_year 2024 ada-byrne reported_year,salary,total_compensation,source 1.2 1 true",
    ]);
    // A caller who knows the first edition has the current data: only changes after its last use are new.
    const { contentHash = "", seq = 0 } = history.latest() ?? {};
    expect([seq, history.find({ contentHash: contentHash.slice(0, 16) })?.seq]).toEqual([3, 3]);
    expect(since(seq)).toEqual([]);
    // And back again: a separate step, although between the same two editions.
    use([after]);
    record();
    expect(history.byCompany(10).map(({ again }) => again)).toEqual([1, 0, 0]);
  });

  test("is not counted as a step if nothing changed", () => {
    use([before]);
    record();
    use(
      [
        before,
        testRecord({
          cik: "0000000043",
          name: "Nothing Inc",
          symbols: ["NONE"],
          filings: [],
          observations: [],
        }),
      ],
      "2026-02-01",
    );
    expect(record()).toMatchObject({ kind: "recorded", changes: 0 });
    expect([since(1), history.byCompany(10)]).toEqual([[], []]);
    use([after], "2026-03-20");
    record();
    const all = since();
    expect(all).toHaveLength(3);
    expect([since(1), since(2), since(3), since(4)]).toEqual([all, all, [], []]);
    expect(history.changesAfter(1, 1, 1)).toMatchObject([{ change: "changed", place: 2 }]);
    expect(history.byCompany(10).map(({ seq }) => seq)).toEqual([3]);
  });

  test("has the same steps and positions on every server that had both", () => {
    const steps = [1, 2].map((server) => {
      dataDir = join(folder, `server-${server}-${made}`);
      if (server === 2) {
        use([after], "2025-12-31");
        record();
      }
      use([before]);
      record();
      use([after]);
      record();
      const own = new ChangeHistory(dataDir);
      opened.push(own);
      const found = own.changesAfter((own.latest()?.seq ?? 1) - 1, 0, 10);
      return found.map(({ previous, contentHash, place }) => ({ previous, contentHash, place }));
    });
    expect(steps[0]).toHaveLength(3);
    expect(steps[1]).toEqual(steps[0] ?? []);
  });

  test("is compared with the last recorded one, however many were installed in between", () => {
    use([before]);
    record();
    for (const edition of ["2026-01-02", "2026-01-03", "2026-01-04"]) use([before], edition);
    use([after], "2026-01-05");
    expect(record()).toMatchObject({ kind: "recorded", changes: 3 });
    expect(readdirSync(historyFolder(dataDir)).filter((name) => /^[0-9a-f]{16}/.test(name))).toHaveLength(1);
  });

  test("from the executable is recorded like any other", () => {
    expect(record()).toMatchObject({ kind: "begun" });
    use([before]);
    // Every company of the executable's dataset is gone.
    expect(record({ changes: 5, editions: 10 })).toEqual({ kind: "begun", edition: "2026-01-01" });
    expect(since()).toEqual([]);
  });
});

describe("the record", () => {
  test("forgets the oldest editions, and knows how far back it goes", () => {
    use([before], "2026-01-01");
    record();
    use([after], "2026-01-02");
    record();
    use([before], "2026-01-03");
    record({ changes: 4, editions: 10 });
    expect(history.oldest()?.edition).toBe("2026-01-02");
    const [first] = history.changesAfter(0, 0, 1);
    expect(first).toMatchObject({ place: 1, edition: "2026-01-03" });
    const step = { previous: first?.previous ?? "", contentHash: first?.contentHash.slice(0, 16) ?? "" };
    expect(history.step(step)).toEqual({ before: 3, changes: 3 });
    expect(history.step({ ...step, previous: "0123" })).toBeNull();
    expect(since()).toHaveLength(3);
    use([after], "2026-01-04");
    record({ changes: 100, editions: 1 });
    expect(history.oldest()?.edition).toBe("2026-01-03");
  });

  test("begins again if the snapshot to compare with is gone, or if the record itself is damaged", () => {
    use([before]);
    record();
    const [kept = ""] = readdirSync(historyFolder(dataDir)).filter((name) => /^[0-9a-f]{16}/.test(name));
    writeFileSync(join(historyFolder(dataDir), kept), "none");
    use([after]);
    expect(record()).toMatchObject({ kind: "begun" });
    for (const tail of ["", "-wal", "-shm"]) rmSync(historyPath(dataDir) + tail, { force: true });
    writeFileSync(historyPath(dataDir), "no database");
    expect(() => history.latest()).toThrow("cannot be read");
    expect(record()).toMatchObject({ kind: "begun" });
    expect(history.latest()).not.toBeNull();
  });

  test("does not exist before anything was recorded", () => {
    expect([history.latest(), since(), existsSync(historyFolder(dataDir))]).toEqual([null, [], false]);
  });
});
