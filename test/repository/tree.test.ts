/** Committed files are where the layout of the repository puts them, and `npm start` installs what `src` imports. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
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
  const imported = [...new Bun.Glob("src/**/*.ts").scanSync(ROOT)].flatMap((file) =>
    transpiler
      .scanImports(readFileSync(join(ROOT, file), "utf8"))
      .map(({ path }) => /^(?:.*node_modules\/)?((?:@[^/]+\/)?[^./][^/]*)/.exec(path)?.[1] ?? "")
      .filter((name) => name !== "" && !/^(?:node|bun):|^bun$/.test(name)),
  );
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect([...new Set(imported), "bun"].toSorted()).toEqual(Object.keys(dependencies).toSorted());
});
