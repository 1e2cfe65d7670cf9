import { elementAt } from "../../lib/checked-access.ts";
import { shellWord } from "../../lib/text.ts";
import {
  type AmountSource,
  type FlagSource,
  type HistoryEntry,
  amountSource,
  flagSource,
  readHistory,
} from "../../dataset/detail.ts";
import type { FlagBasis } from "../../dataset/officers.ts";
import { evidenceOf, type FilingRecord } from "../../dataset/record.ts";
import { spellingsOf } from "../../dataset/people.ts";
import { type Remark, isAboutOffice, rowRemarks } from "../../dataset/remarks.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import type { OfficerClaim } from "../../domain/officer-claims.ts";
import { AMOUNTS, type AmountField, COLLECTED } from "../../domain/row-fields.ts";
import { flagOf } from "../../config/settings.ts";
import { OperatorError } from "../../errors.ts";
import { type Io, UsageError, command } from "../command.ts";
import { resolveCompany, resolveExecutive } from "../questions/lookup.ts";
import { EXECUTIVE_OPERANDS } from "../questions/questions.ts";
import {
  type Style,
  type TextColumn,
  printable,
  shortened,
  textTable,
  wrapped,
} from "../../lib/text-table.ts";
import { nearest } from "../../domain/spellings.ts";
import { csvOfRecords, OUTPUT_FLAGS, type OutputFlags, printAnswer, readDay } from "../output.ts";

const FIELDS = [...AMOUNTS, "is_peo", "is_pfo"] as const;

/** `execcomp explain TICKER YEAR ID [FIELD]` */
export const explain = command({
  name: "explain",
  summary:
    "Show where an amount or a flag comes from: its cell, or the text that decided it. Without FIELD, show what each filing says.",
  details:
    "The table is in the dataset, so nothing is fetched. Rows that were entered manually from the filing have no cell reference; the filing's address is printed instead.\n" +
    "Without FIELD, a star marks an amount that differs from the previous filing, and `served` the filing that is served.",
  operands: [
    ...EXECUTIVE_OPERANDS,
    {
      name: "FIELD",
      about: `One of ${FIELDS.join(", ")}; default every filing's amounts.`,
      choices: FIELDS,
      optional: true,
    },
  ],
  flags: {
    asOf: {
      value: "DATE",
      about: "Without FIELD: only filings up to that date (YYYY-MM-DD).",
      reads: readDay,
    },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["explain COST 2023 richard-galanti", "A restated year: what each filing says."],
    ["explain AAPL 2025 tim-cook salary", "The cell of Tim Cook's salary."],
    [
      "explain AAPL 2025 kevan-parekh is_pfo",
      "Why he is flagged as principal financial officer, with the filing's text.",
    ],
    ["explain F 2025 james-farley total_compensation --json", "The same for scripts."],
  ],
  async run({ flags, operands }, io) {
    const [companyName = "", year = "", id = "", named] = operands;
    if (named === undefined) return printHistory(io, flags, operands);
    const given = (["asOf", "format", "out"] as const).find((name) => flags[name] !== undefined);
    if (given !== undefined)
      throw new UsageError(
        `--${flagOf(given)} is for explain without FIELD. Leave one of them out; --json prints a field for scripts.`,
      );
    const { dataset, company, fiscalYear, executiveId } = executiveYear(io, operands);
    // Other values have been refused because of `choices`.
    const field = named as (typeof FIELDS)[number];
    const where = [dataset, company.cik, fiscalYear, executiveId] as const;
    const row = { cik: company.cik, fiscal_year: fiscalYear, executive_id: executiveId };
    const isFlag = field === "is_peo" || field === "is_pfo";
    const all = rowRemarks(dataset, [company.cik])(row);
    const remarks = all.filter((one) => isAboutOffice(one) === isFlag);
    const found = isFlag
      ? explainFlag(field, flagSource(...where, OFFICES[field].office), remarks)
      : explainAmount(field, amountSource(...where, field), remarks, io.columns);
    if (found === undefined)
      throw new OperatorError(
        `No row for ${id} in ${year} at ${company.name.replace(/\.$/, "")}. See: execcomp show ${shellWord(companyName)}`,
      );
    io.answer(found.json, found.lines);
  },
});

