import { expect, test } from "bun:test";
import { isOneEditApart } from "../../src/domain/spellings.ts";
import { foldedWords } from "../../src/domain/selection.ts";
import { wordIndex } from "../../src/dataset/columns/names.ts";
import { seededRandom } from "../support/seeded-random.ts";

const LETTERS = "aeinorstz";

test("near words are those that a comparison with every word finds", () => {
  const random = seededRandom(7);
  const letter = () => LETTERS[random.whole(0, LETTERS.length - 1)];
  const word = () => Array.from({ length: random.whole(4, 7) }, letter).join("");
  const names = [...new Set(Array.from({ length: 3000 }, word)), "Łukasz Zoë", "日本語文"];
  const known = [...new Set(names.flatMap(foldedWords))].sort();
  const index = wordIndex(names);
  let found = 0;
  for (const sought of [...Array.from({ length: 300 }, word), "lukaz", "日本文", "zo", "nowhere"]) {
    const expected = known.filter((one) => isOneEditApart(sought, one));
    expect([sought, index.near(sought)]).toEqual([sought, expected]);
    found += expected.length;
  }
  expect(found).toBeGreaterThan(100);
});
