import { displayName } from "../../domain/executive.ts";
import { cleanTitle, hasTitleWord, isSuffix, nameLikeness, cleanName } from "./names.ts";
import { splitName, type NameAndTitle } from "./split-name.ts";
import type { Cell } from "./grid.ts";
import type { NameText, SectionRows, YearRow } from "./cells.ts";
import { joinLines, letters, tidy } from "../document/text.ts";

/** One person of the table with the years that stand beside the name. */
export interface Person {
  /** Empty when no name could be tied to the rows. */
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
  readonly clear: boolean;
  readonly rows: readonly YearRow[];
}

interface Block {
  name: string;
  printedName: string;
  title: string[];
  clear: boolean;
  rows: YearRow[];
  /** One past the last row of the name's cell. */
  until: number;
  table: number;
  spans: boolean;
  /** Lines of the title that stood above the last year; what came after it may belong to the next name. */
  settled: number;
  /** A row of the person has amounts that could not be read: the person is complete without it. */
  unread: boolean;
}

/** Labels of groups of people, which are nobody's name or title. */
const LABEL =
  /^(?:(?:(?:current|former|other|named|our|continuing|new)\s*)+(?:executive\s*)?(?:officers?|neos?|executives?|employees?)|(?:executive\s*)?(?:officers|neos|executives|employees))\s*(?:as of.*|at.*year.end.*)?:?$|:$/i;

/** Ties the names and titles to the years, over all sections of a table in order. */
export function readPeople(sections: readonly SectionRows[]): Person[] {
  const years = sections.flatMap((section) => section.years);
  const ascending = climbs(years);
  const blocks: Block[] = [];
  for (const section of sections) {
    const byRow = new Map<number, YearRow[]>();
    for (const row of section.years) byRow.set(row.row, [...(byRow.get(row.row) ?? []), row]);
    for (const names of section.names)
      place(blocks, names, byRow.get(names.row) ?? [], ascending, section.table);
  }
  return blocks.filter((block) => block.rows.length > 0).map(finish);
}

function finish(block: Block): Person {
  return {
    name: block.name,
    printedName: block.printedName,
    title: cleanTitle(joinLines(block.title)),
    clear: block.clear,
    rows: block.rows,
  };
}

/** Whether years run upwards in this table. */
function climbs(years: readonly YearRow[]): boolean {
  let up = 0;
  let down = 0;
  years.forEach((row, index) => {
    const before = years[index - 1];
    if (before === undefined) return;
    const step = row.year.year - before.year.year;
    if (step === 1) up++;
    if (step === -1) down++;
  });
  return up > down;
}

function place(
  blocks: Block[],
  names: NameText,
  rows: readonly YearRow[],
  ascending: boolean,
  table: number,
): void {
  const current = blocks.at(-1);
  const first = rows[0];
  const lines = names.note ? [] : linesOf(names.name);
  const titles = names.note ? [] : linesOf(names.position).map((line) => line.text);
  const resets = first !== undefined && current !== undefined && restarts(current, first, ascending);
  const covered =
    current !== undefined && current.table === table && current.spans && names.row < current.until;
  const above = resets && !covered ? nameFromAbove(current, lines) : undefined;
  if (above !== undefined && current !== undefined) current.title.length -= above.lines;
  const split =
    above?.split ??
    (lines.length === 0 || LABEL.test(tidy(lines.map((line) => line.text).join(" ")))
      ? undefined
      : splitName(lines));
  const nameless = current !== undefined && current.name === "" && current.rows.length > 0 && !covered;
  if (split !== undefined && retitled(split, current, first, covered)) {
    blocks.push(open(split, titles, names, table));
  } else if (split !== undefined && nameless && first !== undefined && !resets) {
    // The name of a block that began above it.
    current.name = split.name;
    current.printedName = split.printedName;
    current.title.push(split.title);
    addTitle(current, titles, true);
  } else if (split !== undefined && starts(split, current, lines, resets, covered)) {
    blocks.push(open(split, titles, names, table));
  } else if (
    first !== undefined &&
    (current === undefined || (resets && !covered && current.rows.length > 0))
  ) {
    // A year starts again, but nobody's name stands beside it: it may follow on a lower row.
    blocks.push(openNameless([...lines.map((line) => line.text), ...titles], table));
  } else if (current !== undefined) {
    const same = split !== undefined && letters(split.name) === letters(current.name);
    if (same) addTitle(current, [split.title], true);
    else if (!LABEL.test(lines.map((line) => line.text).join(" "))) {
      const rest = lines.map((line) => line.text);
      const tail = rest[0] === undefined ? undefined : tailOfName(current, rest[0]);
      if (tail !== undefined) {
        current.printedName = `${current.printedName} ${tail.name}`;
        current.name = displayName(cleanName(current.printedName));
        rest[0] = tail.title;
      }
      addTitle(current, rest, false);
    }
    addTitle(current, titles, true);
  }
  const block = blocks.at(-1);
  if (block === undefined) return;
  block.rows.push(...rows);
  if (rows.length > 0) block.settled = block.title.length;
  block.unread ||= names.unread;
}

function openNameless(title: string[], table: number): Block {
  return {
    name: "",
    printedName: "",
    title,
    clear: false,
    rows: [],
    until: 0,
    table,
    spans: false,
    settled: 0,
    unread: false,
  };
}

/** `Cindy` over `Patterson, CFO | 2008`: the first line of a name was taken for the end of the title above it. */
function nameFromAbove(
  current: Block,
  lines: readonly { text: string }[],
): { split: NameAndTitle; lines: number } | undefined {
  if (lines.length === 0 || splitName(lines) !== undefined) return undefined;
  for (let count = 1; count <= current.title.length - current.settled; count++) {
    const joined = [...current.title.slice(-count), ...lines.map((line) => line.text)].join(" ");
    const split = splitName([{ text: joined }]);
    if (split !== undefined && nameLikeness(split.name) === 2 && split.clear) return { split, lines: count };
  }
  return undefined;
}

