/**
 * Served rows as bytes: the values of the standard columns are copied from the stored JSON of a company, and none is read. A
 * row costs a tenth of what its values would cost, and leaves no garbage.
 */
import { elementAt, float64At, int32At, uint16At, uint8At } from "../../lib/checked-access.ts";
import {
  ROW_EVIDENCE,
  ROW_FIELDS,
  type RowEvidence,
  rowHead,
  SOURCE_FIELDS,
} from "../../domain/row-fields.ts";
import { csvRow, FORMULA_STARTS } from "../../lib/csv.ts";
import { countBefore } from "../../dataset/arrays.ts";
import { type Columns, evidenceIn, loadColumns } from "../../dataset/columns/columns.ts";
import { type Dataset, MAX_ROWS } from "../../dataset/dataset.ts";
import { YEAR_COMPLETE } from "../../dataset/row-json.ts";
import { COLUMNS } from "./columns.ts";

/** Bytes in the JSON of a row between one value and the next, in the order of the columns (`row-json.ts`). */
const GAPS = [
  rowHead("").length - `"",`.length,
  ...ROW_FIELDS.slice(1).map(({ name }) => `,"${name}":`.length),
  ...SOURCE_FIELDS.map(({ name }, at) => (at === 0 ? ',"source":{' : ",").length + `"${name}":`.length),
];
/** Bytes after the last value, with the comma between rows. */
const LAST_GAP = "}},".length;
/** Fewer bytes than any row has. */
const ROW_BYTES = GAPS.reduce((sum, gap) => sum + gap, LAST_GAP);
/** Numbers in `bounds` for each row. */
const WIDTH = 2 * COLUMNS.length;

const [TRUE, FALSE, NULL] = ["true", "false", "null"];
/** Values that the JSON of a company does not have: put after it. */
const WORDS = `${TRUE} ${FALSE} ${NULL} ${ROW_EVIDENCE.map((one) => JSON.stringify(one)).join(" ")} `;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACE = 0x7d;
const N = 0x6e;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** SQL by hand: an export of every row reads each company by it, in one look-up (`growth`). */
const COMPANY = `select years, json, (select json_group_object(place, problems) from rows r
    where r.id >= c.cik * ${MAX_ROWS} and r.id < (c.cik + 1) * ${MAX_ROWS} and problems is not null) as problems
  from company_rows c where cik = ?`;

/** Bytes of companies that are held at once: about a hundred rows, which stay in the processor's cache. */
const HELD_BYTES = 1 << 17;

/** The rows of some companies after those of others, in the same memory. */
export class StoredRows {
  /** JSON of every value. */
  bytes = new Uint8Array(HELD_BYTES);
  /** Where the values of a row begin and end: those of column `c` at `bounds[begin + 2 * c]` and the next. */
  bounds = new Int32Array(HELD_BYTES / 8);
  /** Whether a text has an escape. */
  isEscaped = false;
  private used = 0;
  private found = 0;
  private readonly columns: Pick<Columns, "key" | "traits">;

  constructor(private readonly dataset: Dataset) {
    this.columns = loadColumns(dataset);
  }

  /** Yields `begin` of the rows with these keys, some at a time. Those of a company should be adjacent. */
  *visit(keys: ArrayLike<number>): Generator<readonly number[]> {
    let begins: number[] = [];
    let read = -1;
    let first = 0;
    for (let at = 0; at < keys.length; at++) {
      const key = elementAt(keys, at);
      const cik = Math.floor(key / MAX_ROWS);
      if (cik !== read) {
        if (this.used > HELD_BYTES / 2) {
          yield begins;
          begins = [];
          [this.used, this.found, this.isEscaped] = [0, 0, false];
        }
        first = this.found;
        this.read(cik);
        read = cik;
      }
      const begin = (first + (key % MAX_ROWS) * WIDTH) | 0;
      if (begin < this.found) begins.push(begin);
    }
    yield begins;
  }

  private read(cik: number): void {
    const [line] = this.dataset.all<{
      years: string;
      json: Uint8Array;
      problems: string;
    }>(COMPANY, cik);
    if (line === undefined) return;
    const { json } = line;
    const begin = this.used;
    const end = begin + json.length;
    this.bytes = roomFor(this.bytes, end + 3 * (WORDS.length + line.problems.length));
    this.bytes.set(json, begin);
    this.isEscaped ||= json.includes(BACKSLASH);
    const most = this.found + Math.ceil(json.length / ROW_BYTES) * WIDTH;
    if (this.bounds.length < most) {
      const { bounds } = this;
      this.bounds = new Int32Array(2 * most);
      this.bounds.set(bounds);
    }
    const first = this.found;
    // Written by `companyJson`.
    const years = JSON.parse(line.years) as [number, number, number][];
    this.findValues(begin, end, years, this.evidenceOf(cik));
    this.used = end + encoder.encodeInto(WORDS, this.bytes.subarray(end)).written;
    this.addProblems(first, JSON.parse(line.problems));
  }

  /** How each row of a company is known, in the order of its JSON. */
  private evidenceOf(cik: number): RowEvidence[] {
    const { key, traits } = this.columns;
    const found: RowEvidence[] = [];
    // The rows of a company are adjacent, and companies ascend.
    const first = countBefore(key.length, (row) => float64At(key, row) < cik * MAX_ROWS);
    for (let row = first; row < key.length && float64At(key, row) < (cik + 1) * MAX_ROWS; row++)
      found[float64At(key, row) % MAX_ROWS] = evidenceIn(uint16At(traits, row));
    return found;
  }

