import type { Cents } from "../../domain/amount.ts";
import { ECD_TAGS, type EcdTag } from "../lexicon/titles.ts";
import { type FilingFacts, type ParsedFiling, type RefusalReason, refusedFiling } from "../parsed-filing.ts";
import { stripTags, tidy } from "../clean-text.ts";
import { readYear } from "../values/years.ts";

/** The largest document that is read; EDGAR itself rejects larger ones. */
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_DOCUMENTS = 12;

/** One document of a filing, decoded. */
export interface SourceDocument {
  /** `<TYPE>` of the document in its SGML wrapper; null without one. */
  readonly type: string | null;
  readonly text: string;
  readonly header: ReturnType<typeof readHeader> | null;
}

/** Decodes the bytes and splits a full submission into its documents, in the order to try them. Never throws. */
export function openDocument(bytes: Uint8Array): readonly SourceDocument[] | ParsedFiling {
  if (bytes.length > MAX_BYTES)
    return refusedFiling("too_large", `${bytes.length} bytes; the limit is ${MAX_BYTES}`);
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const magic = MAGIC.find(([prefix]) => start.startsWith(prefix))?.[1];
  if (magic !== undefined) return refusedFiling("not_a_document", `the first bytes are those of ${magic}`);
  const text = decode(bytes);
  if (text === null) return refusedFiling("not_a_document", "many control characters in what should be text");
  if (!/\S/.test(text)) return refusedFiling("empty", `${bytes.length} bytes without a visible character`);
  return split(renameInlineDivs(text));
}

const MAGIC: readonly (readonly [string, string])[] = [
  ["PK\u0003\u0004", "a ZIP archive"],
  ["%PDF", "a PDF"],
  ["\u001f\u008b", "a gzip file"],
  ["GIF8", "a GIF image"],
  ["\u0089PNG", "a PNG image"],
  ["\u00ff\u00d8\u00ff", "a JPEG image"],
  ["\u00d0\u00cf\u0011\u00e0", "an old Office file"],
  ["7z\u00bc\u00af", "a 7-Zip archive"],
  ["Rar!", "a RAR archive"],
  ["BZh", "a bzip2 file"],
  ["\u007fELF", "a program"],
];

function decode(bytes: Uint8Array): string | null {
  const [a, b] = [bytes[0], bytes[1]];
  if (a === 0xff && b === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const sample = bytes.subarray(0, 65536);
  const controls = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  if (controls > 16 && controls > sample.length / 50) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Windows-1252, as most of EDGAR's older documents are, or UTF-8 with a few damaged bytes.
    const lenient = new TextDecoder("utf-8").decode(bytes);
    const count = (pattern: RegExp, most: number) => lenient.matchAll(pattern).take(most).toArray().length;
    const isDamaged = count(/[\u0080-\ufffc]/g, 20_001) > count(/\ufffd/g, 10_000) * 2;
    return isDamaged ? lenient : new TextDecoder("windows-1252").decode(bytes);
  }
}

function split(text: string): SourceDocument[] {
  const head = text.slice(0, 20000);
  const header = /<SEC-HEADER>|<SEC-DOCUMENT>|PRIVACY-ENHANCED MESSAGE|ACCESSION NUMBER:/i.test(head)
    ? readHeader(head)
    : null;
  const [, ...parts] = text.split(/<DOCUMENT>/i);
  const documents = parts.flatMap((part) => {
    const meta = part.slice(0, 1000);
    const type = /<TYPE>\s*([^\r\n<]+)/i.exec(meta)?.[1]?.trim() ?? null;
    const body = part.slice(Math.max(0, meta.search(/(?<=<TEXT>)/i)));
    return readable(type) ? [{ type, text: body, header }] : [];
  });
  return documents.length > 0
    ? documents.slice(0, MAX_DOCUMENTS)
    : [{ type: null, text: parts.length > 0 ? "" : text, header }];
}

