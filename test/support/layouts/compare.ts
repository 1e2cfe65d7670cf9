import type { ParsedFiling, ParsedRow } from "../../../src/reader/parsed-filing.ts";
import { hasDoubt } from "../parse-invariants.ts";
import type { ExpectedRow } from "./expected.ts";

/** How a reading compares with the truth. `silent` is the defect that must never occur: wrong without a problem. */
export type Verdict = "exact" | "refused" | "flagged" | "silent";

export interface Comparison {
  readonly verdict: Verdict;
  /** One line for each difference, empty when exact. */
  readonly differences: readonly string[];
}

/** Compares a reading with the expected rows; placeholders do not count as rows. */
export function compare(parsed: ParsedFiling, expected: readonly ExpectedRow[]): Comparison {
  if (parsed.status === "refused") {
    if (expected.length === 0) return { verdict: "exact", differences: [] };
    return { verdict: "refused", differences: [`refused: ${parsed.reason} ${parsed.reasonDetail ?? ""}`] };
  }
  const rows = parsed.rows.filter((row) => !row.placeholder);
  const found = new Map<string, ParsedRow>();
  const differences: string[] = [];
  let silent = false;
  const filingSays = parsed.problems.length > 0;
  for (const row of rows) {
    const key = `${row.executive_id}|${row.fiscal_year}`;
    if (found.has(key)) {
      differences.push(`twice: ${key}`);
      silent ||= !hasDoubt(row);
    }
    found.set(key, row);
  }
  for (const request of expected) {
    const key = `${request.executive_id}|${request.fiscal_year}`;
    const got = found.get(key);
    found.delete(key);
    if (got === undefined) {
      differences.push(`missing: ${key} (${request.executive_name})`);
      silent ||= !filingSays;
      continue;
    }
    const wrong = rowDifferences(got, request);
    if (wrong.length === 0) continue;
    differences.push(`${key}: ${wrong.join("; ")}`);
    // A slip of the filer's is its own problem and does not excuse another wrong cell.
    const slip = request.amounts.unknown_component !== 0;
    const isFlag = wrong.every((difference) => /^is_p[ef]o /.test(difference));
    const excused = got.problems.filter(
      ({ code, step }) =>
        (isFlag || step !== "offices") && !(slip && (code === "sum_mismatch" || code === "rounding")),
    );
    silent ||= excused.length === 0;
  }
  for (const [key, row] of found) {
    differences.push(`extra: ${key} (${row.printedName})`);
    silent ||= !hasDoubt(row) && !filingSays;
  }
  if (differences.length === 0) return { verdict: "exact", differences };
  return { verdict: silent ? "silent" : "flagged", differences };
}

function rowDifferences(got: ParsedRow, request: ExpectedRow): string[] {
  const out: string[] = [];
  const differs = (field: string, a: unknown, b: unknown) => {
    if (a !== b) out.push(`${field} is ${JSON.stringify(a)}, true ${JSON.stringify(b)}`);
  };
  differs("executive_name", got.executive_name, request.executive_name);
  differs("executive_role", normal(got.executive_role), normal(request.executive_role));
  differs("reporting_currency", got.reporting_currency, request.reporting_currency);
  // The keys of ExpectedRow.amounts.
  for (const field of Object.keys(request.amounts) as (keyof ExpectedRow["amounts"])[])
    differs(field, got.amounts[field], request.amounts[field]);
  if (request.is_peo !== null) differs("is_peo", got.is_peo, request.is_peo);
  if (request.is_pfo !== null) differs("is_pfo", got.is_pfo, request.is_pfo);
  return out;
}

function normal(text: string | null): string | null {
  return text === null ? null : text.replace(/\s+/g, " ").trim();
}
