import { counted, shellWord } from "../../lib/text.ts";
import { dirname, join, resolve } from "node:path";
import { exportedSql, STREAMED_FORMATS, type StreamedFormat } from "../../analysis/export/pieces.ts";
import { asFullDisk } from "../../dataset/installed.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { createSqlRunner, type SqlAnswer, sqlToFile, type SqlValue } from "../../operations/sql.ts";
import { OperatorError } from "../../errors.ts";
import { type View, VIEWS } from "../../analysis/sql/views.ts";
import { command, type Io, UsageError } from "../command.ts";
import { asUsage } from "./questions.ts";
import {
  ANSWER_FORMATS,
  formatOf,
  isStandard,
  type Lines,
  OUTPUT_FLAGS,
  type OutputFlags,
  printAnswer,
  requireReplaceable,
  temporaryFolder,
  wholeNumber,
  writeStream,
} from "../output.ts";

const MAX_ROWS = { fallback: 1000, min: 1, max: 100_000 };
const MAX_SECONDS = { fallback: 10, min: 1, max: 600 };
const MAX_BYTES = 64 << 20;
const FORMATS = [...ANSWER_FORMATS, "parquet"] as const;
/** Time for a statement whose rows go to a file or a pipe. */
const SECONDS_TO_FILE = 600;

/** `execcomp sql` */
export const sql = command({
  name: "sql",
  summary: "Run one SELECT over the documented views.",
  details:
    `The views are ${VIEWS.map(({ name }) => name).join(", ")}. Without a\n` +
    "statement, lists their columns. A statement runs in a separate process, which is killed at its limit of time or\n" +
    "memory. The dataset is read-only, and no other file can be read or written.",
  operands: [
    {
      name: "STATEMENT",
      about: "A statement that begins with SELECT, WITH or VALUES; `-` reads it from standard input.",
      optional: true,
    },
  ],
  flags: {
    maxRows: {
      value: "N",
      about: `At most N rows; default ${MAX_ROWS.fallback}, at most ${MAX_ROWS.max}; csv, jsonl and parquet to a file or a pipe include all. An answer that is cut exits with 1.`,
    },
    maxSeconds: {
      value: "N",
      about: `Stop after N seconds; default ${MAX_SECONDS.fallback}, for all rows ${SECONDS_TO_FILE}; at most ${MAX_SECONDS.max}.`,
    },
    ...OUTPUT_FLAGS,
    format: { ...OUTPUT_FLAGS.format, choices: FORMATS },
  },
  examples: [
    [
      `sql "SELECT ticker, executive_name, total_compensation FROM compensation WHERE is_pfo ORDER BY 3 DESC LIMIT 10"`,
      "The ten highest-paid CFOs.",
    ],
    [
      `sql "SELECT fiscal_year, median(total_compensation) FROM compensation WHERE is_peo GROUP BY 1" --format csv`,
      "Median CEO pay by year, for a spreadsheet.",
    ],
    [
      `sql "SELECT * FROM observations" --format parquet --out observations.parquet`,
      "All rows, into a file.",
    ],
    ["sql -", "A longer statement, read from standard input."],
    ["sql", "The views and their columns."],
  ],
  async run({ flags, operands: [given] }, io) {
    if (given === undefined) {
      if (io.json) io.printJson(VIEWS.map(viewJson));
      else for (const view of VIEWS) printView(view, io);
      return 0;
    }
    if (/^\S+\.sql$/i.test(given))
      throw new UsageError(
        `${given} is a file, not a statement. To run it: execcomp sql - < ${shellWord(given)}`,
      );
    const statement = given === "-" ? await io.readStdin() : given;
    const { program } = io;
    if (program === null)
      throw new OperatorError("Statements run in a separate process, which cannot be started here.");
    const whole = wholeFormat(io, flags);
    if (whole !== null) return writeWhole(io, program, statement, { ...flags, format: whole });
    const caps = {
      maxRows: readWhole("--max-rows", flags.maxRows, MAX_ROWS),
      maxSeconds: readWhole("--max-seconds", flags.maxSeconds, MAX_SECONDS),
      maxBytes: MAX_BYTES,
    };
    const runner = createSqlRunner({ program, dataDir: io.loaded.config.dataDir });
    const answer = await watched(io, caps.maxSeconds, runner.run(statement, caps));
    await printAnswer(io, flags, answer, linesOf(answer));
    if (answer.cut === null) return 0;
    const why =
      answer.cut === "rows" ? "Use --max-rows N for more" : `The result exceeds ${MAX_BYTES >> 20} MiB`;
    io.note(`Showing only the first ${counted(answer.rows.length, "row")}. ${why}.`);
    return 1;
  },
});

