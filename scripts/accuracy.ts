/**
 * The scorecard: reads every filing of a folder and compares it with gold rows.
 *
 *     bun scripts/accuracy.ts [--filings DIR] [--out docs/accuracy.md] [--details]
 *
 * The folder has `manifest.csv`, the documents, and `gold/NAME.json` for each. Prints a table by filing and in total
 * with the count behind each figure; `--out` writes the same as a page. Exits 1 if a target is missed.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { PRINTED_COMPONENTS } from "../src/domain/row-fields.ts";
import { parseFiling } from "../src/reader/pipeline.ts";
import type { ParsedFiling, ParsedRow } from "../src/reader/parsed-filing.ts";
import { peoTotalsCard } from "./accuracy-totals.ts";
import { executiveId } from "../src/domain/executive.ts";
import { hasDoubt } from "../test/support/parse-invariants.ts";

/** Amounts in gold rows; `unknown_component` must then be the difference from the total. */
export const GOLD_AMOUNTS = [...PRINTED_COMPONENTS, "total_compensation"] as const;

type Field = (typeof GOLD_AMOUNTS)[number];

/** One row of a gold file: amounts in currency units; a flag is null if it could not be decided. */
export interface GoldRow extends Readonly<Record<Field, number>> {
  readonly executive_name: string;
  readonly executive_role: string | null;
  readonly fiscal_year: number;
  readonly is_peo: boolean | null;
  readonly is_pfo: boolean | null;
}

/** A gold file. */
export interface Gold {
  readonly expect: "rows" | "refuse";
  readonly rows: readonly GoldRow[];
}

/** A count of correct items, and of all. */
export interface Tally {
  right: number;
  of: number;
}

const TALLIES = ["rows", "cells", "flags", "ids", "names", "roles", "refusals"] as const;

/** The score of one filing. */
export interface Score extends Readonly<Record<(typeof TALLIES)[number], Tally>> {
  readonly file: string;
  readonly fields: Readonly<Record<Field, Tally>>;
  /** Rows that are not in the gold file. */
  extra: number;
  /** Wrong cells in rows without a problem, including wrong extra rows. */
  silent: number;
  problems: number;
  readonly misses: string[];
}

const tally = (): Tally => ({ right: 0, of: 0 });

const tallies = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, tally()])) as Record<Key, Tally>; // one tally a key

function newScore(file: string): Score {
  const counts = { extra: 0, silent: 0, problems: 0 };
  return { file, ...tallies(TALLIES), fields: tallies(GOLD_AMOUNTS), ...counts, misses: [] };
}

function mark(into: Tally, right: boolean): boolean {
  into.of++;
  if (right) into.right++;
  return right;
}

/** Compares one parsed filing with its gold file. */
function scoreFiling(file: string, gold: Gold, read: ParsedFiling): Score {
  const score = newScore(file);
  const served = read.rows.filter((row) => !row.placeholder);
  score.problems = read.problems.length + served.reduce((sum, row) => sum + row.problems.length, 0);
  if (gold.expect === "refuse") {
    if (!mark(score.refusals, read.status === "refused")) {
      score.misses.push(`read ${served.length} rows where a refusal was due`);
      score.silent += served.filter((row) => !hasDoubt(row)).length * GOLD_AMOUNTS.length;
    }
    return score;
  }
  if (read.status === "refused")
    score.misses.push(`refused: ${read.reason ?? ""} ${read.reasonDetail ?? ""}`);
  const left = new Set(served);
  for (const want of gold.rows) {
    const ofYear = served.filter((row) => left.has(row) && row.fiscal_year === want.fiscal_year);
    const got =
      ofYear.find((row) => row.executive_id === executiveId(want.executive_name)) ??
      ofYear.find((row) => row.executive_name === want.executive_name);
    const label = `${want.executive_name} ${want.fiscal_year}`;
    if (!mark(score.rows, got !== undefined)) {
      score.misses.push(`${label}: row not found`);
      for (const field of GOLD_AMOUNTS) {
        mark(score.fields[field], false);
        mark(score.cells, false);
      }
      continue;
    }
    if (got === undefined) continue;
    left.delete(got);
    scoreRow(score, want, got, label);
  }
  for (const row of left) {
    score.extra++;
    score.misses.push(`${row.executive_name} ${row.fiscal_year}: not in the gold`);
    if (!hasDoubt(row)) score.silent += GOLD_AMOUNTS.length;
  }
  return score;
}

