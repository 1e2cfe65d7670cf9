/** Turns entries of the table into rows with officer flags, dates and problems. */
import type { FiscalPeriods } from "./officers/fiscal-periods.ts";
import type { Officers } from "./officers/officers.ts";
import type { ParsedRow } from "./parsed.ts";
import { problemOf, type ReadingProblem } from "./problem.ts";
import type { RowEntry } from "./table/rows/entries.ts";

/** Facts shared by all rows of a table. */
export interface RowContext {
  readonly officers: Officers;
  readonly periods: FiscalPeriods;
  /** ISO 4217. */
  readonly currency: string;
  /** The newest fiscal year and its dates, if it is shorter than a year. */
  readonly short: { readonly year: number; readonly start: string; readonly end: string } | undefined;
}

/** Characters of a title that are kept; the longest of a real filing has 214. */
const MAX_TITLE = 300;

/** Builds the row of an entry. @param position position in the table, from 1 */
export function rowOf(entry: RowEntry, position: number, context: RowContext): ParsedRow {
  const { person, row, reconciled } = entry;
  const { year } = row.year;
  const { officers, periods, currency } = context;
  const short = context.short?.year === year ? context.short : undefined;
  const peo = officers.flag(person.id, year, "peo");
  const pfo = officers.flag(person.id, year, "pfo");
  const headed = row.section.headerRows.length > 0;
  const role = person.titleOfRow.get(row) ?? person.title;
  return {
    position,
    executive_id: person.id,
    executive_name: person.name,
    printedName: person.printedName,
    executive_role: role === null ? null : role.slice(0, MAX_TITLE).trimEnd(),
    fiscal_year: year,
    yearLabel: row.year.label,
    periodEnd: row.year.end ?? periods.get(year)?.last ?? null,
    period: short === undefined ? null : { start: short.start, end: short.end },
    reporting_currency: currency,
    amounts: reconciled.amounts,
    cells: reconciled.cells,
    unknownReason: reconciled.unknownReason,
    placeholder: reconciled.blank && !peo.held && !pfo.held,
    blank: reconciled.blank,
    is_peo: peo.held,
    is_pfo: pfo.held,
    peoEvidence: peo.evidence,
    pfoEvidence: pfo.evidence,
    checks: reconciled.checks.map((check) =>
      headed || check.check !== "header_grid"
        ? check
        : { ...check, detail: `${check.detail} in the previous table` },
    ),
    problems: [...entry.problems, ...doubtsOf(entry, role, short), ...officers.unclear(person.id, year)],
  };
}

function doubtsOf(
  { person, row }: RowEntry,
  role: string | null,
  short: RowContext["short"],
): ReadingProblem[] {
  const doubts: ReadingProblem[] = [];
  if (person.controls)
    doubts.push(problemOf("control_characters", `Left out of "${person.name}" or the title`));
  if (role !== null && role.length > MAX_TITLE)
    doubts.push(problemOf("title_too_long", `${role.length} characters, of which ${MAX_TITLE} are kept`));
  if (!person.clear) {
    const message = `"${person.printedName}" was read as the name, "${person.title ?? ""}" as the title`;
    doubts.push(problemOf("name_unclear", message));
  }
  if (row.year.partial)
    doubts.push(problemOf("partial_period", `"${row.year.label}" is shorter than a year`));
  else if (row.year.longer)
    doubts.push(problemOf("year_unclear", `"${row.year.label}" is longer than a year`));
  else if (short !== undefined)
    doubts.push(problemOf("partial_period", `The row covers ${short.start} to ${short.end}`));
  return doubts;
}
