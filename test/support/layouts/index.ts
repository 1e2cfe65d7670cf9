import type { ParsedFiling } from "../../../src/reader/parsed-filing.ts";
import { compare, type Comparison } from "./compare.ts";
import { renderDocument } from "./document.ts";
import { expectedRows } from "./expected.ts";
import { traps, type Plan } from "./plan.ts";

export { compare, type Comparison, type Verdict } from "./compare.ts";
export { renderDocument, renderMarked } from "./document.ts";
export { expectedRows, type ExpectedRow } from "./expected.ts";
export { drawPlan, FAMILIES, settle, traps, type Plan } from "./plan.ts";
export { shrink } from "./shrink.ts";

/** Reads the document of a plan with `parse` and compares the result with the truth. */
export function judge(plan: Plan, parse: (bytes: Uint8Array) => ParsedFiling): Comparison {
  return compare(parse(renderDocument(plan)), expectedRows(plan));
}

/** What to print about a failing plan: the seed, the traps used and the differences. */
export function report(plan: Plan, comparison: Comparison): string {
  return [
    `seed ${plan.seed}: ${comparison.verdict}`,
    `  ${traps(plan).join(" ")}`,
    ...comparison.differences.slice(0, 8).map((line) => `  - ${line}`),
  ].join("\n");
}
