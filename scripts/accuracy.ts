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
import type { ParsedFiling, ParsedRow } from "../src/reader/parsed.ts";
import { assemble } from "../src/dataset/assemble.ts";
import { Database, type SQLQueryBindings } from "bun:sqlite";
import { formatAmount, unitsOf } from "../src/domain/amount.ts";
import { readCeoPay } from "../src/dataset/ceo-pay.ts";
import { checkPeoTag } from "../src/dataset/peo-tags.ts";
import { ceoTotalsOf, companyFiles, peoTagsOf, readCompany } from "./compile-data.ts";
import type { CompanyRecord } from "../src/dataset/record.ts";
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

/** How the dataset's principal executive officers compare with the totals that filers tag, and which tags are doubtful. */
export function peoTotalsCard(): string {
  const data = join(import.meta.dir, "../data");
  const tags = Map.groupBy(peoTagsOf(data), ({ cik }) => cik);
  const counts = { agrees: 0, scaled: 0, differs: 0, absent: 0 };
  const records = companyFiles(data).map((path) => readCompany(data, path));
  for (const record of records) {
    const assembled = assemble(record);
    for (const tag of (tags.get(record.cik) ?? []).filter(({ provider }) => provider !== "proxy"))
      counts[checkPeoTag(record, assembled, tag).kind]++;
  }
  using database = new Database(join(data, "snapshot.sqlite"), { readonly: true });
  const all = <Row>(sql: string, ...values: SQLQueryBindings[]) =>
    database.query<Row, SQLQueryBindings[]>(sql).all(...values);
  const pay = readCeoPay({ all });
  const rows = pay.filter(({ basis }) => basis === "row");
  const doubted = pay.filter(({ doubts }) => doubts.length > 0);
  const restated = pay.flatMap(({ ticker, fiscalYear, cents, restated: other }) =>
    other === null ? [] : [{ ticker, fiscalYear, cents, there: other.cents, filingDate: other.filingDate }],
  );
  return [
    "## Totals of principal executive officers",
    "",
    `${counts.agrees} of ${counts.agrees + counts.scaled + counts.differs} tags of a year whose own filing is loaded agree with its row (${counts.scaled} in another scale, ${counts.differs} differ),`,
    "matched by the end of the fiscal year, to one unit. A difference is recorded as a problem of that row and changes no amount.",
    `\`ceo_pay\` has ${pay.length} records: ${rows.length} rows, ${rows.filter(({ confirmedByTag }) => confirmedByTag).length} of them confirmed by a tag, and ${pay.length - rows.length} totals alone.`,
    "Tagged totals: NM AI Research, *ceo-pay-scorecard*, CC BY 4.0, DOI 10.5281/zenodo.21445815; the SEC's XBRL frames as collected by TruNorth; what proxies print and tag for",
    "up to five years, as collected by the S&P 500 Executive Compensation Tracker.",
    "",
    ...averagesCard(records),
    "",
    "A newer proxy prints another total for these. The row keeps what its own filing printed, the record names both, and none is in doubt:",
    "",
    "| Company | Year | Row | Newer proxy | Filed |",
    "|---|---|---|---|---|",
    ...restated.map(
      ({ ticker, fiscalYear, cents, filingDate, there }) =>
        `| ${ticker} | ${fiscalYear} | ${formatAmount(unitsOf(cents))} | ${formatAmount(unitsOf(there))} | ${filingDate} |`,
    ),
    "",
    "A former chief executive whose row is in no loaded table has a record of the total alone beside the row, also with a part of a",
    "year's pay; a figure tagged with the period of another year (CCI, MTCH, BRO) confirms that year; a tag in round thousands (NOC,",
    "XYL) is the total rounded. All others that differ are in doubt and in the table below.",
    "",
    "A total is left out of rankings and statistics if two sources differ, or if its scale is implausible: above a billion; below",
    "20,000 unless a neighbouring year is higher and not a thousand times as high; below a fiftieth of the other officers' average",
    "unless another year is within a factor of ten. What the rule finds in the embedded tags, and what is known of each:",
    "",
    "| Company | Year | Total | Doubt | What is known |",
    "|---|---|---|---|---|",
    ...doubted.map(
      ({ ticker, fiscalYear, cents, doubts }) =>
        `| ${ticker} | ${fiscalYear} | ${formatAmount(cents / 100)} | ${doubts.map(({ code }) => code).join(", ")} | ${KNOWN[ticker] ?? "not examined"} |`,
    ),
    "",
    "Not hit, and rightly so: Welltower 821,090,355 (a ten-year award), CrowdStrike 247,579,143, Veeva 172,436,000 and a year later",
    "470,833, Axon 164,525,721 and a year later 40,001 (at the third rule there is no average to compare with), Airbnb 186,326 and",
    "242,122 (two years confirm each other), DoorDash 318,518, TTEC 63,536. A total wrong by a thousand that stays between these",
    "bounds is not found: a small company that tags dollars as thousands, or the reverse.",
  ].join("\n");
}

