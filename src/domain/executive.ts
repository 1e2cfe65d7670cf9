/**
 * Names of executives: from what a filer prints to the name that is served and the id that is kept.
 * Pure spelling; who is the same person over filings is decided in `snapshot/people.ts`.
 * @see docs/contract.md, "Executives"
 */

/** A suffix that tells two people of one name apart. */
export type NameSuffix = "jr" | "sr" | "ii" | "iii" | "iv" | "v";

const SUFFIX_SPELLING: Readonly<Record<NameSuffix, string>> = {
  jr: "Jr.",
  sr: "Sr.",
  ii: "II",
  iii: "III",
  iv: "IV",
  v: "V",
};

const HONORIFIC =
  /^(?:mr|ms|mrs|mx|miss|messrs|dr|prof|professor|sir|dame|hon|honorable|honourable|rev|amb|ambassador)\.?$/i;
/** Ranks count only when abbreviated with a full stop: `General` may begin a name of something else. */
const RANK = /^(?:gen|lt|lieut|maj|col|capt|adm|vadm|radm|cmdr|sgt)\.$/i;
const RETIRED = /^\(?(?:ret|retired|usn|usaf|usmc|u\.s\.n|u\.s\.a\.f)\.?\)?$/i;

/** Credentials that no one has for a surname: they count with or without a comma or full stops. */
const DEGREE_ALWAYS = new Set(
  "phd md jd cpa cfa cfp mba msc llb llm esq pharmd dphil edd dba drph mph mbbs cma cia cisa cfe facp facs faan fca acca aca fcca frcp frcs frcpc dvm vmd dds dmd scd dsc psyd rph esquire peng cams phr sphr chfc clu cpcu fsa asa shrmscp mbbch drmed mbchb leedap".split(
    " ",
  ),
);
/** Credentials that are names too (Jack Ma, Mai Do): they count only after a comma or with full stops. */
const DEGREE_MARKED = new Set("ma ms ba bs bsc do rn pe pa od dc pmp eng be aia fache ret".split(" "));

/** Particles that stay small inside a name that the filer printed in capitals. */
const PARTICLES = new Set(
  "de del della dello der den des di da das do dos du van von vom zu zur ter ten la le las los bin ibn al el y".split(
    " ",
  ),
);

