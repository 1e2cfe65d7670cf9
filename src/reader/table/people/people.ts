/** Assigns names and titles to the years of a table. */
import { displayName } from "../../../domain/executive.ts";
import { ROW_LABELS } from "../../lexicon/headings.ts";
import { COST, MAX_PEOPLE, type Work } from "../../parsed.ts";
import { joinLines, letters, stripTags, tidy } from "../../text.ts";
import { cleanName, cleanTitle, hasTitleWord, nameLikeness } from "../../values/values.ts";
import type { TableRow } from "../cells/cells.ts";
import type { YearRow } from "../cells/slots.ts";
import type { Cell, Line, Located } from "../grid/grid.ts";
import { beginsName, nameFromAbove, splitName } from "../names/split-name.ts";
import {
  addTitle,
  addTitleOnce,
  type Block,
  completesName,
  coversRow,
  isBlankWord,
  isNewPerson,
  isSameName,
  isUnfinished,
  mayBeNamed,
  type NameRow,
  newBlock,
  restarts,
  type UnreadRow,
} from "./blocks.ts";

/** One person of the table with the years printed for that person. */
export interface Person {
  /** Empty if no name could be assigned to the rows. */
  readonly name: string;
  readonly printedName: string;
  readonly title: string | null;
  readonly clear: boolean;
  /** The name or title has control characters, which are left out. */
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
    const block = blocks.at(-1);
    if (block === undefined) continue;
    block.controls ||= [...row.name, ...row.position].some(({ controls }) => controls);
    block.rows.push(...row.years);
    if (row.years.length > 0) block.settled = block.title.length;
    if (row.unread !== undefined) block.unread.push({ table: row.table, row: row.row, label: row.unread });
  }
  return blocks
    .filter((block) => block.rows.length > 0)
    .map(({ name, printedName, title, clear, controls, rows, unread }) => ({
      controls,
      name,
      printedName,
      title: cleanTitle(joinLines(title)),
      // `Yusuf B.`: the family name was not found.
      clear: clear && !/\s\p{Lu}\.$/u.test(name),
      rows,
      unread,
    }));
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
  const steps = years.slice(1).map(({ year, below }, at) => ({
    step: year - (years[at]?.year ?? 0),
    below: startsUnnamed ? years[at]?.below === true : below,
  }));
  const within = steps.filter(({ below }) => below);
  const counted = within.length > 0 ? within : steps;
  return counted.filter(({ step }) => step === 1).length > counted.filter(({ step }) => step === -1).length;
}

function nameRowOf(row: TableRow): NameRow {
  const lines = linesOf(row.name);
  const titles = linesOf(row.position).map((line) => line.text);
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
  if (current === undefined || current.name === "" || current.rows.length === 0) return undefined;
  if (first === undefined || restarts(current.rows, first, ascending) || row.label !== undefined)
    return undefined;
  if (coversRow(current, row)) return undefined;
  const end = next.findIndex(
    ({ years: [year] }) => year !== undefined && restarts(row.years, year, ascending),
  );
  const below = end < 0 ? next : next.slice(0, end);
  // `Priya` above `Hollingberry | 2019`: the line after the last year may be the first names.
  const given = current.title.slice(current.settled).at(-1);
  const above = current.title.slice(0, -1).join(" ");
  if (given !== undefined && hasTitleWord(above) && !isUnfinished(above)) {
    const lines = [{ text: given }];
    const split = splitName([...lines, ...row.lines]);
    if (split !== undefined && beginsName([{ lines, split: splitName(lines) }, row, ...below]) === "surely") {
      current.title.pop();
      return newBlock(row, { ...split, clear: false }, [split.title, ...row.titles]);
    }
  }
  const title = current.title.join(" ");
  if (letters(title) === "" || isUnfinished(title)) return undefined;
  const begins = beginsName([row, ...below]);
  if (begins === "no") return undefined;
  return begins === "surely" && hasTitleWord(title)
    ? newBlock(row, undefined, [...row.texts, ...row.titles])
    : newBlock(row, undefined, ["unnamed"]);
}

/** Opens a block, or adds the row to the current block and returns undefined. */
function openBlock(blocks: readonly Block[], row: NameRow, ascending: boolean): Block | undefined {
  const current = blocks.at(-1);
  const { texts, titles, label } = row;
  const [first] = row.years;
  // Amounts of several people belong to no one.
  if (first !== undefined && (label === "several people" || label === "vacant"))
    return newBlock(row, undefined, [label]);
  const plain = label === undefined ? row.split : undefined;
  const nameless = [...texts, ...titles];
  if (current === undefined) {
    if (plain !== undefined) return newBlock(row, plain, [plain.title, ...titles]);
    return first === undefined ? undefined : newBlock(row, undefined, nameless);
  }
  const resets = first !== undefined && restarts(current.rows, first, ascending);
  const covered = coversRow(current, row);
  const above = resets && !covered ? nameFromAbove(current, row) : undefined;
  if (above !== undefined) current.title.length -= above.lines;
  const split = above?.split ?? plain;
  // Names are next to the second year of every person or of none.
  const below = blocks[0] === current || blocks[0]?.named === "below" ? split : undefined;
  if (!resets && label === undefined && completesName(current, row, below, covered)) return undefined;
  if (split !== undefined && !covered && isNewPerson(current, row, split, resets)) {
    const isSame = isSameName(split, current, resets);
    const { name, printedName } = isSame ? current : split;
    // A name without a title, or below one, at the year that the person above lacks may be the rest of that person's title.
    const mayContinue = !isSame && !resets && follows(current.rows, first, ascending);
    const isTitled = (title: readonly string[]) => letters(title.join(" ")) !== "";
    const oneTitled = isTitled(current.title) !== isTitled([split.title, ...titles]);
    const clear = split.clear && !(mayContinue && oneTitled);
    if (!clear && split.clear) current.clear = false;
    return newBlock(row, { ...split, name, printedName, clear }, [split.title, ...titles]);
  }
  // The years restart without a name: it may be on a lower row.
  if (resets && !covered) return newBlock(row, undefined, nameless);
  if (split !== undefined && isSameName(split, current, resets)) addTitleOnce(current, [split.title]);
  else if (label === undefined) {
    if (mayBeNamed(current, row)) current.clear = false;
    addTitle(current, texts);
  }
  addTitleOnce(current, titles);
  return undefined;
}

