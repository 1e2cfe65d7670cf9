/** REST: translates requests to operations, and answers to responses with headers and the flat envelope. */
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import { pathTo, type RouteName, ROUTES } from "../http/routes.ts";
import type { RequestContext } from "../http/base-urls.ts";
import { ServiceError } from "../errors.ts";
import {
  type HeaderFields,
  nothingServedAt,
  parameters,
  pathSegment,
  prefersHtml,
  rateLimitHeaders,
  withHeaders,
} from "../http/responses.ts";
import type { Presented } from "../accounts/principal.ts";
import { type Caller, callerOf, type OperationRequest, whenAdmitted } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import {
  ANY_ORIGIN,
  answering,
  corsFor,
  type CorsPolicy,
  errorResponse,
  exportResponse,
  NONE,
  PREFLIGHT,
  presentedKey,
} from "./response.ts";

export interface RestDeps extends Operations {
  purchaseStatus: string;
  /** Origins whose pages may call the keyed operations; `*` for any. */
  corsOrigins: readonly string[];
}

/** Answers a request within its context. */
export type RequestHandler = (request: Request, context: RequestContext) => MaybePromise<Response>;

/** Creates the handlers of REST. The first three take most of the traffic. */
export function restHandlers(deps: RestDeps) {
  const surface = new RestSurface(deps);
  const answered = answering(KEYED_CACHING);
  return {
    compensation: surface.keyed("compensation", deps.getCompensation, answered),
    tickers: surface.keyed("tickers", deps.getTickers, answered),
    facts: surface.facts(),
    /** For unmatched requests. @param allow the methods of the path, if it exists */
    notFound: surface.notFound.bind(surface),
    query: surface.keyed("query", deps.query, answered),
    statistics: surface.keyed("statistics", deps.statistics, answered),
    ceoPay: surface.keyed("ceoPay", deps.ceoPay, answered),
    ceoPayStatistics: surface.keyed("ceoPayStatistics", deps.ceoPayStatistics, answered),
    companies: surface.keyed("companies", deps.companies, answered),
    export: surface.keyed("export", deps.export, exportResponse),
  };
}

/** The handlers of REST. */
export type RestHandlers = ReturnType<typeof restHandlers>;

type WithCors = (cors: HeaderFields, ...of: Parameters<RequestHandler>) => MaybePromise<Response>;
const NO_CORS: HeaderFields = Object.freeze({});

/** Makes the handlers of routes. */
class RestSurface {
  private readonly cors: CorsPolicy;

  constructor(private readonly deps: RestDeps) {
    this.cors = corsFor(deps.corsOrigins);
  }

  /** For callers with a key. */
  keyed<Answered>(
    route: RouteName,
    operation: (request: OperationRequest) => MaybePromise<Answered>,
    responseOf: (answer: Answered) => Response,
  ): RequestHandler {
    return this.handler(route, this.cors, presentedKey, "credential", (input, cors) =>
      andThen(operation(input), (answer) => withHeaders(responseOf(answer), cors)),
    );
  }

  /** For everybody, without a credential; browsers are sent to the page. */
  facts(): RequestHandler {
    const { admit, getFacts } = this.deps;
    const answered = answering(FACTS_CACHING, ANY_ORIGIN);
    const [policy, presented] = [() => ANY_ORIGIN, () => NONE];
    return this.handler("facts", policy, presented, "any", (input, cors, request, { baseUrls, pathname }) => {
      // Named one by one: spreading them is slow, and this is the most frequent request.
      const { caller, parameters, ifNoneMatch, need } = input;
      const [ticker, historyUrl] = [pathSegment(pathname, 2), baseUrls.compensation];
      if (!prefersHtml(request.headers.get("accept")))
        return andThen(getFacts({ caller, parameters, ifNoneMatch, need, ticker, historyUrl }), answered);
      const location = baseUrls.origin + pathTo("company", { ticker });
      return andThen(admit(caller, need), ({ window }) => {
        const headers = { location, vary: "Accept", ...rateLimitHeaders(window), ...cors };
        return new Response(null, { status: 303, headers });
      });
    });
  }

  notFound(request: Request, context: RequestContext, allow: string | undefined): MaybePromise<Response> {
    const caller = callerOf(presentedKey(request.headers), context);
    return this.guarded(this.cors, () => this.refuse(request, caller, context, allow))(request, context);
  }

  /** Answers a route's methods. @param presented reads the credential */
  private handler(
    route: RouteName,
    policy: CorsPolicy,
    presented: (headers: Headers) => Presented,
    need: OperationRequest["need"],
    answer: (input: OperationRequest, ...of: Parameters<WithCors>) => MaybePromise<Response>,
  ): RequestHandler {
    const methods: readonly string[] = ROUTES[route].methods;
    return this.guarded(policy, (cors, request, context) => {
      const caller = callerOf(presented(request.headers), context);
      if (!methods.includes(request.method)) return this.refuse(request, caller, context, methods.join(", "));
      const ifNoneMatch = request.headers.get("if-none-match");
      const given = (context.target.parameters ??= parameters(context.search));
      return answer({ caller, parameters: given, ifNoneMatch, need }, cors, request, context);
    });
  }

  /** Answers preflights by the CORS policy, and turns refusals into responses, which get its headers too. */
  private guarded(policy: CorsPolicy, answer: WithCors): RequestHandler {
    return (request, context) => {
      const allowed = policy(request.headers.get("origin"));
      if (request.method === "OPTIONS" && allowed !== null)
        return new Response(null, { status: 204, headers: { ...allowed, ...PREFLIGHT } });
      const cors = allowed ?? NO_CORS;
      try {
        const response = answer(cors, request, context);
        if (!(response instanceof Promise)) return response;
        return response.catch((refused: unknown) => this.refusal(refused, context, cors));
      } catch (refused) {
        return this.refusal(refused, context, cors);
      }
    };
  }

  private refusal(refused: unknown, { baseUrls }: RequestContext, cors: HeaderFields): Response {
    if (!(refused instanceof ServiceError)) throw refused;
    return errorResponse(refused, { status: this.deps.purchaseStatus, url: baseUrls.developer }, cors);
  }

  /** Refuses a request that no handler answers, and counts it. @param allow the methods of its path, if that exists */
  private refuse(
    { method }: Request,
    caller: Caller,
    { pathname }: RequestContext,
    allow: string | undefined,
  ) {
    return whenAdmitted(this.deps, { caller, need: "any" }, (): never => {
      if (allow === undefined) {
        const hint = pathname === OLD_EXPORT ? ` The export is at ${ROUTES.export.path}.` : "";
        throw new ServiceError("no_route", nothingServedAt(pathname) + hint);
      }
      const message = `${method} is not supported here: use ${allow}.`;
      throw new ServiceError("wrong_method", message, { allow });
    });
  }
}

/** Where the export was until 0.3.0. */
const OLD_EXPORT = "/api/executive-compensation/export";

const KEYED_CACHING = {
  "cache-control": "private, max-age=0, must-revalidate",
  vary: "X-API-KEY, Authorization",
};
const FACTS_CACHING = {
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
  vary: "Accept, Accept-Encoding",
};
