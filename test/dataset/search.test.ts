/** The name search; what it finds is also in `test/rest/analysis/companies.test.ts`. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { isOneEditApart } from "../../src/domain/spellings.ts";
import { foldedWords } from "../../src/domain/selection.ts";
import { isLegalForm } from "../../src/dataset/search.ts";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
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

const symbols = dataset.all<{ symbol: string; cik: number; former: number; rows: number }>(
  "select symbol, s.cik, former, row_count as rows from symbols s join companies c on c.cik = s.cik order by symbol",
);
const idOf = (cik: number) => String(cik).padStart(10, "0");

test("an exact symbol of today finds its company first, with rows or without", () => {
  const current = symbols.filter(({ former }) => former === 0);
  expect(current.length).toBeGreaterThan(8000);
  const some = current.filter(({ rows }, at) => rows > 0 || at % 20 === 7);
  expect(some.filter(({ rows }) => rows === 0).length).toBeGreaterThan(400);
  const found = some.map(({ symbol }) => [symbol, dataset.search(symbol.toLowerCase(), 1)[0]]);
  expect(found).toEqual(some.map(({ symbol, cik }) => [symbol, idOf(cik)]));
});

test.each([
  ["G", "GENPACT"],
  ["AL", "AIR LEASE"],
  ["AIR", "AAR"],
  ["CON", "Concentra"],
  ["CDRE", "Cadre"],
  ["BF-B", "Brown-Forman"],
  ["bf.b", "Brown-Forman"],
  ["BF", "Brown-Forman"],
  ["BRK", "Berkshire"],
  ["BRK/A", "Berkshire"],
  ["mog", "MOOG"],
  ["KMI", "Kinder Morgan"],
  ["Kinder Morgan", "Kinder Morgan"],
  ["Ford", "Ford Motor"],
  ["Chase", "JPMorgan Chase"],
  ["FB", "Meta"],
])("%s is %s", (text, name) => {
  const [cik = ""] = dataset.search(text, 1);
  expect(dataset.findByCik(cik)?.name.toLowerCase()).toStartWith(name.toLowerCase());
});

test("a former symbol is found first, but not before the name of a company with rows that is the same word", () => {
  const listed = new Map(
    dataset
      .all<{ cik: number; name: string }>("select cik, coalesce(listed_name, '') as name from companies")
      .map(({ cik, name }) => [idOf(cik), name]),
  );
  const former = symbols.filter(({ former: is }, at) => is === 1 && at % 9 === 4);
  expect(former.length).toBeGreaterThan(100);
  for (const { symbol, cik } of former) {
    const [first = ""] = dataset.search(symbol, 1);
    const word = ` ${foldedWords(symbol).join(" ")} `;
    const company = dataset.findByCik(first);
    const names = [company?.name ?? "", listed.get(first) ?? ""];
    const named =
      company?.hasRows === true && names.some((name) => ` ${foldedWords(name).join(" ")} `.includes(word));
    expect([symbol, first === idOf(cik) || named]).toEqual([symbol, true]);
  }
});
