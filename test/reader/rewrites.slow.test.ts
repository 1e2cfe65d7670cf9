import { describe, expect, test } from "bun:test";
import { parseFiling } from "../../src/reader/pipeline.ts";
import type { ParsedFiling } from "../../src/reader/parsed-filing.ts";
import { excerpts, filingsAbsent } from "../support/excerpts.ts";
import { drawPlan, renderDocument, settle, type Plan } from "../support/layouts/index.ts";
import { REWRITES } from "../support/rewrite.ts";

const SEED = 31_000;

/** What a reader of the served rows sees. */
function seen(parsed: ParsedFiling): string[] {
  if (parsed.status === "refused") return ["refused"];
  return parsed.rows
    .filter((row) => !row.placeholder)
    .map((row) =>
      JSON.stringify([
        row.executive_id,
        row.executive_name,
        row.executive_role,
        row.fiscal_year,
        row.reporting_currency,
        row.amounts,
        row.is_peo,
        row.is_pfo,
      ]),
    );
}

const read = (text: string) => seen(parseFiling(new TextEncoder().encode(text)));

/** A plan whose bytes are UTF-8 and whose tables are HTML: the rewrites are written for these. */
function htmlPlan(seed: number): Plan {
  const plan = drawPlan(seed);
  const family = plan.family === "pre" || plan.family === "pre-leaders" ? "rowspan" : plan.family;
  return settle({
    ...plan,
    family,
    choices: { ...plan.choices, characters: "entities", heading: "table", long: false },
  });
}

describe("the same document written otherwise gives the same rows", () => {
  for (const [name, rewrite] of Object.entries(REWRITES)) {
    test(`laid out from true rows: ${name}`, () => {
      for (let at = 0; at < 40; at++) {
        const text = new TextDecoder().decode(renderDocument(htmlPlan(SEED + at)));
        expect({ seed: SEED + at, rows: read(rewrite(text)) }).toEqual({ seed: SEED + at, rows: read(text) });
      }
    }, 300_000);
  }

  test("laid out from true rows: other tables in another order", () => {
    for (let at = 0; at < 100; at++) {
      const plan = drawPlan(SEED + 1_000 + at);
      const turned: Plan = { ...plan, before: [...plan.after].reverse(), after: [...plan.before].reverse() };
      expect({ seed: plan.seed, rows: seen(parseFiling(renderDocument(turned))) }).toEqual({
        seed: plan.seed,
        rows: seen(parseFiling(renderDocument(plan))),
      });
    }
  }, 300_000);

  const absent = filingsAbsent();
  if (absent !== null) test.skip(`real filings: skipped: ${absent}`, () => {});
  else {
    const sources = excerpts();
    for (const [name, rewrite] of Object.entries(REWRITES))
      test(`real filings: ${name}`, () => {
        for (const { file, text } of sources) {
          const page = `<html><body>${text}</body></html>`;
          expect({ file, rows: read(rewrite(page)) }).toEqual({ file, rows: read(page) });
        }
      }, 300_000);
  }
});
