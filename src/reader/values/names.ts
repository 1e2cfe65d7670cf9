import { BUSINESS_WORDS, NAME_PARTS, TITLE_WORDS } from "../lexicon/names.ts";
import { tidy } from "../clean-text.ts";
import { stripMarkersOfWords } from "./footnote-markers.ts";

/** Abbreviated offices that are also family names (`Alex Cho`, `Wei Cao`); in capitals they are offices. */
const ALSO_NAMES = /^c(?:oo|ao|ho|lo|to|io|mo|so|ro|co|do|po)$/i;

/** Whether a word occurs in titles, with or without its full stop. */
export function isTitleWord(word: string): boolean {
  return TITLE_WORDS.has(word) || TITLE_WORDS.has(`${word}.`);
}

/** Whether a word begins a title or is one. */
export function isOfficeWord(word: string): boolean {
  const bare = word.replace(/[,;.]+$|^[(]/g, "");
  if (ALSO_NAMES.test(bare)) return bare === bare.toUpperCase();
  // `V.P.-CFO`, `VP/Finance`
  if (bare.split(/[-–/]/).some((part) => /^(?:C[EFOTI]O|[ES]?VP)$/.test(part.replaceAll(".", ""))))
    return true;
  // `Officer-Family Dollar`
  if (/^(?:officer|president|director|treasurer|secretary|counsel)[-–]/i.test(bare)) return true;
  // `Sr.` is a suffix of the name as often.
  return !/^sr$/i.test(bare) && isTitleWord(bare);
}

/** Whether the text consists of suffixes and degrees: `Jr.`, `III`, `CPA`, `M.D., Ph.D.` */
export function isSuffix(text: string): boolean {
  const items = text.split(/[\s,]+/).filter((item) => item !== "");
  return items.length > 0 && items.every((item) => NAME_PARTS.has(item, "suffix"));
}

/** A name or title without footnote markers and `(continued)`. */
export function cleanName(text: string): string {
  return tidy(
    stripMarkersOfWords(text).replace(/\((?:cont(?:inued|['’]?d|\.)?)\)|\bcont(?:inued|['’]d)\b/gi, " "),
  ).replace(/\s+([,;])/g, "$1");
}

/** Loose punctuation around a name or a title. */
const EDGES = /^[\s,;:–—-]+|[\s,;:–—-]+$/g;

/** How much text looks like a person's name: 0 not at all, 1 possibly, 2 no evidence against it. */
export function nameLikeness(text: string): 0 | 1 | 2 {
  const bare = cleanName(text).replace(EDGES, "");
  if (bare.length < 3 || bare.length > 60 || /[\d$%@:/]|^[^()]*\)|\([^()]*$/.test(bare)) return 0;
  if (/\p{L}[–—]\p{L}/u.test(bare) && bare.split(/[–—]/).some((part) => hasTitleWord(part))) return 0;
  const parts = bare.split(/\s*,\s*/).filter((part) => !isSuffix(part));
  if (parts.length > 3 || /\b(?:inc|corp|llc|ltd|plc)\b/i.test(bare)) return 0;
  const words = bare.split(/[\s,]+/).filter((word) => word !== "" && !NAME_PARTS.has(word, "honorific"));
  const solid = words.filter(
    (word) => !NAME_PARTS.has(word, "suffix") && !/^["“”'‘’(].*["“”'‘’)]$/.test(word),
  );
  if (solid.length < 2 || solid.length > 6) return 0;
  for (const word of solid) {
    // `Michael J. Head`: the word after an initial is a family name, whatever else it means.
    const family = word === solid.at(-1) && solid.length > 2 && /^\p{Lu}\.$/u.test(solid.at(-2) ?? "");
    if (!family && isOfficeWord(word)) return 0;
    if (NAME_PARTS.has(word, "particle")) continue;
    if (!/^[\p{Lu}("“'‘]/u.test(word) && !/^(?:d['’]|o['’]|al-|el-)/i.test(word)) return 0;
  }
  const isBusiness = (word: string): boolean => BUSINESS_WORDS.has(word.replace(/[.;]+$/, ""));
  const business = solid.filter((word) => !NAME_PARTS.has(word, "particle") && isBusiness(word));
  if (business.length === 0 || solid.some((word) => /^\p{L}\.?$/u.test(word))) return 2;
  return BUSINESS_WORDS.has(solid[0] ?? "") || business.length === solid.length ? 0 : 1;
}

/** Whether the text contains a word used only in titles. */
export function hasTitleWord(text: string): boolean {
  return text.split(/[\s,;/()]+/).some((word) => {
    const bare = word.replace(/^[Cc]o-/, "").replaceAll(".", "");
    return ALSO_NAMES.test(bare) ? bare === bare.toUpperCase() : TITLE_WORDS.has(bare, "office");
  });
}

/** Whether a title is more than a director's. */
export function hasOfficerTitle(title: string): boolean {
  return hasTitleWord(
    title
      .replace(/\b(?:managing|executive) directors?\b/gi, "manager")
      .replace(/\b(?:(?:independent|outside|lead|non-?employee) )?directors?\b/gi, ""),
  );
}

/** A title without footnote markers and surrounding punctuation; null if nothing is left. */
export function cleanTitle(text: string): string | null {
  const bare = cleanName(text)
    .replace(EDGES, "")
    .replace(/^\((.*)\)$/, "$1");
  return bare === "" ? null : bare;
}
