/** Committed files are where the layout of the repository puts them, and `npm start` installs what `src` imports. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const sources = [...new Bun.Glob("src/**/*.ts").scanSync(ROOT)].map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), "utf8"),
}));
const committed = Bun.spawnSync(["git", "ls-files", "-z"], { cwd: ROOT });

test.skipIf(!committed.success)("no tool output is committed at the top level", () => {
  const top = new Set(
    committed.stdout
      .toString()
      .split("\0")
      .filter((path) => path !== "")
      .map((path) => path.split("/")[0] ?? ""),
  );
  expect([...top].toSorted()).toEqual([
    ".ci",
    ".editorconfig",
    ".github",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "bun.lock",
    "bunfig.toml",
    "data",
    "docs",
    "package.json",
    "scripts",
    "src",
    "test",
    "tsconfig.json",
  ]);
});

test("every package that src imports is a dependency, and every dependency is imported", () => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const imported = sources.flatMap(({ text }) =>
    transpiler
      .scanImports(text)
      .map(({ path }) => /^(?:.*node_modules\/)?((?:@[^/]+\/)?[^./][^/]*)/.exec(path)?.[1] ?? "")
      .filter((name) => name !== "" && !/^(?:node|bun):|^bun$/.test(name)),
  );
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect([...new Set(imported), "bun"].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

test("the files that import each required package are those that the decision names", () => {
  const decision = readFileSync(join(ROOT, "docs/decisions/packages.md"), "utf8");
  const lines = [...decision.matchAll(/^\| (@?[a-z0-9/-]+) \| ([^|]+?)(?:; through [^|]+)? \|/gm)];
  expect(lines.length).toBe(6);
  for (const [, name = "", cell = ""] of lines) {
    const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    const importing = sources
      .filter(({ text }) => new RegExp(`(?:from|import|import\\() ?"${name}["/]`).test(text))
      .map(({ file }) => file.replace("src/", ""));
    expect([name, importing.filter((file) => !named.some((path) => file.startsWith(path)))]).toEqual([
      name,
      [],
    ]);
    expect([name, named.filter((path) => !importing.some((file) => file.startsWith(path)))]).toEqual([
      name,
      [],
    ]);
  }
});
