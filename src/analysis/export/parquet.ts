/** Rows as Parquet with a typed schema, written in row groups. */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { writeDataPageV2 } from "hyparquet-writer/src/datapage.js";
import { writeDictionaryPage } from "hyparquet-writer/src/dictionary.js";
import type { DatasetInfo } from "../../dataset/dataset.ts";
import type { ColumnKind, ExportColumn } from "./columns.ts";
import type { FlatRow } from "./rows.ts";

/** Rows per row group, whose different values are held in memory. */
const ROWS_A_GROUP = 20_000;

type SchemaElement = NonNullable<ConstructorParameters<typeof ParquetWriter>[0]["schema"]>[number];
type ColumnChunk = ParquetWriter["row_groups"][number]["columns"][number];

const ROOT = { name: "root" };
const STRING = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
/** Decimal types keep amounts exact to the cent. */
const decimal = (scale: number) =>
  ({ type: "INT64", converted_type: "DECIMAL", precision: 18, scale }) as const;
const TYPES = {
  text: STRING,
  date: { type: "INT32", converted_type: "DATE" },
  link: STRING,
  whole: { type: "INT32" },
  flag: { type: "BOOLEAN" },
  amount: decimal(2),
  thousands: decimal(5),
  double: { type: "DOUBLE" },
  cents: { type: "INT64" },
} as const satisfies Readonly<Record<ColumnKind, Omit<SchemaElement, "name">>>;

/** Kinds that are stored as whole numbers of 64 bits, and how many of them are one. */
const SCALES: Readonly<Partial<Record<ColumnKind, number>>> = { amount: 100, thousands: 100_000, cents: 100 };
const DAY_MS = 86_400_000;
const encoder = new TextEncoder();

type Value = NonNullable<FlatRow[number]>;

type Physical = Uint8Array | bigint | number | boolean;

/** A value as Parquet stores it. */
function physical(kind: ColumnKind, value: Value): Physical {
  const scale = SCALES[kind];
  if (kind === "date") return Date.parse(String(value)) / DAY_MS;
  if (scale !== undefined) return BigInt(Math.round(Number(value) * scale));
  return typeof value === "string" ? encoder.encode(value) : value;
}

/** The statistics of a column. @param values different ones, of one type */
function statisticsOf(values: readonly Physical[], nulls: number) {
  let [least, most] = [values[0], values[0]];
  for (const value of values) {
    if (least !== undefined && isBefore(value, least)) least = value;
    else if (most !== undefined && isBefore(most, value)) most = value;
  }
  const bounds = least === undefined || most === undefined ? {} : { min_value: least, max_value: most };
  return { null_count: BigInt(nulls), ...bounds };
}

function isBefore(a: Physical, b: Physical): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) < 0;
  return a < b;
}

/**
 * A column of a row group. Values are numbered as they come, so that only different ones are converted and compared: the
 * library, given all values, takes as long as everything else.
 */
class Column {
  readonly element;
  private places = new Map<Value, number>();
  /** For each row the number of its value. */
  private numbers: (number | null)[] = [];

  constructor(private readonly about: ExportColumn) {
    const { name, kind, nullable } = about;
    const repetition = nullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
    this.element = { name, ...TYPES[kind], repetition_type: repetition };
  }

  /** Adds a column of rows. */
  add(rows: readonly FlatRow[], at: number): void {
    const { places, numbers, about } = this;
    let [last, number]: [FlatRow[number], number | null] = [null, null];
    for (const row of rows) {
      const value = row[at] ?? null;
      // Most are those of the row before: of the same company or filing.
      if (value !== last)
        [last, number] = [value, value === null ? null : places.getOrInsert(value, places.size)];
      if (number === null && !about.nullable) throw new Error(`${about.name} is null in a row`);
      numbers.push(number);
    }
  }

  /** Writes the rows that were added, and forgets them. */
  write(
    writer: ByteWriter,
    { codec, compressors }: Pick<ParquetWriter, "codec" | "compressors">,
  ): ColumnChunk {
    const { element, numbers: rows } = this;
    const { name, kind, nullable } = this.about;
    const values = Array.from(this.places.keys(), (value) => physical(kind, value));
    this.numbers = [];
    this.places = new Map();
    const begin = writer.offset;
    const column = {
      columnName: name,
      element,
      schemaPath: [ROOT, element],
      codec,
      compressors: { SNAPPY: compressors.SNAPPY },
      stats: true,
      pageSize: 0,
      columnIndex: false,
      offsetIndex: false,
    };
    const isFlag = kind === "flag";
    let size = isFlag ? 0 : writeDictionaryPage(writer, column, values);
    const data = writer.offset;
    const encoding = isFlag ? "RLE" : "RLE_DICTIONARY";
    const pageData = {
      values: isFlag ? rows.map((row) => (row === null ? null : values[row])) : rows,
      definitionLevels: nullable ? rows.map((row) => (row === null ? 0 : 1)) : [],
      repetitionLevels: [],
      maxDefinitionLevel: nullable ? 1 : 0,
    };
    size += writeDataPageV2({ writer, column, encoding, pageData });
    return {
      file_offset: BigInt(begin),
      meta_data: {
        type: element.type,
        encodings: isFlag ? [encoding] : ["PLAIN", encoding],
        path_in_schema: [name],
        codec,
        num_values: BigInt(rows.length),
        total_uncompressed_size: BigInt(size),
        total_compressed_size: BigInt(writer.offset - begin),
        data_page_offset: BigInt(data),
        ...(!isFlag && { dictionary_page_offset: BigInt(begin) }),
        statistics: statisticsOf(values, rows.filter((row) => row === null).length),
      },
    };
  }
}

/** The bytes of a file, one row group at a time, from rows that arrive in batches. */
export async function* parquetPieces(
  { edition, contentHash }: Pick<DatasetInfo, "edition" | "contentHash">,
  exported: readonly ExportColumn[],
  pieces: AsyncIterable<readonly FlatRow[]> | Iterable<readonly FlatRow[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const columns = exported.map((column) => new Column(column));
  const file = new ParquetWriter({
    writer,
    schema: [{ ...ROOT, num_children: columns.length }, ...columns.map(({ element }) => element)],
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
  let count = 0;
  const writeGroup = () => {
    const chunks = columns.map((column) => column.write(writer, file));
    const sizes = chunks.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
    file.row_groups.push({
      columns: chunks,
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      num_rows: BigInt(count),
    });
    file.num_rows += BigInt(count);
    count = 0;
    return drain();
  };
  for await (const rows of pieces) {
    columns.forEach((column, at) => column.add(rows, at));
    count += rows.length;
    if (count >= ROWS_A_GROUP) yield writeGroup();
  }
  if (count > 0) yield writeGroup();
  await file.finish();
  yield drain();
}
