/** `data export --view all`: every view in every format, value for value what `sqlite-views` has. */
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import readXlsxFile from "read-excel-file/node";
import { type View, VIEWS } from "../../src/analysis/sql/views.ts";
import { readParquet } from "../support/parquet.ts";
import { exporting } from "./exporting.ts";

type Value = string | number | boolean | null;

const { folder, here, exported } = exporting();
const OTHERS = VIEWS.filter(({ name }) => name !== "compensation");
const FORMATS = ["csv", "json", "jsonl", "parquet", "xlsx"] as const;

beforeAll(async () => {
  for (const format of FORMATS) {
    const ran = await here.run(
      "data",
      "export",
      "--format",
      format,
      "--view",
      "all",
      "--out",
      join(folder, "all"),
    );
    expect([ran.code, ran.err]).toEqual([0, ""]);
  }
});

const fileOf = (view: View, format: string) => join(folder, "all", `${view.name}.${format}`);

/** A value as text, alike whatever a format has no type for: an empty text and null are one in CSV and workbooks. */
const plain = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return String(value);
};

function truthOf({ name, columns }: View, database: Database): string[][] {
  return database
    .query<Record<string, Value>, []>(`select * from "${name}"`)
    .all()
    .map((row) =>
      columns.map(({ name: column, kind }) =>
        plain(kind === "flag" && row[column] !== null ? row[column] === 1 : row[column]),
      ),
    );
}

async function readBack(view: View, format: (typeof FORMATS)[number]): Promise<string[][]> {
  const names = view.columns.map(({ name }) => name);
  const ofObjects = (rows: readonly object[]) =>
    rows.map((row) => names.map((name) => plain(Reflect.get(row, name))));
  const file = fileOf(view, format);
  if (format === "xlsx") {
    const sheets = await readXlsxFile(file);
    const [head, ...rows] = (sheets as unknown as { data: unknown[][] }[])[0]?.data ?? [];
    expect(head).toEqual(names);
    return rows.map((row) => names.map((_, at) => plain(row[at])));
  }
  if (format === "parquet") {
    return ofObjects(await readParquet(readFileSync(file)));
  }
  const text = readFileSync(file, "utf8");
  if (format === "json") {
    const { rows, ...document } = JSON.parse(text);
    const list = document[view.name] as object[];
    expect(rows).toBe(list.length);
    return ofObjects(list);
  }
  if (format === "jsonl")
    return ofObjects(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  const [head = "", ...lines] = text.trimEnd().split("\r\n");
  expect(head).toBe(names.join(","));
  return lines.map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)]
      .slice(0, names.length)
      .map(([, cell = ""]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
  );
}

test.each(OTHERS.flatMap((view) => FORMATS.map((format) => [view.name, format, view] as const)))(
  "%s as %s",
  async (_, format, view) => {
    const database = new Database(await exported("sqlite-views"), { readonly: true });
    const truth = truthOf(view, database);
    expect(truth.length).toBeGreaterThan(500);
    expect(await readBack(view, format)).toEqual(truth);
  },
);
