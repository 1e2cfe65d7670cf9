import { ECD_TAGS, type EcdTag } from "../lexicon/titles.ts";
import type { Cents } from "../../domain/amount.ts";
import { stripTags, tidy } from "../text.ts";

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

/** Facts beyond this are not read. */
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
  const facts: EcdFact[] = [];
  for (const found of text.matchAll(FACT)) {
    if (facts.length >= MAX_FACTS) break;
    const [tag] = found;
    const name = ECD_TAGS.find(/\bname="([^"]*)"/.exec(tag)?.[1] ?? "")?.means;
    if (name === undefined) continue;
    const context = contexts.get(/contextRef="([^"]*)"/.exec(tag)?.[1] ?? "");
    const rest = text.slice(found.index + tag.length, found.index + tag.length + MAX_VALUE);
    const close = closeOf(rest);
    if (context === undefined || close < 0) continue;
    if (name === "PeoName" && context.members.includes(NOT_PEO)) continue;
    const value = tidy(stripTags(rest.slice(0, close)));
    const cents = name === "PeoName" ? null : amountOf(value, tag);
    const decimals = /\bdecimals="(-?\d+)"/.exec(tag)?.[1];
    const currency = currencies.get(/\bunitRef="([^"]*)"/.exec(tag)?.[1] ?? "") ?? null;
    facts.push({
      name,
      ...context,
      text: value,
      cents,
      decimals: decimals === undefined ? null : Number(decimals),
      currency,
    });
  }
  return facts;
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
    const start = /startDate>\s*(\d{4}-\d\d-\d\d)/.exec(body)?.[1];
    const end = /endDate>\s*(\d{4}-\d\d-\d\d)/.exec(body)?.[1];
    if (start === undefined || end === undefined) continue;
    const members = [...body.matchAll(/explicitMember[^>]*>\s*([^<\s]+)/g)].map((match) => match[1] ?? "");
    const axes = [...body.matchAll(/\bdimension="([^"]{1,200})"/g)].map((match) => match[1] ?? "");
    contexts.set(found[1] ?? "", { start, end, members, axes });
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
