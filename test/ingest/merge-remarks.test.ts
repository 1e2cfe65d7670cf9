import { expect, test } from "bun:test";
import { merge } from "../../src/ingest/merge.ts";
import type { IngestedFiling } from "../../src/ingest/ingested-filing.ts";
import { embeddedBytes } from "../../src/dataset/embedded.ts";
import { openBytes } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { readRecord } from "../../src/dataset/read-records.ts";

const dataset = datasetOf(openBytes("embedded", embeddedBytes()), "embedded");

/** A recorded filing as if its document had just been read again, without manual remarks. */
function readAgain(cik: string): {
  base: NonNullable<ReturnType<typeof readRecord>>;
  reading: IngestedFiling;
} {
  const known = readRecord(dataset, cik);
  const filings = known?.filings.map((one) =>
    one.sha256 === null ? one : { ...one, read: "pipeline" as const },
  );
  const base = known && { ...known, filings: filings ?? [] };
  const noted = base?.observations.find(({ note }) => note !== null);
  const filing = base?.filings.find(
    ({ accession, read }) => accession === noted?.accession && read === "pipeline",
  );
  if (base === undefined || filing === undefined)
    throw new Error(`${cik} has no remark on a row read by the pipeline`);
  const of = (one: { accession: string }) => one.accession === filing.accession;
  const { name, fiscalYearEnd, symbols } = base;
  return {
    base,
    reading: {
      company: { cik, name, fiscalYearEnd, symbols },
      filing,
      observations: base.observations.filter(of).map((row) => ({ ...row, note: null })),
      offices: base.offices.filter(of),
      grids: base.grids.filter(of),
      problems: base.problems.filter(of),
      tags: [],
    },
  };
}

test("remarks on a row stay when its document is read again without changes", () => {
  const { base, reading } = readAgain("0000037996");
  const { record, changed } = merge(base, [reading]);
  expect(record.observations).toEqual([...base.observations]);
  expect(changed).toBe(false);
});

test("a remark does not stay on a row that is read with different amounts", () => {
  const { base, reading } = readAgain("0000037996");
  const noted = base.observations.find(({ note }) => note !== null);
  const observations = reading.observations.map((row) => {
    if (row.position !== noted?.position) return row;
    const { salary, total_compensation: total } = row.amounts;
    return { ...row, amounts: { ...row.amounts, salary: salary + 100, total_compensation: total + 100 } };
  });
  const { record } = merge(base, [{ ...reading, observations }]);
  const after = record.observations.find(
    ({ accession, position }) => accession === reading.filing.accession && position === noted?.position,
  );
  expect(after?.note).toBeNull();
});
