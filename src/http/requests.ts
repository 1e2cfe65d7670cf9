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

/** The parameters of an encoded query string, with or without its question mark: all values of each name, in order. */
export function parameters(search: string): Map<string, string[]> {
  const given = new Map<string, string[]>();
  if (search === "") return given;
  const add = (value: string, name: string) => void given.getOrInsert(name, []).push(value);
  // Most have nothing to decode; `URLSearchParams` takes several times as long.
  if (/[%+]/.test(search)) new URLSearchParams(search).forEach(add);
  else
    for (const pair of (search.startsWith("?") ? search.slice(1) : search).split("&")) {
      const at = pair.indexOf("=");
      if (at >= 0) add(pair.slice(at + 1), pair.slice(0, at));
      else if (pair !== "") add("", pair);
    }
  return given;
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
