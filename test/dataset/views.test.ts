/** The documented views: every column has its documented type, in every row of the whole dataset. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type FieldKind, ROW_COLUMNS } from "../../src/domain/row-fields.ts";
import { openFile } from "../../src/dataset/open.ts";
import { createViews, VIEWS } from "../../src/analysis/sql/views.ts";
import { flatRows } from "../../src/analysis/export/rows.ts";
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

test("compensation has the rows that are exported, value for value", () => {
  const lines = linesOf("compensation");
  const byKey = new Map(
    lines.map((line) => [`${line["cik"]} ${line["fiscal_year"]} ${line["executive_id"]}`, line]),
  );
  const names = [...ROW_COLUMNS.map(({ name }) => name), "year_complete", "problems"];
  let rows = 0;
  for (const row of flatRows(datasetIn(path))) {
    rows++;
    const values = Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]));
    const line = byKey.get(`${values["cik"]} ${values["fiscal_year"]} ${values["executive_id"]}`) ?? {};
    for (const name of names) {
      const value = values[name] ?? null;
      expect([name, line[name] ?? null]).toEqual([name, typeof value === "boolean" ? Number(value) : value]);
    }
  }
  expect(rows).toBe(lines.length);
});

test("every served row is made from exactly one observation", () => {
  const [sums] = database
    .query<{ served: number; rows: number }, []>(
      "select (select sum(served) from observations) as served, (select count(*) from compensation) as rows",
    )
    .all();
  expect(sums?.served).toBe(sums?.rows ?? -1);
});
