import { displayName, withoutRank } from "../../../domain/executive.ts";
import { GLUED_TITLE } from "../../lexicon/names.ts";
import { joinLines, tidy } from "../../clean-text.ts";
import {
  cleanName,
  hasTitleWord,
  isOfficeWord,
  isSuffix,
  isTitleWord,
  nameLikeness,
} from "../../values/names.ts";
import type { CellLine } from "../grid/grid.ts";

export interface NameAndTitle {
  readonly name: string;
  readonly printedName: string;
  readonly title: string;
  /** False if no line break, comma, bold type or title word marks where the name ends. */
  readonly clear: boolean;
}

/** The name as printed, and the lines of the title. */
interface Cut {
  readonly name: string;
  readonly title: readonly string[];
  /** Whether it is clear where the name ends, as it is by default. */
  readonly clear?: boolean;
}

/** Recognizes one way of printing a name and title; `rest` are the lines after the first. */
type Way = (first: CellLine, rest: readonly string[]) => Cut | undefined;

/** The ways in which filers print them. The first match wins. */
const WAYS: readonly Way[] = [
  officeOverName,
  // `Bill Acton (CEO)`, `Bill Acton/CEO`
  nameBefore(/^([^(/]{3,50}?)\s*\(([^()]{2,80})\)$/, 2, hasTitleWord),
  nameBefore(/^([^(/]{3,50}?)\s*\/\s*(.{2,80})$/, 2, hasTitleWord),
  // `Jane Carr, Sec.`: a short abbreviation after a full name is an office, not a first name.
  nameBefore(
    /^([^,]{4,45}),\s*(?!(?:Wm|Chas|Geo|Jos|Thos|Robt|Jas|Mr|Ms|Mrs|Dr)\.)(\p{Lu}\p{L}{1,5}\.(?:\s.*)?)$/u,
    2,
    (office) => !isSuffix(office.split(" ")[0] ?? ""),
  ),
  nameOverItsRest,
  nameAlone,
  nameInBold,
  // `Ann Example (1) President`
  nameBefore(/^(.{3,50}?)\s*(?:\(\d{1,2}\)|\[\d{1,2}\])+\s*[,;:–—-]?\s*(\S.*)$/),
  // `Ann Example - President`, `Ann Example; President`
  nameBefore(/^(.{3,60}?)\s*(?:\s[–—-]+\s|[;:]|\s?[–—]\s?)\s*(\S.*)$/),
  nameBeforeOffice,
  // `Ann Example, Keeper of the Seals`: a title without any known title word.
  nameBefore(/^([^,]{4,45}),\s*(?=\S+\s)(\p{L}.{3,})$/u, 2, (title) => !isSuffix(title), false),
  nameOverTwoLines,
];

/** `Ridgeline Advisors, Inc.` */
const COMPANY = /,?\s(?:Inc|LLC|L\.?L?\.?P|Ltd|Corp|PLC)\.?$/i;

/** Splits a cell into name and title; undefined if it does not start with a name. */
export function splitName(lines: readonly CellLine[]): NameAndTitle | undefined {
  const [printed, next] = lines;
  if (printed === undefined) return undefined;
  if (/\p{Ll}-$/u.test(printed.text) && /^\p{Ll}{2}/u.test(next?.text ?? ""))
    return splitName([{ text: joinLines([printed.text, next?.text ?? ""]) }, ...lines.slice(2)]);
  // `V. P.` is not a pair of initials, and `ExampleChief` is not a family name.
  const text = withoutRank(printed.text)
    .replace(/\bV\.\s+P\./g, "V.P.")
    .replace(GLUED_TITLE, " ");
  if (COMPANY.test(cleanName(text)) && !hasTitleWord(text)) return undefined;
  const first = { ...printed, text };
  const rest = lines.slice(1).map((line) => line.text);
  for (const way of WAYS) {
    const cut = way(first, rest);
    if (cut === undefined) continue;
    const name = displayName(cleanName(cut.name).replace(/[\s,;:–—-]+$/, ""));
    return name === ""
      ? undefined
      : { name, printedName: tidy(cut.name), title: joinLines(cut.title), clear: cut.clear ?? true };
  }
  return undefined;
}

/** `Chief Executive Officer:` above the name */
function officeOverName(first: CellLine, rest: readonly string[]): Cut | undefined {
  const name = rest.at(-1);
  if (name === undefined || !first.text.endsWith(":")) return undefined;
  if (!hasTitleWord(first.text) || nameLikeness(name) !== 2) return undefined;
  return { name, title: [first.text.replace(/\s*:$/, ""), ...rest.slice(0, -1)] };
}

/** `Gaspar R.` above `Gonzalez`, or a name above its suffix. */
function nameOverItsRest(first: CellLine, [second = "", ...behind]: readonly string[]): Cut | undefined {
  const rest = restOfName(first.text, second);
  const name = `${first.text} ${rest?.name}`;
  return rest !== undefined && nameLikeness(name) === 2
    ? { name, title: [rest.title, ...behind] }
    : undefined;
}

/** `Cruz`, `de la Cruz`, `Van de Velde` */
const FAMILY_NAME = /^(?:\p{L}{1,3}\s){0,2}\p{L}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?$/u;

/** The rest of a name broken off in the line above: a suffix, a degree, or the family name after an initial or `de la`. */
export function restOfName(printedName: string, line: string) {
  const bare = cleanName(line);
  if (/^V\.\s?P\./.test(bare)) return undefined;
  // `M.D., Ph.D. – Chief Medical Officer`
  const degrees = splitAfter(bare.split(/\s+/), (word) => isSuffix(word.replace(/[,;:–—-]+$/, "")), " ");
  const ends = degrees.title === "" || /,\s*$/.test(printedName);
  if (degrees.name !== "" && (ends || /^(?:jr|sr|ii|iii|iv)\b\.?\s*[,;:–—-]/i.test(bare)))
    return {
      name: degrees.name.replace(/[,;:–—-]+$/, ""),
      title: degrees.title.replace(/^[,;:–—-]+\s*/, ""),
    };
  const broken =
    /(?:\s\p{Lu}\.|-|\s(?:de|del|della|der|den|di|da|la|van|von|ter|ten|le|du|dos))$/iu.test(
      cleanName(printedName),
    ) || /^(?:(?:Van|Von|De) )?(?:(?:de|del|della|der|den|di|da|du|la|los|van|von) )+\p{Lu}/u.test(bare);
  const [first = "", ...rest] = bare.split(/\s*[,;–—]\s*|\s+-\s+/);
  if (!broken || hasTitleWord(first) || !FAMILY_NAME.test(first)) return undefined;
  return splitAfter([first, ...rest], (part) => part === first || isSuffix(part), ", ");
}

/** Joins the parts that begin a line and belong to a name, and the others. */
function splitAfter(parts: readonly string[], isName: (part: string) => boolean, separator: string) {
  const other = parts.findIndex((part) => !isName(part));
  const count = other < 0 ? parts.length : other;
  return { name: parts.slice(0, count).join(separator), title: parts.slice(count).join(separator) };
}

function nameAlone(first: CellLine, rest: readonly string[]): Cut | undefined {
  if (nameLikeness(first.text) === 0) return undefined;
  const [second] = rest;
  // `James Yiu` above `Yeung Lung`: the rest of the name, or another person's.
  const another = second !== undefined && nameLikeness(second) === 2 && !hasTitleWord(second);
  const certain = nameLikeness(first.text) === 2 || hasTitleWord(rest.join(" "));
  return { name: first.text, title: rest, clear: !another && certain };
}

function nameInBold({ text, bold: name = "" }: CellLine, rest: readonly string[]): Cut | undefined {
  return nameLikeness(name) > 0 ? { name, title: [text.slice(name.length), ...rest] } : undefined;
}

/**
 * A name and a title with a sign between them, both groups of the pattern.
 * @param least how much the name must look like one
 */
function nameBefore(
  pattern: RegExp,
  least: 1 | 2 = 1,
  isTitle: (title: string) => boolean = () => true,
  clear = true,
): Way {
  return ({ text }, rest) => {
    const [, name = "", title = ""] = pattern.exec(text) ?? [];
    return nameLikeness(name) >= least && isTitle(title)
      ? { name, title: [title, ...rest], clear }
      : undefined;
  };
}

/** Two lines that form a name only together: `Jonathan` / `Smith`. */
function nameOverTwoLines(first: CellLine, rest: readonly string[]): Cut | undefined {
  const [second, ...behind] = rest;
  const given = /^\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}\.?)?$/u.test(cleanName(first.text));
  if (second === undefined || !given || hasTitleWord(first.text)) return undefined;
  const both = `${first.text} ${second}`;
  if (nameLikeness(both) > 0)
    return { name: both, title: behind, clear: nameLikeness(both) === 2 && hasTitleWord(behind[0] ?? "") };
  const cut = nameBeforeOffice({ text: both }, behind);
  return cut !== undefined && cut.name.length > first.text.length ? { ...cut, clear: false } : undefined;
}

