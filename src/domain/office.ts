/** What a printed title says about the two offices of Item 402(a)(3). */
export interface TitleOffice {
  /** Heads the whole company, or is called its principal executive officer. */
  readonly peo: boolean;
  /** Heads the finances of the whole company, or is called its principal financial officer. */
  readonly pfo: boolean;
  /** The office is over: `Former`, `Retired`, `until …`. */
  readonly peoFormer: boolean;
  readonly pfoFormer: boolean;
}

const PEO =
  /\b(?:principal executive(?:(?:\s*[,/&]\s*|\s+and\s+)(?:principal\s+)?(?:financial|accounting)){0,2}\s+officer|chief[\s-]+exec(?:utive|\.)(?:[\s-]+officer)?|c\.?\s?e\.?\s?o\b\.?|PEO\b)/gi;
const PFO =
  /\b(?:principal (?:(?:executive|accounting)(?:\s*[,/&]\s*|\s+and\s+)(?:principal\s+)?)?financial(?:(?:\s*[,/&]\s*|\s+and\s+)(?:principal\s+)?accounting)?\s+officer|chief[\s-]+financ(?:ial|e)(?:\s*(?:and|&|,|\/)\s*(?:\w+\s+){0,3}?(?:and\s+)?\w+)?[\s-]+officer|chief[\s-]+(?:\w+\s+(?:and|&)\s+)financial\s+officer|c\.?\s?f\.?\s?o\b\.?|PFO\b|(?:group\s+)?finance director|chief financial(?=\s*(?:,|$)))/gi;

/** Words that may stand beside the office in its own part of a title without making it a division's. */
const PLAIN_WORDS = new Set(
  "v.p president and & chair chairman chairwoman chairperson vice executive co co- interim acting former formerly our the global group principal founder cofounder co-founder director board of company corporation senior secretary treasurer deputy-none current new permanent chief officer managing member sole since as well also its corporate office overall company's firm founding retired prior previous outgoing departed immediate past then ex ex- accounting operating financial technology business administrative vp evp svp ceo cfo coo cto cao".split(
    " ",
  ),
);

/** Words that start another office: what follows a comma with one of them is no division. */
const OFFICE_START =
  /^(?:and\s+|&\s*|our\s+|the\s+|a\s+|current\s+)*(?:president\b|chair|vice\b|executive\b|senior\b|chief\b|c[a-z]o\b|director|board\b|member|secretary|treasurer|founder|co-?founder|co-|principal (?:executive|financial|accounting|operating|officer)|general (?:counsel|manager|partner|director)|interim|acting|former|head of|managing|group (?:president|chief|c[a-z]o|vice|executive)|corporate|controller|evp\b|svp\b|vp\b|avp\b|partner|counsel|sole\b|assistant|trustee|manager|employee|retired|until|through|effective|since|from|as of|inc\b|llc|ltd|corp\b|jr\b|sr\b|and$|operating|administrat|consultant|advis[eo]rs?\b|ex-|sec\b|treas|pres\b|technoking|peo\b|pfo\b)/i;

/**
 * Reads a title. `companyWords` are words of the company's own name: `CEO of Acme` heads Acme.
 * A division's head (`CEO, Walmart U.S.`, `Co-CEO, CIB`, `CEO of CBS`) is none; nor is who serves one (`Chief of Staff to the CEO`).
 */
export function officeOfTitle(title: string | null, companyWords: readonly string[] = []): TitleOffice {
  if (title === null) return { peo: false, pfo: false, peoFormer: false, pfoFormer: false };
  const peo = holds(title, PEO, companyWords);
  const pfo = holds(title, PFO, companyWords);
  return { peo: peo !== "no", pfo: pfo !== "no", peoFormer: peo === "former", pfoFormer: pfo === "former" };
}

type Held = "no" | "now" | "former";

