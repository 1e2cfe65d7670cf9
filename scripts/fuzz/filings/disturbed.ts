import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseFiling } from "../../../src/reader/pipeline.ts";
import { filingsAbsent } from "../../../test/support/excerpts.ts";
import {
  choicesFor,
  DISTURBANCES,
  generatedSample,
  realSamples,
  type Sample,
} from "../../../test/support/disturbances/index.ts";
import { runDisturbances, type Fault, type Tally } from "../../../test/support/disturbances/run.ts";
import type { FuzzRun } from "./run.ts";

/** Applies every disturbance to `count` generated documents, and three times to each real one. */
export function fuzzDisturbed(count: number, run: FuzzRun): number {
  const goOn = (): boolean => !run.late();
  const generated = Array.from({ length: count }, (_, at) => generatedSample(run.seed + at));
  const faults = report("generated", generated, [runDisturbances(generated, parseFiling, { goOn })], run);
  const absent = filingsAbsent();
  if (absent !== null) {
    console.log(`Real documents are left out: ${absent}`);
    return faults > 0 ? 1 : 0;
  }
  const real = realSamples(parseFiling);
  const seeds = [0, 1, 2].map((round) => (run.seed + round) * 1000);
  const more = report(
    "real",
    real,
    seeds.map((seed) => runDisturbances(real, parseFiling, { seed, goOn })),
    run,
  );
  return faults + more > 0 ? 1 : 0;
}

function report(
  what: string,
  samples: readonly Sample[],
  runs: readonly ReturnType<typeof runDisturbances>[],
  run: FuzzRun,
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
    `${what}: ${samples.length} documents, ${documents} disturbed, ${faults.length} faults, ${run.seconds().toFixed(0)} s`,
  );
  const notRead = new Set(runs.flatMap((one) => one.notRead));
  if (notRead.size > 0) console.log(`not read undisturbed: ${[...notRead].join(", ")}`);
  const shown = new Map<string, number>();
  for (const fault of faults) {
    const count = shown.get(fault.disturbance) ?? 0;
    shown.set(fault.disturbance, count + 1);
    if (count < 2 || run.verbose)
      console.log(
        `${fault.verdict}: ${fault.sample}, ${fault.disturbance} (${fault.seed}): ${fault.differences.slice(0, 2).join("; ")}`,
      );
    if (count === 0 && run.save !== undefined) save(fault, samples, run.save);
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
