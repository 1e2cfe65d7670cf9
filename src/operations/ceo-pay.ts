/**
 * What every company's principal executive officer was paid, from rows and from filers' tags.
 * @see docs/contract.md, "CEO pay: the whole market"
 */
import type { Endpoint } from "./endpoint.ts";
import {
  CEO_PAY_GROUPINGS,
  CEO_PAY_PARAMETERS,
  CEO_PAY_SELECTION,
  CEO_PAY_SORTS,
  ceoPaySelectionOf,
} from "../domain/ceo-pay-selection.ts";
import { COMPANY } from "../domain/company.ts";
import { type GivenParameters, givenOnce, readQuery } from "../domain/parameters.ts";
import { named, orNull } from "../lib/definition.ts";
import { counted, numeral } from "../lib/text.ts";
import { DEFAULT_ROWS, sortOf } from "../domain/selection.ts";
import type { CeoPayCounts, CeoPayGroup, recordJson } from "../analysis/ceo-pay-questions.ts";
import type { ResolvedCeoPay } from "../analysis/company-years.ts";
import type { Sight } from "../analysis/sight.ts";
import type { Dataset } from "../dataset/dataset.ts";
import {
  type AnalysisDeps,
  COUNT,
  type CountedQuestion,
  COVERAGE,
  GAP,
  nameCompanies,
  pricedOperation,
  readPage,
} from "./analysis.ts";
import type { Understood } from "./company.ts";
import { listBody } from "./operation.ts";
import {
  COMPANIES_DIFFER,
  differing,
  groupByParameter,
  groupOf,
  requireYears,
  SAME_COMPANIES,
} from "./groups.ts";

/** The parameters of the records. */
export { CEO_PAY_PARAMETERS, CEO_PAY_SELECTION } from "../domain/ceo-pay-selection.ts";
/** Parts of the answer, for surfaces that render it. */
export { type CeoPayGroup, flatRecord, restatedText } from "../analysis/ceo-pay-questions.ts";
export type { Gap } from "../analysis/company-years.ts";
/** A record of the answer. */
export type CeoPayJson = ReturnType<typeof recordJson>;

const GROUP_BY = groupByParameter(CEO_PAY_GROUPINGS);
/** The parameters of the statistics. */
export const CEO_PAY_STATISTICS_PARAMETERS = [...CEO_PAY_SELECTION, GROUP_BY, SAME_COMPANIES] as const;

/** The body of the records. */
export interface CeoPayAnswer extends CeoPayAnswerCounts {
  ceo_pay: CeoPayJson[];
  next_cursor: string | null;
}

/** The body of the statistics. */
export interface CeoPayStatistics extends CeoPayAnswerCounts {
  statistics: CeoPayGroup[];
  companies_differ?: boolean;
}

/** Counts in both answers. */
export type CeoPayAnswerCounts = ReturnType<typeof countsOf>;

function countsOf(
  { matched, fiscalYears, stale, index, gaps }: CeoPayCounts,
  notFound: string[],
  told: { understood?: Understood[] },
  sameCompanies = false,
) {
  return {
    matched,
    fiscal_years: fiscalYears,
    stale_companies: stale,
    ...(index === null ? {} : { index_members: index.members, index_members_without_total: index.without }),
    not_found: notFound,
    ...told,
    gaps,
    ...(matched.records > 0
      ? {}
      : {
          next_step: sameCompanies
            ? "No company has a total that matches in every fiscal year of the selection: bound the years with fiscal_year_gte and fiscal_year_lte, or leave out same_companies."
            : "No total matches all filters: leave one out, or ask for other fiscal years.",
        }),
  };
}

/** Sentences about what matched. @param include how to include doubtful totals; null where they are included */
export function ceoPayNotes({ matched, ...counts }: CeoPayAnswerCounts, include: string | null): string[] {
  const { by_basis: basis, doubtful } = matched;
  const are = `${counted(doubtful, "doubtful total")} ${doubtful === 1 ? "is" : "are"}`;
  const { stale_companies: stale, index_members: members, index_members_without_total: without = 0 } = counts;
  const notes = [
    `${counted(matched.records, "total")} of ${counted(matched.companies, "company")} matched: ${numeral(basis.row)} from the filing's table (row), ${numeral(basis.tag)} only as the filer tagged them (tag).`,
    doubtful > 0 &&
      (include === null
        ? `${are} included.`
        : `${are} left out; ${include} shows ${doubtful === 1 ? "it" : "them"}.`),
    stale > 0 &&
      `${counted(stale, "company")} ${stale === 1 ? "is left out: its" : "are left out: their"} latest year ended more than three years ago.`,
    members !== undefined && `Of ${members} index members ${without} have no total here.`,
  ];
  return notes.filter((note) => note !== false);
}

