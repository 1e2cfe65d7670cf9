import { describe, expect, test } from "bun:test";
import { mentionsOf } from "../../../src/reader/officers/sentences.ts";
import { readTerms } from "../../../src/reader/officers/terms.ts";
import { Work } from "../../../src/reader/parsed-filing.ts";
import { SENTENCES } from "./cases.ts";

const PEOPLE = ["Bettina Krause", "Gabriel Santos"].map((name, index) => ({
  id: String(index),
  name,
  printedName: name,
  title: null,
}));
const mentions = mentionsOf(PEOPLE);

const termsIn = (sentence: string, companyWords: readonly string[]) =>
  readTerms({ passages: [sentence], mentions, companyWords, accession: "", work: new Work() }).filter(
    ({ basis }) => basis === "dated",
  );

describe("a sentence that dates an office", () => {
  test.each(SENTENCES)("%s", (sentence, terms) => {
    const expected = terms.split(" | ").filter((one) => one !== "");
    const read = termsIn(sentence, []).map(
      ({ held, person, office, from, to }) =>
        `${held ? "" : "not "}${person}${office === "peo" ? "P" : "F"} ${from?.earliest ?? ""}..${to?.latest ?? ""}`,
    );
    expect(read.filter((one) => !expected.some((other) => same(one, other)))).toEqual([]);
    expect(expected.filter((one) => !read.some((other) => same(other, one)))).toEqual([]);
  });
});

/** A month or a year stands for any day in it. */
function same(read: string, expected: string): boolean {
  const [who, time] = parted(read);
  const [whose, given] = parted(expected);
  return who === whose && agrees(time[0], given[0]) && agrees(time[1], given[1]);
}

function parted(term: string): [who: string, time: string[]] {
  const at = term.lastIndexOf(" ");
  return [term.slice(0, at), term.slice(at + 1).split("..")];
}

function agrees(read = "", expected = ""): boolean {
  return expected === "" ? read === "" : read.startsWith(expected);
}

test.each([
  ["Ms. Krause was named Chief Executive Officer of Acme Bank in March 2019.", 0],
  ["Ms. Krause was named Chief Executive Officer of Acme Bancorp in March 2019.", 1],
  ["Ms. Krause was named Chief Executive Officer of Acme effective March 4, 2019.", 1],
])("at Acme Bancorp, %s", (sentence, terms) => {
  expect(termsIn(sentence, ["acme", "bancorp", "inc"])).toHaveLength(terms);
});

test.each([
  "Ms. Krause passed away on March 4, 2019.",
  "On March 4, 2019, Ms. Krause died unexpectedly.",
  "Following the death of Ms. Krause on March 4, 2019, the office was vacant.",
  "Upon Ms. Krause’s passing on March 4, 2019, her awards vested.",
])("%s It ends the office in her title", (sentence) => {
  const titled = mentionsOf(PEOPLE.map((person) => ({ ...person, title: "Late Chief Executive Officer" })));
  const sources = {
    passages: [sentence],
    mentions: titled,
    companyWords: [],
    accession: "",
    work: new Work(),
  };
  expect(
    readTerms(sources).map(({ person, office, from, to }) => [person, office, from, to?.latest]),
  ).toEqual([["0", "peo", null, "2019-03-04"]]);
});
