import { expect, test } from "bun:test";
import { join } from "node:path";
import { brokenLinks, checkLinks } from "../../scripts/links.ts";

const ROOT = join(import.meta.dir, "../..");
const TRACKED = ["src/server/app.ts", "src/rest/index.ts", "src/lifespans.ts"];
const broken = (file: string, text: string) =>
  brokenLinks(file, text, ROOT, TRACKED).map(({ line, message }) => `${line} ${message}`);

test("every document, section, heading and source file that is pointed to exists", () => {
  expect(checkLinks(ROOT)).toEqual([]);
});

test.each([
  ["docs/contract.md", ""],
  ['docs/contract.md, "Price"', ""],
  ['`docs/contract.md`, "Order of refusals"', ""],
  ["test/contract/protocols.md, K-4", ""],
  ["test/contract/protocols.md, 3.6", ""],
  ["contract.md", "1 contract.md is not in the repository"],
  ['docs/contract.md, "Prices"', "1 docs/contract.md has no section Prices"],
  ["test/contract/protocols.md, K-44", "1 test/contract/protocols.md has no section K-44"],
  ["test/contract/protocols.md, 3.0", "1 test/contract/protocols.md has no section 3.0"],
])("in a comment, %s", (cited, message) => {
  expect(broken("src/a.ts", `/** @see ${cited} */`)).toEqual(message === "" ? [] : [message]);
});

test("a comment names only files and folders that exist, and what is in them; code and text may name any", () => {
  const good =
    '/** `brokenLinks` of `links.ts`, in `scripts/`, as src/rest/index.ts; `x.test.ts` of others. */\nconst a = "none.ts";';
  const tracked = [...TRACKED, "scripts/links.ts", "test/x.test.ts"];
  const told = (text: string) => brokenLinks("src/a.ts", text, ROOT, tracked).map(({ message }) => message);
  expect(told(good)).toEqual([]);
  expect(told("// `answers` of `links.ts`, none.ts\nconst a = 1; // src/grants\n")).toEqual([
    "links.ts has no answers",
    "none.ts is not in the repository",
    "src/grants is not in the repository",
  ]);
});

test("a document may name its neighbor, and no source file or heading that is missing", () => {
  const text = [
    "see contract.md, `app.ts`, `rest/index.ts`, `*.slow.test.ts` and",
    "`spans.ts`, `test/a.test.ts`, [a](contract.md#price), [b](https://example.com/#x)",
    "[c](contract.md#prices), [d](#here)",
  ];
  expect(broken("docs/api.md", text.join("\n"))).toEqual([
    "2 spans.ts is not in the repository",
    "2 test/a.test.ts is not in the repository",
    "3 contract.md#prices is not a heading",
    "3 #here is not a heading",
  ]);
});

test("a path outside the repository is found in comments and documents, and not in code", () => {
  const source = '/** Reads `../shared/filings`. */\nconst dir = join(ROOT, "../shared/filings");';
  expect(broken("src/a.ts", source)).toEqual(["1 ../shared is not part of the repository: say what it is"]);
  expect(broken("docs/a.md", "read from ../shared")).toHaveLength(1);
});
