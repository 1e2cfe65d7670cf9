/** The name search; what it finds is also in `test/rest/analysis/companies.test.ts`. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { isOneEditApart } from "../../src/domain/spellings.ts";
import { foldedWords } from "../../src/domain/selection.ts";
import { isLegalForm } from "../../src/dataset/search.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { MIN_MISTAKEN } from "../../src/dataset/columns/names.ts";

const dataset = datasetOf(openEmbedded(tmpdir()), "embedded");
const companies = dataset.all<{ name: string; cik: number }>(
  "select name, cik from companies where cik % 200 = 1",
);

test("each company is found by its name, by the beginning of it, and with one letter missing", () => {
  expect(companies.length).toBeGreaterThan(40);
  for (const { name, cik } of companies) {
    const id = String(cik).padStart(10, "0");
    expect(dataset.search(name, 100)).toContain(id);
    const [word = ""] = foldedWords(name).filter((one) => !isLegalForm(one));
    if (word.length > MIN_MISTAKEN)
      expect([word, dataset.search(word.slice(0, -1), 1000)]).toEqual([word, expect.arrayContaining([id])]);
  }
});

test("a mistyped word finds the names that have a word one typing error away, and no others", () => {
  for (const { name, cik } of companies) {
    const words = foldedWords(name).filter((one) => !isLegalForm(one));
    const [word = ""] = words.filter((one) => one.length > MIN_MISTAKEN);
    const mistyped = `${word.slice(0, 2)}qz${word.slice(4)}`;
    if (word === "" || isOneEditApart(word, mistyped)) continue;
    expect(dataset.search(mistyped, 5000)).not.toContain(String(cik).padStart(10, "0"));
  }
  expect(dataset.search("microsft", 1)).toEqual(["0000789019"]);
  expect(dataset.search("Starbuks", 1)).toEqual(["0000829224"]);
});

test("every word has to match a name", () => {
  expect(dataset.search("wells", 1)).toHaveLength(1);
  expect(dataset.search("apple", 1)).toHaveLength(1);
  expect(dataset.search("wells apple", 100)).toEqual([]);
});
