/** Exports the dataset to a file. An existing file is replaced only by a complete one. */
import type { Database } from "bun:sqlite";
import { closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { asFullDisk } from "../../dataset/installed.ts";
import { embeddedBytes } from "../../dataset/embedded.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { openBytes, openFile } from "../../dataset/open.ts";
import { createViews, VIEWS } from "../sql/views.ts";
import {
  type AmountType,
  amountsAs,
  type ColumnSet,
  columnsOf,
  type ExportColumn,
  viewColumn,
  allKeys,
  type FlatRow,
  flatRows,
  viewRows,
} from "./columns.ts";
import { compensationJson, exportedRows, exportRows, viewJson } from "./pieces.ts";

/** Export formats; `sqlite` is the format for `data install`, `sqlite-views` a plain database. */
export const EXPORT_FORMATS = ["sqlite", "sqlite-views", "csv", "json", "jsonl", "parquet", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What is exported, and how. `view`, `columns` and `amounts` are ignored by `sqlite` and `sqlite-views`. */
export interface ExportOptions {
  readonly format: ExportFormat;
  /** Name of a view. */
  readonly view: string;
  /** Of `compensation` only. */
  readonly columns: ColumnSet;
  /** Of `parquet` only. */
  readonly amounts: AmountType;
}

/**
 * Writes the dataset to a file.
 *
 * @param source path of the snapshot; null for the embedded one
 * @param finish called with the file before it is moved into place
 * @returns number of rows
 * @throws OperatorError if the format cannot contain that many rows
 */
export async function exportDataset(
  dataset: Dataset,
  source: string | null,
  options: ExportOptions,
  out: string,
  finish: (path: string) => void,
): Promise<number> {
  const part = `${out}.part`;
  try {
    const rows = await write(dataset, source, options, part);
    finish(part);
    renameSync(part, out);
    return rows;
  } catch (error) {
    throw asFullDisk(error, dirname(out));
  } finally {
    rmSync(part, { force: true });
  }
}

async function write(
  dataset: Dataset,
  source: string | null,
  { format, view: name, columns: set, amounts }: ExportOptions,
  part: string,
): Promise<number> {
  const { rows } = dataset.info;
  if (format === "sqlite") {
    if (source === null) writeFileSync(part, embeddedBytes());
    else copyFileSync(source, part);
    return rows;
  }
  if (format === "sqlite-views") {
    await withViews(source, async (database) =>
      (await import("./sqlite-views.ts")).writeViews(database, part),
    );
    return rows;
  }
  const view = VIEWS.find((one) => one.name === name);
  const table = { format, amounts, info: dataset.info };
  if (view === undefined || name === "compensation") {
    const columns = columnsOf(set);
    const keys = allKeys(dataset);
    if (format === "json") await writePieces(part, compensationJson(dataset));
    else if (format === "xlsx")
      await writeTable(part, { ...table, format, columns, rows: flatRows(dataset, columns, keys) });
    else await writePieces(part, exportedRows(dataset, keys, format, columns, amounts));
    return keys.length;
  }
  return withViews(source, async (database) => {
    const count = database.query<{ n: number }, []>(`select count(*) as n from "${name}"`).get()?.n ?? 0;
    const lines = viewRows(database, view);
    if (format === "json") await writePieces(part, viewJson(dataset.info, count, lines, view));
    else
      await writeTable(part, {
        ...table,
        format,
        columns: view.columns.map(viewColumn),
        rows: lines,
        sheet: name,
      });
    return count;
  });
}

/** Opens the snapshot on a connection of its own, with its views. */
async function withViews<T>(source: string | null, use: (database: Database) => T | Promise<T>): Promise<T> {
  const { database } =
    source === null ? openBytes("inside this executable", embeddedBytes()) : openFile(source);
  try {
    createViews(database);
    return await use(database);
  } finally {
    database.close();
  }
}

/** Writes rows in a format of tables. */
async function writeTable(
  part: string,
  table: {
    format: "csv" | "jsonl" | "parquet" | "xlsx";
    amounts: AmountType;
    info: Dataset["info"];
    columns: readonly ExportColumn[];
    rows: Iterable<FlatRow>;
    /** Name of the sheet in a workbook. */
    sheet?: string;
  },
): Promise<void> {
  const { format, amounts, info, columns, rows, sheet } = table;
  if (format === "xlsx") {
    // The libraries of workbooks and Parquet are loaded only when needed.
    const { workbookOf } = await import("./xlsx.ts");
    await Bun.write(part, await workbookOf(info, rows, columns, sheet));
    return;
  }
  const written = format === "parquet" ? columns.map((one) => amountsAs(amounts, one)) : columns;
  await writePieces(part, exportRows(info, written, format, rows));
}

/** Writes and flushes a file piece by piece. */
export async function writePieces(
  path: string,
  pieces: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): Promise<void> {
  const file = openSync(path, "w");
  try {
    for await (const piece of pieces) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