const APOSTROPHE = /[\x27’‘ʼʻ\x60´′]/;
const APOSTROPHES = new RegExp(APOSTROPHE.source, "g");
/** Superscripts, daggers and stars; every digit too, since no name has one. */
const FOOTNOTE_MARKS = /[\d⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉*†‡§¶#^®™©|]+/g;
/** `(1)`, `[2]`, `(1)(2)`, `(3, 4)`, `(a)`, `(ii)`: a nickname has a capital. */
const FOOTNOTE_BRACKETS = /[([{]\s*(?:[\d⁰-⁹¹²³*†‡§#,;\s]+|[a-z]|[ivx]{1,4})\s*[)\]}]/g;
/** Remarks in brackets that are neither nickname nor footnote. */
const REMARK = /\((?:ret(ired)?\b|former|deceased|interim|resigned|departed|until|through)[^)]*\)/gi;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * The name as it is served: the filer's spelling without footnote marks, honorifics and degrees, capitals in normal
 * case, surname-first turned. Nicknames and suffixes stay. Given its own answer it returns it unchanged.
 */
export function displayName(printed: string): string {
  const clean = printed
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

/**
 * The id that a name gives before it is pinned: ASCII words in lower case joined by `-`, without the suffix.
 * Empty for a name without any Latin letter. `snapshot/people.ts` makes it unique within the company.
 */
export function executiveId(name: string): string {
  return slugWords(name).join("-");
}

/** The suffix that stands at the end of the name (`Jr.`, `III`), undefined without one. */
export function nameSuffix(name: string): NameSuffix | undefined {
  const words = bareWords(displayName(name));
  return words.length > 1 ? suffixOf(words.at(-1) ?? "") : undefined;
}

/** Single letters behind the first word (`Robert B. Ford` gives `b`); an id leaves them out. */
export function middleInitials(name: string): string[] {
  return bareWords(displayName(name))
    .slice(1)
    .filter((word) => word.length === 1);
}

/** The surname folded like an id, particles left out (`van de put` gives `put`): what must agree before two spellings are linked. */
export function surnameOf(name: string): string {
  return slugWords(name).at(-1) ?? "";
}

function slugWords(name: string): string[] {
  const words = bareWords(displayName(name));
  const last = words.at(-1);
  if (words.length > 1 && last !== undefined && suffixOf(last) !== undefined) words.pop();
  return words.filter((word, index) => index === 0 || word.length > 1);
}

/** ASCII words in lower case: nicknames gone, apostrophes removed, every other mark a gap. */
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

const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  ł: "l",
  Ł: "L",
  ı: "i",
  ħ: "h",
  Ħ: "H",
  ŋ: "n",
  ŧ: "t",
  ə: "e",
};

/** Text in ASCII letters: accents off, `ß` as `ss`, `ø` as `o`. */
export function foldToAscii(text: string): string {
  return text
    .replace(/[ßæÆœŒøØđĐðÐþÞłŁıħĦŋŧə]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
}

function suffixOf(word: string): NameSuffix | undefined {
  switch (word.toLowerCase().replace(/\./g, "")) {
    case "jr":
    case "junior":
      return "jr";
    case "sr":
    case "senior":
      return "sr";
    case "ii":
    case "2nd":
      return "ii";
    case "iii":
    case "3rd":
      return "iii";
    case "iv":
      return "iv";
    case "v":
      return /^v$/i.test(word) ? "v" : undefined;
    default:
      return undefined;
  }
}

/** The suffix as printed, capitals apart: `JR.` reads `Jr.`, `Jr` keeps its missing full stop. */
function suffixSpelling(word: string): string {
  const suffix = suffixOf(word);
  if (suffix === undefined) return word;
  if (suffix !== "jr" && suffix !== "sr") return SUFFIX_SPELLING[suffix];
  if (word.length > 3) return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
  return word.endsWith(".") ? SUFFIX_SPELLING[suffix] : SUFFIX_SPELLING[suffix].slice(0, 2);
}

/** Degrees without a comma before them, as in `John Smith PhD`, must not decide whether a name is in capitals. */
function withoutCredentials(text: string): string {
  return text.replace(/\b(?:Ph\.?\s?D|Pharm\.?D|Esq|Jr|Sr|Dr|Mr|Ms|Mrs|Sc\.?D)\b\.?/g, "");
}

/** Words without honorifics in front and degrees behind; a part after a comma may be nothing but degrees. */
function withoutTitles(words: readonly string[], afterComma: boolean, shouted: boolean): string[] {
  let kept = words.filter((word) => word !== "" && !RETIRED.test(word) && !/^["'“”‘’&/-]+$/.test(word));
  const count = kept.length;
  if (/^the$/i.test(kept[0] ?? "") && HONORIFIC.test(kept[1] ?? "")) kept = kept.slice(1);
  while (kept.length > 0 && (HONORIFIC.test(kept[0] ?? "") || RANK.test(kept[0] ?? ""))) kept = kept.slice(1);
  if (afterComma && kept.length > 0 && kept.every((word) => isDegree(word, true, shouted))) return [];
  if (afterComma && isDegree(kept.join(""), true, shouted)) return [];
  while (kept.length > (afterComma ? 1 : 2) && isDegree(kept.at(-1) ?? "", false, shouted))
    kept = kept.slice(0, -1);
  return kept.length === 0 && count > 0 && !afterComma ? [...words] : kept;
}

function isDegree(word: string, marked: boolean, shouted: boolean): boolean {
  const bare = word.toLowerCase().replace(/[.\-()]/g, "");
  if (DEGREE_ALWAYS.has(bare)) return true;
  if (!DEGREE_MARKED.has(bare)) return false;
  if (/\..*\./.test(word)) return true;
  return marked && !shouted && word === word.toUpperCase();
}

/** Whether what follows the comma is a given name: not an office, not a credential in capitals behind a name that has none. */
function isGiven(part: string, before: string): boolean {
  const office = /\b(?:officer|president|chair\w*|director|treasurer|secretary|counsel|executive|c[efo]o)\b/i;
  if (office.test(part)) return false;
  return !(/^\p{Lu}{2,6}$/u.test(part) && /\p{Ll}/u.test(before) && before.includes(" "));
}

/** A name in capitals but for its prefix: McDONALD, LaPRADE, VanDERBILT. */
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
      // Two consonants are initials (KC, JM) unless they end the name, where they are a surname (Ng).
      if (letters.length === 2 && !/[AEIOUY]/i.test(letters) && (index === 0 || inside)) return word;
      return capitalized(word);
    }
    if (letters.length > 2) return capitalized(word);
    // Inside a name otherwise printed in normal case two capitals are initials, but not beside a surname in capitals.
    const besideCapitals = words.some(
      (other) => /^\p{Lu}{3,}$/u.test(other) && suffixOf(other) === undefined,
    );
    return besideCapitals && inside && PARTICLES.has(word.toLowerCase()) ? word.toLowerCase() : word;
  });
}

/** One word in capitals set in normal case: each part between hyphens, after O' and D', after Mc. */
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
