import {
  type AmountSource,
  type FlagSource,
  type HistoryEntry,
  amountSource,
  flagSource,
  readHistory,
} from "../../dataset/detail.ts";
import type { FlagBasis } from "../../dataset/officers.ts";
import type { FilingRecord } from "../../dataset/record.ts";
import { type Remark, isAboutOffice, rowRemarks } from "../../dataset/remarks.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { formatAmount, unitsOf } from "../../domain/amount.ts";
import type { OfficerClaim } from "../../domain/officer-claims.ts";
import { AMOUNTS, type AmountField } from "../../domain/row-fields.ts";
import { OperatorError } from "../../errors.ts";
import { UsageError, command } from "../command.ts";
import { EXECUTIVE_OPERANDS, resolveCompany, resolveExecutive } from "../questions/questions.ts";
import { type Style, type TextColumn, printable, shortened, textTable, wrapped } from "../text-table.ts";
import { nearest } from "../../domain/spellings.ts";
import { OUTPUT_FLAGS, printAnswer, readDay, styleOf, widthOf } from "../output.ts";

const FIELDS = [...AMOUNTS, "is_peo", "is_pfo"] as const;

/** `execcomp explain TICKER YEAR ID FIELD` */
export const explain = command({
  name: "explain",
  summary:
    "Show where an amount or a flag comes from: the cell in the filer's table, or the text that decided it.",
  details:
    "The table is in the dataset, so nothing is fetched. Rows that were entered manually from the filing have no cell reference; the filing's address is printed instead.",
  operands: [
    ...EXECUTIVE_OPERANDS,
    { name: "FIELD", about: `One of ${FIELDS.join(", ")}.`, choices: FIELDS },
  ],
  examples: [
    ["explain AAPL 2025 tim-cook salary", "The cell of Tim Cook's salary."],
    [
      "explain AAPL 2025 kevan-parekh is_pfo",
      "Why he is flagged as principal financial officer, with the filing's text.",
    ],
    ["explain F 2025 james-farley total_compensation --json", "The same for scripts."],
  ],
  async run({ operands: [companyName = "", year = "", id = "", named = ""] }, io) {
    if (!/^\d{4}$/.test(year))
      throw new UsageError(`Cannot read YEAR ${JSON.stringify(year)}: expected a fiscal year such as 2025.`);
    // Other values have been refused because of `choices`.
    const field = named as (typeof FIELDS)[number];
    const dataset = openDataset(io.loaded.config.dataDir);
    const { company } = resolveCompany(dataset, companyName);
    const executiveId = resolveExecutive(dataset, company, id);
    const where = [dataset, company.cik, Number(year), executiveId] as const;
    const remarks = rowRemarks(dataset, [company.cik])({
      cik: company.cik,
      fiscal_year: Number(year),
      executive_id: executiveId,
    });
    const found =
      field === "is_peo" || field === "is_pfo"
        ? explainFlag(field, flagSource(...where, FLAGS[field]), remarks.filter(isAboutOffice))
        : explainAmount(
            field,
            amountSource(...where, field),
            remarks.filter((one) => !isAboutOffice(one)),
            io.columns,
          );
    if (found === undefined)
      throw new OperatorError(
        `No row for ${id} in ${year} at ${company.name.replace(/\.$/, "")}. See: execcomp show ${companyName}`,
      );
    io.answer(found.json, found.lines);
  },
});

/** An explanation in both output formats. */
interface Explanation {
  readonly json: object;
  readonly lines: Iterable<string>;
}

function explainAmount(
  field: AmountField,
  source: AmountSource | undefined,
  remarks: readonly Remark[],
  width: number | null,
): Explanation | undefined {
  return (
    source && { json: amountJson(field, source, remarks), lines: amountLines(field, source, remarks, width) }
  );
}

function explainFlag(
  field: FlagField,
  source: FlagSource | undefined,
  remarks: readonly Remark[],
): Explanation | undefined {
  return source && { json: flagJson(field, source, remarks), lines: flagLines(field, source, remarks) };
}

/** The source cells, their filing and their table as JSON. */
function amountJson(
  field: AmountField,
  { filing, observation, cells, grid }: AmountSource,
  remarks: readonly Remark[],
): object {
  return {
    field,
    amount: unitsOf(observation.amounts[field]),
    filing: filingJson(filing),
    read: filing.read,
    problems: remarks,
    cells: cells.map(({ cell: [table, row, column, raw], caption }) => ({
      table,
      row,
      column,
      raw,
      caption,
    })),
    table: grid.map(({ table, row, caption, cells: texts }) => ({ table, row, caption, cells: texts })),
  };
}

