/** The dataset in a form that others read. Whatever stood at the path is replaced only by a whole file. */
import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { embeddedBytes } from "../embedded.ts";
import type { Dataset } from "../dataset.ts";
import { openBytes, openFile } from "../open.ts";
import { ExportSink } from "./sink.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { writeCsv, writeJson, writeJsonLines } from "./text.ts";

/** The forms that the dataset is exported in; `sqlite` is what `data install` takes, `sqlite-views` a plain database. */
export const EXPORT_FORMATS = ["sqlite", "sqlite-views", "csv", "json", "jsonl", "parquet", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Writes the dataset to a file.
 *
 * @param source file of the snapshot; null for the embedded one
 * @param columns of rows; those with another form (`sqlite`, `sqlite-views`, `json`) have their own
 * @param finish what is still to be done with the file before it is put in place
 * @throws OperatorError when the format cannot hold that many rows
 */
export async function exportDataset(
  dataset: Dataset,
  source: string | null,
  format: ExportFormat,
  columns: ColumnSet,
  out: string,
  finish: (path: string) => void,
): Promise<void> {
  const part = `${out}.part`;
  try {
    await write(dataset, source, format, columns, part);
    finish(part);
    renameSync(part, out);
  } finally {
    rmSync(part, { force: true });
  }
}

async function write(
  dataset: Dataset,
  source: string | null,
  format: ExportFormat,
  set: ColumnSet,
  part: string,
): Promise<void> {
  const columns = columnsOf(set);
  switch (format) {
    case "sqlite":
      if (source === null) writeFileSync(part, embeddedBytes());
      else copyFileSync(source, part);
      return;
    case "sqlite-views": {
      const { database } =
        source === null ? openBytes("inside this executable", embeddedBytes()) : openFile(source);
      (await import("./sqlite-views.ts")).writeViews(database, part);
      database.close();
      return;
    }
    case "csv":
    case "json":
    case "jsonl": {
      const sink = new ExportSink(part);
      try {
        if (format === "json") writeJson(dataset, sink);
        else (format === "csv" ? writeCsv : writeJsonLines)(dataset, columns, sink);
      } finally {
        sink.close();
      }
      return;
    }
    // The libraries are loaded by whoever needs them.
    case "parquet":
      await Bun.write(part, await (await import("./parquet.ts")).parquetBytes(dataset, columns));
      return;
    case "xlsx":
      await Bun.write(part, await (await import("./xlsx.ts")).xlsxBytes(dataset, columns));
  }
}
