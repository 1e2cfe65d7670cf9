import { FOOTNOTE_MARKERS, MARKER_ITEM, NOTE_START } from "../lexicon/amounts.ts";
import { tidy } from "../clean-text.ts";

const MARKERS = FOOTNOTE_MARKERS.anyOf("gi", "bracketed", "symbol", "raised");
const GLUED = FOOTNOTE_MARKERS.anyOf("giu", "glued");

/** Whether the text consists of footnote markers: `(6)`, `6`, `(2)(3)`, `a,b`, `*`. One or two digits alone count; a word does not. */
export function isFootnoteMarker(text: string): boolean {
  if (text.length > 24) return false;
  const items = text.split(/[\s,;&()[\]{}⁽⁾–-]+|(?<=[*†‡§¶#])(?=[^*†‡§¶#])/).filter((item) => item !== "");
  return (
    items.length > 0 &&
    items.length <= 8 &&
    items.every((item) => MARKER_ITEM.test(item)) &&
    !/^nil$/i.test(text)
  );
}

/** Removes footnote markers that are separate from the text: from a year, header or number. */
export function stripFootnoteMarkers(text: string): string {
  return tidy(text.replace(MARKERS, " "));
}

/** Removes all footnote markers from words, attached ones included: `Officer7`, `Smith (1)`. */
export function stripMarkersOfWords(text: string): string {
  return tidy(text.replace(MARKERS, " ").replace(GLUED, ""));
}

/** Whether a line begins with a marker, as a footnote does. */
export function isNote(line: string): boolean {
  return NOTE_START.test(line);
}
