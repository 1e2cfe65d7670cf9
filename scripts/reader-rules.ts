/**
 * Lists unneeded entries of the reader's lexicons: leaves out one entry at a time and checks whether a test fails or a
 * document is read differently: a fixture, a generated layout, one with a disturbance, a real filing.
 *
 *     bun scripts/reader-rules.ts [--lexicon NAME,NAME] [--layouts 400] [--verbose]
 *
 * Exits 1 if an entry could be removed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { GivenFacts } from "../src/reader/pipeline.ts";
import { choicesFor, DISTURBANCES, generatedSample } from "../test/support/disturbances/index.ts";
import { FILINGS, filingsAbsent } from "../test/support/excerpts.ts";
import { drawPlan, renderDocument } from "../test/support/layouts/index.ts";
import { bundleReader, type MakeReader, outcomeOf, type Rule, ruleKey } from "./reader-rules/ablation.ts";

const ROOT = join(import.meta.dir, "..");
const FIXTURES = join(ROOT, "test/reader/fixtures");
const TESTS = "test/reader";
/** The one slow test that is run: over all names of `data/`. */
const NAMES = "real-names.slow.test.ts";
/** Run with the quick ones: most kinds of unusual documents occur only in its seeds. */
const UNUSUAL = "unusual.slow.test.ts";

/** A document to read with and without an entry. */
export interface Document {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly facts: GivenFacts;
}

/** The handwritten difficult documents. */
export function fixtureDocuments(): Document[] {
  return documentsIn(FIXTURES, /\.txt$/).map(({ name, bytes }) => {
    const rows = readFileSync(join(FIXTURES, name.replace(/\.txt$/, ".tsv")), "utf8");
    const form = /^# form: (.*)$/m.exec(rows)?.[1];
    return { name: `fixture ${name.slice(0, 2)}`, bytes, facts: form === undefined ? {} : { form } };
  });
}

/** Generated documents: as laid out, then with one disturbance each. */
export function layoutDocuments(count: number, seed: number): Document[] {
  const plain = Array.from({ length: count }, (_, at) => ({
    name: `layout ${seed + at}`,
    bytes: renderDocument(drawPlan(seed + at)),
    facts: {},
  }));
  const disturbed = Array.from({ length: Math.ceil(count / 2) }, (_, at): Document[] => {
    const sample = generatedSample(seed + at);
    const disturbance = DISTURBANCES[at % DISTURBANCES.length];
    const text = disturbance?.apply(sample, choicesFor(sample, seed + at)) ?? null;
    if (disturbance === undefined || text === null) return [];
    return [
      { name: `${sample.name}, ${disturbance.name}`, bytes: new TextEncoder().encode(text), facts: {} },
    ];
  });
  return [...plain, ...disturbed.flat()];
}

function documentsIn(folder: string, names: RegExp): Document[] {
  const files = readdirSync(folder).filter((name) => names.test(name));
  return files.sort().map((name) => ({ name, bytes: readFileSync(join(folder, name)), facts: {} }));
}

/** A document with the result of reading it, and the rules that match some text in it. */
interface Expected {
  readonly document: Document;
  readonly outcome: string;
  readonly hits: ReadonlySet<string>;
}

/**
 * The expected results of all documents, and the lexicons whose entries go into other patterns, where matches are not
 * observed.
 */
export interface Expectations {
  readonly documents: readonly Expected[];
  readonly unnoted: ReadonlySet<string>;
}

/** Reads every document once with all rules, recording which rules ever match. */
export function expectations(make: MakeReader, documents: readonly Document[]): Expectations {
  let hits = new Set<string>();
  const noting = make(null, (rule) => hits.add(rule));
  const unnoted = hits;
  const plain = make(null);
  return {
    documents: documents.map((document) => {
      hits = new Set();
      noting.parse(document.bytes, document.facts);
      return { document, outcome: outcomeOf(plain.parse(document.bytes, document.facts)), hits };
    }),
    unnoted,
  };
}

/**
 * The first document that is read differently without the rule, or null. Documents in which it matches come first,
 * small before large.
 */
