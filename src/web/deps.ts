import type { AuditLog } from "../accounts/audit.ts";
import type { Credits } from "../accounts/credits.ts";
import type { Keys } from "../accounts/keys.ts";
import type { Links } from "../accounts/links.ts";
import type { Grants } from "../accounts/oauth/index.ts";
import type { Throttle } from "../accounts/throttle.ts";
import type { Sessions } from "../accounts/sessions.ts";
import type { SignIns, SignUpMode } from "../accounts/sign-in.ts";
import type { SignUp } from "../accounts/sign-up.ts";
import type { Users } from "../accounts/users.ts";
import type { Log } from "../log.ts";
import type { Outbox } from "../jobs/mail.ts";
import type { Runtime } from "../runtime.ts";
import type { PeerGroups } from "../accounts/peer-groups.ts";
import type { ContextOf } from "../http/base-urls.ts";
import { etagMatches, type OperationDeps } from "../operations/operation.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { Rasterizer } from "../charts/rasterizer.ts";
import type { SessionCookies } from "../http/session-cookies.ts";
import type { FormDeps } from "./forms.ts";
import type { Viewer, Viewers } from "./viewer.ts";
import { BoundedCache } from "../lib/cache.ts";
import { type AnswerBody, memoryBody } from "../http/bodies.ts";
import { fingerprint } from "../operations/answer.ts";
import { orInstead, PUBLIC_HEADERS } from "./show.ts";

/** Dependencies of the pages about compensation. */
export interface WebDeps {
  snapshots: OperationDeps["snapshots"];
  analyst: Analyst;
  contextOf: ContextOf;
  viewers: Viewers;
  /** Null where there are no accounts. */
  sessionCookies: SessionCookies | null;
  /** Null where there are no accounts. */
  forms: FormDeps | null;
  /** Null where there are no accounts. */
  peerGroups: PeerGroups | null;
  prices: OperationDeps["prices"];
  admit: OperationDeps["admit"];
  /** Draws the images of link previews. */
  rasterizer: Rasterizer;
  /** Adds entity tags to visitor pages and caches them. */
  conditional: Conditional;
  /** Whether visitors see rankings of the latest fiscal year. */
  publicRankings: "on" | "off";
  /** Who may register. */
  signUp: SignUpMode;
  /** The version of this build, for entity tags. */
  version: string;
}

/** The sign-in provider of the configuration. */
export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What the pages of accounts work with: those to come in by, the developer page, the owners' pages. */
export interface AccountDeps {
  forms: FormDeps;
  runtime: Runtime;
  log: Log;
  users: Users;
  keys: Keys;
  credits: Credits;
  sessions: Sessions;
  links: Links;
  throttle: Throttle;
  signIns: SignIns;
  signUps: SignUp;
  grants: Grants;
  audit: AuditLog;
  /** A user's free credits of a first key (0 if already received), and whether requests are free. */
  creditsOf(userId: string): Promise<{ freeCredits: number; unmetered: boolean }>;
  config: OperationDeps["prices"] & {
    signUp: SignUpMode;
    /** Whether visitors see rankings of the latest fiscal year. */
    publicRankings: "on" | "off";
    /** How a person gets more credits, in the operator's words. */
    creditsNote: string;
    /** Display name of the sign-in provider. */
    ssoName: string;
  };
  /** Null where no mail server is configured. */
  outbox: Outbox | null;
  /** Null without single sign-on. */
  provider: Provider | null;
}

/** A request for a page about compensation: what it asks, for whom, of which dataset. */
export interface PageVisit {
  deps: WebDeps;
  request: Request;
  url: URL;
  /** Of the addresses that the page names. */
  origin: string;
  viewer: Viewer;
  dataset: Dataset;
}

/** What all pages begin with. */
export function visitOf(deps: WebDeps, request: Request, viewer: Viewer): PageVisit {
  const { url, baseUrls } = deps.contextOf(request);
  return { deps, request, url, origin: baseUrls.origin, viewer, dataset: deps.snapshots.current() };
}

/** Answers a request with a page for its viewer, or with the one that is shown instead. */
export async function answerVisit(
  deps: WebDeps,
  request: Request,
  answer: (visit: PageVisit) => Promise<Response> | Response,
): Promise<Response> {
  const visit = visitOf(deps, request, await deps.viewers.find(request));
  return orInstead(visit.viewer, () => answer(visit));
}

/** Wraps what makes a page in the conditional handling of `conditionalPages`. */
export type Conditional = (
  make: (request: Request) => Promise<Response> | Response,
) => (given: { request: Request }) => Promise<Response> | Response;

/** Maximum bytes of cached visitor pages. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** A cached page for visitors. */
interface KeptPage {
  body: AnswerBody;
  size: number;
  headers: Headers;
}

/**
 * Gives visitor pages a strong entity tag made from the dataset, the build and the address. Answers 304 before any other
 * work if the browser has that page, and caches the bytes: a page takes 2 ms of CPU to make, a cached one as little as
 * facts. Pages of signed-in people and of the operator have no tag and are made each time.
 */
export function conditionalPages(deps: Omit<WebDeps, "conditional">): Conditional {
  const cache = new BoundedCache<string, KeptPage>(KEPT_BYTES, ({ size }) => size);
  const tagOf = (request: Request): string => {
    const { url, baseUrls } = deps.contextOf(request);
    const key = `${baseUrls.origin}${url.pathname}${url.search} ${deps.publicRankings} ${deps.signUp}`;
    const hash = deps.snapshots.current().info.contentHash.slice(0, 16);
    return `"${hash}-${deps.version}-${fingerprint(key)}"`;
  };
  /** Answers that are not the same for every visitor are returned unchanged. */
  const tagged = async (etag: string, answer: Response): Promise<Response> => {
    const isPublic = answer.headers.get("cache-control") === PUBLIC_HEADERS["cache-control"];
    return answer.status !== 200 || !isPublic ? answer : keep(etag, answer);
  };
  const keep = async (etag: string, answer: Response): Promise<Response> => {
    const { headers } = answer;
    headers.set("etag", etag);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const page = cache.getOrMake(etag, () => ({ body: memoryBody(bytes), size: bytes.length, headers }));
    return new Response(page.body, page);
  };
  return (make) =>
    async ({ request }) => {
      const etag = tagOf(request);
      const ifNoneMatch = request.headers.get("if-none-match");
      const isHeld = ifNoneMatch !== null && ifNoneMatch !== "*" && etagMatches(ifNoneMatch, etag);
      const page = cache.get(etag);
      const isVisitor =
        (isHeld || page !== undefined) && (await deps.viewers.find(request)).kind === "visitor";
      if (isVisitor && isHeld)
        return new Response(null, { status: 304, headers: { ...PUBLIC_HEADERS, etag } });
      if (isVisitor && page !== undefined) return new Response(page.body, page);
      return tagged(etag, await make(request));
    };
}
