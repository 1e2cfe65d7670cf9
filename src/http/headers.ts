/** Headers of answers, and how they are set. */
import { type Edition, editionName } from "../domain/edition.ts";
import type { WindowState } from "../errors.ts";

/** Headers by name. */
export type HeaderFields = Readonly<Record<string, string>>;

/**
 * The rate-limit headers of a counted response.
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateLimitHeaders(window: WindowState | null | undefined): Record<string, string> {
  if (window === null || window === undefined) return {};
  return { "ratelimit-policy": rateLimitPolicyHeader(window), ratelimit: rateLimitHeader(window) };
}

/** The `RateLimit-Policy` header. */
export function rateLimitPolicyHeader({ name, quota, windowSeconds }: WindowState): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/** The `RateLimit` header: remaining requests and seconds until reset. */
export function rateLimitHeader({ name, remaining, resetSeconds }: WindowState): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}

/** What a response cost and the remaining credits; empty for callers without credits or metering. */
export function creditHeaders(
  receipt: { charged: number; remaining: number | null } | null | undefined,
): Record<string, string> {
  if (receipt === null || receipt === undefined || receipt.remaining === null) return {};
  return { "credits-charged": String(receipt.charged), "credits-remaining": String(receipt.remaining) };
}

/** The `Newer-Filing` header: accession number with form and date, as a structured field. @see RFC 9651 */
export function newerFilingHeader(filing: {
  accession: string;
  form: string | null;
  filingDate: string;
}): string {
  const form = filing.form === null ? "" : `;form="${filing.form.replaceAll(/["\\]/g, "")}"`;
  return `"${filing.accession}"${form};filing_date="${filing.filingDate}"`;
}

/** The `Dataset` header: the edition a response was computed from, and its content hash. */
export function datasetHeader(dataset: Edition & { contentHash: string }): string {
  return `${editionName(dataset)} ${dataset.contentHash}`;
}

/** Appends `Set-Cookie` lines to a response. */
export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** Sets headers of a response. */
export function withHeaders(response: Response, headers: HeaderFields): Response {
  for (const name in headers) response.headers.set(name, headers[name] ?? "");
  return response;
}
