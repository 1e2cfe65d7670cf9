/** Rows as Parquet with a typed schema, written in row groups. */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { writeDataPageV2, writePageHeader } from "hyparquet-writer/src/datapage.js";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import type { DatasetInfo } from "../../dataset/dataset.ts";
import type { ColumnKind, ExportColumn, FlatRow } from "./columns.ts";
import { hasEscape, roomFor, type StoredRows, textIn } from "./stored.ts";

/** Rows per row group, whose different values are held in memory. */
const ROWS_A_GROUP = 20_000;

type SchemaElement = NonNullable<ConstructorParameters<typeof ParquetWriter>[0]["schema"]>[number];
type ColumnChunk = ParquetWriter["row_groups"][number]["columns"][number];

const ROOT = { name: "root" };
/** How the library writes a column. */
const OPTIONS = {
  codec: "SNAPPY" as const,
  compressors: { SNAPPY: snappyCompress },
  stats: true,
  pageSize: 0,
  columnIndex: false,
  offsetIndex: false,
};
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

/** Different values of a column, each as Parquet writes it in a dictionary: numbers, or texts after their lengths. */
class Dictionary {
  bytes = new Uint8Array(1 << 12);
  size = 0;
  count = 0;
  /** For each value where it begins, and where the last one ends. */
  private begins = new Int32Array(1 << 10);
  /** A hash table of pairs: the number of a value plus one, or zero, and its hash. */
  private slots = new Int32Array(1 << 11);
  private readonly view = new DataView(new ArrayBuffer(4));

  /** @param prefix bytes of the length of each value: 4 for texts */
  constructor(private readonly prefix: 0 | 4) {}

  /** The number of a value, which is added if it is new. */
  numberOf(from: Uint8Array, begin: number, end: number): number {
    const hash = hashOf(from, begin, end);
    const { slots } = this;
    for (let slot = slotOf(hash, slots); ; slot = (slot + 2) & (slots.length - 1)) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0) return this.add(from, begin, end, hash);
      if (slots[slot + 1] === hash && this.equals(number, from, begin, end)) return number;
    }
  }

  /** Whether value `a` is before value `b`, byte by byte. */
  isBefore(a: number, b: number): boolean {
    const { bytes, begins, prefix } = this;
    let left = (begins[a] ?? 0) + prefix;
    let right = (begins[b] ?? 0) + prefix;
    const [leftEnd, rightEnd] = [begins[a + 1] ?? 0, begins[b + 1] ?? 0];
    for (; left < leftEnd && right < rightEnd; left++, right++)
      if (bytes[left] !== bytes[right]) return (bytes[left] ?? 0) < (bytes[right] ?? 0);
    return right < rightEnd;
  }

  /** A copy of a value. */
  at(number: number): Uint8Array {
    return this.bytes.slice((this.begins[number] ?? 0) + this.prefix, this.begins[number + 1]);
  }

  clear(): void {
    this.slots.fill(0);
    [this.size, this.count] = [0, 0];
  }

  private equals(number: number, from: Uint8Array, begin: number, end: number): boolean {
    const { bytes, begins } = this;
    let place = (begins[number] ?? 0) + this.prefix;
    if ((begins[number + 1] ?? 0) - place !== end - begin) return false;
    for (let at = begin; at < end; at++) if (bytes[place++] !== from[at]) return false;
    return true;
  }

  private add(from: Uint8Array, begin: number, end: number, hash: number): number {
    if (4 * this.count >= this.slots.length) this.grow();
    const number = this.count++;
    put(this.slots, number + 1, hash);
    const bytes = (this.bytes = roomFor(this.bytes, this.size + 4 + end - begin));
    if (this.prefix === 4) {
      this.view.setUint32(0, end - begin, true);
      for (let at = 0; at < 4; at++) bytes[this.size++] = this.view.getUint8(at);
    }
    for (let at = begin; at < end; at++) bytes[this.size++] = from[at] ?? 0;
    this.begins[number + 1] = this.size;
    return number;
  }

  private grow(): void {
    const { slots, begins } = this;
    this.slots = new Int32Array(2 * slots.length);
    for (let slot = 0; slot < slots.length; slot += 2)
      if (slots[slot] !== 0) put(this.slots, slots[slot] ?? 0, slots[slot + 1] ?? 0);
    this.begins = new Int32Array(slots.length);
    this.begins.set(begins);
  }
}

