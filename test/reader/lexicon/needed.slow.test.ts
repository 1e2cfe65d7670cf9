/** A sample of `bun scripts/reader-rules.ts`, the same on every run: entries of the lexicons that something needs. */
import { expect, test } from "bun:test";
import { bundleReader, ruleKey } from "../../../scripts/reader-rules/ablation.ts";
import {
  documentNeeding,
  expectations,
  fixtureDocuments,
  layoutDocuments,
  testFiles,
  testNeeding,
} from "../../../scripts/reader-rules.ts";

const EVERY = 29;

test("each entry of a sample is needed by a test or a generated document", async () => {
  const make = await bundleReader();
  const rules = make(null).rules();
  expect(rules.length).toBeGreaterThan(200);
  const documents = expectations(make, [...fixtureDocuments(), ...layoutDocuments(30, 1)]);
  const unneeded = rules
    .filter((_, at) => at % EVERY === 0)
    .filter(
      (rule) =>
        !testNeeding(rule, "named") &&
        documentNeeding(make, rule, documents) === null &&
        !testNeeding(rule, "quick"),
    );
  expect(unneeded.map(ruleKey)).toEqual([]);
}, 600_000);

test("an entry that nothing needs is found", async () => {
  const make = await bundleReader();
  const [rule] = make(null).rules();
  const fixture = fixtureDocuments().slice(0, 1);
  const none = { ...rule, lexicon: "none", at: 0, means: "", pattern: "", source: "" };
  expect(documentNeeding(make, none, expectations(make, fixture))).toBeNull();
  expect(testNeeding(none, "named")).toBe(false);
});

test("the test over all names is asked, that over more unusual documents, and no other slow one", async () => {
  const [rule] = (await bundleReader())(null).rules();
  expect(rule).toBeDefined();
  if (rule === undefined) return;
  expect(testFiles(rule, "names")).toEqual(["test/reader/real-names.slow.test.ts"]);
  expect(testFiles(rule, "quick").filter((file) => file.includes(".slow."))).toEqual([
    "test/reader/unusual.slow.test.ts",
  ]);
  expect(testFiles(rule, "quick").length).toBeGreaterThan(10);
});
