/**
 * `search` and `fetch`, as called by ChatGPT's company knowledge and deep research: one text item with the same JSON as
 * the structured content.
 */
import { type DocumentSubject, FETCH_PARAMETERS, type FetchedDocument } from "../../operations/documents.ts";
import { SEARCH_PARAMETERS } from "../../operations/document-search.ts";
import type { Operations } from "../../operations/operations.ts";
import type { MaybePromise } from "../../domain/maybe-promise.ts";
import { rateLimitHeaders } from "../../http/responses.ts";
import { pathTo, ROUTES } from "../../http/routes.ts";
import { whenAdmitted } from "../../operations/operation.ts";
import { answerOf, type CallContext, readArguments, type Tool } from "../calls.ts";
import { decode, freeAnswer, successMembers, type ToolAnswer } from "../result.ts";
import { readText } from "./arguments.ts";
import { membersCache } from "./fitting.ts";
import { CEO_PAY_TOOL, STATISTICS_TOOL } from "./tools.ts";

/** The `search` tool. */
export function searchTool(deps: Operations): Tool {
  const cached = membersCache();
  return async (given, context) => {
    const parameters = await readArguments(deps, context, () => readText(given, SEARCH_PARAMETERS));
    const answer = await deps.search({ ...context, parameters, ifNoneMatch: null });
    const members = cached(answer, String(context.site), () => {
      // As built by the operation.
      const { results } = JSON.parse(decode(answer.body)) as { results: DocumentSubject[] };
      const found = results.map((subject) => ({
        id: subject.id,
        title: subject.title,
        url: urlOf(subject, context.site),
      }));
      const query = String(given["query"]);
      if (STATISTIC.test(query)) found.unshift(statisticsPointer(context.site));
      return successMembers(JSON.stringify({ results: found }), []);
    });
    return answerOf(answer, members);
  };
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
  const cached = membersCache();
  return async (given, context) => {
    if (given["id"] === POINTER_ID) return pointed(deps, context);
    const parameters = await readArguments(deps, context, () => readText(given, FETCH_PARAMETERS));
    const answer = await deps.fetch({ ...context, parameters, ifNoneMatch: null });
    const members = cached(answer, String(context.site), () => {
      // As built by the operation.
      const document = JSON.parse(decode(answer.body)) as FetchedDocument;
      const { id, title, text, metadata } = document;
      const body = JSON.stringify({ id, title, text, url: urlOf(document, context.site), metadata });
      return successMembers(body, []);
    });
    return answerOf(answer, members);
  };
}

/** The document behind the pointer. Free. */
function pointed(deps: Operations, context: CallContext): MaybePromise<ToolAnswer> {
  const { title, ...rest } = statisticsPointer(context.site);
  const text = `${title}. Arguments such as {"office":"peo","sector":"information_technology","one_per_company_year":true}.`;
  const members = successMembers(JSON.stringify({ ...rest, title, text, metadata: {} }), []);
  return whenAdmitted(deps, context, ({ window }) => freeAnswer(members, rateLimitHeaders(window)));
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
