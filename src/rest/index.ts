/** REST: the endpoints of `operations/` over HTTP, with headers and the flat envelope, and the documents about them. */
import { Elysia } from "elysia";
import { ServiceError } from "../errors.ts";
import type { ContextOf, RequestContext } from "../http/base-urls.ts";
import {
  type HeaderFields,
  nothingServedAt,
  parameters,
  pathSegment,
  prefersHtml,
  rateLimitHeaders,
} from "../http/responses.ts";
import { pathTo } from "../http/routes.ts";
import type { Presented } from "../accounts/principal.ts";
import { ENDPOINTS, type EndpointName } from "../operations/endpoints.ts";
import { callerOf, type OperationRequest, whenAdmitted } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import {
  ANY_ORIGIN,
  answerResponse,
  corsFor,
  type CorsPolicy,
  errorResponse,
  exportResponse,
  FACTS_CACHING,
  KEYED_CACHING,
  NO_CORS,
  NONE,
  PREFLIGHT,
  presentedKey,
} from "./response.ts";

export interface RestDeps extends Operations {
  purchaseStatus: string;
  /** Origins whose pages may call the keyed operations; `*` for any. */
  corsOrigins: readonly string[];
  contextOf: ContextOf;
}

/** Where the export was until 0.3.0. */
const OLD_EXPORT = "/api/executive-compensation/export";

/** The surface: its routes, and the refusal of what no route of the server answers. */
export function rest(deps: RestDeps) {
  const keyed = endpointsUnder(deps, corsFor(deps.corsOrigins), presentedKey);
  const open = endpointsUnder(
    deps,
    () => ANY_ORIGIN,
    () => NONE,
  );
  const answered = answerResponse(KEYED_CACHING);
  keyed.mount("compensation", async (input) => answered(await deps.getCompensation(input), input.allowed));
  keyed.mount("tickers", async (input) => answered(await deps.getTickers(input), input.allowed));
  keyed.mount("query", async (input) => answered(await deps.query(input), input.allowed));
  keyed.mount("statistics", async (input) => answered(await deps.statistics(input), input.allowed));
  keyed.mount("ceoPay", async (input) => answered(await deps.ceoPay(input), input.allowed));
  keyed.mount("ceoPayStatistics", async (input) =>
    answered(await deps.ceoPayStatistics(input), input.allowed),
  );
  keyed.mount("companies", async (input) => answered(await deps.companies(input), input.allowed));
  keyed.mount("export", async (input) => exportResponse(await deps.export(input), input.allowed));
  open.mount("facts", factsAnswer(deps));
  return {
    app: new Elysia({ name: "rest" }).use(keyed.app).use(open.app),
    unmatched: keyed.unmatched,
  };
}

/** A request to an endpoint, and what only HTTP knows of it. */
interface Arrived extends OperationRequest {
  request: Request;
  context: RequestContext;
  /** The headers of its origin; null for a page that may not call. */
  allowed: HeaderFields | null;
}

/** What Elysia gives a handler here. */
type Reached = Pick<Arrived, "request" | "context" | "caller" | "allowed">;

/** Answers an endpoint's requests. */
type Answers = (arrived: Arrived) => Promise<Response>;

/**
 * The road of REST, in the order of the contract: who calls and from where, then the operation (caller and window,
 * parameters, company, price, charge), then the answer or the refusal, with the headers of its origin.
 */
function endpointsUnder(deps: RestDeps, policy: CorsPolicy, presented: (headers: Headers) => Presented) {
  const app = new Elysia()
    .derive(({ request }) => {
      const context = deps.contextOf(request);
      const allowed = policy(request.headers.get("origin"));
      return { context, allowed, caller: callerOf(presented(request.headers), context) };
    })
    .onError(({ error, request, allowed }) => refusal(request, error, allowed ?? null));

  const refusal = (request: Request, refused: unknown, allowed: ReturnType<CorsPolicy>): Response => {
    if (!(refused instanceof ServiceError)) throw refused;
    const purchase = { status: deps.purchaseStatus, url: deps.contextOf(request).baseUrls.developer };
    return errorResponse(refused, purchase, allowed ?? NO_CORS);
  };
  /** Refuses a request that no route answers, and counts it. @param allow the methods of its path, if that exists */
  const refuse = (request: Request, allow: string | undefined): Promise<never> => {
    const context = deps.contextOf(request);
    const caller = callerOf(presented(request.headers), context);
    return whenAdmitted(deps, { caller, need: "any" }, () => {
      throw allow === undefined ? noRoute(context) : wrongMethod(context, allow);
    });
  };
  return {
    app,
    /** Serves an endpoint at its path, with its methods. */
    mount(name: EndpointName, answer: Answers): void {
      const { path, methods, caller: need, tag } = ENDPOINTS[name];
      const allow = methods.join(", ");
      const handler = async ({ request, context, caller, allowed }: Reached) => {
        if (tag === "Analysis") context.keepOpen(request);
        return answer({
          request,
          context,
          caller,
          allowed,
          need,
          parameters: parameters(context.search),
          ifNoneMatch: request.headers.get("if-none-match"),
        });
      };
      app
        .get(path, handler)
        .head(path, methods.length > 1 ? handler : async ({ request }) => refuse(request, allow))
        .options(path, async ({ request, allowed }) =>
          allowed === null
            ? refuse(request, allow)
            : new Response(null, { status: 204, headers: { ...allowed, ...PREFLIGHT } }),
        )
        .all(path, async ({ request }) => refuse(request, allow), { parse: "none" });
    },
    /** Refuses a request for a path or a method that is not there; preflights are answered at any path. */
    async unmatched(request: Request, allow?: string): Promise<Response> {
      const allowed = policy(request.headers.get("origin"));
      if (request.method === "OPTIONS" && allowed !== null)
        return new Response(null, { status: 204, headers: { ...allowed, ...PREFLIGHT } });
      return refuse(request, allow).catch((refused: unknown) => refusal(request, refused, allowed));
    },
  };
}

function noRoute({ pathname }: RequestContext): ServiceError {
  const hint = pathname === OLD_EXPORT ? ` The export is at ${ENDPOINTS.export.path}.` : "";
  return new ServiceError("no_route", nothingServedAt(pathname) + hint);
}

function wrongMethod({ method }: RequestContext, allow: string): ServiceError {
  return new ServiceError("wrong_method", `${method} is not supported here: use ${allow}.`, { allow });
}

/** Facts, for everybody and without a credential; browsers are sent to the page. */
function factsAnswer({ admit, getFacts }: RestDeps): Answers {
  const answered = answerResponse(FACTS_CACHING);
  return async (arrived) => {
    const { request, context, caller, allowed, need } = arrived;
    // Elysia has nothing for a segment with a malformed escape.
    const ticker = pathSegment(context.pathname, 2);
    if (!prefersHtml(request.headers.get("accept")))
      return answered(
        await getFacts({ ...arrived, ticker, historyUrl: context.baseUrls.compensation }),
        allowed,
      );
    const { window } = await admit(caller, need);
    const location = context.baseUrls.origin + pathTo("company", { ticker });
    return new Response(null, {
      status: 303,
      headers: { location, vary: "Accept", ...rateLimitHeaders(window), ...allowed },
    });
  };
}
