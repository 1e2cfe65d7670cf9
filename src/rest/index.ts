import { pathTo, ROUTES } from "../routes.ts";
import { Elysia } from "elysia";
import type { RequestContext, ContextOf } from "../base-urls.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { GivenParameters } from "../domain/query.ts";
import { ServiceError } from "../errors.ts";
import {
  type AnswerBody,
  heldBody,
  newerFilingHeader,
  rateLimitHeaders,
  streamedBody,
  parameters,
  pathSegment,
  prefersHtml,
  rateLimitHeader,
  rateLimitPolicyHeader,
} from "../http.ts";
import {
  type Answer,
  type Caller,
  type MaybePromise,
  type OperationDeps,
  whenAdmitted,
} from "../operations/operation.ts";
import type { compensationOperation } from "../operations/compensation.ts";
import type { companiesOperation } from "../operations/companies.ts";
import type { exportOperation } from "../operations/export.ts";
import type { factsOperation } from "../operations/facts.ts";
import type { queryOperation } from "../operations/query.ts";
import type { statisticsOperation } from "../operations/statistics.ts";
import type { tickersOperation } from "../operations/tickers.ts";
import type { Runtime } from "../runtime.ts";
import { type CorsPolicy, OPEN_CORS, corsFor } from "./cors.ts";
import { presentedKey } from "./decode.ts";
import { docs } from "./docs.ts";
import { exportResponse } from "./export.ts";
import { errorResponse } from "./envelope.ts";

/** What REST is built from. */
export interface RestDeps {
  purchaseStatus: string;
  /** Origins whose pages may call the keyed operations; `*` for any. */
  corsOrigins: readonly string[];
  admit: OperationDeps["admit"];
  charge: OperationDeps["charge"];
  getCompensation: ReturnType<typeof compensationOperation>;
  getTickers: ReturnType<typeof tickersOperation>;
  getFacts: ReturnType<typeof factsOperation>;
  query: ReturnType<typeof queryOperation>;
  statistics: ReturnType<typeof statisticsOperation>;
  companies: ReturnType<typeof companiesOperation>;
  export: ReturnType<typeof exportOperation>;
}

/** Answers a request of which the call is known. */
export type RequestHandler = (request: Request, context: RequestContext) => MaybePromise<Response>;

/** The answers that REST is there for: the first three are what nearly everybody asks. */
export interface RestHandlers {
  compensation: RequestHandler;
  tickers: RequestHandler;
  facts: RequestHandler;
  /** Refuses, and counts, what no route answers. @param allow the methods that the address has, where it has any */
  nowhere(request: Request, context: RequestContext, allow: string | undefined): MaybePromise<Response>;
  query: RequestHandler;
  statistics: RequestHandler;
  companies: RequestHandler;
  export: RequestHandler;
}

/** Query strings of which the reading is kept: callers repeat themselves. */
const CACHED_QUERIES = 4096;
const MAX_CACHED_QUERY_LENGTH = 200;

const METHODS = ROUTES.compensation.methods.join(", ");

/** The routes of REST but for those that are answered past the router (`app.ts`), and the description of them all. */
export function rest(
  { query, statistics, companies, export: exported }: RestHandlers,
  contextOf: ContextOf,
  runtime: Pick<Runtime, "secret">,
) {
  const mounted =
    (answer: RequestHandler) =>
    ({ request }: { request: Request }) =>
      answer(request, contextOf(request));
  return new Elysia({ name: "rest" })
    .use(docs(runtime))
    .all(ROUTES.query.path, mounted(query))
    .all(ROUTES.statistics.path, mounted(statistics))
    .all(ROUTES.export.path, mounted(exported))
    .all(ROUTES.companies.path, mounted(companies));
}

