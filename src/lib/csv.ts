/** CSV, written the same way everywhere. @see RFC 4180 */

/** A value of a cell; null and empty text are an empty cell. */
export type CsvCell = string | number | boolean | null;

/** The header, without its line end. */
export function csvHead(names: readonly string[]): string {
  return names.map((name) => (/^\w+$/.test(name) ? name : cell(name))).join(",");
}

/** A row, without its line end. */
export function csvRow(cells: readonly CsvCell[]): string {
  return cells.map(cell).join(",");
}

/** A header and its rows, without line ends. */
export function csvLines([names = [], ...rows]: readonly (readonly CsvCell[])[]): string[] {
  return [csvHead(names.map(String)), ...rows.map(csvRow)];
}

/** The beginning of text that a spreadsheet would evaluate as a formula. */
export const FORMULA_STARTS = "=+-@\t\r";

/**
 * Text is always quoted: a spreadsheet that separates columns by semicolons would otherwise begin a cell in the middle of
 * it. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.
 */
function cell(value: CsvCell): string {
  if (value === null || value === "") return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA_STARTS.includes(value.charAt(0)) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
