/**
 * Natural questions. Each lists the steps that answer it, the same on every surface, and computes the right
 * answer from the facts in `data/` by simple code (`facts.ts`), never by querying the program.
 */
import { type Fact, indexMembers, taggedTotals } from "./facts.ts";

/** A row as every surface returns it, with the members that a question reads. */
export interface AnsweredRow {
  cik: string;
  ticker: string;
  company_name: string;
  fiscal_year: number;
  executive_name: string;
  executive_id: string;
  is_peo: boolean;
  is_pfo: boolean;
  total_compensation: number;
  bonus?: number;
  option_awards?: number;
  source: { filing_url: string | null };
}

/** A group of statistics, with the members that a question reads. */
export interface AnsweredGroup {
  group: { sector?: string | null; fiscal_year?: number; office?: string };
  rows: number;
  companies: number;
  median: number;
  mean: number;
  sum?: number;
  p90?: number;
  max: number;
}

/** The answer to a step, merged from all its pages. */
export interface Answered {
  /** Behind a page of rows. */
  next_cursor?: string | null;
  executive_compensation: AnsweredRow[];
  matched: { rows: number; companies: number; company_years: number; incomplete_company_years: number };
  index_members?: number;
  index_members_without_rows?: number;
  statistics: AnsweredGroup[];
  ranks: { executive_id: string; rank: number; percentile: number; value: number }[];
  /** CIKs of the companies found. */
  companies: string[];
  ceo_pay: { cik: string; fiscal_year: number; peo_total: number; basis: string }[];
}

/** One call: an operation and its parameters. */
export interface Step {
  operation: "query" | "statistics" | "company" | "find" | "ceo_pay";
  parameters: Readonly<Record<string, string | number | boolean>>;
}

/** A question. */
export interface Question {
  asked: string;
  /** Each step may use the answers to those before it. */
  steps: readonly (Step | ((answered: readonly Answered[]) => Step))[];
  /** The result computed from the answers. */
  answer(...answered: readonly Answered[]): unknown;
  /** The same from the facts. */
  right(facts: readonly Fact[]): unknown;
}

const query = (parameters: Step["parameters"]): Step => ({ operation: "query", parameters });
const statistics = (parameters: Step["parameters"]): Step => ({ operation: "statistics", parameters });
const company = (ticker: string): Step => ({ operation: "company", parameters: { ticker, limit: 100 } });
const ALL = { max_rows: 1000 };