/** The same as text, with the cells marked in the table. @param width of the terminal; null if there is none */
function* amountLines(
  field: AmountField,
  { filing, observation, cells, grid }: AmountSource,
  remarks: readonly Remark[],
  width: number | null,
): Generator<string> {
  const amount = formatAmount(unitsOf(observation.amounts[field]));
  yield `${field} of ${observation.name}, ${observation.fiscalYear}: ${amount}`;
  yield* filingLines(filing);
  for (const { message } of remarks) yield message;
  if (observation.cells === null) {
    yield "Entered manually from the filing; no cell reference. See the filing's Summary Compensation Table.";
    return;
  }
  if (cells.length === 0) {
    yield observation.amounts[field] === 0
      ? "No cell reference: the filer's table has no column for this amount, so it is 0."
      : "No cell reference: the amount is the difference between the printed total and the sum of the other columns.";
    return;
  }
  for (const { cell, caption } of cells)
    yield `cell: table ${cell[0]}, row ${cell[1] + 1}, column ${cell[2] + 1}, under "${caption}": "${cell[3]}"`;
  yield "";
  yield* tableOf(cells, grid, width);
}

/** Truncates text, but never an amount. */
function shortenedWords(text: string, most: number): string {
  return /[A-Za-z]{2}/.test(text) ? shortened(text, most) : text;
}

/** Maximum width of text in cells: the first of these at which the table fits is used. */
const TEXT_WIDTHS = [28, 20, 14, 10, 7] as const;

/** The filer's table with the source cells in `>> <<`. */
function* tableOf(
  cells: AmountSource["cells"],
  grid: AmountSource["grid"],
  width: number | null,
): Generator<string> {
  const tables = TEXT_WIDTHS.map((most) => [...linesOf(cells, grid, most)]);
  const fits = (lines: readonly string[]) => lines.every((line) => line.length <= (width ?? Infinity));
  for (const line of tables.find(fits) ?? tables.at(-1) ?? []) yield shortened(line, width);
}

function* linesOf(cells: AmountSource["cells"], grid: AmountSource["grid"], most: number): Generator<string> {
  const marked = new Set(cells.map(({ cell: [table, row, column] }) => `${table} ${row} ${column}`));
  const columns = [...new Set(grid.flatMap((line) => line.cells.map(([column]) => column)))].sort(
    (a, b) => a - b,
  );
  const shown = grid.map((line) => {
    const texts = new Map(
      line.cells.map(([column, text]) => [
        column,
        marked.has(`${line.table} ${line.row} ${column}`) ? `>>${text}<<` : shortenedWords(text, most),
      ]),
    );
    return { line, texts };
  });
  const widths = new Map(
    columns.map((column) => [column, Math.max(...shown.map(({ texts }) => texts.get(column)?.length ?? 0))]),
  );
  let before = true;
  for (const { line, texts } of shown) {
    if (before && !line.caption)
      yield "-".repeat(
        Math.min(
          160,
          [...widths.values()].reduce((sum, width) => sum + width + 1, 0),
        ),
      );
    before = line.caption;
    yield columns
      .map((column) => (texts.get(column) ?? "").padEnd(widths.get(column) ?? 0))
      .join(" ")
      .trimEnd();
  }
}

/** How `execcomp explain` describes a filing. */

/** The filing as JSON. */
function filingJson({ accession, form, filingDate, url }: FilingRecord): object {
  return { accession, form, filing_date: filingDate, filing_url: url };
}

/** Its form, accession number, date and URL. */
function* filingLines({ accession, form, filingDate, url }: FilingRecord): Generator<string> {
  yield `from ${form ?? "a filing"} ${accession}${filingDate === null ? "" : `, filed ${filingDate}`}`;
  if (url !== null) yield url;
}

/** Explains why a person is or is not flagged as PEO or PFO of a year, for `execcomp explain`. */

/** The flags that can be explained. */
const FLAGS = { is_peo: "peo", is_pfo: "pfo" } as const;
/** `is_peo` or `is_pfo`. */
export type FlagField = keyof typeof FLAGS;

const OFFICE = { is_peo: "principal executive officer", is_pfo: "principal financial officer" } as const;

const BASIS: Readonly<Record<FlagBasis, string>> = {
  dated: "decided by a date or a tag",
  filing_of_year: "decided by the title in that year's filing",
  not_in_filing_of_year: "today's title is overruled by another officer of that year",
  todays_office: "decided by today's title in a row of an older year (weak)",
  undecided: "no filing says, so false is served",
};

