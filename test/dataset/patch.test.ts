import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFile } from "../../src/dataset/open.ts";
import { openPatch } from "../../src/dataset/patch.ts";
import { ROWS_WITH_TAIL } from "../../src/dataset/company-rows.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { readRecord } from "../../src/dataset/record-reader.ts";
import { embeddedBytes } from "../../src/dataset/embedded.ts";
import { checkFile } from "../../src/dataset/seal.ts";
import { testFolder } from "../support/edgar-client.ts";

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
    using patch = openPatch(embeddedIn(folder.path, "building.sqlite"), out, "2026-05-01T00:00:00.000Z");
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
  const { seal, actualHash } = checkFile(out) ?? {};
  expect(actualHash).toBe(seal?.contentHash);
});

test("the same patch gives the same bytes; without finish nothing remains", async () => {
  using folder = testFolder();
  const hashes = ["one", "two"].map((name) => {
    using patch = openPatch(
      embeddedIn(folder.path, `${name}.building`),
      join(folder.path, name),
      "2026-05-01T00:00:00.000Z",
    );
    const record = patch.record("0000320193");
    if (record === undefined) throw new Error("Apple is missing");
    patch.put({ ...record, fiscalYearEnd: "09-28" });
    return patch.finish();
  });
  expect(hashes[0]).toBe(hashes[1]);
  {
    using patch = openPatch(
      embeddedIn(folder.path, "three.building"),
      join(folder.path, "three"),
      "2026-05-01T00:00:00.000Z",
    );
    patch.record("0000320193");
  }
  const left = await Array.fromAsync(new Bun.Glob("*").scan(folder.path));
  expect(left.sort()).toEqual(["one", "two"]);
  expect(readRecord(open(join(folder.path, "one")), "0000320193")?.fiscalYearEnd).toBe("09-28");
});

test("a record that violates an invariant is refused and changes nothing", () => {
  using folder = testFolder();
  const out = join(folder.path, "out.sqlite");
  using patch = openPatch(embeddedIn(folder.path), out, "2026-05-01T00:00:00.000Z");
  const record = patch.record("0000320193");
  const [first, ...others] = record?.observations ?? [];
  if (record === undefined || first === undefined) throw new Error("Apple is missing");
  const wrong = { ...first, amounts: { ...first.amounts, salary: first.amounts.salary + 1 } };
  expect(() => patch.put({ ...record, observations: [wrong, ...others] })).toThrow("add up to");
  expect(patch.record("0000320193")).toEqual(record);
});
