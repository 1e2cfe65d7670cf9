/** Entries of the table as rows: with their flags, the days that they cover and what is doubtful about them. */
import type { FiscalPeriods } from "./officers/fiscal-periods.ts";
import type { Officers } from "./officers/officers.ts";
import type { ParsedRow } from "./parsed.ts";
import { problemOf, type ReadingProblem } from "./problem.ts";
import type { RowEntry } from "./table/rows/entries.ts";

/** What all rows of a table share. */
export interface RowContext {
  readonly officers: Officers;
  readonly periods: FiscalPeriods;
  /** ISO 4217. */
  readonly currency: string;
  /** The newest year and its days, where it is shorter than a year. */
  readonly short: { readonly year: number; readonly start: string; readonly end: string } | undefined;
}

/** The row of an entry. @param position place in the table, from 1 */
export function rowOf(entry: RowEntry, position: number, context: RowContext): ParsedRow {
  const { person, row, reconciled } = entry;
  const { year } = row.year;
  const { officers, periods, currency } = context;
  const short = context.short?.year === year ? context.short : undefined;
  const peo = officers.flag(person.id, year, "peo");
  const pfo = officers.flag(person.id, year, "pfo");
  const headed = row.section.headerRows.length > 0;
  return {
    position,
    executive_id: person.id,
    executive_name: person.name,
    printedName: person.printedName,
    executive_role: person.titleOfRow.get(row) ?? person.title,
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
        : { ...check, detail: `${check.detail}, of the table before` },
    ),
    problems: [...entry.problems, ...doubtsOf(entry, short)],
  };
}

function doubtsOf({ person, row }: RowEntry, short: RowContext["short"]): ReadingProblem[] {
  const doubts: ReadingProblem[] = [];
  if (!person.clear) {
    const message = `"${person.printedName}" is taken for the name, "${person.title ?? ""}" for the title`;
    doubts.push(problemOf("name_unclear", "people", message));
  }
  if (row.year.partial)
    doubts.push(problemOf("partial_period", "rows", `"${row.year.label}" is shorter than a year`));
  else if (row.year.longer)
    doubts.push(problemOf("year_unclear", "rows", `"${row.year.label}" is longer than a year`));
  else if (short !== undefined)
    doubts.push(problemOf("partial_period", "rows", `The row covers ${short.start} to ${short.end}`));
  return doubts;
}
