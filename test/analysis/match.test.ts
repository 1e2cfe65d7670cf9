/** Each filter selects and counts the same rows as checking every row separately. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { AMOUNTS, ROW_EVIDENCE } from "../../src/domain/row-fields.ts";
import { BOUNDS, foldedWords, readSelection, type Selection } from "../../src/domain/selection.ts";
import { buildColumns, PEO, PFO, SEVERAL, TRAITS_A_CURRENCY } from "../../src/dataset/columns/columns.ts";
import { createMatcher } from "../../src/analysis/match.ts";
import { rankedOf } from "../../src/analysis/measures.ts";
import { numberOf } from "../../src/dataset/arrays.ts";
import { isMemberOn } from "../../src/dataset/company-facts.ts";
import { sealFile } from "../../src/dataset/seal.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const path = join(tempFolder(), "all.sqlite");
copyCompiledData(path);
// All of the data is in dollars: here some years are not, and some are in two currencies.
{
  using database = new Database(path);
  database.run(
    "update filings set currency = 'EUR' where currency is not null and (id % 3 = 0 or cik % 5 = 0)",
  );
  // All members are large filers that stayed: here some are smaller, and some left in 2022.
  database.run(
    "update registrants set filer_category = 'Smaller reporting company' where cik % 4 = 3 and cik in (select cik from companies where row_count > 0)",
  );
  database.run("update index_members set removed = '2022-06-30' where cik % 3 = 0 and removed is null");
}
sealFile(path);
const columns = buildColumns(datasetIn(path), datasetIn(path).info.edition);
const match = createMatcher(columns);
const { companyYears, companies } = columns;
const registrants = new Map(
  datasetIn(path)
    .all<{ cik: number; sic: string | null; category: string | null }>(
      "select cik, sic, filer_category as category from registrants",
    )
    .map(({ cik, ...facts }) => [cik, facts]),
);

const BY_BOUND = {
  eq: (a: number, b: number) => a === b,
  gte: (a: number, b: number) => a >= b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  lt: (a: number, b: number) => a < b,
} as const;

const evidenceOf = (row: number) => ROW_EVIDENCE[((columns.traits[row] ?? 0) >> 2) & 3];

/** Whether a company-year has a row that is known in one of the ways asked for. */
function isHeld(year: number, { evidence }: Selection): boolean {
  const [first = 0, end = 0] = [companyYears.first[year], companyYears.first[year + 1]];
  const rows = Array.from({ length: end - first }, (_, at) => first + at);
  return evidence === null || rows.some((row) => evidence.some((one) => one === evidenceOf(row)));
}

/** Whether a company-year is the latest of its company that is held. */
function isLatest(year: number, asked: Selection): boolean {
  const later = [...companyYears.company.keys()].filter(
    (one) => one > year && companyYears.company[one] === companyYears.company[year],
  );
  return isHeld(year, asked) && !later.some((one) => isHeld(one, asked));
}

/** Whether a row is selected, determined from that row alone. */
function fits(row: number, asked: Selection): boolean {
  const year = columns.companyYear[row] ?? 0;
  const company = companyYears.company[year] ?? 0;
  const profile = columns.profiles[columns.profile[company] ?? 0];
  const facts = registrants.get(Number(companies[company]?.cik));
  const categories = (facts?.category ?? "").toLowerCase().replaceAll(/[ -]/g, "_").split(";_");
  const traits = columns.traits[row] ?? 0;
  const words = foldedWords(columns.names.at(columns.name[row] ?? 0));
  const isNamed = asked.ciks.length === 0 || asked.ciks.includes(companies[company]?.cik ?? "");
  return (
    isNamed &&
    (asked.years.length === 0
      ? isLatest(year, asked) && (asked.ciks.length > 0 || companyYears.recent[year] === 1)
      : asked.years.every((one) => BY_BOUND[one.bound](companyYears.fiscalYear[year] ?? 0, one.year))) &&
    (asked.office === null || (traits & (asked.office === "peo" ? PEO : PFO)) !== 0) &&
    (asked.executive.length === 0 ||
      asked.executive.some((name) => name.every((word) => words.includes(word)))) &&
    (asked.executiveId === null ||
      columns.executiveIds.at(columns.executiveId[row] ?? 0) === asked.executiveId) &&
    (asked.sector === null || profile?.sector === asked.sector) &&
    (asked.sic === null || facts?.sic?.startsWith(asked.sic) === true) &&
    (asked.index === null || companyYears.member[year] === 1) &&
    (asked.filerCategory === null || categories.includes(asked.filerCategory)) &&
    asked.amounts.every((one) =>
      BY_BOUND[one.bound](numberOf(rankedOf(columns, one.field), row), one.cents),
    ) &&
    columns.currencies[Math.floor(traits / TRAITS_A_CURRENCY)] === asked.currency &&
    (asked.evidence === null || asked.evidence.some((one) => one === evidenceOf(row))) &&
    (!asked.completeOnly || companyYears.complete[year] === 1)
  );
}

/** For each company-year the first row with the highest total. */
function highest(rows: readonly number[]): number[] {
  const total = (row: number) => numberOf(columns.amounts.total_compensation, row);
  return [...Map.groupBy(rows, (row) => columns.companyYear[row]).values()].map((group) =>
    group.reduce((best, row) => (total(row) > total(best) ? row : best)),
  );
}