/** Whether a name is printed again beside a year with another title: each year then has its own. */
function retitled(
  split: NameAndTitle,
  current: Block | undefined,
  first: YearRow | undefined,
  covered: boolean,
): boolean {
  if (current === undefined || covered || first === undefined || current.rows.length === 0) return false;
  const [known, now] = [letters(current.title.join(" ")), letters(split.title)];
  return (
    letters(split.name) === letters(current.name) &&
    hasTitleWord(split.title) &&
    known !== "" &&
    known !== now
  );
}

/** Adds lines to a title; what is printed again beside each year counts once. */
function addTitle(block: Block, words: readonly string[], again: boolean): void {
  const known = letters(block.title.join(" "));
  for (const word of words) {
    if (isBlankWord(word) || (again && known !== "" && known.includes(letters(word)))) continue;
    if (again && known !== "" && words.length === 1 && letters(word).includes(known)) continue;
    block.title.push(word);
  }
}

/** The rest of a name that the line above broke off: a suffix, a degree, or the family name behind an initial or `de la`. */
function tailOfName(block: Block, line: string): { name: string; title: string } | undefined {
  if (block.name === "" || letters(block.title.join("")) !== "") return undefined;
  const bare = cleanName(line);
  if (/^V\.\s?P\./.test(bare)) return undefined;
  if (isSuffix(bare)) return { name: bare, title: "" };
  const suffix = /^((?:jr|sr|ii|iii|iv)\b\.?)\s*[,;:–—-]\s*(.+)$/i.exec(bare);
  if (suffix !== null) return { name: suffix[1] ?? "", title: suffix[2] ?? "" };
  const degrees = /,\s*$/.test(block.printedName) ? leadingDegrees(bare) : undefined;
  if (degrees !== undefined) return degrees;
  if (
    !/(?:\s\p{Lu}\.|-|\s(?:de|del|della|der|den|di|da|la|van|von|ter|ten|le|du|dos))$/iu.test(
      cleanName(block.printedName),
    )
  )
    return undefined;
  const [first = "", ...rest] = bare.split(/\s*[,;–—]\s*|\s+-\s+/);
  if (hasTitleWord(first) || !/^\p{L}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?$/u.test(first)) return undefined;
  const degreesAt = rest.findIndex((part) => !isSuffix(part));
  const split = degreesAt < 0 ? rest.length : degreesAt;
  return { name: [first, ...rest.slice(0, split)].join(", "), title: rest.slice(split).join(", ") };
}

/** `M.D., Ph.D. – Chief Medical Officer`: degrees that the line above had no room for, and the title behind them. */
function leadingDegrees(line: string): { name: string; title: string } | undefined {
  const words = line.split(/\s+/);
  const count = words.findIndex((word) => !isSuffix(word.replace(/[,;:–—-]+$/, "")));
  if (count < 1) return undefined;
  const title = words
    .slice(count)
    .join(" ")
    .replace(/^[,;:–—-]+\s*/, "");
  return {
    name: words
      .slice(0, count)
      .join(" ")
      .replace(/[,;:–—-]+$/, ""),
    title,
  };
}

function open(split: NameAndTitle, titles: readonly string[], names: NameText, table: number): Block {
  const cell = names.name.find((one) => letters(one.text) !== "");
  return {
    name: split.name,
    printedName: split.printedName,
    title: [split.title, ...titles],
    clear: split.clear,
    rows: [],
    until: cell?.rowEnd ?? names.row + 1,
    table,
    spans: cell !== undefined && cell.rowEnd - cell.row > 1,
    settled: 0,
    unread: false,
  };
}

/** Whether the year cannot follow the years that the person has already. */
function restarts(current: Block, row: YearRow, ascending: boolean): boolean {
  const last = current.rows.at(-1);
  if (last === undefined) return false;
  if (row.year.year === last.year.year) return !row.year.partial && !last.year.partial;
  return ascending ? row.year.year < last.year.year : row.year.year > last.year.year;
}

/** Whether a text that reads like a name starts somebody new. */
function starts(
  split: NameAndTitle,
  current: Block | undefined,
  lines: readonly { text: string }[],
  resets: boolean,
  covered: boolean,
): boolean {
  if (current === undefined) return true;
  if (covered) return false;
  if (letters(split.name) === letters(current.name)) return false;
  const likely =
    nameLikeness(lines[0]?.text ?? "") === 2 ||
    hasTitleWord(split.title) ||
    (split.clear && nameLikeness(split.name) === 2 && /^(?:former|interim|acting)\b/i.test(split.title));
  if (current.name === "") return true;
  if (current.rows.length === 0) return current.unread;
  if (resets) return true;
  if (/(?:,|&|\band|\bof|\bfor|\bthe|[-–—/])$/i.test(cleanName(current.title.join(" ")))) return false;
  return likely;
}

function linesOf(
  cells: readonly Cell[],
): { text: string; parts: readonly { text: string; bold: boolean }[] }[] {
  return cells
    .flatMap((cell) => cell.lines.map((line) => ({ text: line.text, parts: line.parts })))
    .filter((line) => !isBlankWord(line.text));
}

/** Whether a line says nothing; `2007)` does: it is the end of `(starting September 18, 2007)`. */
function isBlankWord(line: string): boolean {
  return letters(line) === "" && !/^(?:19|20)\d\d\)$/.test(line);
}
