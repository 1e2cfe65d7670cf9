import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Known } from "../../src/reader/pipeline.ts";
import { choicesFor, DISTURBANCES, generatedSample } from "../../test/support/disturbances/index.ts";
import { filingsAbsent, FILINGS } from "../../test/support/excerpts.ts";
import { drawPlan, renderDocument } from "../../test/support/layouts/index.ts";

/** A document to read with and without an entry. */
export interface Document {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly known: Known;
}

const FIXTURES = join(import.meta.dir, "../../test/reader/fixtures");

/** The handwritten difficult documents. */
export function fixtureDocuments(): Document[] {
  return readdirSync(FIXTURES)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .map((name) => {
      const rows = readFileSync(join(FIXTURES, name.replace(/\.txt$/, ".tsv")), "utf8");
      const form = /^# form: (.*)$/m.exec(rows)?.[1];
      return {
        name: `fixture ${name.slice(0, 2)}`,
        bytes: readFileSync(join(FIXTURES, name)),
        known: form === undefined ? {} : { form },
      };
    });
}

/** Generated documents: as laid out, then with one disturbance each. */
export function layoutDocuments(count: number, seed: number): Document[] {
  const plain = Array.from({ length: count }, (_, at) => ({
    name: `layout ${seed + at}`,
    bytes: renderDocument(drawPlan(seed + at)),
    known: {},
  }));
  const disturbed = Array.from({ length: Math.ceil(count / 2) }, (_, at): Document[] => {
    const sample = generatedSample(seed + at);
    const disturbance = DISTURBANCES[at % DISTURBANCES.length];
    const text = disturbance?.apply(sample, choicesFor(sample, seed + at)) ?? null;
    if (disturbance === undefined || text === null) return [];
    return [
      { name: `${sample.name}, ${disturbance.name}`, bytes: new TextEncoder().encode(text), known: {} },
    ];
  });
  return [...plain, ...disturbed.flat()];
}

/** The real documents; none if they are absent. */
export function filingDocuments(): Document[] {
  if (filingsAbsent() !== null) return [];
  return readdirSync(FILINGS)
    .filter((name) => /\.(?:htm|txt)$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(FILINGS, name)), known: {} }));
}
