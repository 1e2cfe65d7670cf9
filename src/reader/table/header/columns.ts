/** The columns of a table, from its header cells. */
import { PRINTED_COMPONENTS } from "../../../domain/row-fields.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import { letters } from "../../text.ts";
import { overlap, type Cell, type Range } from "../grid/grid.ts";
import { headerWords, meaningOf } from "./column-headers.ts";

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
  /** Rows of column headers. */
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
