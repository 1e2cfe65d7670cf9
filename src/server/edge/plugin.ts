/**
 * What all requests share: one plugin around every route. Before it: request id, `Host` and base URL, address, a declared length,
 * concurrency. After it: common headers, metrics, the log line. Who calls, within which window, with which parameters: the surfaces.
 */
import { Elysia } from "elysia";
import type { BaseUrls, ContextOf, RequestContext, ServerUrls } from "../../http/base-urls.ts";
import { ServiceError } from "../../errors.ts";
import { type ErrorStatus, refusal, refusalOf } from "../../http/refusals.ts";
import { hasNoBody, readBody } from "../../http/bodies.ts";
import { type Log, traceOf } from "../../log.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Runtime } from "../../runtime.ts";
import { routeGrouper } from "../metrics.ts";
import { logged, type Target, targetOf } from "./targets.ts";
import { hasBody, type InFlight, type UnreadBodies } from "./in-flight.ts";
import { isTestKey } from "../../accounts/credentials.ts";
import type { Connections } from "./listener.ts";

/**
 * Maximum size of a request body in bytes; MCP, OAuth and pages have lower limits. A dataset upload has its own limit,
 * checked after authenticating the owner.
 */
const MAX_BODY_BYTES = 256 * 1024;

export interface EdgeDeps {
  log: Log;
  runtime: Pick<Runtime, "id" | "monotonic">;
  /** The current base URLs. */
  serverUrls(): ServerUrls;
  /** The address a request is counted under. */
  addressOf(request: Request): string;
  inFlight: Pick<InFlight, "enter">;
  bodies: UnreadBodies;
  connections: Connections;
  /** Called for each response. */
  observe(route: string, status: number, micros: number): void;
  /** The `Dataset` header of the dataset in use since `startedMs`; null if it has been swapped. */
  datasetSince(startedMs: number): string | null;
  /** The page for a refusal, if the client is a browser that wants one. */
  problemPage(
    request: Request,
    status: ErrorStatus,
    message: string,
    headers?: Record<string, string>,
  ): Promise<Response | undefined>;
}

const CONTEXT = Symbol("context");
/** A request that carries its context through the router. */
type Arrived = Request & { [CONTEXT]?: EdgeRequest };

function arrivedAs(request: Arrived): EdgeRequest {
  const arrived = request[CONTEXT];
  if (arrived === undefined) throw new Error("the request did not come through the server");
  return arrived;
}

/** The context of a request that came through the plugin. */
export const contextOf: ContextOf = arrivedAs;

/** Has another request answered in the context of the one that came. @returns the other */
export function inContextOf(request: Request, other: Arrived): Request {
  other[CONTEXT] = arrivedAs(request);
  return other;
}

/** Creates the plugin. It is used before the surfaces; a handler or hook that throws a bug answers 500. */
export function edge(deps: EdgeDeps) {
  // Request ids are the id of this run and a counter: a UUID per request takes as long as parsing the URL.
  const run = deps.runtime.id();
  let arrived = 0;
  const finish = createFinish(deps);
  return new Elysia({ name: "edge" })
    .onRequest(({ request }: { request: Arrived }) => {
      const arriving = new EdgeRequest(deps, request, `${run}.${++arrived}`);
      request[CONTEXT] = arriving;
      enter(deps, request, arriving);
    })
    .onBeforeHandle({ as: "global" }, ({ request, route }) => {
      arrivedAs(request).route = route;
    })
    .onAfterHandle({ as: "global" }, ({ request, response }) => {
      // Every handler of ours answers with a response.
      finish(response as Response, request, arrivedAs(request));
    })
    .onError({ as: "global" }, async ({ request, error }) => {
      const arriving = arrivedAs(request);
      const response = await (error instanceof ServiceError
        ? refused(deps, request, arriving, error)
        : broken(deps, request, arriving, error));
      return finish(response, request, arriving);
    });
}

/** A request being processed: its context, and what the log needs. */
class EdgeRequest implements RequestContext {
  readonly method: string;
  readonly pathname: string;
  readonly search: string;
  readonly baseUrls: BaseUrls;
  readonly target: Target;
  readonly address: string;
  readonly startedMs: number;
  route: string | undefined = undefined;
  caller: RequestContext["caller"] = null;
  refusal: RequestContext["refusal"] = undefined;
  isConnectionKept = false;
  // Without a listener, a body is there from the start.
  readBody: RequestContext["readBody"] = readBody;
  private parsedUrl: URL | undefined = undefined;

  constructor(
    private readonly deps: EdgeDeps,
    private readonly request: Request,
    readonly id: string,
  ) {
    this.startedMs = deps.runtime.monotonic();
    this.target = targetOf(request, deps.serverUrls());
    this.address = deps.addressOf(request);
    this.method = request.method;
    this.pathname = this.target.pathname;
    this.search = this.target.search;
    this.baseUrls = this.target.baseUrls;
  }

