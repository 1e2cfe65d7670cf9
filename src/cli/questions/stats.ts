import { formatAmount } from "../../domain/amount.ts";
import type { GivenParameters } from "../../domain/parameters.ts";
import { CEO_PAY_PAGING, CEO_PAY_SELECTION } from "../../domain/ceo-pay-selection.ts";
import { STATISTICS_PARAMETERS } from "../../operations/statistics.ts";
import { command, type Io, UsageError } from "../command.ts";
import { type Answers, callOperation, flagsOf, nextStepNotes, parametersOf } from "./questions.ts";
import { missingRows } from "./hints.ts";
import { countNotes } from "./query.ts";
import { readCeoPay } from "../../dataset/ceo-pay-records.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { csvOfRecords, type Lines, OUTPUT_FLAGS, printAnswer } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";
import {
  CEO_PAY_STATISTICS_PARAMETERS,
  type CeoPayAnswerCounts,
  type CeoPayJson,
  type Gap,
  ceoPayNotes,
  restatedText,
  flatRecord,
} from "../../operations/ceo-pay.ts";
import { counted } from "../../lib/text.ts";
import { gapText } from "../../operations/analysis.ts";
import { shortTotalsOf } from "../../operations/dataset-guide.ts";

const COUNTS = ["rows", "companies", "company_years", "incomplete_company_years"] as const;
const FIGURES = ["min", "p10", "p25", "median", "mean", "p75", "p90", "max", "sum"] as const;

/** `execcomp stats` */
export const stats = command({
  name: "stats",
  summary: "Statistics across companies: median, percentiles, ranks, by group.",
  flags: { ...flagsOf(STATISTICS_PARAMETERS), ...OUTPUT_FLAGS },
  examples: [
    ["stats --office peo --index sp500 --sector health_care", "CEO pay of S&P 500 health care companies."],
    ["stats --office peo --group-by sector", "By sector."],
    ["stats --office peo --sector information_technology --rank-ticker AAPL", "The rank of Apple's CEO."],
  ],
  async run({ flags }, io) {
    const parameters = parametersOf(STATISTICS_PARAMETERS, flags);
    const answer = await callOperation(io, "statistics", parameters);
    const format = await printAnswer(io, flags, answer, {
      ...groupLines(answer.statistics, COUNTS, FIGURES, (group, name) => group[name]),
      none: "No rows.",
    });
    // JSON output includes everything.
    if (format === "json") return;
    for (const line of rankLines(answer)) (format === "table" ? io.print : io.note)(line);
    const dataset = openDataset(io.loaded.config.dataDir);
    for (const line of countNotes(dataset, answer)) io.note(line);
    const { ceo_pay: totals } = answer;
    if (totals !== undefined)
      io.note(
        `With totals that filers tagged, of ${counted(totals.companies, "company")}: median ${formatAmount(totals.median)} (execcomp ceo-pay).`,
      );
    const ranked = parameters.get("rank_ticker")?.[0];
    if (ranked !== undefined && answer.ranks.length === 0) {
      const currency = parameters.get("reporting_currency")?.[0] ?? "USD";
      const isAmongOthers = answer.statistics.length > 0;
      if (isAmongOthers) io.note(`No row of ${ranked} is in this selection, so it has no rank.`);
      for (const line of missingRows(dataset, [ranked], new Set(), currency))
        io.note(
          isAmongOthers ? line.replace(/^No rows for (.+); available: /, "Available for $1, in all: ") : line,
        );
    }
    for (const line of nextStepNotes(answer)) io.note(line);
    if (format === "table" && answer.statistics.length > 0) io.note(answer.definition);
  },
});

function rankLines({ ranks }: Answers["statistics"]): string[] {
  return ranks.map(({ executive_id: id, fiscal_year: year, value, rank, percentile }) => {
    const share = percentile === null ? "" : `, above ${Math.round(percentile * 100)}% of the others`;
    return `${id} ${year}: ${formatAmount(value)}, rank ${rank}${share}`;
  });
}

/** Column headers that differ from the capitalized name. */
const HEADS: Readonly<Record<string, string>> = {
  fiscal_year: "FY",
  reporting_currency: "Currency",
  company_years: "Years",
  incomplete_company_years: "Partial",
  from_tags: "From tags",
};

