/** Blocks collect the rows of one person while a table is read. */
import { displayName } from "../../../domain/executive.ts";
import { letters } from "../../text.ts";
import { cleanName, hasTitleWord, nameLikeness } from "../../values/values.ts";
import type { TableRow } from "../cells/cells.ts";
import type { YearRow } from "../cells/slots.ts";
import type { Line } from "../grid/grid.ts";
import { nameBelow, tailOfName, type NameAndTitle } from "../names/split-name.ts";

/** A row with amounts but no year, and what is printed instead of the year. */
export type UnreadRow = Pick<TableRow, "table" | "row"> & { readonly label: string };

/** A person while rows are being read. */
export interface Block {
  name: string;
  printedName: string;
  title: string[];
  clear: boolean;
  rows: YearRow[];
  unread: UnreadRow[];
  /** A name or title has control characters. */
  controls: boolean;
  /** One past the last row of the name's cell. */
  until: number;
  table: number;
  /** Number of title lines above the last year. */
  settled: number;
  /** Whether the name is next to the first year or a later one. */
  named: "first" | "below";
}

export interface NameRow extends TableRow {
  /** The lines in the name column, and their text. */
  readonly lines: readonly Line[];
  readonly texts: readonly string[];
  /** The lines in the position column. */
  readonly titles: readonly string[];
  /** The name at the beginning of the lines. */
  readonly split: NameAndTitle | undefined;
  readonly label: "group" | "several people" | "vacant" | undefined;
}

/** Makes the block of the person whose rows begin with this one. */
export function newBlock(row: NameRow, split: NameAndTitle | undefined, title: string[]): Block {
  const cell = row.name.find((one) => letters(one.text) !== "");
  return {
    name: split?.name ?? "",
    printedName: split?.printedName ?? "",
    title,
    clear: split?.clear ?? false,
    rows: [],
    unread: [],
    controls: false,
    until: split === undefined ? 0 : (cell?.rowEnd ?? 0),
    table: row.table,
    settled: 0,
    named: "first",
  };
}

/** Adds lines to a title. */
export function addTitle(block: Block, words: readonly string[]): void {
  block.title.push(...words.filter((word) => !isBlankWord(word)));
}

/** Adds lines to a title, except those that it already has: tables repeat them next to each year. */
export function addTitleOnce(block: Block, words: readonly string[]): void {
  const present = letters(block.title.join(" "));
  addTitle(
    block,
    words.filter((word) => present === "" || !present.includes(letters(word))),
  );
}

/** Whether the cell of the block's name extends to a row. */
export function coversRow({ table, until }: Block, row: NameRow): boolean {
  return table === row.table && row.row < until;
}

/** Whether the year cannot follow the person's previous years. */
export function restarts(rows: readonly YearRow[], row: YearRow, ascending: boolean): boolean {
  const last = rows.at(-1);
  if (last === undefined) return false;
  const { year, partial, restated } = row.year;
  if (year === last.year.year) return !partial && !last.year.partial && restated === last.year.restated;
  return ascending ? year < last.year.year : year > last.year.year;
}

/** Whether a name repeats the block's, or its end if the years continue: `Mr. Van de Velde`. */
export function isSameName(split: NameAndTitle, { name }: Block, resets: boolean): boolean {
  return letters(name) === letters(split.name) || (!resets && name.endsWith(` ${split.name}`));
}

/** Whether text that looks like a name begins another person, or the same person's year with its own title. */
export function isNewPerson(
  current: Block,
  { lines, years }: NameRow,
  split: NameAndTitle,
  resets: boolean,
): boolean {
  const title = current.title.join(" ");
  if (isSameName(split, current, resets)) {
    const [known, now] = [letters(title), letters(split.title)];
    const beside = years.length > 0 && current.rows.length > 0;
    return beside && hasTitleWord(split.title) && known !== "" && known !== now;
  }
  if (current.name === "") return true;
  if (current.rows.length === 0) return current.unread.length > 0;
  if (resets) return true;
  if (isUnfinished(title)) return false;
  return (
    nameLikeness(lines[0]?.text ?? "") === 2 ||
    hasTitleWord(split.title) ||
    (split.clear && nameLikeness(split.name) === 2 && /^(?:former|interim|acting)\b/i.test(split.title))
  );
}

/**
 * Whether an unknown word may be part of a name: `Abernathy` below `Mary Ann`, before any title, or, next to a later year and below
 * a whole title, `Priya` alone or `Suharto, CFO`, which may be another person.
 */
export function mayBeNamed(current: Block, { lines, years }: NameRow): boolean {
  const [first = "", ...behind] = lines.flatMap(({ text }) => text.split(/,\s+/));
  if (nameLikeness(`Ann ${first}`) !== 2) return false;
  const title = current.title.join(" ");
  // `PMI` above `U.S.` is a division.
  const apart = behind.length === 0 ? /\p{Ll}/u.test(first) : hasTitleWord(behind.join(" "));
  const below = years.length > 0 && current.rows.length > 0;
  return letters(title) === "" || (below && apart && hasTitleWord(title) && !isUnfinished(title));
}

/** Adds the rest of a name that began in a row above; false if the row has none. */
export function completesName(
  current: Block,
  { lines, texts, titles, years }: NameRow,
  split: NameAndTitle | undefined,
  covered: boolean,
): boolean {
  const tail = tailOfName(current, lines[0]?.text ?? "");
  if (tail !== undefined) {
    current.printedName = `${current.printedName} ${tail.name}`;
    current.name = displayName(cleanName(current.printedName));
    addTitle(current, [tail.title, ...texts.slice(1)]);
  } else {
    if (current.name !== "" || current.rows.length === 0 || covered) return false;
    const named = nameBelow(current, lines, split);
    if (named === undefined || (years.length === 0 && named === split)) return false;
    current.name = named.name;
    current.printedName = named.printedName;
    current.title = [...(named === split ? current.title : []), named.title];
    if (named === split) current.named = "below";
  }
  addTitleOnce(current, titles);
  return true;
}

/** Whether a title ends with a word or punctuation mark that requires more. */
export function isUnfinished(title: string): boolean {
  return /(?:,|&|\band|\bof|\bfor|\bthe|[-–—/])$/i.test(cleanName(title));
}

/** Whether a line has no content; `2007)` counts as the end of `(starting September 18, 2007)`. */
export function isBlankWord(line: string): boolean {
  return letters(line) === "" && !/^(?:19|20)\d\d\)$/.test(line);
}