function holds(title: string, office: RegExp, companyWords: readonly string[]): Held {
  let held: Held = "no";
  for (const match of title.matchAll(office)) {
    const before = title.slice(0, match.index);
    const after = title.slice(match.index + match[0].length);
    if (!wholeCompany(before, after, companyWords)) continue;
    // `Former` governs the offices behind it up to a semicolon: `Vice Chair; Former President and COO`.
    const former =
      /\b(?:former|formerly|retired|ex|prior|past|previous|outgoing|departed)\b(?:(?!\bcurrent\b)[^;])*$/i.test(
        before,
      ) || /^[\s,(]*(?:until|through|retired|resigned|former|departed|to)\b/i.test(after);
    if (!former) return "now";
    held = "former";
  }
  return held;
}

/** Whether the office at this place of a title is that of the whole company. */
function wholeCompany(before: string, after: string, companyWords: readonly string[]): boolean {
  if (
    /\b(?:to|for|reporting to|assisting|advis[eo]r to|office of)\s+(?:the\s+|our\s+)?(?:(?:co-?|former|interim|group|president\s+and|chairman\s+and|chair\s+and)\s*)*$/i.test(
      before,
    )
  )
    return false;
  if (
    /\b(?:deputy|assistant|associate|divisional|division|regional|segment|sector|subsidiary|area|country)[\s-]*$/i.test(
      before,
    )
  )
    return false;
  const part = (before.split(/[,;(]|\s[–—-]\s|\band\b|&/).at(-1) ?? "").trim().toLowerCase();
  const words = part.split(/[\s/]+/).filter((word) => word !== "");
  const foreign = words.filter(
    (word) =>
      !PLAIN_WORDS.has(word.replace(/[.,–-]+$/, "")) &&
      !isOwn(word, companyWords) &&
      !/^(?:co-|vice-|[a-z]+:)/.test(word),
  );
  if (foreign.length > 0 && !/\bof\b/.test(part)) return false;
  return wholeBehind(after, companyWords);
}

function wholeBehind(after: string, companyWords: readonly string[]): boolean {
  const rest = after.trim();
  if (rest === "") return true;
  const of = /^(?:of|for|at)\s+(?:the\s+)?(.*)$/i.exec(rest);
  if (of !== null) return ownName(of[1] ?? "", companyWords);
  // `CFO & Treasurer, ComEd`, `CEO and President of the Bank`: the second office says whose both are.
  const both =
    /^(?:and|&)\s+(?:president|treasurer|secretary|controller|coo|chief operating officer)\s*(?:of\s+(?:the\s+)?|,\s*)(.*)$/i.exec(
      rest,
    )?.[1];
  if (both !== undefined)
    return (
      both === "" ||
      OFFICE_START.test(both) ||
      /^(?:north |latin )?(?:america|europe|asia|international|global|worldwide|u\.?s)/i.test(both) ||
      /^\d|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(both) ||
      ownName(both, companyWords)
    );
  const mark = /^(?:,|[–—-]|:|\/|\()\s*(.*)$/.exec(rest);
  if (mark === null)
    return (
      ownName(rest, companyWords) ||
      /^(?:and|&|;|\)|\.|since|until|through|effective|from|as|\*|\d)/i.test(rest) ||
      OFFICE_START.test(rest)
    );
  const next = mark[1] ?? "";
  if (
    next === "" ||
    OFFICE_START.test(next) ||
    /^\d|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i.test(next)
  )
    return true;
  return ownName(next, companyWords);
}

/** Words that may stand in or behind a company's name without telling it from another's. */
const COMMON = new Set(
  "inc corp corporation company co holdings holding group ltd limited llc lp plc the of and de international global industries enterprises partners trust bancorp financial n v sa".split(
    " ",
  ),
);

/**
 * Whether the text starts with the company itself: `the Company`, its name or its initials. `Walmart U.S.` is not Walmart,
 * nor `NextEra Energy Resources` NextEra Energy.
 */
export function ownName(text: string, companyWords: readonly string[]): boolean {
  if (
    /^(?:the\s+)?(?:our|this|us|company|corporation|registrant|firm|partnership|general partner|issuer|trust|manager)\b/i.test(
      text,
    )
  ) {
    return true;
  }
  const words = (text.split(/[,;()]|\s(?:and|effective|since|from|until|through|in|on|as)\s/)[0] ?? "")
    .split(/[\s/]+/)
    .map((word) =>
      word
        .toLowerCase()
        .replace(/[’']s$/, (end) => (companyWords.includes(`${bareOf(word)}`) ? end : ""))
        .replace(/[^a-z0-9]/g, ""),
    )
    .filter((word) => word !== "" && word !== "the" && word !== "of");
  const [first = ""] = words;
  // The whole name, or its first words: `International Paper`, `A. O. Smith`.
  const core = companyWords.filter((word) => !LEGAL.has(word));
  const said = words.filter((word) => !LEGAL.has(word) && !MONTHS.test(word));
  if (said.length >= 2 && core.length <= said.length + 1 && said.every((word, at) => core[at] === word))
    return true;
  if (
    words.length === 1 &&
    first.length > 1 &&
    first ===
      companyWords
        .filter((word) => word !== "inc")
        .map((word) => word.charAt(0))
        .join("")
        .slice(0, first.length)
  ) {
    return true;
  }
  if (
    words.length === 1 &&
    first.length >= 4 &&
    companyWords.some((word) => word.startsWith(first) && word !== first && !COMMON.has(first))
  )
    return true;
  return (
    isOwn(first, companyWords) &&
    words.every((word) => companyWords.includes(word) || LEGAL.has(word) || MONTHS.test(word))
  );
}

function bareOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** What a company calls itself with or without: `Acme` and `Acme Holdings, Inc.` are one. */
const LEGAL = new Set(
  "inc corp corporation company co holdings holding group ltd limited llc lp plc sa nv ag the of".split(" "),
);

const MONTHS = /^(?:\d+|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

function isOwn(word: string, companyWords: readonly string[]): boolean {
  const bare = bareOf(word);
  return bare.length > 1 && !COMMON.has(bare) && companyWords.includes(bare);
}

/** The words of a company's name, small: `Acme Holdings, Inc.` gives `acme holdings inc`, `PG&E Corp` also `pge`. */
export function companyWordsOf(name: string | null): string[] {
  const bare = (name ?? "").toLowerCase().replace(/[’']/g, "");
  const words = bare.split(/[^a-z0-9]+/).filter((word) => word !== "");
  const joined = (bare.match(/[a-z0-9]+(?:[&.*+-][a-z0-9]+)+/g) ?? []).map((word) =>
    word.replace(/[^a-z0-9]/g, ""),
  );
  return [...words, ...joined];
}