/** The executive and year that the arguments name. */
function executiveYear(io: Io, [name = "", year = "", id = ""]: readonly string[]) {
  if (!/^\d{4}$/.test(year))
    throw new UsageError(`Cannot read YEAR ${JSON.stringify(year)}: expected a fiscal year such as 2025.`);
  const dataset = openDataset(io.loaded.config.dataDir);
  const { company } = resolveCompany(dataset, name);
  return { dataset, company, fiscalYear: Number(year), executiveId: resolveExecutive(dataset, company, id) };
}

/** An explanation in both output formats. */
interface Explanation {
  readonly json: object;
  readonly lines: readonly string[];
}

/** The source cells, their filing and their table; undefined if there is no such row. @param width of the terminal; null if there is none */
function explainAmount(
  field: AmountField,
  source: AmountSource | undefined,
  remarks: readonly Remark[],
  width: number | null,
): Explanation | undefined {
  if (source === undefined) return undefined;
  const { filing, observation, cells, grid } = source;
  const amount = unitsOf(observation.amounts[field]);
  const lines = cellLines(amount, source, width);
  return {
    json: {
      field,
      amount,
      filing: filingJson(filing),
      read: filing.read,
      evidence: evidenceOf(filing, observation),
      problems: remarks,
      cells: cells.map(({ cell: [table, row, column, raw], caption }) => {
        return { table, row, column, raw, caption };
      }),
      table: grid.map(({ table, row, caption, cells: texts }) => ({ table, row, caption, cells: texts })),
    },
    lines: [
      `${field} of ${observation.name}, ${observation.fiscalYear}: ${formatAmount(amount)}`,
      ...filingLines(filing),
      // What is said of collected rows is a remark, too.
      ...remarks.flatMap(({ message }) => (lines.includes(message) ? [] : message)),
      ...lines,
    ],
  };
}

/** The cells, marked in their table, or why there are none. */
function cellLines(
  amount: number,
  { filing, observation, cells, grid }: AmountSource,
  width: number | null,
): string[] {
  const isManual = observation.cells === null;
  if (filing.read === "collected") return [`${COLLECTED.charAt(0).toUpperCase()}${COLLECTED.slice(1)}.`];
  if (isManual || cells.length === 0)
    return [
      isManual
        ? "Entered manually from the filing; no cell reference. See the filing's Summary Compensation Table."
        : amount === 0
          ? "No cell reference: the filer's table has no column for this amount, so it is 0."
          : "No cell reference: the amount is the difference between the printed total and the sum of the other columns.",
    ];
  const fits = (lines: readonly string[]) => lines.every((line) => line.length <= (width ?? Infinity));
  const tables = TEXT_WIDTHS.map((most) => tableLines(cells, grid, most));
  return [
    ...cells.map(
      ({ cell: [table, row, column, raw], caption }) =>
        `cell: table ${table}, row ${row + 1}, column ${column + 1}, under "${caption}": "${raw}"`,
    ),
    "",
    ...(tables.find(fits) ?? tables.at(-1) ?? []).map((line) => shortened(line, width)),
  ];
}

/** Maximum width of text in cells: the first of these at which the table fits is used. */
const TEXT_WIDTHS = [28, 20, 14, 10, 7] as const;