  /** @param years with the end of the last row of each */
  private findValues(
    begin: number,
    end: number,
    years: readonly [number, number, number][],
    evidence: readonly RowEvidence[],
  ): void {
    const { bytes, bounds } = this;
    let at = begin;
    let to = this.found;
    let [year, row] = [0, 0];
    while (at < end) {
      for (const gap of GAPS) {
        at += gap;
        bounds[to++] = at;
        at = endOf(bytes, at);
        bounds[to++] = at;
      }
      while (at - begin > elementAt(years, year)[2]) year++;
      const complete = (elementAt(years, year)[1] & YEAR_COMPLETE) === 0 ? FALSE : TRUE;
      for (const word of [complete, NULL, JSON.stringify(evidence[row++])]) {
        const place = end + WORDS.indexOf(word);
        bounds[to++] = place;
        bounds[to++] = place + word.length;
      }
      at += LAST_GAP;
    }
    this.found = to;
  }

  private addProblems(first: number, problems: Readonly<Record<string, string>>): void {
    for (const place in problems) {
      // Behind them is how the row is known.
      const end = first + (Number(place) + 1) * WIDTH - 2;
      this.bounds[end - 2] = this.used;
      this.used += encoder.encodeInto(
        JSON.stringify(problems[place]),
        this.bytes.subarray(this.used),
      ).written;
      this.bounds[end - 1] = this.used;
    }
  }
}

/** The end of the JSON value that begins here. */
function endOf(bytes: Uint8Array, begin: number): number {
  let at = begin;
  if (bytes[at] === QUOTE) {
    while (bytes[++at] !== QUOTE) if (bytes[at] === BACKSLASH) at++;
    return at + 1;
  }
  while (bytes[at] !== COMMA && bytes[at] !== BRACE) at++;
  return at;
}

/** An array with the same bytes and room for more. */
export function roomFor(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(2 * size);
  larger.set(bytes);
  return larger;
}

/** A piece of a file being written. */
export class Piece {
  length = 0;
  private bytes = new Uint8Array(1 << 18);

  /** Appends bytes of an array. */
  copy(from: Uint8Array, begin: number, end: number): void {
    const bytes = (this.bytes = roomFor(this.bytes, this.length + end - begin));
    let to = this.length;
    for (let at = begin; at < end; at++) bytes[to++] = uint8At(from, at);
    this.length = to;
  }

  /** Appends a text. */
  write(text: string): void {
    const bytes = encoder.encode(text);
    this.copy(bytes, 0, bytes.length);
  }

  /** Appends the lower 32 bits of a whole number, the lowest byte first. */
  int32(value: number): void {
    const bytes = (this.bytes = roomFor(this.bytes, this.length + 4));
    const to = this.length;
    const bits = value | 0;
    bytes[to] = bits;
    bytes[to + 1] = bits >> 8;
    bytes[to + 2] = bits >> 16;
    bytes[to + 3] = bits >> 24;
    this.length = to + 4;
  }

  /** What was written, until more is. */
  written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  /** What was written, which is then forgotten. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const COMMA_BYTE = encoder.encode(",");
const LINE_END = encoder.encode("\r\n");
const OBJECT_END = encoder.encode("}\n");
const NAMES = COLUMNS.map(({ name }, at) => encoder.encode(`${at === 0 ? "{" : ","}"${name}":`));

/** Write the row that begins at an index of `bounds`. */
export const WRITE_ROW = {
  csv({ bytes, bounds, isEscaped }: StoredRows, begin: number, piece: Piece): void {
    for (let at = begin; at < begin + WIDTH; at += 2) {
      if (at > begin) piece.copy(COMMA_BYTE, 0, 1);
      writeCell(bytes, int32At(bounds, at), int32At(bounds, at + 1), isEscaped, piece);
    }
    piece.copy(LINE_END, 0, LINE_END.length);
  },
  jsonl({ bytes, bounds }: StoredRows, begin: number, piece: Piece): void {
    for (let column = 0; column < NAMES.length; column++) {
      const name = NAMES[column] ?? COMMA_BYTE;
      piece.copy(name, 0, name.length);
      piece.copy(bytes, int32At(bounds, begin + 2 * column), int32At(bounds, begin + 2 * column + 1));
    }
    piece.copy(OBJECT_END, 0, OBJECT_END.length);
  },
};

/** Text that begins so, or has an escape, is not the same in CSV and in JSON. */
const FORMULA = encoder.encode(FORMULA_STARTS);

function writeCell(bytes: Uint8Array, begin: number, end: number, isEscaped: boolean, piece: Piece): void {
  const first = bytes[begin];
  if (first === N) return;
  if (first !== QUOTE) piece.copy(bytes, begin, end);
  else if (end - begin === 2) return;
  else if (FORMULA.includes(uint8At(bytes, begin + 1)) || (isEscaped && hasEscape(bytes, begin, end)))
    piece.write(csvRow([textIn(bytes, begin, end)]));
  else piece.copy(bytes, begin, end);
}

/** Whether a text has an escape. */
export function hasEscape(bytes: Uint8Array, begin: number, end: number): boolean {
  for (let at = begin; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** The text of a JSON string. */
export function textIn(bytes: Uint8Array, begin: number, end: number): string {
  return String(JSON.parse(decoder.decode(bytes.subarray(begin, end))));
}
