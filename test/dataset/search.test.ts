/** How the name search is built; what it finds is in `test/rest/analysis/companies.test.ts`. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { companySearch } from "../../src/dataset/search.ts";

const fresh = () => datasetOf(openEmbedded(tmpdir()), "embedded");

test("no slice reads more than a page, and there are as many as the companies require", () => {
  const dataset = fresh();
  let read = 0;
  const counting: Dataset = {
    ...dataset,
    all<Row>(...asked: Parameters<Dataset["all"]>): Row[] {
      const found = dataset.all<Row>(...asked);
      read += found.length;
      return found;
    },
  };
  const slices: number[] = [];
  for (const making = companySearch(counting); making.next().done !== true; read = 0) slices.push(read);
  expect(Math.max(...slices)).toBeLessThanOrEqual(4096);
  expect(slices.length).toBeGreaterThan(dataset.info.companies / 256);
  // Companies are read with their former names and memberships: no page of them is much longer than another.
  const ofCompanies = slices.slice(0, Math.floor(dataset.info.companies / 256));
  expect(Math.max(...ofCompanies)).toBeLessThan(1500);
});

test("built in slices it finds the same as built in one go, each company by its name", async () => {
  const [inTurns, inOneGo] = [fresh(), fresh()];
  const making = inTurns.searchReady();
  expect(making).toBeInstanceOf(Promise);
  expect(inTurns.searchReady()).toBe(making);
  await making;
  expect(inTurns.searchReady()).toBeUndefined();
  const companies = inOneGo.all<{ name: string; cik: number }>(
    "select name, cik from companies where cik % 200 = 1",
  );
  expect(companies.length).toBeGreaterThan(40);
  for (const { name, cik } of companies) {
    const found = inTurns.search(name, 100);
    expect(found).toContain(String(cik).padStart(10, "0"));
    for (const asked of [name, name.slice(0, 4), `${name.slice(0, 3)}${name.slice(4)}`]) {
      expect(inTurns.search(asked, 100)).toEqual(inOneGo.search(asked, 100));
    }
  }
});

test("every word has to match a name", async () => {
  const dataset = fresh();
  await dataset.searchReady();
  expect(dataset.search("wells", 1)).toHaveLength(1);
  expect(dataset.search("apple", 1)).toHaveLength(1);
  expect(dataset.search("wells apple", 100)).toEqual([]);
});