/** From a request to an operation and back: what REST adds to it is parameters, headers and the flat envelope. */
export function restHandlers(deps: RestDeps): RestHandlers {
  const given = new BoundedCache<string, GivenParameters>(CACHED_QUERIES);
  // `searchParams` is made when it is asked for: only where the query string was not read before.
  const parametersOf = (url: URL) =>
    url.search.length > MAX_CACHED_QUERY_LENGTH
      ? parameters(url.searchParams)
      : given.getOrMake(url.search, () => parameters(url.searchParams));

  const refuse = (refused: unknown, { baseUrls }: RequestContext, cors: Readonly<Record<string, string>>) => {
    if (!(refused instanceof ServiceError)) throw refused;
    return errorResponse(refused, { status: deps.purchaseStatus, url: baseUrls.developer }, cors);
  };
  const refusing =
    (policy: CorsPolicy, answer: RequestHandler): RequestHandler =>
    (request, context) => {
      const origin = request.headers.get("origin");
      const cors = policy.headers(origin);
      try {
        if (request.method === "OPTIONS") {
          const headers = policy.preflight(origin);
          if (headers !== null) return new Response(null, { status: 204, headers });
        }
        const response = answer(request, context);
        if (!(response instanceof Promise)) return withHeaders(response, cors);
        return response.then(
          (made) => withHeaders(made, cors),
          (refused: unknown) => refuse(refused, context, cors),
        );
      } catch (refused) {
        return refuse(refused, context, cors);
      }
    };

  const cors = corsFor(deps.corsOrigins);
  const keyed = (operation: RestDeps["getCompensation"] | RestDeps["query"]) => {
    const answered = answering(KEYED_CACHING);
    return refusing(cors, (request, { id, address, url }) => {
      const caller = { presented: presentedKey(request.headers), address, requestId: id };
      const { method } = request;
      if (method !== "GET" && method !== "HEAD") return refuseMethod(deps, caller, method);
      const answer = operation({
        caller,
        parameters: parametersOf(url),
        ifNoneMatch: request.headers.get("if-none-match"),
        method,
        need: "credential",
      });
      return answer instanceof Promise ? answer.then(answered) : answered(answer);
    });
  };

  const exporting = refusing(cors, async (request, { id, address, url }) => {
    const caller = { presented: presentedKey(request.headers), address, requestId: id };
    const { method } = request;
    if (method !== "GET" && method !== "HEAD") return refuseMethod(deps, caller, method);
    const given = {
      caller,
      parameters: parametersOf(url),
      ifNoneMatch: null,
      method,
      need: "credential",
    } as const;
    return exportResponse(await deps.export(given), method);
  });

  const factsAnswered = answering(FACTS_CACHING);
  const facts = refusing(OPEN_CORS, (request, { id, address, baseUrls, url }) => {
    const caller: Caller = { presented: { kind: "none" }, address, requestId: id };
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuseMethod(deps, caller, request.method);
    }
    const ticker = pathSegment(url.pathname, 2);
    if (prefersHtml(request.headers.get("accept"))) {
      const location = baseUrls.origin + pathTo("company", { ticker });
      const { window } = deps.admit(caller, "any");
      const headers = { location, vary: "Accept", ...rateLimitHeaders(window) };
      return new Response(null, { status: 303, headers });
    }
    const answer = deps.getFacts({
      caller: { presented: { kind: "none" }, address, requestId: id },
      ticker,
      parameters: parametersOf(url),
      ifNoneMatch: request.headers.get("if-none-match"),
      historyUrl: baseUrls.origin + ROUTES.compensation.path,
    });
    return answer instanceof Promise ? answer.then(factsAnswered) : factsAnswered(answer);
  });

  const nowhere = (request: Request, context: RequestContext, allow: string | undefined) => {
    const { id, address, url } = context;
    const caller = { presented: presentedKey(request.headers), address, requestId: id };
    return refusing(cors, () =>
      whenAdmitted(deps, { caller, need: "any" }, () => {
        if (allow !== undefined) throw wrongMethod(request.method, allow);
        throw new ServiceError("no_route", `Nothing is served at ${url.pathname}.`);
      }),
    )(request, context);
  };

  return {
    compensation: keyed(deps.getCompensation),
    tickers: keyed(deps.getTickers),
    facts,
    nowhere,
    query: keyed(deps.query),
    statistics: keyed(deps.statistics),
    companies: keyed(deps.companies),
    export: exporting,
  };
}

const KEYED_CACHING = {
  "cache-control": "private, max-age=0, must-revalidate",
  vary: "X-API-KEY, Authorization",
};
const FACTS_CACHING = {
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
  vary: "Accept, Accept-Encoding",
};

function wrongMethod(method: string, allow: string): ServiceError {
  return new ServiceError("wrong_method", `${method} is not served here: use ${allow}.`, { allow });
}

/** A method that is not served counts like any other request of that caller. */
function refuseMethod(deps: RestDeps, caller: Caller, method: string): MaybePromise<never> {
  return whenAdmitted(deps, { caller, need: "any" }, () =>
    Promise.reject<never>(wrongMethod(method, METHODS)),
  );
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) response.headers.set(name, value);
  }
  return response;
}

/** Only what is charged waits; anything else is answered at once. @param held the body for who need not wait */
function bodyOf({ body, receipt }: Answer, held: AnswerBody): AnswerBody {
  const waited = receipt !== null && receipt.charged > 0;
  return waited && held === body ? streamedBody(body) : held;
}

/** What is the same whenever a body is answered. */
interface Kept {
  /** The window policy that stands in `head`; empty when none does. */
  policy: string;
  head: Headers;
  body: AnswerBody;
}

/**
 * Turns answers of one kind into responses. What the same body is always answered with is put together once and copied
 * after that: writing out eight headers anew costs more than the rest of an answer (`docs/performance.md`).
 */
function answering(caching: Record<string, string>): (answer: Answer) => Response {
  const kept = new WeakMap<Uint8Array, Kept>();
  const headOf = ({ etag, incompleteYears, newerFiling, window }: Answer): Headers => {
    const head = new Headers({ ...caching, etag });
    if (newerFiling !== null) head.set("newer-filing", newerFilingHeader(newerFiling));
    if (incompleteYears.length > 0) head.set("incomplete-fiscal-years", incompleteYears.join(", "));
    if (window !== null) head.set("ratelimit-policy", rateLimitPolicyHeader(window));
    return head;
  };
  const keptFor = (answer: Answer): Kept => {
    const policy = answer.window === null ? "" : rateLimitPolicyHeader(answer.window);
    const known = kept.get(answer.body);
    if (known !== undefined && known.policy === policy) return known;
    const head = headOf(answer);
    head.set("content-type", "application/json");
    const fresh = { policy, head, body: known?.body ?? heldBody(answer.body) };
    kept.set(answer.body, fresh);
    return fresh;
  };
  const full = (answer: Answer): Response => {
    const { head, body } = keptFor(answer);
    return new Response(bodyOf(answer, body), { headers: head });
  };

  return (answer) => {
    const response = answer.notModified
      ? new Response(null, { status: 304, headers: headOf(answer) })
      : full(answer);
    if (answer.window !== null) response.headers.set("ratelimit", rateLimitHeader(answer.window));
    if (answer.receipt !== null && answer.receipt.remaining !== null) {
      response.headers.set("credits-charged", String(answer.receipt.charged));
      response.headers.set("credits-remaining", String(answer.receipt.remaining));
    }
    return response;
  };
}
