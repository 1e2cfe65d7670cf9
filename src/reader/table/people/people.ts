/** Assigns names and titles to the years of a table. A block collects the rows of one person while they are read. */
import { elementAt } from "../../../lib/checked-access.ts";
import { displayName } from "../../../domain/executive.ts";
import { NAME_PARTS } from "../../lexicon/names.ts";
import { ROW_LABELS } from "../../lexicon/headings.ts";
import { joinLines, letters, tidy } from "../../clean-text.ts";
import { cleanName, cleanTitle, hasTitleWord, isSuffix, nameLikeness } from "../../values/names.ts";
import type { TableRow } from "../cells/cells.ts";
import type { YearRow } from "../cells/slots.ts";
import type { Cell, CellLine } from "../grid/grid.ts";
import { type NameAndTitle, restOfName, splitName } from "../names/split-name.ts";

/** One person of the table with the years printed for that person. */
export interface Person {
  /** Empty if no name could be assigned to the rows. */
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
  readonly clear: boolean;
  /** The name or title has control characters, which are removed. */
  readonly controls: boolean;
  readonly rows: readonly YearRow[];
  /** Rows with amounts that were left out. */
  readonly unread: readonly UnreadRow[];
}

/** Assigns names and titles to years, over all rows of the tables in order. */
export function readPeople(table: readonly TableRow[]): Person[] {
  const rows = table.map(nameRowOf);
  const ascending = yearsAscend(rows);
  const blocks: Block[] = [];
  for (const [at, row] of rows.entries()) {
    const opened =
      openBrokenName(blocks.at(-1), row, rows.slice(at + 1, at + 3), ascending) ??
      openBlock(blocks, row, ascending);
    if (opened !== undefined) blocks.push(opened);
    blocks.at(-1)?.add(row);
  }
  return blocks.filter(({ rows: own }) => own.length > 0).map((block) => block.person());
}

/** Whether years ascend in this table: below a name, or from row to row if every row has one. */
function yearsAscend(rows: readonly NameRow[]): boolean {
  const years: { year: number; below: boolean }[] = [];
  let named = false;
  let startsUnnamed = false;
  let begun = false;
  for (const [at, row] of rows.entries()) {
    const begins = beginsName(rows.slice(at, at + 3)) === "surely";
    // `Van de Velde` below `Bertram` is not another person's name.
    named ||= begins || (!begun && row.split !== undefined);
    begun = begins;
    for (const { year } of row.years) {
      startsUnnamed ||= years.length === 0 && !named && row.lines.length === 0;
      years.push({ year: year.year, below: !named });
      named = false;
    }
  }
  // If the first year has no name, names are next to the last one: the row after an unnamed year belongs to the same person.
  const steps = years.slice(1).map(({ year, below }, at) => {
    const before = elementAt(years, at);
    return { step: year - before.year, below: startsUnnamed ? before.below : below };
  });
  const within = steps.filter(({ below }) => below);
  const counted = within.length > 0 ? within : steps;
  return counted.filter(({ step }) => step === 1).length > counted.filter(({ step }) => step === -1).length;
}

/** A row with the lines of its name and position, the name at their beginning, and what they are if not a name. */
type NameRow = ReturnType<typeof nameRowOf>;

function nameRowOf(row: TableRow) {
  const lines = nameLines(row.name);
  const titles = nameLines(row.position).map((line) => line.text);
  const texts = lines.map((line) => line.text);
  const words = tidy(texts.join(" "));
  const label = (["several people", "vacant", "group"] as const).find((one) => ROW_LABELS.has(words, one));
  return { ...row, lines, texts, titles, split: splitName(lines), label };
}

/**
 * Opens a block for a name broken over rows, whose first names are next to a year that could also belong to the person above. The
 * block gets a name only if that is certain.
 */
