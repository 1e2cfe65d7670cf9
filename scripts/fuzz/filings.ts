/**
 * Tests the reader on unseen documents: the large runs that take too long for the tests.
 *
 *     bun run fuzz filings --layouts 20000 --seed 1      laid out from true rows, read back, compared
 *     bun run fuzz filings --disturbed 500 --seed 1      generated and real documents with one disturbance each
 *     bun run fuzz filings --mutations 20000 --seed 1    whole real documents, damaged
 *     bun run fuzz filings --show 4711 --out DIR         one laid-out document and its true rows, as files
 *
 * `--family NAME` selects one family of layouts, `--minutes N` ends a run early (default 30), `--save DIR` writes
 * failures. Exits 1 if a result was silently wrong or had another person's row, if more than 2% were refused, or if the
 * reader threw or violated an invariant.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseFiling } from "../../src/reader/pipeline.ts";
import {
  choicesFor,
  DISTURBANCES,
  generatedSample,
  realSamples,
  type Sample,
} from "../../test/support/disturbances/index.ts";
import { type Fault, runDisturbances, type Tally } from "../../test/support/disturbances/run.ts";
import { filingsAbsent, goldDocuments } from "../../test/support/excerpts.ts";
import {
  compare,
  drawPlan,
  expectedRows,
  judge,
  type Plan,
  renderDocument,
  report,
  shrink,
  traps,
  type Verdict,
} from "../../test/support/layouts/index.ts";
import { mutate } from "../../test/support/mutate.ts";
import { hasDoubt, invariantViolations } from "../../test/support/parse-invariants.ts";

const { values: flags } = parseArgs({
  options: {
    layouts: { type: "string" },
    disturbed: { type: "string" },
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

const began = performance.now();
const seed = Number(flags.seed);
const seconds = () => (performance.now() - began) / 1000;
const isLate = () => seconds() > Number(flags.minutes) * 60;

/** Writes one laid-out document with its true rows. */
function saveLayout(plan: Plan, directory: string, name: string): void {
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
function fuzzLayouts(count: number, only: string | undefined): number {
  const verdicts = noVerdicts();
  const byFamily = new Map<string, Verdicts>();
  const byTrap = new Map<string, number>();
  const kinds = new Map<string, Plan>();
  let bytes = 0;
  let falseAlarms = 0;
  for (let at = 0; at < count && !isLate(); at++) {
    const plan = drawPlan(seed + at);
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
    if (flags.verbose) console.log(report(plan, comparison));
    const kind = `${comparison.verdict}-${plan.family}`;
    if (!kinds.has(kind)) kinds.set(kind, plan);
  }
  const done = Object.values(verdicts).reduce((sum, n) => sum + n, 0);
  console.log(`${done} documents, ${(bytes / 1e6).toFixed(1)} MB, seed ${seed}, ${seconds().toFixed(1)} s`);
  console.log(shares(verdicts, done));
  console.log(`exact but with a problem on a row that has none: ${falseAlarms}`);
  console.table(Object.fromEntries([...byFamily].sort()));
  const worst = [...byTrap].sort((a, b) => b[1] - a[1]).slice(0, 25);
  if (worst.length > 0)
    console.log(`traps of the others: ${worst.map(([trap, n]) => `${trap} ${n}`).join(", ")}`);
  if (flags.save !== undefined) saveKinds(kinds, flags.save);
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

/** Applies every disturbance to `count` generated documents, and three times to each real one. */
function fuzzDisturbed(count: number): number {
  const goOn = () => !isLate();
  const generated = Array.from({ length: count }, (_, at) => generatedSample(seed + at));
  const faults = reportFaults("generated", generated, [runDisturbances(generated, parseFiling, { goOn })]);
  const absent = filingsAbsent();
  if (absent !== null) {
    console.log(`Real documents are left out: ${absent}`);
    return faults > 0 ? 1 : 0;
  }
  const real = realSamples(parseFiling);
  const seeds = [0, 1, 2].map((round) => (seed + round) * 1000);
  const more = reportFaults(
    "real",
    real,
    seeds.map((seed) => runDisturbances(real, parseFiling, { seed, goOn })),
  );
  return faults + more > 0 ? 1 : 0;
}

function reportFaults(
  what: string,
  samples: readonly Sample[],
  runs: readonly ReturnType<typeof runDisturbances>[],
): number {
  const rows = new Map<string, Tally>();
  for (const { tallies } of runs)
    for (const [name, tally] of tallies) {
      const sum = rows.get(name);
      // The keys of a tally.
      if (sum === undefined) rows.set(name, { ...tally });
      else for (const key of Object.keys(tally) as (keyof Tally)[]) sum[key] += tally[key];
    }
  const faults = runs.flatMap((one) => one.faults);
  const documents = [...rows.values()].reduce((sum, tally) => sum + tally.documents, 0);
  console.table(Object.fromEntries(rows));
  console.log(
    `${what}: ${samples.length} documents, ${documents} disturbed, ${faults.length} faults, ${seconds().toFixed(0)} s`,
  );
  const notRead = new Set(runs.flatMap((one) => one.notRead));
  if (notRead.size > 0) console.log(`not read undisturbed: ${[...notRead].join(", ")}`);
  const shown = new Map<string, number>();
  for (const fault of faults) {
    const count = shown.get(fault.disturbance) ?? 0;
    shown.set(fault.disturbance, count + 1);
    if (count < 2 || flags.verbose)
      console.log(
        `${fault.verdict}: ${fault.sample}, ${fault.disturbance} (${fault.seed}): ${fault.differences.slice(0, 2).join("; ")}`,
      );
    if (count === 0 && flags.save !== undefined) save(fault, samples, flags.save);
  }
  return faults.length;
}

function save(fault: Fault, samples: readonly Sample[], folder: string): void {
  const sample = samples.find(({ name }) => name === fault.sample);
  const disturbance = DISTURBANCES.find(({ name }) => name === fault.disturbance);
  if (sample === undefined || disturbance === undefined) return;
  mkdirSync(folder, { recursive: true });
  const name = `${fault.disturbance} ${fault.sample}`.replaceAll(/\W+/g, "-");
  writeFileSync(
    join(folder, `${name}.html`),
    disturbance.apply(sample, choicesFor(sample, fault.seed)) ?? "",
  );
}

/** Milliseconds of CPU time above which a document is reported; an undamaged one takes well under one second. */
const SLOW = 5000;

/** Damages the real documents as a whole, cycling through them `count` times. */
function fuzzMutations(count: number): number {
  const absent = filingsAbsent();
  if (absent !== null) {
    console.error(`Cannot mutate real documents: ${absent}`);
    return 1;
  }
  const whole = goldDocuments();
  const outcomes = new Map<string, number>();
  let failures = 0;
  let done = 0;
  let bytes = 0;
  let slowest = 0;
  for (let at = 0; at < count && !isLate(); at++) {
    const source = whole[at % whole.length];
    if (source === undefined) break;
    const { text, damage } = mutate(source.text, seed + at);
    const input = new TextEncoder().encode(text);
    bytes += input.length;
    done++;
    const name = `${source.file} seed ${seed + at} (${damage.join(", ")})`;
    const from = process.cpuUsage();
    const { outcome, wrong } = read(input);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (wrong !== null) {
      failures++;
      console.log(`${name}: ${wrong}`);
    }
    const { user, system } = process.cpuUsage(from);
    const took = (user + system) / 1000;
    if (took > SLOW) console.log(`${name} took ${(took / 1000).toFixed(1)} s of CPU time`);
    slowest = Math.max(slowest, took);
  }
  console.log(
    `${done} of ${count} documents, ${(bytes / 1e6).toFixed(0)} MB, seed ${seed}, ${seconds().toFixed(0)} s, slowest ${(slowest / 1000).toFixed(2)} s of CPU time, ${failures} failures`,
  );
  for (const [outcome, n] of [...outcomes].sort((a, b) => b[1] - a[1])) console.log(`  ${outcome}: ${n}`);
  return failures > 0 || done < count ? 1 : 0;
}

/** The outcome of one document, and the violations that must never occur. */
function read(input: Uint8Array): { outcome: string; wrong: string | null } {
  try {
    const parsed = parseFiling(input);
    if (parsed.status === "refused") {
      const wrong =
        parsed.reason === "internal" ? `internal: ${parsed.reasonDetail}` : invariantViolations(parsed)[0];
      return { outcome: `refused: ${parsed.reason}`, wrong: wrong ?? null };
    }
    const problems = parsed.problems.length > 0 || parsed.rows.some((row) => row.problems.length > 0);
    return {
      outcome: problems ? "parsed, with problems" : "parsed",
      wrong: invariantViolations(parsed)[0] ?? null,
    };
  } catch (error) {
    return { outcome: "threw", wrong: `threw: ${String(error)}` };
  }
}

if (flags.show !== undefined) {
  const plan = drawPlan(Number(flags.show));
  saveLayout(plan, flags.out, `layout-${plan.seed}`);
  console.log(report(plan, judge(plan, parseFiling)));
} else if (flags.layouts !== undefined) process.exitCode = fuzzLayouts(Number(flags.layouts), flags.family);
else if (flags.disturbed !== undefined) process.exitCode = fuzzDisturbed(Number(flags.disturbed));
else if (flags.mutations !== undefined) process.exitCode = fuzzMutations(Number(flags.mutations));
else {
  console.error("Nothing to do: give --layouts N, --disturbed N, --mutations N or --show SEED");
  process.exitCode = 2;
}
