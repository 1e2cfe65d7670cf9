import type { BaseUrls, RequestContext, ServerUrls } from "../../http/base-urls.ts";
import { ServiceError } from "../../errors.ts";
import { type ErrorStatus, refusal, refusalHeaders, STATUS } from "../../http/refusals.ts";
import { hasNoBody, readBody } from "../../http/bodies.ts";
import { type Log, traceOf } from "../../log.ts";
import { ROUTES } from "../../http/routes.ts";
import type { Runtime } from "../../runtime.ts";
import { routeGrouper } from "../metrics.ts";
import { type Compress, codingFor } from "./compression.ts";
import { logged, type Target, targetOf } from "./targets.ts";
import { hasBody, type InFlight, UnreadBodies } from "./in-flight.ts";
import { isTestKey } from "../../accounts/credentials.ts";
import type { Connections } from "./listener.ts";

export { createCompressor } from "./compression.ts";
export { UnreadBodies } from "./in-flight.ts";
export { InFlight, type PendingRequests } from "./in-flight.ts";
export { type Connections } from "./listener.ts";

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
  addressOf(request: Request, peer: string): string;
  inFlight: Pick<InFlight, "enter">;
  bodies: UnreadBodies;
  connections: Connections;
  compress: Compress;
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

/** Answers a request within its context. */
type Answerer = (request: Request, context: RequestContext) => Promise<Response> | Response;

/** A request being processed: its context, and what the log needs. */
class EdgeRequest implements RequestContext {
  readonly method: string;
  readonly pathname: string;
  readonly search: string;
  readonly baseUrls: BaseUrls;
  route: string | undefined = undefined;
  caller: RequestContext["caller"] = null;
  isConnectionKept = false;
  // Without a listener, a body is there from the start.
  readBody: RequestContext["readBody"] = readBody;
  private parsedUrl: URL | undefined = undefined;

  constructor(
    private readonly deps: Pick<EdgeDeps, "bodies" | "connections">,
    private readonly request: Request,
    readonly target: Target,
    readonly id: string,
    readonly address: string,
    readonly startedMs: number,
  ) {
    this.method = request.method;
    this.pathname = target.pathname;
    this.search = target.search;
    this.baseUrls = target.baseUrls;
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

/**
 * Wraps the surfaces with what all requests share. Before: `Host`, declared length and concurrency checks. After:
 * request id, common headers, compression and a log line. Any error thrown is a 500, as a page or in the flat envelope.
 */
export function createEdge(
  deps: EdgeDeps,
  answer: Answerer,
): (request: Request, peer: string) => Promise<Response> {
  const { log, runtime, addressOf } = deps;
  // Request ids are the id of this run and a counter: a UUID per request takes as long as parsing the URL.
  const run = runtime.id();
  let answered = 0;
  const finish = createFinish(deps);
  const broken = async (request: Request, { id }: EdgeRequest, error: unknown): Promise<Response> => {
    log.error("internal_error", { id, error: error instanceof Error ? error.stack : String(error) });
    const message = `Internal error. Please report request id ${id} to the operator.`;
    return refuse(deps, request, 500, message);
  };

  return async (request, peer) => {
    const startedMs = runtime.monotonic();
    const target = targetOf(request, deps.serverUrls());
    const id = `${run}.${++answered}`;
    const edgeRequest = new EdgeRequest(deps, request, target, id, addressOf(request, peer), startedMs);
    let response: Response;
    try {
      const refused = enter(deps, request, edgeRequest);
      response = await (refused ?? answer(request, edgeRequest));
    } catch (error) {
      response = await broken(request, edgeRequest, error);
    }
    const coding = codingFor(request.headers.get("accept-encoding"));
    const sent = coding === null ? response : await deps.compress(response, coding, request, target.pathname);
    return finish(sent, request, edgeRequest);
  };
}

function isUpload({ pathname }: RequestContext): boolean {
  return pathname === ROUTES.adminUpload.path;
}

/** A refusal of the edge, as a page or in the flat envelope. */
async function refuse(
  { problemPage }: EdgeDeps,
  request: Request,
  status: ErrorStatus,
  message: string,
  headers?: Record<string, string>,
): Promise<Response> {
  return (await problemPage(request, status, message, headers)) ?? refusal(status, message, headers);
}

/** Checks a request's limits. @returns the refusal of a request that no surface may see */
function enter(
  deps: EdgeDeps,
  request: Request,
  edgeRequest: EdgeRequest,
): Promise<Response> | Response | undefined {
  const { refused } = edgeRequest.target;
  if (refused !== undefined) return refusal(refused.status, refused.message);
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > MAX_BODY_BYTES && !isUpload(edgeRequest)) {
    const message = `The request body exceeds ${MAX_BODY_BYTES} bytes.`;
    return refuse(deps, request, 413, message);
  }
  try {
    count(deps, request, edgeRequest);
  } catch (refused) {
    if (!(refused instanceof ServiceError)) throw refused;
    return refuse(deps, request, STATUS[refused.kind], refused.message, refusalHeaders(refused));
  }
  return undefined;
}

/** Counts a request once nothing of it is awaited. Refuses with `rate_limited`, `unavailable`. */
function count({ bodies, inFlight }: EdgeDeps, request: Request, edgeRequest: EdgeRequest): void {
  const { address } = edgeRequest;
  if (!hasBody(request)) return inFlight.enter(address, request);
  const read = bodies.enter(request, address, isUpload(edgeRequest));
  edgeRequest.readBody = async (_request, maxBytes) => {
    const body = await read(maxBytes);
    inFlight.enter(address, request);
    return body;
  };
}

/** The last step of every response. */
function createFinish({ log, runtime, serverUrls, bodies, connections, observe, datasetSince }: EdgeDeps) {
  const groupOf = routeGrouper();
  return (answer: Response, request: Request, edgeRequest: EdgeRequest): Response => {
    const { id, target, caller, startedMs } = edgeRequest;
    const { path } = target;
    const route = groupOf(edgeRequest.route);
    const { headers, status } = answer;
    if (edgeRequest.isConnectionKept) connections.release(request);
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
    log.request({
      id,
      method: request.method,
      path,
      route,
      status,
      micros,
      address: edgeRequest.address,
      caller,
      userAgent: userAgentOf(request),
      trace: traceOf(request),
    });
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