/** Members of the index, company by company and year by year. */
function membersOf(asked: Selection) {
  // From 2007 on the list of members is complete.
  const known = Array.from({ length: (columns.fiscalYears.at(-1) ?? 0) - 2006 }, (_, at) => 2007 + at);
  const years = known.filter((year) => asked.years.every((one) => BY_BOUND[one.bound](year, one.year)));
  const found = companies.map((company, at) => {
    const profile = columns.profiles[columns.profile[at] ?? 0];
    if (asked.sector !== null && profile?.sector !== asked.sector) return { isMember: false, hasRows: false };
    const held =
      companyYears.company.indexOf(at) < 0
        ? []
        : [...companyYears.company.keys()].filter(
            (year) => companyYears.company[year] === at && isHeld(year, asked),
          );
    if (asked.years.length === 0) {
      const latest = held.at(-1);
      return latest === undefined
        ? { isMember: company.stays.some(({ removed }) => removed === null), hasRows: false }
        : { isMember: companyYears.member[latest] === 1, hasRows: true };
    }
    const stays = years.map((year) => {
      const own = held.find((one) => companyYears.fiscalYear[one] === year);
      return own === undefined
        ? { isMember: isMemberOn(company.stays, `${year}-${company.fiscalYearEnd}`), hasRows: false }
        : { isMember: companyYears.member[own] === 1, hasRows: true };
    });
    return {
      isMember: stays.some(({ isMember }) => isMember),
      hasRows: stays.some(({ isMember, hasRows }) => isMember && hasRows),
    };
  });
  const members = found.filter(({ isMember }) => isMember);
  return { members: members.length, withoutRows: members.filter(({ hasRows }) => !hasRows).length };
}

const ALL_YEARS = { fiscal_year_gte: "0" };
const FILTERS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...["eq", ...BOUNDS].map((bound) => ({
    [bound === "eq" ? "fiscal_year" : `fiscal_year_${bound}`]: "2022",
  })),
  { cik: "320193,789019,1" },
  // All of its rows are in euros here.
  { cik: "1045810" },
  { cik: "1045810", reporting_currency: "EUR" },
  { office: "peo" },
  { office: "pfo", reporting_currency: "EUR" },
  ...["john", "a", "tim cook", "tim cook john", "nobody", "j john"].map((executive) => ({ executive })),
  { executive: "john", salary_gte: "900000", office: "peo" },
  { executive: "john", salary_lt: "900000", bonus_lte: "0" },
  { executive: "tim", executive_id: "tim-cook" },
  { executive: "a", executive_id: "tim-cook" },
  { executive_id: "tim-cook" },
  { executive_id: "tim-cook", total_compensation_gt: "70000000" },
  { executive_id: "nobody" },
  { sector: "energy" },
  { sic: "28" },
  { sic: "6021" },
  { index: "sp500" },
  { index: "sp500", sector: "utilities" },
  { index: "sp500", fiscal_year: "2024" },
  { index: "sp500", fiscal_year_gte: "2019", fiscal_year_lt: "2021" },
  { filer_category: "large_accelerated_filer" },
  { filer_category: "smaller_reporting_company" },
  ...AMOUNTS.flatMap((field) => BOUNDS.map((bound) => ({ [`${field}_${bound}`]: "1000000" }))),
  { salary_gte: "1000000", salary_lt: "1500000", bonus_gt: "0", stock_awards_lte: "5000000" },
  { reporting_currency: "EUR" },
  { reporting_currency: "XXX" },
  { complete_only: "true" },
  { evidence: "linked,typed" },
  // Some company-years have rows of both kinds.
  { evidence: "linked" },
  { evidence: "typed", complete_only: "true" },
  { evidence: "collected", index: "sp500" },
  { evidence: "typed,linked", index: "sp500", office: "peo", executive: "john" },
  { one_per_company_year: "true" },
  { one_per_company_year: "true", office: "pfo", salary_gte: "500000" },
];

test("every filter, over the latest years and over all", () => {
  expect(new Set(companyYears.currency)).toEqual(new Set([0, 1, SEVERAL]));
  let selected = 0;
  for (const filter of FILTERS) {
    for (const given of [filter, { ...ALL_YEARS, ...filter }]) {
      const selection = readSelection(new Map(Object.entries(given)));
      const { tickers: _none, ...resolved } = selection;
      const {
        rows,
        stale: _stale,
        named: _named,
        ...said
      } = match({ ...resolved, onlyNamed: selection.ciks.length > 0 });
      const one = Array.from({ length: columns.rows }, (_, row) => row).filter((row) => fits(row, selection));
      const expected = selection.onePerCompanyYear ? highest(one) : one;
      const years = [...new Set(expected.map((row) => columns.companyYear[row] ?? 0))];
      const fiscalYears = years.map((year) => companyYears.fiscalYear[year] ?? 0);
      expect({ given, rows: Array.from(rows), ...said }).toEqual({
        given,
        rows: expected,
        matched: {
          rows: expected.length,
          companies: new Set(years.map((year) => companyYears.company[year])).size,
          company_years: years.length,
          incomplete_company_years: years.filter((year) => companyYears.complete[year] === 0).length,
        },
        fiscalYears: Object.fromEntries(
          [...Map.groupBy(fiscalYears, (year) => year)].map(([year, all]) => [year, all.length]),
        ),
        index: selection.index === null ? null : membersOf(selection),
      });
      selected += rows.length;
    }
  }
  expect(selected).toBeGreaterThan(10_000);
});
