import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  checkFile,
  detachedDocblocks,
  checkTree,
  IMPORTS,
  importsOf,
  layerOf,
} from "../../scripts/layers.ts";

const ROOT = dirname(dirname(import.meta.dir));
const messages = (file: string, source: string) => checkFile(file, source).map((breach) => breach.message);

test("the source conforms to the import table", () => {
  expect(checkTree(ROOT).map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([]);
});

test("the import table has no cycles", () => {
  const visiting = new Set<string>();
  const walk = (layer: string): void => {
    expect(visiting.has(layer)).toBe(false);
    visiting.add(layer);
    for (const next of IMPORTS[layer] ?? []) walk(next);
    visiting.delete(layer);
  };
  for (const layer of Object.keys(IMPORTS)) walk(layer);
});

test("every part that the table names is a part of the table", () => {
  for (const allowed of Object.values(IMPORTS))
    for (const layer of allowed) expect(IMPORTS).toHaveProperty(layer);
});

describe("imports", () => {
  test("types, values, side effects, re-exports and dynamic imports are all detected", () => {
    const source = [
      'import { a } from "./a.ts";',
      'import type { B } from "./b.ts";',
      "import {",
      "  c,",
      '} from "./c.ts";',
      'import "./d.ts";',
      'export * from "./e.ts";',
      'const f = await import("./f.ts");',
      '// import { g } from "./g.ts";',
      'const text = "// import";',
    ].join("\n");
    expect(importsOf(source)).toEqual([
      { module: "./a.ts", line: 1 },
      { module: "./b.ts", line: 2 },
      { module: "./c.ts", line: 3 },
      { module: "./d.ts", line: 6 },
      { module: "./e.ts", line: 7 },
      { module: "./f.ts", line: 8 },
    ]);
  });

  test("the parts of the reader import only from those before them", () => {
    const importing = (file: string, target: string) => messages(file, `import { a } from "${target}";`);
    expect(importing("src/reader/table/cells/cells.ts", "../header/header.ts")).toEqual([]);
    expect(importing("src/reader/officers/titles.ts", "../clean-text.ts")).toEqual([]);
    expect(importing("src/reader/table/cells/cells.ts", "../people/people.ts")).toEqual([
      "table/cells comes before table/people in reader and may not import it",
    ]);
    expect(importing("src/reader/officers/titles.ts", "../table/rows/entries.ts")).toEqual([
      "officers comes before table/rows in reader and may not import it",
    ]);
    expect(importing("src/reader/values/years.ts", "../pipeline.ts")).toEqual([
      "values comes before pipeline in reader and may not import it",
    ]);
    expect(importing("src/reader/somewhere/new.ts", "../clean-text.ts")).toEqual([
      `"somewhere" is not in the order of the parts of reader in scripts/layers.ts`,
    ]);
  });

  test("what pages share imports no page, and their parts import neither", () => {
    const importing = (file: string, target: string) => messages(file, `import { a } from "${target}";`);
    expect(importing("src/web/pages/home.ts", "../paid-page.ts")).toEqual([]);
    expect(importing("src/web/index.ts", "./admin/pages.ts")).toEqual([]);
    expect(importing("src/web/paid-page.ts", "./pages/home.ts")).toEqual([
      "shared comes before pages in web and may not import it",
    ]);
    expect(importing("src/web/parts/tables.ts", "../paid-page.ts")).toEqual([
      "parts comes before shared in web and may not import it",
    ]);
    expect(importing("src/web/admin/users.ts", "../index.ts")).toEqual([
      "pages comes before index in web and may not import it",
    ]);
  });

  test("a file at the top of src is its own part", () => {
    expect([layerOf("src/log.ts"), layerOf("src/rest/index.ts"), layerOf("src/ingest/a/b.ts")]).toEqual([
      "log",
      "rest",
      "ingest",
    ]);
  });

  const bad: [name: string, file: string, source: string, told: RegExp][] = [
    [
      "domain imports the store",
      "src/domain/x.ts",
      'import { a } from "../store/open.ts";',
      /domain may not/,
    ],
    ["only a type of it", "src/domain/x.ts", 'import type { A } from "../store/open.ts";', /domain may not/],
    [
      "surfaces import each other",
      "src/rest/x.ts",
      'import { a } from "../mcp/tools.ts";',
      /surfaces do not/,
    ],
    ["serving imports ingest", "src/operations/x.ts", 'import { a } from "../ingest/index.ts";', /may not/],
    ["a surface imports ingest", "src/rest/x.ts", 'import { a } from "../ingest/index.ts";', /may not/],
    ["data from elsewhere", "src/rest/x.ts", 'import a from "../../data/snapshot.sqlite";', /embedded\.ts/],
    ["scripts from src", "src/rest/x.ts", 'import a from "../../scripts/check.ts";', /nothing from/],
    ["an unlisted folder", "src/misc/x.ts", "", /not in the import table/],
    ["domain imports node", "src/domain/x.ts", 'import { readFileSync } from "node:fs";', /pure/],
    ["elysia in operations", "src/operations/x.ts", 'import { Elysia } from "elysia";', /belongs to/],
    ["drizzle in a surface", "src/rest/x.ts", 'import { eq } from "drizzle-orm";', /belongs to/],
    ["MCP's kit in rest", "src/rest/x.ts", 'import { S } from "@modelcontextprotocol/sdk/x.js";', /belongs/],
  ];
  test.each(bad)("refused: %s", (_name, file, source, told) => {
    expect(messages(file, source)).toEqual([expect.stringMatching(told)]);
  });

  const good: [name: string, file: string, source: string][] = [
    ["data by the one file", "src/dataset/embedded.ts", 'import a from "../../data/snapshot.sqlite";'],
    ["itself", "src/rest/x.ts", 'import { a } from "./decode.ts";'],
    ["downwards", "src/rest/x.ts", 'import { a } from "../operations/facts.ts";'],
    ["a package", "src/domain/x.ts", 'import { type } from "arktype";'],
  ];
  test.each(good)("allowed: %s", (_name, file, source) => {
    expect(messages(file, source)).toEqual([]);
  });
});

describe("bans", () => {
  const bad: [name: string, file: string, source: string, told: RegExp][] = [
    ["the clock", "src/accounts/rate-limits/x.ts", "const t = Date.now();", /^clock/],
    ["the clock by new Date", "src/accounts/rate-limits/x.ts", "const t = new Date();", /^clock/],
    ["the clock by performance", "src/accounts/rate-limits/x.ts", "const t = performance.now();", /^clock/],
    ["the clock in a template", "src/accounts/rate-limits/x.ts", "const t = `at ${Date.now()}`;", /^clock/],
    ["randomness", "src/accounts/x.ts", "const r = Math.random();", /^randomness/],
    ["random ids", "src/accounts/x.ts", "const r = crypto.randomUUID();", /^randomness/],
    ["the environment", "src/rest/x.ts", "const p = process.env.PORT;", /^environment/],
    ["Bun's environment", "src/rest/x.ts", "const p = Bun.env.PORT;", /^environment/],
    ["the network", "src/ingest/x.ts", "const r = await fetch(url);", /^network/],
    ["files in domain", "src/domain/x.ts", "const f = Bun.file(path);", /^io in domain/],
    ["timers in domain", "src/domain/x.ts", "setTimeout(next, 1);", /^io in domain/],
    ["HTTP in operations", "src/operations/x.ts", "return Response.json(rows);", /^http outside/],
    ["a collection that blocks all callers", "src/cli/x.ts", "Bun.gc(true);", /^full collection/],
    ["an async transaction", "src/store/x.ts", "db.transaction(async (tx) => {});", /^async transaction/],
    ["an async immediate", "src/store/x.ts", "run.immediate(async () => {});", /^async transaction/],
    ["state of a module", "src/rest/x.ts", "let count = 0;", /^module state/],
    ["a cache of a module", "src/rest/x.ts", "const cache = new Map<string, number>();", /^module state/],
    ["the console", "src/rest/x.ts", 'console.log("x");', /^console/],
    ["an exit", "src/cli/x.ts", "process.exit(1);", /^exit/],
    ["an export without a docstring", "src/rest/x.ts", "export function f() {}", /docstring/],
    ["a cast without a reason", "src/rest/x.ts", "const a = b as C;", /cast/],
    ["a cast through unknown", "src/rest/x.ts", "const a = b as unknown as C;", /cast/],
  ];
  test.each(bad)("refused: %s", (_name, file, source, told) => {
    expect(messages(file, source)).toEqual([expect.stringMatching(told)]);
  });

  const good: [name: string, file: string, source: string][] = [
    ["the clock where it is read", "src/runtime.ts", "const t = Date.now();"],
    ["a date of a known time", "src/rest/x.ts", "const d = new Date(atMs);"],
    ["a word in a string", "src/domain/x.ts", 'const says = "Date.now() Bun.file process.env";'],
    ["a word in a comment", "src/domain/x.ts", "// Date.now() is not for us"],
    ["the environment where it is read", "src/config/load.ts", "const p = process.env;"],
    ["a fetch handed in", "src/ingest/x.ts", "const r = await runtime.fetch(url);"],
    ["a synchronous transaction", "src/store/x.ts", "db.transaction((tx) => {});"],
    ["a constant table", "src/rest/x.ts", 'const NAMES = new Map([["a", 1]]);'],
    ["a documented export", "src/rest/x.ts", "/** Does f. */\nexport function f() {}"],
    ["a type that says what it is", "src/rest/x.ts", "export interface Price {}"],
    ["a cast with a reason", "src/rest/x.ts", "// b was read by C's schema\nconst a = b as C;"],
    ["as const", "src/rest/x.ts", "const a = [1] as const;"],
    ["a renamed import", "src/rest/x.ts", 'import { a as b } from "./y.ts";'],
  ];
  test.each(good)("allowed: %s", (_name, file, source) => {
    expect(messages(file, source)).toEqual([]);
  });
});

test("words in a template are text, code in it is code", () => {
  const file = "src/web/x.ts";
  expect(messages(file, "const a = html`shown as they are, console.log(${1}) \\` as it`;\n")).toEqual([]);
  const hidden = "const a = `${b.map((c) => `${c} ${console.log({ c })}`)} as is`;\n";
  expect(messages(file, hidden)).toEqual([expect.stringContaining("console")]);
});

test("imports in a circle are a lint error, those of types too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-circle-"));
  try {
    writeFileSync(join(folder, "a.ts"), 'import type { B } from "./b.ts";\nexport type A = B;\n');
    writeFileSync(join(folder, "b.ts"), 'import type { C } from "./c.ts";\nexport type B = C;\n');
    writeFileSync(join(folder, "c.ts"), 'import type { A } from "./a.ts";\nexport type C = A[];\n');
    const lint = Bun.spawn(
      [process.execPath, "x", "--bun", "oxlint", "-c", `${ROOT}/scripts/oxlint.json`, folder],
      {
        cwd: ROOT,
        stdout: "pipe",
      },
    );
    expect([await new Response(lint.stdout).text(), await lint.exited]).toEqual([
      expect.stringContaining("no-cycle"),
      1,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("disabling a lint rule requires a reason, such as for a long function", () => {
  const off = (rest: string) =>
    messages("src/rest/x.ts", `// oxlint-disable-next-line max-lines-per-function${rest}`);
  expect(off("")).toEqual(["a lint rule switched off without its reason behind --"]);
  expect(off(" --")).toHaveLength(1);
  expect(off(" -- its methods share the queue")).toEqual([]);
});

test("a function of more than 60 lines in the source is a lint error", () => {
  const config = JSON.parse(readFileSync(`${ROOT}/scripts/oxlint.json`, "utf8"));
  expect(config.overrides).toEqual([
    { files: ["**/src/**"], rules: { "max-lines-per-function": ["error", { max: 60 }] } },
  ]);
});

test("a docblock stands at the head of a file or directly above what it describes", () => {
  const lines = (source: string) => detachedDocblocks("src/a.ts", source).map(({ line }) => line);
  const good =
    '/** A file. */\nimport { a } from "./a.ts";\n\n/**\n * Why.\n */\n// A remark.\nconst b = a;\n';
  expect(lines(good)).toEqual([]);
  expect(lines(good.replace("// A remark.", ""))).toEqual([4]);
  expect(lines(`${good}\n/** One. */\n/** Two. */\nconst c = b;\nif (c) {\n  /** Nothing. */\n}\n`)).toEqual([
    10, 14,
  ]);
});
