/** What `search` answers with a tool: a ranking, a statistic, and what no tool has. Free, so it never tells an amount or an order. */
import { ROUTES } from "../../http/routes.ts";
import { readSearch } from "../../operations/document-search.ts";
import { asksElsewhere, COMPENSATION_TOOL, NOT_COVERED } from "../tools.ts";
import { CEO_PAY_TOOL, QUERY_TOOL, STATISTICS_TOOL } from "./tools.ts";

/** A search result that is a tool. */
interface Pointer {
  id: string;
  title: string;
  /** What `fetch` says more. */
  more: string;
  path: string;
}

const STATISTIC = /\b(medians?|means?|averages?|percentiles?|quartiles?|typical(ly)?|trends?)\b/i;
const RANKING =
  /\b(highest|lowest|biggest|largest|rank(s|ed|ings?)?)\b|\b(best|worst|most|least|top)[- ]+(paid|paying|earning|compensated|earners?|ceos?|cfos?|exec\w*|\d+)\b|\b(earn(s|ed)?|ma[dk]es?|gets?|got) (the )?most\b/i;

const POINTERS = {
  elsewhere: {
    id: `tool:${COMPENSATION_TOOL}`,
    title: `${NOT_COVERED} The Summary Compensation Table is: call ${COMPENSATION_TOOL}`,
    more: "The filing at source.filing_url may say more.",
    path: ROUTES.coverage.path,
  },
  statistic: {
    id: `tool:${STATISTICS_TOOL}`,
    title: `For medians, means, percentiles and trends call ${STATISTICS_TOOL}`,
    more: 'Arguments such as {"office":"peo","sector":"information_technology","one_per_company_year":true}.',
    path: ROUTES.statisticsPage.path,
  },
  ceos: {
    id: `tool:${CEO_PAY_TOOL}`,
    title: `For rankings of CEOs of the whole market call ${CEO_PAY_TOOL}`,
    more: 'Arguments such as {"fiscal_year":2025,"max_rows":10}.',
    path: ROUTES.ceoPayPage.path,
  },
  ranking: {
    id: `tool:${QUERY_TOOL}`,
    title: `For rankings and lists of executives call ${QUERY_TOOL}`,
    more: 'Arguments such as {"office":"pfo","fiscal_year":2025,"max_rows":10}.',
    path: ROUTES.rankings.path,
  },
} as const satisfies Record<string, Pointer>;

/** The tools that answer a query better than documents. */
function pointersTo(query: string): readonly Pointer[] {
  const { names, offices } = readSearch(query);
  if (asksElsewhere(query)) return [POINTERS.elsewhere];
  if (STATISTIC.test(query)) return [POINTERS.statistic];
  if (!RANKING.test(query) && (names.length > 0 || offices.size === 0)) return [];
  return offices.has("peo") ? [POINTERS.ceos, POINTERS.ranking] : [POINTERS.ranking];
}

/** These tools as search results. @param site null without pages */
export function pointersFor(query: string, site: string | null) {
  return pointersTo(query).map((pointer) => ({
    id: pointer.id,
    title: pointer.title,
    url: urlTo(pointer, site),
  }));
}

/** The document of such a result; undefined for another id. */
export function pointedDocument(id: unknown, site: string | null) {
  const pointer = Object.values(POINTERS).find((one) => one.id === id);
  if (pointer === undefined) return undefined;
  const { title, more } = pointer;
  return { id: pointer.id, title, text: `${title}. ${more}`, url: urlTo(pointer, site), metadata: {} };
}

function urlTo({ path }: Pointer, site: string | null): string {
  return site === null ? "https://www.sec.gov/search-filings" : site + path;
}
