/** More questions of assistants, each with its only call: names, symbols, amounts and states as people write them. */
import { type Fact, taggedTotals } from "./facts.ts";
import {
  facts,
  type FirstCall,
  highestFirst,
  latest,
  newestFirst,
  paid,
  QUERY,
  STATISTICS,
  sum,
} from "./first-calls.ts";

const COMPANY = "get_executive_compensation";
const CEO_PAY = "query_ceo_pay";

const isIn =
  (ticker: string, from: number, to = 9999) =>
  (one: Fact) =>
    one.ticker === ticker && one.year >= from && one.year <= to;
const totals = (of: readonly Fact[]) => of.map((one) => one.total_compensation);
const byKey = (of: readonly unknown[]) => of.map((one) => JSON.stringify(one)).sort();

/** The value at a share of the ordered values, between two of them where it falls there. */
function percentile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((a, b) => a - b);
  const place = share * (ordered.length - 1);
  const [low = 0, high = low] = [ordered[Math.floor(place)], ordered[Math.ceil(place)]];
  return Math.round((low + (high - low) * (place % 1)) * 100) / 100;
}

/** A search whose first result has this id. */
const finds = (query: string, id: string, ...tells: string[]): FirstCall => ({
  asked: query,
  tool: "search",
  given: { query },
  answer: (found) => found.results[0]?.id,
  right: () => id,
  tells: () => tells,
});

/** A company's known total of a year, where only the filer's tag tells it. */
const tagged = (asked: string, name: string, cik: string, year: number): FirstCall => ({
  asked,
  tool: CEO_PAY,
  given: { ticker: name, fiscal_year: year },
  answer: (found) => found.ceo_pay.map(({ peo_total: total }) => total),
  right: () => taggedTotals(cik).flatMap(([of, total]) => (of === year ? total : [])),
  tells: () => ["https://www.sec.gov/"],
});

