/** Reads the chosen table and its pages into entries: one per person and year, with amounts. */
import { PRINTED_COMPONENTS } from "../../../domain/row-fields.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import { displayName, executiveId, nameSuffix, surnameOf } from "../../../domain/executive.ts";
import { isShortFor } from "../../officers/sentences.ts";
import {
  COST,
  MAX_PEOPLE,
  type Work,
  type ProblemCode,
  type TableCopy,
  type Tell,
  problemOf,
} from "../../parsed.ts";
import { letters, stripTags } from "../../text.ts";
import { type YearRow, planColumns } from "../cells/slots.ts";
import type { Candidate } from "../choice/candidates.ts";
import type { Located } from "../grid/grid.ts";
import { type Person, readPeople } from "../people/people.ts";
import { cleanName, hasTitleWord, nameLikeness } from "../../values/values.ts";
import { reconcile, type Reconciled } from "./reconcile.ts";

/** A person of the table, merged over all pages. */
export interface EntryPerson extends Person {
  /** Executive id, unique in the document. */
  readonly id: string;
  /** The title next to each row, if the table prints several for one person. */
  readonly titleOfRow: ReadonlyMap<YearRow, string>;
}

export interface RowEntry extends Reconciled {
  readonly person: EntryPerson;
  readonly row: YearRow;
}

/** Reads the people and amounts of the pages of one table. @param located the document, to find names that the table shortens */
export function readEntries(tables: readonly Candidate[], located: Located, scale: number) {
  const { tell } = located;
  for (const table of tables) tellOf(table, tell);
  const plan = planColumns(tables.flatMap((table) => table.rows));
  const entries: RowEntry[] = [];
  let unnamed: string | undefined;
  const people = readPeople(tables.flatMap((table) => table.read));
  for (const person of mergePeople(namedInText(people, located))) {
    const stacked = stackedPeople(person.rows);
    for (const row of person.rows) {
      const reconciled = reconcile(row, plan, scale);
      if (stacked.has(row)) {
        const message = `Row ${row.row} of table ${row.table} has a year twice: several people share one cell and cannot be told apart`;
        tell("name_missing", message);
      } else if (person.name === "") {
        const place = `row ${row.row} (${row.year.label}) of table ${row.table}`;
        tell("name_missing", `No name next to ${place}`);
        if (person.title === null) unnamed = place;
        // It may be another person's, or further pay of the person above.
        const above = entries.at(-1);
        const other = `Other amounts of the year have no name, ${place}`;
        if (person.title === null && above?.row.year.year === row.year.year && above.row.table === row.table)
          entries[entries.length - 1] = withProblem(above, "duplicate_row", other);
      } else if ("code" in reconciled)
        tell(reconciled.code, `${person.name}: ${reconciled.message}`, reconciled.cell);
      else {
        const doubts = doubtsOf(person, row, unnamed);
        entries.push({ person, row, ...reconciled, problems: [...reconciled.problems, ...doubts] });
      }
    }
  }
  const { right, wrong = [] } = Object.groupBy(entries, (entry) => (isNoTotal(entry) ? "wrong" : "right"));
  // If no total is right, no column is clear.
  if (right === undefined) return withoutRepeats(withUnitDoubts(withMisfits(wrong)), tell);
  for (const { person, row, amounts, cells } of wrong) {
    const total = amounts.total_compensation / 100;
    const message = `${person.name}: row ${row.row} (${row.year.label}) prints ${total} where its total should be, which is not the sum`;
    tell("row_unreadable", message, cells.total_compensation?.[0]);
  }
  return withoutRepeats(withUnitDoubts(withMisfits(right)), tell);
}

/** The years stacked in one row of cells that has some year twice: they are of several people under one name. */
function stackedPeople(rows: readonly YearRow[]): ReadonlySet<YearRow> {
  const plain = rows.filter(({ year }) => !year.restated && !year.previous && !year.partial);
  const inOneRow = Map.groupBy(plain, ({ table, row }) => `${table} ${row}`);
  const twice = (some: readonly YearRow[]) => new Set(some.map(({ year }) => year.year)).size < some.length;
  return new Set([...inOneRow.values()].filter(twice).flat());
}

/**
 * Whether what was read as a row's total cannot be it: it is not the sum, and amounts stand right of it (a cell too many may
 * have moved all that follow it) or one component alone is ten times as large (a total in two cells, a footnote marker in its place).
 */
