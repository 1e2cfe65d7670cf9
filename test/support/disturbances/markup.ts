/** Changes to the text of HTML that do not affect tags and references. */

/** Calls `change` for each stretch of visible characters between tags and references. */
export function changeText(html: string, change: (text: string) => string): string {
  return html.replace(
    /(<[^>]*>|&#?\w+;)|([^<&]+)/g,
    (whole, tag: string | undefined, text: string | undefined) =>
      tag === undefined && text !== undefined ? change(text) : whole,
  );
}

/** The text of HTML as a reader sees it, accurate enough for word searches. */
export function visibleText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/&nbsp;/gi, " ")
    .replace(/&#(\d{2,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, " ");
}

/** The rows of a table without nested tables: its opening markup, each row with its tags, and its closing markup. */
export interface TableParts {
  readonly open: string;
  readonly rows: readonly string[];
  readonly close: string;
}

/** Splits a table into rows, or returns null if tables are nested or tags are missing. */
export function partsOf(table: string): TableParts | null {
  if (!/^<table\b/i.test(table) || (table.match(/<table\b/gi) ?? []).length !== 1) return null;
  const rows = table.match(/<tr\b[\s\S]*?<\/tr\s*>/gi) ?? [];
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    open: table.slice(0, table.indexOf(first)),
    rows,
    close: table.slice(table.lastIndexOf(last) + last.length),
  };
}

const YEAR = /\b(?:19|20)\d\d\b|\bFY\s?'?\d\d\b/;
const AMOUNT = /\d{1,3},\d{3}|[—–-]\s*$|\d{3,}/;

/** The first row with a year and something like an amount; the rows before it are the column headers. */
export function firstDataRow(rows: readonly string[]): number {
  return rows.findIndex((row) => {
    const cells = row.split(/<td\b[^>]*>/i).map((cell) => visibleText(cell).trim());
    return (
      cells.some((cell) => cell.length < 60 && YEAR.test(cell)) &&
      cells.some((cell) => !YEAR.test(cell) && AMOUNT.test(cell))
    );
  });
}

/** Whether no cell above row `at` spans into the rows from there on. */
export function isSeam(rows: readonly string[], at: number): boolean {
  return rows
    .slice(0, at)
    .every((row, index) =>
      [...row.matchAll(/rowspan\s*=\s*["']?(\d+)/gi)].every((span) => index + Number(span[1]) <= at),
    );
}