/** Whether a document can contain the filer's own table. An exhibit may contain another company's, such as a target's or predecessor's. */
function readable(type: string | null): boolean {
  return type === null || !/^(GRAPHIC|ZIP|EXCEL|XML|JSON|PDF|COVER|EX-)/i.test(type);
}

/** Facts from the SGML header of a full submission. */
function readHeader(head: string) {
  const value = (label: string): string | null =>
    new RegExp(`^\\s*${label}:[ \\t]*(\\S[^\\r\\n]*)`, "im").exec(head)?.[1]?.trim() ?? null;
  return {
    accession: value("ACCESSION NUMBER"),
    form: value("CONFORMED SUBMISSION TYPE"),
    cik: value("CENTRAL INDEX KEY")?.padStart(10, "0") ?? null,
    companyName: value("COMPANY CONFORMED NAME"),
    filingDate: dated(value("FILED AS OF DATE")),
    period: dated(value("CONFORMED PERIOD OF REPORT")),
    /** Month and day, `MMDD`. */
    fiscalYearEnd: /^\d{4}$/.exec(value("FISCAL YEAR END") ?? "")?.[0] ?? null,
  };
}

function dated(compact: string | null): string | null {
  const parts = /^(\d{4})(\d\d)(\d\d)$/.exec(compact ?? "");
  return parts === null ? null : `${parts[1]}-${parts[2]}-${parts[3]}`;
}

