/** Committed files are where the layout of the repository puts them. */
import { expect, test } from "bun:test";
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
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
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
