import type { AmountReading } from "./amounts.ts";
import type { Slot } from "./slots.ts";
import type { Meaning } from "../lexicon/column-headers.ts";
import type { Cents } from "../../domain/amount.ts";

/** The cells of a row under one header, with the ways in which they can be read; none when they hold no amount. */
export interface Value {
  readonly slot: Slot;
  readonly meaning: Meaning;
  readonly readings: readonly AmountReading[];
}

/** Combinations of readings that are tried. */
const MAX_CHOICES = 4096;

/** What a reading is worth; `scale` turns what is printed into units. */
export function worth(reading: AmountReading | undefined, scale: number): Cents {
  return reading?.kind === "amount" ? reading.hundredths * scale : 0;
}

/** The readings of a row's cells that were taken. */
export interface Choice {
  parts: { value: Value; reading: AmountReading | undefined }[];
  total: AmountReading | undefined;
  undecided: boolean;
}

/** Takes the plain reading of every cell, unless exactly another combination of readings adds up to the total. */
export function chooseReadings(
  parts: readonly Value[],
  unknown: readonly Value[],
  totals: readonly AmountReading[],
  scale: number,
  printed: boolean,
): Choice {
  const options = parts.map((value) => value.readings);
  const totalOptions =
    totals.length === 0
      ? [undefined]
      : totals.filter((reading) => !printed || totals.length === 1 || reading.kind === "amount");
  const size = options.reduce(
    (product, readings) => product * Math.max(1, readings.length),
    totalOptions.length,
  );
  const plain: Choice = {
    parts: parts.map((value) => ({
      value,
      reading: value.readings.find((reading) => !(reading.kind === "amount" && reading.irregular)),
    })),
    total: totalOptions[0],
    undecided: size > 1,
  };
  if (size === 1 && !hasIrregular(parts)) return { ...plain, undecided: false };
  if (size > MAX_CHOICES) return plain;
  const extra = unknown.reduce((all, value) => all + worth(value.readings[0], scale), 0);
  const fitting: Choice[] = [];
  for (let pick = 0; pick < size; pick++) {
    let rest = pick;
    const total = totalOptions[rest % totalOptions.length];
    rest = Math.floor(rest / totalOptions.length);
    let sum = 0;
    const chosen = parts.map((value) => {
      const count = Math.max(1, value.readings.length);
      const reading = value.readings[rest % count];
      rest = Math.floor(rest / count);
      sum += worth(reading, scale);
      return { value, reading };
    });
    const target = worth(total, scale);
    if (sum === target || (extra !== 0 && sum + extra === target))
      fitting.push({ parts: chosen, total, undecided: false });
  }
  const [only] = fitting;
  if (only === undefined) return plain;
  const same = fitting.every((choice) =>
    choice.parts.every((part, index) => worth(part.reading, 1) === worth(only.parts[index]?.reading, 1)),
  );
  return fitting.length === 1 || same ? only : { ...only, undecided: true };
}

function hasIrregular(parts: readonly Value[]): boolean {
  return parts.some((value) =>
    value.readings.some((reading) => reading.kind === "amount" && reading.irregular),
  );
}
