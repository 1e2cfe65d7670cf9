import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCeoPay } from "../../src/dataset/ceo-pay-records.ts";
import { openFile } from "../../src/dataset/open.ts";
import { Patch } from "../../src/dataset/patch.ts";
import { ROWS_WITH_TAIL } from "../../src/dataset/company-rows.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import type { PeoTag } from "../../src/dataset/peo-tags.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { readRecord } from "../../src/dataset/read-records.ts";
import { embeddedBytes } from "../../src/dataset/embedded.ts";
import { checkSeal } from "../../src/dataset/seal.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { testFolder } from "../support/edgar-client.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";

function embeddedIn(folder: string, name = "base.sqlite"): string {
  const path = join(folder, name);
  writeFileSync(path, embeddedBytes());
  return path;
}

function open(path: string): Dataset {
  return datasetOf(openFile(path), "installed");
}

const served = (dataset: Dataset) =>
  dataset.all(
    `select r.cik, r.place, r.fiscal_year, r.executive_id, r.tail, f.accession from ${ROWS_WITH_TAIL} r join filings f on f.id = r.filing order by r.cik, r.place`,
  );

test("a company restored to its earlier state is served as before, and so are all others", () => {
  using folder = testFolder();
  const base = open(embeddedIn(folder.path));
  const out = join(folder.path, "out.sqlite");
  {
    using patch = new Patch(embeddedIn(folder.path, "building.sqlite"), out);
    const ciks = base.all<{ cik: string }>("select distinct printf('%010d', cik) as cik from filings");
    expect(ciks.length).toBeGreaterThan(100);
    for (const { cik } of ciks.slice(0, 120)) {
      const record = patch.record(cik);
      if (record === undefined) throw new Error(cik);
      patch.put(record);
      expect(patch.record(cik)).toEqual(record);
    }
    patch.finish();
  }
  const next = open(out);
  expect(served(next)).toEqual(served(base));
  expect(next.tickers()).toEqual(base.tickers());
  expect(readCeoPay(next)).toEqual(readCeoPay(base));
  for (const table of ["companies", "symbols", "observations", "problems", "years", "executives"]) {
    const count = (dataset: Dataset) => dataset.all(`select count(*) as n from ${table}`);
    expect([table, count(next)]).toEqual([table, count(base)]);
  }
  expect({ ...next.info, bytes: 0, contentHash: "", origin: "" }).toEqual({
    ...base.info,
    sequence: 2,
    bytes: 0,
    contentHash: "",
    origin: "",
  });
  const { seal, actualHash } = checkSeal(out) ?? {};
  expect(actualHash).toBe(seal?.contentHash);
});

test("what chief executives were paid is as in a new compile, also where only the edition has changed", () => {
  using folder = testFolder();
  const tag = (cik: string, units: number, frame = "ended 2026"): PeoTag => ({
    cik,
    frame,
    periodEnd: null,
    fiscalYear: null,
    name: null,
    cents: units * 100,
    farBelowOthers: false,
    sameAs: null,
    provider: "scorecard",
    accession: null,
  });
  const others = ["0000000097", "0000000098", "0000000099"];
  const write = (name: string, edition: string, records: CompanyRecord[], tags: readonly PeoTag[]) => {
    const path = join(folder.path, name);
    const listed = others.map((cik, at) => ({
      cik,
      name: "LISTED",
      symbols: [{ symbol: `L${at}`, exchange: null }],
    }));
    writeSnapshot(path, { edition, listed, records, peoTags: tags });
    return path;
  };
  const tags = [tag("0000000042", 2025), tag("0000000097", 1e6), tag("0000000098", 2e6, "CY2024")];
  const building = write("building.sqlite", "2026-06-30", [testRecord()], tags);
  const before = readCeoPay(open(building));
  const out = join(folder.path, "out.sqlite");
  const filings = [testFiling(), testFiling({ year: 2026, filingDate: "2026-09-15" })];
  const observations = filings.map(({ accession }, at) =>
    testRow({ accession, fiscalYear: 2024 + at, peo: OFFICE }),
  );
  const more = tag("0000000099", 3e6);
  {
    using patch = new Patch(building, out);
    patch.put(testRecord({ filings, observations }));
    patch.putTags(more.cik, [more]);
    patch.finish();
  }
  const after = readCeoPay(open(out));
  expect(after).toEqual(
    readCeoPay(
      open(write("new.sqlite", "2026-09-15", [testRecord({ filings, observations })], [...tags, more])),
    ),
  );
  const days = (records: typeof after) =>
    records.map(({ cik, lastDay, cents }) => [cik, lastDay, cents / 100]);
  expect(days(before)).toContainEqual(["0000000097", "2026-06-30", 1e6]);
  expect(days(after)).toContainEqual(["0000000097", "2026-09-15", 1e6]);
  expect(days(after)).toContainEqual(["0000000099", "2026-09-15", 3e6]);
  expect(after.length).toBe(before.length + 2);
});

test("the same patch gives the same bytes; without finish nothing remains", async () => {
  using folder = testFolder();
  const hashes = ["one", "two"].map((name) => {
    using patch = new Patch(embeddedIn(folder.path, `${name}.building`), join(folder.path, name));
    const record = patch.record("0000320193");
    if (record === undefined) throw new Error("Apple is missing");
    patch.put({ ...record, fiscalYearEnd: "09-28" });
    return patch.finish();
  });
  expect(hashes[0]).toBe(hashes[1]);
  {
    using patch = new Patch(embeddedIn(folder.path, "three.building"), join(folder.path, "three"));
    patch.record("0000320193");
  }
  const left = await Array.fromAsync(new Bun.Glob("*").scan(folder.path));
  expect(left.sort()).toEqual(["one", "two"]);
  expect(readRecord(open(join(folder.path, "one")), "0000320193")?.fiscalYearEnd).toBe("09-28");
});

test("a record that violates an invariant is refused and changes nothing", () => {
  using folder = testFolder();
  const out = join(folder.path, "out.sqlite");
  using patch = new Patch(embeddedIn(folder.path), out);
  const record = patch.record("0000320193");
  const [first, ...others] = record?.observations ?? [];
  if (record === undefined || first === undefined) throw new Error("Apple is missing");
  const wrong = { ...first, amounts: { ...first.amounts, salary: first.amounts.salary + 1 } };
  expect(() => patch.put({ ...record, observations: [wrong, ...others] })).toThrow("add up to");
  expect(patch.record("0000320193")).toEqual(record);
});