/** Order in which a narrow terminal drops columns, the highest first; a median is never shown without its group. */
const RANKS: Readonly<Record<string, number>> = {
  sum: 9,
  p10: 8,
  p90: 8,
  min: 7,
  max: 7,
  from_tags: 6,
  company_years: 5,
  incomplete_company_years: 5,
  mean: 4,
  p25: 3,
  p75: 3,
};

/** A group of an answer with statistics. */
interface Grouped {
  readonly group: Readonly<Record<string, string | number | null>>;
}

/**
 * The columns of statistics: groups, counts, figures. @param valueOf reads a count or figure by its name
 */
export function groupLines<T extends Grouped, Name extends string>(
  rows: readonly T[],
  counts: readonly Name[],
  figures: readonly Name[],
  valueOf: (row: T, name: Name) => number,
): Omit<Lines<T>, "none"> {
  const groups = Object.keys(rows[0]?.group ?? {});
  // A single currency is the least informative column; several must never be confused.
  const isOne = new Set(rows.map(({ group }) => group["reporting_currency"])).size === 1;
  const column = (name: string, align: "left" | "right", cell: (row: T) => string): TextColumn<T> => ({
    head: HEADS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    align,
    rank: name === "reporting_currency" && isOne ? 10 : (RANKS[name] ?? 0),
    cell,
  });
  return {
    rows,
    columns: [
      ...groups.map((name) => column(name, "left", ({ group }) => String(group[name] ?? "unknown"))),
      ...[...counts, ...figures].map((name) =>
        column(name, "right", (row) => formatAmount(Math.round(valueOf(row, name)))),
      ),
    ],
    csv: () => [
      [...groups, ...counts, ...figures],
      ...rows.map((row) => [
        ...groups.map((name) => row.group[name] ?? ""),
        ...[...counts, ...figures].map((name) => valueOf(row, name)),
      ]),
    ],
  };
}

const GROUPED = [
  ...CEO_PAY_SELECTION,
  ...CEO_PAY_PAGING.map((one) => ({ ...one, about: `without --group-by: ${one.about}` })),
  ...CEO_PAY_STATISTICS_PARAMETERS.filter(({ name }) => ["group_by", "same_companies"].includes(name)),
];
const CEO_COUNTS = ["records", "companies", "from_tags"] as const;
const CEO_FIGURES = ["min", "p10", "p25", "median", "mean", "p75", "p90", "max"] as const;

/** Refuses flags that are only for rows, with `--group-by`. */
function requireFitting(given: ReadonlyMap<string, unknown>): void {
  const other = [...given.keys()].find(
    (name) => !CEO_PAY_STATISTICS_PARAMETERS.some((one) => one.name === name),
  );
  if (other !== undefined)
    throw new UsageError(
      `--${other.replaceAll("_", "-")} is for rows: leave it out, or --group-by. See: execcomp help ceo-pay`,
    );
}

/** `execcomp ceo-pay` */
export const ceoPay = command({
  name: "ceo-pay",
  summary: "CEO pay of all companies whose total is known.",
  details:
    "Each total is from the filing's table if the dataset has its rows (row), otherwise as the filer tagged it in inline XBRL (tag).\n" +
    "Doubtful totals are left out and counted. With --group-by: statistics.",
  flags: { ...flagsOf(GROUPED), ...OUTPUT_FLAGS },
  examples: [
    ["ceo-pay --index sp500 --max-rows 10", "The ten highest-paid CEOs of the S&P 500, latest year."],
    ["ceo-pay --index sp500 --group-by sector", "The median CEO total by sector."],
    ["ceo-pay --ticker SMCI --doubtful include", "A company's totals, including doubtful ones."],
  ],
  async run({ flags }, io) {
    const given = parametersOf(GROUPED, flags);
    if (given.has("group_by")) {
      requireFitting(given);
      const answer = await callOperation(io, "ceoPayStatistics", given);
      const format = await printAnswer(io, flags, answer, {
        ...groupLines(answer.statistics, CEO_COUNTS, CEO_FIGURES, (group, name) =>
          name === "from_tags" ? group.by_basis.tag : group[name],
        ),
        none: "No totals.",
      });
      if (format !== "json") for (const line of notesOf(io, answer, given)) io.note(line);
      return;
    }
    if (given.has("same_companies"))
      throw new UsageError("--same-companies compares fiscal years. Add --group-by fiscal_year.");
    const answer = await callOperation(io, "ceoPay", given);
    const format = await printAnswer(io, flags, answer, {
      rows: answer.ceo_pay,
      columns: columnsOf(answer.ceo_pay),
      none: "No totals.",
      csv: () => csvOfRecords(CEO_PAY_FIELDS, answer.ceo_pay.map(flatRecord)),
    });
    if (format === "json") return;
    const [first] = answer.ceo_pay;
    if (first !== undefined && (format === "table" || format === "md")) {
      if (answer.ceo_pay.some((one) => one.label_inferred))
        io.note("? the calendar year in which it ended; the fiscal year is unknown");
      io.note(`Amounts in ${first.reporting_currency}.`);
    }
    for (const line of shortTotalsOf(openDataset(io.loaded.config.dataDir), answer.ceo_pay)) io.note(line);
    for (const line of notesOf(io, answer, given)) io.note(line);
    if (answer.next_cursor !== null) io.note(`More: --cursor ${answer.next_cursor}`);
  },
});