/** The filer's table with the source cells in `>> <<`, and a rule below its column headers. @param most characters of a text */
function tableLines(cells: AmountSource["cells"], grid: AmountSource["grid"], most: number): string[] {
  const marked = new Set(cells.map(({ cell: [table, row, column] }) => `${table} ${row} ${column}`));
  // Text may be truncated, an amount never.
  const roomFor = (text: string) => (/[A-Za-z]{2}/.test(text) ? most : null);
  const shown = grid.map(({ table, row, cells: texts }) => {
    const textOf = (column: number, text: string) =>
      marked.has(`${table} ${row} ${column}`) ? `>>${text}<<` : shortened(text, roomFor(text));
    return new Map(texts.map(([column, text]) => [column, textOf(column, text)]));
  });
  const columns = [...new Set(shown.flatMap((texts) => [...texts.keys()]))].sort((a, b) => a - b);
  const widths = columns.map((column) => Math.max(...shown.map((texts) => texts.get(column)?.length ?? 0)));
  const width = widths.reduce((sum, one) => sum + one + 1, 0);
  const rule = "-".repeat(Math.min(160, width));
  return shown.flatMap((texts, at) => {
    const padded = columns.map((column, place) => (texts.get(column) ?? "").padEnd(elementAt(widths, place)));
    const isFirst = !grid[at]?.caption && (grid[at - 1]?.caption ?? true);
    return [...(isFirst ? [rule] : []), padded.join(" ").trimEnd()];
  });
}

/** The filing as JSON. */
function filingJson({ accession, form, filingDate, url }: FilingRecord): object {
  return { accession, form, filing_date: filingDate, filing_url: url };
}

/** Its form, accession number, date and URL. */
function filingLines({ accession, form, filingDate, url }: FilingRecord): string[] {
  const date = filingDate === null ? "" : `, filed ${filingDate}`;
  return [`from ${form ?? "a filing"} ${accession}${date}`, ...(url === null ? [] : [url])];
}

/** The flags that can be explained. */
const OFFICES = {
  is_peo: { office: "peo", title: "principal executive officer" },
  is_pfo: { office: "pfo", title: "principal financial officer" },
} as const;

const BASIS: Readonly<Record<FlagBasis, string>> = {
  dated: "decided by a date or a tag",
  filing_of_year: "decided by the title in that year's filing",
  not_in_filing_of_year: "today's title is overruled by another officer of that year",
  todays_office: "decided by today's title next to an older year (weak)",
  undecided: "no filing says, so false is served",
};

/** The flag with its basis and the claims that decided it; undefined if there is no such row. */
function explainFlag(
  field: keyof typeof OFFICES,
  source: FlagSource | undefined,
  remarks: readonly Remark[],
): Explanation | undefined {
  if (source === undefined) return undefined;
  const { decision, row, filings } = source;
  const { value, basis: decidedBy, claims, conflict } = decision;
  return {
    json: {
      field,
      value,
      basis: decidedBy,
      filing: filingJson(row.filing),
      problems: remarks,
      claims: claims.map(({ person, held, from, to, basis, quote, accession }) => {
        const filing = filings.get(accession);
        return {
          executive_id: person,
          held,
          from: from?.earliest ?? null,
          to: to?.latest ?? null,
          basis,
          quote,
          filing: filing === undefined ? null : filingJson(filing),
        };
      }),
      conflict,
    },
    lines: [
      `${field} of ${row.name}, ${row.fiscalYear}: ${value} (${value ? "was" : "was not"} ${OFFICES[field].title})`,
      `basis: ${BASIS[decidedBy]}`,
      ...remarks.map(({ message }) => message),
      ...claims.flatMap((claim) => {
        const filing = filings.get(claim.accession);
        const quoted = claim.quote === "" ? [] : [`"${claim.quote}"`];
        const below = [...quoted, ...(filing === undefined ? [] : filingLines(filing))];
        return ["", claimLine(claim), ...below.map((line) => `  ${line}`)];
      }),
      ...(conflict === null ? [] : ["", `Filings disagree: ${conflict}`]),
    ],
  };
}

function claimLine({ person, held, from, to, basis }: OfficerClaim): string {
  const time =
    from === null && to === null
      ? ""
      : ` from ${from?.earliest ?? "an open date"} to ${to?.latest ?? "an open date"}`;
  return `${basis}: ${person} ${held ? "held the office" : "did not hold the office"}${time}`;
}

