import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type } from "arktype";
import { EXAMPLE_ROW } from "../support/example-row.ts";
import { ExecutiveCompensation } from "../support/row-types.ts";
import { AMOUNTS, COMPONENTS, ROW_COLUMNS, ROW_FIELDS } from "../../src/domain/row-fields.ts";
import { copySource } from "../support/source-copy.ts";

test("the fields are those of the contract, in its order", () => {
  expect(ROW_FIELDS.map(({ name }) => name)).toEqual([
    "ticker",
    "cik",
    "company_name",
    "fiscal_year",
    "reported_year",
    "period",
    "executive_id",
    "executive_name",
    "executive_role",
    "is_peo",
    "is_pfo",
    "reporting_currency",
    "salary",
    "bonus",
    "stock_awards",
    "option_awards",
    "non_equity_incentive",
    "pension_change",
    "other_comp",
    "unknown_component",
    "total_compensation",
  ]);
  expect([...COMPONENTS, "total_compensation"]).toEqual([...AMOUNTS]);
});

test("the example is a row, and every field has a description and a source", () => {
  expect(ExecutiveCompensation(EXAMPLE_ROW)).not.toBeInstanceOf(type.errors);
  for (const { name, about, label, unit, kind } of ROW_COLUMNS) {
    expect([name, about !== "", label !== ""]).toEqual([name, true, true]);
    expect([name, unit]).toEqual([name, kind === "amount" ? "reporting_currency" : null]);
  }
});

test("reordered fields keep their values in every text made from rows", async () => {
  using copy = copySource("src/domain/row-fields.ts", (list) => {
    const field = (name: string) =>
      new RegExp(`^ {2}field\\("${name}"[^]*?^ {2}\\}\\),$`, "m").exec(list)?.[0] ?? "";
    const [first, second] = [field("fiscal_year"), field("reported_year")];
    return list.replace(`${first}\n${second}`, `${second}\n${first}`);
  });
  writeFileSync(join(copy.folder, "tables.ts"), TABLES);
  const run = Bun.spawn(["bun", "tables.ts"], { cwd: copy.folder });
  const { header, line, csv, json } = JSON.parse(await new Response(run.stdout).text());
  expect(header.indexOf("reported_year")).toBeLessThan(header.indexOf("fiscal_year"));
  expect(json).toContain('"reported_year":2024,"fiscal_year":2023,');
  for (const [names, cells] of [
    [header, line],
    [csv[0], csv[1]],
  ]) {
    expect(Number(cells[names.indexOf("fiscal_year")])).toBe(2023);
    expect(Number(cells[names.indexOf("reported_year")])).toBe(2024);
  }
});

/** Prints, for a row of 2023 reported in 2024, its line in the exports, the CSV of `show`, and its JSON. */
const TABLES = `
import { mkdtempSync } from "node:fs";
import { csvLines } from "./src/lib/csv.ts";
import { companyLines } from "./src/cli/questions/rows.ts";
import { readRows } from "./src/domain/row-fields.ts";
import { COLUMNS } from "./src/analysis/export/columns.ts";
import { flatRows } from "./src/analysis/export/columns.ts";
import { testFiling, testRecord, testRow } from "./test/support/record.ts";
import { datasetIn, writeTestSnapshot } from "./test/support/snapshot.ts";
const held = { held: true, evidence: "dated", because: "CEO" };
const newest = testRow({ peo: held });
const older = testRow({ peo: held, position: 2, fiscalYear: 2023 });
const record = testRecord({ filings: [testFiling()], observations: [newest, older] });
const dataset = datasetIn(writeTestSnapshot(mkdtempSync("tables-"), "t.sqlite", [record]));
const [json] = dataset.years(record.cik)[1].rowJson;
const csv = csvLines(companyLines({ rows: readRows("ACME", [json]), incompleteYears: [], remarks: () => [] }).csv()).join("\\n");
console.log(JSON.stringify({
  header: COLUMNS.map(({ name }) => name),
  line: [...flatRows(dataset)][1],
  csv: csv.split("\\n").map((line) => line.split(",")),
  json,
}));
`;