/** Of several rows for a company's year the highest: a company counts once. */
function onePerYear(facts: readonly Fact[]): Fact[] {
  const best = new Map<string, Fact>();
  for (const fact of facts) {
    const key = `${fact.cik} ${fact.year}`;
    const known = best.get(key);
    if (known === undefined || fact.total_compensation > known.total_compensation) best.set(key, fact);
  }
  return [...best.values()];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const highestFirst = (facts: readonly Fact[]) =>
  facts.toSorted((a, b) => b.total_compensation - a.total_compensation);
const ceosOf = (facts: readonly Fact[], year: number) =>
  facts.filter((one) => one.isCeo && one.year === year);
const cfosOf = (facts: readonly Fact[], year: number) =>
  facts.filter((one) => one.isCfo && one.year === year);
const totals = (facts: readonly Fact[]) => facts.map((one) => one.total_compensation);
const rounded = (value: number | undefined) => Math.round((value ?? Number.NaN) * 1e6) / 1e6;

/** The median: the middle value, or halfway between the two in the middle. */
function median(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const middle = Math.floor(ordered.length / 2);
  const [below = 0, above = 0] = [ordered[middle - 1], ordered[middle]];
  return ordered.length % 2 === 1 ? above : (below + above) / 2;
}

/** Share of the other values that are lower. */
function percentile(values: readonly number[], value: number): number {
  return values.filter((one) => one < value).length / (values.length - 1);
}

const bySector = (facts: readonly Fact[]) =>
  [...Map.groupBy(facts, ({ sector }) => sector ?? "unknown")].sort(([a], [b]) => (a < b ? -1 : 1));
const sectorsOf = (groups: readonly AnsweredGroup[], value: (group: AnsweredGroup) => number) =>
  groups
    .map((group) => [group.group.sector ?? "unknown", rounded(value(group))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
const named = (rows: readonly AnsweredRow[]) =>
  rows.map((row) => [row.ticker, row.executive_id, row.total_compensation]);
const namedFacts = (facts: readonly Fact[]) =>
  facts.map((one) => [one.ticker, one.person, one.total_compensation]);

/** The questions. */
export const QUESTIONS: readonly Question[] = [
  {
    asked: "Who was the highest-paid CEO of fiscal 2024?",
    steps: [query({ office: "peo", fiscal_year: 2024, max_rows: 1 })],
    answer: (found) => named(found.executive_compensation),
    right: (facts) => namedFacts(highestFirst(ceosOf(facts, 2024)).slice(0, 1)),
  },
  {
    asked: "Which CFOs were paid more than 20 million in fiscal 2024?",
    steps: [query({ office: "pfo", fiscal_year: 2024, total_compensation_gt: 20_000_000, ...ALL })],
    answer: (found) => named(found.executive_compensation),
    right: (facts) =>
      namedFacts(highestFirst(cfosOf(facts, 2024).filter((one) => one.total_compensation > 20e6))),
  },
  {
    asked: "How has the pay of Pfizer's CEO changed over the years?",
    steps: [company("PFE")],
    answer: (found) =>
      found.executive_compensation
        .filter((row) => row.is_peo)
        .map((row) => [row.fiscal_year, row.total_compensation]),
    right: (facts) =>
      facts
        .filter((one) => one.ticker === "PFE" && one.isCeo)
        .sort((a, b) => b.year - a.year)
        .map((one) => [one.year, one.total_compensation]),
  },
  {
    asked: "What is the median CEO pay of the S&P 500's health care companies in fiscal 2024?",
    steps: [
      statistics({
        office: "peo",
        index: "sp500",
        sector: "health_care",
        fiscal_year: 2024,
        one_per_company_year: true,
      }),
    ],
    answer: (found) => rounded(found.statistics[0]?.median),
    right: (facts) =>
      rounded(
        median(
          totals(
            onePerYear(ceosOf(facts, 2024).filter((one) => one.inIndex && one.sector === "health_care")),
          ),
        ),
      ),
  },
  {
    asked: "Where does Apple's CEO stand among information technology companies in fiscal 2024?",
    steps: [
      statistics({
        office: "peo",
        sector: "information_technology",
        fiscal_year: 2024,
        one_per_company_year: true,
        rank_ticker: "AAPL",
      }),
    ],
    answer: (found) => found.ranks.map(({ rank, percentile: share }) => [rank, rounded(share)]),
    right(facts) {
      const peers = onePerYear(ceosOf(facts, 2024).filter((one) => one.sector === "information_technology"));
      const apple = peers.find((one) => one.ticker === "AAPL")?.total_compensation ?? 0;
      return [
        [totals(peers).filter((one) => one > apple).length + 1, rounded(percentile(totals(peers), apple))],
      ];
    },
  },
  {
    asked: "Who joined and who left Starbucks's named executive officers between fiscal 2024 and 2025?",
    steps: [query({ ticker: "SBUX", fiscal_year_gte: 2024, fiscal_year_lte: 2025, ...ALL })],
    answer({ executive_compensation: rows, matched }) {
      const of = (year: number) =>
        rows.filter((row) => row.fiscal_year === year).map((row) => row.executive_id);
      return { ...joinedAndLeft(of(2024), of(2025)), incompleteYears: matched.incomplete_company_years };
    },
    right(facts) {
      const of = (year: number) =>
        facts.filter((one) => one.ticker === "SBUX" && one.year === year).map((one) => one.person);
      const incomplete = facts.filter(
        (one) => one.ticker === "SBUX" && [2024, 2025].includes(one.year) && !one.complete,
      );
      // Executives who left in an incomplete year are missing: an answer without that number misleads.
      const incompleteYears = new Set(incomplete.map((one) => one.year)).size;
      return { ...joinedAndLeft(of(2024), of(2025)), incompleteYears };
    },
  },
  {
    asked: "What share of pay is stock, by sector, in fiscal 2024?",
    steps: [
      statistics({ fiscal_year: 2024, group_by: "sector", field: "stock_awards" }),
      statistics({ fiscal_year: 2024, group_by: "sector" }),
    ],
    answer: (stock, total) =>
      sectorsOf(
        stock?.statistics ?? [],
        (group) =>
          (group.mean * group.rows) /
          sum(
            (total?.statistics ?? [])
              .filter((one) => one.group.sector === group.group.sector)
              .map((one) => one.mean * one.rows),
          ),
      ),
    right: (facts) =>
      bySector(facts.filter((one) => one.year === 2024)).map(([sector, rows]) => [
        sector,
        rounded(sum(rows.map((one) => one.stock_awards)) / sum(totals(rows))),
      ]),
  },
  {
    asked: "Who was the highest-paid CFO of fiscal 2025, and which filing says so?",
    steps: [query({ office: "pfo", fiscal_year: 2025, max_rows: 1 })],
    answer: (found) => found.executive_compensation.map((row) => [row.executive_id, row.source.filing_url]),
    right: (facts) =>
      highestFirst(cfosOf(facts, 2025))
        .slice(0, 1)
        .map((one) => [one.person, one.filingUrl]),
  },
  {
    asked: "How do the CFOs of the banks compare in fiscal 2024?",
    steps: [query({ office: "pfo", sic: "602", fiscal_year: 2024, ...ALL })],
    answer: (found) => named(found.executive_compensation),
    right: (facts) =>
      namedFacts(highestFirst(cfosOf(facts, 2024).filter((one) => one.sic?.startsWith("602") === true))),
  },
  {
    asked: "Where does Microsoft's CEO rank among all S&P 500 CEOs of fiscal 2025?",
    steps: [
      statistics({
        office: "peo",
        index: "sp500",
        fiscal_year: 2025,
        one_per_company_year: true,
        rank_ticker: "MSFT",
      }),
    ],
    answer: (found) => [found.ranks[0]?.rank, found.statistics[0]?.rows],
    right(facts) {
      const peers = totals(onePerYear(ceosOf(facts, 2025).filter((one) => one.inIndex)));
      const own = facts.find((one) => one.ticker === "MSFT" && one.year === 2025 && one.isCeo);
      return [peers.filter((one) => one > (own?.total_compensation ?? 0)).length + 1, peers.length];
    },
  },
  {
    asked: "Which companies had more than one CEO in fiscal 2024?",
    steps: [query({ office: "peo", fiscal_year: 2024, sort: "company_name", ...ALL })],
    answer: (found) => moreThanOne(found.executive_compensation.map((row) => row.ticker)),
    right: (facts) => moreThanOne(ceosOf(facts, 2024).map((one) => one.ticker)),
  },
  {
    asked: "Which CEOs were paid less than a million in fiscal 2024?",
    steps: [
      query({
        office: "peo",
        fiscal_year: 2024,
        total_compensation_lt: 1_000_000,
        sort: "total_compensation",
        ...ALL,
      }),
    ],
    answer: (found) => [
      found.matched.rows,
      found.executive_compensation.map((row) => row.executive_id).sort(),
    ],
    right(facts) {
      const few = ceosOf(facts, 2024).filter((one) => one.total_compensation < 1e6);
      return [few.length, few.map((one) => one.person).sort()];
    },
  },
  {
    asked: "What is the median CEO pay by sector in fiscal 2025?",
    steps: [statistics({ office: "peo", fiscal_year: 2025, group_by: "sector", one_per_company_year: true })],
    answer: (found) => sectorsOf(found.statistics, ({ median: middle }) => middle),
    right: (facts) =>
      bySector(onePerYear(ceosOf(facts, 2025))).map(([sector, rows]) => [
        sector,
        rounded(median(totals(rows))),
      ]),
  },
  {
    asked: "What did Facebook pay Mark Zuckerberg, year by year?",
    steps: [
      { operation: "find", parameters: { words: "facebook" } },
      ([found]) =>
        query({
          cik: found?.companies[0] ?? "",
          executive: "zuckerberg",
          fiscal_year_gte: 2000,
          sort: "-fiscal_year",
          ...ALL,
        }),
    ],
    answer: (_, paid) => paid?.executive_compensation.map((row) => [row.fiscal_year, row.total_compensation]),
    right: (facts) =>
      facts
        .filter((one) => one.ticker === "META" && one.person === "mark-zuckerberg")
        .sort((a, b) => b.year - a.year)
        .map((one) => [one.year, one.total_compensation]),
  },
  {
    asked: "How much of the S&P 500 is missing for fiscal 2024?",
    steps: [query({ index: "sp500", fiscal_year: 2024, max_rows: 1 })],
    answer: (found) => [found.index_members, found.index_members_without_rows],
    right(facts) {
      const members = indexMembers(2024);
      const held = new Set(facts.filter((one) => one.year === 2024).map((one) => one.cik));
      return [members.size, [...members].filter((cik) => !held.has(cik)).length];
    },
  },
  {
    asked: "Who got the five largest cash bonuses of fiscal 2024?",
    steps: [query({ fiscal_year: 2024, sort: "-bonus", max_rows: 5 })],
    answer: (found) => found.executive_compensation.map((row) => row.bonus),
    right: (facts) =>
      facts
        .filter((one) => one.year === 2024)
        .map((one) => one.bonus)
        .sort((a, b) => b - a)
        .slice(0, 5),
  },
  {
    asked: "How many times its CFO's pay does JPMorgan's CEO get in fiscal 2025?",
    steps: [company("JPM")],
    answer({ executive_compensation: rows }) {
      const of = (holds: (row: AnsweredRow) => boolean) =>
        rows.find((row) => row.fiscal_year === 2025 && holds(row))?.total_compensation ?? 0;
      return rounded(of((row) => row.is_peo) / of((row) => row.is_pfo));
    },
    right(facts) {
      const bank = facts.filter((one) => one.ticker === "JPM" && one.year === 2025);
      const of = (holds: (one: Fact) => boolean) => bank.find(holds)?.total_compensation ?? 0;
      return rounded(of((one) => one.isCeo) / of((one) => one.isCfo));
    },
  },
  {
    asked: "Who has been chief executive of Intel, and in which years?",
    steps: [query({ ticker: "INTC", office: "peo", fiscal_year_gte: 0, sort: "-fiscal_year", ...ALL })],
    answer: (found) =>
      found.executive_compensation.map((row) => `${row.fiscal_year} ${row.executive_id}`).sort(),
    right: (facts) =>
      facts
        .filter((one) => one.ticker === "INTC" && one.isCeo)
        .map((one) => `${one.year} ${one.person}`)
        .sort(),
  },
  {
    asked: "Which CEO's pay grew most from fiscal 2024 to 2025, of those in office in both years?",
    steps: [
      query({ office: "peo", fiscal_year: 2024, total_compensation_gt: 0, ...ALL }),
      query({ office: "peo", fiscal_year: 2025, ...ALL }),
    ],
    answer(before, after) {
      const of = (rows: readonly AnsweredRow[] = []) =>
        rows.map((row) => [`${row.cik} ${row.executive_id}`, row.total_compensation] as const);
      return grewMost(of(before?.executive_compensation), of(after?.executive_compensation));
    },
    right(facts) {
      const of = (year: number) =>
        ceosOf(facts, year).map((one) => [`${one.cik} ${one.person}`, one.total_compensation] as const);
      return grewMost(
        of(2024).filter(([, total]) => total > 0),
        of(2025),
      );
    },
  },
  {
    asked: "Who was granted options worth more than 10 million in fiscal 2025, where the year is complete?",
    steps: [
      query({
        fiscal_year: 2025,
        option_awards_gte: 10_000_000,
        complete_only: true,
        sort: "-option_awards",
        ...ALL,
      }),
    ],
    answer: (found) => [
      found.matched.incomplete_company_years,
      found.executive_compensation.map((row) => [row.executive_id, row.option_awards]),
    ],
    right: (facts) => [
      0,
      facts
        .filter((one) => one.year === 2025 && one.complete && one.option_awards >= 10e6)
        .sort((a, b) => b.option_awards - a.option_awards)
        .map((one) => [one.person, one.option_awards]),
    ],
  },
  {
    asked: "Whose pay as chief executive rose most, in dollars, from fiscal 2023 to 2024?",
    steps: [query({ office: "peo", fiscal_year: 2024, sort: "-total_change", max_rows: 1 })],
    answer: (found) => found.executive_compensation.map((row) => [row.ticker, row.executive_id]),
    right(facts) {
      const rises = ceosOf(facts, 2024).flatMap((one) => {
        const before = facts.find(
          ({ cik, person, year }) => cik === one.cik && person === one.person && year === 2023,
        );
        return before === undefined
          ? []
          : [{ one, rise: one.total_compensation - before.total_compensation }];
      });
      const [most] = rises.sort((a, b) => b.rise - a.rise);
      return most === undefined ? [] : [[most.one.ticker, most.one.person]];
    },
  },
  {
    asked: "What was Sherwin-Williams's chief executive paid, though none of its tables is loaded?",
    steps: [{ operation: "ceo_pay", parameters: { ticker: "SHW", fiscal_year_gte: 2024 } }],
    answer: ({ ceo_pay: totals }) => totals.map((one) => [one.fiscal_year, one.peo_total, one.basis]).sort(),
    right: () => taggedTotals("0000089800").map(([year, total]) => [year, total, "tag"]),
  },
  {
    asked:
      "How much did Sherwin-Williams's and Apple's chief executives get in fiscal 2025, and who got more?",
    steps: [{ operation: "ceo_pay", parameters: { ticker: "SHW,AAPL", fiscal_year: 2025 } }],
    answer: ({ ceo_pay: totals }) => totals.map((one) => [one.cik, one.peo_total, one.basis]),
    right(facts) {
      const apple = ceosOf(facts, 2025).find((one) => one.ticker === "AAPL");
      const [, delta = 0] = taggedTotals("0000089800").find(([year]) => year === 2025) ?? [];
      return [
        ["0000320193", apple?.total_compensation, "row"],
        ["0000089800", delta, "tag"],
      ].sort((a, b) => Number(b[1]) - Number(a[1]));
    },
  },
];

function joinedAndLeft(before: readonly string[], after: readonly string[]) {
  return {
    joined: after.filter((id) => !before.includes(id)).sort(),
    left: before.filter((id) => !after.includes(id)).sort(),
  };
}

function moreThanOne(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
}

function grewMost(
  before: readonly (readonly [string, number])[],
  after: readonly (readonly [string, number])[],
): [string, number] {
  const were = new Map(before);
  const grown = after.flatMap(([who, total]): [string, number][] => {
    const was = were.get(who);
    return was === undefined ? [] : [[who, rounded(total / was)]];
  });
  return grown.sort(([, a], [, b]) => b - a)[0] ?? ["", 0];
}
