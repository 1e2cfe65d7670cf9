/** Rows as CSV, JSON lines, JSON or Parquet in pieces, so that memory use does not depend on their number. */
import { gt } from "drizzle-orm";
import { createReadStream } from "node:fs";
import { rowHead } from "../../domain/row-fields.ts";
import { csvHead, csvRow } from "../../lib/csv.ts";
import { editionName } from "../../domain/edition.ts";
import { companies } from "../../dataset/schema.ts";
import type { Dataset, DatasetInfo } from "../../dataset/dataset.ts";
import { readingThrough } from "../../dataset/read-snapshot.ts";
import { type CeoPayQuestion, type CeoPayResult, flatRecord, type recordJson } from "../ceo-pay-questions.ts";
import type { SqlFile } from "../sql/execute.ts";
import { CEO_PAY, type View } from "../sql/views.ts";
import {
  type AmountType,
  amountsAs,
  COLUMNS,
  type ExportColumn,
  viewColumn,
  type FlatRow,
  flatRows,
} from "./columns.ts";
import type { ParquetFile } from "./parquet.ts";
import { Piece, StoredRows, WRITE_ROW } from "./stored.ts";

/** The formats in which rows can be streamed. */
export const STREAMED_FORMATS = ["csv", "jsonl", "parquet"] as const;
/** One of `STREAMED_FORMATS`. */
export type StreamedFormat = (typeof STREAMED_FORMATS)[number];

/** Bytes of a piece: about 0.5 ms of work, after which other requests are answered. */
const PIECE_BYTES = 1 << 17;
/** Fewer rows leave less memory mapped than the caches of a connection of their own take: 3 MB for each export under way. */
export const ROWS_TO_READ_THROUGH = 20_000;
/** Rows that are read value by value, per piece of text. */
const ROWS_A_PIECE = 200;
/** Rows per batch of Parquet, of views and of CEO pay. */
const ROWS_A_BATCH = 1000;

/** The rows with the given keys (`rowKey`), in that order, as the bytes of a file. */
export async function* exportedRows(
  dataset: Dataset,
  keys: ArrayLike<number>,
  format: StreamedFormat,
  columns: readonly ExportColumn[],
  amounts: AmountType = "decimal",
): AsyncGenerator<Uint8Array> {
  const through = keys.length < ROWS_TO_READ_THROUGH ? { dataset, close() {} } : readingThrough(dataset);
  try {
    const typed = columns.map((column) => amountsAs(amounts, column));
    if (columns !== COLUMNS) {
      yield* exportRows(dataset.info, typed, format, flatRows(through.dataset, columns, keys));
    } else if (format === "parquet") {
      const { ParquetFile } = await import("./parquet.ts");
      yield* inTurns(storedParquet(through.dataset, keys, new ParquetFile(dataset.info, typed)));
    } else {
      yield* inTurns(storedText(through.dataset, keys, format));
    }
  } finally {
    through.close();
  }
}

function* storedText(
  dataset: Dataset,
  keys: ArrayLike<number>,
  format: keyof typeof WRITE_ROW,
): Generator<Uint8Array> {
  const rows = new StoredRows(dataset);
  const piece = new Piece();
  if (format === "csv") piece.write(`${csvHead(COLUMNS.map(({ name }) => name))}\r\n`);
  for (const begins of rows.visit(keys)) {
    for (const begin of begins) {
      WRITE_ROW[format](rows, begin, piece);
      if (piece.length >= PIECE_BYTES) yield piece.take();
    }
  }
  yield piece.take();
}

function* storedParquet(dataset: Dataset, keys: ArrayLike<number>, file: ParquetFile): Generator<Uint8Array> {
  const rows = new StoredRows(dataset);
  let sinceTurn = 0;
  for (const begins of rows.visit(keys)) {
    for (let added = 0; added < begins.length;) {
      added += file.addStored(rows, begins.slice(added));
      if (file.isFull) yield* file.group();
    }
    sinceTurn += begins.length;
    if (sinceTurn < ROWS_A_BATCH) continue;
    sinceTurn = 0;
    yield NOTHING;
  }
  yield* file.finish();
}

/** Rows as the bytes of a file; other requests are answered after some of them. @param lineEnd of CSV */
export async function* exportRows(
  info: DatasetInfo,
  columns: readonly ExportColumn[],
  format: StreamedFormat,
  rows: AsyncIterable<FlatRow> | Iterable<FlatRow>,
  lineEnd = "\r\n",
): AsyncGenerator<Uint8Array> {
  let count = 0;
  if (format === "parquet") {
    // The library is loaded only when needed.
    const { ParquetFile } = await import("./parquet.ts");
    const file = new ParquetFile(info, columns);
    for await (const row of rows) {
      file.add(row);
      if (file.isFull) yield* file.group();
      if (++count % ROWS_A_BATCH === 0) await turn();
    }
    return yield* file.finish();
  }
  const lineOf = lineWriter(columns, format, lineEnd);
  let text = format === "csv" ? `${csvHead(columns.map(({ name }) => name))}${lineEnd}` : "";
  for await (const row of rows) {
    text += lineOf(row);
    if (++count % ROWS_A_PIECE !== 0) continue;
    yield encoder.encode(text);
    text = "";
    await turn();
  }
  yield encoder.encode(text);
}

