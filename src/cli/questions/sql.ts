import { createSqlRunner, type SqlAnswer, type SqlValue, StatementStopped } from "../../operations/sql.ts";
import { OperatorError, ServiceError } from "../../errors.ts";
import { type View, VIEWS } from "../../analysis/sql/views.ts";
import { command, UsageError } from "../command.ts";
import { counted, type Lines, OUTPUT_FLAGS, printAnswer } from "../output.ts";
import { shortened } from "../text-table.ts";

const MAX_ROWS = { fallback: 1000, min: 1, max: 100_000 };
const MAX_SECONDS = { fallback: 10, min: 1, max: 600 };
const MAX_BYTES = 64 << 20;

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
      about: `At most N rows; default ${MAX_ROWS.fallback}, at most ${MAX_ROWS.max}.`,
    },
    maxSeconds: {
      value: "N",
      about: `Stop after N seconds; default ${MAX_SECONDS.fallback}, at most ${MAX_SECONDS.max}.`,
    },
    ...OUTPUT_FLAGS,
  },
  settings: [],
  examples: [
    [
      `sql "SELECT ticker, executive_name, total_compensation FROM compensation WHERE is_pfo ORDER BY 3 DESC LIMIT 10"`,
      "The ten highest-paid CFOs.",
    ],
    [
      `sql "SELECT fiscal_year, median(total_compensation) FROM compensation WHERE is_peo GROUP BY 1" --format csv`,
      "Median CEO pay by year, for a spreadsheet.",
    ],
    ["sql -", "A longer statement, read from standard input."],
    ["sql", "The views and their columns."],
  ],
  async run({ flags, operands: [given] }, io) {
    if (given === undefined) {
      if (io.json) io.printJson(VIEWS.map(viewJson));
      else for (const line of VIEWS.flatMap((view) => viewLines(view, io.columns))) io.print(line);
      return 0;
    }
    const caps = {
      maxRows: readWhole("--max-rows", flags.maxRows, MAX_ROWS),
      maxSeconds: readWhole("--max-seconds", flags.maxSeconds, MAX_SECONDS),
      maxBytes: MAX_BYTES,
    };
    const statement = given === "-" ? await io.readStdin() : given;
    if (io.program === null)
      throw new OperatorError("Statements run in a separate process, which cannot be started here.");
    const runner = createSqlRunner({ program: io.program, dataDir: io.loaded.config.dataDir });
    const begun = io.runtime.monotonic();
    const watch = setInterval(() => {
      const seconds = Math.round((io.runtime.monotonic() - begun) / 1000);
      io.status(`Running… ${seconds} s of at most ${caps.maxSeconds} s`);
    }, 1000);
    const answer = await asUsage(runner.run(statement, caps)).finally(() => {
      clearInterval(watch);
      io.status("");
    });
    await printAnswer(io, flags, answer, linesOf(answer));
    if (answer.cut === null) return 0;
    const why =
      answer.cut === "rows" ? "Use --max-rows N for more" : `The result exceeds ${MAX_BYTES >> 20} MiB`;
    io.note(`Showing only the first ${counted(answer.rows.length, "row")}. ${why}.`);
    return 1;
  },
});

function viewJson({ name, about, columns }: View) {
  return {
    name,
    about,
    columns: columns.map(({ name: column, kind, nullable, about: meaning }) => ({
      name: column,
      type: kind,
      nullable,
      about: meaning,
    })),
  };
}

/** A view as a paragraph: its description, then one line for each column. */
function viewLines({ name, about, columns }: View, width: number | null): string[] {
  const room = Math.max(...columns.map((column) => column.name.length));
  return [
    `${name}: ${about}`,
    ...columns.map((column) =>
      shortened(`  ${column.name.padEnd(room)}  ${column.kind.padEnd(6)}  ${column.about}`, width),
    ),
    "",
  ];
}

/** Turns a refused statement into wrong usage. */
async function asUsage(answer: Promise<SqlAnswer>): Promise<SqlAnswer> {
  try {
    return await answer;
  } catch (error) {
    const isWrong = error instanceof ServiceError && error.kind === "invalid_parameter";
    if (isWrong && !(error instanceof StatementStopped)) throw new UsageError(error.message);
    throw error;
  }
}

function readWhole(
  flag: string,
  text: string | undefined,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    `Cannot read ${flag} ${JSON.stringify(text)}: expected a whole number from ${min} to ${max}. See: execcomp help sql`,
  );
}

/** The rows of an answer. Purely numeric columns are right-aligned; on a narrow terminal the last ones are dropped first. */
export function linesOf({ columns, rows }: SqlAnswer): Lines<Readonly<Record<string, SqlValue>>> {
  return {
    rows: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))),
    columns: columns.map((name, at) => ({
      head: name,
      align: rows.some((row) => typeof row[at] === "string") ? "left" : "right",
      rank: at,
      cell: (row) => shownValue(row[name] ?? null),
    })),
    none: columns.join("  "),
    csv: () => [columns, ...rows],
  };
}

function shownValue(value: SqlValue): string {
  return value === null ? "" : String(value).replaceAll(/\s+/g, " ");
}