/** Of four bytes at a time, and of each byte of the rest. */
function hashOf(from: Uint8Array, begin: number, end: number): number {
  let hash = end - begin;
  let at = begin;
  for (; at + 4 <= end; at += 4) {
    const word =
      (from[at] ?? 0) |
      ((from[at + 1] ?? 0) << 8) |
      ((from[at + 2] ?? 0) << 16) |
      ((from[at + 3] ?? 0) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (from[at] ?? 0), 0x01000193);
  return hash;
}

function slotOf(hash: number, slots: Int32Array): number {
  return (hash ^ (hash >>> 15)) & (slots.length - 2);
}

function put(slots: Int32Array, number: number, hash: number): void {
  let slot = slotOf(hash, slots);
  while (slots[slot] !== 0) slot = (slot + 2) & (slots.length - 1);
  slots[slot] = number;
  slots[slot + 1] = hash;
}

/** A column of a row group: for each row the number of its value, so that each different one is written and compared once. */
class Column {
  readonly element;
  private readonly dictionary: Dictionary;
  /** Of each row's value; 1 or 0 of a flag, null where there is none. */
  private numbers: (number | null)[] = [];
  /** The least and the greatest value; the numbers of texts. */
  private bounds: [least: number, most: number] | undefined;
  /** The value of the row before, undefined before the first, and its number. */
  private last: FlatRow[number] | undefined;
  private lastNumber = -1;
  /** A number as it is written. */
  private readonly view = new DataView(new ArrayBuffer(8));
  private readonly viewed = new Uint8Array(this.view.buffer);

  constructor(private readonly about: ExportColumn) {
    const { name, kind, nullable } = about;
    const repetition = nullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
    this.element = { name, ...TYPES[kind], repetition_type: repetition };
    this.dictionary = new Dictionary(this.element.type === "BYTE_ARRAY" ? 4 : 0);
  }

  /** Adds the value of a row. */
  add(value: FlatRow[number]): void {
    // Most are those of the row before: of the same company or filing.
    if (value !== this.last) this.lastNumber = this.numberOf(value);
    this.last = value;
    this.push(this.lastNumber);
  }

  /** Adds the values of stored rows. @param place of their bounds after the begin of each row */
  addStored(rows: StoredRows, begins: readonly number[], place: number): void {
    const { bytes, bounds } = rows;
    let last = 0;
    let lastEnd = 0;
    let number = -1;
    for (const row of begins) {
      const begin = bounds[row + place] ?? 0;
      const end = bounds[row + place + 1] ?? 0;
      if (!isEqual(bytes, begin, end, last, lastEnd)) number = this.storedNumber(rows, begin, end);
      last = begin;
      lastEnd = end;
      this.push(number);
    }
  }

  /** Writes the rows that were added, and forgets them. */
  write(writer: ByteWriter): ColumnChunk {
    const { element, numbers } = this;
    const isFlag = element.type === "BOOLEAN";
    const levels = this.about.nullable ? numbers.map((number) => (number === null ? 0 : 1)) : [];
    const begin = writer.offset;
    const dictionarySize = isFlag ? 0 : this.writeDictionary(writer);
    const data = writer.offset;
    const encoding = isFlag ? ("RLE" as const) : ("RLE_DICTIONARY" as const);
    const size = writeDataPageV2({
      writer,
      column: { ...OPTIONS, columnName: element.name, element, schemaPath: [ROOT, element] },
      encoding,
      pageData: { values: numbers, definitionLevels: levels, repetitionLevels: [], maxDefinitionLevel: 1 },
    });
    const nulls = levels.reduce<number>((sum, level) => sum + 1 - level, 0);
    const statistics = { null_count: BigInt(nulls), ...this.extremes() };
    this.dictionary.clear();
    [this.numbers, this.bounds, this.last] = [[], undefined, undefined];
    return {
      file_offset: BigInt(begin),
      meta_data: {
        type: element.type,
        encodings: isFlag ? [encoding] : ["PLAIN", encoding],
        path_in_schema: [element.name],
        codec: OPTIONS.codec,
        num_values: BigInt(numbers.length),
        total_uncompressed_size: BigInt(dictionarySize + size),
        total_compressed_size: BigInt(writer.offset - begin),
        data_page_offset: BigInt(data),
        ...(!isFlag && { dictionary_page_offset: BigInt(begin) }),
        statistics,
      },
    };
  }

  /** @returns its size before compression, with its header */
  private writeDictionary(writer: ByteWriter): number {
    const { bytes, size, count } = this.dictionary;
    const begin = writer.offset;
    const compressed = snappyCompress(bytes.subarray(0, size));
    writePageHeader(writer, {
      type: "DICTIONARY_PAGE",
      uncompressed_page_size: size,
      compressed_page_size: compressed.length,
      dictionary_page_header: { num_values: count, encoding: "PLAIN" },
    });
    const headed = writer.offset - begin + size;
    writer.appendBytes(compressed);
    return headed;
  }

  /** @param number of the value; negative: null */
  private push(number: number): void {
    if (number < 0 && !this.about.nullable) throw new Error(`${this.about.name} is null in a row`);
    this.numbers.push(number < 0 ? null : number);
  }

  private numberOf(value: FlatRow[number]): number {
    const { type } = this.element;
    if (value === null) return -1;
    if (type === "BYTE_ARRAY") {
      const bytes = encoder.encode(String(value));
      return this.numberOfText(bytes, 0, bytes.length);
    }
    if (type === "BOOLEAN") return this.numberOfFlag(Number(value));
    if (typeof value === "string") return this.numberOfNumber(Date.parse(value) / DAY_MS);
    const scale = SCALES[this.about.kind];
    return this.numberOfNumber(scale === undefined ? Number(value) : Math.round(Number(value) * scale));
  }

  private storedNumber({ bytes, isEscaped }: StoredRows, begin: number, end: number): number {
    const { type } = this.element;
    const first = bytes[begin];
    if (first === N) return -1;
    if (type === "BOOLEAN") return this.numberOfFlag(first === T ? 1 : 0);
    if (first !== QUOTE) {
      const cents = centsIn(bytes, begin, end);
      return this.numberOfNumber(type === "INT64" ? cents : cents / 100);
    }
    if (type !== "BYTE_ARRAY" || (isEscaped && hasEscape(bytes, begin, end)))
      return this.numberOf(textIn(bytes, begin, end));
    return this.numberOfText(bytes, begin + 1, end - 1);
  }

  private numberOfText(bytes: Uint8Array, begin: number, end: number): number {
    const { dictionary } = this;
    const { count } = dictionary;
    const number = dictionary.numberOf(bytes, begin, end);
    if (number < count) return number;
    const bounds = (this.bounds ??= [number, number]);
    if (dictionary.isBefore(number, bounds[0])) bounds[0] = number;
    if (dictionary.isBefore(bounds[1], number)) bounds[1] = number;
    return number;
  }

  private numberOfFlag(value: number): number {
    this.widen(value);
    return value;
  }

  private numberOfNumber(value: number): number {
    this.widen(value);
    const { view, dictionary } = this;
    const { type } = this.element;
    if (type === "INT32") view.setInt32(0, value, true);
    else if (type === "DOUBLE") view.setFloat64(0, value, true);
    else {
      const high = Math.floor(value / TWO_32);
      view.setUint32(0, value - high * TWO_32, true);
      view.setInt32(4, high, true);
    }
    return dictionary.numberOf(this.viewed, 0, type === "INT32" ? 4 : 8);
  }

  private widen(value: number): void {
    const bounds = (this.bounds ??= [value, value]);
    if (value < bounds[0]) bounds[0] = value;
    if (value > bounds[1]) bounds[1] = value;
  }

  /** The least and the greatest value, as statistics of a column have them. */
  private extremes() {
    if (this.bounds === undefined) return {};
    const { type } = this.element;
    const written = (one: number) => {
      if (type === "BYTE_ARRAY") return this.dictionary.at(one);
      return type === "INT64" ? BigInt(one) : type === "BOOLEAN" ? one === 1 : one;
    };
    return { min_value: written(this.bounds[0]), max_value: written(this.bounds[1]) };
  }
}

const TWO_32 = 2 ** 32;
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const N = 0x6e;
const T = 0x74;

function isEqual(bytes: Uint8Array, begin: number, end: number, other: number, otherEnd: number): boolean {
  if (end - begin !== otherEnd - other) return false;
  for (let at = begin, to = other; at < end; at++, to++) if (bytes[at] !== bytes[to]) return false;
  return true;
}

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
      digits = digits * 10 + (bytes[at] ?? 0) - ZERO;
      if (decimals >= 0) decimals++;
    }
  }
  const cents = digits * (decimals <= 0 ? 100 : decimals === 1 ? 10 : 1);
  return isNegative ? -cents : cents;
}

/** A file, of which each row group is written when it is full. */
export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly columns: readonly Column[];
  private readonly file: ParquetWriter;
  private rows = 0;

  constructor(
    { edition, contentHash }: Pick<DatasetInfo, "edition" | "contentHash">,
    exported: readonly ExportColumn[],
  ) {
    this.columns = exported.map((column) => new Column(column));
    this.file = new ParquetWriter({
      writer: this.writer,
      schema: [{ ...ROOT, num_children: exported.length }, ...this.columns.map(({ element }) => element)],
      createdBy: "execcomp",
      kvMetadata: [
        { key: "edition", value: edition },
        { key: "content_hash", value: contentHash },
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