function isNoTotal({ row, problems, amounts }: RowEntry): boolean {
  if (!problems.some(({ code }) => code === "sum_mismatch")) return false;
  const column = row.slots.find(({ column: { meaning } }) => meaning === "total_compensation")?.column;
  const printed = PRINTED_COMPONENTS.map((component) => amounts[component]);
  return (
    row.unassigned.some(({ x0 }) => column !== undefined && x0 >= column.x1) ||
    (Math.min(...printed) >= 0 && Math.max(...printed) > 10 * amounts.total_compensation)
  );
}

/**
 * Problems of rows with other amounts next to another label of the same year, such as `2023 Pro Forma`, which may be the right
 * ones; and of rows that may have the wrong name: below a row without a name, names may be next to the last year instead of the
 * first; below a row without a year, another person's rows may have begun.
 */
function* doubtsOf({ name, rows, unread }: EntryPerson, { table, row, year }: YearRow, unnamed?: string) {
  for (const { label } of unread)
    if (label.includes(String(year.year)))
      yield problemOf("row_unreadable", `${name} has other amounts under "${label}", which were left out`);
  const above = unread.find((one) => one.table === table && one.row < row);
  if (above === undefined && (unnamed === undefined || rows.length === 1)) return;
  const nameless = `No name is next to ${unnamed}`;
  const why = above === undefined ? nameless : `Row ${above.row} above has amounts without a year`;
  yield problemOf("name_missing", `${why}; this row may belong to another person`);
}

/** Problems which show that a row's headers are not above its amounts. */
const MISFITS: ReadonlySet<ProblemCode> = new Set(["sum_mismatch", "cell_ambiguous", "column_by_position"]);

/** If most rows do not fit their headers, the others may add up by chance, because they are blank in the columns concerned. */
function withMisfits(entries: readonly RowEntry[]): readonly RowEntry[] {
  const paid = entries.filter(({ blank }) => !blank);
  const fits = paid.filter(({ problems }) => !problems.some(({ code }) => MISFITS.has(code)));
  if (fits.length * 2 >= paid.length) return entries;
  const message = "Most rows do not fit the headers; the amounts of this one may be in other columns";
  return entries.map((one) => (fits.includes(one) ? withProblem(one, "cell_ambiguous", message) : one));
}

/** Totals of one person this many times apart may be in units and in thousands. */
const THOUSANDFOLD = [300, 3000] as const;
/** Salaries of one scale are fewer times apart. */
const SAME_SCALE = 20;
/** A salary below this (in cents) beside equity above the other may be in thousands; founders have salaries of one dollar. */
const LOW_SALARY = 1_000_000;
const MIN_SALARY = 10_000;
const HIGH_EQUITY = 100_000_000;

/** How many times the greater of two amounts is the other; infinite if either is 0. */
function timesApart(one: number, other: number): number {
  const [less, more] = one < other ? [one, other] : [other, one];
  return less > 0 ? more / less : Infinity;
}

/** Adds problems to rows whose amounts may not all have the same scale. */
function withUnitDoubts(entries: readonly RowEntry[]): readonly RowEntry[] {
  const byPerson = Map.groupBy(entries, ({ person }) => person);
  return entries.map((entry) => {
    const { salary, stock_awards, option_awards, total_compensation: total } = entry.amounts;
    const other = byPerson.get(entry.person)?.find(({ amounts }) => {
      const times = timesApart(total, amounts.total_compensation);
      // Salaries alike show that both years have one scale, whatever else was paid.
      const isOneScale = timesApart(salary, amounts.salary) < SAME_SCALE;
      return times >= THOUSANDFOLD[0] && times <= THOUSANDFOLD[1] && !isOneScale;
    });
    const low = salary >= MIN_SALARY && salary < LOW_SALARY && stock_awards + option_awards >= HIGH_EQUITY;
    if (other === undefined && !low) return entry;
    const whose = `of ${entry.person.name} for ${entry.row.year.label}`;
    const message =
      other === undefined
        ? `The salary ${whose} is ${salary / 100} beside awards of millions`
        : `The totals ${whose} and ${other.row.year.label} are about a thousand times apart`;
    return withProblem(entry, "units_unclear", message);
  });
}

