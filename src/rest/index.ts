import { Elysia } from "elysia";
import type { CallOf } from "../sites.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { GivenParameters } from "../domain/query.ts";
import { ServiceError } from "../errors.ts";
import { parameters, pathSegment, prefersHtml, windowHeaders } from "../http.ts";
import type { Answer } from "../operations/parts.ts";
import type { compensationOperation } from "../operations/compensation.ts";
import type { factsOperation } from "../operations/facts.ts";
import type { tickersOperation } from "../operations/tickers.ts";
import { presentedKey } from "./decode.ts";
import { docs } from "./docs.ts";
import { refusalAnswer } from "./envelope.ts";

/** What REST is built from. */
export interface RestParts {
  callOf: CallOf;
  purchaseStatus: string;
  getCompensation: ReturnType<typeof compensationOperation>;
  getTickers: ReturnType<typeof tickersOperation>;
  getFacts: ReturnType<typeof factsOperation>;
}

/** Query strings of which the reading is kept: callers repeat themselves. */
const KEPT_QUERIES = 4096;
const LONGEST_KEPT_QUERY = 200;

const METHODS = "GET, HEAD";

/** The REST surface: two keyed operations, the anonymous facts, and the description of all three. */
export function rest(parts: RestParts) {
  const given = new BoundedCache<string, GivenParameters>(KEPT_QUERIES);
  const parametersOf = ({ search, searchParams }: URL) =>
    search.length > LONGEST_KEPT_QUERY
      ? parameters(searchParams)
      : given.getOrMake(search, () => parameters(searchParams));

  const answering =
    (answer: (request: Request) => Promise<Response>) => async (context: { request: Request }) => {
      const { request } = context;
      try {
        if (request.method !== "GET" && request.method !== "HEAD") throw wrongMethod(request.method);
        return await answer(request);
      } catch (refused) {
        if (!(refused instanceof ServiceError)) throw refused;
        const url = parts.callOf(request).site.developer;
        return refusalAnswer(refused, { status: parts.purchaseStatus, url });
      }
    };

  const keyed = (operation: RestParts["getCompensation"] | RestParts["getTickers"]) =>
    answering(async (request) => {
      const { id, address, url } = parts.callOf(request);
      const answer = await operation({
        caller: { presented: presentedKey(request.headers), address, requestId: id },
        parameters: parametersOf(url),
        ifNoneMatch: request.headers.get("if-none-match"),
        need: "credential",
      });
      return answered(answer, {
        "cache-control": "private, max-age=0, must-revalidate",
        vary: "X-API-KEY, Authorization",
      });
    });

  const facts = answering(async (request) => {
    const { id, address, site, url } = parts.callOf(request);
    const ticker = pathSegment(url.pathname, 2);
    if (prefersHtml(request.headers.get("accept"))) {
      const location = `${site.origin}/t/${encodeURIComponent(ticker)}`;
      return new Response(null, { status: 303, headers: { location, vary: "Accept" } });
    }
    const answer = await parts.getFacts({
      ticker,
      address,
      requestId: id,
      parameters: parametersOf(url),
      ifNoneMatch: request.headers.get("if-none-match"),
      historyUrl: `${site.api}/executive-compensation`,
    });
    return answered(answer, {
      "cache-control": "public, max-age=300, stale-while-revalidate=86400",
      "access-control-allow-origin": "*",
      vary: "Accept",
    });
  });

  return new Elysia({ name: "rest" })
    .use(docs())
    .all("/api/executive-compensation", keyed(parts.getCompensation))
    .all("/api/executive-compensation/tickers", keyed(parts.getTickers))
    .all("/t/:ticker/facts", facts);
}

function wrongMethod(method: string): ServiceError {
  return new ServiceError("wrong_method", `${method} is not served here: use GET.`, { allow: METHODS });
}

function answered(answer: Answer, caching: Record<string, string>): Response {
  const headers: Record<string, string> = {
    ...caching,
    etag: answer.etag,
    ...windowHeaders(answer.window),
  };
  if (answer.receipt !== null && answer.receipt.remaining !== null) {
    headers["credits-charged"] = String(answer.receipt.charged);
    headers["credits-remaining"] = String(answer.receipt.remaining);
  }
  if (answer.incompleteYears.length > 0) {
    headers["incomplete-fiscal-years"] = answer.incompleteYears.join(", ");
  }
  if (answer.notModified) return new Response(null, { status: 304, headers });
  headers["content-type"] = "application/json";
  return new Response(answer.body, { status: 200, headers });
}
