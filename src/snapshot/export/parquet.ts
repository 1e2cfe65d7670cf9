/** Rows as Parquet with a typed schema, a row group at a time. */
import {
  type BasicType,
  ByteWriter,
  type ColumnSource,
  ParquetWriter,
  schemaFromColumnData,
} from "hyparquet-writer";
import type { Dataset, DatasetInfo } from "../dataset.ts";
import type { FieldKind } from "../../domain/row-fields.ts";
import { COLUMNS, type FlatRow, flatRows } from "./flat.ts";

/** Rows of a group: they stand in memory together. */
const ROWS_A_GROUP = 20_000;
const ROWS_A_BATCH = 1000;

const TYPES: Readonly<Record<FieldKind, BasicType>> = {
  text: "STRING",
  date: "STRING",
  link: "STRING",
  whole: "INT32",
  flag: "BOOLEAN",
  amount: "DOUBLE",
};

/** The bytes of the file. Amounts are doubles in whole units of `reporting_currency`, exact to the cent. */
export async function parquetBytes(dataset: Dataset): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of parquetPieces(dataset.info, batches(flatRows(dataset)))) pieces.push(piece);
  return Buffer.concat(pieces);
}

function* batches(rows: Iterable<FlatRow>): Generator<FlatRow[]> {
  let batch: FlatRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_A_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** The values of the rows by column, with their types. */
function columnsOf(rows: readonly FlatRow[]): ColumnSource[] {
  return COLUMNS.map(({ name, kind, nullable }, at) => ({
    name,
    data: rows.map((row) => row[at] ?? null),
    type: TYPES[kind],
    nullable,
  }));
}

/** The bytes of a file of rows that come some at a time, a row group at a time. */
export async function* parquetPieces(
  { edition, contentHash }: Pick<DatasetInfo, "edition" | "contentHash">,
  pieces: AsyncIterable<readonly FlatRow[]> | Iterable<readonly FlatRow[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    createdBy: "execcomp",
    kvMetadata: [
      { key: "edition", value: edition },
      { key: "content_hash", value: contentHash },
    ],
  });
  // The writer counts from the file's beginning in `offset`, and `index` says how much of its buffer is full.
  const drain = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let group: FlatRow[] = [];
  const write = async () => {
    await file.write({ columnData: columnsOf(group), rowGroupSize: ROWS_A_GROUP });
    group = [];
    return drain();
  };
  for await (const rows of pieces) {
    group.push(...rows);
    if (group.length >= ROWS_A_GROUP) yield await write();
  }
  if (group.length > 0) yield await write();
  await file.finish();
  yield drain();
}
