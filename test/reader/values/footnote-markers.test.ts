import { expect, test } from "bun:test";
import {
  isFootnoteMarker,
  isNote,
  stripFootnoteMarkers,
  stripMarkersOfWords,
} from "../../../src/reader/values/footnote-markers.ts";

test.each(["(6)", "6", "12", "(2)(3)", "(1), (2)", "a,b", "*", "†‡", "[4]"])("%j is a marker", (text) => {
  expect(isFootnoteMarker(text)).toBe(true);
});

test.each(["", "1,234", "2024", "nil", "CFO", "123", "(1) in thousands"])("%j is none", (text) => {
  expect(isFootnoteMarker(text)).toBe(false);
});

test("markers that are set apart go from a header, those that are glued to words from a name too", () => {
  expect(stripFootnoteMarkers("Stock Awards ($)(2)")).toBe("Stock Awards ($)");
  expect(stripMarkersOfWords("Ann Smith (1), President7")).toBe("Ann Smith , President");
});

test("a line that begins with a marker is a note", () => {
  expect(isNote("(1) Amounts are those of ASC Topic 718.")).toBe(true);
  expect(isNote("Amounts are those of ASC Topic 718.")).toBe(false);
});