  get url(): URL {
    return (this.parsedUrl ??= URL.parse(this.request.url) ?? new URL(this.baseUrls.origin));
  }

  keepOpen(): void {
    // Not for requests with a body: Bun keeps the connection once it has been read, and a sender that stalls must
    // not hold one.
    if (!hasNoBody(this.request)) return;
    this.deps.connections.keep(this.request);
    this.isConnectionKept = true;
  }

  allowMinutes(): void {
    this.deps.bodies.leave(this.request);
    this.deps.connections.allowMinutes(this.request);
  }
}

/** Checks a request's limits. Refuses what no surface may see: a `Host` that is not ours, a long body, one request too many. */
function enter(deps: EdgeDeps, request: Request, arriving: EdgeRequest): void {
  const { refused: ofHost } = arriving.target;
  if (ofHost !== undefined) {
    // A page would lead back to the host that is refused.
    arriving.refusal = flat;
    throw ofHost;
  }
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > MAX_BODY_BYTES && !isUpload(arriving))
    throw new ServiceError("too_large", `The request body exceeds ${MAX_BODY_BYTES} bytes.`);
  count(deps, request, arriving);
}

function isUpload({ pathname }: RequestContext): boolean {
  return pathname === ROUTES.adminUpload.path;
}

/** Counts a request once nothing of it is awaited. Refuses with `rate_limited`, `unavailable`. */
function count({ bodies, inFlight }: EdgeDeps, request: Request, arriving: EdgeRequest): void {
  const { address } = arriving;
  if (!hasBody(request)) return inFlight.enter(address, request);
  const read = bodies.enter(request, address, isUpload(arriving));
  arriving.readBody = async (_request, maxBytes) => {
    const body = await read(maxBytes);
    inFlight.enter(address, request);
    return body;
  };
}

/** A refusal in the form of the surface that was reached; before one, as a page or in the flat envelope. */
async function refused(
  { problemPage }: EdgeDeps,
  request: Request,
  arriving: EdgeRequest,
  error: ServiceError,
): Promise<Response> {
  if (arriving.refusal !== undefined) return arriving.refusal(error);
  const { status, message, headers } = refusalOf(error);
  return (await problemPage(request, status, message, headers)) ?? flat(error);
}

function flat(error: ServiceError): Response {
  const { status, message, headers } = refusalOf(error);
  return refusal(status, message, headers);
}

/** What nobody expected: the caller gets its id, the operator the rest. */
async function broken(
  { log, problemPage }: EdgeDeps,
  request: Request,
  { id }: EdgeRequest,
  error: unknown,
): Promise<Response> {
  log.error("internal_error", { id, error: error instanceof Error ? error.stack : String(error) });
  const message = `Internal error. Please report request id ${id} to the operator.`;
  return (await problemPage(request, 500, message)) ?? refusal(500, message);
}

/** The last step of every response. */
function createFinish({ log, runtime, serverUrls, bodies, connections, observe, datasetSince }: EdgeDeps) {
  const groupOf = routeGrouper();
  return (answer: Response, request: Request, arriving: EdgeRequest): Response => {
    const { id, method, address, target, caller, startedMs } = arriving;
    const { path } = target;
    const route = groupOf(arriving.route);
    const { headers, status } = answer;
    if (arriving.isConnectionKept) connections.release(request);
    bodies.leave(request);
    // What remains of the body is not waited for.
    if (status === 408) headers.set("connection", "close");
    headers.set("x-request-id", id);
    if (route !== "facts" && isTestKey(request.headers.get("x-api-key") ?? ""))
      headers.set("test-key", "true");
    // Prepared responses already have the header; for others it is known unless the dataset was swapped.
    if (!headers.has("dataset")) {
      const dataset = datasetSince(startedMs);
      if (dataset !== null) headers.set("dataset", dataset);
    }
    if (status >= 400) {
      headers.set("cache-control", "no-store");
      // Pages of other origins may read the facts and their refusals, including those of the edge.
      if (FACTS.test(target.pathname)) headers.set("access-control-allow-origin", "*");
    }
    // Browsers honour this over https only, and remember it.
    if (serverUrls().main.origin.startsWith("https:")) {
      headers.set("strict-transport-security", "max-age=31536000");
    }
    const micros = Math.round((runtime.monotonic() - startedMs) * 1000);
    observe(route, status, micros);
    const [userAgent, trace] = [userAgentOf(request), traceOf(request)];
    log.request({ id, method, path, route, status, micros, address, caller, userAgent, trace });
    return answer;
  };
}

const FACTS = new RegExp(`^${ROUTES.facts.path.replace(":ticker", "[^/]+")}/?$`);

/** Longer ones are truncated in the log. */
const MAX_USER_AGENT = 200;

function userAgentOf({ headers }: Request): string | null {
  const agent = headers.get("user-agent");
  return agent === null ? null : logged(agent, MAX_USER_AGENT);
}