/** Prints what each filing says about one executive and year. */
async function printHistory(
  io: Io,
  flags: OutputFlags & { readonly asOf?: string | undefined },
  operands: readonly string[],
): Promise<void> {
  const { asOf } = flags;
  const { dataset, company, fiscalYear, executiveId } = executiveYear(io, operands);
  const { cik, name } = company;
  const entries = readHistory(dataset, cik, fiscalYear, executiveId).filter(
    ({ filing }) => asOf === undefined || (filing.filingDate !== null && filing.filingDate <= asOf),
  );
  if (entries.length === 0) {
    const ids = spellingsOf(dataset, cik).map(({ id }) => id);
    const meant = nearest(executiveId, ids);
    const hint =
      meant === undefined || meant === executiveId
        ? ` Who is known for which years: execcomp show ${company.ticker || cik}`
        : ` Did you mean ${meant}?`;
    throw new OperatorError(`No loaded filing of ${name} reports ${executiveId} for ${fiscalYear}.${hint}`);
  }
  const filings = entries.map(toJson);
  const answer = { cik, company_name: name, fiscal_year: fiscalYear, executive_id: executiveId, filings };
  await printAnswer(io, flags, answer, {
    rows: filings,
    columns: HISTORY_COLUMNS.map((head) => ({
      head,
      cell: (filing: (typeof filings)[number]) => String(filing[head] ?? ""),
    })),
    none: "",
    csv: () => csvOfRecords(HISTORY_COLUMNS, filings),
    texts: { table: (width, style) => historyTable(entries, width, style) },
  });
}

const HISTORY_COLUMNS = ["filing_date", "form", "accession", "served", "executive_name", ...AMOUNTS] as const;

function toJson({ filing, amounts, problems, ...entry }: HistoryEntry) {
  return {
    accession: filing.accession,
    form: filing.form,
    filing_date: filing.filingDate,
    filing_url: filing.url,
    read: filing.read,
    position: entry.position,
    executive_name: entry.name,
    executive_role: entry.role,
    ...amounts,
    is_peo: entry.isPeo,
    is_pfo: entry.isPfo,
    placeholder: entry.placeholder,
    served: entry.served,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

/** One column per filing, the oldest dropped first on a narrow terminal; one line per field; then the problems. */
function historyTable(entries: readonly HistoryEntry[], width: number | null, style: Style | null): string {
  type HistoryLine = readonly [name: string, valueOf: (entry: HistoryEntry, at: number) => string];
  const amountLine = (field: AmountField): HistoryLine => [
    field,
    ({ amounts }, at) => {
      const before = entries[at - 1]?.amounts[field];
      const mark = before !== undefined && before !== amounts[field] ? " *" : "";
      return `${formatAmount(amounts[field])}${mark}`;
    },
  ];
  const rows: readonly HistoryLine[] = [
    ["form", ({ filing }) => filing.form ?? ""],
    ["accession", ({ filing }) => filing.accession],
    ["", ({ served, placeholder }) => (served ? "served" : placeholder ? "placeholder" : "")],
    ["name", ({ name }) => name],
    ...AMOUNTS.map(amountLine),
  ];
  const columns: TextColumn<HistoryLine>[] = [
    { head: "filed", cell: ([name]) => name },
    ...entries.map((entry, at) => ({
      head: entry.filing.filingDate ?? "",
      align: "right" as const,
      rank: entries.length - 1 - at,
      cell: ([, valueOf]: HistoryLine) => valueOf(entry, at),
    })),
  ];
  const problems = entries.flatMap(({ filing, problems: met }) =>
    met.map(({ message }) => wrapped(printable(`${filing.accession}: ${message}`), width, "  ")),
  );
  return [textTable(columns, rows, width, style), ...problems].join("\n");
}
