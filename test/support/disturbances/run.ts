import type { ParsedFiling } from "../../../src/reader/parsed-filing.ts";
import { choicesFor, DISTURBANCES, judgeRows, type Disturbance, type Outcome, type Sample } from "./index.ts";

/** Outcomes of the readings of one disturbance, and how many samples had no place for it. */
export interface Tally extends Record<Outcome["verdict"], number> {
  documents: number;
  "no place": number;
}

/** A document that was silently misread, or got a row of another person. */
export interface Fault {
  readonly sample: string;
  readonly disturbance: string;
  readonly seed: number;
  readonly verdict: Outcome["verdict"];
  readonly differences: readonly string[];
}

/** The findings of a run over many samples. */
export interface DisturbedRun {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly faults: readonly Fault[];
  /** Samples that are misread even undisturbed, so that they prove nothing when disturbed. */
  readonly notRead: readonly string[];
}

type Parse = (bytes: Uint8Array) => ParsedFiling;

/** The choices made, the share of the work done, and when to stop early. */
export interface RunOptions {
  readonly seed?: number;
  /** Keeps every n-th pair of a sample and a disturbance. */
  readonly every?: number;
  readonly goOn?: () => boolean;
}

/** Applies the disturbances, one at a time, to each sample. */
export function runDisturbances(
  samples: readonly Sample[],
  parse: Parse,
  { seed = 0, every = 1, goOn = () => true }: RunOptions = {},
): DisturbedRun {
  const tallies = new Map<string, Tally>();
  const faults: Fault[] = [];
  const notRead: string[] = [];
  for (const [number, sample] of samples.entries()) {
    if (!goOn()) break;
    if (judge(sample.text, sample, parse).verdict !== "exact") {
      notRead.push(sample.name);
      continue;
    }
    for (const [at, disturbance] of DISTURBANCES.entries()) {
      if ((number + at) % every !== 0) continue;
      const outcome = disturbed(sample, disturbance, seed + at, parse);
      const tally = tallies.get(disturbance.name) ?? newTally();
      tallies.set(disturbance.name, tally);
      if (outcome === null) {
        tally["no place"]++;
        continue;
      }
      tally.documents++;
      tally[outcome.verdict]++;
      if (isRight(outcome, disturbance)) continue;
      faults.push({ sample: sample.name, disturbance: disturbance.name, seed: seed + at, ...outcome });
    }
  }
  return { tallies, faults, notRead };
}

/**
 * Correct is an exact reading, or one that says where it may be wrong; but a heading in between leaves no doubt whose
 * table it is. A heading for another year does: some filers print one table per year.
 */
function isRight({ verdict }: Outcome, { name }: Disturbance): boolean {
  if (verdict === "foreign, told") return /no heading$|^prior year/.test(name);
  return verdict === "exact" || verdict === "told";
}

/** Reads one sample with one disturbance; null if the sample has no place for it. */
export function disturbed(
  sample: Sample,
  disturbance: Disturbance,
  seed: number,
  parse: Parse,
): Outcome | null {
  const text = disturbance.apply(sample, choicesFor(sample, seed));
  return text === null ? null : judge(text, sample, parse);
}

function judge(text: string, sample: Sample, parse: Parse): Outcome {
  return judgeRows(parse(new TextEncoder().encode(text)), sample.rows);
}

function newTally(): Tally {
  return { documents: 0, "no place": 0, exact: 0, told: 0, "foreign, told": 0, foreign: 0, silent: 0 };
}
