/** Checks the table against tagged totals. Tags are wrong in hundreds of filings: a difference is reported and changes no number. */
import { isSameYearEnd } from "../domain/fiscal-year.ts";
import type { EcdFact } from "./document/inline-xbrl.ts";
import type { FiscalPeriods } from "./officers/fiscal-periods.ts";
import { sameName } from "./officers/tags.ts";
import type { Check, ParsedRow } from "./parsed.ts";
import { problemOf, type ReadingProblem } from "./problem.ts";

/** Allowed differences, in cents: totals may be rounded to dollars, and their average differs by more. */
const TOTAL_CENTS = 100;
const AVERAGE_CENTS = 200;

/** Adds the checks against tags to the rows. */
export function checkTags(
  rows: readonly ParsedRow[],
  facts: readonly EcdFact[],
  periods: FiscalPeriods,
): { rows: ParsedRow[]; problems: ReadingProblem[] } {
  const newest = Math.max(...rows.map((row) => row.fiscal_year));
  const factsOf = (name: EcdFact["name"], year: number): EcdFact[] =>
    facts.filter((fact) => fact.name === name && isSameYearEnd(fact.end, periods.get(year)?.last ?? ""));
  const newestRows = rows.filter((row) => row.fiscal_year === newest && !row.placeholder);
  const average = checkAverage(newestRows, factsOf("NonPeoNeoAvgTotalCompAmt", newest), newest);
  const problems = average?.problem === undefined ? [] : [average.problem];
  const checked = rows.map((row) => {
    const checks: Check[] = [...row.checks];
    const total = row.is_peo ? checkTotal(row, factsOf("PeoTotalCompAmt", row.fiscal_year)) : undefined;
    if (total !== undefined) {
      checks.push(total);
      const names = factsOf("PeoName", row.fiscal_year);
      if (total.agrees === false && names.some((fact) => sameName(row.executive_name, fact.text))) {
        const message = `${row.executive_name} ${row.fiscal_year}: ${total.detail}`;
        problems.push(problemOf("ecd_peo_total", message));
      }
    }
    if (average !== undefined && row.fiscal_year === newest && !row.is_peo)
      checks.push({
        check: "ecd_average",
        agrees: average.problem === undefined,
        detail: "average of the officers who are not PEO",
      });
    return { ...row, checks };
  });
  return { rows: checked, problems };
}

function checkTotal({ amounts }: ParsedRow, facts: readonly EcdFact[]): Check | undefined {
  const tagged = facts.flatMap(({ cents }) => cents ?? []);
  if (tagged.length === 0) return undefined;
  const total = amounts.total_compensation;
  const sides = [...new Set(tagged)].map((cents) => cents / 100).join(" and ");
  return {
    check: "ecd_peo_total",
    agrees: tagged.some((cents) => Math.abs(cents - total) <= TOTAL_CENTS),
    detail: `table ${total / 100}, tagged ${sides}`,
  };
}

function checkAverage(
  rows: readonly ParsedRow[],
  facts: readonly EcdFact[],
  year: number,
): { problem: ReadingProblem | undefined } | undefined {
  const tagged = facts.find((fact) => fact.cents !== null)?.cents;
  const others = rows.filter((row) => !row.is_peo);
  if (tagged === undefined || tagged === null || others.length === 0) return undefined;
  const mean = others.reduce((sum, row) => sum + row.amounts.total_compensation, 0) / others.length;
  if (Math.abs(mean - tagged) <= AVERAGE_CENTS) return { problem: undefined };
  const message = `${year}: the table's average of ${others.length} officers is ${Math.round(mean) / 100}, tagged ${tagged / 100}`;
  return { problem: problemOf("ecd_average", message) };
}
