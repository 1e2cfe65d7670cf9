/** Limits the size of results: `docs/contract.md`, "MCP for analysts". */

/** Maximum characters of a result. */
export const MAX_RESULT = 60_000;
/** Reserved for `_meta` and the JSON-RPC envelope. */
const ENVELOPE = 1_000;
/** Reserved for a cursor, in both forms, and the sentence with it. */
const CURSOR_ROOM = 600;

/** Longest text of a row in a result, so that one row always fits, whatever a filing says. */
const MAX_TEXT = 300;
/** Characters that a row takes as JSON; longer ones are looked into. */
const USUAL_ROW = 3_000;

/** A row with its texts cut to 300 characters, each cut marked. */
export function shortened<Row extends object>(row: Row): Row {
  if (JSON.stringify(row).length <= USUAL_ROW) return row;
  const cut = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)]));
  };
  // The same members, with shorter texts.
  return cut(row) as Row;
}

/** Length of a text within a JSON string. */
export function quotedLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

/**
 * How many items fit, in order.
 * @param costs characters of each item
 * @param fixed characters of everything else
 */
export function countFitting(costs: readonly number[], fixed: number): number {
  let room = MAX_RESULT - ENVELOPE - fixed;
  const over = costs.findIndex((cost) => (room -= cost) < 0);
  return over < 0 ? costs.length : over;
}

/**
 * Characters of a result besides its items.
 * @param members JSON text in the structured content
 * @param texts lines of the text
 * @param repeated whether the text repeats the members
 */
export function fixedLength(members: string, texts: readonly string[], repeated: boolean): number {
  return (
    members.length + (repeated ? quotedLength(members) : 0) + quotedLength(texts.join("\n")) + CURSOR_ROOM
  );
}

/** A cell of a text table, without line breaks and separators. */
export function cell(value: string | number | null): string {
  return String(value ?? "")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "/");
}

/** A line of a text table. */
export function line(cells: readonly (string | number | null)[]): string {
  return cells.map(cell).join(" | ");
}