const column = (
  head: string,
  rank: number,
  cell: (record: CeoPayJson) => string,
  align: "left" | "right" = "left",
): TextColumn<CeoPayJson> => ({ head, align, rank, cell });

/** The fields of `flatRecord`. */
const CEO_PAY_FIELDS = [
  "ticker",
  "cik",
  "company_name",
  "fiscal_year",
  "label_inferred",
  "period_end",
  "peo_name",
  "surname_only",
  "peo_total",
  "reporting_currency",
  "basis",
  "confirmed_by_tag",
  "provider",
  "company_url",
  "restated_total",
  "restated_date",
  "doubts",
  "source_accession",
  "source_filing_url",
] as const;

const columnsOf = (records: readonly CeoPayJson[]): readonly TextColumn<CeoPayJson>[] => [
  column("FY", 0, ({ fiscal_year: year, label_inferred: inferred }) => `${year}${inferred ? "?" : ""}`),
  column("Ticker", 0, ({ ticker, cik }) => ticker || `CIK ${cik}`),
  column("Company", 2, ({ company_name: name }) => name),
  column("CEO", 0, ({ peo_name: name, surname_only: isSurname }) =>
    isSurname ? `${name} (surname)` : (name ?? ""),
  ),
  column("Total", 0, ({ peo_total: total }) => formatAmount(total), "right"),
  column("Basis", 1, ({ basis, confirmed_by_tag: isConfirmed }) =>
    isConfirmed ? `${basis}, confirmed` : basis,
  ),
  ...(records.some(({ restated }) => restated !== null)
    ? [column("Restated", 1, ({ restated }) => (restated === null ? "" : restatedText(restated)))]
    : []),
  // A doubtful total is never shown without its doubts.
  ...(records.some(({ doubts }) => doubts.length > 0)
    ? [column("Doubts", 0, ({ doubts }) => doubts.map(({ message }) => message).join("; "))]
    : []),
  column("Source", 3, ({ source, provider }) => source?.accession ?? provider ?? ""),
];

/** `: they are in EUR (--reporting-currency)`, of a company none of whose totals is in the currency that was asked for. */
function inOtherCurrency(io: Io, { cik, reason }: Gap, asked: string): string {
  if (reason !== "no_match") return "";
  const totals = readCeoPay(openDataset(io.loaded.config.dataDir), cik);
  const known = [...new Set(totals.map(({ currency }) => currency))];
  if (known.includes(asked)) return "";
  return `: they are in ${known.join(", ")} (--reporting-currency)`;
}

function notesOf(io: Io, answer: CeoPayAnswerCounts, given: GivenParameters): string[] {
  const { gaps, not_found: notFound } = answer;
  const currency = given.get("reporting_currency")?.[0]?.toUpperCase() ?? "USD";
  return [
    ...ceoPayNotes(answer, given.get("doubtful")?.[0] === "include" ? null : "--doubtful include"),
    ...gaps.map((gap) => {
      const { ticker, newer_filing: newer } = gap;
      const load =
        newer === null || ticker === ""
          ? ""
          : `; \`execcomp ingest --ticker ${ticker}\` loads the proxy of ${newer.filing_date}`;
      return `${gapText(gap, true)}${inOtherCurrency(io, gap, currency)}${load}.`;
    }),
    ...(notFound.length === 0 ? [] : [`Not found: ${notFound.join(", ")}. To search: execcomp find WORDS`]),
    ...nextStepNotes(answer),
  ];
}
