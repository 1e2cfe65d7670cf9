/** REST: the endpoints of `operations/` over HTTP, with headers and the flat envelope, and the documents about them. */
import { Elysia } from "elysia";
import { ServiceError, type WindowState } from "../errors.ts";
import type { ContextOf, RequestContext } from "../http/base-urls.ts";
import { nothingServedAt } from "../http/refusals.ts";
import { type HeaderFields, rateLimitHeaders } from "../http/headers.ts";
import { parameters, pathSegment, prefersHtml } from "../http/requests.ts";
import { folderOf, pathTo, ROUTES } from "../http/routes.ts";
import type { Endpoint } from "../operations/endpoint.ts";
import { ENDPOINTS } from "../operations/endpoints.ts";
import { type Answer, callerOf, type OperationRequest, whenAdmitted } from "../operations/operation.ts";
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
  const keyed = endpointsUnder(deps, "credential");
  const open = endpointsUnder(deps, "any");
  keyed.mount(ENDPOINTS.compensation, deps.getCompensation, keyed.answered);
  keyed.mount(ENDPOINTS.tickers, deps.getTickers, keyed.answered);
  keyed.mount(ENDPOINTS.query, deps.query, keyed.answered);
  keyed.mount(ENDPOINTS.statistics, deps.statistics, keyed.answered);
  keyed.mount(ENDPOINTS.ceoPay, deps.ceoPay, keyed.answered);
  keyed.mount(ENDPOINTS.ceoPayStatistics, deps.ceoPayStatistics, keyed.answered);
  keyed.mount(ENDPOINTS.companies, deps.companies, keyed.answered);
  keyed.mount(ENDPOINTS.export, deps.export, exportResponse);
  open.mount(ENDPOINTS.facts, factsOf(deps), factsAnswer(open.answered));
  return {
    app: new Elysia({ name: "rest" }).use(keyed.app).use(open.app),
    unmatched: keyed.unmatched,
  };
}

/** A request to an endpoint, and what only HTTP knows of it. */
interface Arrived extends OperationRequest {
  request: Request;
  context: RequestContext;
}

/** What Elysia gives a handler here. */
interface Reached extends Pick<Arrived, "request" | "context" | "caller"> {
  /** The headers of its origin; null for a page that may not call. */
  allowed: HeaderFields | null;
}

/**
 * How REST answers a request, in the order of the contract: who calls and from where, then the operation (caller and window,
 * parameters, company, price, charge), then the answer or the refusal, with the headers of its origin.
 */
function endpointsUnder<Need extends Arrived["need"]>(deps: RestDeps, need: Need) {
  const policy: CorsPolicy = need === "any" ? () => ANY_ORIGIN : corsFor(deps.corsOrigins);
  const presented = need === "any" ? () => NONE : presentedKey;
  const app = new Elysia().derive(({ request }) => {
    const context = deps.contextOf(request);
    const allowed = policy(request.headers.get("origin"));
    context.refusal = (refused) => refusal(context, refused, allowed);
    return { context, allowed, caller: callerOf(presented(request.headers), context) };
  });

  const refusal = ({ baseUrls }: RequestContext, refused: ServiceError, allowed: HeaderFields | null) => {
    const purchase = { status: deps.purchaseStatus, url: baseUrls.developer };
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
    answered: answerResponse(need === "any" ? FACTS_CACHING : KEYED_CACHING),
    /**
     * Serves an endpoint at its path, with its methods.
     * @param ask its operation @param say the response of its answer
     */
    mount<Asked>(
      { path, methods, isImmediate }: Endpoint & { readonly caller: Need },
      ask: (arrived: Arrived) => Promise<Asked>,
      say: (answer: Asked, allowed: HeaderFields | null) => Response,
    ): void {
      const allow = methods.join(", ");
      const handler = async ({ request, context, caller, allowed }: Reached) => {
        if (isImmediate !== true) context.keepOpen();
        return say(await ask(arrivedAt({ request, context, caller }, need)), allowed);
      };
      app
        .get(path, handler)
        .head(path, methods.length > 1 ? handler : async ({ request }) => refuse(request, allow))
        .options(path, async ({ request, allowed }) =>
          allowed === null ? refuse(request, allow) : preflight(allowed),
        )
        .all(path, async ({ request }) => refuse(request, allow), { parse: "none" });
    },
    /** Refuses a request for a path or a method that is not there; preflights are answered at any path. */
    async unmatched(request: Request, allow?: string): Promise<Response> {
      const allowed = policy(request.headers.get("origin"));
      if (request.method === "OPTIONS" && allowed !== null) return preflight(allowed);
      return refuse(request, allow).catch((refused: unknown) => {
        if (!(refused instanceof ServiceError)) throw refused;
        return refusal(deps.contextOf(request), refused, allowed);
      });
    },
  };
}

function arrivedAt({ request, context, caller }: Omit<Reached, "allowed">, need: Arrived["need"]): Arrived {
  return {
    request,
    context,
    caller,
    need,
    ifNoneMatch: request.headers.get("if-none-match"),
    query: context.search,
    // Read where no plan is kept: reading them took 5 µs of each keyed answer.
    get parameters() {
      return parameters(context.search);
    },
  };
}

function preflight(allowed: HeaderFields): Response {
  return new Response(null, { status: 204, headers: { ...allowed, ...PREFLIGHT } });
}

function noRoute({ pathname }: RequestContext): ServiceError {
  return new ServiceError("no_route", nothingServedAt(pathname) + hintFor(pathname));
}

/** Where to look instead, for a program's author. */
function hintFor(pathname: string): string {
  if (pathname === OLD_EXPORT) return ` The export is at ${ENDPOINTS.export.path}.`;
  return folderOf(pathname) === folderOf(ROUTES.openapi.path)
    ? ` ${ROUTES.openapi.path} lists the operations.`
    : "";
}

function wrongMethod({ method }: RequestContext, allow: string): ServiceError {
  return new ServiceError("wrong_method", `${method} is not supported here: use ${allow}.`, { allow });
}

/** Where a browser that asks for facts is sent. */
interface Elsewhere {
  location: string;
  window: WindowState | null;
}

/** Facts, for everybody and without a credential; browsers are sent to the page. */
function factsOf({ admit, getFacts }: RestDeps) {
  const toPage = async ({ caller, need, context }: Arrived, ticker: string): Promise<Elsewhere> => {
    const { window } = await admit(caller, need);
    return { location: context.baseUrls.origin + pathTo("company", { ticker }), window };
  };
  return (arrived: Arrived): Promise<Answer | Elsewhere> => {
    const { request, context, caller, need, parameters: given, ifNoneMatch } = arrived;
    const { compensation: historyUrl } = context.baseUrls;
    // Elysia has nothing for a segment with a malformed escape.
    const ticker = pathSegment(context.pathname, 2);
    return prefersHtml(request.headers.get("accept"))
      ? toPage(arrived, ticker)
      : getFacts({ caller, need, parameters: given, ifNoneMatch, ticker, historyUrl });
  };
}

function factsAnswer(answered: ReturnType<typeof answerResponse>) {
  return (answer: Answer | Elsewhere, allowed: HeaderFields | null): Response => {
    if ("body" in answer) return answered(answer, allowed);
    const { location, window } = answer;
    const headers = { location, vary: "Accept", ...rateLimitHeaders(window), ...allowed };
    return new Response(null, { status: 303, headers });
  };
}
