import { changeText } from "./markup.ts";
import type { Sample } from "./sample.ts";

const DASH = /&(?:mdash|ndash|minus|#8211|#8212|#8722|#x2013|#x2014|#151|#150);|[—–−]/g;

/** What a dash can become when its encoding is lost along the way. */
export const BROKEN_DASHES = [
  "â€”",
  "â€“",
  "\u0097",
  "\u0096",
  "&#151;",
  "&#150;",
  "\ufffd",
  "Ã¢â‚¬â€",
  "?",
  "&#8208;",
  "\u2015",
] as const;

/** Applies a change to the table only. Null if nothing changes. */
function inTables(sample: Sample, change: (table: string) => string): string | null {
  let out = "";
  let at = 0;
  for (const [start, end] of sample.tables) {
    out += sample.text.slice(at, start) + change(sample.text.slice(start, end));
    at = end;
  }
  out += sample.text.slice(at);
  return out === sample.text ? null : out;
}

/** Cells and lines that contain only a dash, replaced. */
function dashCells(table: string, put: string): string {
  return table.replace(
    /(>\s*)(?:-{1,3}|[—–−]|&(?:mdash|ndash|minus|#8211|#8212|#8722|#x2013|#x2014|#151|#150);)(\s*<)/gi,
    `$1${put}$2`,
  );
}

/** Every dash cell is left empty. */
export function blankDashes(sample: Sample): string | null {
  return inTables(sample, (table) => dashCells(table, ""));
}

/** Every dash cell has a dash in the wrong encoding. */
export function breakDashes(sample: Sample, put: string): string | null {
  return inTables(sample, (table) => dashCells(table, put));
}

/** The table in capitals. */
export function capitals(sample: Sample): string | null {
  return inTables(sample, (table) => changeText(table, (text) => text.toUpperCase()));
}

/** A dash on its own line of a cell becomes an empty paragraph: only cells that stack years have several. */
export function emptyParagraphs(sample: Sample, put: string): string | null {
  return inTables(sample, (table) =>
    table.replace(/<td\b[^>]*>(?:(?!<\/td>)[\s\S])*<\/td\s*>/gi, (cell) =>
      (cell.match(/<\/(?:p|div)>/gi) ?? []).length < 2
        ? cell
        : cell.replace(
            /(<(?:p|div)\b[^>]*>(?:<(?:span|font)\b[^>]*>)?)([^<>]*)((?:<\/(?:span|font)>)?<\/(?:p|div)>)/gi,
            (line, open: string, text: string, close: string) =>
              /^\s*$/.test(text.replace(DASH, "").replace(/^-+$/, "")) ? open + put + close : line,
          ),
    ),
  );
}
