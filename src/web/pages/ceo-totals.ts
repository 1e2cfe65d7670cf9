/** Totals of chief executives, of rows and tags, as every page says them; as rows where nothing but the total is known. */
import type { CeoPayQuestion } from "../../analysis/ceo-pay-questions.ts";
import type { ResolvedCeoPay } from "../../analysis/company-years.ts";
import { type CeoPayJson, resolvedCeoPay } from "../../operations/ceo-pay.ts";
import type { Html } from "../../lib/html.ts";
import { html } from "../../lib/html.ts";
import type { Filters } from "../filters.ts";
import type { PageVisit } from "../page-visit.ts";
import type { Sight } from "../../analysis/sight.ts";
import { linkOut } from "../parts/elements.ts";

/** A company that is left out, or those that are meant, which may be more than a list in an address has. */
type CompaniesOfTotals = Partial<Pick<ResolvedCeoPay, "without" | "ciks" | "onlyNamed">>;

/** One total for each company and year of a selection, the highest of several people, in the order of `sort`. */
export async function readCeoTotals(
  { deps, dataset, sight }: Pick<PageVisit, "deps" | "dataset"> & { sight: Sight | null },
  filters: Filters,
  {
    count,
    sort = { by: "peo_total", descending: true },
    companies = {},
  }: Pick<CeoPayQuestion, "count"> & { sort?: CeoPayQuestion["sort"]; companies?: CompaniesOfTotals },
): Promise<CeoPayJson[]> {
  const selection = { ...resolvedCeoPay(dataset, filters), ...companies, onePerCompanyYear: true };
  const { json } = await deps.analyst.ask(dataset, {
    kind: "ceo_pay",
    selection,
    sight,
    sort,
    offset: 0,
    count,
  });
  // The analysis wrote exactly these.
  return JSON.parse(`[${new TextDecoder().decode(json)}]`) as CeoPayJson[];
}

/** How a total is known without its components. A link to the filing, or to the company's filings. */
export function tagMark({ source, provider, company_url: page }: CeoPayJson): Html {
  const text = `tagged by the filer${provider === null ? "" : `, collected by ${provider}`}`;
  const mark = html`<i class="dot tagged"></i><span class="away">${text}</span>`;
  return linkOut(source?.filing_url ?? page, mark, text);
}
