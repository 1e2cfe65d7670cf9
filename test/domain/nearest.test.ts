import { expect, test } from "bun:test";
import { isOneEditApart } from "../../src/domain/spellings.ts";

const LETTERS = "abc";

/** All words of up to four letters. */
function everyWord(): string[] {
  let [all, longest] = [[""], [""]];
  for (let length = 1; length <= 4; length++) {
    longest = longest.flatMap((word) => [...LETTERS].map((letter) => word + letter));
    all = [...all, ...longest];
  }
  return all;
}

/** Every result of one insertion, deletion, substitution or swap of neighbors in a word. */
function edited(word: string): Set<string> {
  const made = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, behind] = [word.slice(0, at), word.slice(at)];
    for (const letter of LETTERS) made.add(before + letter + behind).add(before + letter + behind.slice(1));
    made
      .add(before + behind.slice(1))
      .add(before + behind.slice(1, 2) + behind.slice(0, 1) + behind.slice(2));
  }
  made.delete(word);
  return made;
}

test("words one edit apart are exactly those that one edit produces", () => {
  const words = everyWord();
  for (const word of words) {
    const expected = edited(word);
    const found = words.filter((other) => isOneEditApart(word, other));
    expect({ word, found }).toEqual({ word, found: words.filter((other) => expected.has(other)) });
  }
});
