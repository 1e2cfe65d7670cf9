/** Chosen rows as CSV, JSON lines and Parquet, a piece at a time: memory does not grow with how many there are. */
import { readRows, rowHead } from "../../domain/row-text.ts";
import type { Dataset } from "../dataset.ts";
import { COLUMNS, type FlatRow } from "./flat.ts";
import { csvCell } from "./text.ts";

/** The forms in which chosen rows are streamed. */
export const STREAMED_FORMATS = ["csv", "jsonl", "parquet"] as const;
/** One of `STREAMED_FORMATS`. */
export type StreamedFormat = (typeof STREAMED_FORMATS)[number];

/** Rows read at a time: some 2 ms, between which others are answered. */
const ROWS_A_PIECE = 500;
interface Line {
  ticker: string;
  tail: string;
  complete: number;
  problems: string | null;
}

/** The rows of the keys (`rowKey`), in their order, as the bytes of a file. */
export async function* exportedRows(
  dataset: Dataset,
  keys: ArrayLike<number>,
  format: StreamedFormat,
): AsyncGenerator<Uint8Array> {
  const pieces = readPieces(dataset, keys);
  if (format === "parquet") {
    // The library is loaded by whoever needs it.
    const { parquetPieces } = await import("./parquet.ts");
    return yield* parquetPieces(dataset.info, rowsOf(pieces));
  }
  const encoder = new TextEncoder();
  if (format === "csv") yield encoder.encode(`${COLUMNS.map(({ name }) => name).join(",")}\r\n`);
  for (const lines of pieces) {
    const text =
      format === "csv"
        ? lines.map((line) => `${flatRow(line).map(csvCell).join(",")}\r\n`)
        : lines.map((line) => `${jsonOf(line)}\n`);
    yield encoder.encode(text.join(""));
    await turn();
  }
}

/** Lets whatever waits be answered first. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

async function* rowsOf(pieces: Iterable<Line[]>): AsyncGenerator<FlatRow[]> {
  for (const lines of pieces) {
    yield lines.map(flatRow);
    await turn();
  }
}

function* readPieces(dataset: Dataset, keys: ArrayLike<number>): Generator<Line[]> {
  for (let at = 0; at < keys.length; at += ROWS_A_PIECE) {
    const some = Array.from(
      { length: Math.min(ROWS_A_PIECE, keys.length - at) },
      (_, place) => keys[at + place] ?? 0,
    );
    const found = new Map(
      dataset
        .all<Line & { id: number }>(
          `select r.id, c.ticker, r.tail, y.complete,
            (select group_concat(code, ' ') from (select distinct code from problems p
              where p.filing = r.filing and p.position = r.position order by code)) as problems
            from json_each(?) k join rows r on r.id = k.value join companies c on c.cik = r.cik
            join years y on y.cik = r.cik and y.fiscal_year = r.fiscal_year`,
          JSON.stringify(some),
        )
        .map((line) => [line.id, line]),
    );
    yield some.flatMap((key) => found.get(key) ?? []);
  }
}

function flatRow({ ticker, tail, complete, problems }: Line): FlatRow {
  const [row] = readRows(ticker, [tail]);
  if (row === undefined) throw new Error("one line is one row");
  return COLUMNS.map(({ valueIn }) => valueIn({ row, complete: complete === 1, problems }));
}

/** The row as REST answers it, with what the columns of the other forms say besides. */
function jsonOf({ ticker, tail, complete, problems }: Line): string {
  const more = `"year_complete":${complete === 1},"problems":${JSON.stringify(problems)}`;
  return `${rowHead(ticker)}${tail.slice(0, -1)},${more}}`;
}
