/**
 * Questions as an assistant asks them: one call, with arguments in the person's words, from the tools' descriptions alone.
 * The right answer, figures and what the text must tell of its limits, is computed from the facts in `data/`.
 */
import { type Fact, taggedTotals } from "./facts.ts";
import type { AnsweredGroup, AnsweredRow } from "./questions.ts";

/** A result with the members that these questions read. */
export interface FirstAnswer {
  executive_compensation: AnsweredRow[];
  measures: Record<string, number>[];
  statistics: AnsweredGroup[];
  ceo_pay: { ticker: string; peo_total: number }[];
  results: { id: string; title: string }[];
  rows: unknown[][];
  gaps: { ticker: string; executive_name?: string; held: number[] }[];
}

/** A question with its only call. */
export interface FirstCall {
  asked: string;
  tool: string;
  given: Readonly<Record<string, unknown>>;
  answer(found: FirstAnswer): unknown;
  right(facts: readonly Fact[]): unknown;
  /** What the text must say besides. */
  tells?(facts: readonly Fact[]): readonly (string | RegExp)[];
}

export const QUERY = "query_executive_compensation";
export const STATISTICS = "get_executive_compensation_statistics";

export const paid = (rows: readonly AnsweredRow[]) =>
  rows.map((row) => [row.ticker, row.executive_id, row.fiscal_year, row.total_compensation]);
export const facts = (of: readonly Fact[]) =>
  of.map((one) => [one.ticker, one.person, one.year, one.total_compensation]);
export const newestFirst = (of: readonly Fact[]) => of.toSorted((a, b) => b.year - a.year);
export const highestFirst = (of: readonly Fact[]) =>
  of.toSorted((a, b) => b.total_compensation - a.total_compensation);
export const sum = (of: readonly Fact[]) => of.reduce((total, one) => total + one.total_compensation, 0);

/** The rows of each company's latest year, if that is not before `since`. */
export function latest(of: readonly Fact[], since: number): Fact[] {
  const last = new Map<string, number>();
  for (const { cik, year } of of) last.set(cik, Math.max(year, last.get(cik) ?? 0));
  return of.filter(({ cik, year }) => year === last.get(cik) && year >= since);
}

