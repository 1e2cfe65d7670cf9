/** REST: translates requests to operations, and answers to responses with headers and the flat envelope. */
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import { pathTo, type RouteName, ROUTES } from "../http/routes.ts";
import type { RequestContext } from "../http/base-urls.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { GivenParameters } from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import {
  nothingServedAt,
  parameters,
  pathSegment,
  prefersHtml,
  rateLimitHeaders,
  withHeaders,
} from "../http/responses.ts";
import {
  type Answer,
  type Caller,
  callerOf,
  type OperationRequest,
  whenAdmitted,
} from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import {
  answering,
  corsFor,
  type CorsPolicy,
  errorResponse,
  exportResponse,
  NONE,
  OPEN_CORS,
  presentedKey,
} from "./response.ts";

export interface RestDeps extends Operations {
  purchaseStatus: string;
  /** Origins whose pages may call the keyed operations; `*` for any. */
  corsOrigins: readonly string[];
}

/** Answers a request within its context. */
export type RequestHandler = (request: Request, context: RequestContext) => MaybePromise<Response>;

/** Number of query strings whose parameters are cached, since callers repeat theirs. */
const CACHED_QUERIES = 4096;
const MAX_CACHED_QUERY_LENGTH = 200;

/** Creates the handlers of REST. The first three take most of the traffic. */
export function restHandlers(deps: RestDeps) {
  const surface = {
    deps,
    parametersOf: parametersReader(),
    refusing: refusalsWith(deps.purchaseStatus),
    cors: corsFor(deps.corsOrigins),
  };
  const answered = (name: RouteName, operation: Operation<Answer>, need: Need = "credential") =>
    keyed(surface, name, operation, answering(KEYED_CACHING), need);
  return {
    compensation: answered("compensation", deps.getCompensation),
    tickers: answered("tickers", deps.getTickers),
    facts: facts(surface),
    notFound: notFound(surface),
    query: answered("query", deps.query),
    statistics: answered("statistics", deps.statistics),
    ceoPay: answered("ceoPay", deps.ceoPay),
    ceoPayStatistics: answered("ceoPayStatistics", deps.ceoPayStatistics),
    companies: answered("companies", deps.companies),
    changes: answered("changes", deps.changes, "any"),
    export: keyed(surface, "export", deps.export, exportResponse, "credential"),
  };
}

/** The handlers of REST. */
export type RestHandlers = ReturnType<typeof restHandlers>;

type Operation<Answered> = (request: OperationRequest) => MaybePromise<Answered>;
type Need = OperationRequest["need"];

/** A handler that is passed the CORS headers, which refusals also receive. */
type CorsHandler = (
  request: Request,
  context: RequestContext,
  cors: Readonly<Record<string, string>>,
) => MaybePromise<Response>;

/** Shared parts of the handlers. */
interface Surface {
  deps: RestDeps;
  parametersOf(context: RequestContext): GivenParameters;
  refusing(policy: CorsPolicy, answer: CorsHandler): RequestHandler;
  cors: CorsPolicy;
}

/** Returns a parser of query strings that caches recurring ones. */
function parametersReader(): Surface["parametersOf"] {
  const given = new BoundedCache<string, GivenParameters>(CACHED_QUERIES);
  return ({ search, url }) =>
    search.length > MAX_CACHED_QUERY_LENGTH
      ? parameters(url.searchParams)
      : given.getOrMake(search, () => parameters(url.searchParams));
}

/** Wraps a handler: answers preflights by the CORS policy, and turns refusals into responses. */
function refusalsWith(purchaseStatus: string): Surface["refusing"] {
  const refuse = (refused: unknown, { baseUrls }: RequestContext, cors: Readonly<Record<string, string>>) => {
    if (!(refused instanceof ServiceError)) throw refused;
    return errorResponse(refused, { status: purchaseStatus, url: baseUrls.developer }, cors);
  };
  return (policy, answer) => (request, context) => {
    const origin = request.headers.get("origin");
    const cors = policy.headers(origin);
    try {
      if (request.method === "OPTIONS") {
        const headers = policy.preflight(origin);
        if (headers !== null) return new Response(null, { status: 204, headers });
      }
      const response = answer(request, context, cors);
      if (!(response instanceof Promise)) return response;
      return response.catch((refused: unknown) => refuse(refused, context, cors));
    } catch (refused) {
      return refuse(refused, context, cors);
    }
  };
}

/** A handler for callers with a key. @param need `any` if anonymous callers get a limited answer */
function keyed<Answered>(
  { deps, parametersOf, refusing, cors }: Surface,
  route: RouteName,
  operation: Operation<Answered>,
  responseOf: (answer: Answered) => Response,
  need: Need,
): RequestHandler {
  return refusing(cors, (request, context, corsHeaders) => {
    const caller = callerOf(presentedKey(request.headers), context);
    if (!isAllowed(request, route)) return refuseMethod(deps, caller, request.method, route);
    const answer = operation({
      caller,
      parameters: parametersOf(context),
      ifNoneMatch: request.headers.get("if-none-match"),
      need,
    });
    return andThen(answer, (made) => withHeaders(responseOf(made), corsHeaders));
  });
}

function facts({ deps, parametersOf, refusing }: Surface): RequestHandler {
  const factsAnswered = answering(FACTS_CACHING, OPEN_CORS.headers(null));
  return refusing(OPEN_CORS, (request, context, corsHeaders) => {
    const caller = callerOf(NONE, context);
    if (!isAllowed(request, "facts")) return refuseMethod(deps, caller, request.method, "facts");
    const { baseUrls, pathname } = context;
    const ticker = pathSegment(pathname, 2);
    if (prefersHtml(request.headers.get("accept"))) {
      const location = baseUrls.origin + pathTo("company", { ticker });
      return andThen(deps.admit(caller, "any"), ({ window }) => {
        const headers = { location, vary: "Accept", ...rateLimitHeaders(window), ...corsHeaders };
        return new Response(null, { status: 303, headers });
      });
    }
    const answer = deps.getFacts({
      caller,
      need: "any",
      ticker,
      parameters: parametersOf(context),
      ifNoneMatch: request.headers.get("if-none-match"),
      historyUrl: baseUrls.origin + ROUTES.compensation.path,
    });
    return andThen(answer, factsAnswered);
  });
}

/** Refuses unmatched requests, and counts them. */
function notFound({ deps, refusing, cors }: Surface) {
  /** @param allow the methods of the path, if it exists */
  return (request: Request, context: RequestContext, allow: string | undefined): MaybePromise<Response> => {
    const caller = callerOf(presentedKey(request.headers), context);
    return refusing(cors, () =>
      whenAdmitted(deps, { caller, need: "any" }, () => {
        if (allow !== undefined) throw wrongMethod(request.method, allow);
        throw new ServiceError("no_route", nothingServedAt(context.pathname));
      }),
    )(request, context);
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
  return new ServiceError("wrong_method", `${method} is not supported here: use ${allow}.`, { allow });
}

function isAllowed({ method }: Request, route: RouteName): boolean {
  const methods: readonly string[] = ROUTES[route].methods;
  return methods.includes(method);
}

/** A method that is not supported counts as a request of the caller. */
function refuseMethod(deps: RestDeps, caller: Caller, method: string, route: RouteName): MaybePromise<never> {
  return whenAdmitted(deps, { caller, need: "any" }, () =>
    Promise.reject<never>(wrongMethod(method, ROUTES[route].methods.join(", "))),
  );
}