/** Why no row's columns can be trusted; undefined if they can. Headers that are not above their amounts also give wrong totals. */
export function whyColumnsUnclear(entries: readonly RowEntry[]): string | undefined {
  const isTwice = ({ row }: RowEntry, wanted: Meaning): boolean => {
    const columns = row.section.columns.filter(({ meaning }) => meaning === wanted);
    return new Set(columns.map(({ path }) => path.at(-1))).size < columns.length;
  };
  if (entries.some((entry) => isTwice(entry, "salary") && isTwice(entry, "total_compensation")))
    return "the headers of salary and total are printed twice: a row has two people or two years";
  const paid = entries.filter(({ blank }) => !blank);
  const unclear = paid.every(
    ({ row, problems }) =>
      problems.some(({ code }) => code === "sum_mismatch") &&
      (row.unassigned.length > 0 || row.slots.some(({ ambiguous }) => ambiguous)),
  );
  return paid.length > 0 && unclear
    ? "no row adds up, and amounts are under several column headers at once or under none"
    : undefined;
}

function tellOf({ grid, read }: Candidate, tell: Tell): void {
  if (grid.cut === "document") tell("truncated", `The document ends inside table ${grid.table}`);
  if (grid.cut === "bounds") tell("table_cut", `Table ${grid.table} exceeds the size limit`);
  for (const { table, row, unread: label } of read) {
    if (label === undefined) continue;
    const beside = label === "" ? "without a year" : `next to "${label}", which is not a year`;
    tell("row_unreadable", `Row ${row} of table ${table} has amounts ${beside}`);
  }
}

/** Merges people with the same name on different pages or in different places. */
function mergePeople(people: readonly Person[]): EntryPerson[] {
  const groups = new Map<string, Person[]>();
  for (const [index, person] of people.entries()) {
    const key = person.name === "" ? `#${index}` : (shortKey(person, groups) ?? letters(person.name));
    groups.getOrInsert(key, []).push(person);
  }
  const taken = new Map<string, number>();
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const titles = group.flatMap(({ title, rows }) => (title === null ? [] : [{ title, rows }]));
    const several = new Set(titles.map(({ title }) => letters(title))).size > 1;
    const ofRows = titles.flatMap(({ title, rows }) => rows.map((row) => [row, title] as const));
    return {
      ...first,
      id: uniqueId(first.name, taken),
      title: titles[0]?.title ?? null,
      rows: group.flatMap(({ rows }) => rows),
      unread: group.flatMap(({ unread }) => unread),
      titleOfRow: new Map(several ? ofRows : []),
    };
  });
}

/** The group of the same name with a longer or shorter first name (`Chris Ryan`, `Christopher J. Ryan`), unless both have a row for one year. */
function shortKey(person: Person, groups: ReadonlyMap<string, readonly Person[]>): string | undefined {
  if (groups.size > MAX_PEOPLE || groups.has(letters(person.name))) return undefined;
  const years = new Set(person.rows.map((row) => row.year.year));
  const isSame = ({ name }: Person): boolean =>
    surnameOf(name) === surnameOf(person.name) &&
    // Distinguishes a son from his father.
    nameSuffix(name) === nameSuffix(person.name) &&
    isShortFor(name.split(" ")[0] ?? "", person.name);
  const isPaidBeside = ({ rows }: Person): boolean => rows.some((row) => years.has(row.year.year));
  return [...groups].find(([, group]) => group.some(isSame) && !group.some(isPaidBeside))?.[0];
}

function uniqueId(name: string, taken: Map<string, number>): string {
  const base = executiveId(name);
  const suffix = taken.has(base) ? nameSuffix(name) : undefined;
  let id = suffix === undefined ? base : `${base}-${suffix}`;
  // Counting continues from the last number, so that thousands of one name do not each count from two.
  let count = taken.get(base) ?? 1;
  while (taken.has(id)) id = `${base}-${++count}`;
  taken.set(base, count);
  taken.getOrInsert(id, 1);
  return id;
}

function withProblem(entry: RowEntry, code: ProblemCode, message: string): RowEntry {
  return { ...entry, problems: [...entry.problems, problemOf(code, message)] };
}

