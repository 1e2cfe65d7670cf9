/**
 * Tests the reader on unseen documents: the large runs that take too long for the tests.
 *
 *     bun run fuzz filings --layouts 20000 --seed 1      laid out from true rows, read back, compared
 *     bun run fuzz filings --disturbed 500 --seed 1      generated and real documents with one disturbance each
 *     bun run fuzz filings --mutations 20000 --seed 1    whole real documents, damaged
 *     bun run fuzz filings --show 4711                   one laid-out document with its true rows
 *
 * `--minutes N` ends a run early (default 30). Exits 1 if a result was silently wrong or had another person's row, if more than 2% were
 * refused, or if the reader threw or violated an invariant.
 */
import { parseArgs } from "node:util";
import { parseFiling } from "../../src/reader/pipeline.ts";
import { generatedSample, realSamples, type Sample } from "../../test/support/disturbances/index.ts";
import { runDisturbances } from "../../test/support/disturbances/run.ts";
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
  type Verdict,
} from "../../test/support/layouts/index.ts";
import { mutate } from "../../test/support/mutate.ts";
import { invariantViolations } from "../../test/support/parse-invariants.ts";

const { values: flags } = parseArgs({
  options: {
    layouts: { type: "string" },
    disturbed: { type: "string" },
    mutations: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "30" },
    show: { type: "string" },
  },
});

const began = performance.now();
const seed = Number(flags.seed);
const isLate = () => performance.now() - began > Number(flags.minutes) * 60_000;

/** Lays out filings from true rows, reads them back, compares, and reports the first of each kind of failure, shrunk. */
function fuzzLayouts(count: number): number {
  const verdicts: Record<Verdict, number> = { exact: 0, refused: 0, flagged: 0, silent: 0 };
  const kinds = new Map<string, Plan>();
  for (let at = 0; at < count && !isLate(); at++) {
    const plan = drawPlan(seed + at);
    const { verdict } = compare(parseFiling(renderDocument(plan)), expectedRows(plan));
    verdicts[verdict]++;
    const kind = `${verdict} ${plan.family}`;
    if (verdict !== "exact" && !kinds.has(kind)) kinds.set(kind, plan);
  }
  for (const plan of kinds.values()) {
    const { verdict } = judge(plan, parseFiling);
    const small = shrink(plan, (smaller) => judge(smaller, parseFiling).verdict === verdict);
    console.log(report(small, judge(small, parseFiling)));
  }
  const done = Object.values(verdicts).reduce((sum, n) => sum + n, 0);
  const shares = Object.entries(verdicts).map(
    ([name, n]) => `${name} ${n} (${((100 * n) / done).toFixed(2)}%)`,
  );
  console.log(`${done} documents from seed ${seed}: ${shares.join(", ")}`);
  return verdicts.silent > 0 || (verdicts.refused + verdicts.flagged) / done > 0.02 ? 1 : 0;
}

/** Applies every disturbance to generated documents, and three times to each real one. */
function fuzzDisturbed(count: number): number {
  const generated = Array.from({ length: count }, (_, at) => generatedSample(seed + at));
  let faults = faultsIn("generated", generated, [undefined]);
  const absent = filingsAbsent();
  if (absent === null) faults += faultsIn("real", realSamples(parseFiling), [seed, seed + 1000, seed + 2000]);
  else console.log(`Real documents are left out: ${absent}`);
  return faults > 0 ? 1 : 0;
}

function faultsIn(what: string, samples: readonly Sample[], seeds: readonly (number | undefined)[]): number {
  const goOn = () => !isLate();
  const runs = seeds.map((from) =>
    runDisturbances(samples, parseFiling, { goOn, ...(from === undefined ? {} : { seed: from }) }),
  );
  const faults = runs.flatMap((run) => run.faults);
  for (const { verdict, sample, disturbance, seed: from, differences } of faults.slice(0, 20))
    console.log(`${verdict}: ${sample}, ${disturbance} (${from}): ${differences.slice(0, 2).join("; ")}`);
  const notRead = new Set(runs.flatMap((run) => run.notRead));
  if (notRead.size > 0) console.log(`not read undisturbed: ${[...notRead].join(", ")}`);
  console.log(`${what}: ${samples.length} documents, ${faults.length} faults`);
  return faults.length;
}

/** CPU milliseconds above which a document is reported; an undamaged one takes well under one second. */
const SLOW = 5000;

/** Damages the real documents as a whole, cycling through them. */
function fuzzMutations(count: number): number {
  const absent = filingsAbsent();
  if (absent !== null) throw new Error(`Cannot mutate real documents: ${absent}`);
  const whole = goldDocuments();
  let [done, failures] = [0, 0];
  for (let at = 0; at < count && !isLate(); at++) {
    const source = whole[at % whole.length];
    if (source === undefined) break;
    const { text, damage } = mutate(source.text, seed + at);
    const from = process.cpuUsage();
    const wrong = wrongWith(new TextEncoder().encode(text));
    const { user, system } = process.cpuUsage(from);
    const slow = user + system > SLOW * 1000 ? `took ${((user + system) / 1e6).toFixed(1)} s of CPU` : null;
    if (wrong !== null) failures++;
    if (wrong ?? slow)
      console.log(`${source.file} seed ${seed + at} (${damage.join(", ")}): ${wrong ?? slow}`);
    done++;
  }
  console.log(`${done} of ${count} damaged documents from seed ${seed}, ${failures} failures`);
  return failures > 0 || done < count ? 1 : 0;
}

/** What must never occur, or null. */
function wrongWith(input: Uint8Array): string | null {
  try {
    const parsed = parseFiling(input);
    const isInternal = parsed.status === "refused" && parsed.reason === "internal";
    return isInternal ? `internal: ${parsed.reasonDetail}` : (invariantViolations(parsed)[0] ?? null);
  } catch (error) {
    return `threw: ${String(error)}`;
  }
}

if (flags.show !== undefined) {
  const plan = drawPlan(Number(flags.show));
  console.log(new TextDecoder().decode(renderDocument(plan)));
  console.log(JSON.stringify({ ...judge(plan, parseFiling), expected: expectedRows(plan) }, null, 1));
} else if (flags.layouts !== undefined) process.exitCode = fuzzLayouts(Number(flags.layouts));
else if (flags.disturbed !== undefined) process.exitCode = fuzzDisturbed(Number(flags.disturbed));
else if (flags.mutations !== undefined) process.exitCode = fuzzMutations(Number(flags.mutations));
else {
  console.error("Nothing to do: give --layouts N, --disturbed N, --mutations N or --show SEED");
  process.exitCode = 2;
}