/** A selection of records, its companies resolved. Refuses as `ceoPayOperation` does. */
export function resolvedCeoPay(dataset: Dataset, filters: Readonly<Record<string, string>>): ResolvedCeoPay {
  const query = readQuery(givenOnce(filters), CEO_PAY_SELECTION);
  return nameCompanies(dataset, ceoPaySelectionOf(query)).resolved;
}

/** How records are shown on pages. */
export interface CeoPayView {
  /** What the viewer may see; null for everything. */
  sight: Sight | null;
  /** Whether of several people of a company-year only the highest total is listed, as statistics count. */
  onePerCompanyYear: boolean;
  /** The CIK of a company that is left out. */
  without?: string | null;
}

const EVERYTHING: CeoPayView = { sight: null, onePerCompanyYear: false };

/** The company that a selection leaves out. */
export function leftOut(cik: string | null | undefined): { without?: string } {
  return cik === null || cik === undefined ? {} : { without: cik };
}

/** The whole answer to a page of records. Refuses as `ceoPayOperation` does. */
export function answerCeoPay(
  { analyst }: Pick<AnalysisDeps, "analyst">,
  dataset: Dataset,
  given: GivenParameters,
  { sight, onePerCompanyYear, without }: CeoPayView = EVERYTHING,
): CountedQuestion & { offset: number } {
  const query = readQuery(given, CEO_PAY_PARAMETERS);
  const selection = ceoPaySelectionOf(query);
  const { max_rows: count = DEFAULT_ROWS, cursor } = query;
  const sort = sortOf(CEO_PAY_SORTS, query.sort ?? "-peo_total");
  const identity = JSON.stringify([selection, sort]);
  const { offset, cursorAfter, next } = readPage(dataset, identity, cursor);
  const { resolved, notFound, told } = nameCompanies(dataset, selection);
  const shown = { ...resolved, ...leftOut(without), onePerCompanyYear };
  const question = { kind: "ceo_pay", selection: shown, sight, sort, offset, count } as const;
  return {
    identity: `${identity} ${offset} ${count}`,
    offset,
    cursorAfter,
    async answer() {
      const result = await analyst.ask(dataset, question);
      const counts = countsOf(result, notFound, told);
      const nextCursor = next(result.count, result.matched.records);
      return {
        body: listBody("ceo_pay", result.json, { ...counts, next_cursor: nextCursor }),
        matched: result.matched.records,
      };
    },
  };
}

/** The same for statistics. */
export function answerCeoPayStatistics(
  { analyst }: Pick<AnalysisDeps, "analyst">,
  dataset: Dataset,
  given: GivenParameters,
  { sight, without }: CeoPayView = EVERYTHING,
): CountedQuestion {
  const query = readQuery(given, CEO_PAY_STATISTICS_PARAMETERS);
  const selection = ceoPaySelectionOf(query);
  const { group_by: groupBy = [], same_companies: sameCompanies = false } = query;
  if (sameCompanies) requireYears(groupBy);
  const { resolved, notFound, told } = nameCompanies(dataset, selection);
  const question = {
    kind: "ceo_pay_statistics",
    selection: { ...resolved, ...leftOut(without) },
    sight,
    groupBy,
    sameCompanies,
  } as const;
  return {
    identity: JSON.stringify([selection, groupBy, sameCompanies]),
    async answer() {
      const result = await analyst.ask(dataset, question);
      const differs = sameCompanies || !groupBy.includes("fiscal_year") ? {} : differing(result);
      const counts = { ...differs, ...countsOf(result, notFound, told, sameCompanies) };
      return { body: listBody("statistics", result.json, counts), matched: result.matched.records };
    },
  };
}

const MATCHED_TOTALS = {
  records: COUNT,
  companies: COUNT,
  company_years: COUNT,
  by_basis: { row: COUNT, tag: COUNT },
} as const;

