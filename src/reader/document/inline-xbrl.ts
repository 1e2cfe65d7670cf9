import type { Cents } from "../parsed.ts";
import { stripTags, tidy } from "./text.ts";

/** The period and members of an inline XBRL context. */
interface Context {
  readonly start: string;
  readonly end: string;
  readonly members: readonly string[];
}

/** One tagged fact of the executive compensation taxonomy (ecd) with its period. */
export interface EcdFact {
  readonly name: "PeoName" | "PeoTotalCompAmt" | "NonPeoNeoAvgTotalCompAmt" | "AdjToCompAmt";
  /** First and last day. */
  readonly start: string;
  readonly end: string;
  readonly members: readonly string[];
  readonly text: string;
  /** The amount with its sign and scale; null for a name or an unreadable one. */
  readonly cents: Cents | null;
}

const MOST_FACTS = 2000;

/** Reads the ecd facts of the pay versus performance section; empty where the document has none. */
export function readEcd(text: string): EcdFact[] {
  if (!text.includes("ecd:Peo") && !text.includes("ecd:NonPeo")) return [];
  const contexts = readContexts(text);
  const facts: EcdFact[] = [];
  const names = /name="ecd:(PeoName|PeoTotalCompAmt|NonPeoNeoAvgTotalCompAmt|AdjToCompAmt)"/g;
  for (let found = names.exec(text); found !== null && facts.length < MOST_FACTS; found = names.exec(text)) {
    const open = text.lastIndexOf("<", found.index);
    const stop = text.indexOf(">", found.index);
    if (open < 0 || stop < 0) continue;
    const attributes = text.slice(open, stop);
    const context = contexts.get(/contextRef="([^"]*)"/.exec(attributes)?.[1] ?? "");
    const close = text.indexOf("</ix:non", stop);
    if (context === undefined || close < 0 || close - stop > 5000) continue;
    // Filers tag the names of the other officers as `PeoName`, too, with the member that takes it back.
    if (found[1] === "PeoName" && context.members.includes("ecd:NonPeoNeoMember")) continue;
    const value = tidy(stripTags(text.slice(stop + 1, close)));
    const name = found[1] as EcdFact["name"]; // one of the names in the pattern
    facts.push({
      name,
      ...context,
      text: value,
      cents: name === "PeoName" ? null : amountOf(value, attributes),
    });
  }
  return facts;
}

function amountOf(value: string, attributes: string): Cents | null {
  const bare = value.replace(/[\s,$]/g, "");
  if (/^[-—–]?$/.test(bare) || /fixed-?zero/i.test(attributes)) return 0;
  if (!/^\d+(?:\.\d+)?$/.test(bare)) return null;
  const scale = Number(/\bscale="(-?\d+)"/.exec(attributes)?.[1] ?? "0");
  const sign = /\bsign="-"/.test(attributes) ? -1 : 1;
  const cents = Math.round(Number(bare) * 10 ** scale * 100);
  return Number.isSafeInteger(cents) ? sign * cents : null;
}

function readContexts(text: string): Map<string, Context> {
  const contexts = new Map<string, Context>();
  const opening = /<(?:xbrli:)?context\s[^<>]*?\bid="([^"]*)"/g;
  for (let found = opening.exec(text); found !== null && contexts.size < 20_000; found = opening.exec(text)) {
    const end = text.indexOf("context>", found.index);
    if (end < 0 || end - found.index > 8000) continue;
    const body = text.slice(found.index, end);
    const start = /startDate>\s*(\d{4}-\d\d-\d\d)/.exec(body)?.[1];
    const last = /endDate>\s*(\d{4}-\d\d-\d\d)/.exec(body)?.[1];
    if (start === undefined || last === undefined) continue;
    const members = [...body.matchAll(/explicitMember[^>]*>\s*([^<\s]+)/g)].map((match) => match[1] ?? "");
    contexts.set(found[1] ?? "", { start, end: last, members });
    opening.lastIndex = end;
  }
  return contexts;
}
