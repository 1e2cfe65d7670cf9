import { expect, test } from "bun:test";
import { ingestedFiling, unreadFiling } from "../../src/ingest/ingested-filing.ts";
import { rowRemarks } from "../../src/dataset/remarks.ts";
import { merge } from "../../src/ingest/merge.ts";
import { tempFolder } from "../support/folder.ts";
import { HEAD, read, row, table } from "../support/small-table.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

const COMPANY = { cik: "0000000042", name: "ACME", fiscalYearEnd: null, symbols: ["ACME"] };
const FACTS = { accession: "0000000042-25-000001", form: null, filingDate: "2025-03-01", url: null };
const parsed = read(
  table(
    row(...HEAD),
    row("Ada Byrne<br>Chief Executive Officer", 2024, 100, 1, 2, 3, 106),
    row("Ben Cole<br>Chief Financial Officer", 2024, 50, 4, 5, 6, 65),
  ),
);
const claim = {
  office: "pfo",
  held: true,
  basis: "dated",
  standing: null,
  rule: "a test",
  quote: "until May",
  accession: FACTS.accession,
} as const;

test("a term of office has its own person's name, its first possible day and its last", () => {
  const offices = [
    {
      ...claim,
      person: "ben-cole",
      from: { earliest: "2023-01-01", latest: "2023-12-31" },
      to: { earliest: "2024-05-01", latest: "2024-05-31" },
    },
    { ...claim, person: "ada-byrne", office: "peo", from: null, to: null } as const,
  ];
  const term = { accession: FACTS.accession, evidence: "dated", because: "until May" } as const;
  expect(ingestedFiling(COMPANY, FACTS, "hash", { ...parsed, offices }).offices).toEqual([
    { ...term, name: "Ben Cole", office: "pfo", start: "2023-01-01", end: "2024-05-31" },
    { ...term, name: "Ada Byrne", office: "peo", start: null, end: null },
  ]);
});

test("each observation belongs to its own row, and a refused document yields none", () => {
  const { observations, filing } = ingestedFiling(COMPANY, FACTS, "hash", parsed);
  expect(
    observations.map(({ name, amounts, peo, pfo }) => [name, amounts.salary, peo.held, pfo.held]),
  ).toEqual([
    ["Ada Byrne", 10_000, true, false],
    ["Ben Cole", 5000, false, true],
  ]);
  expect(filing).toMatchObject({ status: "parsed", reason: null, sha256: "hash", form: "DEF 14A" });
  const refused = read("<p>No table.</p>");
  expect(ingestedFiling(COMPANY, FACTS, "hash", { ...refused, rows: parsed.rows })).toMatchObject({
    filing: { status: "refused", reason: expect.any(String) },
    observations: [],
    offices: [],
    grids: [],
  });
  expect(unreadFiling(COMPANY, FACTS, "pending", null).filing).toMatchObject({
    status: "pending",
    sha256: null,
  });
});

test("a remainder is explained even where the row's only problem is an unclear flag", () => {
  const unclear = { code: "peo_unclear", step: "offices", message: "two CEOs", cell: null } as const;
  const rows = parsed.rows.map(
    (one) => ({ ...one, unknownReason: "filer_slip", problems: [unclear] }) as const,
  );
  const { problems } = ingestedFiling(COMPANY, FACTS, "hash", { ...parsed, rows });
  expect(problems.filter(({ position }) => position === 1).map(({ code }) => code)).toEqual([
    "peo_unclear",
    "filer_slip",
  ]);
});

test("an unclear flag is told with the row: in the record, as the served row's remark and in its details", () => {
  const chiefs = ["Ada Byrne", "Ben Cole"].map((name) =>
    row(`${name}<br>Chief Executive Officer`, 2024, 100_000, 1, 2, 3, 100_007),
  );
  const unclear = read(table(row(...HEAD), ...chiefs));
  const facts = { ...FACTS, form: "DEF 14A" };
  const ingested = ingestedFiling(COMPANY, facts, "hash", unclear);
  const codes = ingested.problems.filter(({ position }) => position === 1).map(({ code }) => code);
  expect(codes).toEqual(["rounding", "peo_unclear"]);
  const { record } = merge(undefined, [ingested]);
  const dataset = datasetIn(writeTestSnapshot(tempFolder(), "unclear.sqlite", [record]));
  const key = { cik: COMPANY.cik, fiscal_year: 2024, executive_id: "ada-byrne" };
  expect(rowRemarks(dataset, [key.cik])(key)).toContainEqual({
    code: "peo_unclear",
    message:
      "Several people have the office of principal executive officer at the end of 2024: Ada Byrne, Ben Cole.",
  });
});
