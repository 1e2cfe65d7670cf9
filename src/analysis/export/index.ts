/** Exports the dataset to a file. An existing file is replaced only by a complete one. */
import { copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { asFullDisk } from "../../dataset/room.ts";
import { embeddedBytes } from "../../dataset/embedded.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { openBytes, openFile } from "../../dataset/open.ts";
import { ExportSink } from "./sink.ts";
import { type ColumnSet, columnsOf } from "./columns.ts";
import { writeCsv, writeJson, writeJsonLines } from "./text.ts";

/** Export formats; `sqlite` is the format for `data install`, `sqlite-views` a plain database. */
export const EXPORT_FORMATS = ["sqlite", "sqlite-views", "csv", "json", "jsonl", "parquet", "xlsx"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Writes the dataset to a file.
 *
 * @param source path of the snapshot; null for the embedded one
 * @param columns of the rows; ignored by `sqlite`, `sqlite-views` and `json`, which have their own
 * @param finish called with the file before it is moved into place
 * @throws OperatorError if the format cannot contain that many rows
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
  } catch (error) {
    throw asFullDisk(error, dirname(out));
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
    // These libraries are loaded only when needed.
    case "parquet":
      await Bun.write(part, await (await import("./parquet.ts")).parquetBytes(dataset, columns));
      return;
    case "xlsx":
      await Bun.write(part, await (await import("./xlsx.ts")).xlsxBytes(dataset, columns));
  }
}
