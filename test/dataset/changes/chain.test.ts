/** The chain of editions: what is recorded when a snapshot is made from another, or installed over another. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChainWriter, ChangeHistory } from "../../../src/dataset/changes/chain.ts";
import type { Change } from "../../../src/dataset/changes/compare.ts";
import { installFile, rollBack, snapshotFolder } from "../../../src/dataset/installed.ts";
import { openToReadThrough } from "../../../src/dataset/open.ts";
import { copyCurrent, Patch } from "../../../src/dataset/patch.ts";
import type { CompanyRecord } from "../../../src/dataset/record.ts";
import { openDataset } from "../../../src/dataset/snapshots.ts";
import { installTrusted } from "../../../src/dataset/signature.ts";
import { tempFolder } from "../../support/folder.ts";
import { testFiling, testRecord, testRow } from "../../support/record.ts";
import { writeTestSnapshot } from "../../support/snapshot.ts";
import { Database } from "bun:sqlite";

const folder = tempFolder();
let dataDir = "";
let made = 0;
let history: ChangeHistory;
const opened: ChangeHistory[] = [];

function historyOf(where: string): ChangeHistory {
  const found = new ChangeHistory(where, () => openDataset(where));
  opened.push(found);
  return found;
}

beforeEach(() => {
  dataDir = join(folder, `data-${++made}`);
  history = historyOf(dataDir);
});
afterAll(() => opened.forEach((one) => one.close()));

const DAY = "2026-02-03T04:05:06.000Z";

/** Installs a snapshot of the records that was made from nothing. @returns what could not be recorded */
function use(records: CompanyRecord[], edition = "2026-01-01"): string[] {
  const notes: string[] = [];
  const path = writeTestSnapshot(folder, `made-${++made}.sqlite`, records, edition);
  const note = (text: string) => notes.push(text);
  installTrusted(dataDir, path, { today: DAY, trust: "anyone", advice: () => "", note });
  return notes;
}

/** Puts records into the dataset in use, as an ingest does. @returns the path of the new snapshot */
function ingest(...records: CompanyRecord[]): string {
  const out = join(folder, `ingested-${++made}.sqlite`);
  copyCurrent(dataDir, `${out}.building`);
  using patch = new Patch(`${out}.building`, out, DAY);
  for (const record of records) patch.put(record);
  const sealed = patch.finish();
  copyFileSync(out, `${out}.copy`);
  installFile(dataDir, out, DAY, { sealed });
  return `${out}.copy`;
}

