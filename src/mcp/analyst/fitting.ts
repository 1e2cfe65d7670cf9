/** How much of an answer fits into a result: `docs/contract.md`, "MCP for analysts". */

/** Characters of a result at most. */
export const MAX_RESULT = 60_000;
/** Left for `_meta` and what JSON-RPC puts around a result. */
const ENVELOPE = 1_000;
/** Of a cursor, in both parts, and the sentence that says it. */
const CURSOR_ROOM = 600;

/** Characters of a text inside a JSON string. */
export function quotedLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

/**
 * How many of the items, in their order, fit beside what stands there anyway.
 * @param costs characters that each item takes
 * @param fixed characters of everything else
 */
export function countFitting(costs: readonly number[], fixed: number): number {
  let room = MAX_RESULT - ENVELOPE - fixed;
  const over = costs.findIndex((cost) => (room -= cost) < 0);
  return over < 0 ? costs.length : over;
}

/**
 * Characters of what stands in a result beside its items.
 * @param members JSON text in the structured content
 * @param texts lines of the text
 * @param repeated whether the text has the members once more
 */
export function fixedLength(members: string, texts: readonly string[], repeated: boolean): number {
  return (
    members.length + (repeated ? quotedLength(members) : 0) + quotedLength(texts.join("\n")) + CURSOR_ROOM
  );
}

/** Years as people write them: `2013 to 2026`, or a list where some are missing between. @param years ascending */
export function yearsTold(years: readonly number[]): string {
  const [first] = years;
  const last = years.at(-1);
  if (first === undefined || last === undefined) return "none";
  if (first === last) return String(first);
  return last - first + 1 === years.length ? `${first} to ${last}` : years.join(", ");
}

/** A cell of a text table: without what would end a line or a cell. */
export function cell(value: string | number | null): string {
  return String(value ?? "")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "/");
}

/** Cells as a line. */
export function line(cells: readonly (string | number | null)[]): string {
  return cells.map(cell).join(" | ");
}
