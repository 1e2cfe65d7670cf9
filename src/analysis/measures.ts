/** Measures of all rows as ranked columns, made when first asked for. */
import { int32At, uint16At } from "../lib/checked-access.ts";
import { type Measure, isMeasure, type AmountField } from "../domain/row-fields.ts";
import { type Columns, TRAITS_A_CURRENCY } from "../dataset/columns/columns.ts";
import { numberOf, type Ranked, ranked } from "../dataset/arrays.ts";

/** The value of a measure that a row does not have: below all others. */
export const UNDEFINED = -Infinity;

/** The column of an amount or a measure. */
export function rankedOf(columns: Columns, field: AmountField | Measure): Ranked {
  if (!isMeasure(field)) return columns.amounts[field];
  return columns.measures.getOrInsertComputed(field, () => {
    const valueOf = VALUES[field](columns);
    const numbers = new Float64Array(columns.rows);
    for (let row = 0; row < numbers.length; row++) numbers[row] = valueOf(row);
    return ranked(numbers);
  });
}

/** The rank below which no row has the field. */
export function firstRank({ values }: Ranked): number {
  return values[0] === UNDEFINED ? 1 : 0;
}

const VALUES: Readonly<Record<Measure, (columns: Columns) => (row: number) => number>> = {
  total_change: (columns) => change(columns, (total, old) => total - old),
  total_change_percent: (columns) =>
    change(columns, (total, old) => (old <= 0 ? UNDEFINED : Math.round(((total - old) / old) * 1_000_000))),
  cash_share: (columns) => share(columns, ["salary", "bonus", "non_equity_incentive"]),
  equity_share: (columns) => share(columns, ["stock_awards", "option_awards"]),
};

function totalIn({ amounts }: Columns): (row: number) => number {
  return (row) => numberOf(amounts.total_compensation, row);
}

function change(columns: Columns, of: (total: number, old: number) => number): (row: number) => number {
  const before = rowBefore(columns);
  const total = totalIn(columns);
  return (row) => {
    const other = before(row);
    return other < 0 ? UNDEFINED : of(total(row), total(other));
  };
}

function share(columns: Columns, fields: readonly AmountField[]): (row: number) => number {
  const total = totalIn(columns);
  return (row) => {
    const whole = total(row);
    if (whole <= 0) return UNDEFINED;
    const part = fields.reduce((sum, field) => sum + numberOf(columns.amounts[field], row), 0);
    return Math.round((part / whole) * 1_000_000);
  };
}

/** The row of the same executive in the fiscal year before, in the same currency and both of full years; -1 if there is none. */
export function rowBefore(columns: Columns): (row: number) => number {
  const { companyYear, companyYears, executiveId, traits, shortRows } = columns;
  const currency = (row: number) => Math.floor(uint16At(traits, row) / TRAITS_A_CURRENCY);
  const { company, fiscalYear, first } = companyYears;
  return (row) => {
    const year = int32At(companyYear, row);
    const isConsecutive =
      company[year - 1] === company[year] && fiscalYear[year - 1] === int32At(fiscalYear, year) - 1;
    if (!isConsecutive || shortRows.has(row)) return -1;
    const end = int32At(first, year);
    for (let other = int32At(first, year - 1); other < end; other++) {
      if (executiveId[other] !== executiveId[row]) continue;
      return currency(other) === currency(row) && !shortRows.has(other) ? other : -1;
    }
    return -1;
  };
}