/** `Robert B. Ford, Chairman and CEO` or the same without the comma. */
function nameBeforeOffice({ text }: CellLine, rest: readonly string[]): Cut | undefined {
  const words = text.split(/\s+/);
  for (let count = 2; count <= Math.min(7, words.length - 1); count++) {
    const [word = "", next = ""] = words.slice(count);
    const isSenior = beginsSenior(word, next);
    if (!isSenior && !beginsOffice(word)) continue;
    // `Robert A. Bank`: an initial is not a family name.
    if (!isSenior && count === 2 && /^\p{Lu}\.$/u.test(words[1] ?? "")) continue;
    const before = words.slice(0, count).join(" ");
    // `Ida L. Shaw, Americas President`: what follows a full name and a comma is not a first name.
    const [full = "", behind] = before.split(/,\s*/, 2);
    const isWhole = !isSenior && /\s\p{Lu}\.\s/u.test(full) && nameLikeness(full) === 2;
    const name = isWhole && behind !== undefined && !isSuffix(cleanName(behind)) ? full : before;
    const title = text.slice(name.length).replace(/^,?\s*/, "");
    return nameLikeness(name) > 0 ? { name, title: [title, ...rest] } : undefined;
  }
  return undefined;
}

/** `Sr.` before a title is not a suffix of the name; capitals before `&` are an unlisted office. */
function beginsSenior(word: string, next: string): boolean {
  const behind = next.replace(/[,;.]+$/, "");
  if (/^\(?sr[;.]*$/i.test(word)) return isTitleWord(behind);
  return /^[A-Z]{2,4}$/.test(word) && /^(?:&|and)$/i.test(behind);
}

/** Whether a title begins at a word. */
function beginsOffice(word: string): boolean {
  const bare = word.toLowerCase().replace(/[,;.]+$|^[(]/g, "");
  if (isOfficeWord(word)) return !/^(?:and|&|of|the|to|for)$/.test(bare);
  return /(?:^|\/)(?:ceo|cfo|coo|president|chairman|director|cto)(?:\/|$)|^(?:co-|vice-|ex-|c[a-z]o[/,]|pres)/.test(
    bare,
  );
}
