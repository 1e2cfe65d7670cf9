/** Why an answer lacks what was asked for, and what to ask next. @see docs/contract.md, "What is missing" */
import {
  askedYears,
  type Gap,
  type ResolvedSelection,
  yearRange,
  yearTest,
} from "../analysis/company-years.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Coverage } from "../analysis/index.ts";
import { newerFilingJson, symbolOf } from "../domain/company.ts";
import { fiscalYearsOf } from "../dataset/columns/columns.ts";
import { readCeoPay } from "../dataset/ceo-pay-records.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { MEASURE_UNIT } from "../domain/row-fields.ts";
import { countsOf, yearsText } from "./analysis.ts";
import { ceoPayEndpoint } from "./ceo-pay.ts";
import { type FoundPerson, findPeople } from "./people.ts";

/** Maximum number of people with the same name to report. */
const MAX_TOLD = 5;

/**
 * What is known of the people that a selection names and the answer does not have: their years at each company. Names that
 * nobody has are returned apart.
 */
async function missingPeople(
  dataset: Dataset,
  analyst: Analyst,
  selection: ResolvedSelection,
  matchedRows: number,
): Promise<{ gaps: Gap[]; unknown: string[] }> {
  const gaps: Gap[] = [];
  const unknown: string[] = [];
  const names = selection.executive;
  if (matchedRows > 0 && names.length < 2) return { gaps, unknown };
  for (const name of names) {
    if (matchedRows > 0 && (await countOf(dataset, analyst, { ...selection, executive: [name] })) > 0)
      continue;
    const people = await findPeople(dataset, analyst, name.join(" "));
    if (people.length === 0) unknown.push(name.join(" "));
    gaps.push(...people.slice(0, MAX_TOLD).map((person) => gapOfPerson(dataset, selection, person)));
  }
  return { gaps, unknown };
}

async function countOf(dataset: Dataset, analyst: Analyst, selection: ResolvedSelection): Promise<number> {
  const sort = { by: "fiscal_year", descending: true } as const;
  const askedAs = new Map<string, string>();
  const { matched } = await analyst.ask(dataset, {
    kind: "query",
    selection,
    sort,
    offset: 0,
    count: 1,
    askedAs,
  });
  return matched.rows;
}

function gapOfPerson(dataset: Dataset, selection: ResolvedSelection, person: FoundPerson): Gap {
  const { cik, ticker, companyName, executiveId, name, years } = person;
  const isAsked = yearTest(selection);
  const ofCompany = dataset.fiscalYears(cik).map(({ fiscalYear }) => fiscalYear);
  const isLoaded = selection.years.length === 0 || ofCompany.some(isAsked);
  const company = dataset.findByCik(cik);
  return {
    ticker,
    cik,
    company_name: companyName,
    executive_id: executiveId,
    executive_name: name,
    asked: askedYears(selection.years),
    held: years,
    reason: isLoaded ? "no_match" : "not_loaded",
    newer_filing: company === undefined ? null : newerFilingJson(company),
  };
}

/** An answer, and what its question was besides the selection. */
interface Answered {
  result: Coverage;
  notFound: readonly string[];
  /** Only companies with every fiscal year of the selection count. */
  sameCompanies?: boolean;
}

/** The counts of an answer, what is missing in it, and after an empty one what to ask next. */
export async function missingOf(
  dataset: Dataset,
  analyst: Analyst,
  selection: ResolvedSelection,
  { result, notFound, sameCompanies = false }: Answered,
) {
  const { gaps, ...counts } = countsOf(dataset, selection, result);
  const { rows } = result.matched;
  const people = await missingPeople(dataset, analyst, selection, rows);
  const next = () => nextOfPeople(selection, people) ?? nextStep(dataset, selection, sameCompanies);
  return {
    ...counts,
    gaps: [...gaps, ...people.gaps],
    not_found: [...notFound, ...people.unknown],
    ...(rows > 0 ? {} : { next_step: next() }),
  };
}

