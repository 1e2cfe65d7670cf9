/** One row of the table while its amounts are read. */
import type { Cents } from "../../domain/amount.ts";
import type { AmountField, Component } from "../../domain/row-fields.ts";
import type { ParsedRow } from "../parsed.ts";
import type { AmountReading } from "./amounts.ts";
import type { YearRow } from "./cells.ts";
import type { Choice, Value } from "./choose-readings.ts";

/** One row with what was read in it, before its total was looked at. */
export interface RowReading {
  readonly table: number;
  readonly row: YearRow;
  /** How messages name the row. */
  readonly label: string;
  readonly scale: number;
  readonly total: Value | undefined;
  readonly parts: readonly Value[];
  /** Amounts under headers that Item 402(c) does not know. */
  readonly unknown: readonly Value[];
  /** Whether any amount is printed beside the year. */
  readonly printed: boolean;
}

/** A row held against its total. */
export interface Summed extends RowReading {
  readonly choice: Choice;
  readonly amounts: Record<AmountField, Cents>;
  readonly sum: Cents;
  /** What the printed total has over the components. */
  readonly gap: Cents;
  /** Columns of unknown meaning, where they may hold the gap, and what they hold. */
  readonly unknownColumns: readonly Value[];
  readonly unknownSum: Cents;
  readonly unknownReason: ParsedRow["unknownReason"];
  /** A component that equals the sum of all others: the total may have been read as one. */
  readonly doubled: Component | undefined;
}

/** Whether a cell can be read as an amount. */
export function isAmountReading(reading: AmountReading): boolean {
  return reading.kind === "amount";
}
