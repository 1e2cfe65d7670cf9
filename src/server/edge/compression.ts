import { BoundedCache } from "../../lib/cache.ts";
import { folderOf, ROUTES } from "../../http/routes.ts";
import { type AnswerBody, memoryBody } from "../../http/bodies.ts";

/** A content coding that we produce. */
export type Coding = "zstd" | "gzip";

/** Shorter responses are not compressed: the saving is less than a packet. */
const MIN_BYTES = 1024;
/** Longer ones are compressed off the event loop: gzip takes some milliseconds per megabyte. */
const MAX_INLINE_BYTES = 32 * 1024;

/** Bytes of compressed responses cached, by entity tag. */
const CACHED_BYTES = 4 * 1024 * 1024;

const COMPRESSIBLE = /^(application\/(json|atom\+xml)|text\/(html|css|javascript|plain))\b/;

/**
 * Chooses a content coding: zstd, else gzip, else null. `*` is ignored.
 * @see RFC 9110 section 12.5.3
 */
export function codingFor(acceptEncoding: string | null): Coding | null {
  if (acceptEncoding === null) return null;
  let coding: Coding | null = null;
  for (const part of acceptEncoding.toLowerCase().split(",", 20)) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) continue;
    if (name === "zstd") return "zstd";
    if (name === "gzip") coding = "gzip";
  }
  return coding;
}

/**
 * Compresses a response, unless it is short, secret, already compressed or of another type.
 * @param pathname the requested path
 */
export type Compress = (
  answer: Response,
  coding: Coding,
  request: Request,
  pathname: string,
) => Promise<Response>;

/** Creates the compressor of a server. Responses with an entity tag are compressed once: it takes as long as making a keyed answer, or twice. */
export function createCompressor(): Compress {
  const cache = new BoundedCache<string, Packed>(CACHED_BYTES, ({ size }) => size);
  return async (answer, coding, request, pathname) => {
    const etag = answer.headers.get("etag");
    if (answer.status === 304 && etag !== null) {
      const held = request.headers.get("if-none-match")?.includes(tagOf(etag, coding)) ?? false;
      if (held) answer.headers.set("etag", tagOf(etag, coding));
      return answer;
    }
    if (request.method === "HEAD" || answer.status !== 200 || !mayCompress(answer, pathname)) return answer;
    const pack = async () => packed(new Uint8Array(await answer.arrayBuffer()), coding);
    // For one path, the same tag means the same bytes.
    const key = `${coding} ${etag} ${pathname}`;
    const cached = etag === null ? undefined : cache.get(key);
    const content = cached ?? (await pack());
    const { body, isPacked } = etag === null ? content : cache.getOrMake(key, () => content);
    const headers = new Headers(answer.headers);
    if (isPacked) {
      headers.set("content-encoding", coding);
      if (!/accept-encoding/i.test(headers.get("vary") ?? "")) headers.append("vary", "Accept-Encoding");
      if (etag !== null) headers.set("etag", tagOf(etag, coding));
    }
    return new Response(body, { status: 200, headers });
  };
}

/**
 * Whether compression is useful and safe. Private pages and the authorization server's answers contain secrets next to
 * caller input, and their compressed length would reveal them.
 * @see https://www.breachattack.com
 */
function mayCompress({ headers, body }: Response, pathname: string): boolean {
  const type = headers.get("content-type") ?? "";
  if (body === null || headers.has("content-encoding") || !COMPRESSIBLE.test(type)) return false;
  const isSecret = type.startsWith("text/html") && !(headers.get("cache-control") ?? "").includes("public");
  return !isSecret && folderOf(pathname) !== folderOf(ROUTES.token.path);
}

/** A response body, compressed if that pays off. */
interface Packed {
  body: AnswerBody;
  isPacked: boolean;
  size: number;
}

async function packed(bytes: Uint8Array<ArrayBuffer>, coding: Coding): Promise<Packed> {
  if (bytes.length < MIN_BYTES) return { body: bytes, isPacked: false, size: bytes.length };
  const [zstd, gzip] =
    bytes.length > MAX_INLINE_BYTES ? [Bun.zstdCompress, gzipBeside] : [Bun.zstdCompressSync, Bun.gzipSync];
  const smaller = new Uint8Array(await (coding === "zstd" ? zstd : gzip)(bytes));
  return { body: memoryBody(smaller), isPacked: true, size: smaller.length };
}

function gzipBeside(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Loaded on first use: 6 ms and 4 MB at startup.
  const { gzip } = process.getBuiltinModule("node:zlib");
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  gzip(bytes, { chunkSize: 1 << 18 }, (error, smaller) =>
    error === null ? resolve(smaller) : reject(error),
  );
  return promise;
}

/** Strong tags identify bytes, so each coding has its own. @see RFC 9110 section 8.8.3 */
function tagOf(etag: string, coding: Coding): string {
  return etag.replace(/"$/, `-${coding}"`);
}