/** Filters that leave something out, by their names. */
function filtersOf(selection: ResolvedSelection): string[] {
  const { office, executive, executiveId, sector, sic, state, index, filerCategory, amounts, completeOnly } =
    selection;
  const { currency, evidence } = selection;
  return Object.entries({
    office: office !== null,
    executive: executive.length > 0,
    executive_id: executiveId !== null,
    sector: sector !== null,
    sic: sic !== null,
    state: state !== null,
    index: index !== null,
    filer_category: filerCategory !== null,
    "the bounds on amounts": amounts.length > 0,
    complete_only: completeOnly,
    evidence: evidence !== null,
    reporting_currency: currency !== "USD",
  }).flatMap(([name, isGiven]) => (isGiven ? name : []));
}

/** What to ask where people were named and are not in the answer; undefined where none were. */
function nextOfPeople(
  { executive }: ResolvedSelection,
  { gaps, unknown }: Awaited<ReturnType<typeof missingPeople>>,
): string | undefined {
  const [first] = gaps;
  if (executive.length === 0) return undefined;
  if (first !== undefined)
    return `Ask for years that they have, such as fiscal_year ${first.held[0] ?? ""} of ${first.executive_name ?? ""}.`;
  const names = unknown.map((name) => JSON.stringify(name)).join(" or ");
  return `Nobody in the rows is called ${names}: look for another spelling, or ask for the company's rows.`;
}

const SHARE_UNIT = MEASURE_UNIT.cash_share;

/** What to ask after an answer without a row. */
function nextStep(dataset: Dataset, selection: ResolvedSelection, sameCompanies: boolean): string {
  const named = selection.onlyNamed ? selection.ciks : null;
  const known = named?.flatMap((cik) => dataset.fiscalYears(cik)).map(({ fiscalYear }) => fiscalYear);
  const years = [...new Set(known ?? fiscalYearsOf(dataset))].sort((a, b) => a - b);
  if (years.length === 0 && named !== null) return nextWithoutRows(dataset, named);
  const whose =
    named === null
      ? ""
      : ` of ${named
          .slice(0, MAX_TOLD)
          .map((cik) => symbolOf({ cik, ticker: dataset.findByCik(cik)?.ticker ?? "" }))
          .join(", ")}`;
  const [low, high] = yearRange(selection.years);
  if (low > high)
    return `No fiscal year is at least ${low} and at most ${high}: exchange these bounds, or leave one out.`;
  const share = selection.amounts.find(({ field, cents }) => field.endsWith("_share") && cents > SHARE_UNIT);
  if (share !== undefined) {
    const percent = Number((share.cents / SHARE_UNIT).toFixed(4));
    return `${share.field} is a share from 0 to 1: ask for ${Number((percent / 100).toFixed(6))}, not ${percent}.`;
  }
  const filters = filtersOf(selection);
  const isYear = yearTest(selection);
  if (selection.years.length > 0 && !years.some(isYear))
    return `Rows${whose} are of fiscal ${yearsText(years)}: ask for one of these years.`;
  // Which of them it is would tell whether other companies match, which is sold.
  if (sameCompanies)
    return `No company matches in every fiscal year of the selection: bound the years with fiscal_year_gte and fiscal_year_lte, or leave out ${["same_companies", ...filters].join(" or ")}.`;
  return filters.length === 0
    ? `Rows${whose} are in another currency: give its code as reporting_currency.`
    : `There are rows${whose} for these years: leave out ${filters.join(" or ")}.`;
}

/** Where totals are asked for over REST and MCP; commands have their own words for it. */
export const AT_CEO_PAY = ` (${ceoPayEndpoint.path}, query_ceo_pay)`;

function nextWithoutRows(dataset: Dataset, ciks: readonly string[]): string {
  const years = new Set(
    ciks
      .slice(0, MAX_TOLD)
      .flatMap((cik) => readCeoPay(dataset, cik))
      .map(({ fiscalYear }) => fiscalYear),
  );
  const known = yearsText([...years].sort((a, b) => a - b));
  return years.size === 0
    ? "No rows of these companies are in this dataset, and no totals of their CEOs are known: ask for other companies."
    : `No rows of these companies are in this dataset. Their CEOs' totals are known for fiscal ${known}: ask for CEO pay${AT_CEO_PAY}.`;
}
