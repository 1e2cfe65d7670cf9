/** Rows as Parquet with a typed schema, written in row groups. */
import { int32At, uint8At } from "../../lib/checked-access.ts";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { writePlain } from "hyparquet-writer/src/plain.js";
import { editionName } from "../../domain/edition.ts";
import type { DatasetInfo } from "../../dataset/dataset.ts";
import type { ColumnKind, ExportColumn, FlatRow } from "./columns.ts";
import { hasEscape, Piece, type StoredRows, textIn } from "./stored.ts";
import { DAY_MS } from "../../domain/fiscal-year.ts";

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
const encoder = new TextEncoder();

/** A column of a row group: its values one after another. What repeats is left to the compression. */
class ColumnWriter {
  readonly element;
  private readonly values = new Piece();
  private rows = 0;
  private nulls = 0;
  /** Of each row: 1, or 0 where there is no value. */
  private readonly levels = new Uint8Array(ROWS_A_GROUP);
  private least = Infinity;
  private most = -Infinity;
  private readonly double = new Float64Array(1);
  private readonly doubleBytes = new Uint8Array(this.double.buffer);

  constructor(private readonly about: ExportColumn) {
    const { name, kind, nullable } = about;
    const repetition = nullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
    this.element = { name, ...TYPES[kind], repetition_type: repetition };
  }

  /** Adds the value of a row. */
  add(value: FlatRow[number]): void {
    const { type } = this.element;
    if (value === null) this.addNull();
    else if (type === "BYTE_ARRAY") {
      const bytes = encoder.encode(String(value));
      this.addText(bytes, 0, bytes.length);
    } else if (typeof value === "string") this.addNumber(Date.parse(value) / DAY_MS);
    else {
      const scale = SCALES[this.about.kind];
      this.addNumber(scale === undefined ? Number(value) : Math.round(Number(value) * scale));
    }
  }

  /** Adds the values of stored rows. @param place of their bounds after the begin of each row */
  addStored({ bytes, bounds, isEscaped }: StoredRows, begins: readonly number[], place: number): void {
    const { type } = this.element;
    for (const row of begins) {
      const begin = int32At(bounds, row + place);
      const end = int32At(bounds, row + place + 1);
      const first = bytes[begin];
      if (first === N) this.addNull();
      else if (first !== QUOTE) {
        const cents = type === "BOOLEAN" ? 100 * Number(first === T) : centsIn(bytes, begin, end);
        this.addNumber(type === "INT64" ? cents : cents / 100);
      } else if (type === "INT32") this.addNumber(dayIn(bytes, begin + 1));
      else if (!(isEscaped && hasEscape(bytes, begin, end))) this.addText(bytes, begin + 1, end - 1);
      else this.add(textIn(bytes, begin, end));
    }
  }

