import { expect, test } from "bun:test";
import { mentionsOf } from "../../../src/reader/officers/sentences.ts";
import { designatedInText, officesNamedInText } from "../../../src/reader/officers/titles.ts";
import { DESIGNATED, LISTED } from "./cases.ts";

const PEOPLE = ["Bettina Krause", "Gabriel Santos"].map((name, index) => ({
  id: String(index),
  name,
  printedName: name,
  title: null,
}));
const mentions = mentionsOf(PEOPLE);

const offices = (found: ReadonlyMap<string, string>): string[] =>
  [...found.keys()].map((key) => key.replace(" peo", "P").replace(" pfo", "F")).sort();

test.each(DESIGNATED)("%p designates %p", (sentence, expected) => {
  expect(offices(designatedInText(mentions, [sentence]))).toEqual(expected.split(" ").filter(Boolean).sort());
});

test.each(LISTED)("%p names %p", (text, expected) => {
  expect(offices(officesNamedInText(mentions, [text]))).toEqual(expected.split(" ").filter(Boolean).sort());
});
