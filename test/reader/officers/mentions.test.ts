import { expect, test } from "bun:test";
import { mentionsOf } from "../../../src/reader/officers/sentences.ts";

const people = (...names: string[]) =>
  names.map((name, index) => ({ id: String(index), name, printedName: name, title: null }));

test.each([
  ["Ms. Krause met Mr. Dale.", "⟦0⟧ met ⟦?⟧."],
  ["Bettina Krause’s bonus and Krause’s pension", "⟦0⟧ bonus and ⟦0⟧ pension"],
  ["Christopher J. Ryan and Christopher Ryan", "⟦1⟧ and ⟦1⟧"],
  ["Bett Krause", "⟦0⟧"],
])("%p reads %p", (text, signs) => {
  expect(mentionsOf(people("Bettina Krause", "Chris Ryan")).replaceIn(text)).toBe(signs);
});

test("Robert is not Roberta, and two of one family are told apart by their full names alone", () => {
  expect(mentionsOf(people("Robert Ng")).replaceIn("Roberta Ng")).toBe("Roberta Ng");
  expect(mentionsOf(people("Dan Smith", "Daniel Smith")).replaceIn("Daniel J. Smith, Mr. Smith")).toBe(
    "Daniel J. Smith, ⟦?⟧",
  );
});
