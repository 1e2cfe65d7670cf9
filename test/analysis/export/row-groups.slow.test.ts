import { expect, test } from "bun:test";
import { join } from "node:path";
import { COLUMNS } from "../../../src/analysis/export/columns.ts";
import { exportedRows } from "../../../src/analysis/export/pieces.ts";
import { tempFolder } from "../../support/folder.ts";
import { readParquet } from "../../support/parquet.ts";
import { copyCompiledData, datasetIn } from "../../support/snapshot.ts";

const idOf = (row: Record<string, unknown>) => `${row["cik"]} ${row["fiscal_year"]} ${row["executive_id"]}`;

const dataset = datasetIn(copyCompiledData(join(tempFolder(), "all.sqlite")));

test("Parquet with several row groups is one file", async () => {
  const keys = dataset.all<{ id: number }>("select id from rows order by id").map(({ id }) => id);
  const often = Array.from({ length: 13 }, () => keys).flat();
  const pieces: Uint8Array[] = [];
  for await (const piece of exportedRows(dataset, often, "parquet", COLUMNS)) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  const rows = await readParquet(Buffer.concat(pieces));
  expect(rows.length).toBe(often.length);
  expect(rows.slice(0, keys.length).map(idOf)).toEqual(rows.slice(-keys.length).map(idOf));
});
