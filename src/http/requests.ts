/** What is read of a request: its query, the segments of its path, the type that it prefers. */
import { isForPrograms } from "./routes.ts";

/** Whether `Accept` ranks `text/html` at least as high as JSON, as browsers do. */
export function prefersHtml(accept: string | null): boolean {
  if (accept === null || !accept.includes("text/html")) return false;
  const weights = new Map(
    accept.split(",").map((range) => {
      const [kind = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      return [kind, Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1)];
    }),
  );
  const html = weights.get("text/html") ?? 0;
  return html > 0 && html >= (weights.get("application/json") ?? 0);
}

/** Whether a refusal should be a page: the client prefers HTML, outside the API. */
export function wantsPage(request: Request): boolean {
  return prefersHtml(request.headers.get("accept")) && !isForPrograms(new URL(request.url).pathname);
}

/** The parameters of a query string, encoded: all values of each name, in order. */
export function parameters(search: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  if (search === "") return given;
  // Most have nothing to decode; `URLSearchParams` takes several times as long.
  const pairs = /[%+]/.test(search) ? new URLSearchParams(search) : plainPairs(search);
  for (const [name, value] of pairs) given.getOrInsert(name, []).push(value);
  return given;
}

function plainPairs(search: string): [name: string, value: string][] {
  const pairs = (search.startsWith("?") ? search.slice(1) : search).split("&");
  return pairs.filter(Boolean).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
}

/** A decoded path segment, or the raw one if its escapes are malformed. Index 1 is the first segment. */
export function pathSegment(pathname: string, index: number): string {
  let from = 0;
  for (let slash = 0; slash < index && from >= 0; slash++) from = pathname.indexOf("/", from) + 1 || -1;
  if (from < 0) return "";
  const end = pathname.indexOf("/", from);
  const segment = end < 0 ? pathname.slice(from) : pathname.slice(from, end);
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
