/** Packed texts are returned unchanged, and can be searched if they are ascending. */
import { expect, test } from "bun:test";
import { packAscending, PackedTexts } from "../../src/dataset/columns/names.ts";

const TEXTS = ["Zoë Nuñez", "", "a", "Łukasz", "aa", "A", "zz", "b-2", "日本", "😀 x"];

test("each text is at its place, whatever its characters", () => {
  const packed = PackedTexts.of(TEXTS);
  expect(packed.length).toBe(TEXTS.length);
  expect(TEXTS.map((_, place) => packed.at(place))).toEqual(TEXTS);
  expect(PackedTexts.of([]).length).toBe(0);
  expect(PackedTexts.of([""]).at(0)).toBe("");
});

test("ascending ones are found, others are not", () => {
  const { texts, places } = packAscending(TEXTS);
  expect(Array.from(places, (place) => texts.at(place))).toEqual(TEXTS);
  for (const [number, text] of TEXTS.entries()) expect(texts.find(text)).toBe(places[number] ?? -1);
  for (const other of ["aaa", "Zo", "zzz", "B", "\u{10ffff}", "0"]) expect(texts.find(other)).toBe(-1);
  expect(packAscending([]).texts.find("a")).toBe(-1);
});

test("a text with a line feed is refused instead of becoming two", () => {
  expect(() => PackedTexts.of(["a\nb", "c"])).toThrow("line feed");
  expect(() => PackedTexts.of(["\n"])).toThrow("line feed");
});
