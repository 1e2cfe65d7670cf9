/** Rows as CSV, JSON lines, JSON or Parquet in pieces, so that memory use does not depend on their number. */
import { createReadStream } from "node:fs";
import { rowHead, SOURCE_FIELDS } from "../../domain/row-fields.ts";
import { csvHead, csvRow } from "../../domain/text.ts";
import type { Dataset, DatasetInfo } from "../../dataset/dataset.ts";
import { readingThrough } from "../../dataset/reader.ts";
import { type CeoPayQuestion, type CeoPayResult, flatRecord, type recordJson } from "../ceo-pay.ts";
import type { SqlFile } from "../sql/execute.ts";
import { CEO_PAY, type View } from "../sql/views.ts";
import { COLUMNS, type ExportColumn, viewColumn } from "./columns.ts";
import { allKeys, type FlatRow, flatRows, type StoredRow, storedRows } from "./rows.ts";

/** The formats in which rows can be streamed. */
export const STREAMED_FORMATS = ["csv", "jsonl", "parquet"] as const;
/** One of `STREAMED_FORMATS`. */
export type StreamedFormat = (typeof STREAMED_FORMATS)[number];

/** Served rows per piece: about 0.5 ms, after which other requests are answered. */
const ROWS_A_PIECE = 50;
/** Fewer rows leave less memory mapped than the caches of a connection of their own take: 3 MB for each export under way. */
export const ROWS_TO_READ_THROUGH = 20_000;
/** Other rows per piece. */
const ROWS_A_BATCH = 1000;

type Pieces<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

/** The rows with the given keys (`rowKey`), in that order, as the bytes of a file. */
export async function* exportedRows(
  dataset: Dataset,
  keys: ArrayLike<number>,
  format: StreamedFormat,
  columns: readonly ExportColumn[],
): AsyncGenerator<Uint8Array> {
  const through = keys.length < ROWS_TO_READ_THROUGH ? { dataset, close() {} } : readingThrough(dataset);
  try {
    if (format === "parquet" || columns !== COLUMNS) {
      const size = format === "parquet" ? ROWS_A_BATCH : ROWS_A_PIECE;
      const pieces = batches(flatRows(through.dataset, columns, keys), size, (some) => some);
      return yield* exportPieces(dataset.info, columns, format, inTurns(pieces));
    }
    const written = lineWriter(columns, format);
    const lineOf = (row: StoredRow) =>
      STORED_LINES[format](row) ??
      flatRows(through.dataset, columns, [row.key]).map(written).toArray().join("");
    const pieces = batches(storedRows(through.dataset, keys), ROWS_A_PIECE, (some) => some.map(lineOf));
    yield* textPieces(columns, format, inTurns(pieces));
  } finally {
    through.close();
  }
}

/** Rows that come in pieces as the bytes of a file. */
export async function* exportPieces(
  info: DatasetInfo,
  columns: readonly ExportColumn[],
  format: StreamedFormat,
  pieces: Pieces<FlatRow>,
): AsyncGenerator<Uint8Array> {
  if (format !== "parquet") {
    const lineOf = lineWriter(columns, format);
    return yield* textPieces(columns, format, mapped(pieces, lineOf));
  }
  // The library is loaded only when needed.
  const { parquetPieces } = await import("./parquet.ts");
  yield* parquetPieces(info, columns, pieces);
}

async function* mapped<Row>(pieces: Pieces<Row>, lineOf: (row: Row) => string): AsyncGenerator<string[]> {
  for await (const rows of pieces) yield rows.map(lineOf);
}

async function* textPieces(
  columns: readonly ExportColumn[],
  format: "csv" | "jsonl",
  pieces: Pieces<string>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (format === "csv") yield encoder.encode(`${csvHead(columns.map(({ name }) => name))}\r\n`);
  for await (const lines of pieces) yield encoder.encode(lines.join(""));
}

function lineWriter(columns: readonly ExportColumn[], format: "csv" | "jsonl"): (row: FlatRow) => string {
  if (format === "csv") return (row) => `${csvRow(row)}\r\n`;
  return (row) =>
    `${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))}\n`;
}