/** The questions. */
export const MORE_CALLS: readonly FirstCall[] = [
  finds("G", "company:0001398659"),
  finds("AL", "company:0001487712"),
  finds("AIR", "company:0000001750"),
  finds("BF-B", "company:0000014693"),
  finds("BRK", "company:0001067983"),
  finds("Kinder Morgan CEO pay", "executive:0001506307:kimberly-dang", "KMI"),
  finds("Chase", "company:0000019617"),
  finds("How much does Ford pay?", "company:0000037996"),
  finds("highest paid ceo 2021", `tool:${CEO_PAY}`),
  finds("Who are the top 10 CFOs?", `tool:${QUERY}`),
  finds("average pay of general counsels", `tool:${STATISTICS}`),
  finds("What is Apple's CEO pay ratio?", `tool:${COMPANY}`, "Not covered: directors, pay ratio"),
  finds("insider trades of Tim Cook", `tool:${COMPANY}`, "insider trades"),
  tagged("What did Kinder Morgan pay its CEO in 2025?", "Kinder Morgan", "0001506307", 2025),
  tagged("What did McDonald's pay its CEO in 2025?", "McDonald's", "0000063908", 2025),
  {
    asked: "What does Berkshire (BRK) pay, at the latest?",
    tool: COMPANY,
    given: { ticker: "BRK", fiscal_year: "latest" },
    answer: (found) => byKey(paid(found.executive_compensation)),
    right: (all) => byKey(facts(latest(all, 0).filter(({ ticker }) => ticker === "BRK-B"))),
    tells: () => ['Understood "BRK" as Berkshire Hathaway Inc. (BRK-B).'],
  },
  {
    asked: "What has Ford paid its named officers since 2023?",
    tool: QUERY,
    given: { ticker: "Ford", fiscal_year_gte: 2023, max_rows: 100 },
    answer: (found) => byKey(paid(found.executive_compensation)),
    right: (all) => byKey(facts(all.filter(isIn("F", 2023)))),
    tells: () => ['Understood "Ford" as Ford Motor Company (F).'],
  },
  {
    asked: "What was Apple's CFO paid before 2023?",
    tool: QUERY,
    given: { ticker: "Apple", office: "CFO", fiscal_year_lt: 2023, sort: "-fiscal_year" },
    answer: (found) => paid(found.executive_compensation),
    right: (all) => facts(newestFirst(all.filter((one) => isIn("AAPL", 0, 2022)(one) && one.isCfo))),
  },
  {
    asked: "Compare the CFOs of Microsoft and Apple, at the latest",
    tool: QUERY,
    given: { ticker: ["Microsoft", "Apple"], office: "CFO" },
    answer: (found) => byKey(paid(found.executive_compensation)),
    right: (all) =>
      byKey(facts(latest(all, 0).filter((one) => ["MSFT", "AAPL"].includes(one.ticker) && one.isCfo))),
  },
  {
    asked: "Tim Cook and Satya Nadella in fiscal 2024",
    tool: QUERY,
    given: { executive: "Tim Cook, Satya Nadella", fiscal_year: 2024 },
    answer: (found) => paid(found.executive_compensation),
    right: (all) =>
      facts(
        highestFirst(
          all.filter(({ person, year }) => year === 2024 && /^(tim-cook|satya-nadella)$/.test(person)),
        ),
      ),
  },
  {
    asked: "What did Elon Musk get in 2012?",
    tool: QUERY,
    given: { executive: "Elon Musk", fiscal_year: 2012 },
    answer: (found) => found.gaps.map(({ ticker, executive_name: name, held }) => [ticker, name, held]),
    right: (all) => {
      const years = newestFirst(all.filter(({ person }) => person === "elon-musk")).map(({ year }) => year);
      return [["TSLA", "Elon Musk", years]];
    },
    tells: () => [
      "Elon Musk has rows for",
      "at TSLA; TSLA 2012 is not in this dataset",
      "Ask for years that they have",
    ],
  },
  {
    asked: "Who was ever paid $100M or more?",
    tool: QUERY,
    given: { total_compensation_gte: "$100M", fiscal_year_gte: 2000, max_rows: 100 },
    answer: (found) => paid(found.executive_compensation),
    right: (all) =>
      facts(
        highestFirst(all.filter((one) => one.currency === "USD" && one.total_compensation >= 100_000_000)),
      ),
  },
  {
    asked: "Which CEOs were paid less than a million dollars in fiscal 2024?",
    tool: QUERY,
    given: { office: "CEO", fiscal_year: 2024, total_compensation_lt: "1 million", max_rows: 100 },
    answer: (found) => paid(found.executive_compensation),
    right: (all) =>
      facts(
        highestFirst(
          all.filter((one) => one.isCeo && one.year === 2024 && one.total_compensation < 1_000_000),
        ),
      ),
  },
  {
    asked: "Bonuses above $5 million in fiscal 2024, highest first",
    tool: QUERY,
    given: { bonus_gt: "$5,000,000", fiscal_year: 2024, sort: "-bonus", max_rows: 100 },
    answer: (found) => found.executive_compensation.map((row) => [row.ticker, row.bonus]),
    right: (all) =>
      all
        .filter((one) => one.year === 2024 && one.bonus > 5_000_000)
        .sort((a, b) => b.bonus - a.bonus)
        .map((one) => [one.ticker, one.bonus]),
    tells: () => ["| bonus |"],
  },
  {
    asked: "Whose pay as CFO rose most in fiscal 2024?",
    tool: QUERY,
    given: { office: "CFO", fiscal_year: 2024, sort: "-total_change", max_rows: 1 },
    answer: (found) => [found.executive_compensation[0]?.executive_id, found.measures[0]?.["total_change"]],
    right(all) {
      const rises = all
        .filter((one) => one.isCfo && one.year === 2024)
        .flatMap((one) => {
          const before = all.find(
            ({ cik, person, year }) => cik === one.cik && person === one.person && year === 2023,
          );
          return before === undefined
            ? []
            : [[one.person, one.total_compensation - before.total_compensation] as const];
        });
      return rises.sort(([, a], [, b]) => b - a)[0];
    },
    tells: () => ["| total_change |"],
  },
  {
    asked: "What is the 90th percentile of CEO stock awards in health care in fiscal 2024?",
    tool: STATISTICS,
    given: { office: "CEO", field: "stock_awards", sector: "health care", fiscal_year: 2024 },
    answer: (found) => found.statistics.map(({ rows, p90 }) => [rows, p90]),
    right(all) {
      const ceos = all.filter((one) => one.isCeo && one.year === 2024 && one.sector === "health_care");
      return [
        [
          ceos.length,
          percentile(
            ceos.map((one) => one.stock_awards),
            0.9,
          ),
        ],
      ];
    },
    tells: () => ["p10", "p90"],
  },
  {
    asked: "What do JPMorgan's named officers get together, in fiscal 2024?",
    tool: STATISTICS,
    given: { ticker: "JP Morgan", fiscal_year: 2024 },
    answer: (found) => found.statistics.map(({ rows, sum: together }) => [rows, together]),
    right(all) {
      const rows = all.filter(isIn("JPM", 2024, 2024));
      return [[rows.length, sum(rows)]];
    },
    tells: () => ['Understood "JP Morgan" as JPMorgan Chase & Co. (JPM).'],
  },
  {
    asked: "How has CEO pay developed from 2022 to 2024?",
    tool: STATISTICS,
    given: {
      office: "CEO",
      group_by: "fiscal_year",
      fiscal_year_gte: 2022,
      fiscal_year_lte: 2024,
      same_companies: true,
      one_per_company_year: true,
    },
    answer: (found) => found.statistics.map(({ companies, median }) => [companies, median]),
    right(all) {
      const years = [2024, 2023, 2022];
      const ceos = all.filter((one) => one.isCeo && one.currency === "USD" && years.includes(one.year));
      const own = Map.groupBy(ceos, ({ cik }) => cik);
      const same = [...own.values()].filter((of) =>
        years.every((year) => of.some((one) => one.year === year)),
      );
      return years.map((year) => {
        const best = same.map((of) => Math.max(...totals(of.filter((one) => one.year === year))));
        return [best.length, percentile(best, 0.5)];
      });
    },
  },
  {
    asked: "How has CFO pay developed from 2022 to 2024?",
    tool: STATISTICS,
    given: { office: "CFO", group_by: "fiscal_year", fiscal_year_gte: 2022, fiscal_year_lte: 2024 },
    answer: (found) => found.statistics.map(({ companies }) => companies),
    right: (all) =>
      [2024, 2023, 2022].map(
        (year) => new Set(all.filter((one) => one.isCfo && one.year === year).map(({ cik }) => cik)).size,
      ),
    tells: () => ["The companies differ from year to year", "same_companies=true"],
  },
  {
    asked: "What does a CEO in technology typically get, over the whole market?",
    tool: STATISTICS,
    given: { office: "CEO", sector: "technology", fiscal_year: 2024 },
    answer: (found) => found.statistics.map(({ companies }) => companies),
    right: (all) => [
      new Set(
        all
          .filter((one) => one.isCeo && one.year === 2024 && one.sector === "information_technology")
          .map(({ cik }) => cik),
      ).size,
    ],
    tells: () => [/^CEO pay of the whole market, rows and filers' tags: median \d+ of \d+ companies/],
  },
  {
    asked: "How much of Nvidia's CEO's pay is equity?",
    tool: QUERY,
    given: { ticker: "Nvidia", office: "CEO", measures: "equity_share", fiscal_year_gte: 2000 },
    answer: (found) => found.measures.map((one) => Number(one["equity_share"]).toFixed(4)).sort(),
    right: (all) =>
      all
        .filter((one) => isIn("NVDA", 2000)(one) && one.isCeo)
        .map((one) => ((one.stock_awards + one.option_awards) / one.total_compensation).toFixed(4))
        .sort(),
  },
];