interface SqlFlags extends OutputFlags {
  readonly maxRows?: string | undefined;
  readonly maxSeconds?: string | undefined;
}

/** The format in which all rows are written: into a file or a pipe; null for an answer of limited size. @throws UsageError */
function wholeFormat(io: Io, { format, out }: SqlFlags): StreamedFormat | null {
  const streamed = STREAMED_FORMATS.find((one) => one === format);
  if (streamed !== undefined && io.json) formatOf(io, format);
  const isTerminal = isStandard(out) && io.columns !== null;
  if (isTerminal && streamed === "parquet")
    throw new UsageError("Parquet is binary. Name a file with --out.");
  return isTerminal ? null : (streamed ?? null);
}

/** Writes all rows of a statement; limited by time and disk only. */
async function writeWhole(
  io: Io,
  program: readonly string[],
  statement: string,
  { format, out, maxRows, maxSeconds }: SqlFlags & { format: StreamedFormat },
): Promise<number> {
  const { dataDir } = io.loaded.config;
  const to = isStandard(out) ? null : resolve(out);
  if (to !== null) requireReplaceable(to);
  using folder = temporaryFolder();
  const rows = join(folder.path, "rows");
  try {
    const seconds = readWhole("--max-seconds", maxSeconds, { ...MAX_SECONDS, fallback: SECONDS_TO_FILE });
    const most = { ...MAX_ROWS, max: 999_999_999, fallback: Number.MAX_SAFE_INTEGER };
    const request = {
      statement,
      file: rows,
      maxSeconds: seconds,
      maxRows: readWhole("--max-rows", maxRows, most),
    };
    const result = await watched(io, seconds, sqlToFile({ program, dataDir }, request));
    await writeStream(io, to ?? undefined, exportedSql(rows, result, format, openDataset(dataDir).info));
    if (!result.isCut) return 0;
    io.note(`Wrote only the first ${counted(result.rows, "row")}. Use --max-rows N for more.`);
    return 1;
  } catch (error) {
    throw asFullDisk(error, to === null ? folder.path : dirname(to));
  }
}

/** Shows how long a statement has been running, and turns a refused one into wrong usage. */
async function watched<T>(io: Io, maxSeconds: number, running: Promise<T>): Promise<T> {
  const begun = io.runtime.monotonic();
  const watch = setInterval(() => {
    const seconds = Math.round((io.runtime.monotonic() - begun) / 1000);
    io.status(`Running… ${seconds} s of at most ${maxSeconds} s`);
  }, 1000);
  return asUsage(running).finally(() => {
    clearInterval(watch);
    io.status("");
  });
}

function viewJson({ name, about, columns }: View) {
  return {
    name,
    about,
    columns: columns.map((one) => ({
      name: one.name,
      type: one.kind,
      nullable: one.nullable,
      about: one.about,
    })),
  };
}

/** Prints a view as a paragraph: its description, then its columns. */
function printView({ name, about, columns }: View, io: Io): void {
  const room = Math.max(...columns.map((column) => column.name.length));
  io.print(`${name}: ${about}`);
  for (const column of columns)
    io.print(
      `  ${column.name.padEnd(room)}  ${column.kind.padEnd(6)}  ${column.about}`,
      " ".repeat(room + 12),
    );
  io.print("");
}

function readWhole(
  flag: string,
  text: string | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  return text === undefined ? fallback : wholeNumber(min, max, " See: execcomp help sql")(flag, text);
}

/** The rows of an answer. Purely numeric columns are right-aligned; on a narrow terminal the last ones are dropped first. */
export function linesOf({ columns, rows }: SqlAnswer): Lines<Readonly<Record<string, SqlValue>>> {
  return {
    rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))),
    columns: columns.map((name, at) => ({
      head: name,
      align: rows.some((row) => typeof row[at] === "string") ? "left" : "right",
      rank: at,
      cell: (row) => String(row[name] ?? "").replaceAll(/\s+/g, " "),
    })),
    none: columns.join("  "),
    csv: () => [columns, ...rows],
  };
}
