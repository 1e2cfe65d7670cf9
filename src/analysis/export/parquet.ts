/** Rows as Parquet with a typed schema, written in row groups. */
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { DatasetInfo } from "../../dataset/dataset.ts";
import type { ColumnKind, ExportColumn } from "./columns.ts";
import type { FlatRow } from "./rows.ts";

/** Rows per row group; a group is held in memory. */
const ROWS_A_GROUP = 20_000;

type SchemaElement = NonNullable<ConstructorParameters<typeof ParquetWriter>[0]["schema"]>[number];

const STRING = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
/** Decimal types keep amounts exact to the cent. */
const decimal = (scale: number) =>
  ({ type: "INT64", converted_type: "DECIMAL", precision: 18, scale }) as const;
const TYPES: Readonly<Record<ColumnKind, Omit<SchemaElement, "name">>> = {
  text: STRING,
  date: { type: "INT32", converted_type: "DATE" },
  link: STRING,
  whole: { type: "INT32" },
  flag: { type: "BOOLEAN" },
  amount: decimal(2),
  thousands: decimal(5),
  double: { type: "DOUBLE" },
  cents: { type: "INT64" },
};

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, kind, nullable }): SchemaElement => ({
      name,
      ...TYPES[kind],
      repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
    })),
  ];
}

/** Kinds that are stored as whole numbers of 64 bits, and how many of them are one. */
const SCALES: Readonly<Partial<Record<ColumnKind, number>>> = { amount: 100, thousands: 100_000, cents: 100 };

/** Transposes rows to columns. Amounts have no statistics: comparing them would take a seventh of the time. */
function dataOf(columns: readonly ExportColumn[], rows: readonly FlatRow[]): ColumnSource[] {
  return columns.map(({ name, kind }, at) => {
    const scale = SCALES[kind];
    const stored = (value: FlatRow[number]) => {
      if (kind === "date" && typeof value === "string") return new Date(value);
      if (scale === undefined || typeof value !== "number") return value;
      return value === 0 ? 0n : BigInt(Math.round(value * scale));
    };
    return { name, data: rows.map((row) => stored(row[at] ?? null)), statistics: scale === undefined };
  });
}

/** The bytes of a file, one row group at a time, from rows that arrive in batches. */
export async function* parquetPieces(
  { edition, contentHash }: Pick<DatasetInfo, "edition" | "contentHash">,
  columns: readonly ExportColumn[],
  pieces: AsyncIterable<readonly FlatRow[]> | Iterable<readonly FlatRow[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    createdBy: "execcomp",
    kvMetadata: [
      { key: "edition", value: edition },
      { key: "content_hash", value: contentHash },
    ],
  });
  // The writer counts from the start of the file in `offset`; `index` is how much of its buffer is filled.
  const drain = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let group: FlatRow[] = [];
  const write = async () => {
    await file.write({ columnData: dataOf(columns, group), rowGroupSize: ROWS_A_GROUP });
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
