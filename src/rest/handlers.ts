/** REST: translates requests to operations, and answers to responses with headers and the flat envelope. */
import { andThen, type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import { pathTo, type RouteName, ROUTES } from "../http/routes.ts";
import type { RequestContext } from "../http/base-urls.ts";
import { ServiceError } from "../errors.ts";
import {
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
    changes: surface.keyed("changes", deps.changes, answered, "any"),
    export: surface.keyed("export", deps.export, exportResponse),
  };
}

/** The handlers of REST. */
export type RestHandlers = ReturnType<typeof restHandlers>;

/** What an operation is asked, before it is known what it needs. */
type Asked = Omit<OperationRequest, "need">;
type CorsHeaders = Readonly<Record<string, string>>;
const NO_CORS: CorsHeaders = Object.freeze({});

/** Makes the handlers of routes. */
class RestSurface {
  private readonly cors: CorsPolicy;

  constructor(private readonly deps: RestDeps) {
    this.cors = corsFor(deps.corsOrigins);
  }

  /** For callers with a key. @param need `any` if anonymous callers get a limited answer */
  keyed<Answered>(
    route: RouteName,
    operation: (request: OperationRequest) => MaybePromise<Answered>,
    responseOf: (answer: Answered) => Response,
    need: OperationRequest["need"] = "credential",
  ): RequestHandler {
    return this.handler(route, this.cors, presentedKey, (input, cors) =>
      andThen(operation({ ...input, need }), (answer) => withHeaders(responseOf(answer), cors)),
    );
  }

  /** For everybody, without a credential; browsers are sent to the page. */
  facts(): RequestHandler {
    const { admit, getFacts } = this.deps;
    const answered = answering(FACTS_CACHING, ANY_ORIGIN);
    const [policy, presented] = [() => ANY_ORIGIN, () => NONE];
    return this.handler("facts", policy, presented, (input, cors, request, { baseUrls, pathname }) => {
      const ticker = pathSegment(pathname, 2);
      const historyUrl = baseUrls.origin + ROUTES.compensation.path;
      if (!prefersHtml(request.headers.get("accept")))
        return andThen(getFacts({ ...input, need: "any", ticker, historyUrl }), answered);
      const location = baseUrls.origin + pathTo("company", { ticker });
      return andThen(admit(input.caller, "any"), ({ window }) => {
        const headers = { location, vary: "Accept", ...rateLimitHeaders(window), ...cors };
        return new Response(null, { status: 303, headers });
      });
    });
  }

  notFound(request: Request, context: RequestContext, allow: string | undefined): MaybePromise<Response> {
    return this.guard(this.cors, request, context, () => {
      const caller = callerOf(presentedKey(request.headers), context);
      return this.refuse(request, caller, context, allow);
    });
  }

  /** Answers a route's methods. @param presented reads the credential */
  private handler(
    route: RouteName,
    policy: CorsPolicy,
    presented: (headers: Headers) => Presented,
    answer: (input: Asked, cors: CorsHeaders, ...of: Parameters<RequestHandler>) => MaybePromise<Response>,
  ): RequestHandler {
    const methods: readonly string[] = ROUTES[route].methods;
    return (request, context) =>
      this.guard(policy, request, context, (cors) => {
        const caller = callerOf(presented(request.headers), context);
        if (!methods.includes(request.method))
          return this.refuse(request, caller, context, methods.join(", "));
        const ifNoneMatch = request.headers.get("if-none-match");
        const given = (context.target.parameters ??= parameters(context.search));
        const input = { caller, parameters: given, ifNoneMatch };
        return answer(input, cors, request, context);
      });
  }

  /** Answers preflights by the CORS policy, and turns refusals into responses, which get its headers too. */
  private guard(
    policy: CorsPolicy,
    request: Request,
    { baseUrls }: RequestContext,
    answer: (cors: CorsHeaders) => MaybePromise<Response>,
  ): MaybePromise<Response> {
    const allowed = policy(request.headers.get("origin"));
    if (request.method === "OPTIONS" && allowed !== null)
      return new Response(null, { status: 204, headers: { ...allowed, ...PREFLIGHT } });
    const cors = allowed ?? NO_CORS;
    return orElse(
      () => answer(cors),
      (refused) => {
        if (!(refused instanceof ServiceError)) throw refused;
        const purchase = { status: this.deps.purchaseStatus, url: baseUrls.developer };
        return errorResponse(refused, purchase, cors);
      },
    );
  }

  /** Refuses a request that no handler answers, and counts it. @param allow the methods of its path, if that exists */
  private refuse(
    { method }: Request,
    caller: Caller,
    { pathname }: RequestContext,
    allow: string | undefined,
  ) {
    return whenAdmitted(this.deps, { caller, need: "any" }, (): never => {
      if (allow === undefined) throw new ServiceError("no_route", nothingServedAt(pathname));
      const message = `${method} is not supported here: use ${allow}.`;
      throw new ServiceError("wrong_method", message, { allow });
    });
  }
}

const KEYED_CACHING = {
  "cache-control": "private, max-age=0, must-revalidate",
  vary: "X-API-KEY, Authorization",
};
const FACTS_CACHING = {
  "cache-control": "public, max-age=300, stale-while-revalidate=86400",
  vary: "Accept, Accept-Encoding",
};
