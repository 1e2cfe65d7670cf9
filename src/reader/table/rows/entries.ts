/** Reads the chosen table and its pages into entries: one per person and year, with amounts. */
import { PRINTED_COMPONENTS } from "../../../domain/row-fields.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import { type ProblemCode, type TableCopy, type ReportProblem, problemOf } from "../../parsed-filing.ts";
import { type YearRow } from "../cells/slots.ts";
import { planColumns } from "../cells/column-plan.ts";
import type { MergedPerson } from "../people/merge.ts";
import type { ReadTable } from "../read/read.ts";
import { reconcile, type Reconciled } from "./reconcile.ts";

export interface RowEntry extends Reconciled {
  readonly person: MergedPerson;
  readonly row: YearRow;
}

/** Reads the amounts of a table's people over all its pages. */
export function readEntries(
  people: readonly MergedPerson[],
  tables: readonly ReadTable[],
  scale: number,
  report: ReportProblem,
) {
  for (const table of tables) reportUnread(table, report);
  const plan = planColumns(tables.flatMap((table) => table.rows));
  const entries: RowEntry[] = [];
  let unnamed: string | undefined;
  for (const person of people) {
    const stacked = stackedPeople(person.rows);
    for (const row of person.rows) {
      const reconciled = reconcile(row, plan, scale);
      if (stacked.has(row)) {
        const message = `Row ${row.row} of table ${row.table} has a year twice: several people share one cell and cannot be told apart`;
        report("name_missing", message);
      } else if (person.name === "") {
        const place = `row ${row.row} (${row.year.label}) of table ${row.table}`;
        report("name_missing", `No name next to ${place}`);
        if (person.title === null) unnamed = place;
        // It may be another person's, or further pay of the person above.
        const above = entries.at(-1);
        const other = `Other amounts of the year have no name, ${place}`;
        if (person.title === null && above?.row.year.year === row.year.year && above.row.table === row.table)
          entries[entries.length - 1] = withProblem(above, "duplicate_row", other);
      } else if ("code" in reconciled)
        report(reconciled.code, `${person.name}: ${reconciled.message}`, reconciled.cell);
      else {
        const doubts = nameDoubts(person, row, unnamed);
        entries.push({ person, row, ...reconciled, problems: [...reconciled.problems, ...doubts] });
      }
    }
  }
  const { right, wrong = [] } = Object.groupBy(entries, (entry) => (isNoTotal(entry) ? "wrong" : "right"));
  // If no total is right, no column is clear.
  if (right === undefined) return withoutRepeats(withUnitDoubts(withMisfits(wrong)), report);
  for (const { person, row, amounts, cells } of wrong) {
    const total = amounts.total_compensation / 100;
    const message = `${person.name}: row ${row.row} (${row.year.label}) prints ${total} where its total should be, which is not the sum`;
    report("row_unreadable", message, cells.total_compensation?.[0]);
  }
  return withoutRepeats(withUnitDoubts(withMisfits(right)), report);
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
function* nameDoubts({ name, rows, unread }: MergedPerson, { table, row, year }: YearRow, unnamed?: string) {
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

function reportUnread({ grid, read }: ReadTable, report: ReportProblem): void {
  if (grid.cut === "document") report("truncated", `The document ends inside table ${grid.table}`);
  if (grid.cut === "bounds") report("table_cut", `Table ${grid.table} exceeds the size limit`);
  for (const { table, row, unread: label } of read) {
    if (label === undefined) continue;
    const beside = label === "" ? "without a year" : `next to "${label}", which is not a year`;
    report("row_unreadable", `Row ${row} of table ${table} has amounts ${beside}`);
  }
}

function withProblem(entry: RowEntry, code: ProblemCode, message: string): RowEntry {
  return { ...entry, problems: [...entry.problems, problemOf(code, message)] };
}

/** Keeps one entry per person and year: of two that differ the first, with a problem; an entry without amounts is replaced. */
function withoutRepeats(entries: readonly RowEntry[], report: ReportProblem): readonly RowEntry[] {
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
      report("repeated_row", `${who} is printed twice with the same amounts`);
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
export function copyOf({ grid, sections }: ReadTable): TableCopy {
  const rows = grid.rows.map((row, at) =>
    row.filter((cell) => cell.row === at && cell.raw !== "").map(({ x0, raw }) => [x0, raw] as const),
  );
  return { table: grid.table, rows, headerRows: sections.flatMap(({ headerRows }) => headerRows) };
}
