/** Entity tags and cached bytes of pages for visitors. */
import { etagMatches } from "../operations/operation.ts";
import { BoundedCache } from "../lib/cache.ts";
import { type AnswerBody, memoryBody } from "../http/bodies.ts";
import { fingerprint } from "../operations/answer.ts";
import { PUBLIC_HEADERS } from "./page-response.ts";
import type { SignUpMode } from "../accounts/sign-in.ts";
import type { ContextOf } from "../http/base-urls.ts";
import type { OperationDeps } from "../operations/operation.ts";
import type { Viewers } from "./viewer.ts";

/** Wraps what makes a page in the conditional handling of `conditionalPages`. */
export type Conditional = (
  make: (request: Request) => Promise<Response> | Response,
) => (given: { request: Request }) => Promise<Response> | Response;

/** Dependencies of `conditionalPages`. */
interface PageCacheDeps {
  snapshots: OperationDeps["snapshots"];
  contextOf: ContextOf;
  viewers: Pick<Viewers, "find">;
  prices: OperationDeps["prices"];
  publicRankings: "on" | "off";
  signUp: SignUpMode;
  version: string;
}

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
export function conditionalPages(deps: PageCacheDeps): Conditional {
  const cache = new BoundedCache<string, KeptPage>(KEPT_BYTES, ({ size }) => size);
  const tagOf = (request: Request): string => {
    const { url, baseUrls } = deps.contextOf(request);
    const { publicRankings, signUp, prices } = deps;
    const said = [publicRankings, signUp, prices.priceHistory, prices.priceQuestion];
    const key = `${baseUrls.origin}${url.pathname}${url.search} ${said.join(" ")}`;
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
