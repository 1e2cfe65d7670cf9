import type { AmountPart } from "./money.ts";
import type { PrintedComponent } from "../../../src/domain/row-fields.ts";

/** A piece of text; a `note` is a footnote marker, which each typesetting house raises in its own way. */
export interface Run {
  readonly text: string;
  readonly note: boolean;
}
export type Line = readonly Run[];

/** What a cell is for, which determines its typography. */
export type Role = "caption" | "name" | "year" | "band" | "blank";

export interface TextCell {
  readonly kind: "text";
  readonly role: Role;
  readonly lines: readonly Line[];
  readonly rowspan: number;
  readonly colspan: number;
}

export interface AmountCell {
  readonly kind: "amount";
  /** One part per line: several if the years are stacked in one cell. */
  readonly parts: readonly AmountPart[];
  /** A hidden number in an element before the amount; empty for none. */
  readonly hidden: string;
}

/** `covered`: under a rowspan or colspan; `absent`: the row simply lacks the cell. */
export type Slot = TextCell | AmountCell | "covered" | "absent";

export interface Column {
  readonly key: "name" | "position" | "year" | "total" | "after" | PrintedComponent;
  /** Which of several columns of one field this is. */
  readonly part: "whole" | "first" | "second";
  readonly lines: readonly string[];
  /** A caption above this column and its neighbors, empty for none. */
  readonly group: string;
  readonly amount: boolean;
}

/** One physical table: rows of slots under columns. */
export interface Sheet {
  readonly columns: readonly Column[];
  readonly head: readonly (readonly Slot[])[];
  readonly body: readonly (readonly Slot[])[];
}

/** A run of ordinary text. */
export function plain(text: string): Run {
  return { text, note: false };
}

/** A text cell with one line per string. */
export function textCell(role: Role, lines: readonly (Line | string)[], rowspan = 1, colspan = 1): TextCell {
  return {
    kind: "text",
    role,
    rowspan,
    colspan,
    lines: lines.map((line) => (typeof line === "string" ? [plain(line)] : line)),
  };
}

/** An empty cell. */
export const BLANK: TextCell = textCell("blank", []);