/** The questions that failed, were answered after a refusal, or incompletely, when assistants first asked them. */
export const FIRST_CALLS: readonly FirstCall[] = [
  {
    asked: "What did Microsoft pay its CEO since 2019?",
    tool: QUERY,
    given: { ticker: "Microsoft", office: "CEO", fiscal_year_gte: 2019, sort: "-fiscal_year" },
    answer: (found) => paid(found.executive_compensation),
    right: (all) =>
      facts(newestFirst(all.filter((one) => one.ticker === "MSFT" && one.isCeo && one.year >= 2019))),
    tells(all) {
      const loaded = new Set(all.filter((one) => one.ticker === "MSFT").map(({ year }) => year));
      const [first, last] = [Math.min(...loaded), Math.max(...loaded)];
      return [`MSFT: ${first} to ${last} known, 2019 to ${first - 1} not in this dataset`];
    },
  },
  {
    asked: "Which CEO got the biggest raise in fiscal 2024?",
    tool: QUERY,
    given: { office: "CEO", fiscal_year: 2024, sort: "-total_change", measures: "total_change", max_rows: 1 },
    answer: (found) => [paid(found.executive_compensation), found.measures[0]?.["total_change"]],
    right(all) {
      const [most] = all
        .filter((one) => one.isCeo && one.year === 2024)
        .flatMap((one) => {
          const before = all.find(
            ({ cik, person, year }) => cik === one.cik && person === one.person && year === 2023,
          );
          return before === undefined
            ? []
            : [{ one, raise: one.total_compensation - before.total_compensation }];
        })
        .sort((a, b) => b.raise - a.raise);
      return most === undefined ? [] : [facts([most.one]), most.raise];
    },
    tells: () => ["total_change"],
  },
  {
    asked: "How many CEOs got more in fiscal 2024 than their company's other named officers together?",
    tool: "run_sql",
    given: {
      statement: `select count(*) from compensation c where is_peo = 1 and fiscal_year = 2024 and total_compensation >
        (select sum(total_compensation) from compensation o where o.cik = c.cik and o.fiscal_year = c.fiscal_year
          and o.executive_id <> c.executive_id)`,
    },
    answer: (found) => found.rows,
    right(all) {
      const of2024 = all.filter((one) => one.year === 2024);
      const above = of2024.filter((one) => {
        const others = of2024.filter(({ cik, person }) => cik === one.cik && person !== one.person);
        return one.isCeo && others.length > 0 && one.total_compensation > sum(others);
      });
      return [[above.length]];
    },
  },
  {
    asked: "Who are the five best-paid CFOs of fiscal 2025?",
    tool: QUERY,
    given: { office: "CFO", fiscal_year: 2025, max_rows: 5 },
    answer: (found) => paid(found.executive_compensation),
    right: (all) => facts(highestFirst(all.filter((one) => one.isCfo && one.year === 2025)).slice(0, 5)),
    tells: (all) => {
      const rows = all.filter((one) => one.isCfo && one.year === 2025);
      return [new RegExp(`^${rows.length} rows of .* are incomplete`), "Fiscal years: 2025"];
    },
  },
  {
    asked: "What does a CEO in technology typically get?",
    tool: STATISTICS,
    given: { office: "CEO", sector: "technology", fiscal_year: 2024, one_per_company_year: true },
    answer: (found) => found.statistics.map(({ companies, max }) => [companies, max]),
    right(all) {
      const ceos = all.filter(
        (one) => one.isCeo && one.year === 2024 && one.sector === "information_technology",
      );
      return [[new Set(ceos.map(({ cik }) => cik)).size, highestFirst(ceos)[0]?.total_compensation]];
    },
    tells: () => ["Fiscal years: 2024", "median"],
  },
  {
    asked: "What does Google pay, at the latest?",
    tool: "get_executive_compensation",
    given: { ticker: "Google", fiscal_year: "latest" },
    answer: (found) => paid(found.executive_compensation).sort(),
    right: (all) => facts(latest(all, 0).filter((one) => one.ticker === "GOOGL")).sort(),
  },
  {
    asked: "What did Apple's CEO get on average over the years?",
    tool: STATISTICS,
    given: { ticker: "Apple", office: "CEO", fiscal_year_gte: 2000 },
    answer: (found) => found.statistics.map(({ rows, mean }) => [rows, Math.round(mean)]),
    right(all) {
      const ceo = all.filter((one) => one.ticker === "AAPL" && one.isCeo);
      return [[ceo.length, Math.round(sum(ceo) / ceo.length)]];
    },
    tells(all) {
      const years = all.filter((one) => one.ticker === "AAPL" && one.isCeo).map(({ year }) => year);
      return [`Fiscal years: ${Math.min(...years)} to ${Math.max(...years)}`];
    },
  },
  {
    asked: "Sherwin-Williams",
    tool: "search",
    given: { query: "Sherwin-Williams" },
    answer: (found) => found.results.some(({ id }) => id === "company:0000089800"),
    right: () => true,
    tells: () => ["Sherwin-Williams Co (SHW): no rows yet"],
  },
  {
    asked: "What was Twitter's CEO paid in 2021?",
    tool: "search",
    given: { query: "Twitter CEO pay 2021" },
    answer: (found) => found.results[0]?.id,
    right: () => "company:0001418091",
    tells: () => ["TWITTER, INC. (TWTR): no rows yet"],
  },
  {
    asked: "What is the median CEO pay in technology?",
    tool: "search",
    given: { query: "median CEO pay in technology" },
    answer: (found) => found.results[0]?.id,
    right: () => `tool:${STATISTICS}`,
    tells: () => [`call ${STATISTICS}`],
  },
  {
    asked: "What did Sherwin-Williams pay its chief executive in 2025?",
    tool: "query_ceo_pay",
    given: { ticker: "Sherwin-Williams", fiscal_year: 2025 },
    answer: (found) => found.ceo_pay.map(({ ticker, peo_total: total }) => [ticker, total]),
    right: () =>
      taggedTotals("0000089800")
        .filter(([year]) => year === 2025)
        .map(([, total]) => ["SHW", total]),
    tells: () => ["1 only as the filer tagged them (tag)"],
  },
  {
    asked: "Who is the best-paid executive of all, at the latest?",
    tool: QUERY,
    given: { fiscal_year: "latest", max_rows: 1 },
    answer: (found) => paid(found.executive_compensation),
    // A year of 2023 or before that is a company's latest is left out, and told, where it ended three years ago.
    right: (all) =>
      facts(highestFirst(latest(all, 2024).filter(({ currency }) => currency === "USD")).slice(0, 1)),
    tells: () => [/companies are left out: their latest year ended more than three years ago/],
  },
];
