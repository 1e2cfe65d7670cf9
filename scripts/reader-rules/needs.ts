import { readdirSync } from "node:fs";
import { join } from "node:path";
import { outcomeOf, ruleKey, type MakeReader, type Rule } from "./ablation.ts";
import type { Document } from "./corpus.ts";

const ROOT = join(import.meta.dir, "../..");
const TESTS = "test/reader";
/** The one slow test that is run: over all names of `data/`. */
const NAMES = "real-names.slow.test.ts";
/** Run with the quick ones: most kinds of unusual documents occur only in its seeds. */
const UNUSUAL = "unusual.slow.test.ts";

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
      noting.parse(document.bytes, document.known);
      return { document, outcome: outcomeOf(plain.parse(document.bytes, document.known)), hits };
    }),
    unnoted,
  };
}

/**
 * The first document that is read differently without the rule, or null. Documents in which it matches come first,
 * small before large.
 *
 * @param from index of the first of them to read
 * @param to index after the last
 */
export function documentNeeding(
  make: MakeReader,
  rule: Rule,
  { documents, unnoted }: Expectations,
  from = 0,
  to = Infinity,
): string | null {
  const key = ruleKey(rule);
  const named = (one: Expected): boolean => rule.source.includes(one.document.name);
  const rank = (one: Expected): number => (named(one) ? 0 : one.hits.has(key) ? 1 : 2);
  const without = make(rule);
  const needing = documents
    .filter((one) => rank(one) < 2 || (unnoted.has(rule.lexicon) && !one.document.name.startsWith("layout")))
    .sort((a, b) => rank(a) - rank(b) || a.document.bytes.length - b.document.bytes.length)
    .slice(from, to)
    .find(({ document, outcome }) => outcomeOf(without.parse(document.bytes, document.known)) !== outcome);
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
  const run = Bun.spawnSync(
    [
      process.execPath,
      "test",
      "--bail",
      "--timeout=300000",
      "--preload",
      "./scripts/reader-rules/leave-out.ts",
      ...files,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, EXECCOMP_LEFT_OUT: ruleKey(rule) },
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  if (run.exitCode === 0) return false;
  // Any other reason for a run to stop does not prove a need.
  if (!/^\(fail\)/m.test(run.stderr.toString())) throw new Error(run.stderr.toString());
  return true;
}