/** Where the average of the other officers' rows of a complete year is not the one that a proxy tags: a check, never served. */
function averagesCard(records: readonly CompanyRecord[]): string[] {
  const totals = Map.groupBy(ceoTotalsOf(join(import.meta.dir, "../data")), ({ cik }) => cik);
  let equal = 0;
  const differing: string[] = [];
  for (const record of records) {
    const { rows, years } = assemble(record);
    for (const { fiscalYear } of years.filter(({ complete, collected }) => complete && collected !== true)) {
      const ofYear = (totals.get(record.cik) ?? []).filter((one) => one.fiscalYear === fiscalYear);
      const tagged = ofYear.flatMap(({ othersAverage }) => othersAverage ?? []);
      const others = rows.filter((row) => row.fiscalYear === fiscalYear && !row.isPeo);
      const average =
        others.reduce((sum, { amounts }) => sum + amounts.total_compensation, 0) / others.length / 100;
      if (tagged.length === 0) continue;
      if (tagged.some((one) => Math.abs(one - average) <= 1.5)) equal++;
      else
        differing.push(
          `${record.symbols[0]} ${fiscalYear} (${formatAmount(Math.round(average))}, tagged ${formatAmount(tagged[0] ?? 0)})`,
        );
    }
  }
  return [
    `The average of the other officers is the tagged one in ${equal} of ${equal + differing.length} complete years that were typed or linked. Not in ${differing.join(", ")}:`,
    "restated by the newer proxy (DASH, GEHC, COST, JPM), or a filer's list with somebody else (AIG, F, SBUX). All rows were looked at; none is wrong.",
  ];
}

/** What is known of each doubtful total. */
const KNOWN: Readonly<Record<string, string>> = {
  UHAL: "a thousand times too high, like the average of its other officers",
  LMAT: "a thousand times too high, like the average of its other officers",
  DVN: "in thousands, in all years",
  SMCI: "in thousands",
  XYZ: "Jack Dorsey's salary is known to be 2.75; nothing here confirms that it is all he was paid",
  SNYR: "probably in thousands",
  MUX: "Robert McEwen is known to take a salary of 1; the figure is probably true",
  CWH: "Marcus Lemonis is known to take no salary; the figure is probably true",
  KVYO: "a founder with a small salary; the figure is probably true",
  PAGP: "the holding company of PAA: one person, one total",
  AVB: "the tag is the average of its other officers of 2023",
  KMI: "Steven Kean is known to take a salary of 1; the figures are probably true",
  NEE: "its pay-versus-performance table prints another total than its table of 2026",
  SO: "its pay-versus-performance table prints 665 more than its table of 2026",
  PLTR: "the table of 2026 prints 4,360,170; 4,630,170 was tagged the year before: digits exchanged",
};

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
  if (out !== undefined) writeFileSync(out, `${PREFACE}\n${card}\n${notes(scores)}`);
  return reachesBars(totalOf(scores)) ? 0 : 1;
}

const PREFACE = `# Accuracy

Written by \`bun run accuracy --out docs/accuracy.md\`, which measures it again. \`parseFiling\` reads each of 33 real filings, which
are not part of the repository, from its bytes alone, and the result is compared with gold rows that were entered manually. A
*silent error* is a wrong cell in a row without a problem: the one thing that must not happen.
`;

function notes(scores: readonly Score[]): string {
  const misses = scores.flatMap((score) => score.misses.map((miss) => `- ${score.file}: ${miss}`));
  return misses.length === 0 ? "No misses.\n" : `Every miss:\n\n${misses.join("\n")}\n`;
}

if (import.meta.main) process.exit(main(process.argv.slice(2)));