/** A `<div>` with an inline style. Donnelley's converter wraps hyphenated words and footnote markers in them. */
const INLINE = /display\s*:\s*inline\s*(?:[;"']|$)/i;
const DIVISION = /<(\/?)div(?=[\s>])([^<>]*)>/gi;

/** Renames inline `<div>`s to an inline element of the same length, so that they do not end a line. */
export function renameInlineDivs(text: string): string {
  // Most documents have no such style: a plain search is ten times faster than the pattern.
  if (!text.includes("inline") && !text.includes("INLINE")) return text;
  if (!/<div\b[^<>]*display\s*:\s*inline\s*[;"']/i.test(text)) return text;
  const open: boolean[] = [];
  return text.replace(DIVISION, (tag, slash: string, attributes: string) => {
    if (attributes.endsWith("/")) return tag;
    if (slash === "") open.push(INLINE.test(attributes));
    const inline = slash === "" ? open.at(-1) : open.pop();
    return inline === true ? `<${slash}bdi${attributes}>` : tag;
  });
}

/** Facts that the caller already has; they override what the document says. */
export type GivenFacts = Readonly<
  Partial<Record<"form" | "accession" | "cik" | "companyName" | "filingDate", string>>
>;

/** Reads facts about the filing from the caller, the SGML header, the tagged cover page and the cover's text, in this order. */
export function readFacts(document: SourceDocument, given: GivenFacts): FilingFacts {
  const { text, header, type } = document;
  const cover = coverOf(text);
  const isTagged = text.includes('name="dei:');
  const tagged = (name: string): string | null => (isTagged ? tag(text, name) : null);
  const { accession = null, filingDate = null, cik, companyName, form: stated } = { ...header, ...given };
  const form = stated ?? type ?? tagged("dei:DocumentType") ?? formOfCover(cover);
  const isAnnual = /^10-?K|^20-F|^40-F/i.test(form ?? "");
  const period = readYear(tagged("dei:DocumentPeriodEndDate") ?? "")?.end;
  return {
    form,
    accession,
    cik: (cik ?? tagged("dei:EntityCentralIndexKey"))?.replace(/\D/g, "").padStart(10, "0") ?? null,
    companyName: companyName ?? tagged("dei:EntityRegistrantName") ?? companyOfCover(cover),
    filingDate,
    fiscalYearEnd: period ?? (isAnnual ? (header?.period ?? yearEndOfCover(cover)) : null),
    ticker: tagged("dei:TradingSymbol"),
  };
}

function coverOf(text: string): string {
  const body = Math.max(0, text.slice(0, 300_000).search(/<body\b/i));
  const start = Math.max(body, text.indexOf("</ix:header>", body));
  return stripTags(text.slice(start, start + 60_000)).slice(0, 9000);
}

/** The text of the first inline XBRL fact with this name. */
function tag(text: string, name: string): string | null {
  const at = text.indexOf(`name="${name}"`);
  const fact = at < 0 ? null : /^[^>]*>([^]*?)<\/ix:non/.exec(text.slice(at, at + 20_000));
  return stripTags(fact?.[1] ?? "") || null;
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

/** How covers print the form, and what EDGAR calls it. */
const COVER_FORMS: readonly (readonly [RegExp, (printed: string) => string])[] = [
  [/SCHEDULE\s+14([AC])\b/i, (part) => `DEF 14${part}`],
  [/Rule\s+424\s*\(b\)\s*\((\d)\)/i, (rule) => `424B${rule}`],
  [
    /\bFORM\s+(20-F|40-F|6-K|10-K\s?\/\s?A|10-KT|10-K|N-CSRS?|N-1A|N-2|S-1|S-11|S-4|10\b)/i,
    (form) => form.replace(/\s/g, ""),
  ],
];

function formOfCover(cover: string): string | null {
  const [first] = COVER_FORMS.flatMap(([pattern, nameOf]) => {
    const found = pattern.exec(cover);
    return found === null ? [] : [{ at: found.index, form: nameOf((found[1] ?? "").toUpperCase()) }];
  }).sort((a, b) => a.at - b.at);
  if (first === undefined)
    return /registration statement under the investment company act/i.test(cover) ? "N-1A" : null;
  const isAmended = first.form === "10-K" && /Amendment\s+No\.?\s*\d/i.test(cover.slice(0, 2500));
  return isAmended ? "10-K/A" : first.form;
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
  const behind = mark === undefined ? "" : bare.slice(mark.index + mark[0].length);
  const name = tidy(behind.replace(/^[\s\W]*(?:to|from|or)\b(?=\s|$)|^[^\p{L}\d]+/giu, ""));
  return /\p{L}{2}/u.test(name) && name.length <= 90 ? name : null;
}

const YEAR_ENDED =
  /for\s+the\s+(?:fiscal\s+|transition\s+)?(?:year|period)\s+ended:?\s*([A-Z][a-z]+\.?\s+\d{1,2}\s*,?\s*20\d\d)/i;

function yearEndOfCover(cover: string): string | null {
  return readYear(YEAR_ENDED.exec(cover)?.[1] ?? "")?.end ?? null;
}

/** The period and members of an inline XBRL context. */
interface Context {
  /** First and last day. */
  readonly start: string;
  readonly end: string;
  readonly members: readonly string[];
  /** The dimensions of the members. */
  readonly axes: readonly string[];
}

/** A tagged fact of the executive compensation taxonomy (ecd), with its period. */
export interface EcdFact extends Context {
  readonly name: EcdTag;
  readonly text: string;
  /** The amount with sign and scale applied; null for a name, a nil fact or an unreadable amount. */
  readonly cents: Cents | null;
  /** Exact digits after the decimal point (`-3`: rounded to thousands); null for `INF` and for names. */
  readonly decimals: number | null;
  /** ISO 4217 code of the unit; null for another unit or none. */
  readonly currency: string | null;
}

const MAX_FACTS = 2000;
const MAX_CONTEXTS = 20_000;
/** Characters of a fact and of a context. Without a bound, each unclosed element would be searched to the document's end. */
const MAX_VALUE = 5000;
const MAX_CONTEXT = 8000;
const FACT = /<ix:non\w+\s[^<>]{1,4000}>/g;
/** Filers also tag the names of other officers as `PeoName`, with this member to exclude them. */
const NOT_PEO = "ecd:NonPeoNeoMember";

/** Reads the ecd facts of the pay versus performance section. */
export function readEcd(text: string): EcdFact[] {
  if (!text.includes("ecd:Peo") && !text.includes("ecd:NonPeo")) return [];
  const contexts = readContexts(text);
  const currencies = readCurrencies(text);
  const read = ({ 0: tag, index }: RegExpExecArray): EcdFact[] => {
    const attribute = (of: RegExp): string => of.exec(tag)?.[1] ?? "";
    const name = ECD_TAGS.find(attribute(/\bname="([^"]*)"/))?.means;
    if (name === undefined) return [];
    const context = contexts.get(attribute(/contextRef="([^"]*)"/));
    const rest = text.slice(index + tag.length, index + tag.length + MAX_VALUE);
    const close = closeOf(rest);
    if (context === undefined || close < 0) return [];
    if (name === "PeoName" && context.members.includes(NOT_PEO)) return [];
    const value = stripTags(rest.slice(0, close));
    const cents = name === "PeoName" ? null : amountOf(value, tag);
    const digits = attribute(/\bdecimals="(-?\d+)"/);
    const decimals = digits === "" ? null : Number(digits);
    const currency = currencies.get(attribute(/\bunitRef="([^"]*)"/)) ?? null;
    return [{ name, ...context, text: value, cents, decimals, currency }];
  };
  return text.matchAll(FACT).flatMap(read).take(MAX_FACTS).toArray();
}

/** Where the element ends whose content begins at the start of the text; facts can be nested. -1 if it does not end. */
function closeOf(rest: string): number {
  let depth = 1;
  for (const { 0: mark, index } of rest.matchAll(/<\/?ix:non/g)) {
    depth += mark.startsWith("</") ? -1 : 1;
    if (depth === 0) return index;
  }
  return -1;
}

function amountOf(value: string, attributes: string): Cents | null {
  if (/\bxsi:nil="(?:true|1)"/.test(attributes)) return null;
  const point = /\bformat="[^"]*comma-?decimal/i.test(attributes)
    ? value.replaceAll(".", "").replace(",", ".")
    : value;
  const bare = point.replace(/[\s,$]/g, "");
  if (/^[-—–]?$/.test(bare) || /fixed-?zero/i.test(attributes)) return 0;
  if (!/^\d+(?:\.\d+)?$/.test(bare)) return null;
  const scale = Number(/\bscale="(-?\d+)"/.exec(attributes)?.[1] ?? "0");
  const sign = /\bsign="-"/.test(attributes) ? -1 : 1;
  const cents = Math.round(Number(bare) * 10 ** scale * 100);
  return Number.isSafeInteger(cents) ? sign * cents : null;
}

function readContexts(text: string): Map<string, Context> {
  const contexts = new Map<string, Context>();
  for (const found of text.matchAll(/<(?:xbrli:)?context\s[^<>]{0,500}?\bid="([^"]{0,200})"/g)) {
    if (contexts.size >= MAX_CONTEXTS) break;
    const rest = text.slice(found.index, found.index + MAX_CONTEXT);
    const body = rest.slice(0, Math.max(0, rest.indexOf("context>")));
    const all = (pattern: RegExp): string[] => [...body.matchAll(pattern)].map(([, part = ""]) => part);
    const [start] = all(/startDate>\s*(\d{4}-\d\d-\d\d)/g);
    const [end] = all(/endDate>\s*(\d{4}-\d\d-\d\d)/g);
    if (start === undefined || end === undefined) continue;
    const members = all(/explicitMember[^>]*>\s*([^<\s]+)/g);
    contexts.set(found[1] ?? "", { start, end, members, axes: all(/\bdimension="([^"]{1,200})"/g) });
  }
  return contexts;
}

/** The currencies of the document's units, by id. */
function readCurrencies(text: string): Map<string, string> {
  const units = text.matchAll(
    /<(?:xbrli:)?unit\s[^<>]{0,300}?\bid="([^"]{0,200})"[^<>]*>\s*<(?:xbrli:)?measure[^<>]*>\s*iso4217:([A-Z]{3})\s*</g,
  );
  return new Map([...units].slice(0, MAX_CONTEXTS).map(([, id = "", code = ""]) => [id, code]));
}