/** Everything recorded since an edition, abbreviated. */
function since(seq = 0, of = history): string[] {
  return of
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
const STEP = [
  "added filing 2025 0000000001-26-000001    true",
  "changed executive_year 2024 ada-byrne reported_year,salary,total_compensation,source 1 1.2 true",
  "added executive_year 2025 ada-byrne   3 true",
];

test("the executable's dataset has an edition and no changes", () => {
  expect([history.latest(), history.oldest(), since()]).toEqual([
    expect.objectContaining({ seq: 1 }),
    history.latest(),
    [],
  ]);
  expect(history.latest().contentHash).toBe(openDataset(dataDir).info.contentHash);
});

describe("an ingest", () => {
  test("records what it adds, changes and removes, from the first one on, inside the snapshot", () => {
    const embedded = history.latest();
    ingest(before);
    expect(history.find(embedded.contentHash.slice(0, 16))).toEqual(embedded);
    expect(since(embedded.seq)).toEqual([
      "added filing 2024 0000000001-25-000001    true",
      "added executive_year 2024 ada-byrne   1 true",
      "added executive_year 2024 ben-cole   0.5 true",
    ]);
    const first = history.latest();
    const file = ingest(after);
    expect(since(first.seq)).toEqual(STEP);
    expect(history.latest().edition).toBe(`${openDataset(dataDir).info.edition}.3`);
    expect(history.latest().recordedAt).toBe(DAY);
    expect(history.find(embedded.edition)?.seq).toBe(embedded.seq);
    expect(history.find(`${embedded.edition}.2`)).toEqual(first);
    expect(history.byCompany(1)).toMatchObject([
      {
        cik: "0000000042",
        filings: [{ form: "DEF 14A", filingDate: "2026-03-15", change: "added" }],
        years: [
          { fiscalYear: 2025, change: "added", rows: 1 },
          { fiscalYear: 2024, change: "changed", rows: 1 },
        ],
      },
    ]);
    // On a machine that never had the others.
    const [elsewhere, all] = [join(folder, `elsewhere-${made}`), since()];
    installFile(elsewhere, file, DAY);
    expect(since(0, historyOf(elsewhere))).toEqual(all);
    expect(readdirSync(snapshotFolder(dataDir)).filter((name) => name.endsWith(".changes"))).toEqual([]);
  });

  test("of the same company again records nothing", () => {
    ingest(before);
    const { seq } = history.latest();
    ingest(before);
    expect([history.latest().seq, since(seq)]).toEqual([seq + 1, []]);
  });
});

describe("installing", () => {
  test("a snapshot that does not know the one in use records the difference next to it", () => {
    use([before]);
    const first = history.latest();
    use([after], "2026-03-20");
    expect(since(first.seq)).toEqual(STEP);
    expect(history.find("2026-03-20")).toEqual(history.latest());
    expect(history.oldest().seq).toBe(1);
    // What is made from it continues.
    ingest(testRecord({ ...after, fiscalYearEnd: "11-30" }));
    expect(since(first.seq)).toEqual(STEP);
    expect(history.find(first.contentHash)).toEqual(first);
    expect(history.changesAfter(first.seq, history.step({ seq: first.seq + 1 }).before + 1, 1)).toMatchObject(
      [{ change: "changed", place: 2 }],
    );
  });

  test("a snapshot made from the one in use needs no second chain", () => {
    use([before]);
    const file = ingest(after);
    rollBack(dataDir);
    const chains = () => readdirSync(snapshotFolder(dataDir)).filter((name) => name.endsWith(".changes"));
    const held = chains();
    installTrusted(dataDir, file, { today: DAY, trust: "anyone", advice: () => "" });
    expect(chains()).toEqual(held);
    expect(since(history.latest().seq - 1)).toEqual(STEP);
  });

  test("and going back leaves only what was known then", () => {
    use([before]);
    use([after], "2026-03-20");
    const newer = history.latest();
    rollBack(dataDir);
    expect(history.find(newer.contentHash)).toBeNull();
    expect(since(history.latest().seq)).toEqual([]);
  });

  test("has the same steps and places on every server that had both", () => {
    const steps = [1, 2].map((server) => {
      dataDir = join(folder, `server-${server}-${made}`);
      if (server === 2) use([after], "2025-12-31");
      use([before]);
      use([after]);
      const own = historyOf(dataDir);
      return own
        .changesAfter(own.latest().seq - 1, 0, 10)
        .map(({ contentHash, place }) => ({ contentHash, place }));
    });
    expect(steps[0]).toHaveLength(3);
    expect(steps[1]).toEqual(steps[0] ?? []);
  });

  test("still happens if what changed cannot be recorded, which is said; no half file stays", () => {
    use([before]);
    const folderOf = snapshotFolder(dataDir);
    const [installed = ""] = readdirSync(folderOf).filter((name) => name.endsWith(".sqlite"));
    renameSync(join(folderOf, installed), join(folderOf, "kept"));
    writeFileSync(join(folderOf, installed), "none");
    expect(use([after])).toEqual([expect.stringContaining("is not recorded")]);
    expect(openDataset(dataDir).info.rows).toBe(3);
    expect(since()).toEqual([]);
    expect(readdirSync(folderOf).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("a damaged chain is reported with the file to delete; without it the snapshot's own is read", () => {
    use([before]);
    use([after]);
    const chain = readdirSync(snapshotFolder(dataDir)).filter((name) => name.endsWith(".changes"));
    const path = join(snapshotFolder(dataDir), chain.at(-1) ?? "");
    for (const one of chain) writeFileSync(join(snapshotFolder(dataDir), one), "no database");
    expect(() => history.latest()).toThrow(`can delete ${snapshotFolder(dataDir)}`);
    for (const one of chain) rmSync(join(snapshotFolder(dataDir), one));
    expect(existsSync(path)).toBe(false);
    expect([history.latest().seq, since()]).toEqual([1, []]);
  });
});

test("the oldest editions are dropped beyond the limits, and a step beyond them begins a new chain", () => {
  const [from, to] = [join(folder, "limits.sqlite"), join(folder, "limited.sqlite")];
  copyFileSync(writeTestSnapshot(folder, "limits-base.sqlite"), from);
  const one: Change = {
    kind: "filing",
    change: "added",
    cik: "0000000042",
    ticker: "ACME",
    company: "Acme",
    fiscalYear: 2024,
    complete: true,
    executiveId: null,
    executiveName: null,
    fields: [],
    totalBefore: null,
    totalAfter: null,
    currency: null,
    form: "DEF 14A",
    accession: "0000000001-25-000001",
    filingDate: null,
    url: null,
  };
  const chain = (steps: number[], limits: { changes: number; editions: number }) => {
    copyFileSync(from, to);
    const database = new Database(to);
    steps.forEach((count, at) => {
      const next = new ChainWriter(database, `hash-${at}`, `2026-01-01.${at + 2}`, DAY, limits);
      next.add(Array.from({ length: count }, () => one));
      next.finish();
    });
    const found = database.query("select seq, content_hash from editions order by seq").values();
    const changes = database.query("select seq, place from changes order by id").values();
    database.close();
    return { found, changes };
  };
  expect(chain([1, 2], { changes: 10, editions: 10 })).toEqual({
    found: [
      [1, "hash-0"],
      [2, "hash-1"],
      [3, ""],
    ],
    changes: [
      [2, 1],
      [3, 1],
      [3, 2],
    ],
  });
  expect(chain([1, 2], { changes: 2, editions: 10 })).toEqual({
    found: [
      [2, "hash-1"],
      [3, ""],
    ],
    changes: [
      [3, 1],
      [3, 2],
    ],
  });
  expect(chain([1, 2], { changes: 10, editions: 1 }).found).toEqual([
    [2, "hash-1"],
    [3, ""],
  ]);
  expect(chain([1, 3], { changes: 2, editions: 10 })).toEqual({ found: [[3, ""]], changes: [] });
  openToReadThrough(from).database.close();
});
