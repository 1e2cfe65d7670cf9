/** Selected rows as CSV, JSON lines or Parquet in pieces, so that memory use does not depend on the number of rows. */
import { readRows } from "../../domain/row-text.ts";
import { type Dataset, MAX_ROWS, padCik } from "../../dataset/dataset.ts";
import { readingThrough } from "../../dataset/reader.ts";
import type { ExportColumn, FlatRow } from "./flat.ts";
import { csvHead, csvRow } from "../../domain/text.ts";
import { jsonLine } from "./text.ts";

/** The formats in which selected rows can be streamed. */
export const STREAMED_FORMATS = ["csv", "jsonl", "parquet"] as const;
/** One of `STREAMED_FORMATS`. */
export type StreamedFormat = (typeof STREAMED_FORMATS)[number];

/** Rows per piece: about 0.5 ms, after which other requests are answered. */
const ROWS_A_PIECE = 50;
/** Fewer rows leave less memory mapped than the caches of a connection of their own take: 3 MB for each export under way. */
export const ROWS_TO_READ_THROUGH = 20_000;

interface StoredLine {
  ticker: string;
  /** The row's JSON after the ticker. */
  tail: string;
  complete: number;
  problems: string | null;
  period_end: string | null;
}

/** The rows with the given keys (`rowKey`), in that order, as the bytes of a file. */
export async function* exportedRows(
  dataset: Dataset,
  keys: ArrayLike<number>,
  format: StreamedFormat,
  columns: readonly ExportColumn[],
): AsyncGenerator<Uint8Array> {
  const through = keys.length < ROWS_TO_READ_THROUGH ? { dataset, close() {} } : readingThrough(dataset);
  try {
    yield* exportPieces(dataset, columns, format, rowsOf(readPieces(through.dataset, keys), columns));
  } finally {
    through.close();
  }
}

/** Rows that come in pieces as the bytes of a file. */
export async function* exportPieces(
  { info }: Pick<Dataset, "info">,
  columns: readonly ExportColumn[],
  format: StreamedFormat,
  pieces: AsyncIterable<FlatRow[]> | Iterable<FlatRow[]>,
): AsyncGenerator<Uint8Array> {
  if (format === "parquet") {
    // The library is loaded only when needed.
    const { parquetPieces } = await import("./parquet.ts");
    return yield* parquetPieces(info, columns, pieces);
  }
  const encoder = new TextEncoder();
  if (format === "csv") yield encoder.encode(`${csvHead(columns.map(({ name }) => name))}\r\n`);
  const lineOf =
    format === "csv" ? (row: FlatRow) => `${csvRow(row)}\r\n` : (row: FlatRow) => jsonLine(columns, row);
  for await (const rows of pieces) yield encoder.encode(rows.map(lineOf).join(""));
}

/** Yields to the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

async function* rowsOf(
  pieces: Iterable<StoredLine[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<FlatRow[]> {
  for (const lines of pieces) {
    yield lines.map((line) => flatRow(line, columns));
    await turn();
  }
}

function* readPieces(dataset: Dataset, keys: ArrayLike<number>): Generator<StoredLine[]> {
  // Rows of a company are usually adjacent, and stored as one text.
  let company: { cik: number; rowJson: readonly string[] } = { cik: 0, rowJson: [] };
  const tailOf = (key: number) => {
    const cik = Math.floor(key / MAX_ROWS);
    if (company.cik !== cik) company = { cik, rowJson: dataset.rowTails(padCik(cik)) };
    return company.rowJson[key % MAX_ROWS];
  };
  for (let at = 0; at < keys.length; at += ROWS_A_PIECE) {
    const some = Array.from(
      { length: Math.min(ROWS_A_PIECE, keys.length - at) },
      (_, place) => keys[at + place] ?? 0,
    );
    const found = new Map(
      dataset
        .all<Omit<StoredLine, "tail"> & { id: number }>(
          `select r.id, c.ticker, y.complete, f.period_end,
            (select group_concat(code, ' ') from (select distinct code from problems p
              where p.filing = r.filing and p.position = r.position order by code)) as problems
            from json_each(?) k join rows r on r.id = k.value join companies c on c.cik = r.cik
            join filings f on f.id = r.filing
            join years y on y.cik = r.cik and y.fiscal_year = r.fiscal_year`,
          JSON.stringify(some),
        )
        .map((line) => [line.id, line]),
    );
    yield some.flatMap((key) => {
      const [line, tail] = [found.get(key), tailOf(key)];
      return line === undefined || tail === undefined ? [] : { ...line, tail };
    });
  }
}

function flatRow(
  { ticker, tail, complete, problems, period_end: periodEnd }: StoredLine,
  columns: readonly ExportColumn[],
): FlatRow {
  const [row] = readRows(ticker, [tail]);
  if (row === undefined) throw new Error("expected one row per line");
  return columns.map(({ valueIn }) => valueIn({ row, complete: complete === 1, problems, periodEnd }));
}
