import type { ParsedFiling, ParsedRow } from "../../src/reader/parsed-filing.ts";

/** Whether a row has a problem that can concern its amounts or its name; one about an office cannot. */
export function hasDoubt({ problems }: ParsedRow): boolean {
  return problems.some(({ step }) => step !== "offices");
}

/**
 * What must hold for every result of the reader, whatever the bytes: a refusal has a reason and no rows, amounts are
 * whole cents that add up to the printed total, and a row names a person and a year. Returns the violations.
 */
export function invariantViolations(parsed: ParsedFiling): string[] {
  const out: string[] = [];
  if (parsed.status === "refused") {
    if (parsed.reason === null) out.push("refused without a reason");
    if (parsed.rows.length > 0) out.push("refused with rows");
    return out;
  }
  if (parsed.reason !== null) out.push(`parsed with the reason ${parsed.reason}`);
  if (parsed.rows.length === 0) out.push("parsed without rows");
  for (const row of parsed.rows) {
    const { total_compensation: total, ...components } = row.amounts;
    const sum = Object.values(components).reduce((a, b) => a + b, 0);
    if (![...Object.values(components), total].every(Number.isSafeInteger))
      out.push(`an amount of ${row.printedName} is not a whole number of cents`);
    else if (sum !== total)
      out.push(`the components of ${row.printedName} in ${row.fiscal_year} are not the total`);
    if (!/\p{L}/u.test(row.executive_name))
      out.push(`a row has no name: ${JSON.stringify(row.executive_name)}`);
    if (row.executive_id === "") out.push(`${row.executive_name} has no id`);
    if (row.fiscal_year < 1990 || row.fiscal_year > 2100)
      out.push(`${row.executive_name} has the year ${row.fiscal_year}`);
    if (row.amounts.unknown_component !== 0 && !hasDoubt(row))
      out.push(`${row.executive_name} ${row.fiscal_year}: an unknown component without a problem`);
  }
  return out;
}
