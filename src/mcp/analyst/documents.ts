/**
 * `search` and `fetch`, as called by ChatGPT's company knowledge and deep research: one text item with the same JSON as
 * the structured content.
 */
import { type DocumentSubject, FETCH_PARAMETERS, type FetchedDocument } from "../../operations/documents.ts";
import { SEARCH_PARAMETERS } from "../../operations/document-search.ts";
import type { Operations } from "../../operations/operations.ts";
import { rateLimitHeaders } from "../../http/responses.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { whenAdmitted } from "../../operations/operation.ts";
import { type CallContext, operationTool, type Tool } from "../calls.ts";
import { decode, freeAnswer, jsonContent, type ToolAnswer } from "../result.ts";
import { readTexts } from "./arguments.ts";
import { CEO_PAY_TOOL, STATISTICS_TOOL } from "./tools.ts";

/** The `search` tool. */
export function searchTool(deps: Operations): Tool {
  return operationTool(
    deps,
    deps.search,
    (given) => readTexts(given, SEARCH_PARAMETERS),
    ({ body }, { parameters }, { site }) => {
      // As built by the operation.
      const { results } = JSON.parse(decode(body)) as { results: DocumentSubject[] };
      const found = results.map((subject) => ({
        id: subject.id,
        title: subject.title,
        url: urlOf(subject, site),
      }));
      if (STATISTIC.test(parameters.get("query")?.[0] ?? "")) found.unshift(statisticsPointer(site));
      return jsonContent(JSON.stringify({ results: found }));
    },
  );
}

/** A question that no document answers. */
const STATISTIC = /\b(medians?|means?|averages?|percentiles?|quartiles?|typical)\b/i;

const POINTER_ID = "tool:statistics";

/** The search result for such a question. */
function statisticsPointer(site: string | null) {
  return {
    id: POINTER_ID,
    title: `For medians, means and percentiles call ${STATISTICS_TOOL}; for CEOs of the whole market ${CEO_PAY_TOOL} with group_by`,
    url: site === null ? "https://www.sec.gov/search-filings" : site + ROUTES.statistics.path,
  };
}

/** The `fetch` tool. */
export function fetchTool(deps: Operations): Tool {
  const fetched = operationTool(
    deps,
    deps.fetch,
    (given) => readTexts(given, FETCH_PARAMETERS),
    ({ body }, _, { site }) => {
      // As built by the operation.
      const document = JSON.parse(decode(body)) as FetchedDocument;
      const { id, title, text, metadata } = document;
      return jsonContent(JSON.stringify({ id, title, text, url: urlOf(document, site), metadata }));
    },
  );
  return (given, context) => (given["id"] === POINTER_ID ? pointed(deps, context) : fetched(given, context));
}

/** The document behind the pointer. Free. */
async function pointed(deps: Operations, context: CallContext): Promise<ToolAnswer> {
  const { title, ...rest } = statisticsPointer(context.site);
  const text = `${title}. Arguments such as {"office":"peo","sector":"information_technology","one_per_company_year":true}.`;
  const content = jsonContent(JSON.stringify({ ...rest, title, text, metadata: {} }));
  return whenAdmitted(deps, context, ({ window }) => freeAnswer(content, rateLimitHeaders(window)));
}

/** Link for people: our page, or without a site the filing. */
export function urlOf(subject: DocumentSubject, site: string | null): string {
  if (site === null) return subject.filing_url;
  const { ticker, cik, fiscal_year: year, executive_id: executive } = subject;
  const company = ticker === "" ? { cik: String(Number(cik)) } : { ticker };
  const byCik = ticker === "";
  if (executive !== null && year !== null) {
    const segments = { ...company, year: String(year), executive };
    return site + pathTo(byCik ? "personByCik" : "person", segments);
  }
  const path = pathTo(byCik ? "companyByCik" : "company", company);
  return site + path + (year === null ? "" : `?year=${year}`);
}
