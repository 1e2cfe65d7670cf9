/** A collected filing whose document is read: its rows are replaced, and a refused reading leaves them. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { companyPath, readCompanyFile } from "../../scripts/company-file.ts";
import { assemble } from "../../src/dataset/assemble.ts";
import { evidenceOf } from "../../src/dataset/record.ts";
import { type IngestedFiling, NO_CONTENT } from "../../src/ingest/ingested-filing.ts";
import { merge } from "../../src/ingest/merge.ts";
import { pendingFilings } from "../../src/ingest/targets.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { tempFolder } from "../support/folder.ts";
import { datasetIn } from "../support/snapshot.ts";

const path = companyPath("0000004127");
const record = readCompanyFile(readFileSync(join(import.meta.dir, "../../data", path), "utf8"), path);
const collected = record.filings.filter(({ read }) => read === "collected");
const [held] = collected;
if (held === undefined || collected.length !== 1) throw new Error("one filing of Skyworks was collected");

const { cik, name } = record;
const company = { cik, name, fiscalYearEnd: null, symbols: [] };
const filing = { ...held, read: "pipeline", fiscalYear: null, sha256: "0".repeat(64) } as const;
/** What the pipeline would read of the newest year: the same people, one amount in another column. */
const observations = record.observations
  .filter(({ accession, fiscalYear }) => accession === held.accession && fiscalYear === held.fiscalYear)
  .map((row, at) => ({
    ...row,
    position: at + 1,
    role: at === 0 ? "Chief Executive Officer" : "Senior Vice President and Chief Financial Officer",
    amounts: {
      ...row.amounts,
      bonus: row.amounts.bonus + row.amounts.other_comp,
      other_comp: 0,
    },
    pfo: { held: at === 1, evidence: "title" as const, because: null },
    checks: ["sum_to_total"],
    cells: { salary: [[1, at, 2, "1"]] as const },
  }));
const read: IngestedFiling = { company, filing, ...NO_CONTENT, observations };

test("the rows of a document replace those that were collected, without a trace", () => {
  const before = assemble(record);
  expect(before.rows.map((row) => evidenceOf(row.filing, row.observation))).toContain("collected");
  const { record: after, left } = merge(record, [read]);
  expect(left).toEqual([]);
  const { rows, years, problems } = assemble(after);
  expect(rows.map((row) => evidenceOf(row.filing, row.observation))).toEqual(rows.map(() => "linked"));
  expect(rows.map(({ amounts }) => amounts.other_comp)).toEqual(rows.map(() => 0));
  expect(rows.some(({ isPfo, role }) => isPfo && role !== null)).toBe(true);
  expect(years).toEqual([{ fiscalYear: held.fiscalYear ?? 0, complete: true }]);
  const text = JSON.stringify([after.filings, after.observations, after.problems, problems]);
  expect(text).not.toMatch(/collect|unchecked|unclear|ecd_average/);
});

test("a document that cannot be read leaves them, says so once, and is not asked for again", () => {
  const unread = (status: "refused" | "failed" | "pending", reason: string) =>
    ({ ...read, filing: { ...filing, status, reason }, observations: [] }) as const;
  // The SEC was out of reach: it is still to be read.
  expect(merge(record, [unread("pending", "blocked")]).record).toEqual(record);
  const { record: once } = merge(record, [unread("refused", "no table")]);
  expect({ ...once, problems: [] }).toEqual({ ...record, problems: [] });
  expect(once.problems.filter(({ code }) => code === "document_unread")).toEqual([
    {
      accession: held.accession,
      position: null,
      step: "merge",
      code: "document_unread",
      message: "the document was refused: no table",
    },
  ]);
  expect(merge(once, [unread("refused", "no table")]).changed).toBe(false);
  // Read later after all, nothing is left of either.
  expect(merge(once, [read]).record.problems).toEqual([]);
  const path = join(tempFolder(), "unread.sqlite");
  const write = (of: typeof record) => {
    writeSnapshot(path, { edition: "2026-01-01", listed: [], records: [of] });
    return pendingFilings(
      datasetIn(path),
      { years: 1, from: "", until: "" },
      { ciks: [], index: null, limit: null },
      "cik\taccession\tdocument\n",
    );
  };
  expect(write(record).flatMap(({ only = [] }) => only.map(({ accession }) => accession))).toEqual([
    held.accession,
  ]);
  expect(write(once)).toEqual([]);
});
