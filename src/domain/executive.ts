/**
 * Executive names: from the printed name to the served name and the stable id. Spelling only; `dataset/people.ts`
 * decides who is the same person across filings.
 * @see docs/contract.md, "Executives"
 */

/** A suffix that distinguishes two people with the same name. */
export type NameSuffix = "jr" | "sr" | "ii" | "iii" | "iv" | "v";

const SUFFIXES: ReadonlyMap<string, NameSuffix> = new Map([
  ...(["jr", "sr", "ii", "iii", "iv"] as const).map((suffix) => [suffix, suffix] as const),
  ...([
    ["junior", "jr"],
    ["senior", "sr"],
    ["2nd", "ii"],
    ["3rd", "iii"],
  ] as const),
]);

const HONORIFIC =
  /^(?:mr|ms|mrs|mx|miss|messrs|dr|prof|professor|sir|dame|hon|honorable|honourable|rev|amb|ambassador)\.?$/i;
/** Ranks count only when abbreviated with a period: `General` can start other phrases. */
const RANK = /^(?:gen|lt|lieut|maj|col|capt|adm|vadm|radm|cmdr|sgt)\.$/i;
const FULL_RANK =
  /^(?:(?:lieutenant|major|brigadier|vice|rear)\s+)?(?:general|admiral|colonel|major|captain|commander|lieutenant|sergeant)\s+/i;
const RETIRED = /^\(?(?:ret|retired|usn|usaf|usmc|u\.s\.n|u\.s\.a\.f)\.?\)?$/i;

/** Credentials that are never surnames, recognized with or without comma and periods. */
const DEGREE_ALWAYS = new Set(
  "phd md jd cpa cfa cfp mba msc llb llm esq pharmd dphil edd dba drph mph mbbs cma cia cisa cfe facp facs faan fca acca aca fcca frcp frcs frcpc dvm vmd dds dmd scd dsc psyd rph esquire peng cams phr sphr chfc clu cpcu fsa asa shrmscp mbbch drmed mbchb leedap".split(
    " ",
  ),
);
/** Credentials that are also names (Jack Ma, Mai Do), recognized only after a comma or with periods. */
const DEGREE_MARKED = new Set("ma ms ba bs bsc do rn pe pa od dc pmp eng be aia fache ret".split(" "));

/** A credential in parts, after a comma: `NACD.DC`. */
const CREDENTIAL = /^\p{Lu}{2,}[.-]\p{Lu}{1,4}$/u;

/** Particles in lower case within a name printed in capitals. */
const PARTICLES = new Set(
  "de del della dello der den des di da das do dos du van von vom zu zur ter ten la le las los bin ibn al el y".split(
    " ",
  ),
);

