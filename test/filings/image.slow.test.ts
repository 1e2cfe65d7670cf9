/** Every real filing with its table cut out, or replaced by an image, and with or without its headings. */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Gold } from "../../scripts/accuracy.ts";
import { openDocument } from "../../src/reader/document/submission.ts";
import { Work, reportInto } from "../../src/reader/parsed-filing.ts";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { locate } from "../../src/reader/table/grid/grid.ts";

const FILINGS = join(import.meta.dir, "../../../shared/filings");
/** Characters before a table that can contain its heading. */
const ABOVE = 6000;
const IMAGE = '<p><img src="g1.jpg" alt=""/></p>';

/** The document without the tables that were read, and where the first of them was. */
function withoutTables(text: string, tables: ReadonlySet<number>, instead: string) {
  const { regions } = locate(text, new Work(Infinity), reportInto([]));
  const cut = regions.filter(({ ordinal }) => tables.has(ordinal));
  const at = Math.min(...cut.map(({ start }) => start));
  let rest = text;
  for (const { start, end } of cut.toReversed())
    rest = rest.slice(0, start) + (start === at ? instead : "") + rest.slice(rest.indexOf(">", end) + 1);
  return { rest, at };
}

/** Takes the words of the table's title away from where they are, their tags left in place. */
function withoutTitle(text: string): string {
  return text.replace(
    /summary(?:\s|&nbsp;|&#160;|<[^<>]*>)+compensation(?:\s|&nbsp;|&#160;|<[^<>]*>)+table/gi,
    (title) => title.replace(/[a-z]+(?![^<]*>)/gi, ""),
  );
}

const HEADINGS = {
  "the heading left": (text: string) => text,
  "the heading gone": (text: string, at: number) =>
    text.slice(0, Math.max(0, at - ABOVE)) +
    withoutTitle(text.slice(Math.max(0, at - ABOVE), at)) +
    text.slice(at),
  "every mention gone": withoutTitle,
};

describe.skipIf(!existsSync(FILINGS))(
  "without its own table a filing is refused, or serves rows of its own",
  () => {
    const files = existsSync(FILINGS)
      ? readdirSync(FILINGS).filter((name) => /\.(?:htm|txt)$/.test(name))
      : [];
    test.each(files)("%s", (name) => {
      const bytes = readFileSync(join(FILINGS, name));
      // A gold file of this project.
      const gold = JSON.parse(
        readFileSync(join(FILINGS, "gold", name.replace(/\.\w+$/, ".json")), "utf8"),
      ) as Gold;
      const own = new Set(
        gold.rows.map((row) => `${row.executive_name} ${row.fiscal_year} ${row.total_compensation}`),
      );
      const whole = parseFiling(bytes);
      const tables = new Set(whole.tables.map(({ table }) => table));
      const documents = openDocument(bytes);
      if (gold.expect === "refuse" || "reason" in documents) return;
      for (const [instead, between] of [
        ["cut out", ""],
        ["an image", IMAGE],
      ] as const)
        for (const [left, change] of Object.entries(HEADINGS)) {
          const { rest, at } = withoutTables(documents[0]?.text ?? "", tables, between);
          const parsed = parseFiling(new TextEncoder().encode(change(rest, at)), {
            form: whole.facts.form ?? "DEF 14A",
          });
          const rows = parsed.rows.filter(({ placeholder }) => !placeholder);
          const foreign = rows
            .map((row) => `${row.executive_name} ${row.fiscal_year} ${row.amounts.total_compensation / 100}`)
            .filter((row) => !own.has(row));
          expect({ instead, left, foreign }).toEqual({ instead, left, foreign: [] });
        }
    });
  },
);

if (!existsSync(FILINGS)) console.error(`skipped: no filings at ${FILINGS}`);
