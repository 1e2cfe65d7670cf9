/**
 * Holds the reader of filings to documents that nobody has seen: the wide runs that are too long for the tests.
 *
 *     bun run fuzz filings --layouts 20000 --seed 1      laid out from true rows, read back, compared
 *     bun run fuzz filings --mutations 20000 --seed 1    whole documents of ../shared/filings, damaged
 *     bun run fuzz filings --show 4711 --out DIR         one laid-out document and its true rows, as files
 *
 * `--family NAME` keeps to one family, `--minutes N` ends a run early (default 30), `--save DIR` writes each kind of
 * failure as small as it gets. Exit 1 when a reading was silently wrong, refused more than 2%, threw, or was dishonest.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { excerpts, filingsAbsent, FILINGS } from "../../test/support/excerpts.ts";
import { invariantViolations } from "../../test/support/parse-invariants.ts";
import {
  drawPlan,
  expectedRows,
  judge,
  renderDocument,
  report,
  shrink,
  traps,
  type Plan,
  type Verdict,
} from "../../test/support/layouts/index.ts";
import { mutate } from "../../test/support/mutate.ts";

const { values: flags } = parseArgs({
  options: {
    layouts: { type: "string" },
    mutations: { type: "string" },
    seed: { type: "string", default: "1" },
    family: { type: "string" },
    minutes: { type: "string", default: "30" },
    save: { type: "string" },
    show: { type: "string" },
    out: { type: "string", default: "." },
    verbose: { type: "boolean", default: false },
  },
});

/** Milliseconds from which a document is named; an undamaged one takes well under one second. */
const SLOW = 5000;
const began = performance.now();
const late = () => performance.now() - began > Number(flags.minutes) * 60_000;
// One number for a process: read by nothing but the three modes below.
const seed = Number(flags.seed);
if (flags.show !== undefined) process.exitCode = show(drawPlan(Number(flags.show)), flags.out);
else if (flags.layouts !== undefined) process.exitCode = layouts(Number(flags.layouts));
else if (flags.mutations !== undefined) process.exitCode = mutations(Number(flags.mutations));
else {
  console.error("Nothing to do: give --layouts N, --mutations N or --show SEED");
  process.exitCode = 2;
}

function show(plan: Plan, directory: string): number {
  save(plan, directory, `layout-${plan.seed}`);
  console.log(report(plan, judge(plan, parseFiling)));
  return 0;
}

function save(plan: Plan, directory: string, name: string): void {
  mkdirSync(directory, { recursive: true });
  const comparison = judge(plan, parseFiling);
  writeFileSync(join(directory, `${name}.html`), renderDocument(plan));
  writeFileSync(
    join(directory, `${name}.json`),
    `${JSON.stringify({ traps: traps(plan), ...comparison, expected: expectedRows(plan) }, null, 1)}\n`,
  );
}

function layouts(count: number): number {
  const verdicts: Record<Verdict, number> = { exact: 0, refused: 0, flagged: 0, silent: 0 };
  const byFamily = new Map<string, Record<Verdict, number>>();
  const byTrap = new Map<string, number>();
  const kinds = new Map<string, Plan>();
  let done = 0;
  let bytes = 0;
  let falseAlarms = 0;
  for (let at = 0; at < count && !late(); at++) {
    const plan = drawPlan(seed + at);
    if (flags.family !== undefined && plan.family !== flags.family) continue;
    done++;
    bytes += renderDocument(plan).length;
    const comparison = judge(plan, parseFiling);
    verdicts[comparison.verdict]++;
    const family = byFamily.get(plan.family) ?? { exact: 0, refused: 0, flagged: 0, silent: 0 };
    family[comparison.verdict]++;
    byFamily.set(plan.family, family);
    if (comparison.verdict === "exact") {
      if (
        parseFiling(renderDocument(plan)).rows.some(
          (row) => row.problems.length > 0 && row.amounts.unknown_component === 0,
        )
      )
        falseAlarms++;
      continue;
    }
    for (const trap of traps(plan)) byTrap.set(trap, (byTrap.get(trap) ?? 0) + 1);
    if (flags.verbose) console.log(report(plan, comparison));
    const kind = `${comparison.verdict}-${plan.family}`;
    if (!kinds.has(kind)) kinds.set(kind, plan);
  }
  console.log(
    `${done} documents, ${(bytes / 1e6).toFixed(1)} MB, seed ${seed}, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  console.log(
    Object.entries(verdicts)
      .map(([verdict, n]) => `${verdict} ${n} (${((100 * n) / done).toFixed(2)}%)`)
      .join(", "),
  );
  console.log(`exact but with a problem on a row that has none: ${falseAlarms}`);
  console.table(Object.fromEntries([...byFamily].sort()));
  const worst = [...byTrap].sort((a, b) => b[1] - a[1]).slice(0, 25);
  if (worst.length > 0)
    console.log(`traps of the others: ${worst.map(([trap, n]) => `${trap} ${n}`).join(", ")}`);
  if (flags.save !== undefined) {
    for (const [kind, plan] of kinds) {
      const verdict = judge(plan, parseFiling).verdict;
      save(
        shrink(plan, (smaller) => judge(smaller, parseFiling).verdict === verdict),
        flags.save,
        `${kind}-${plan.seed}`,
      );
    }
  }
  return verdicts.silent > 0 || (verdicts.refused + verdicts.flagged) / done > 0.02 ? 1 : 0;
}

function mutations(count: number): number {
  const absent = filingsAbsent();
  if (absent !== null) {
    console.error(`Cannot mutate real documents: ${absent}`);
    return 1;
  }
  const whole = excerpts().map((excerpt) => ({
    file: excerpt.file,
    text: readFileSync(join(FILINGS, excerpt.file), "utf8"),
  }));
  const reasons = new Map<string, number>();
  let failures = 0;
  let done = 0;
  let bytes = 0;
  let slowest = 0;
  for (let at = 0; at < count && !late(); at++) {
    const source = whole[at % whole.length];
    if (source === undefined) break;
    const { text, damage } = mutate(source.text, seed + at);
    const input = new TextEncoder().encode(text);
    bytes += input.length;
    done++;
    const from = performance.now();
    try {
      const parsed = parseFiling(input);
      const wrong = invariantViolations(parsed);
      const reason =
        parsed.status === "refused"
          ? `refused: ${parsed.reason}`
          : parsed.rows.some((row) => row.problems.length > 0) || parsed.problems.length > 0
            ? "parsed, with problems"
            : "parsed";
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (wrong.length > 0 || parsed.reason === "internal") {
        failures++;
        console.log(
          `${source.file} seed ${seed + at} (${damage.join(", ")}): ${parsed.reason === "internal" ? parsed.reasonDetail : wrong[0]}`,
        );
      }
    } catch (error) {
      failures++;
      console.log(`${source.file} seed ${seed + at} (${damage.join(", ")}) threw: ${String(error)}`);
    }
    const took = performance.now() - from;
    if (took > SLOW)
      console.log(
        `${source.file} seed ${seed + at} (${damage.join(", ")}) took ${(took / 1000).toFixed(1)} s`,
      );
    slowest = Math.max(slowest, took);
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${done} of ${count} documents, ${(bytes / 1e6).toFixed(0)} MB, seed ${seed}, ${seconds.toFixed(0)} s, slowest ${(slowest / 1000).toFixed(2)} s, ${failures} failures`,
  );
  for (const [reason, n] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`  ${reason}: ${n}`);
  return failures > 0 || done < count ? 1 : 0;
}
