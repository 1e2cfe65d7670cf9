import type { BaseUrls, RequestContext, ServerUrls } from "../base-urls.ts";
import { ServiceError } from "../errors.ts";
import { type ErrorStatus, refusal } from "../http.ts";
import { refusalHeaders, STATUS } from "../refusals.ts";
import type { Log, LoggedCaller } from "../log.ts";
import { ROUTES } from "../routes.ts";
import { routeGrouper } from "../metrics/route.ts";
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import type { Runtime } from "../runtime.ts";
import { traceOf } from "../trace-context.ts";
import { type Compress, codingFor } from "./compression.ts";
import { destinationOf, pathOf } from "./host.ts";
import type { InFlight } from "./in-flight.ts";
import type { Connections } from "./listener.ts";
import { createTargets, type Target, type Targets } from "./targets.ts";

export { createCompressor } from "./compression.ts";
export { createInFlight, type UnderWay } from "./in-flight.ts";
export { type Connections } from "./listener.ts";

/**
 * Largest request body that anything of ours reads, in bytes; MCP, OAuth and pages set tighter limits. The upload of a
 * dataset has a limit of its own, looked at once it is known that an owner sends it.
 */
const MAX_BODY_BYTES = 256 * 1024;

/** What the edge is built from. */
export interface EdgeDeps {
  log: Log;
  runtime: Pick<Runtime, "id" | "monotonic">;
  /** The base URLs at the time of a request. */
  serverUrls(): ServerUrls;
  /** The address that a request is counted under. */
  addressOf(request: Request, peer: string): string;
  inFlight: InFlight;
  connections: Connections;
  compress: Compress;
  /** Told of every answer. */
  observe(route: string, status: number, micros: number): void;
  /** The dataset in use, as `Dataset` says it; null where another was at that time. */
  datasetSince(startedMs: number): string | null;
  /** Whom a request's credential stood for; asked once. */
  callerOf(requestId: string): LoggedCaller;
  /** The page for a refusal of the edge, where a person's browser asks for one. */
  problemPage(
    request: Request,
    status: ErrorStatus,
    message: string,
    headers?: Record<string, string>,
  ): MaybePromise<Response | undefined>;
}

/** Answers a request of which the context is known. */
type Answerer = (request: Request, context: RequestContext) => MaybePromise<Response>;

/** A request on its way: what surfaces may know of it, and what its log line says. */
class Passage implements RequestContext {
  /** Undefined until it is known to be ours. */
  target: Target | undefined;
  /** Whether the target was kept from an earlier request. */
  readonly isKept: boolean;
  isConnectionKept = false;

  constructor(
    readonly id: string,
    readonly startedMs: number,
    readonly address: string,
    target: Target | undefined,
  ) {
    this.target = target;
    this.isKept = target !== undefined;
  }

  get url(): URL {
    return this.known().url;
  }

  get baseUrls(): BaseUrls {
    return this.known().baseUrls;
  }

  private known(): Target {
    if (this.target === undefined) throw new Error("a request that is not known to be ours");
    return this.target;
  }
}

/**
 * What every request meets before a surface and every answer after it: `Host` first, then its declared length and the
 * places in flight; then the request id, the headers that all answers carry, compression for who asks, and one log line.
 * Whatever is thrown behind it is a 500: a page for a person's browser, else the flat envelope.
 */
export function createEdge(
  deps: EdgeDeps,
  answer: Answerer,
): (request: Request, peer: string) => MaybePromise<Response> {
  const { log, runtime, addressOf } = deps;
  const targets = createTargets(deps.serverUrls);
  const routeOf = routeGrouper();
  // A request's id is that of this run and its place in it: a fresh UUID for each is as dear as reading the address.
  const run = runtime.id();
  let answered = 0;
  const finish = createFinish(deps, targets, routeOf);
  const broken = (request: Request, passage: Passage, error: unknown): MaybePromise<Response> => {
    const { id } = passage;
    log.error("internal_error", { id, error: error instanceof Error ? error.stack : String(error) });
    const message = `Internal error. Please tell the operator the request id ${id}.`;
    return andThen(refuse(deps, request, 500, message), (refused) => finish(refused, request, passage));
  };

  return (request, peer) => {
    const startedMs = runtime.monotonic();
    const address = addressOf(request, peer);
    const passage = new Passage(`${run}.${++answered}`, startedMs, address, targets.find(request));
    try {
      const refused = enter(deps, routeOf, request, passage);
      if (refused !== undefined) return andThen(refused, (response) => finish(response, request, passage));
      const made = answer(request, passage);
      if (!(made instanceof Promise)) return finish(made, request, passage);
      return made.then(
        (response) => finish(response, request, passage),
        (error: unknown) => broken(request, passage, error),
      );
    } catch (error) {
      return broken(request, passage, error);
    }
  };
}