/** Keeps one entry per person and year: of two that differ the first, with a problem; an entry without amounts is replaced. */
function withoutRepeats(entries: readonly RowEntry[], tell: Tell): readonly RowEntry[] {
  const byYear = new Map<string, RowEntry>();
  for (const entry of entries) {
    const { person, row, blank } = entry;
    const key = `${person.id} ${row.year.year}`;
    const twin = byYear.get(key);
    const who = `${person.name} ${row.year.label}`;
    const twice = (one: RowEntry, what: string) =>
      withProblem(one, "duplicate_row", `${who} is printed twice${what}`);
    if (twin === undefined || (twin.blank && !blank)) byYear.set(key, entry);
    else if (supersedes(row, twin.row) && !blank)
      byYear.set(key, twice(entry, `; the amounts of "${row.year.label}" are kept`));
    else if (JSON.stringify(twin.amounts) === JSON.stringify(entry.amounts))
      tell("repeated_row", `${who} is printed twice with the same amounts`);
    else if (!blank) {
      const [one, other] = [twin, entry].map(({ amounts }) => amounts.total_compensation / 100);
      byYear.set(key, twice(twin, `: ${one} and ${other}; the first is kept`));
    }
  }
  return [...byYear.values()];
}

/** Whether a row of the same year is the better one: restated amounts, or those of the whole year. */
function supersedes({ year }: YearRow, { year: other }: YearRow): boolean {
  if (year.previous !== other.previous) return other.previous;
  return year.restated ? !other.restated : other.partial && !year.partial;
}

/** Copies the cells of a table. `explain` uses the copy instead of the document. */
export function copyOf({ grid, sections }: Candidate): TableCopy {
  const rows = grid.rows.map((row, at) =>
    row.filter((cell) => cell.row === at && cell.raw !== "").map(({ x0, raw }) => [x0, raw] as const),
  );
  return { table: grid.table, rows, headerRows: sections.flatMap(({ headerRows }) => headerRows) };
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
function namedInText(people: readonly Person[], { text, work }: Located): readonly Person[] {
  const short = people.filter((person) => person.name === "" && wordOf(person) !== "").slice(0, MAX_PEOPLE);
  if (short.length === 0) return people;
  const words = stripTags(text.slice(0, MAX_TEXT));
  return people.map((person) => {
    const word = short.includes(person) ? wordOf(person) : "";
    const full = word === "" ? undefined : fullName(word, words, work);
    if (full === undefined) return person;
    const title = (person.title ?? "").slice(word.length).replace(/^[\s,;:–—-]+/, "") || null;
    return { ...person, name: displayName(full), printedName: word, title, clear: true };
  });
}

/** The single word printed for a name, alone or right before a title; "" if there is none. */
function wordOf({ title }: Person): string {
  const found = /^(\p{Lu}[\p{L}'’-]{2,})(?:[\s,;:–—-]+(\S+))?/u.exec(cleanName(title ?? ""));
  const [, word = "", next] = found ?? [];
  return hasTitleWord(word) || (next !== undefined && !hasTitleWord(next)) ? "" : word;
}

/** One to three capitalized words at the end of text. */
const NAMES_BEFORE = /(?<![\p{L}.’'-])(?:\p{Lu}[\p{L}.’'-]*\s+){1,3}$/u;

/** The only full name in the text that ends with the word, or equals it but for a space. */
function fullName(word: string, text: string, work: Work): string | undefined {
  const parts = /^(\p{Lu}\p{Ll}+)(\p{Lu}\p{Ll}+)$/u.exec(word);
  if (parts !== null && text.includes(`${parts[1]} ${parts[2]}`)) return `${parts[1]} ${parts[2]}`;
  const found = new Map<string, string>();
  for (const { index: at } of text.matchAll(new RegExp(RegExp.escape(word), "g")).take(MAX_PLACES)) {
    work.spend(COST.cell);
    const end = at + word.length;
    const before = NAMES_BEFORE.exec(text.slice(Math.max(0, at - MAX_NAME), at))?.[0];
    if (before === undefined || /^\w/.test(text.slice(end, end + 1))) continue;
    const suffix = /^(?:,? (?:Jr|Sr)\.|,? I{2,3}\b)/.exec(text.slice(end, end + 8))?.[0] ?? "";
    const name = nameAtEnd(`${before}${word}${suffix}`);
    if (name === undefined) continue;
    const key = letters(name.split(/\s+/)[0] ?? "");
    // The longest spelling, with the initial if it is ever given.
    if (name.length > (found.get(key)?.length ?? 0)) found.set(key, name);
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
