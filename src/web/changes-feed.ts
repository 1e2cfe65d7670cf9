/** `/changes.atom`: loaded filings and changed rows, for feed readers. One entry per company and edition, without amounts. */
import { BoundedCache } from "../domain/cache.ts";
import { escapeXml } from "../domain/text.ts";
import type { CompanyChanges } from "../operations/changes.ts";
import { etagMatches } from "../operations/operation.ts";
import { ROUTES } from "../http/routes.ts";
import type { WebDeps } from "./deps.ts";
import { companyPath } from "./pages/parts.ts";

const MAX_ENTRIES = 100;
/** Maximum filings listed in a title. */
const MAX_NAMED = 3;
/** Maximum characters of cached feeds, one for each origin of the server. */
const KEPT = 1 << 20;

/** The feed. @see RFC 4287 */
export function changesFeed({ changes, contextOf }: Pick<WebDeps, "changes" | "contextOf">) {
  const cache = new BoundedCache<string, string>(KEPT, (feed) => feed.length);
  return ({ request }: { request: Request }): Response => {
    const { origin } = contextOf(request).baseUrls;
    const { contentHash, recordedAt: updated } = changes.latest();
    const etag = `"${Bun.hash(`${FORM} ${origin} ${contentHash}`).toString(36)}"`;
    const headers = {
      "content-type": "application/atom+xml; charset=utf-8",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
      etag,
    };
    if (etagMatches(request.headers.get("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
    const feed = cache.getOrMake(etag, () => feedText(origin, updated, changes.byCompany(MAX_ENTRIES)));
    return new Response(feed, { headers });
  };
}

/** Increases when entries are written differently, so that cached feeds are fetched again. */
const FORM = 2;

function feedText(origin: string, updated: string, entries: readonly CompanyChanges[]): string {
  const self = origin + ROUTES.changesFeed.path;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element("title", "execcomp: new filings and changed pay data"),
    element("id", self),
    link("self", self, "application/atom+xml"),
    link("alternate", origin + ROUTES.home.path, "text/html"),
    element("updated", updated),
    `<author>${element("name", "execcomp")}</author>`,
    ...entries.map((entry) => entryText(origin, entry)),
    "</feed>",
    "",
  ].join("\n");
}

function entryText(origin: string, entry: CompanyChanges): string {
  const { ticker, cik, company, edition, recordedAt, filings, contentHash } = entry;
  const documents = filings.flatMap(({ url, form }) =>
    url?.startsWith("https://") !== true ? [] : [link("related", url, "text/html", form)],
  );
  return [
    "<entry>",
    element("title", `${company}${ticker === "" ? "" : ` (${ticker})`}: ${headline(entry)}`),
    // The same on every server with that edition.
    element("id", uuidOf(`${contentHash} ${cik}`)),
    element("updated", recordedAt),
    link("alternate", origin + companyPath({ ticker, cik: String(cik).padStart(10, "0") }), "text/html"),
    ...documents,
    element("summary", [...sentences(entry), `Edition ${edition} of the dataset.`].join(" ")),
    "</entry>",
  ].join("\n");
}

/** The filings if there are any, otherwise the fiscal years. */
function headline({ filings, years }: CompanyChanges): string {
  const listed = filings.map(({ change, form, filingDate }) =>
    [
      form,
      ...(filingDate === null ? [] : [`of ${filingDate}`]),
      ...(change === "added" ? [] : [change]),
    ].join(" "),
  );
  if (listed.length > MAX_NAMED) return `${listed.length} filings`;
  if (listed.length > 0) return listed.join(", ");
  const changed = [...new Set(years.map(({ fiscalYear }) => fiscalYear))];
  return `fiscal ${changed.length === 1 ? "year" : "years"} ${changed.join(", ")} changed`;
}

function sentences({ filings, years }: CompanyChanges): string[] {
  const loaded = filings.map(
    ({ change, form, filingDate, accession }) =>
      `${form} ${accession}${filingDate === null ? "" : `, filed ${filingDate},`} ${change === "added" ? "was loaded" : "was removed"}.`,
  );
  const rows = years.map(
    ({ fiscalYear, change, rows: count }) =>
      `Fiscal year ${fiscalYear}: ${count} ${count === 1 ? "executive" : "executives"} ${change}.`,
  );
  return [...loaded, ...rows];
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function link(relation: string, href: string, type: string, title?: string): string {
  const named = title === undefined ? "" : ` title="${escapeXml(title)}"`;
  return `<link rel="${relation}" type="${type}" href="${escapeXml(href)}"${named}/>`;
}

/** A UUID (version 8) derived from a name: the same name always has the same id. @see RFC 9562 */
function uuidOf(name: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(name).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4] ?? "8";
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
