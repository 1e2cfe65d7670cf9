import { expect, test } from "bun:test";
import { isOneEditApart } from "../../src/domain/nearest.ts";
import { MadeInTurns } from "../../src/dataset/in-turns.ts";
import { MIN_MISTAKEN, NearWords } from "../../src/dataset/near-words.ts";
import { seededRandom } from "../support/seeded-random.ts";

test("the words found are those that comparing with every word finds", () => {
  const random = seededRandom(11);
  // Of few letters, so that many are similar.
  const word = (least: number) =>
    Array.from({ length: random.whole(least, least + 3) }, () => random.pick(["a", "b", "c", "é"])).join("");
  const words = [...new Set(Array.from({ length: 600 }, () => word(1)))].sort();
  const nearWords = new MadeInTurns(() => NearWords.of(words)).now();
  let found = 0;
  for (let turn = 0; turn < 300; turn++) {
    const asked = word(MIN_MISTAKEN);
    const near = nearWords.near(asked);
    expect({ asked, near: near.toSorted() }).toEqual({
      asked,
      near: words.filter((one) => isOneEditApart(asked, one)),
    });
    found += near.length;
  }
  expect(found).toBeGreaterThan(300);
});