  /** Writes the rows that were added, and forgets them. */
  write(writer: ByteWriter): ColumnChunk {
    const { element, rows, nulls, values } = this;
    const begin = writer.offset;
    const levels = this.levels.subarray(0, rows);
    const [head, packed] = [new ByteWriter(), new ByteWriter()];
    if (this.about.nullable) writeRleBitPackedHybrid(head, levels, 1);
    const statistics = { null_count: BigInt(nulls), ...this.extremes() };
    let plain = values.written();
    if (element.type === "BOOLEAN") {
      const flags = Array.from(plain, (flag) => flag === 1);
      writePlain(packed, flags, element.type, undefined);
      plain = packed.getBytes();
    }
    const compressed = Bun.zstdCompressSync(plain, { level: 1 });
    writePageHeader(writer, {
      type: "DATA_PAGE_V2",
      uncompressed_page_size: head.offset + plain.length,
      compressed_page_size: head.offset + compressed.length,
      data_page_header_v2: {
        num_values: rows,
        num_nulls: nulls,
        num_rows: rows,
        encoding: "PLAIN",
        definition_levels_byte_length: head.offset,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    });
    const size = writer.offset - begin + head.offset + plain.length;
    writer.appendBytes(head.getBytes());
    writer.appendBytes(compressed);
    [values.length, this.rows, this.nulls, this.least, this.most] = [0, 0, 0, Infinity, -Infinity];
    return {
      file_offset: BigInt(begin),
      meta_data: {
        type: element.type,
        encodings: ["PLAIN"],
        path_in_schema: [element.name],
        codec: "ZSTD",
        num_values: BigInt(rows),
        total_uncompressed_size: BigInt(size),
        total_compressed_size: BigInt(writer.offset - begin),
        data_page_offset: BigInt(begin),
        statistics,
      },
    };
  }

  private addNull(): void {
    if (!this.about.nullable) throw new Error(`${this.about.name} is null in a row`);
    this.nulls++;
    this.levels[this.rows++] = 0;
  }

  private addText(bytes: Uint8Array, begin: number, end: number): void {
    const { values } = this;
    this.levels[this.rows++] = 1;
    values.int32(end - begin);
    values.copy(bytes, begin, end);
  }

  private addNumber(value: number): void {
    const { values } = this;
    this.levels[this.rows++] = 1;
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
    const { type } = this.element;
    if (type === "BOOLEAN") values.copy(FLAGS, value, value + 1);
    else if (type === "DOUBLE") {
      this.double[0] = value;
      values.copy(this.doubleBytes, 0, 8);
    } else {
      // Of a number that has more bits than 32 it writes the lower ones.
      values.int32(value);
      if (type === "INT64") values.int32(Math.floor(value / TWO_32));
    }
  }

  /** The least and the greatest value, as statistics have them; of texts they would cost a quarter of the file. */
  private extremes() {
    if (this.least === Infinity) return {};
    const { type } = this.element;
    const written = (one: number) => (type === "INT64" ? BigInt(one) : type === "BOOLEAN" ? one === 1 : one);
    return { min_value: written(this.least), max_value: written(this.most) };
  }
}

const FLAGS = Uint8Array.of(0, 1);
const TWO_32 = 2 ** 32;
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const N = 0x6e;
const T = 0x74;

/** The hundredths of a number that `writeCents` wrote. */
function centsIn(bytes: Uint8Array, begin: number, end: number): number {
  let digits = 0;
  let decimals = -1;
  let at = begin;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at++;
  for (; at < end; at++) {
    if (bytes[at] === POINT) decimals = 0;
    else {
      digits = digits * 10 + uint8At(bytes, at) - ZERO;
      if (decimals >= 0) decimals++;
    }
  }
  const cents = digits * (decimals <= 0 ? 100 : decimals === 1 ? 10 : 1);
  return isNegative ? -cents : cents;
}

/** The day of a date (YYYY-MM-DD), in days since 1970. */
function dayIn(bytes: Uint8Array, begin: number): number {
  const part = (from: number, to: number) => centsIn(bytes, begin + from, begin + to) / 100;
  return Date.UTC(part(0, 4), part(5, 7) - 1, part(8, 10)) / DAY_MS;
}

/** A file, of which each row group is written when it is full. */
export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly columns: readonly ColumnWriter[];
  private readonly file: ParquetWriter;
  private rows = 0;

  constructor(
    info: Pick<DatasetInfo, "edition" | "sequence" | "contentHash">,
    exported: readonly ExportColumn[],
  ) {
    this.columns = exported.map((column) => new ColumnWriter(column));
    this.file = new ParquetWriter({
      writer: this.writer,
      schema: [{ ...ROOT, num_children: exported.length }, ...this.columns.map(({ element }) => element)],
      createdBy: "execcomp",
      kvMetadata: [
        { key: "edition", value: editionName(info) },
        { key: "content_hash", value: info.contentHash },
      ],
    });
  }

  /** Adds a row. */
  add(row: FlatRow): void {
    this.columns.forEach((column, at) => column.add(row[at] ?? null));
    this.rows++;
  }

  /** Adds stored rows, as many as the row group has room for. @param begins of their values in `bounds` @returns their number */
  addStored(rows: StoredRows, begins: readonly number[]): number {
    const fitting = begins.slice(0, ROWS_A_GROUP - this.rows);
    this.columns.forEach((column, at) => column.addStored(rows, fitting, 2 * at));
    this.rows += fitting.length;
    return fitting.length;
  }

  /** Whether the row group has to be written before another row is added. */
  get isFull(): boolean {
    return this.rows === ROWS_A_GROUP;
  }

  /** The row group, column by column. */
  *group(): Generator<Uint8Array> {
    const chunks: ColumnChunk[] = [];
    for (const column of this.columns) {
      chunks.push(column.write(this.writer));
      yield this.written();
    }
    const sizes = chunks.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
    this.file.row_groups.push({
      columns: chunks,
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      num_rows: BigInt(this.rows),
    });
    this.file.num_rows += BigInt(this.rows);
    this.rows = 0;
  }

  /** The last rows, and what ends the file. */
  *finish(): Generator<Uint8Array> {
    if (this.rows > 0) yield* this.group();
    void this.file.finish();
    yield this.written();
  }

  /** What was written since. The writer counts from the start of the file in `offset`; `index` is how much of its buffer is filled. */
  private written(): Uint8Array {
    const bytes = this.writer.getBytes().slice();
    this.writer.index = 0;
    return bytes;
  }
}
