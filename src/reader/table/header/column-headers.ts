import {
  COLUMN_HEADERS,
  FOREIGN_HEADERS,
  GROUP_HEADERS,
  type Meaning,
} from "../../lexicon/column-headers.ts";
import { BRACKETED_UNIT } from "../../lexicon/units.ts";
import { stripFootnoteMarkers } from "../../values/footnote-markers.ts";
import { letters, tidy } from "../../text.ts";

/** A header without footnote markers and units. */
export function headerWords(text: string): string {
  return tidy(
    stripFootnoteMarkers(text.replace(BRACKETED_UNIT, " ")).replace(
      /(?<=[a-z)])\s?\d{1,2}(?:\s*,\s*\d{1,2})*$/i,
      "",
    ),
  );
}

/** The meaning that group headers give to the columns below them, the nearest first. */
function groupMeaning(groups: readonly string[]): Meaning | undefined {
  return groups
    .toReversed()
    .map((group) => GROUP_HEADERS.find(letters(headerWords(group)))?.means)
    .find((meaning) => meaning !== undefined);
}

const ALWAYS: readonly Meaning[] = ["count", "name", "year", "salary"];

/** Meanings of a column's own header that override its group: `Options` under `Stock Awards` are not stock. */
const STAYS: Readonly<Partial<Record<Meaning, ReadonlySet<Meaning>>>> = {
  stock_awards: new Set([...ALWAYS, "option_awards"]),
  option_awards: new Set([...ALWAYS, "stock_awards"]),
  non_equity_incentive: new Set([...ALWAYS, "stock_awards", "option_awards"]),
  other_comp: new Set(ALWAYS),
  pension_change: new Set([...ALWAYS, "bonus", "stock_awards", "option_awards", "non_equity_incentive"]),
};

/** The meaning of a column, from its headers: outermost first, its own last. */
export function meaningOf(path: readonly string[]): Meaning {
  const own = path.at(-1) ?? "";
  const groups = path.slice(0, -1);
  const leaf = classify(own);
  const group = groupMeaning(groups);
  const whole = groupMeaning([own]);
  // Either a bonus in stock or a cash bonus.
  if (leaf === "bonus" && (group === "stock_awards" || group === "option_awards")) return "unknown";
  const stays =
    group !== undefined && (STAYS[group]?.has(leaf) === true || ![undefined, group].includes(whole));
  if (group !== undefined && !stays) return group;
  if (leaf !== "unknown") return leaf;
  return groups.length === 0 ? "unknown" : classify([...groups, own].join(" "));
}

/** The sign between two kinds of award in one column: "Stock/Option Awards" is both, "Stock Option Awards" is one. */
const STOCK_AND_OPTIONS =
  /(?<=\b(?:stock|shares?|equity|units?|awards?))\s*[/&+]\s*(?=(?:stock\s+)?options?\b)|(?<=\boptions?(?:\s+awards?)?)\s*[/&+]\s*(?=(?:restricted\s+)?(?:stock|shares?|units?)\b)/gi;

/** A header in the form of `COLUMN_HEADERS`: lower-case letters, `#` and `%`, without currency and footnote markers. */
function headerKey(header: string): string {
  return headerWords(header)
    .replace(/\bUS\b|\bU\.S\.|\bUSD\b|\bin (?:us )?dollars\b|\bin thousands\b/gi, "")
    .replace(STOCK_AND_OPTIONS, " and ")
    .toLowerCase()
    .replace(/[^a-z#%]+/g, "");
}

function classify(header: string): Meaning {
  return COLUMN_HEADERS.find(headerKey(header))?.means ?? "unknown";
}

/** Counts headers of the table before December 2006: those unique to it, and all. */
export function oldHeaders(headers: readonly string[]): { only: number; all: number } {
  const found = new Set(
    headers.map((header) => FOREIGN_HEADERS.find(letters(headerWords(header)), "old", "old_and_new")),
  );
  const entries = [...found].filter((entry) => entry !== undefined);
  return { only: entries.filter((entry) => entry.means === "old").length, all: entries.length };
}
