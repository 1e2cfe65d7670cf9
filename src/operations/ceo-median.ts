import type { Analyst } from "../analysis/analyst.ts";
import type { CeoPayGroup } from "../analysis/ceo-pay-questions.ts";
import type { StatisticsQuestionOf, StatisticsResult } from "../analysis/index.ts";
import type { ResolvedCeoPay, ResolvedSelection } from "../analysis/company-years.ts";
import { CEO_PAY_SELECTION } from "../domain/ceo-pay-selection.ts";
import type { GivenParameters } from "../domain/parameters.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { ceoPayStatisticsEndpoint } from "./ceo-pay.ts";

/** The median of a selection of CEOs over rows and tags, and where it is from. */
export interface CeoMedian {
  companies: number;
  median: number;
  url: string;
}

/**
 * The median over rows and filers' tags of the CEOs whose rows a question covers, so that a question has one answer
 * wherever it is asked; absent for other questions, and where no row answers.
 * @see docs/contract.md, "Operations"
 */
export async function ceoPayOf(
  analyst: Analyst,
  dataset: Dataset,
  {
    resolved,
    question,
    given,
    result,
  }: {
    resolved: ResolvedSelection;
    question: StatisticsQuestionOf["question"];
    given: GivenParameters;
    result: StatisticsResult;
  },
): Promise<{ ceo_pay?: CeoMedian }> {
  const isAsked = resolved.office === "peo" && question.field === "total_compensation";
  const selection = isAsked && result.matched.rows > 0 ? sameCeos(resolved) : undefined;
  if (selection === undefined) return {};
  const found = await analyst.ask(dataset, {
    kind: "ceo_pay_statistics",
    selection,
    groupBy: [],
    sameCompanies: false,
  });
  // Built by the question: one group, or none.
  const [group] = JSON.parse(`[${Buffer.from(found.json).toString()}]`) as CeoPayGroup[];
  if (group === undefined) return {};
  return { ceo_pay: { companies: group.companies, median: group.median, url: addressOf(given) } };
}

/** The same selection of totals; undefined where it narrows by what totals do not have. */
function sameCeos(selection: ResolvedSelection): ResolvedCeoPay | undefined {
  const { executive, executiveId, amounts, completeOnly, currency, ...rest } = selection;
  const totals = amounts.flatMap(({ field, bound, cents }) =>
    field === "total_compensation" ? [{ bound, cents }] : [],
  );
  const isNarrower = executive.length > 0 || executiveId !== null || completeOnly;
  if (isNarrower || currency === null || totals.length < amounts.length) return undefined;
  const { ciks, onlyNamed, years, sector, sic, state, index, filerCategory } = rest;
  return {
    ciks,
    onlyNamed,
    years,
    sector,
    sic,
    state,
    index,
    filerCategory,
    currency,
    totals,
    doubtful: "exclude",
  };
}

const NAMES: ReadonlySet<string> = new Set(CEO_PAY_SELECTION.map(({ name }) => name));

/** The address that answers it, at the same site. */
function addressOf(given: GivenParameters): string {
  const search = new URLSearchParams();
  for (const [name, [value = ""]] of given) {
    const own = name.replace(/^total_compensation_/, "peo_total_");
    if (NAMES.has(own)) search.set(own, value);
  }
  return `${ceoPayStatisticsEndpoint.path}?${search}`.replace(/\?$/, "");
}