/** A refusal of the edge: a page where a person's browser asks, else the flat envelope. */
function refuse(
  { problemPage }: EdgeDeps,
  request: Request,
  status: ErrorStatus,
  message: string,
  headers?: Record<string, string>,
): MaybePromise<Response> {
  return andThen(
    problemPage(request, status, message, headers),
    (page) => page ?? refusal(status, message, headers),
  );
}

/** Makes known what a request asks. @returns the answer to one that no surface may see */
function enter(
  deps: EdgeDeps,
  routeOf: (path: string) => string,
  request: Request,
  passage: Passage,
): MaybePromise<Response> | undefined {
  const { serverUrls, inFlight } = deps;
  if (passage.target === undefined) {
    const destination = destinationOf(request, serverUrls());
    if (!destination.ok) return refusal(destination.status, destination.message);
    const { url, baseUrls } = destination;
    passage.target = { url, baseUrls, path: logged(url.pathname, MAX_PATH), route: routeOf(url.pathname) };
  }
  const declared = request.headers.get("content-length");
  if (
    declared !== null &&
    Number(declared) > MAX_BODY_BYTES &&
    passage.url.pathname !== ROUTES.adminUpload.path
  ) {
    const message = `A request body has at most ${MAX_BODY_BYTES} bytes.`;
    return refuse(deps, request, 413, message);
  }
  try {
    inFlight.enter(passage.address, request);
  } catch (refused) {
    if (!(refused instanceof ServiceError)) throw refused;
    return refuse(deps, request, STATUS[refused.kind], refused.message, refusalHeaders(refused));
  }
  return undefined;
}

/** The last step of every answer. */
function createFinish(
  { log, runtime, serverUrls, connections, compress, observe, datasetSince, callerOf }: EdgeDeps,
  targets: Targets,
  routeOf: (path: string) => string,
) {
  const finished = (answer: Response, request: Request, passage: Passage) => {
    const { id, target, startedMs, isKept } = passage;
    const { headers, status } = answer;
    if (passage.isConnectionKept) connections.release(request);
    headers.set("x-request-id", id);
    // Answers that are made of prepared parts have it; of others it is known unless it changed meanwhile.
    if (!headers.has("dataset")) {
      const dataset = datasetSince(startedMs);
      if (dataset !== null) headers.set("dataset", dataset);
    }
    const path = target?.path ?? logged(pathOf(request), MAX_PATH);
    const route = target?.route ?? routeOf(pathOf(request));
    const caller = callerOf(id);
    if (status === 200 && !isKept && target !== undefined) targets.keep(request, target, caller !== null);
    if (status >= 400) {
      headers.set("cache-control", "no-store");
      // A page of another origin reads the facts, and why there are none: refusals of ours before they were asked, too.
      if (route === "facts") headers.set("access-control-allow-origin", "*");
    }
    // Browsers heed it over https only, and keep it for whoever comes back.
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
      address: passage.address,
      caller,
      userAgent: userAgentOf(request),
      trace: traceOf(request),
    });
    return answer;
  };
  return (answer: Response, request: Request, passage: Passage): MaybePromise<Response> => {
    const coding = codingFor(request.headers.get("accept-encoding"));
    if (coding === null) return finished(answer, request, passage);
    const compressed = compress(answer, coding, request, passage.target?.url.pathname ?? "");
    return compressed instanceof Promise
      ? compressed.then((smaller) => finished(smaller, request, passage))
      : finished(compressed, request, passage);
  };
}

/** Longer ones are cut in the log. */
const MAX_USER_AGENT = 200;
const MAX_PATH = 500;

function userAgentOf({ headers }: Request): string | null {
  const agent = headers.get("user-agent");
  return agent === null ? null : logged(agent, MAX_USER_AGENT);
}

/** What callers send as it may stand in a log: cut, and without a key that somebody pasted into it. */
function logged(text: string, maxLength: number): string {
  const short = text.length > maxLength ? text.slice(0, maxLength) : text;
  return short.includes("xc_") ? short.replaceAll(/xc_[a-z]+_[0-9A-Za-z_]+/g, "xc_…") : short;
}
