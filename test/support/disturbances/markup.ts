/** Changes to the text of HTML that leave its tags and references alone. */

/** Calls `change` for each stretch of visible characters between tags and references. */
export function changeText(html: string, change: (text: string) => string): string {
  return html.replace(
    /(<[^>]*>|&#?\w+;)|([^<&]+)/g,
    (whole, tag: string | undefined, text: string | undefined) =>
      tag === undefined && text !== undefined ? change(text) : whole,
  );
}

/** The text of HTML as a person sees it, near enough to look for words in it. */
export function visibleText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/&nbsp;/gi, " ")
    .replace(/&#(\d{2,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, " ");
}

/** The rows of a table that holds no other: what opens it, each row with its tags, and what closes it. */
export interface TableParts {
  readonly open: string;
  readonly rows: readonly string[];
  readonly close: string;
}

/** Takes a table apart into rows, or null where tables are nested or tags are missing. */
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

/** The first row that has a year and something like an amount; those before it are the column headers. */
export function firstDataRow(rows: readonly string[]): number {
  return rows.findIndex((row) => {
    const cells = row.split(/<td\b[^>]*>/i).map((cell) => visibleText(cell).trim());
    return (
      cells.some((cell) => cell.length < 60 && YEAR.test(cell)) &&
      cells.some((cell) => !YEAR.test(cell) && AMOUNT.test(cell))
    );
  });
}

/** Whether no cell of the rows before `at` reaches into the rows from there on. */
export function isSeam(rows: readonly string[], at: number): boolean {
  return rows
    .slice(0, at)
    .every((row, index) =>
      [...row.matchAll(/rowspan\s*=\s*["']?(\d+)/gi)].every((span) => index + Number(span[1]) <= at),
    );
}