const encoder = new TextEncoder();

function lineWriter(
  columns: readonly ExportColumn[],
  format: "csv" | "jsonl",
  lineEnd = "\r\n",
): (row: FlatRow) => string {
  if (format === "csv") return (row) => `${csvRow(row)}${lineEnd}`;
  return (row) =>
    `${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))}\n`;
}

/** No bytes, but a turn. */
const NOTHING = new Uint8Array(0);

/** Yields to the event loop after each piece. */
async function* inTurns<Piece extends { readonly length: number }>(
  pieces: Iterable<Piece>,
): AsyncGenerator<Piece> {
  for (const piece of pieces) {
    if (piece.length > 0) yield piece;
    await turn();
  }
}

/** Lets other requests be answered. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** One JSON document: metadata of the dataset, then rows under a name. @param rows each as JSON */
function* jsonDocument(
  info: DatasetInfo,
  name: string,
  count: number,
  rows: Iterable<string>,
): Generator<string> {
  let text = `{"edition":"${editionName(info)}","content_hash":"${info.contentHash}","rows":${count},"${name}":[`;
  let written = 0;
  for (const row of rows) {
    text += `${written++ === 0 ? "" : ","}\n${row}`;
    if (written % ROWS_A_BATCH !== 0) continue;
    yield text;
    text = "";
  }
  yield `${text}\n]}\n`;
}

/** A document of every row as in REST answers, with `year_complete`. */
export function compensationJson(dataset: Dataset): Generator<string> {
  function* rows(): Generator<string> {
    const held = dataset.read((db) => {
      const { cik, ticker, rowCount } = companies;
      return db.select({ cik, ticker }).from(companies).where(gt(rowCount, 0)).orderBy(cik).all();
    });
    for (const { cik, ticker } of held) {
      const head = rowHead(ticker);
      for (const { rowJson, complete } of dataset.yearsOnce(cik))
        yield* rowJson.map((tail) => `${head}${tail.slice(0, -1)},"year_complete":${complete}}`);
    }
  }
  return jsonDocument(dataset.info, "executive_compensation", dataset.info.rows, rows());
}

/** The same of the rows of a view, each with every column. */
export function viewJson(
  info: DatasetInfo,
  count: number,
  rows: Iterable<FlatRow>,
  { name, columns }: View,
): Generator<string> {
  const lineOf = lineWriter(columns.map(viewColumn), "jsonl");
  function* lines(): Generator<string> {
    for (const row of rows) yield lineOf(row).trimEnd();
  }
  return jsonDocument(info, name, count, lines());
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
  async function* rows(): AsyncGenerator<FlatRow> {
    const question = { kind: "ceo_pay", selection, sort: { by: "company_name", descending: false } } as const;
    for (let offset = 0; ; offset += ROWS_A_BATCH) {
      const { json, count } = await ask({ ...question, offset, count: ROWS_A_BATCH });
      // Written by `recordJson`.
      const records = JSON.parse(`[${new TextDecoder().decode(json)}]`) as ReturnType<typeof recordJson>[];
      for (const values of records.map(flatRecord))
        yield CEO_PAY_COLUMNS.map(({ name }) => {
          const value = values[name];
          if (value === undefined) throw new Error(`a record has no ${name}`);
          return value;
        });
      if (count < ROWS_A_BATCH) return;
    }
  }
  return exportRows(info, CEO_PAY_COLUMNS, format, rows());
}

/** The rows of a statement, from the file that its process wrote. @param path the file with one JSON array a line */
export function exportedSql(
  path: string,
  { columns }: SqlFile,
  format: StreamedFormat,
  info: DatasetInfo,
): AsyncGenerator<Uint8Array> {
  const untold = { nullable: true, about: "", width: 0 };
  const exported = columns.map(({ name, kind }) => ({ name, kind, ...untold }));
  async function* rows(): AsyncGenerator<FlatRow> {
    // Serving needs none of it.
    const { createInterface } = await import("node:readline");
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      // Written by `executeToFile`.
      const row = JSON.parse(line) as (string | number | null)[];
      yield row.map((value, at) => (columns[at]?.kind === "text" && value !== null ? String(value) : value));
    }
  }
  // CSV as the other commands write it.
  return exportRows(info, exported, format, rows(), "\n");
}
