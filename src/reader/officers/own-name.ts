/** Recognizes the company's own name in titles and sentences: `CEO of Acme` heads Acme, `CEO, Acme Resources` does not. */
import { MONTH } from "../lexicon/years.ts";

const LEGAL_WORDS =
  "inc corp corporation company co holdings holding group ltd limited llc lp plc sa nv ag the of";
/** Optional words of a company name: `Acme` and `Acme Holdings, Inc.` are the same company. */
const LEGAL = wordSet(LEGAL_WORDS);
/** Words that many company names share. */
const COMMON = wordSet(
  `${LEGAL_WORDS} and de international global industries enterprises partners trust bancorp financial n v`,
);
const DATE_START = new RegExp(`^(?:\\d|${MONTH})`);
const ITSELF =
  /^(?:the\s+)?(?:our|this|us|company|corporation|registrant|firm|partnership|general partner|issuer|trust|manager)\b/i;

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/**
 * Whether the text starts with the company itself: `the Company`, its name or its initials. `Walmart U.S.` is not Walmart;
 * `NextEra Energy Resources` is not NextEra Energy.
 */
export function ownName(text: string, companyWords: readonly string[]): boolean {
  if (ITSELF.test(text)) return true;
  const named = namedAt(text, companyWords);
  const [first = ""] = named;
  // The whole name, or its first words: `International Paper`, `A. O. Smith`.
  const core = companyWords.filter((word) => !LEGAL.has(word));
  const said = named.filter((word) => !LEGAL.has(word) && !DATE_START.test(word));
  if (said.length >= 2 && core.length <= said.length + 1 && said.every((word, at) => core[at] === word))
    return true;
  if (named.length === 1 && isShortForm(first, companyWords)) return true;
  return (
    isOwnWord(first, companyWords) &&
    named.every((word) => companyWords.includes(word) || LEGAL.has(word) || DATE_START.test(word))
  );
}

/** The words of the name at the start of a text, normalized. */
function namedAt(text: string, companyWords: readonly string[]): string[] {
  return (text.split(/[,;()]|\s(?:and|effective|since|from|until|through|in|on|as)\s/)[0] ?? "")
    .split(/[\s/]+/)
    .map((word) =>
      bareOf(word.toLowerCase().replace(/[’']s$/, (end) => (companyWords.includes(bareOf(word)) ? end : ""))),
    )
    .filter((word) => word !== "" && word !== "the" && word !== "of");
}

/** Whether a word is the company's initials or the beginning of a word of its name. */
function isShortForm(word: string, companyWords: readonly string[]): boolean {
  const initials = companyWords
    .filter((one) => one !== "inc")
    .map((one) => one.charAt(0))
    .join("");
  if (word.length > 1 && initials.startsWith(word)) return true;
  return (
    word.length >= 4 && !COMMON.has(word) && companyWords.some((one) => one.startsWith(word) && one !== word)
  );
}

/** Whether a word is a distinctive one of the company's name. */
export function isOwnWord(word: string, companyWords: readonly string[]): boolean {
  const bare = bareOf(word);
  return bare.length > 1 && !COMMON.has(bare) && companyWords.includes(bare);
}

function bareOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The words of a company's name in lower case: `Acme Holdings, Inc.` has `acme holdings inc`, `PG&E Corp` also `pge`. */
export function companyWordsOf(name: string | null): string[] {
  const bare = (name ?? "").toLowerCase().replace(/[’']/g, "");
  const words = bare.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const joined = (bare.match(/[a-z0-9]+(?:[&.*+-][a-z0-9]+)+/g) ?? []).map(bareOf);
  return [...words, ...joined];
}
