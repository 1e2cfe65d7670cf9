import { tidy } from "../text.ts";
import { FOOTNOTE_MARKERS, MARKER_ITEM, NOTE_START } from "../lexicon/footnote-markers.ts";

const MARKERS = FOOTNOTE_MARKERS.anyOf("gi", "bracketed", "symbol", "raised");
const GLUED = FOOTNOTE_MARKERS.anyOf("giu", "glued");

/**
 * Whether the text can only be footnote markers: `(6)`, `6`, `(2)(3)`, `a,b`, `*`. One or two digits alone count, too; a
 * word does not.
 */
export function isFootnoteMarker(text: string): boolean {
  if (text.length > 24) return false;
  const items = text.split(/[\s,;&()[\]{}⁽⁾]+|(?<=[*†‡§¶#])(?=[^*†‡§¶#])/).filter((item) => item !== "");
  return (
    items.length > 0 &&
    items.length <= 8 &&
    items.every((item) => MARKER_ITEM.test(item)) &&
    !/^nil$/i.test(text)
  );
}

/** A year, a header or a number without the markers that are set apart from it. */
export function stripFootnoteMarkers(text: string): string {
  return tidy(text.replace(MARKERS, " "));
}

/** Words without markers, those that are glued to them included: `Officer7`, `Smith (1)`. */
export function stripMarkersOfWords(text: string): string {
  return tidy(text.replace(MARKERS, " ").replace(GLUED, ""));
}

/** Whether a line begins with a marker, as a footnote does. */
export function isNote(line: string): boolean {
  return NOTE_START.test(line);
}