/** Keys of the stored JSON with values that are an empty cell, and the brace of `source`. Quotes in texts are escaped. */
const KEYS = /"\w+":(?:null|""|\{)?/g;
/** A text that is not the same in CSV and in JSON (`csvRow`). */
const DIFFERS = /\\|"[=+\-@]/;
const SOURCE = ',"source":{';
const SOURCE_KEYS = new RegExp(`"(?=(?:${SOURCE_FIELDS.map(({ name }) => name).join("|")})":)`, "g");

/**
 * The line of a row with our own columns, from its stored JSON: its fields are those columns, in the same order. A tenth of the
 * work of reading and writing the values. Undefined for a row that needs that.
 */
const STORED_LINES: Readonly<Record<"csv" | "jsonl", (row: StoredRow) => string | undefined>> = {
  csv({ ticker, tail, complete, problems }) {
    if (DIFFERS.test(tail)) return undefined;
    const cells = tail.replaceAll(KEYS, "").slice(0, -"}}".length);
    return `${csvRow([ticker])},${cells},${complete},${csvRow([problems])}\r\n`;
  },
  jsonl({ ticker, tail, complete, problems }) {
    const at = tail.lastIndexOf(SOURCE);
    const source = tail.slice(at + SOURCE.length, -"}}".length).replaceAll(SOURCE_KEYS, '"source_');
    const fields = rowHead(ticker) + tail.slice(0, at + 1) + source;
    return `${fields},"year_complete":${complete},"problems":${JSON.stringify(problems)}}\n`;
  },
};

/** Items in batches; at least one, which may be empty. */
export function* batches<Item, Made>(
  items: Iterable<Item>,
  size: number,
  make: (batch: Item[]) => Made,
): Generator<Made> {
  let batch: Item[] = [];
  for (const item of items) {
    if (batch.push(item) < size) continue;
    yield make(batch);
    batch = [];
  }
  yield make(batch);
}

/** Yields to the event loop after each piece. */
async function* inTurns<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
  for (const piece of pieces) {
    yield piece;
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

/** The beginning of a JSON document: metadata of the dataset, and the name of the list of rows. */
function headOf({ edition, contentHash }: DatasetInfo, rows: number, name: string): string {
  return `{"edition":${JSON.stringify(edition)},"content_hash":"${contentHash}","rows":${rows},"${name}":[`;
}

function* jsonDocument<Row>(
  head: string,
  rows: Iterable<Row>,
  textOf: (row: Row) => string,
): Generator<string> {
  yield head;
  let separator = "\n";
  for (const text of batches(rows, ROWS_A_BATCH, (batch) => batch.map(textOf).join(",\n"))) {
    if (text !== "") yield separator + text;
    separator = ",\n";
  }
  yield "\n]}\n";
}

/** One JSON document: metadata of the dataset, then the rows as in REST answers, each with `year_complete`. */
export function compensationJson(dataset: Dataset): Generator<string> {
  const keys = allKeys(dataset);
  return jsonDocument(
    headOf(dataset.info, keys.length, "executive_compensation"),
    storedRows(dataset, keys),
    ({ ticker, tail, complete }) => `${rowHead(ticker)}${tail.slice(0, -1)},"year_complete":${complete}}`,
  );
}

/** The same of the rows of a view, each with every column. */
export function viewJson(
  info: DatasetInfo,
  count: number,
  rows: Iterable<FlatRow>,
  { name, columns }: View,
): Generator<string> {
  const lineOf = lineWriter(columns.map(viewColumn), "jsonl");
  return jsonDocument(headOf(info, count, name), rows, (row) => lineOf(row).trimEnd());
}

/** Columns of CEO pay, without those that the selection tells. */
const CEO_PAY_COLUMNS = CEO_PAY.columns.filter(({ name }) => name !== "is_latest").map(viewColumn);

/** The selected records of CEO pay, with the columns of the SQL view. @param ask answers a page, whose order is made once */
export function exportedCeoPay(
  { info }: Dataset,
  selection: CeoPayQuestion["selection"],
  format: StreamedFormat,
  ask: (question: CeoPayQuestion) => CeoPayResult | Promise<CeoPayResult>,
): AsyncGenerator<Uint8Array> {
  async function* pieces(): AsyncGenerator<FlatRow[]> {
    const question = { kind: "ceo_pay", selection, sort: { by: "company_name", descending: false } } as const;
    for (let offset = 0; ; offset += ROWS_A_BATCH) {
      const { json, count } = await ask({ ...question, offset, count: ROWS_A_BATCH });
      // Written by `recordJson`.
      const records = JSON.parse(`[${new TextDecoder().decode(json)}]`) as ReturnType<typeof recordJson>[];
      yield records.map((record) => {
        const values = flatRecord(record);
        return CEO_PAY_COLUMNS.map(({ name }) => values[name] ?? null);
      });
      if (count < ROWS_A_BATCH) return;
    }
  }
  return exportPieces(info, CEO_PAY_COLUMNS, format, pieces());
}

/** The rows of a statement, from the file that its process wrote. @param path the file with one JSON array a line */
export function exportedSql(
  path: string,
  { columns }: SqlFile,
  format: StreamedFormat,
  info: DatasetInfo,
): AsyncGenerator<Uint8Array | string> {
  const untold = { nullable: true, about: "", width: 0 };
  const exported = columns.map(({ name, kind }) => ({ name, kind, ...untold }));
  async function* pieces(): AsyncGenerator<FlatRow[]> {
    // Serving needs none of it.
    const { createInterface } = await import("node:readline");
    let piece: FlatRow[] = [];
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      // Written by `executeToFile`.
      const row = JSON.parse(line) as (string | number | null)[];
      piece.push(
        row.map((value, at) => (columns[at]?.kind === "text" && value !== null ? String(value) : value)),
      );
      if (piece.length < ROWS_A_BATCH) continue;
      yield piece;
      piece = [];
    }
    yield piece;
  }
  return format === "csv" ? csvOf(exported, pieces()) : exportPieces(info, exported, format, pieces());
}

/** As the other commands write it, with line feeds. */
async function* csvOf(
  columns: readonly ExportColumn[],
  pieces: AsyncIterable<FlatRow[]>,
): AsyncGenerator<string> {
  yield `${csvHead(columns.map(({ name }) => name))}\n`;
  for await (const rows of pieces) yield rows.map((row) => `${csvRow(row)}\n`).join("");
}
