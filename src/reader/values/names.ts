import { stripMarkersOfWords } from "./footnote-markers.ts";
import { BUSINESS_WORDS, NAME_PARTS, TITLE_WORDS } from "../lexicon/names.ts";
import { tidy } from "../text.ts";

/** Abbreviated offices that are also family names (`Alex Cho`, `Wei Cao`): an office when all its letters are capitals. */
const ALSO_NAMES = new Set("coo cao cho clo cto cio cmo cso cro cco cdo cpo".split(" "));

/** Whether a word stands in titles, with its full stop or without. */
export function isTitleWord(word: string): boolean {
  return TITLE_WORDS.has(word) || TITLE_WORDS.has(`${word}.`);
}

/** Whether a word begins or makes up a title. */
export function isOfficeWord(word: string): boolean {
  const bare = word.replace(/[,;.]+$/g, "").replace(/^[(]/, "");
  const low = bare.toLowerCase();
  if (ALSO_NAMES.has(low)) return bare === bare.toUpperCase();
  // `V.P.-CFO`, `VP/Finance`
  if (bare.split(/[-–/]/).some((part) => /^(?:C[EFOTI]O|[ES]?VP)$/.test(part.replaceAll(".", ""))))
    return true;
  return low === "sr" ? TITLE_WORDS.has(low) : isTitleWord(low);
}

/** Whether the text is nothing but suffixes and degrees: `Jr.`, `III`, `CPA`, `M.D., Ph.D.` */
export function isSuffix(text: string): boolean {
  const items = text.split(/[\s,]+/).filter((item) => item !== "");
  return items.length > 0 && items.every((item) => NAME_PARTS.has(item, "suffix"));
}

/** A name or a title without footnote markers, and without the word that it goes on: `(1)`, `7`, `(continued)`. */
export function cleanName(text: string): string {
  return tidy(
    stripMarkersOfWords(text).replace(/\((?:cont(?:inued|['’]?d|\.)?)\)|\bcont(?:inued|['’]d)\b/gi, " "),
  ).replace(/\s+([,;])/g, "$1");
}

/** How much a piece of text looks like the name of a person: 0 not at all, 1 it could be, 2 nothing speaks against it. */
export function nameLikeness(text: string): 0 | 1 | 2 {
  const bare = cleanName(text).replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/g, "");
  if (bare.length < 3 || bare.length > 60 || /[\d$%@:/]/.test(bare)) return 0;
  if (/\p{L}[–—]\p{L}/u.test(bare) && bare.split(/[–—]/).some((part) => hasTitleWord(part))) return 0;
  const parts = bare.split(/\s*,\s*/).filter((part) => !isSuffix(part));
  if (parts.length > 3 || /\b(?:inc|corp|llc|ltd|plc)\b/i.test(bare) || /^[^()]*\)|\([^()]*$/.test(bare))
    return 0;
  const words = bare.split(/[\s,]+/).filter((word) => word !== "" && !NAME_PARTS.has(word, "honorific"));
  const solid = words.filter(
    (word) => !NAME_PARTS.has(word, "suffix") && !/^["“”'‘’(].*["“”'‘’)]$/.test(word),
  );
  if (solid.length < 2 || solid.length > 6) return 0;
  let business = 0;
  for (const word of solid) {
    const low = word.toLowerCase().replace(/[.;]+$/, "");
    // `Michael J. Head`: behind an initial stands a family name, whatever else it means.
    const family = word === solid.at(-1) && solid.length > 2 && /^\p{Lu}\.$/u.test(solid.at(-2) ?? "");
    if (!family && isOfficeWord(word)) return 0;
    if (NAME_PARTS.has(word, "particle")) continue;
    if (!/^[\p{Lu}("“'‘]/u.test(word) && !/^(?:d['’]|o['’]|al-|el-)/i.test(word)) return 0;
    if (BUSINESS_WORDS.has(low)) business++;
  }
  if (business === 0 || solid.some((word) => /^\p{L}\.?$/u.test(word))) return 2;
  const leads = BUSINESS_WORDS.has((solid[0] ?? "").toLowerCase());
  return leads || business >= solid.length ? 0 : 1;
}

/** Whether the text has a word that only titles have. */
export function hasTitleWord(text: string): boolean {
  return text.split(/[\s,;/()]+/).some((word) => {
    const bare = word.replace(/^[Cc]o-/, "").replaceAll(".", "");
    const low = bare.toLowerCase();
    if (ALSO_NAMES.has(low)) return bare === bare.toUpperCase();
    return /^(?:chief|president|vice|officer|ceo|cfo|peo|pfo|coo|cto|cio|ciso|cmo|cao|cso|cro|cco|cdo|cpo|clo|chro|evp|svp|vp|director|chair|chairman|chairwoman|secretary|treasurer|counsel|controller|founder|head|executive|manager|partner|technoking|pres|dir|treas)$/.test(
      low,
    );
  });
}

/** Whether a title is more than that of a director. */
export function hasOfficerTitle(title: string): boolean {
  return hasTitleWord(
    title
      .replace(/\b(?:managing|executive) directors?\b/gi, "manager")
      .replace(/\b(?:(?:independent|outside|lead|non-?employee) )?directors?\b/gi, ""),
  );
}

/** A title with marks and loose punctuation off; null for an empty one. */
export function cleanTitle(text: string): string | null {
  const bare = cleanName(text)
    .replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/g, "")
    .replace(/^\((.*)\)$/, "$1");
  return bare === "" ? null : bare;
}
