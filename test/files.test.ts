import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { flush, replaceFile } from "../src/files.ts";
import { temporaryFolder } from "./support/accounts.ts";

test("a file is replaced atomically, or stays unchanged without leftovers", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "note");
  replaceFile(file, "one", 0o600);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["one", 0o600]);
  replaceFile(file, "two", 0o600);
  expect(readFileSync(file, "utf8")).toBe("two");
  // A folder that is not empty cannot be replaced by a file.
  mkdirSync(join(folder.path, "folder", "full"), { recursive: true });
  expect(() => replaceFile(join(folder.path, "folder"), "three")).toThrow();
  expect(readdirSync(folder.path).sort()).toEqual(["folder", "note"]);
});

test("files and folders are flushed; a missing one is an error", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "note");
  replaceFile(file, "one");
  flush(file);
  flush(folder.path);
  expect(() => flush(join(folder.path, "missing"))).toThrow("ENOENT");
});
