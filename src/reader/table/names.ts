import { displayName } from "../../domain/executive.ts";
import { stripMarkersOfWords } from "./footnote-markers.ts";
import { joinLines, tidy } from "../document/text.ts";

/** Words that begin or make up a title, and never a name. */
const TITLE_WORDS = new Set(
  (
    "chief president vice executive senior officer ceo cfo coo cto cio cmo cao clo cho chro evp svp avp vp director chair chairman chairwoman chairperson chairmen secretary treasurer counsel " +
    "controller comptroller founder co-founder cofounder co-chief co-ceo co-president co-chairman co-chair co-head head interim acting former formerly principal general managing manager member partner " +
    "operating financial accounting administrative legal marketing technology information scientific medical commercial strategy people human resources development " +
    "operations finance corporate regional group division office board advisor adviser consultant emeritus deputy assistant associate global worldwide international technoking " +
    "and & of the to for at in with from until through effective since retired resigned departed our non-executive nonexecutive employee administrator sole special strategic trustee owner portfolio publisher editor bookkeeper accountant geologist geophysicist proprietor superintendent actuary underwriter auditor " +
    "engineer engineering sales research products product services service business banking bank lending credit risk investment investments officer, exec. sr. ex- pres. treas. asst. dir. mgr. peo pfo"
  ).split(" "),
);

/** Abbreviated offices that are also family names (`Alex Cho`, `Wei Cao`): an office when all its letters are capitals. */
const ALSO_NAMES = new Set("coo cao cho clo cto cio cmo cso cro cco cdo cpo".split(" "));

