import { expect, test } from "bun:test";
import { companyPath, readCompanyFile, writeCompanyFile } from "../../scripts/company-file.ts";
import { dated, testFiling, testRecord, testRow } from "../support/record.ts";

const ACCESSION = "0000000001-25-000001";
const full = testRecord({
  filings: [
    testFiling({ captions: { "2:3": "Salary ($) / (c)" }, sha256: "ab".repeat(32), read: "pipeline" }),
    testFiling({
      accession: "0000000001-26-000009",
      year: 2026,
      form: null,
      status: "pending",
      read: null,
      currency: null,
      regime: null,
      periodEnd: null,
    }),
  ],
  observations: [
    testRow(
      {
        peo: dated(true),
        label: "2024-25",
        period: { start: "2024-08-07", end: "2024-12-31" },
        note: "a remark",
        checks: ["sum_to_total", "header_grid"],
        cells: { salary: [[2, 4, 3, "1,000.50 (1)"]] },
      },
      { salary: 100_050, pension_change: -7, unknown_component: 3 },
    ),
    testRow({ position: 2, name: "李彥宏", role: "“Quoted”, Chair", placeholder: true }, {}),
  ],
  pins: [
    { executiveId: "ada-byrne", spelling: "Ada Byrne" },
    { executiveId: "executive", spelling: "李彥宏" },
  ],
  offices: [
    {
      accession: ACCESSION,
      name: "Ada Byrne",
      office: "peo",
      start: "2024-05-01",
      end: null,
      evidence: "dated",
      because: "appointed",
    },
  ],
  grids: [
    {
      accession: ACCESSION,
      table: 2,
      row: 4,
      caption: false,
      cells: [
        [0, "Ada Byrne"],
        [3, "1,000.50 (1)"],
      ],
    },
  ],
  problems: [
    { accession: ACCESSION, position: null, step: "locate", code: "several_tables", message: "two" },
    { accession: ACCESSION, position: 1, step: "reconcile", code: "rounding", message: "3 cents" },
  ],
});

test("a company is read back with everything that was written, and writes the same file again", () => {
  const text = writeCompanyFile(full);
  const read = readCompanyFile(text, "file");
  expect(read).toEqual(full);
  expect(writeCompanyFile(read)).toBe(text);
});

test("one observation is one line, and another row changes no other line", () => {
  const text = writeCompanyFile(full);
  const more = writeCompanyFile({
    ...full,
    observations: [...full.observations, testRow({ position: 3, name: "Cy Dunn" })],
  });
  const lines = new Set(text.split("\n"));
  expect(more.split("\n").filter((line) => !lines.has(line))).toHaveLength(2); // the row, and the filing's count
});

test("the order in which a record is passed does not matter", () => {
  const shuffled = {
    ...full,
    filings: full.filings.toReversed(),
    observations: full.observations.toReversed(),
    pins: full.pins.toReversed(),
  };
  expect(writeCompanyFile(shuffled)).toBe(writeCompanyFile(full));
});

test("ten thousand companies are spread over a hundred folders", () => {
  expect(companyPath("0000320193")).toBe("companies/93/0000320193.jsonl");
});

const text = writeCompanyFile(full);
test.each([
  ["an unknown line", text.replace('"executive"', '"director"'), /file:4: director must be removed/],
  ["an unknown field", text.replace('"spelling"', '"spelt"'), /file:4: executive.spelling must be/],
  ["half a line", text.replace('"spelling":"Ada Byrne"}', ""), /file:4: .*JSON/],
  [
    "an amount with a separator",
    text.replace(":1000.5,", ':"1,000.5",'),
    /row.amounts.salary must be a number/,
  ],
  ["an amount of mills", text.replace(":1000.5,", ":1000.505,"), /row.amounts.salary .*two decimals/],
  ["a lost amount", text.replace('"bonus":0,', ""), /row.amounts.bonus must be a number \(was missing\)/],
  ["an invalid flag", text.replace('"dated"', '"maybe"'), /row.peo.evidence must be .*"maybe"/],
  ["a lost row", text.replace(/^.*李.*amounts.*\n/m, ""), /states 2 rows but has 1/],
  ["an invalid status", text.replace('"pending"', '"held"'), /filing.status must be .*"held"/],
  ["an address elsewhere", text.replace("https://www.sec.gov", "https://example.com"), /filing.url must be/],
  ["no company", text.slice(text.indexOf("\n") + 1), /file: no company/],
])("%s is refused with file, line and value", (_, broken, message) => {
  expect(() => readCompanyFile(broken, "file")).toThrow(message);
});
