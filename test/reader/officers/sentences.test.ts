import { expect, test } from "bun:test";
import { mentionsOf, eventSentences } from "../../../src/reader/officers/sentences.ts";

const PEOPLE = mentionsOf(
  ["Bettina Krause", "Gabriel Santos"].map((name, at) => ({
    id: String(at),
    name,
    printedName: name,
    title: null,
  })),
);
/** What is left of a passage, without the sentences that date no office. */
const read = (passage: string) => [...eventSentences(passage, PEOPLE)].filter((sentence) => sentence !== "");

test("he and she are whoever was named last, in this sentence or before", () => {
  expect(
    read("Ms. Krause joined us long ago. She was appointed Chief Financial Officer on May 1, 2020."),
  ).toEqual(["⟦0⟧ was appointed Chief Financial Officer on May 1, 2020."]);
  expect(read("Mr. Santos served as CEO until May 2020, when he retired.")).toEqual([
    "⟦1⟧ served as CEO until May 2020, when ⟦1⟧ retired.",
  ]);
});

test("a clause behind a semicolon that names an office and nobody is about who was named before it", () => {
  const sentences = read(
    "Mr. Santos was appointed President in May 2018; Chief Executive Officer until June 2020 and Chairman since.",
  );
  expect(sentences.at(-1)).toStartWith("⟦1⟧ served as Chief Executive Officer until June 2020");
});

test.each([
  "Ms. Krause met our Chief Financial Officer.",
  "Revenue of 2020 was appointed to reserves.",
  "Ms. Krause owned 2,020 shares on May 1, 2020.",
])("%j gives nobody an office", (passage) => {
  expect(read(passage)).toEqual([]);
});
