/** The rows of a statement, from the file that its process wrote, as the bytes of a file in a streamed format. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { csvHead, csvRow } from "../../domain/text.ts";
import type { DatasetInfo } from "../../dataset/dataset.ts";
import type { SqlFile } from "../sql/execute.ts";
import type { ExportColumn, FlatRow } from "./flat.ts";
import { exportPieces, type StreamedFormat } from "./selected.ts";

const ROWS_A_PIECE = 1000;

/** @param path the file with one JSON array a line */
export function exportedSql(
  path: string,
  { columns }: SqlFile,
  format: StreamedFormat,
  info: DatasetInfo,
): AsyncGenerator<Uint8Array | string> {
  const exported = columns.map(({ name, kind }) => ({
    name,
    kind,
    nullable: true,
    about: "",
    width: 0,
    valueIn: () => null,
  }));
  const rows = pieces(path, exported);
  return format === "csv" ? csvOf(exported, rows) : exportPieces({ info }, exported, format, rows);
}

/** As the other commands write it, with line feeds. */
async function* csvOf(
  columns: readonly ExportColumn[],
  pieces: AsyncIterable<FlatRow[]>,
): AsyncGenerator<string> {
  yield `${csvHead(columns.map(({ name }) => name))}\n`;
  for await (const rows of pieces) yield rows.map((row) => `${csvRow(row)}\n`).join("");
}

async function* pieces(path: string, columns: readonly ExportColumn[]): AsyncGenerator<FlatRow[]> {
  let piece: FlatRow[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    // Written by `executeToFile`.
    const row = JSON.parse(line) as (string | number | null)[];
    piece.push(
      row.map((value, at) => (columns[at]?.kind === "text" && value !== null ? String(value) : value)),
    );
    if (piece.length < ROWS_A_PIECE) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}
