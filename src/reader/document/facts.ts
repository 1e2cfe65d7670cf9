import type { SourceDocument } from "./submission.ts";
import type { FilingFacts } from "../parsed.ts";
import type { RefusalReason } from "../problem.ts";
import { stripTags, tidy } from "../text.ts";
import { readYear } from "../values/years.ts";

/** Facts that the caller already has; they override what the document says. */
export interface Known {
  readonly form?: string;
  readonly accession?: string;
  readonly cik?: string;
  readonly companyName?: string;
  readonly filingDate?: string;
}

/** Reads facts about the filing from the caller, the SGML header, the tagged cover page and the cover's text, in this order. */
export function readFacts(document: SourceDocument, known: Known): FilingFacts {
  const { text, header, type } = document;
  const cover = coverOf(text);
  const isTagged = text.includes('name="dei:');
  const tagged = (name: string): string | null => (isTagged ? tag(text, name) : null);
  const cik = known.cik ?? header?.cik ?? tagged("dei:EntityCentralIndexKey");
  const period = tagged("dei:DocumentPeriodEndDate");
  const form = known.form ?? header?.form ?? type ?? tagged("dei:DocumentType") ?? formOfCover(cover);
  const annual = form !== null && /^10-?K|^20-F|^40-F/i.test(form);
  return {
    form,
    accession: known.accession ?? header?.accession ?? null,
    cik: cik === null ? null : cik.replace(/\D/g, "").padStart(10, "0"),
    companyName:
      known.companyName ?? header?.companyName ?? tagged("dei:EntityRegistrantName") ?? companyOfCover(cover),
    filingDate: known.filingDate ?? header?.filingDate ?? null,
    fiscalYearEnd: dayOf(period) ?? (annual ? (header?.period ?? yearEndOfCover(cover)) : null),
    ticker: tagged("dei:TradingSymbol"),
  };
}

function dayOf(words: string | null): string | null {
  return words === null ? null : (readYear(words)?.end ?? null);
}

function coverOf(text: string): string {
  const start = /<body\b/i.exec(text.slice(0, 300_000))?.index ?? 0;
  const head = /<ix:header\b/i.exec(text.slice(start, start + 100_000));
  const end = head === null ? start : text.indexOf("</ix:header>", start);
  return stripTags(text.slice(Math.max(start, end), Math.max(start, end) + 60_000)).slice(0, 9000);
}

/** The text of the first inline XBRL fact with this name. */
export function tag(text: string, name: string): string | null {
  const at = text.indexOf(`name="${name}"`);
  if (at < 0) return null;
  const open = text.indexOf(">", at);
  const close = open < 0 ? -1 : text.indexOf("</ix:non", open);
  if (close < 0 || close - open > 20_000) return null;
  const value = tidy(stripTags(text.slice(open + 1, close)));
  return value === "" ? null : value;
}

/** Forms without a definitive table of Item 402(c): those for foreign private issuers or investment companies, and preliminary ones. */
const BARRED: readonly (readonly [RegExp, RefusalReason])[] = [
  [/^(?:FORM\s+)?(?:20-?F|40-?F|6-?K)\b/i, "foreign_form"],
  [/^(?:N-|485|497|40-17|NSAR|DEF 14A-FUND)/i, "fund_form"],
  [/^PRE[CMR]?\s?14[AC]/i, "preliminary_form"],
];

/** Why a form cannot contain the table; undefined if it can. */
export function barredForm(form: string | null): RefusalReason | undefined {
  return BARRED.find(([pattern]) => pattern.test(form?.trim() ?? ""))?.[1];
}

function formOfCover(cover: string): string | null {
  const found = /\bFORM\s+(20-F|40-F|6-K|10-K\s?\/\s?A|10-KT|10-K|N-CSRS?|N-1A|N-2|S-1|S-11|S-4|10\b)/i.exec(
    cover,
  );
  const schedule = /SCHEDULE\s+14([AC])\b/i.exec(cover);
  const prospectus = /Rule\s+424\s*\(b\)\s*\((\d)\)/i.exec(cover);
  if (schedule !== null && (found === null || schedule.index < found.index)) {
    return schedule[1]?.toUpperCase() === "C" ? "DEF 14C" : "DEF 14A";
  }
  if (prospectus !== null && (found === null || prospectus.index < found.index))
    return `424B${prospectus[1] ?? ""}`;
  if (found === null)
    return /registration statement under the investment company act/i.test(cover) ? "N-1A" : null;
  const form = (found[1] ?? "").toUpperCase().replace(/\s/g, "");
  return form === "10-K" && /Amendment\s+No\.?\s*\d/i.test(cover.slice(0, 2500)) ? "10-K/A" : form;
}

/** What covers print right before the name: a file number, the act, a rule, a year, a check box, a ruled line. */
const BEFORE_NAME =
  /(?:file|registration)\s*(?:numbers?|nos?)\b\.?\s*:?\s*(?:[\d-]{4,}[\w-]*)?|\b\d{1,3}[-\u2013]\d{3,7}(?:-[A-Z]\b)?|\b(?:of|act)\s+19[34][34]\b|14a-\d+\b|\b(?:19|20)\d\d\b|[-_=*]{3,}|[\u2610\u2612\u2611\u00A8]|\[\s*[XS]?\s*\]|\b(?:transition\s+)?period\s+(?:from\s+)?(?:to\b|:)|\bto\s+\.|\bamended\b|\bamendment\s+no\.?\s*\d+\)?|\brequired\b/gi;

/** The registrant's name, printed right before "(Exact name of registrant …"; null if it cannot be found. */
function companyOfCover(cover: string): string | null {
  const label =
    /\(?\s*(?:exact\s+)?name\s+of\s+(?:the\s+)?(?:registrant|issuer|small business issuer|company)\b/i.exec(
      cover,
    );
  if (label === null) return null;
  const window = cover
    .slice(Math.max(0, label.index - 240), label.index)
    .replace(/[\s\-_=*.]+$/, (end) => (end.startsWith(".") ? "." : ""));
  const bare = tidy(window.replace(/\((?:f\/?k\/?a|formerly|d\/?b\/?a|a )[^()]*\)\s*$/i, ""));
  const mark = [...bare.matchAll(BEFORE_NAME)].at(-1);
  const name = tidy(
    (mark === undefined ? "" : bare.slice(mark.index + mark[0].length)).replace(
      /^[\s\W]*(?:to|from|or)\b(?=\s|$)|^[^\p{L}\d]+/giu,
      "",
    ),
  );
  return /\p{L}{2}/u.test(name) && name.length <= 90 ? name : null;
}

function yearEndOfCover(cover: string): string | null {
  const found =
    /for\s+the\s+(?:fiscal\s+|transition\s+)?(?:year|period)\s+ended:?\s*([A-Z][a-z]+\.?\s+\d{1,2}\s*,?\s*20\d\d)/i.exec(
      cover,
    );
  return found === null ? null : (readYear(found[1] ?? "")?.end ?? null);
}