function scoreRow(score: Score, want: GoldRow, got: ParsedRow, label: string): void {
  for (const field of GOLD_AMOUNTS) {
    const exact = Math.round(want[field] * 100) === got.amounts[field];
    mark(score.fields[field], exact);
    if (mark(score.cells, exact)) continue;
    if (!hasDoubt(got)) score.silent++;
    score.misses.push(`${label}: ${field} is ${want[field]}, read ${got.amounts[field] / 100}`);
  }
  for (const flag of ["is_peo", "is_pfo"] as const) {
    const due = want[flag];
    if (due === null) continue;
    if (!mark(score.flags, due === got[flag]))
      score.misses.push(
        `${label}: ${flag} is ${due}, read ${got[flag]} (${JSON.stringify(flag === "is_peo" ? got.peoEvidence : got.pfoEvidence)})`,
      );
  }
  if (!mark(score.ids, executiveId(want.executive_name) === got.executive_id))
    score.misses.push(`${label}: id ${got.executive_id}`);
  if (!mark(score.names, want.executive_name === got.executive_name))
    score.misses.push(`${label}: name ${got.executive_name}`);
  if (!mark(score.roles, want.executive_role === got.executive_role))
    score.misses.push(`${label}: role "${got.executive_role ?? ""}" for "${want.executive_role ?? ""}"`);
}

/** Adds up scores. */
export function totalOf(scores: readonly Score[]): Score {
  const total = newScore("total");
  const add = (into: Tally, from: Tally): void => {
    into.right += from.right;
    into.of += from.of;
  };
  for (const score of scores) {
    for (const key of TALLIES) add(total[key], score[key]);
    for (const field of GOLD_AMOUNTS) add(total.fields[field], score.fields[field]);
    total.extra += score.extra;
    total.silent += score.silent;
    total.problems += score.problems;
  }
  return total;
}

const shown = ({ right, of }: Tally): string => (of === 0 ? "–" : `${right}/${of}`);
const share = (what: string, { right, of }: Tally): string =>
  `| ${what} | ${right} | ${of} | ${of === 0 ? "–" : `${((100 * right) / of).toFixed(2)}%`} |`;

/** The scorecard as Markdown. */
function scorecard(scores: readonly Score[]): string {
  const total = totalOf(scores);
  const line = (score: Score): string =>
    `| ${score.file} | ${TALLIES.map((key) => shown(score[key])).join(" | ")} | ${score.extra} | ${score.silent} | ${score.problems} |`;
  return [
    "| Filing | Rows found | Cells exact | PEO/PFO flags | Ids | Names | Roles | Correct refusals | Extra rows | Silent errors | Problems reported |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...scores.map(line),
    line({ ...total, file: "**total**" }),
    "",
    "| In total | Correct | Of | Share |",
    "|---|---|---|---|",
    ...TALLIES.map((key) => share(key, total[key])),
    ...GOLD_AMOUNTS.map((field) => share(`cells: \`${field}\``, total.fields[field])),
    `| silent errors (wrong cells in rows without a problem) | ${total.silent} | ${total.cells.of} cells | |`,
    "",
  ].join("\n");
}

/** Whether every target is met. */
function reachesBars(total: Score): boolean {
  const reaches = ({ right, of }: Tally, bar: number) => right >= of * bar;
  return (
    reaches(total.rows, 1) &&
    reaches(total.cells, 0.999) &&
    reaches(total.flags, 0.99) &&
    total.silent === 0 &&
    reaches(total.refusals, 1)
  );
}

/** Reads and scores a folder. @param maxBytes larger files are skipped */
export function scoreFolder(dir: string, maxBytes = Infinity): Score[] {
  const golds = new Set(readdirSync(join(dir, "gold")).map((name) => basename(name, ".json")));
  return readdirSync(dir)
    .filter((name) => golds.has(name.replace(/\.\w+$/, "")) && statSync(join(dir, name)).size <= maxBytes)
    .sort()
    .map((name) => {
      // The gold files are this project's own and have the shape above.
      const gold = JSON.parse(
        readFileSync(join(dir, "gold", `${name.replace(/\.\w+$/, "")}.json`), "utf8"),
      ) as Gold;
      return scoreFiling(name, gold, parseFiling(readFileSync(join(dir, name))));
    });
}

function main(args: readonly string[]): number {
  const option = (name: string): string | undefined =>
    args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const dir = option("--filings") ?? join(import.meta.dir, "../../shared/filings");
  if (!existsSync(dir)) {
    console.error(`No filings at ${dir}: give the folder with --filings DIR`);
    return 1;
  }
  const scores = scoreFolder(dir);
  const card = `${scorecard(scores)}\n${peoTotalsCard()}`;
  console.log(card);
  for (const score of scores) for (const miss of score.misses) console.log(`${score.file}: ${miss}`);
  const out = option("--out");
  if (out !== undefined) writeFileSync(out, `${preface(scores.length)}\n${card}\n${notes(scores)}`);
  return reachesBars(totalOf(scores)) ? 0 : 1;
}

const preface = (filings: number) => `# Accuracy

Written by \`bun run accuracy --out docs/accuracy.md\`, which measures it again. \`parseFiling\` reads each of ${filings} real filings, which
are not part of the repository, from its bytes alone, and the result is compared with gold rows that were entered manually. A
*silent error* is a wrong cell in a row without a problem: the one thing that must not happen.
`;

function notes(scores: readonly Score[]): string {
  const misses = scores.flatMap((score) => score.misses.map((miss) => `- ${score.file}: ${miss}`));
  return misses.length === 0 ? "No misses.\n" : `Every miss:\n\n${misses.join("\n")}\n`;
}

if (import.meta.main) process.exit(main(process.argv.slice(2)));
