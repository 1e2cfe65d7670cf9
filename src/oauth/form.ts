import { readBody } from "../http.ts";
import { OAuthError } from "./errors.ts";

/** Parameters of a request, each at most once; one sent empty counts as left out. @see RFC 6749 section 3.1 */
export type Parameters = ReadonlyMap<string, string>;

/** The body as text. Refuses with `too_large` when it is longer than `maxBytes`. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBody(request, maxBytes));
}

/** The media type of a body without its parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * The parameters of a form.
 * @throws OAuthError `invalid_request` for another media type and for a parameter given twice
 */
export async function readForm(request: Request, maxBytes = 16 * 1024): Promise<Parameters> {
  const text = await readText(request, maxBytes);
  const type = mediaType(request);
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError(
      "invalid_request",
      `The body is ${type === "" ? "of no media type" : type}: expected application/x-www-form-urlencoded.`,
    );
  }
  const { single, repeated } = once(new URLSearchParams(text));
  const [first] = repeated;
  if (first !== undefined) throw new OAuthError("invalid_request", `The parameter ${first} is repeated.`);
  return single;
}

/** Parameters given once, and the names of those given more than once. */
export function once(search: URLSearchParams): { single: Parameters; repeated: readonly string[] } {
  const single = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, value] of search) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== "") single.set(name, value);
  }
  for (const name of repeated) single.delete(name);
  return { single, repeated: [...repeated] };
}