const APOSTROPHE = /[\x27’‘ʼʻ\x60´′]/;
const APOSTROPHES = new RegExp(APOSTROPHE.source, "g");
/** Superscripts, daggers, asterisks and all digits, which names never contain. */
const FOOTNOTE_MARKS = /[\d⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉*†‡§¶#^®™©|]+/g;
/** `(1)`, `[2]`, `(1)(2)`, `(3, 4)`, `(a)`, `(ii)`; nicknames are capitalized. */
const FOOTNOTE_BRACKETS = /[([{]\s*(?:[\d⁰-⁹¹²³*†‡§#,;\s]+|[a-z]|[ivx]{1,4})\s*[)\]}]/g;
/** Bracketed remarks that are neither nicknames nor footnotes. */
const REMARK = /\((?:ret(ired)?\b|former|deceased|interim|resigned|departed|until|through)[^)]*\)/gi;
// oxlint-disable-next-line no-control-regex -- they are what is removed
const INVISIBLE =
  /[\0-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * The served name: the filer's spelling without footnote markers, honorifics and degrees, capitals converted to normal
 * case, surname-first order reversed. Keeps nicknames and suffixes. Idempotent.
 */
export function displayName(printed: string): string {
  const clean = withoutRank(printed)
    .normalize("NFC")
    .replace(INVISIBLE, "")
    .replace(REMARK, " ")
    .replace(FOOTNOTE_BRACKETS, " ")
    .replace(FOOTNOTE_MARKS, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^[,;:.\s]+|[,;:\s]+$/g, "");
  const parts = clean
    .split(/\s*,\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const shouted = !/\p{Ll}/u.test(withoutCredentials(clean));
  const named: string[] = [];
  let suffix: string | undefined;
  parts.forEach((part, index) => {
    const words = withoutTitles(part.split(" "), index > 0, shouted);
    if (words.length === 0) return;
    const last = words.at(-1) ?? "";
    if (words.length === 1 && suffixOf(last) !== undefined && named.length > 0) {
      suffix = `, ${suffixSpelling(last)}`;
      return;
    }
    if (parts.length > 1 && index < parts.length - 1 && words.length > 1 && suffixOf(last) !== undefined) {
      suffix ??= ` ${suffixSpelling(last)}`;
      words.pop();
    }
    if (named.length === 1 && !isGiven(words.join(" "), parts[0] ?? "")) return;
    named.push(normalCase(words).join(" "));
  });
  const [first = "", second] = named;
  const turned = second === undefined ? first : `${second} ${first}`;
  return turned === "" ? "" : turned + (suffix ?? "");
}

/** The name without the rank of someone retired from it: `General (Ret.) Jeff Zhu`, `Admiral Jeff Zhu, USN (Ret.)`. */
export function withoutRank(printed: string): string {
  return printed.split(/[\s,]+/).some((word) => RETIRED.test(word))
    ? printed.replace(FULL_RANK, "").replace(/^\(?ret(?:ired)?\.?\)?\s+/i, "")
    : printed;
}

/** What tells names apart. */
export interface NameParts {
  /**
   * The id before it is pinned: ASCII words in lower case joined by `-`, without suffix and middle initials. Empty for a name
   * without Latin letters. `dataset/people.ts` makes it unique within the company.
   */
  id: string;
  /**
   * The last word of the id, without particles (`put` for `van de put`). Two spellings can be the same person only if it
   * agrees.
   */
  surname: string;
  /** The suffix at the end (`Jr.`, `III`). */
  suffix: NameSuffix | undefined;
  /** Single letters after the first word (`b` in `Robert B. Ford`). */
  initials: readonly string[];
}

/** The parts of a name. @param name from `displayName` */
export function nameParts(name: string): NameParts {
  const words = bareWords(name);
  const suffix = words.length > 1 ? suffixOf(words.at(-1) ?? "") : undefined;
  const initials = words.slice(1).filter((word) => word.length === 1);
  if (suffix !== undefined) words.pop();
  const long = words.filter((word, index) => index === 0 || word.length > 1);
  return { id: long.join("-"), surname: long.at(-1) ?? "", suffix, initials };
}

/** The id derived from any spelling of a name. */
export function executiveId(name: string): string {
  return nameParts(displayName(name)).id;
}

/** The suffix of any spelling of a name. */
export function nameSuffix(name: string): NameSuffix | undefined {
  return nameParts(displayName(name)).suffix;
}

/** The surname in any spelling of a name, folded. */
export function surnameOf(name: string): string {
  return nameParts(displayName(name)).surname;
}

/** ASCII words in lower case, without nicknames and apostrophes; any other punctuation separates words. */
function bareWords(name: string): string[] {
  const folded = foldToAscii(withoutNicknames(name).replace(APOSTROPHES, "")).toLowerCase();
  return folded.split(/[^a-z0-9]+/).filter((word) => word !== "");
}

function withoutNicknames(name: string): string {
  const without = name
    .replace(/\([^)]*\)|\[[^\]]*\]/g, " ")
    .replace(/[\x22“”„«»][^\x22“”„«»]*[\x22“”„«»]/g, " ")
    .replace(/(^|\s)[\x27‘’][^\x27‘’\s]+[\x27‘’](?=\s|,|$)/g, " ");
  return /\p{L}/u.test(without) ? without : name;
}

/** Letters that have no accent to remove. */
const LETTERS = new Map(
  "ß:ss æ:ae Æ:AE œ:oe Œ:OE ø:o Ø:O đ:d Đ:D ð:d Ð:D þ:th Þ:Th ł:l Ł:L ı:i ħ:h Ħ:H ŋ:n ŧ:t ə:e"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.slice(2)]),
);
const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");

/** Folds text to ASCII letters: removes accents, `ß` becomes `ss`, `ø` becomes `o`. */
export function foldToAscii(text: string): string {
  // Nearly all texts are ASCII; folding them takes ten times as long as looking.
  // oxlint-disable-next-line no-control-regex -- ASCII has them
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text
    .replace(ANY_LETTER, (letter) => LETTERS.get(letter) ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
}

function suffixOf(word: string): NameSuffix | undefined {
  return /^v$/i.test(word) ? "v" : SUFFIXES.get(word.toLowerCase().replaceAll(".", ""));
}

/** The suffix as printed, in normal case: `JR.` becomes `Jr.`, `Jr` stays without a period. */
function suffixSpelling(word: string): string {
  const suffix = suffixOf(word);
  if (suffix !== "jr" && suffix !== "sr") return suffix?.toUpperCase() ?? word;
  const spelled = word.length > 3 ? word : suffix + (word.endsWith(".") ? "." : "");
  return spelled.charAt(0).toUpperCase() + spelled.slice(1).toLowerCase();
}

/** Degrees without a comma, as in `John Smith PhD`, do not count when testing for capitals. */
function withoutCredentials(text: string): string {
  return text.replace(/\b(?:Ph\.?\s?D|Pharm\.?D|Esq|Jr|Sr|Dr|Mr|Ms|Mrs|Sc\.?D)\b\.?/g, "");
}

/** The words without leading honorifics and trailing degrees; a part after a comma may consist of degrees only. */
function withoutTitles(words: readonly string[], afterComma: boolean, shouted: boolean): string[] {
  let remaining = words.filter((word) => word !== "" && !RETIRED.test(word) && !/^["'“”‘’&/-]+$/.test(word));
  const count = remaining.length;
  if (/^the$/i.test(remaining[0] ?? "") && HONORIFIC.test(remaining[1] ?? "")) remaining = remaining.slice(1);
  while (remaining.length > 0 && (HONORIFIC.test(remaining[0] ?? "") || RANK.test(remaining[0] ?? "")))
    remaining = remaining.slice(1);
  if (afterComma && remaining.length > 0 && remaining.every((word) => isDegree(word, true, shouted)))
    return [];
  if (afterComma && isDegree(remaining.join(""), true, shouted)) return [];
  while (remaining.length > (afterComma ? 1 : 2) && isDegree(remaining.at(-1) ?? "", false, shouted))
    remaining = remaining.slice(0, -1);
  return remaining.length === 0 && count > 0 && !afterComma ? [...words] : remaining;
}

function isDegree(word: string, marked: boolean, shouted: boolean): boolean {
  const bare = word.toLowerCase().replace(/[.\-()]/g, "");
  if (DEGREE_ALWAYS.has(bare) || (marked && !shouted && CREDENTIAL.test(word))) return true;
  if (!DEGREE_MARKED.has(bare)) return false;
  if (/\..*\./.test(word)) return true;
  return marked && !shouted && word === word.toUpperCase();
}

/**
 * Whether the part after a comma is a given name: not an office, and not a credential in capitals after a full name.
 */
function isGiven(part: string, before: string): boolean {
  const office = /\b(?:officer|president|chair\w*|director|treasurer|secretary|counsel|executive|c[efo]o)\b/i;
  if (office.test(part)) return false;
  return !(/^\p{Lu}{2,6}$/u.test(part) && /\p{Ll}/u.test(before) && before.includes(" "));
}

/** A name in capitals except for its prefix: McDONALD, LaPRADE, VanDERBILT. */
const PREFIXED = /^(Mc|Mac|De|Di|Du|La|Le|Van|Von|Fitz)(\p{Lu})(\p{Lu}+)$/u;

function normalCase(words: readonly string[]): string[] {
  const shouted = !words.some(
    (word) => /\p{Ll}/u.test(word) && suffixOf(word) === undefined && !PREFIXED.test(word),
  );
  const end = words.length - (suffixOf(words.at(-1) ?? "") === undefined ? 1 : 2);
  return words.map((word, index) => {
    if (suffixOf(word) !== undefined && index > 0 && index === words.length - 1) return suffixSpelling(word);
    const prefixed = PREFIXED.exec(word);
    if (prefixed !== null) return `${prefixed[1]}${prefixed[2]}${prefixed[3]?.toLowerCase()}`;
    const letters = word.replace(/[^\p{L}]/gu, "");
    if (/\p{Ll}/u.test(word) || letters.length < 2 || /\p{L}\.\p{L}/u.test(word)) return word;
    const inside = index > 0 && index < end;
    if (shouted) {
      if (inside && PARTICLES.has(word.toLowerCase())) return word.toLowerCase();
      // Two consonants are initials (KC, JM), except at the end of the name, where they are a surname (Ng).
      if (letters.length === 2 && !/[AEIOUY]/i.test(letters) && (index === 0 || inside)) return word;
      return capitalized(word);
    }
    if (letters.length > 2) return capitalized(word);
    // In a name otherwise in normal case, two capitals are initials, unless the surname is in capitals.
    const besideCapitals = words.some(
      (other) => /^\p{Lu}{3,}$/u.test(other) && suffixOf(other) === undefined,
    );
    return besideCapitals && inside && PARTICLES.has(word.toLowerCase()) ? word.toLowerCase() : word;
  });
}

/** Converts a word to normal case: capitals after hyphens, after O' and D', and after Mc. */
function capitalized(word: string): string {
  const lower = word.toLowerCase();
  return lower
    .replace(
      /(^|[^\p{L}\p{M}\x27’‘ʼʻ\x60´′])(\p{L})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(
      /^(\P{L}*\p{L}[\x27’‘ʼʻ\x60´′])(\p{L})(?=\p{L})/u,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(
      /(^|[^\p{L}])Mc(\p{L})/gu,
      (_, before: string, letter: string) => `${before}Mc${letter.toUpperCase()}`,
    );
}