const TOTAL_COVERAGE = {
  matched: {
    ...MATCHED_TOTALS,
    doubtful: [COUNT, "@", "left out, or among the records with `doubtful=include`"],
  },
  ...COVERAGE,
  stale_companies: [COUNT, "@", "left out: their latest year ended more than three years ago"],
  "index_members_without_total?": [COUNT, "@", "members of the index without a total"],
  gaps: [[GAP, "[]"], "@", "named companies and index members without a total, and why"],
} as const;

const TOTAL = named("CeoPay", {
  ...COMPANY,
  fiscal_year: "number.integer",
  label_inferred: ["boolean", "@", "whether only the calendar year in which it ends is known"],
  period_end: orNull("string"),
  peo_name: orNull("string"),
  surname_only: ["boolean", "@", "whether the filer's tag names no more than a surname"],
  peo_total: "number",
  reporting_currency: "string",
  basis: ["===", "row", "tag"],
  confirmed_by_tag: ["boolean", "@", "whether another witness states the same total"],
  restated: [
    orNull({ peo_total: "number", accession: "string", filing_date: "string" }),
    "@",
    "what a newer proxy prints for this officer and year; the total is that of the year's own filing",
  ],
  doubts: [{ code: ["===", "sources_differ", "scale", "counted_elsewhere"], message: "string" }, "[]"],
  source: [
    orNull({
      form: orNull("string"),
      accession: "string",
      filing_date: orNull("string"),
      filing_url: orNull("string"),
    }),
    "@",
    "the filing; null if only its tag was collected",
  ],
  provider: [orNull("string"), "@", "who collected the tag"],
  company_url: ["string", "@", "the company's proxy statements at the SEC"],
});

const PAGE_OF_TOTALS = named("CeoPayResponse", {
  ceo_pay: [TOTAL, "[]"],
  ...TOTAL_COVERAGE,
  next_cursor: orNull("string"),
});

const TOTALS_STATISTICS = named("CeoPayStatisticsResponse", {
  statistics: [named("CeoPayGroup", groupOf(MATCHED_TOTALS)), "[]"],
  ...COMPANIES_DIFFER,
  ...TOTAL_COVERAGE,
});

export const ceoPayEndpoint = {
  id: "queryCeoPay",
  path: "/api/ceo-pay",
  methods: ["GET"],
  caller: "credential",
  price: "priceQuestion",
  tag: "Analysis",
  summary: "CEO pay of the whole market",
  description:
    "The total of each company's principal executive officer: from the filing's table where the dataset has its rows (`basis` " +
    "row), else as the filer tagged the same total in inline XBRL (tag). Doubtful totals are left out and counted. " +
    "Without a year filter, each company's latest. One credit per page, none if nothing matches.",
  parameters: CEO_PAY_PARAMETERS,
  answer: {
    about: "One page of the selected totals, the counts, and what is missing.",
    body: PAGE_OF_TOTALS,
  },
  says: ["credits"],
  refusals: ["402", "404", "410", "503"],
} as const satisfies Endpoint;

/** Records across companies, sorted and paged. Costs `priceQuestion` per page, nothing for a page without a record. */
export function ceoPayOperation(deps: AnalysisDeps) {
  return pricedOperation(deps, ceoPayEndpoint, answerCeoPay);
}

export const ceoPayStatisticsEndpoint = {
  id: "getCeoPayStatistics",
  path: "/api/ceo-pay/statistics",
  methods: ["GET"],
  caller: "credential",
  price: "priceQuestion",
  tag: "Analysis",
  summary: "Statistics of CEO pay",
  description:
    "Statistics of the same totals, by group; percentiles as in the statistics of rows. One credit, none if nothing matches.",
  parameters: CEO_PAY_STATISTICS_PARAMETERS,
  answer: {
    about: "The statistics of the selected totals, one group each.",
    body: TOTALS_STATISTICS,
  },
  says: ["credits"],
  refusals: ["402", "404", "503"],
} as const satisfies Endpoint;

/** Statistics of the totals, by group. Costs `priceQuestion`, nothing if no record matches. */
export function ceoPayStatisticsOperation(deps: AnalysisDeps) {
  return pricedOperation(deps, ceoPayStatisticsEndpoint, answerCeoPayStatistics);
}
