/** The documented views: every column has its documented type, in every row of the whole dataset. */
import { rowCells } from "../../src/dataset/company-facts.ts";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type FieldKind, readRows, ROW_COLUMNS } from "../../src/domain/row-fields.ts";
import { openFile } from "../../src/dataset/open.ts";
import { createViews, VIEWS } from "../../src/analysis/sql/views.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const folder = tempFolder();
const path = join(folder, "all.sqlite");
copyCompiledData(path);
const { database } = openFile(path);
createViews(database);
const linesOf = (view: string) =>
  database.query<Record<string, string | number | null>, []>(`select * from "${view}"`).all();

const FITS: Readonly<Record<FieldKind, (value: string | number) => boolean>> = {
  text: (value) => typeof value === "string",
  link: (value) => typeof value === "string" && value.startsWith("https://"),
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value),
  whole: (value) => Number.isSafeInteger(value),
  flag: (value) => value === 0 || value === 1,
  amount: (value) => typeof value === "number" && Math.abs(value * 100 - Math.round(value * 100)) < 1e-3,
};

test.each(VIEWS.map((view) => [view.name, view] as const))(
  "%s: every value is of its column's type",
  (_, view) => {
    const lines = linesOf(view.name);
    expect(lines.length).toBeGreaterThan(0);
    expect(Object.keys(lines[0] ?? {})).toEqual(view.columns.map(({ name }) => name));
    for (const { name, kind, nullable } of view.columns) {
      const odd = lines.find((line) => {
        const value = line[name] ?? null;
        return value === null ? !nullable : !FITS[kind](value);
      });
      expect([name, odd?.[name]]).toEqual([name, undefined]);
    }
  },
);

test("compensation has the rows that are served, value for value", () => {
  const byKey = new Map(
    linesOf("compensation").map((line) => [
      `${line["cik"]} ${line["fiscal_year"]} ${line["executive_id"]}`,
      line,
    ]),
  );
  const problems = database.prepare<{ codes: string | null }, [string, string, number]>(
    `select group_concat(code, ' ') as codes from (select distinct p.code from main.problems p
      join main.filings f on f.id = p.filing join main.rows r on r.filing = p.filing and r.position = p.position
      where f.accession = ? and r.executive_id = ? and r.fiscal_year = ? order by p.code)`,
  );
  const dataset = datasetIn(path);
  let rows = 0;
  for (const { cik, ticker } of dataset.all<{ cik: string; ticker: string }>(
    "select printf('%010d', cik) as cik, ticker from companies where row_count > 0",
  ))
    for (const { complete, rowJson, cells } of dataset
      .yearsOnce(cik)
      .map((year) => ({ ...year, cells: rowCells(dataset, [cik]) })))
      for (const row of readRows(ticker, rowJson)) {
        rows++;
        const { source, executive_id, fiscal_year } = row;
        const plain = (value: unknown) => (typeof value === "boolean" ? Number(value) : value);
        const expected = {
          ...Object.fromEntries(ROW_COLUMNS.map(({ name, valueIn }) => [name, plain(valueIn(row))])),
          year_complete: Number(complete),
          problems: problems.get(source.accession, executive_id, fiscal_year)?.codes ?? null,
          evidence: cells.evidence(row),
        };
        expect(byKey.get(`${cik} ${fiscal_year} ${executive_id}`)).toEqual(expected);
      }
  expect(rows).toBe(byKey.size);
});

test("every served row is made from exactly one observation", () => {
  const [sums] = database
    .query<{ served: number; rows: number }, []>(
      "select (select sum(served) from observations) as served, (select count(*) from compensation) as rows",
    )
    .all();
  expect(sums?.served).toBe(sums?.rows ?? -1);
});
