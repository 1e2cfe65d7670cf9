/**
 * `search` and `fetch`, as called by ChatGPT's company knowledge and deep research: one text item with the same JSON as
 * the structured content.
 */
import { type DocumentSubject, FETCH_PARAMETERS, type FetchedDocument } from "../../operations/documents.ts";
import { SEARCH_PARAMETERS } from "../../operations/document-search.ts";
import type { Operations } from "../../operations/operations.ts";
import { rateLimitHeaders } from "../../http/headers.ts";
import { pathTo } from "../../http/routes.ts";
import { whenAdmitted } from "../../operations/operation.ts";
import { operationTool, type Tool } from "../calls.ts";
import { decode, freeAnswer, jsonContent } from "../result.ts";
import { readTexts } from "./arguments.ts";
import { pointedDocument, pointersFor } from "./pointers.ts";

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
      const query = parameters.get("query")?.[0] ?? "";
      const pointers = pointersFor(query, site);
      // An exact symbol comes first, also where it reads as a question: `PFO`.
      const isSymbol = !/\s/.test(query.trim());
      return jsonContent(
        JSON.stringify({ results: isSymbol ? [...found, ...pointers] : [...pointers, ...found] }),
      );
    },
  );
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
  return async (given, context) => {
    const pointed = pointedDocument(given["id"], context.site);
    if (pointed === undefined) return fetched(given, context);
    const content = jsonContent(JSON.stringify(pointed));
    return whenAdmitted(deps, context, ({ window }) => freeAnswer(content, rateLimitHeaders(window)));
  };
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
