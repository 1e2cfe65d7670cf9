import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasDoubt } from "../../../test/support/parse-invariants.ts";
import { parseFiling } from "../../../src/reader/pipeline.ts";
import {
  compare,
  drawPlan,
  expectedRows,
  judge,
  renderDocument,
  report,
  shrink,
  traps,
  type Plan,
  type Verdict,
} from "../../../test/support/layouts/index.ts";
import type { FuzzRun } from "./run.ts";

/** Writes one laid-out document with its true rows. */
export function saveLayout(plan: Plan, directory: string, name: string): void {
  mkdirSync(directory, { recursive: true });
  const comparison = judge(plan, parseFiling);
  writeFileSync(join(directory, `${name}.html`), renderDocument(plan));
  writeFileSync(
    join(directory, `${name}.json`),
    `${JSON.stringify({ traps: traps(plan), ...comparison, expected: expectedRows(plan) }, null, 1)}\n`,
  );
}

type Verdicts = Record<Verdict, number>;

const noVerdicts = (): Verdicts => ({ exact: 0, refused: 0, flagged: 0, silent: 0 });

/** Lays out `count` filings from true rows, reads them back and compares. */
export function fuzzLayouts(count: number, run: FuzzRun, only: string | undefined): number {
  const verdicts = noVerdicts();
  const byFamily = new Map<string, Verdicts>();
  const byTrap = new Map<string, number>();
  const kinds = new Map<string, Plan>();
  let bytes = 0;
  let falseAlarms = 0;
  for (let at = 0; at < count && !run.late(); at++) {
    const plan = drawPlan(run.seed + at);
    if (only !== undefined && plan.family !== only) continue;
    const document = renderDocument(plan);
    bytes += document.length;
    const parsed = parseFiling(document);
    const comparison = compare(parsed, expectedRows(plan));
    verdicts[comparison.verdict]++;
    const family = byFamily.get(plan.family) ?? noVerdicts();
    family[comparison.verdict]++;
    byFamily.set(plan.family, family);
    if (comparison.verdict === "exact") {
      if (parsed.rows.some((row) => hasDoubt(row) && row.amounts.unknown_component === 0)) falseAlarms++;
      continue;
    }
    for (const trap of traps(plan)) byTrap.set(trap, (byTrap.get(trap) ?? 0) + 1);
    if (run.verbose) console.log(report(plan, comparison));
    const kind = `${comparison.verdict}-${plan.family}`;
    if (!kinds.has(kind)) kinds.set(kind, plan);
  }
  const done = Object.values(verdicts).reduce((sum, n) => sum + n, 0);
  console.log(
    `${done} documents, ${(bytes / 1e6).toFixed(1)} MB, seed ${run.seed}, ${run.seconds().toFixed(1)} s`,
  );
  console.log(shares(verdicts, done));
  console.log(`exact but with a problem on a row that has none: ${falseAlarms}`);
  console.table(Object.fromEntries([...byFamily].sort()));
  const worst = [...byTrap].sort((a, b) => b[1] - a[1]).slice(0, 25);
  if (worst.length > 0)
    console.log(`traps of the others: ${worst.map(([trap, n]) => `${trap} ${n}`).join(", ")}`);
  if (run.save !== undefined) saveKinds(kinds, run.save);
  return verdicts.silent > 0 || (verdicts.refused + verdicts.flagged) / done > 0.02 ? 1 : 0;
}

function shares(verdicts: Verdicts, done: number): string {
  return Object.entries(verdicts)
    .map(([verdict, n]) => `${verdict} ${n} (${((100 * n) / done).toFixed(2)}%)`)
    .join(", ");
}

function saveKinds(kinds: ReadonlyMap<string, Plan>, folder: string): void {
  for (const [kind, plan] of kinds) {
    const { verdict } = judge(plan, parseFiling);
    const small = shrink(plan, (smaller) => judge(smaller, parseFiling).verdict === verdict);
    saveLayout(small, folder, `${kind}-${plan.seed}`);
  }
}