function follows(rows: readonly YearRow[], row: YearRow | undefined, ascending: boolean): boolean {
  const last = rows.at(-1);
  return last !== undefined && row?.year.year === last.year.year + (ascending ? 1 : -1);
}

/** Dots that lead from a name to its amounts. */
const LEADERS = /(?:\s?\.){3,}/g;

function linesOf(cells: readonly Cell[]): Line[] {
  return cells
    .flatMap((cell) => cell.lines)
    .map((line) => ({ ...line, text: tidy(line.text.replace(LEADERS, " ")) }))
    .filter((line) => !isBlankWord(line.text));
}

/** Characters of the document that are searched for full names. */
const MAX_TEXT = 8_000_000;
/** Occurrences of one word that are examined. */
const MAX_PLACES = 5000;
/** Characters before a family name that can contain first names. */
const MAX_NAME = 120;

/**
 * Finds in the text the full names of people whom the table gives one word: a family name (`Hininger`, 0001140361-26-012100) or
 * a name without its space (`HechunWei`). A person with a namesake in the text stays unnamed.
 */
export function namedInText(people: readonly Person[], { text, work }: Located): readonly Person[] {
  const short = people.filter((person) => person.name === "" && wordOf(person) !== undefined);
  if (short.length === 0) return people;
  const searched = new Set(short.slice(0, MAX_PEOPLE));
  const words = stripTags(text.slice(0, MAX_TEXT));
  return people.map((person) => {
    const word = searched.has(person) ? wordOf(person) : undefined;
    const full = word === undefined ? undefined : fullName(word, words, work);
    if (word === undefined || full === undefined) return person;
    const title = (person.title ?? "").slice(word.length).replace(/^[\s,;:–—-]+/, "");
    return {
      ...person,
      name: displayName(full),
      printedName: word,
      title: title === "" ? null : title,
      clear: true,
    };
  });
}

/** The single word printed for a name, alone or right before a title. */
function wordOf(person: Person): string | undefined {
  const found = /^(\p{Lu}[\p{L}'’-]{2,})(?:[\s,;:–—-]+(\S+))?/u.exec(cleanName(person.title ?? ""));
  const [, word, next] = found ?? [];
  if (word === undefined || hasTitleWord(word)) return undefined;
  return next === undefined || hasTitleWord(next) ? word : undefined;
}

/** One to three capitalized words at the end of text. */
const NAMES_BEFORE = /(?<![\p{L}.’'-])(?:\p{Lu}[\p{L}.’'-]*\s+){1,3}$/u;

/** The only full name in the text that ends with the word, or equals it but for a space. */
function fullName(word: string, text: string, work: Work): string | undefined {
  const parts = /^(\p{Lu}\p{Ll}+)(\p{Lu}\p{Ll}+)$/u.exec(word);
  if (parts !== null && text.includes(`${parts[1]} ${parts[2]}`)) return `${parts[1]} ${parts[2]}`;
  const found = new Map<string, string>();
  let places = 0;
  for (let at = text.indexOf(word); at >= 0 && places < MAX_PLACES; at = text.indexOf(word, at + 1)) {
    places++;
    work.spend(COST.cell);
    const end = at + word.length;
    const before = NAMES_BEFORE.exec(text.slice(Math.max(0, at - MAX_NAME), at))?.[0];
    if (before === undefined || /^\w/.test(text.slice(end, end + 1))) continue;
    const suffix = /^(?:,? (?:Jr|Sr)\.|,? I{2,3}\b)/.exec(text.slice(end, end + 8))?.[0] ?? "";
    const name = nameAtEnd(`${before}${word}${suffix}`);
    if (name === undefined) continue;
    const key = letters(name.split(/\s+/)[0] ?? "");
    const first = found.get(key);
    // The longest spelling, with the initial if it is ever given.
    if (first === undefined || name.length > first.length) found.set(key, name);
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** The name at the end of a run of capitalized words, after the end of a sentence or `Mr.` */
function nameAtEnd(run: string): string | undefined {
  const words = run.split(/\s+/);
  const from = words.findLastIndex((word) => /\p{L}{2}\.$/u.test(word)) + 1;
  for (let at = from; at < words.length - 1; at++) {
    const name = words.slice(at).join(" ");
    if (nameLikeness(name) === 2 && !hasTitleWord(name)) return name;
  }
  return undefined;
}