function openBrokenName(
  current: Block | undefined,
  row: NameRow,
  next: readonly NameRow[],
  ascending: boolean,
): Block | undefined {
  const [first] = row.years;
  if (current === undefined || first === undefined || row.label !== undefined) return undefined;
  if (current.name === "" || current.rows.length === 0 || current.covers(row)) return undefined;
  if (restarts(current.rows, first, ascending)) return undefined;
  const other = next.findIndex(({ years: [year] }) => restarts(row.years, year, ascending));
  const below = other < 0 ? next : next.slice(0, other);
  // `Priya` above `Hollingberry | 2019`: the line after the last year may be the first names.
  const given = current.title.slice(current.settled).at(-1);
  const above = current.title.slice(0, -1).join(" ");
  if (given !== undefined && hasTitleWord(above) && !isUnfinished(above)) {
    const lines = [{ text: given }];
    const split = splitName([...lines, ...row.lines]);
    if (split !== undefined && beginsName([{ lines, split: splitName(lines) }, row, ...below]) === "surely") {
      current.title.pop();
      return new Block(row, { ...split, clear: false }, [split.title, ...row.titles]);
    }
  }
  const title = current.title.join(" ");
  const begins = letters(title) === "" || isUnfinished(title) ? "no" : beginsName([row, ...below]);
  if (begins === "no") return undefined;
  const isSure = begins === "surely" && hasTitleWord(title);
  return new Block(row, undefined, isSure ? [...row.texts, ...row.titles] : ["unnamed"]);
}

/** Opens a block, or adds the row to the current block and returns undefined. */
function openBlock(blocks: readonly Block[], row: NameRow, ascending: boolean): Block | undefined {
  const current = blocks.at(-1);
  const { texts, titles, label } = row;
  const [first] = row.years;
  // Amounts of several people belong to no one.
  if (first !== undefined && (label === "several people" || label === "vacant"))
    return new Block(row, undefined, [label]);
  const plain = label === undefined ? row.split : undefined;
  const nameless = [...texts, ...titles];
  if (current === undefined) {
    if (plain !== undefined) return new Block(row, plain, [plain.title, ...titles]);
    return first === undefined ? undefined : new Block(row, undefined, nameless);
  }
  const resets = restarts(current.rows, first, ascending);
  const covered = current.covers(row);
  const above = resets && !covered ? nameFromAbove(current, row) : undefined;
  if (above !== undefined) current.title.length -= above.lines;
  const split = above?.split ?? plain;
  // Names are next to the second year of every person or of none.
  const below = blocks[0] === current || blocks[0]?.isNamedBelow === true ? split : undefined;
  if (!resets && label === undefined && completesName(current, row, below, covered)) return undefined;
  if (split !== undefined && !covered && isNewPerson(current, row, split, resets)) {
    const isSame = isSameName(split, current, resets);
    const { name, printedName } = isSame ? current : split;
    // A name without a title, or below one, at the year that the person above lacks may be the rest of that person's title.
    const expected = (current.rows.at(-1)?.year.year ?? Infinity) + (ascending ? 1 : -1);
    const mayContinue = !isSame && !resets && first?.year.year === expected;
    const isTitled = (title: readonly string[]) => letters(title.join(" ")) !== "";
    const oneTitled = isTitled(current.title) !== isTitled([split.title, ...titles]);
    const clear = split.clear && !(mayContinue && oneTitled);
    if (!clear && split.clear) current.clear = false;
    return new Block(row, { ...split, name, printedName, clear }, [split.title, ...titles]);
  }
  // The years restart without a name: it may be on a lower row.
  if (resets && !covered) return new Block(row, undefined, nameless);
  if (split !== undefined && isSameName(split, current, resets)) current.addTitleOnce([split.title]);
  else if (label === undefined) {
    if (mayBeNamed(current, row)) current.clear = false;
    current.addTitle(texts);
  }
  current.addTitleOnce(titles);
  return undefined;
}

