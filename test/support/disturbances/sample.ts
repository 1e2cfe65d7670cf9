import type { ParsedFiling } from "../../../src/reader/parsed-filing.ts";
import { random } from "../layouts/random.ts";
import { drawPlan, expectedRows, renderMarked, settle, type Plan } from "../layouts/index.ts";
import { printedName } from "../layouts/names.ts";
import { GOLD_AMOUNTS, type GoldRow } from "../../../scripts/accuracy.ts";
import { goldDocuments, narrowest } from "../excerpts.ts";
import { executiveId } from "../../../src/domain/executive.ts";

/** A row that the Summary Compensation Table has, amounts in cents. */
export interface TrueRow {
  readonly executive_id: string;
  readonly fiscal_year: number;
  readonly amounts: Readonly<Record<string, number>>;
  /** Null if the document leaves it open. */
  readonly is_peo: boolean | null;
  readonly is_pfo: boolean | null;
}

/** A document with the positions of its true table: the input of a disturbance. */
export interface Sample {
  readonly name: string;
  readonly text: string;
  /** The physical tables of the Summary Compensation Table, in order. */
  readonly tables: readonly (readonly [start: number, end: number])[];
  /** Names as printed. */
  readonly people: readonly string[];
  readonly rows: readonly TrueRow[];
}

/** One generated document. Non-ASCII characters are references, and no word is split by tags. */
export function generatedSample(seed: number): Sample {
  const drawn = drawPlan(seed);
  const plan: Plan = settle({
    ...drawn,
    before: drawn.before.slice(0, 2),
    after: drawn.after.slice(0, 2),
    choices: {
      ...drawn.choices,
      characters: "entities",
      submission: false,
      long: false,
      brokenWords: false,
      zeroWidth: false,
    },
  });
  const { text, tables } = renderMarked(plan);
  return {
    name: `layout ${seed}`,
    text,
    tables,
    people: plan.truth.people.map((person) => printedName(person, plan.choices.people)),
    rows: expectedRows(plan),
  };
}

/**
 * The real documents whose true table can be found by the totals of the gold rows: whole, or `around` characters
 * before and after it.
 */
export function realSamples(parse: (bytes: Uint8Array) => ParsedFiling, around = Infinity): Sample[] {
  return goldDocuments().flatMap(({ file, text: whole, totals, rows }): Sample[] => {
    const at = narrowest(whole, totals);
    if (at === null) return [];
    const text = whole.slice(Math.max(0, at[0] - around), at[1] + around);
    const span = narrowest(text, totals);
    const tables = span === null ? [] : tablesWith(text, span);
    if (tables.length === 0) return [];
    const parsed = parse(new TextEncoder().encode(text));
    const ids = new Set(rows.map((row) => executiveId(row.executive_name)));
    const printed = parsed.rows.filter((row) => ids.has(row.executive_id)).map((row) => row.executive_name);
    return [{ name: file, text, tables, people: [...new Set(printed)], rows: rows.map(trueRow) }];
  });
}

function trueRow(gold: GoldRow): TrueRow {
  const amounts = Object.fromEntries(GOLD_AMOUNTS.map((field) => [field, Math.round(gold[field] * 100)]));
  const { fiscal_year, is_peo, is_pfo } = gold;
  return { executive_id: executiveId(gold.executive_name), fiscal_year, amounts, is_peo, is_pfo };
}

/** The innermost tables that overlap a range of the text. */
function tablesWith(text: string, [from, to]: readonly [number, number]): [number, number][] {
  const found: [number, number][] = [];
  const open: { start: number; inner: boolean }[] = [];
  for (const tag of text.matchAll(/<(\/?)table\b[^>]*>/gi)) {
    if (tag[1] === "") {
      for (const outer of open) outer.inner = true;
      open.push({ start: tag.index, inner: false });
      continue;
    }
    const table = open.pop();
    const end = tag.index + tag[0].length;
    if (table === undefined || table.inner || end < from || table.start > to) continue;
    found.push([table.start, end]);
  }
  return found;
}

/** A source of choices for one disturbance of one sample. */
export function choicesFor(sample: Sample, seed: number) {
  return random(seed ^ (sample.text.length * 2_654_435_761));
}
