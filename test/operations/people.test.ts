import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { chiefsNamed } from "../../src/operations/people.ts";

const database = new Database(":memory:");
database.run("create table ceo_pay (cik integer, fiscal_year integer, peo_name text, basis text)");
for (const [cik, year, name, basis] of [
  [1, 2023, "Kim Dang", "tag"],
  [1, 2024, "Kim Dang", "tag"],
  [2, 2025, "Kim S. Dangler", "tag"],
  [3, 2025, "Kim Dang", "row"],
  [4, 2022, "Ana Dang-Ruiz", "tag"],
] as const)
  database.run("insert into ceo_pay values (?, ?, ?, ?)", [cik, year, name, basis]);

// What the search reads of a dataset.
const dataset = {
  read: (query: (db: BunSQLiteDatabase) => unknown) => query(drizzle(database)),
  findByCik: (cik: string) => ({ cik, name: "X", ticker: "X" }),
} as unknown as Dataset;

test("chief executives known by their total alone are found by whole words of their names, with their years", () => {
  expect(chiefsNamed(dataset, ["kim", "dang"])).toMatchObject([
    { name: "Kim Dang", years: [2024, 2023], company: { cik: "0000000001" } },
  ]);
  expect(chiefsNamed(dataset, ["dang"]).map(({ name }) => name)).toEqual(["Kim Dang", "Ana Dang-Ruiz"]);
  expect(chiefsNamed(dataset, ["ki"])).toEqual([]);
  expect(chiefsNamed(dataset, ["kim", "nobody"])).toEqual([]);
  expect(chiefsNamed(dataset, [])).toEqual([]);
});