/** Dots that lead from a name to its amounts. */
const LEADERS = /(?:\s?\.){3,}/g;
/** `(f/k/a Karen Brody)`, `(formerly Brody)`: a name, not an office. */
const FORMER_NAME =
  /\s*[([,]?\s*(?:\bf\.?\/?k\.?\/?a\b\.?|\bformerly known as\b|\bn[ée]e\b|\ba\/?k\/?a\b|(?<=[([]\s*)(?:formerly|previously)(?= ))\s+([\p{L}.’'-]+(?:\s+\p{Lu}[\p{L}.’'-]*){0,3})\s*[)\]]?/giu;

function withoutFormerName(text: string): string {
  return text.replace(FORMER_NAME, (whole, name: string) => (hasTitleWord(name) ? whole : " "));
}

function nameLines(cells: readonly Cell[]): CellLine[] {
  const lines = cells.flatMap((cell) => cell.lines);
  const tidied = lines.map((line) => ({
    ...line,
    text: tidy(withoutFormerName(line.text.replace(LEADERS, " "))),
  }));
  return tidied.filter((line) => !isBlankWord(line.text));
}

/** A row with amounts but no year, and what is printed instead of the year. */
type UnreadRow = Pick<TableRow, "table" | "row"> & { readonly label: string };

/** A person while rows are being read. */
class Block {
  name: string;
  printedName: string;
  clear: boolean;
  readonly rows: YearRow[] = [];
  readonly unread: UnreadRow[] = [];
  private controls = false;
  /** Number of title lines above the last year. */
  settled = 0;
  /** Whether the name is next to a later year than the first. */
  isNamedBelow = false;
  /** One past the last row of the name's cell. */
  private readonly until: number;

  /** The block of the person whose rows begin with this one. */
  constructor(
    private readonly first: NameRow,
    split: NameAndTitle | undefined,
    public title: string[],
  ) {
    this.name = split?.name ?? "";
    this.printedName = split?.printedName ?? "";
    this.clear = split?.clear ?? false;
    this.until = first.name.find(({ text }) => letters(text) !== "")?.rowEnd ?? 0;
  }

  add({ name, position, years, table, row, unread }: NameRow): void {
    this.controls ||= [...name, ...position].some(({ controls }) => controls);
    this.rows.push(...years);
    if (years.length > 0) this.settled = this.title.length;
    if (unread !== undefined) this.unread.push({ table, row, label: unread });
  }

  addTitle(words: readonly string[]): void {
    this.title.push(...words.filter((word) => !isBlankWord(word)));
  }

  /** Adds lines to the title, except those that it already has: tables repeat them next to each year. */
  addTitleOnce(words: readonly string[]): void {
    const present = letters(this.title.join(" "));
    this.addTitle(words.filter((word) => present === "" || !present.includes(letters(word))));
  }

  /** Whether the cell of the name extends to a row. */
  covers({ table, row }: NameRow): boolean {
    return this.first.table === table && row < this.until;
  }

  person(): Person {
    const { name, printedName, controls, rows, unread } = this;
    // `Yusuf B.`: the family name was not found.
    const clear = this.clear && !/\s\p{Lu}\.$/u.test(name);
    return { name, printedName, title: cleanTitle(joinLines(this.title)), clear, controls, rows, unread };
  }
}

/** Whether the year cannot follow the person's previous years. */
function restarts(rows: readonly YearRow[], row: YearRow | undefined, ascending: boolean): boolean {
  const last = rows.at(-1);
  if (last === undefined || row === undefined) return false;
  const { year, partial, restated, previous } = row.year;
  const isAlike = restated === last.year.restated && previous === last.year.previous;
  if (year === last.year.year) return !partial && !last.year.partial && isAlike;
  return ascending ? year < last.year.year : year > last.year.year;
}

/** Whether a name repeats the block's, or its end if the years continue: `Mr. Van de Velde`. */
function isSameName(split: NameAndTitle, { name }: Block, resets: boolean): boolean {
  return letters(name) === letters(split.name) || (!resets && name.endsWith(` ${split.name}`));
}

/** Whether text that looks like a name begins another person, or the same person's year with its own title. */
function isNewPerson(current: Block, row: NameRow, split: NameAndTitle, resets: boolean): boolean {
  const { lines, years } = row;
  const title = current.title.join(" ");
  if (isSameName(split, current, resets)) {
    const isBeside = years.length > 0 && current.rows.length > 0;
    const isOther = letters(title) !== "" && letters(title) !== letters(split.title);
    return isBeside && isOther && hasTitleWord(split.title);
  }
  if (current.name !== "" && current.rows.length === 0) return current.unread.length > 0;
  if (current.name === "" || resets) return true;
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
function mayBeNamed(current: Block, { lines, years }: NameRow): boolean {
  const [first = "", ...behind] = lines.flatMap(({ text }) => text.split(/,\s+/));
  if (nameLikeness(`Ann ${first}`) !== 2) return false;
  const title = current.title.join(" ");
  // `PMI` above `U.S.` is a division.
  const apart = behind.length === 0 ? /\p{Ll}/u.test(first) : hasTitleWord(behind.join(" "));
  const below = years.length > 0 && current.rows.length > 0;
  return letters(title) === "" || (below && apart && hasTitleWord(title) && !isUnfinished(title));
}

/** Adds the rest of a name that began in a row above; false if the row has none. */
function completesName(
  current: Block,
  { lines, texts, titles, years }: NameRow,
  split: NameAndTitle | undefined,
  covered: boolean,
): boolean {
  const isWhole = current.name === "" || letters(current.title.join("")) !== "";
  const tail = isWhole ? undefined : restOfName(current.printedName, lines[0]?.text ?? "");
  if (tail !== undefined) {
    current.printedName = `${current.printedName} ${tail.name}`;
    current.name = displayName(cleanName(current.printedName));
    current.addTitle([tail.title, ...texts.slice(1)]);
  } else {
    if (current.name !== "" || current.rows.length === 0 || covered) return false;
    const named = nameBelow(current, lines, split);
    if (named === undefined || (years.length === 0 && named === split)) return false;
    current.name = named.name;
    current.printedName = named.printedName;
    current.title = [...(named === split ? current.title : []), named.title];
    if (named === split) current.isNamedBelow = true;
  }
  current.addTitleOnce(titles);
  return true;
}

/** Whether a title ends with a word or punctuation mark that requires more. */
function isUnfinished(title: string): boolean {
  return /(?:,|&|\band|\bof|\bfor|\bthe|[-–—/])$/i.test(cleanName(title));
}

/** Whether a line has no content; `2007)` counts as the end of `(starting September 18, 2007)`. */
function isBlankWord(line: string): boolean {
  return letters(line) === "" && !/^(?:19|20)\d\d\)$/.test(line);
}

/** A name printed next to a later year, below a title or below first names (`Jonathan` above `Smith`). */
function nameBelow({ title }: Block, lines: readonly CellLine[], split: NameAndTitle | undefined) {
  const above = title.join(" ");
  if (letters(above) === "" || hasTitleWord(above)) return split;
  return lines.length === 0 ? undefined : splitName([{ text: above }, ...lines]);
}

/**
 * Whether the first row has only first names and the next one the family name: `Priya` above `Hollingberry`. Certain only if an
 * office follows: two capitalized words may also be the middle of a title.
 */
export function beginsName([given, family, office]: readonly Pick<NameRow, "lines" | "split">[]):
  "surely" | "perhaps" | "no" {
  const last = family?.lines[0];
  if (given?.lines.length !== 1 || last === undefined || given.split !== undefined) return "no";
  const split = splitName([...given.lines, ...(family?.lines ?? []), ...(office?.lines ?? [])]);
  if (split === undefined || nameLikeness(split.name) !== 2) return "no";
  // `PMI` above `U.S.` is a division.
  const end = split.name.split(" ").findLast((word) => !isSuffix(word)) ?? "";
  if (!/^\p{L}[\p{L}'’-]+$/u.test(end)) return "no";
  // `Bo Sample` is another person's full name; `Van de Velde` is only a family name.
  if (family?.split !== undefined && !NAME_PARTS.has(last.text.split(" ")[0] ?? "", "particle")) return "no";
  return hasTitleWord(split.title) && !/^(?:and|&|of)\b/i.test(split.title) ? "surely" : "perhaps";
}

/** `Cindy` above `Patterson, CFO | 2008`: a name whose first line was read as the end of the title above it. */
export function nameFromAbove(
  { title, settled }: Pick<Block, "title" | "settled">,
  { lines, split: own }: Pick<NameRow, "lines" | "split">,
) {
  if (lines.length === 0 || own !== undefined) return undefined;
  for (let count = 1; count <= title.length - settled; count++) {
    const joined = [...title.slice(-count), ...lines.map((line) => line.text)].join(" ");
    const split = splitName([{ text: joined }]);
    if (split !== undefined && nameLikeness(split.name) === 2 && split.clear) return { split, lines: count };
  }
  return undefined;
}
