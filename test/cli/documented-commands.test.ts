/** Each command line that a document has in a code block is one that the program takes. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseLine } from "../../src/cli/parse-line.ts";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";

const ROOT = join(import.meta.dir, "../..");
const FILES = [
  "README.md",
  "data/README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "docs/examples/README.md",
];

/** What a document leaves open, as somebody would fill it in. */
const FILLED: Readonly<Record<string, string>> = { "…": "Ann Lee ann@example.com" };

/** Where a shell runs the program: after variables, or after a pipe. */
const COMMAND_LINE =
  /^\s*(?:[A-Z_]+=(?:'[^']*'|\S*) |printf [^|]*\| |.* -- )*(?:\S*\/)?(?:execcomp|bun src\/main\.ts) (.*)$/;

/** The arguments of each call in the code blocks, without what the shell takes: variables, pipes, comments. */
function linesOf(text: string): string[][] {
  const blocks = [...text.matchAll(/^\s*```\w*\n([\s\S]*?)^\s*```/gm)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .replaceAll("\\\n", " ")
      .split("\n")
      .flatMap((line) => {
        const [, given] = COMMAND_LINE.exec(line) ?? [];
        if (given === undefined) return [];
        const ours = given.replace(/\s+(#|\|\||&&|\||>).*$/, "");
        return [
          [...ours.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => {
            const word = a ?? b ?? c ?? "";
            return FILLED[word] ?? word;
          }),
        ];
      }),
  );
}

test("command lines in documents are read by the program", async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const file of FILES)
    for (const words of linesOf(readFileSync(join(ROOT, file), "utf8"))) {
      count++;
      const pair = words.slice(0, 2).join(" ");
      const name = COMMAND_NAMES.includes(pair) ? pair : (words[0] ?? "");
      try {
        parseLine(await loadCommand(name), words.slice(name.split(" ").length), COMMAND_NAMES, {});
      } catch (error) {
        wrong.push(`${file}: ${words.join(" ")}: ${String(error)}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(40);
});
