/** Small documents beside this checkout, each with its expected rows in a file of the same name. */
import { readFileSync } from "node:fs";
import type { ParsedFiling, ParsedRow } from "../../src/reader/parsed-filing.ts";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { hasDoubt } from "./parse-invariants.ts";

/** A row as `execcomp parse --json` prints it; a field that is absent or null is not compared. */
type GoldRow = Readonly<Record<string, string | number | boolean | null>>;

/** What is right for a document. */
export interface GoldCase {
  readonly expect: "rows" | "refuse";
  readonly rows?: readonly GoldRow[];
  /** A problem on the row, or a refusal, is right too. */
  readonly told_ok?: boolean;
  readonly refuse_ok?: boolean;
  /** The filing from which the document is an excerpt; only some of its rows are listed, and a refusal is right too. */
  readonly source?: string;
}

/** Reads a document and lists what is neither right nor told. */
export function missesOf(document: string, gold: GoldCase): string[] {
  const parsed = parseFiling(readFileSync(document), { form: "DEF 14A" });
  return differences(parsed, gold);
}

/** What of a parsed document is neither as in the gold file nor told. */
export function differences(parsed: ParsedFiling, { expect, rows: gold = [], ...may }: GoldCase): string[] {
  const rows = parsed.rows.filter(({ placeholder }) => !placeholder);
  const keyOf = (name: unknown, year: unknown) => `${String(name)} ${String(year)}`;
  const read = new Map(rows.map((row) => [keyOf(row.executive_name, row.fiscal_year), row]));
  const isExcerpt = may.source !== undefined;
  if (parsed.status === "refused")
    return expect === "refuse" || may.refuse_ok === true || isExcerpt
      ? []
      : [`refused: ${parsed.reasonDetail}`];
  const wanted = new Set(gold.map((row) => keyOf(row["executive_name"], row["fiscal_year"])));
  const extra = [...read].filter(
    ([key, row]) => !wanted.has(key) && !isExcerpt && !(may.told_ok === true && hasDoubt(row)),
  );
  return [
    ...extra.map(([key]) => `not a row of this filing: ${key}`),
    ...gold.flatMap((one) => {
      const key = keyOf(one["executive_name"], one["fiscal_year"]);
      const row = read.get(key);
      if (row === undefined) return [`missing: ${key}`];
      if (may.told_ok === true && hasDoubt(row)) return [];
      return differencesOf(row, one).map((difference) => `${key}: ${difference}`);
    }),
  ];
}

function differencesOf(row: ParsedRow, gold: GoldRow): string[] {
  const printed: Record<string, unknown> = {
    ...row,
    ...Object.fromEntries(Object.entries(row.amounts).map(([field, cents]) => [field, cents / 100])),
  };
  const told = new Set(row.problems.map(({ code }) => code as string));
  const isTold = (field: string) => field.startsWith("is_") && told.has(`${field.slice(3)}_unclear`);
  return Object.entries({ unknown_component: 0, ...gold }).flatMap(([field, value]) =>
    value === null || !(field in printed) || printed[field] === value || isTold(field)
      ? []
      : [`${field} ${String(printed[field])}, not ${value}`],
  );
}
