/**
 * Lists unneeded entries of the reader's lexicons: leaves out one entry at a time and checks whether a test fails or a
 * document is read differently: a fixture, a generated layout, one with a disturbance, a real filing.
 *
 *     bun scripts/reader-rules.ts [--lexicon NAME,NAME] [--layouts 400] [--verbose]
 *
 * Exits 1 if an entry could be removed.
 */
import { parseArgs } from "node:util";
import { bundleReader, type Rule } from "./reader-rules/ablation.ts";
import { filingDocuments, fixtureDocuments, layoutDocuments } from "./reader-rules/corpus.ts";
import { documentNeeding, expectations, testNeeding } from "./reader-rules/needs.ts";

const { values: flags } = parseArgs({
  options: {
    lexicon: { type: "string" },
    layouts: { type: "string", default: "400" },
    verbose: { type: "boolean", default: false },
  },
});

/** Number of documents to read before a test is started. */
const FEW = 30;
const began = performance.now();
const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;
const make = await bundleReader();
const asked = make(null)
  .rules()
  .filter(({ lexicon }) => flags.lexicon === undefined || flags.lexicon.split(",").includes(lexicon));
const filings = filingDocuments();
if (filings.length === 0)
  console.log("Real filings are absent: only fixtures and generated documents are read");
const documents = expectations(make, [
  ...fixtureDocuments(),
  ...layoutDocuments(Number(flags.layouts), 1),
  ...filings,
]);
console.log(`${asked.length} entries, ${documents.documents.length} documents read in ${seconds()}`);

const unneeded: Rule[] = [];
const neededBy = { "its test": 0, "a document": 0, "another test": 0 };
for (const rule of asked) {
  // Reading a few documents is faster than starting a test, and a test is faster than reading all of them.
  let document = documentNeeding(make, rule, documents, 0, FEW);
  if (document !== null) neededBy["a document"]++;
  else if (testNeeding(rule, "named")) neededBy["its test"]++;
  else {
    document = documentNeeding(make, rule, documents, FEW);
    if (document !== null) neededBy["a document"]++;
    else if (testNeeding(rule, "quick") || (/name|title/.test(rule.lexicon) && testNeeding(rule, "names")))
      neededBy["another test"]++;
    else {
      unneeded.push(rule);
      console.log(`not needed: ${rule.lexicon} ${rule.means} ${rule.pattern} (${rule.source})`);
    }
  }
  if (flags.verbose && document !== null)
    console.log(`${rule.lexicon} ${rule.means} ${rule.pattern}: ${document}`);
}
console.log(
  `needed by ${Object.entries(neededBy)
    .map(([what, n]) => `${what} ${n}`)
    .join(", ")}; by nothing ${unneeded.length} of ${asked.length}; ${seconds()}`,
);
process.exitCode = unneeded.length > 0 ? 1 : 0;