export function documentNeeding(
  make: MakeReader,
  rule: Rule,
  { documents, unnoted }: Expectations,
): string | null {
  const key = ruleKey(rule);
  const named = (one: Expected): boolean => rule.source.includes(one.document.name);
  const rank = (one: Expected): number => (named(one) ? 0 : one.hits.has(key) ? 1 : 2);
  const without = make(rule);
  const needing = documents
    .filter((one) => rank(one) < 2 || (unnoted.has(rule.lexicon) && !one.document.name.startsWith("layout")))
    .sort((a, b) => rank(a) - rank(b) || a.document.bytes.length - b.document.bytes.length)
    .find(({ document, outcome }) => outcomeOf(without.parse(document.bytes, document.facts)) !== outcome);
  return needing?.document.name ?? null;
}

/**
 * Which tests of the reader are run: those that the rule's source names, all quick ones plus the test of more unusual
 * documents, or the one over all names of `data/`.
 */
export type Tests = "named" | "quick" | "names";

/** The files of those tests. */
export function testFiles(rule: Rule, which: Tests): string[] {
  const names = (name: string): boolean => name === NAMES;
  const all = readdirSync(join(ROOT, TESTS), { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      names(name) ||
      name === UNUSUAL ||
      (name.endsWith(".test.ts") && !name.endsWith(".slow.test.ts") && !/disturb|growth/.test(name)),
  );
  const named = (name: string): boolean => {
    const base = name.slice(name.lastIndexOf("/") + 1).replace(/(?:\.slow)?\.test\.ts$/, "");
    return (
      new RegExp(`(?:^|[\\s;,/])${base}\\.test`).test(rule.source) ||
      // The cases of the officers' lexicons are in one file for several tests.
      (name.startsWith("officers/") && rule.source.includes("cases"))
    );
  };
  return all
    .filter((name) => (which === "named" ? named(name) : names(name) === (which === "names")))
    .map((name) => join(TESTS, name));
}

/** Whether a test fails without the rule. */
export function testNeeding(rule: Rule, which: Tests): boolean {
  const files = testFiles(rule, which);
  if (files.length === 0) return false;
  const flags = ["--bail", "--timeout=300000", "--preload", "./scripts/reader-rules/leave-out.ts"];
  const run = Bun.spawnSync([process.execPath, "test", ...flags, ...files], {
    cwd: ROOT,
    env: { ...process.env, EXECCOMP_LEFT_OUT: ruleKey(rule) },
  });
  if (run.exitCode === 0) return false;
  // Any other reason for a run to stop does not prove a need.
  if (!/^\(fail\)/m.test(run.stderr.toString())) throw new Error(run.stderr.toString());
  return true;
}

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: {
      lexicon: { type: "string" },
      layouts: { type: "string", default: "400" },
      verbose: { type: "boolean", default: false },
    },
  });
  const make = await bundleReader();
  const all = make(null).rules();
  const rules = all.filter(({ lexicon }) => flags.lexicon?.split(",").includes(lexicon) ?? true);
  const filings = filingsAbsent() === null ? documentsIn(FILINGS, /\.(?:htm|txt)$/) : [];
  if (filings.length === 0) console.log(`Only fixtures and generated documents are read: ${filingsAbsent()}`);
  const generated = layoutDocuments(Number(flags.layouts), 1);
  const documents = expectations(make, [...fixtureDocuments(), ...generated, ...filings]);
  console.log(`${rules.length} entries, ${documents.documents.length} documents`);
  let unneeded = 0;
  for (const rule of rules) {
    const text = `${rule.lexicon} ${rule.means} ${rule.pattern}`;
    const document = testNeeding(rule, "named") ? "its test" : documentNeeding(make, rule, documents);
    const isNeeded =
      document !== null ||
      testNeeding(rule, "quick") ||
      (/name|title/.test(rule.lexicon) && testNeeding(rule, "names"));
    if (!isNeeded) unneeded++;
    if (!isNeeded) console.log(`not needed: ${text} (${rule.source})`);
    else if (flags.verbose) console.log(`${text}: ${document ?? "another test"}`);
  }
  console.log(`${unneeded} of ${rules.length} are needed by nothing`);
  return unneeded > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main();
