/** Chooses among the readings of a row's cells those that add up to the total. */
import type { Cents } from "../../../domain/amount.ts";
import type { AmountField, Component } from "../../../domain/row-fields.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import type { ParsedRow } from "../../parsed.ts";
import { hundredthsOf, isIrregular, type AmountReading } from "../../values/amounts.ts";
import type { YearRow } from "../cells/cells.ts";
import type { Slot } from "../cells/slots.ts";

/** The cells of a row under one header, with the column's meaning. */
export interface Value extends Slot {
  readonly meaning: Meaning;
}

/** One row as read, before it is checked against its total. */
export interface RowReading {
  readonly row: YearRow;
  /** The row's name in messages. */
  readonly label: string;
  /** Units of the currency per printed unit. */
  readonly scale: number;
  readonly total: Value | undefined;
  readonly parts: readonly Value[];
  /** Amounts under headers that are not in Item 402(c). */
  readonly unknown: readonly Value[];
  /** Whether any amount is printed for the year. */
  readonly printed: boolean;
}

/** The chosen readings of a row's cells. */
interface Choice {
  /** One for each part; undefined if it has none. */
  readonly readings: readonly (AmountReading | undefined)[];
  readonly whole: AmountReading | undefined;
  readonly undecided: boolean;
}

/** A row checked against its total. */
export interface Summed extends RowReading, Choice {
  readonly amounts: Record<AmountField, Cents>;
  readonly sum: Cents;
  /** The printed total less the components. */
  readonly gap: Cents;
  /** Columns of unknown meaning that may explain the gap, and their sum. */
  readonly unknownColumns: readonly Value[];
  readonly unknownSum: Cents;
  readonly unknownReason: ParsedRow["unknownReason"];
  /** A component that equals the sum of all others: the total may have been read as a component. */
  readonly doubled: Component | undefined;
}

/** Largest number of combinations of readings that are tried. */
const MAX_CHOICES = 4096;

/** The sum of some cells by their first readings, in cents. */
export function sumOf(values: readonly Value[], scale: number): Cents {
  return values.reduce((all, { readings }) => all + Math.round(hundredthsOf(readings[0]) * scale), 0);
}

/** Chooses the combination of readings that adds up to the total; otherwise the first regular reading of every cell. */
export function chooseReadings({ parts, unknown, total, scale, printed }: RowReading): Choice {
  const totals = total?.readings ?? [];
  const options = [
    printed && totals.length > 1 ? totals.filter(({ kind }) => kind === "amount") : totals,
    ...parts.map(({ readings }) => readings),
  ].map((readings) => (readings.length === 0 ? [undefined] : readings));
  const size = options.reduce((product, readings) => product * readings.length, 1);
  const plain: Choice = {
    readings: parts.map(({ readings }) => readings.find((reading) => !isIrregular(reading))),
    whole: options[0]?.[0],
    undecided: size > 1,
  };
  if (size > MAX_CHOICES) return plain;
  const extra = sumOf(unknown, scale);
  const fitting: Choice[] = [];
  for (let pick = 0; pick < size; pick++) {
    let rest = pick;
    const [whole, ...readings] = options.map((some) => {
      const reading = some[rest % some.length];
      rest = Math.floor(rest / some.length);
      return reading;
    });
    const gap = (hundredthsOf(whole) - readings.reduce((all, one) => all + hundredthsOf(one), 0)) * scale;
    if (gap === 0 || gap === extra) fitting.push({ readings, whole, undecided: false });
  }
  const [only] = fitting;
  if (only === undefined) return plain;
  const alike = fitting.every(({ readings }) =>
    readings.every((reading, at) => hundredthsOf(reading) === hundredthsOf(only.readings[at])),
  );
  return { ...only, undecided: !alike };
}
