/** How commands write their answers: one list of formats, one writer, for every command with rows. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CsvCell, csvLines } from "../lib/csv.ts";
import { OperatorError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { type Flag, type Io, UsageError } from "./command.ts";
import {
  escapeControls,
  markdownTable,
  printable,
  type Style,
  type TextColumn,
  textTable,
} from "../lib/text-table.ts";

/** Output formats of answers. */
export const ANSWER_FORMATS = ["table", "csv", "json", "jsonl", "md"] as const;
/** One of the formats. */
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Flags of every command that answers with rows. */
export const OUTPUT_FLAGS = {
  format: {
    choices: ANSWER_FORMATS,
    group: "Output",
    about: "Output format; default that of the ending of --out, otherwise a table; JSON with `--json`.",
  },
  out: {
    value: "FILE",
    group: "Output",
    about: "Write to a file, in the format of its ending (.csv, .json, …); `-` is standard output.",
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** The values of `OUTPUT_FLAGS`. */
export interface OutputFlags {
  readonly format?: string | undefined;
  readonly out?: string | undefined;
}

/** The requested output format. @throws UsageError if `--json` and another `--format` are given */
export function formatOf(io: Pick<Io, "json">, given: string | undefined): AnswerFormat {
  if (io.json && given !== undefined && given !== "json")
    throw new UsageError(
      `--json and --format ${given}, or an --out that ends so, contradict each other. Give one of them.`,
    );
  // Other values have been refused because of `choices`.
  return io.json ? "json" : ((given ?? "table") as AnswerFormat);
}

/** Whether an answer goes to standard output. */
export function isStandard(out: string | undefined): out is undefined | "-" {
  return out === undefined || out === "-";
}

/** The rows of an answer, and how to show them. */
export interface Lines<T> {
  rows: readonly T[];
  columns: readonly TextColumn<T>[];
  /** Shown instead of a table without rows. */
  none: string;
  /** Header and rows for CSV; the columns of the table by default. */
  csv?: () => readonly (readonly CsvCell[])[];
  /** What JSON Lines have of a row; by default the row. */
  record?: (row: T) => unknown;
  /** The whole text of these formats, where it is more than a table, for a terminal's width and marks; null for a file. */
  texts?: Partial<Record<"table" | "md", (width: number | null, style: Style | null) => string>>;
}

/** Writes an answer in the requested format: JSON in full, otherwise its rows. @returns the format */
export async function printAnswer<T>(
  io: Io,
  { format: given, out }: OutputFlags,
  answer: unknown,
  { rows, columns, none, csv, texts, record = (row) => row }: Lines<T>,
): Promise<AnswerFormat> {
  const format = formatOf(io, given);
  const [width, style] = isStandard(out) ? [io.columns, io.style] : [null, null];
  const text = {
    json: () => JSON.stringify(answer, null, 2),
    jsonl: () => rows.map((row) => JSON.stringify(record(row))).join("\n"),
    csv: () => csvLines(csv?.() ?? cellsOf(columns, rows)).join("\n"),
    md: texts?.md ?? (() => markdownTable(columns, rows)),
    table: texts?.table ?? (() => (rows.length === 0 ? none : textTable(columns, rows, width, style))),
  }[format](width, style);
  // No rows are no lines: an empty one is not JSON.
  const isEmpty = format === "jsonl" && rows.length === 0;
  // A table has been made of printable cells and may contain a terminal's marks.
  if (isStandard(out) && isEmpty) return format;
  if (isStandard(out))
    await io.page(
      format === "table" ? text : format.startsWith("json") ? escapeControls(text) : printable(text),
    );
  // A regular file is replaced atomically; a device or pipe is written directly.
  else if (isReplaceable(out)) replaceFile(out, isEmpty ? "" : `${text}\n`);
  else if (!isEmpty) writeFileSync(out, `${text}\n`);
  return format;
}

/** Header and rows for CSV: the members named by `head`, which a table without rows has too. */
export function csvOfRecords<Name extends string>(
  head: readonly Name[],
  records: readonly Readonly<Record<Name, CsvCell>>[],
): CsvCell[][] {
  return [[...head], ...records.map((record) => head.map((name) => record[name] ?? null))];
}

function cellsOf<T>(columns: readonly TextColumn<T>[], rows: readonly T[]): CsvCell[][] {
  return [
    columns.map(({ head }) => head),
    ...rows.map((row) => columns.map(({ cell, align }) => csvCell(cell(row), align === "right"))),
  ];
}

/** The cell of a table as a value: a number, which text would not be for a spreadsheet, or nothing for a dash. */
function csvCell(text: string, isNumber: boolean): CsvCell {
  if (text === "–") return null;
  return isNumber && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Writes an answer in pieces, which may be larger than memory. A regular file is replaced once they are complete. */
export async function writeStream(
  io: Pick<Io, "write">,
  out: string | undefined,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  if (isStandard(out)) for await (const piece of pieces) await io.write(piece);
  else if (!isReplaceable(out)) for await (const piece of pieces) appendFileSync(out, piece);
  else {
    const { writePieces } = await import("../analysis/export/index.ts");
    try {
      await writePieces(`${out}.part`, pieces);
      renameSync(`${out}.part`, out);
    } finally {
      rmSync(`${out}.part`, { force: true });
    }
  }
}

/** Whether a finished file may replace what is at a path: nothing, or a regular file. */
function isReplaceable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** A new folder that is deleted when it is disposed of. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "execcomp-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** @throws OperatorError for a device, a pipe or a folder, which moving a file there would destroy */
export function requireReplaceable(path: string): void {
  if (!isReplaceable(path))
    throw new OperatorError(`${path} is not a regular file and cannot be replaced. Specify a file.`);
}

/** Reads a flag that is a date. @throws UsageError unless it is a calendar date as YYYY-MM-DD */
export function readDay(flag: string, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (isDay && new Date(text).toISOString().startsWith(text)) return text;
  throw new UsageError(`Cannot read ${flag} ${JSON.stringify(text)}: expected a date such as 2026-03-31.`);
}

/** A flag whose value is a whole number within bounds. */
export function numberFlag(about: string, least: number, most: number, value = "N") {
  return { value, about, reads: wholeNumber(least, most) };
}

/** Reads a whole number within bounds. @param see appended to the refusal */
export const wholeNumber =
  (least: number, most: number, see = "") =>
  (flag: string, text: string): number => {
    const number = Number(text);
    if (/^-?\d{1,9}$/.test(text) && number >= least && number <= most) return number;
    throw new UsageError(
      `Cannot read ${flag} ${JSON.stringify(text)}: expected a whole number from ${least} to ${most}.${see}`,
    );
  };
