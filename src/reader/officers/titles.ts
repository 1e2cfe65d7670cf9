/** Reads the two offices in printed titles. */
import type { Office } from "../../domain/officer-claims.ts";
import { OFFICE_NAMES } from "../lexicon/office-names.ts";
import { AFTER_OFFICE, FORMER, NO_DIVISION, SERVES_OFFICER, WORDS_BEFORE_OFFICE } from "../lexicon/titles.ts";
import { isOwnWord, ownName } from "./own-name.ts";

/** Whether a title names an office of the whole company: held now, held formerly, or not at all. */
type TitleOffice = "present" | "former" | "none";

const IN_TITLE = { peo: nameIn("peo"), pfo: nameIn("pfo") };
const INTERIM = { peo: interimIn("peo"), pfo: interimIn("pfo") };
const CO_CHIEF = new RegExp(`\\bco-\\s?(?:${OFFICE_NAMES.anyOf("i", "peo").source})`, "i");
/** Small words before another office. */
const LEAD = /^(?:and\s+|&\s*|our\s+|the\s+|a\s+|current\s+)*/i;

function nameIn(office: Office): RegExp {
  return new RegExp(`\\b(?:${OFFICE_NAMES.anyOf("i", office).source})`, "gi");
}

function interimIn(office: Office): RegExp {
  return new RegExp(
    `\\b(?:interim|acting)\\b[^,;]{0,40}\\b(?:${OFFICE_NAMES.anyOf("i", office).source})`,
    "i",
  );
}

/**
 * Whether a title names an office. The head of a division (`CEO, Walmart U.S.`, `Co-CEO, CIB`, `CEO of CBS`) does not hold it, nor
 * does an assistant (`Chief of Staff to the CEO`).
 *
 * @param companyWords words of the company's own name: `CEO of Acme` heads Acme
 */
export function officeOfTitle(
  title: string | null,
  office: Office,
  companyWords: readonly string[] = [],
): TitleOffice {
  let named: TitleOffice = "none";
  for (const match of (title ?? "").matchAll(IN_TITLE[office])) {
    const before = match.input.slice(0, match.index);
    const behind = match.input.slice(match.index + match[0].length);
    if (!isOfCompany(before, behind, companyWords)) continue;
    if (!FORMER.has(before, "before") && !FORMER.has(behind, "behind")) return "present";
    named = "former";
  }
  return named;
}

/** Whether the office is held on an interim basis. */
export function isInterim(title: string | null, office: Office): boolean {
  return INTERIM[office].test(title ?? "");
}

/** Whether the title is that of a co-chief executive. */
export function isCoChief(title: string | null): boolean {
  return CO_CHIEF.test(title ?? "");
}

/** Whether the office between these parts of a title is one of the whole company. */
function isOfCompany(before: string, behind: string, companyWords: readonly string[]): boolean {
  if (SERVES_OFFICER.has(before)) return false;
  const part = (before.split(/[,;(]|\s[–—-]\s|\band\b|&/i).at(-1) ?? "").trim().toLowerCase();
  const isPlain = (word: string): boolean => {
    const bare = word.replace(/[.,–-]+$/, "");
    return WORDS_BEFORE_OFFICE.has(bare) || FORMER.has(bare, "before") || isOwnWord(word, companyWords);
  };
  const words = part.split(/[\s/]+/).filter((word) => word !== "");
  if (!/\bof\b/.test(part) && !words.every(isPlain)) return false;
  return namesNoDivision(behind.trim(), companyWords);
}

function namesNoDivision(behind: string, companyWords: readonly string[]): boolean {
  if (behind === "") return true;
  const whose = /^(?:of|for|at)\s+(?:the\s+)?(.*)$/i.exec(behind)?.[1];
  if (whose !== undefined) return ownName(whose, companyWords);
  const both = AFTER_OFFICE.find(behind, "second office")?.pattern.exec(behind)?.groups?.["whose"];
  if (both !== undefined)
    return both === "" || AFTER_OFFICE.has(both, "region") || startsElse(both) || ownName(both, companyWords);
  const next = /^(?:,|[–—-]|:|\/|\()\s*(.*)$/.exec(behind)?.[1];
  if (next !== undefined) return next === "" || startsElse(next) || ownName(next, companyWords);
  return /^(?:and|&|;|\)|\.|\*)/i.test(behind) || startsElse(behind) || ownName(behind, companyWords);
}

function startsElse(text: string): boolean {
  return NO_DIVISION.has(text.replace(LEAD, ""));
}