/** Whether a word begins or makes up a title. */
function isOfficeWord(word: string): boolean {
  const bare = word.replace(/[,;.]+$/g, "").replace(/^[(]/, "");
  const low = bare.toLowerCase();
  if (ALSO_NAMES.has(low)) return bare === bare.toUpperCase();
  // `V.P.-CFO`, `VP/Finance`
  if (bare.split(/[-–/]/).some((part) => /^(?:C[EFOTI]O|[ES]?VP)$/.test(part.replaceAll(".", ""))))
    return true;
  return TITLE_WORDS.has(low) || (low !== "sr" && TITLE_WORDS.has(`${low}.`));
}

/** Words of departments, places and companies that look like names when capitalised. */
const BUSINESS_WORDS = new Set(
  (
    "america americas north south east west europe european asia pacific apac emea latin africa african united states kingdom canada china india japan australia region regional national domestic market markets " +
    "inc inc. corp corp. corporation llc l.l.c. company companies co. ltd ltd. lp l.p. plc bank trust holdings partners capital enterprises enterprise systems system solutions networks network media studios entertainment " +
    "energy power electric gas oil water petroleum powertrain manufacturing supply chain logistics procurement quality safety regulatory affairs compliance communications relations investor public government indices index " +
    "planning analysis design digital data cloud software hardware platform platforms security cyber innovation transformation integration growth customer client clients consumer experience success brand brands retail wholesale stores merchandising commerce " +
    "insurance life health care healthcare pharma pharmaceuticals pharmaceutical biotech therapeutics clinical medicine vaccines devices diagnostics oncology science sciences real estate property properties asset assets wealth management mortgage payments cards " +
    "technical technologies field fleet vehicles vehicle automotive aerospace defense aviation industrial chemicals chemical materials metals mining steel paper packaging food foods beverage restaurants hotels gaming leisure travel education learning training talent culture inclusion diversity " +
    "strategic strategies initiatives projects program programs internal audit tax treasury accounting reporting controls revenue revenues income pricing performance reinforcement segment segments unit units subsidiary subsidiaries unit. department affairs administration"
  ).split(" "),
);

const SUFFIX =
  /^(?:jr|sr|ii|iii|iv|v|2nd|3rd|esq|m\.?d|ph\.?d|cpa|mba|j\.?d|cfa|r\.?ph|esquire|p\.?eng|pharm\.?d|d\.?v\.?m|v\.m\.d|d\.?o|ll\.?[mb]|m\.b\.a|c\.p\.a|c\.f\.a|m\.p\.h|d\.d\.s|m\.s|r\.n|p\.e|sc\.?d|ed\.?d|ret)\.?$/i;
const HONORIFIC = /^(?:mr|mrs|ms|miss|dr|prof|sir|dame|hon|gen|adm|rev|lord|lady)\.?$/i;
const PARTICLE =
  /^(?:de|del|della|der|den|di|da|do|dos|das|du|van|von|vom|zu|zur|ter|ten|la|le|los|las|el|al|bin|ibn|y|e|st\.?|mac|mc|o['’])$/i;

/** Whether the text is nothing but suffixes and degrees: `Jr.`, `III`, `CPA`, `M.D., Ph.D.` */
export function isSuffix(text: string): boolean {
  const items = text.split(/[\s,]+/).filter((item) => item !== "");
  return items.length > 0 && items.every((item) => SUFFIX.test(item));
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
  const words = bare.split(/[\s,]+/).filter((word) => word !== "" && !HONORIFIC.test(word));
  const solid = words.filter((word) => !SUFFIX.test(word) && !/^["“”'‘’(].*["“”'‘’)]$/.test(word));
  if (solid.length < 2 || solid.length > 6) return 0;
  let business = 0;
  for (const word of solid) {
    const low = word.toLowerCase().replace(/[.;]+$/, "");
    // `Michael J. Head`: behind an initial stands a family name, whatever else it means.
    const family = word === solid.at(-1) && solid.length > 2 && /^\p{Lu}\.$/u.test(solid.at(-2) ?? "");
    if (!family && isOfficeWord(word)) return 0;
    if (PARTICLE.test(word)) continue;
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

/** A name cell taken apart. */
export interface NameAndTitle {
  readonly name: string;
  readonly printedName: string;
  readonly title: string;
  /** False when the cut between name and title was not marked by a break, a comma, a weight or a title word. */
  readonly clear: boolean;
}

/** Takes the name off the front of a cell's text; undefined when the cell does not start with one. */
export function splitName(
  lines: readonly {
    readonly text: string;
    readonly parts?: readonly { readonly text: string; readonly bold: boolean }[];
  }[],
): NameAndTitle | undefined {
  const [printed] = lines;
  if (printed === undefined) return undefined;
  // `V. P.` is no initial of anybody.
  const first = { ...printed, text: printed.text.replace(/\bV\.\s+P\./g, "V.P.") };
  const rest = lines.slice(1).map((line) => line.text);
  const made = (printed: string, title: readonly string[], clear: boolean): NameAndTitle | undefined => {
    const name = displayName(cleanName(printed).replace(/[\s,;:–—-]+$/, ""));
    return name === ""
      ? undefined
      : {
          name,
          printedName: tidy(printed),
          title: joinLines(title),
          clear,
        };
  };
  // `Chief Executive Officer:` over the name
  const last = rest.at(-1);
  if (last !== undefined && first.text.endsWith(":") && hasTitleWord(first.text) && nameLikeness(last) === 2)
    return made(last, [first.text.replace(/\s*:$/, ""), ...rest.slice(0, -1)], true);
  // `Bill Acton (CEO)`, `Bill Acton/CEO`
  const joined = /^([^(/]{3,50}?)\s*(?:\(([^()]{2,80})\)|\/\s*(.{2,80}))$/.exec(first.text);
  const behind = joined?.[2] ?? joined?.[3] ?? "";
  if (joined !== null && hasTitleWord(behind) && nameLikeness(joined[1] ?? "") === 2)
    return made(joined[1] ?? "", [behind, ...rest], true);
  // `Jane Carr, Sec.`: a short word with a full stop behind a full name is an office, not a first name.
  const abbreviated = /^([^,]{4,45}),\s*(\p{Lu}\p{L}{1,5}\.(?:\s.*)?)$/u.exec(first.text);
  if (
    abbreviated !== null &&
    nameLikeness(abbreviated[1] ?? "") === 2 &&
    !isSuffix((abbreviated[2] ?? "").split(" ")[0] ?? "") &&
    !/^(?:Wm|Chas|Geo|Jos|Thos|Robt|Jas|Mr|Ms|Mrs|Dr)\./.test(abbreviated[2] ?? "")
  )
    return made(abbreviated[1] ?? "", [abbreviated[2] ?? "", ...rest], true);
  const broken = nameOverLines(first.text, rest[0]);
  if (broken !== undefined) return made(broken.name, [broken.title, ...rest.slice(1)], true);
  if (nameLikeness(first.text) > 0) {
    // A name broken over two lines: the second is nothing but a suffix or one more word.
    const second = rest[0];
    if (second !== undefined && SUFFIX.test(cleanName(second).replace(/,$/, "")))
      return made(`${first.text} ${second}`, rest.slice(1), true);
    // `James Yiu` over `Yeung Lung`: the rest of the name, or somebody else's.
    const another = rest[0] !== undefined && nameLikeness(rest[0]) === 2 && !hasTitleWord(rest[0]);
    return made(
      first.text,
      rest,
      !another && (nameLikeness(first.text) === 2 || hasTitleWord(rest.join(" "))),
    );
  }
  const parts = first.parts ?? [];
  const lead = parts[0];
  if (
    lead !== undefined &&
    parts.length > 1 &&
    lead.bold &&
    parts[1]?.bold === false &&
    nameLikeness(lead.text) > 0
  ) {
    return made(
      lead.text,
      [
        parts
          .slice(1)
          .map((part) => part.text)
          .join(" "),
        ...rest,
      ],
      true,
    );
  }
  const marked = /^(.{3,50}?)\s*(?:\(\d{1,2}\)|\[\d{1,2}\])+\s*[,;:–—-]?\s*(\S.*)$/.exec(first.text);
  if (marked !== null && nameLikeness(marked[1] ?? "") > 0)
    return made(marked[1] ?? "", [marked[2] ?? "", ...rest], true);
  const cut = /^(.{3,60}?)\s*(?:\s[–—-]+\s|[;:]|\s?[–—]\s?)\s*(\S.*)$/.exec(first.text);
  if (cut !== null && nameLikeness(cut[1] ?? "") > 0)
    return made(cut[1] ?? "", [cut[2] ?? "", ...rest], true);
  const byWord = beforeTitle(first.text);
  if (byWord !== undefined) return made(byWord.name, [byWord.title, ...rest], true);
  // `Ann Example, Keeper of the Seals`: a title without any word that is known to be one.
  const comma = /^([^,]{4,45}),\s*(\p{L}.{3,})$/u.exec(first.text);
  if (
    comma !== null &&
    nameLikeness(comma[1] ?? "") === 2 &&
    !isSuffix(comma[2] ?? "") &&
    /\s/.test(comma[2] ?? "")
  ) {
    return made(comma[1] ?? "", [comma[2] ?? "", ...rest], false);
  }
  // Two lines that only together are a name: `Jonathan` / `Smith`.
  if (
    rest.length > 0 &&
    /^\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}\.?)?$/u.test(cleanName(first.text)) &&
    !hasTitleWord(first.text)
  ) {
    const both = `${first.text} ${rest[0] ?? ""}`;
    if (nameLikeness(both) > 0)
      return made(both, rest.slice(1), nameLikeness(both) === 2 && hasTitleWord(rest[1] ?? ""));
    const split = beforeTitle(both);
    if (split !== undefined && split.name.length > first.text.length)
      return made(split.name, [split.title, ...rest.slice(1)], false);
  }
  return undefined;
}

/** `Gaspar R.` over `Gonzalez`: a line that ends with an initial goes on with the family name. */
function nameOverLines(
  first: string,
  second: string | undefined,
): { name: string; title: string } | undefined {
  if (second === undefined || !/^\p{Lu}[\p{L}'’-]+\s\p{Lu}\.$/u.test(cleanName(first))) return undefined;
  const [line = "", ...behind] = second.split(/,\s*/);
  const family = cleanName(line);
  if (!/^\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?$/u.test(family) || hasTitleWord(family)) return undefined;
  const name = `${first} ${line}`;
  return nameLikeness(name) === 2 ? { name, title: behind.join(", ") } : undefined;
}

/** `Robert B. Ford, Chairman and CEO` or the same without the comma. */
function beforeTitle(text: string): { name: string; title: string } | undefined {
  const words = text.split(/\s+/);
  for (let count = 2; count <= Math.min(7, words.length - 1); count++) {
    const next = (words[count] ?? "")
      .toLowerCase()
      .replace(/[,;.]+$/g, "")
      .replace(/^[(]/, "");
    const starts = isOfficeWord(words[count] ?? "") && !["and", "&", "of", "the", "to", "for"].includes(next);
    // `Sr.` before a title is no suffix of the name; capitals before `&` are an office nobody listed here.
    const following = (words[count + 1] ?? "").toLowerCase().replace(/[,;.]+$/g, "");
    const senior =
      next === "sr" &&
      !(words[count] ?? "").endsWith(",") &&
      (TITLE_WORDS.has(following) || TITLE_WORDS.has(`${following}.`));
    const initials = /^[A-Z]{2,4}$/.test(words[count] ?? "") && /^(?:&|and)$/.test(following);
    if (senior || initials) {
      const ahead = words.slice(0, count).join(" ");
      return nameLikeness(ahead) > 0 ? { name: ahead, title: words.slice(count).join(" ") } : undefined;
    }
    const slashed = next
      .split("/")
      .some((part) => /^(?:ceo|cfo|coo|president|chairman|director|cto)$/.test(part));
    if (!starts && !slashed && !/^(?:co-|vice-|ex-|c[a-z]o[/,]|pres)/.test(next)) continue;
    const name = words.slice(0, count).join(" ");
    // `Robert A. Bank`: an initial is nobody's family name.
    if (count === 2 && /^\p{Lu}\.$/u.test(words[1] ?? "")) continue;
    // `Ida L. Shaw, Americas President`: what follows a full name and a comma is no first name.
    const [full = "", behind] = name.split(/,\s*/, 2);
    if (
      behind !== undefined &&
      !isSuffix(cleanName(behind)) &&
      /\s\p{Lu}\.\s/u.test(full) &&
      nameLikeness(full) === 2
    )
      return { name: full, title: text.slice(full.length).replace(/^,\s*/, "") };
    if (nameLikeness(name) > 0) return { name, title: words.slice(count).join(" ") };
    return undefined;
  }
  return undefined;
}

/** A title with marks and loose punctuation off; null for an empty one. */
export function cleanTitle(text: string): string | null {
  const bare = cleanName(text)
    .replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/g, "")
    .replace(/^\((.*)\)$/, "$1");
  return bare === "" ? null : bare;
}
