import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { buildColumns } from "../../src/dataset/columns/columns.ts";
import { sealFile } from "../../src/dataset/seal.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

test("rows and totals of a company that is not there are nobody else's", () => {
  const path = join(tempFolder(), "all.sqlite");
  copyCompiledData(path);
  const edit = (statement: string) => {
    using database = new Database(path);
    database.run("pragma foreign_keys = off");
    database.run(statement);
  };
  edit("delete from companies where cik = 320193");
  sealFile(path);
  const build = () => buildColumns(datasetIn(path), "2026-11-22");
  expect(build).toThrow("has no key 320193");
  edit("delete from ceo_pay where cik = 320193");
  sealFile(path);
  expect(build).toThrow("has no key 320193");
});
