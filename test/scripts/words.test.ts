import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  bannedCode,
  bannedIdentifiers,
  bannedPhrases,
  brokenAnchors,
  brokenCitations,
  checkCitations,
  longChanges,
  missingSources,
  outsideCitations,
} from "../../scripts/words.ts";

const ROOT = join(import.meta.dir, "../..");
const messages = (findings: readonly { line: number; message: string }[]) =>
  findings.map(({ line, message }) => `${line} ${message}`);

describe("banned words", () => {
  test("an identifier is found in code, and not in strings, comments, patterns and templates", () => {
    const source = [
      'const crop = "crop"; // crop',
      "/** crop */",
      "const text = `crop ${crop}`;",
      "const found = /crop/.test(text) && outcrop(crop);",
    ].join("\n");
    expect(
      messages(bannedIdentifiers("src/reader/a.ts", source)).map((found) => found.split(" ")[0]),
    ).toEqual(["1", "3", "4"]);
  });

  test("a name banned in the reader is allowed elsewhere", () => {
    expect(bannedIdentifiers("src/accounts/oauth/a.ts", "const precedents = 1;")).toEqual([]);
    expect(bannedIdentifiers("src/accounts/oauth/a.ts", "const tails = 1;")).toHaveLength(1);
  });

  test("a document that quotes one in backticks is found", () => {
    expect(
      bannedCode("docs/a.md", "Now `crop` is a\n`lateBody` is not crop.").map(({ line }) => line),
    ).toEqual([1, 2]);
  });

  test("a phrase is found in any case and over a line break, and not inside another word", () => {
    const text = "What is\nheld.\n/**\n * Rows typed\n * by eye.\n */\nHis held breath.";
    expect(bannedPhrases("docs/a.md", text).map(({ line }) => line)).toEqual([1, 4]);
    expect(bannedPhrases("docs/a.md", "a grate window")).toEqual([]);
  });
});

describe("citations", () => {
  test.each([
    "docs/contract.md",
    'docs/contract.md, "Price"',
    '`docs/contract.md`, "Order of refusals"',
    "docs/protocols.md, K-4",
    "docs/protocols.md, 3.6",
  ])("%s is valid", (cited) => {
    expect(brokenCitations("src/a.ts", `/** @see ${cited} */`, ROOT)).toEqual([]);
  });

  test.each([
    ["contract.md", "contract.md is not in the repository"],
    ['docs/contract.md, "Prices"', "docs/contract.md has no section Prices"],
    ["docs/protocols.md, K-44", "docs/protocols.md has no section K-44"],
    ["docs/protocols.md, 3.0", "docs/protocols.md has no section 3.0"],
  ])("%s is broken", (cited, message) => {
    expect(messages(brokenCitations("src/a.ts", `/** @see ${cited} */`, ROOT))).toEqual([`1 ${message}`]);
  });

  test("a document may name its neighbor", () => {
    expect(brokenCitations("docs/errors.md", "see contract.md", ROOT)).toEqual([]);
  });

  test("a document that names a missing source file is found", () => {
    const named = "see `app.ts`, `rest/index.ts` and\n`spans.ts`, `test/a.test.ts`, `*.slow.test.ts`";
    const found = missingSources("docs/a.md", named, [
      "src/server/app.ts",
      "src/rest/index.ts",
      "src/lifespans.ts",
    ]);
    expect(messages(found)).toEqual([
      "2 spans.ts is not in the repository",
      "2 test/a.test.ts is not in the repository",
    ]);
  });

  test("a reference to a path outside the repository is found in comments and documents, but not in code", () => {
    const source = '/** Reads `../shared/filings`. */\nconst dir = join(ROOT, "../shared/filings");';
    expect(messages(outsideCitations("src/a.ts", source))).toEqual([
      "1 ../shared is not part of the repository: say what it is",
    ]);
    expect(messages(outsideCitations("docs/a.md", "read from ../shared"))).toHaveLength(1);
  });

  test("a link to a missing heading is found", () => {
    const text = "[a](contract.md#price), [b](https://example.com/#x)\n[c](contract.md#prices), [d](#here)";
    expect(messages(brokenAnchors("docs/errors.md", text, ROOT))).toEqual([
      "2 contract.md#prices is not a heading",
      "2 #here is not a heading",
    ]);
  });

  test("every citation in the repository leads to an existing document and section", () => {
    expect(checkCitations(ROOT)).toEqual([]);
  });
});

test("a line of the changelog is shorter than 120 characters", () => {
  expect(longChanges(`- ${"a".repeat(117)}\n- ${"b".repeat(118)}`).map(({ line }) => line)).toEqual([2]);
});
