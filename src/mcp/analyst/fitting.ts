/** Results of a bounded size: `docs/contract.md`, "MCP for analysts". */
import { elementAt } from "../../lib/checked-access.ts";
import { hasShortText } from "../calls.ts";
import { contentOf, type ToolContent } from "../result.ts";

/** Maximum characters of a result. */
export const MAX_RESULT = 60_000;
/** Maximum rows requested per call; more never fit a result. */
export const MAX_PAGE = 250;
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

/** A list of items, as structured content and as a table. */
export interface Listing {
  /** The member with the items. */
  name: string;
  items: readonly object[];
  /** Figures of each item, in a member of their own; none if empty. */
  measures?: readonly object[];
  /** Members that are there however many items fit. */
  rest: object;
  head: readonly string[];
  lines: readonly string[];
  /** Sentences above the table, and lines below it. */
  about: readonly string[];
  below?: readonly string[];
  /** The cursor behind all items, and behind those that were sent. */
  next: string | null;
  cursorAfter?: ((sent: number) => string) | undefined;
}

/** A listing, cut to the size that results have. */
export function listed(listing: Listing, revision: string): ToolContent {
  const { name, lines, about, below = [] } = listing;
  const short = hasShortText(revision);
  const { items, measures = [] } = listing;
  const rest = JSON.stringify(listing.rest);
  const head = line(listing.head);
  const costs = items.map((item, at) => {
    const json = JSON.stringify(item) + (measures.length === 0 ? "" : JSON.stringify(measures[at]));
    return json.length + quotedLength(short ? elementAt(lines, at) : json) + 4;
  });
  const texts = [...about, ...below, head].join("\n");
  const sent = countFitting(
    costs,
    rest.length + (short ? 0 : quotedLength(rest)) + quotedLength(texts) + CURSOR_ROOM,
  );
  const cursor = sent < items.length ? (listing.cursorAfter?.(sent) ?? null) : listing.next;
  const structured = {
    [name]: items.slice(0, sent),
    ...(measures.length === 0 ? {} : { measures: measures.slice(0, sent) }),
    ...listing.rest,
    next_cursor: cursor,
  };
  const more = [
    ...(sent < items.length
      ? [`This result is cut after ${sent} of ${items.length}, at 60,000 characters.`]
      : []),
    ...(cursor === null
      ? []
      : [`For more, call again with the same arguments and cursor ${JSON.stringify(cursor)}.`]),
  ];
  if (!short) return contentOf([JSON.stringify(structured), ...about, ...more], structured);
  const table = sent === 0 ? [] : [head, ...lines.slice(0, sent)];
  return contentOf([[...about, ...table, ...below, ...more].join("\n")], structured);
}

/** A group's key in a line; companies without a known sector or code are in the group "unknown". */
export function groupCells(group: Readonly<Record<string, string | number | null>>): (string | number)[] {
  return Object.values(group).map((value) => value ?? "unknown");
}

/** The table of groups. Figures in texts are rounded to units; the structured content has exact values. */
export function groupTable<Figure extends string>(
  groups: readonly (Readonly<Record<Figure, number>> & {
    group: Readonly<Record<string, string | number | null>>;
  })[],
  figures: readonly Figure[],
): Pick<Listing, "head" | "lines"> {
  return {
    head: [...Object.keys(groups[0]?.group ?? {}), ...figures],
    lines: groups.map((of) =>
      line([...groupCells(of.group), ...figures.map((name) => Math.round(of[name]))]),
    ),
  };
}
