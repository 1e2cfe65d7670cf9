import { formatAmount } from "../../domain/amount.ts";
import { STATISTICS_PARAMETERS } from "../../operations/statistics.ts";
import { command } from "../command.ts";
import { missingRows } from "./questions.ts";
import { type Counts, countNotes } from "./query.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { callOperation, flagsOf, parametersOf } from "./questions.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";
import type { TextColumn } from "../text-table.ts";

const FIGURES = ["min", "p10", "p25", "median", "mean", "p75", "p90", "max", "sum"] as const;
const COUNTS = ["rows", "companies", "company_years", "incomplete_company_years"] as const;

/** Order in which a narrow terminal drops them, the highest first. */
const RANKS: Readonly<Record<(typeof FIGURES)[number], number>> = {
  sum: 9,
  p10: 8,
  p90: 8,
  min: 7,
  max: 7,
  mean: 4,
  p25: 3,
  p75: 3,
  median: 0,
};

type Group = { group: Readonly<Record<string, string | number>> } & Readonly<
  Record<(typeof FIGURES)[number] | (typeof COUNTS)[number], number>
>;

/** The fields of the statistics operation's answer that are used here. */
interface StatisticsAnswer extends Counts {
  statistics: Group[];
  ranks: {
    executive_id: string;
    fiscal_year: number;
    value: number;
    rank: number;
    percentile: number | null;
  }[];
  definition: string;
}

/** `execcomp stats` */
export const stats = command({
  name: "stats",
  summary: "Statistics across companies: median, percentiles, ranks, by group.",
  operands: [],
  flags: { ...flagsOf(STATISTICS_PARAMETERS), ...OUTPUT_FLAGS },
  settings: [],
  examples: [
    ["stats --office peo --index sp500 --sector health_care", "CEO pay of S&P 500 health care companies."],
    ["stats --office peo --group-by sector", "By sector."],
    ["stats --office peo --sector information_technology --rank-ticker AAPL", "The rank of Apple's CEO."],
  ],
  async run({ flags }, io) {
    const parameters = parametersOf(STATISTICS_PARAMETERS, flags);
    // The result type of the operation.
    const answer = (await callOperation(io, "statistics", parameters)) as StatisticsAnswer;
    const format = await printAnswer(io, flags, answer, {
      rows: answer.statistics,
      columns: columnsOf(answer),
      none: "No rows.",
      csv: () => csvOf(answer),
    });
    // JSON output includes everything.
    if (format === "json") return 0;
    for (const line of rankLines(answer)) {
      if (format === "table") io.print(line);
      else io.note(line);
    }
    for (const line of countNotes(answer)) io.note(line);
    const ranked = parameters.get("rank_ticker")?.[0];
    if (ranked !== undefined && answer.ranks.length === 0) {
      const currency = parameters.get("reporting_currency")?.[0] ?? "USD";
      for (const line of missingRows(openDataset(io.loaded.config.dataDir), [ranked], new Set(), currency))
        io.note(line);
    }
    if (format === "table" && answer.statistics.length > 0) io.note(answer.definition);
    return 0;
  },
});

function rankLines({ ranks }: StatisticsAnswer): string[] {
  return ranks.map(({ executive_id: id, fiscal_year: year, value, rank, percentile }) => {
    const share = percentile === null ? "" : `, above ${Math.round(percentile * 100)}% of the others`;
    return `${id} ${year}: ${formatAmount(value)}, rank ${rank}${share}`;
  });
}

function columnsOf({ statistics: [first] }: StatisticsAnswer): TextColumn<Group>[] {
  const names = Object.keys(first?.group ?? {});
  return [
    ...names.map((name): TextColumn<Group> => ({
      head: name,
      align: "left",
      rank: name === "reporting_currency" ? 9 : 0,
      cell: ({ group }) => String(group[name] ?? "unknown"),
    })),
    ...COUNTS.map((name): TextColumn<Group> => ({
      head: name,
      align: "right",
      // A median never stands without its number of rows.
      rank: name === "rows" ? 0 : name === "companies" ? 2 : 5,
      cell: (group) => String(group[name]),
    })),
    ...FIGURES.map((name): TextColumn<Group> => ({
      head: name,
      align: "right",
      rank: RANKS[name],
      cell: (group) => formatAmount(Math.round(group[name])),
    })),
  ];
}

function csvOf({ statistics }: StatisticsAnswer): (string | number)[][] {
  const names = Object.keys(statistics[0]?.group ?? {});
  const head = [...names, ...COUNTS, ...FIGURES];
  const lines = statistics.map((group) => [
    ...names.map((name) => group.group[name] ?? ""),
    ...COUNTS.map((name) => group[name]),
    ...FIGURES.map((name) => group[name]),
  ]);
  return [head, ...lines];
}