/** The flag with its basis and the claims that decided it, as JSON. */
function flagJson(
  field: FlagField,
  { decision, row, filings }: FlagSource,
  remarks: readonly Remark[],
): object {
  return {
    field,
    value: decision.value,
    basis: decision.basis,
    filing: filingJson(row.filing),
    problems: remarks,
    claims: decision.claims.map(({ person, held, from, to, basis, quote, accession }) => {
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
    conflict: decision.conflict,
  };
}

/** The same as text. */
function* flagLines(
  field: FlagField,
  { decision, row, filings }: FlagSource,
  remarks: readonly Remark[],
): Generator<string> {
  const verb = decision.value ? "was" : "was not";
  yield `${field} of ${row.name}, ${row.fiscalYear}: ${decision.value} (${verb} ${OFFICE[field]})`;
  yield `basis: ${BASIS[decision.basis]}`;
  for (const { message } of remarks) yield message;
  for (const claim of decision.claims) {
    yield "";
    yield claimLine(claim);
    if (claim.quote !== "") yield `  "${claim.quote}"`;
    const filing = filings.get(claim.accession);
    if (filing !== undefined) for (const line of filingLines(filing)) yield `  ${line}`;
  }
  if (decision.conflict !== null) {
    yield "";
    yield `Filings disagree: ${decision.conflict}`;
  }
}

function claimLine({ person, held, from, to, basis }: OfficerClaim): string {
  const time =
    from === null && to === null
      ? ""
      : ` from ${from?.earliest ?? "an open date"} to ${to?.latest ?? "an open date"}`;
  return `${basis}: ${person} ${held ? "held the office" : "did not hold the office"}${time}`;
}

/** `execcomp history TICKER YEAR ID` */
export const history = command({
  name: "history",
  summary: "Show what each filing reports for one executive and year.",
  details:
    "An amount that differs from the previous filing is marked with a star; `served` marks the filing that is served.",
  operands: EXECUTIVE_OPERANDS,
  flags: {
    asOf: { value: "DATE", about: "Only filings up to that date (YYYY-MM-DD)." },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["history AAPL 2024 tim-cook", "Tim Cook's 2024 in every filing."],
    ["history COST 2023 richard-galanti --json", "A restated year, for scripts."],
  ],
  async run({ flags, operands: [companyName = "", year = "", person = ""] }, io) {
    if (!/^\d{4}$/.test(year))
      throw new UsageError(`Cannot read YEAR ${JSON.stringify(year)}: expected a fiscal year such as 2024.`);
    const until = flags.asOf === undefined ? null : readDay("--as-of", flags.asOf);
    const dataset = openDataset(io.loaded.config.dataDir);
    const { company } = resolveCompany(dataset, companyName);
    const id = resolveExecutive(dataset, company, person);
    const entries = readHistory(dataset, company.cik, Number(year), id).filter(
      ({ filing }) => until === null || (filing.filingDate !== null && filing.filingDate <= until),
    );
    if (entries.length === 0) {
      const ids = dataset
        .all<{ id: string }>(
          "select distinct executive_id as id from executives where cik = ? order by executive_id",
          Number(company.cik),
        )
        .map(({ id: one }) => one);
      const meant = nearest(id, ids);
      const hint = meant === undefined || meant === id ? "" : ` Did you mean ${meant}?`;
      throw new OperatorError(`No loaded filing of ${company.name} reports ${id} for ${year}.${hint}`);
    }
    const filings = entries.map(toJson);
    const columns = (
      ["filing_date", "form", "accession", "served", "executive_name", ...AMOUNTS] as const
    ).map((name): TextColumn<(typeof filings)[number]> => ({
      head: name,
      align: "left",
      rank: 0,
      cell: (filing) => String(filing[name] ?? ""),
    }));
    await printAnswer(
      io,
      flags,
      {
        cik: company.cik,
        company_name: company.name,
        fiscal_year: Number(year),
        executive_id: id,
        filings,
      },
      {
        rows: filings,
        columns,
        none: "",
        texts: { table: () => historyTable(entries, widthOf(io, flags.out), styleOf(io, flags.out)) },
      },
    );
  },
});

function toJson({
  filing,
  position,
  name,
  role,
  amounts,
  isPeo,
  isPfo,
  placeholder,
  served,
  problems,
}: HistoryEntry) {
  return {
    accession: filing.accession,
    form: filing.form,
    filing_date: filing.filingDate,
    filing_url: filing.url,
    read: filing.read,
    position,
    executive_name: name,
    executive_role: role,
    ...amounts,
    is_peo: isPeo,
    is_pfo: isPfo,
    placeholder,
    served,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

/** One column per filing, the oldest dropped first on a narrow terminal; one line per field; then the problems. */
function historyTable(entries: readonly HistoryEntry[], width: number | null, style: Style | null): string {
  const rows: (readonly [name: string, valueOf: (entry: HistoryEntry, at: number) => string])[] = [
    ["form", ({ filing }) => filing.form ?? ""],
    ["accession", ({ filing }) => filing.accession],
    ["", ({ served, placeholder }) => (served ? "served" : placeholder ? "placeholder" : "")],
    ["name", ({ name }) => name],
    ...AMOUNTS.map(
      (field) =>
        [
          field,
          ({ amounts }: HistoryEntry, at: number) => {
            const before = entries[at - 1]?.amounts[field];
            const mark = before !== undefined && before !== amounts[field] ? " *" : "";
            return `${formatAmount(amounts[field])}${mark}`;
          },
        ] as const,
    ),
  ];
  const columns: TextColumn<(typeof rows)[number]>[] = [
    { head: "filed", cell: ([name]) => name },
    ...entries.map((entry, at) => ({
      head: entry.filing.filingDate ?? "",
      align: "right" as const,
      rank: entries.length - 1 - at,
      cell: ([, valueOf]: (typeof rows)[number]) => valueOf(entry, at),
    })),
  ];
  const problems = entries.flatMap(({ filing, problems: met }) =>
    met.map(({ message }) => wrapped(printable(`${filing.accession}: ${message}`), width, "  ")),
  );
  return [textTable(columns, rows, width, style), ...problems].join("\n");
}
