/** The columns of a table, from its header cells. */
import { PRINTED_COMPONENTS } from "../../../domain/row-fields.ts";
import { BRACKETED_UNIT } from "../../lexicon/amounts.ts";
import {
  COLUMN_HEADERS,
  FOREIGN_HEADERS,
  GROUP_HEADERS,
  type Meaning,
} from "../../lexicon/column-headers.ts";
import { letters, tidy } from "../../text.ts";
import { stripFootnoteMarkers } from "../../values/values.ts";
import { type Cell, type Range, overlap } from "../grid/grid.ts";

/** A column of the table, as defined by its headers. */
export interface Column extends Range {
  /** Headers from the outermost group to the column's own. */
  readonly path: readonly string[];
  readonly meaning: Meaning;
  /** Its header touches another one. */
  readonly touching?: boolean;
}

/** A header with the rows that it governs. */
export interface Section {
  readonly headerRows: readonly number[];
  readonly columns: readonly Column[];
  /** Text over the whole width: titles, units, notes. */
  readonly titles: readonly string[];
  /** First row below the header and one past the last. */
  readonly from: number;
  readonly to: number;
  /** The heading inside the table at which it ends, because other people's rows follow. */
  readonly endedBy?: string;
}

/** Columns that add up to the total. */
export const PARTS: ReadonlySet<Meaning> = new Set(PRINTED_COMPONENTS);
/** The same and the total. */
export const AMOUNTS: ReadonlySet<Meaning> = new Set<Meaning>([...PARTS, "total_compensation"]);

interface Component {
  x0: number;
  x1: number;
  own: Cell[];
  groups: Cell[];
}

/** Stacks header cells into columns, from the lowest row up; a cell above several columns is their group. */
export function readColumns(cells: readonly Cell[], slack: number): Column[] {
  const built: Component[] = [];
  for (const cell of cells.toSorted((a, b) => b.rowEnd - a.rowEnd || a.x0 - b.x0)) {
    const under = built.filter((one) => overlap(one, cell) > 0);
    const only = under[0];
    if (only === undefined) built.push({ x0: cell.x0, x1: cell.x1, own: [cell], groups: [] });
    else if (under.length === 1) {
      only.own.unshift(cell);
      // Wide headers in preformatted text may overlap their neighbours; those of a grid do not.
      const x0 = Math.min(only.x0, cell.x0);
      const x1 = Math.max(only.x1, cell.x1);
      only.x0 = Math.max(x0, ...built.filter((one) => one.x1 <= only.x0).map((one) => one.x1 + slack));
      only.x1 = Math.min(x1, ...built.filter((one) => one.x0 >= only.x1).map((one) => one.x0 - slack));
    } else for (const one of under) one.groups.unshift(cell);
  }
  shareGroups(built);
  return built
    .filter(
      ({ own, groups }) => groups.length > 0 || own.some((cell) => hasWords(cell) || /#/.test(cell.text)),
    )
    .map(({ x0, x1, own, groups }) => {
      const path = [...groups.map(({ text }) => text), own.map(({ text }) => text).join(" ")];
      const touching = own.some((cell) => cell.touching);
      return { x0, x1, path, meaning: meaningOf(path), ...(touching ? { touching } : {}) };
    })
    .sort((a, b) => a.x0 - b.x0)
    .map((column, _, all) =>
      column.meaning === "base_pay" || column.meaning === "fees"
        ? { ...column, meaning: all.some((one) => one.meaning === "salary") ? "unknown" : "salary" }
        : column,
    );
}

function hasWords({ text }: Cell): boolean {
  return letters(headerWords(text)) !== "";
}

/** `Stock awards` above `#` with `$` next to it: the filer lost the column span, and the words belong to both. */
function shareGroups(built: readonly Component[]): void {
  const sorted = built.toSorted((a, b) => a.x0 - b.x0);
  for (const [at, { own, groups }] of sorted.entries()) {
    const left = sorted[at - 1]?.own ?? [];
    const isNumber = left.some(({ text }) => /^\(?\s*#\s*\)?$/.test(text));
    const isValue = groups.length === 0 && own.every(({ text }) => /^\(?\s*\$\s*\)?$/.test(text));
    if (isNumber && isValue) groups.push(...left.filter(hasWords));
  }
}

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
