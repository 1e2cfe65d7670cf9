import type { RequestContext } from "../http/base-urls.ts";
import { OAuthError } from "./errors.ts";

/** Parameters with at most one value each; empty values count as absent. @see RFC 6749 section 3.1 */
export type Parameters = ReadonlyMap<string, string>;

/** The body as text. Refuses a body longer than `maxBytes` with `too_large`. */
export async function readText(context: RequestContext, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await context.readBody(maxBytes));
}

/** The media type of the body in lower case, without parameters. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * The parameters of a form body.
 * @throws OAuthError `invalid_request` for another media type or a repeated parameter
 */
export async function readForm(
  request: Request,
  context: RequestContext,
  maxBytes = 16 * 1024,
): Promise<Parameters> {
  const text = await readText(context, maxBytes);
  const type = mediaType(request);
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError(
      "invalid_request",
      `The media type of the body is ${type === "" ? "missing" : type}: expected application/x-www-form-urlencoded.`,
    );
  }
  const { single, repeated } = once(new URLSearchParams(text));
  const [first] = repeated;
  if (first !== undefined) throw new OAuthError("invalid_request", `The parameter ${first} is repeated.`);
  return single;
}

/** Separates parameters with a single value from the names of repeated ones. */
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
