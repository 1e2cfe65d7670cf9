import { COMPONENTS, type AmountField, type Component } from "../../domain/row-fields.ts";
import type { Meaning } from "../lexicon/column-headers.ts";
import type { ColumnPlan } from "./column-plan.ts";
import { PARTS } from "./header.ts";
import { isMoneyLike, readMoney, type Reading } from "./amounts.ts";
import type { Cents, Check, ParsedRow } from "../parsed.ts";
import type { CellRef, Problem, ProblemCode } from "../problem.ts";
import { refsOf, type Slot, type YearRow } from "./cells.ts";

/** The amounts of one row with what was checked. */
export interface Reconciled {
  readonly amounts: Record<AmountField, Cents>;
  readonly cells: Partial<Record<AmountField, readonly CellRef[]>>;
  readonly unknownReason: ParsedRow["unknownReason"];
  /** No amount at all is printed. */
  readonly blank: boolean;
  readonly checks: readonly Check[];
  readonly problems: readonly Problem[];
}

/** A row's amounts, or why it has none that can be trusted. */
export type Outcome =
  | { readonly kind: "row"; readonly row: Reconciled }
  | { readonly kind: "dropped"; readonly problem: Problem };

/** Differences up to this many units come from rounding. */
const ROUNDING = 3;
/** A total above this, in units, was never paid. */
const IMPLAUSIBLE = 20_000_000_000;
const MOST_CHOICES = 4096;

interface Value {
  slot: Slot;
  meaning: Meaning;
  readings: readonly Reading[];
}

function valuesOf(row: YearRow, plan: ColumnPlan): Value[] {
  return row.slots.map((slot) => ({
    slot,
    meaning: plan.get(slot.column) ?? slot.column.meaning,
    readings: slot.ambiguous ? [] : readMoney(slot.texts),
  }));
}

function worth(reading: Reading | undefined, scale: number): Cents {
  return reading?.kind === "amount" ? reading.hundredths * scale : 0;
}

/** Reads one row's amounts and holds them against the printed total. `scale` turns what is printed into units. */
export function reconcile(table: number, row: YearRow, plan: ColumnPlan, scale: number): Outcome {
  const values = valuesOf(row, plan);
  const problems: Problem[] = [];
  const problem = (code: ProblemCode, message: string, cell: CellRef | null = null): void => {
    problems.push({ code, step: "reconcile", message, cell });
  };
  const total = values.find((value) => value.meaning === "total_compensation");
  const parts = values.filter((value) => PARTS.has(value.meaning));
  const unknown = values.filter(
    (value) => value.meaning === "unknown" && value.slot.texts.some((text) => isMoneyLike(text)),
  );
  const printed =
    [...parts, ...unknown].some(
      (value) => value.readings.length === 0 || value.readings.some((reading) => reading.kind === "amount"),
    ) || row.unassigned.length > 0;
  const totals = total?.readings ?? [];
  const label = `row ${row.row} (${row.year.label})`;
  if (total !== undefined && total.readings.length === 0) {
    return drop(
      "row_unreadable",
      `Cannot read the total of ${label}: "${total.slot.texts.join(" | ")}"`,
      refsOf(table, total.slot)[0] ?? null,
    );
  }
  if (!totals.some((reading) => reading.kind === "amount")) {
    if (printed && !allZero(parts))
      return drop("total_missing", `No total in ${label}, though amounts are printed`, null);
    if (!printed) return { kind: "row", row: blankRow(table, values) };
  }
  const choice = choose(parts, unknown, totals, scale, printed);
  const amounts = zeros();
  const cells: Partial<Record<AmountField, CellRef[]>> = {};
  choice.parts.forEach(({ value, reading }) => {
    const field = fieldOf(value.meaning);
    amounts[field] += worth(reading, scale);
    (cells[field] ??= []).push(...refsOf(table, value.slot));
  });
  amounts.total_compensation = worth(choice.total, scale);
  if (total !== undefined) cells.total_compensation = refsOf(table, total.slot);
  const sum = COMPONENTS.reduce((all, field) => all + amounts[field], 0);
  const gap = amounts.total_compensation - sum;
  amounts.unknown_component = gap;

  let unknownReason: ParsedRow["unknownReason"] = null;
  const unreadable = parts.filter((value) => value.readings.length === 0);
  for (const value of unreadable) {
    const ref = refsOf(table, value.slot)[0] ?? null;
    problem(
      value.slot.ambiguous ? "cell_ambiguous" : "cell_unreadable",
      `Cannot read ${value.meaning} of ${label}: "${value.slot.texts.join(" | ")}"`,
      ref,
    );
    unknownReason = value.slot.ambiguous ? "cell_ambiguous" : "cell_unreadable";
  }
  for (const cell of row.unassigned) {
    problem("cell_ambiguous", `"${cell.text}" of ${label} stands under no caption`, {
      table,
      row: cell.row,
      column: cell.x0,
      raw: cell.raw,
      caption: [],
    });
    unknownReason ??= "cell_ambiguous";
  }
  const unknownSum = unknown.reduce((all, value) => all + worth(value.readings[0], scale), 0);
  if (unknownSum !== 0 || unknown.some((value) => value.readings.length === 0)) {
    if (gap !== 0) {
      unknownReason ??= "column_unknown";
      for (const value of unknown) {
        problem(
          "column_unknown",
          `"${value.slot.column.path.join(" / ")}" of ${label} is no column of Item 402(c); its ${value.slot.texts.join(" ")} stands in unknown_component`,
          refsOf(table, value.slot)[0] ?? null,
        );
        (cells.unknown_component ??= []).push(...refsOf(table, value.slot));
      }
    }
  }
  if (choice.undecided)
    problem(
      "cell_ambiguous",
      `A cell of ${label} can be read in two ways and no reading adds up to the total`,
    );
  const explained = unknownReason === "column_unknown" && Math.abs(gap - unknownSum) === 0;
  if (gap !== 0 && !explained) {
    const small = Math.abs(gap) <= ROUNDING * 100 * Math.max(1, scale);
    unknownReason ??= "filer_slip";
    problem(
      small ? "rounding" : "sum_mismatch",
      `The components of ${label} add up to ${sum / 100}, the printed total is ${amounts.total_compensation / 100}`,
      cells.total_compensation?.[0] ?? null,
    );
  }
  for (const value of parts) {
    if (!value.slot.byPosition) continue;
    problem(
      "column_by_position",
      `"${value.slot.texts.join(" ")}" of ${label} stands beside, not under, "${value.slot.column.path.join(" / ")}"`,
      refsOf(table, value.slot)[0] ?? null,
    );
  }
  for (const { value, reading } of choice.parts) {
    if (reading?.kind === "amount" && reading.irregular)
      problem(
        "cell_irregular",
        `"${value.slot.texts.join(" ")}" of ${label} is read as ${reading.hundredths / 100}, which the total confirms`,
        refsOf(table, value.slot)[0] ?? null,
      );
  }
  const doubled = COMPONENTS.find(
    (field) =>
      amounts[field] > 0 &&
      amounts[field] * 2 === sum &&
      field !== "unknown_component" &&
      othersOf(amounts, field) > 1,
  );
  if (doubled !== undefined)
    problem("doubled", `${doubled} of ${label} equals the sum of the other components`);
  if (Math.abs(amounts.total_compensation) > IMPLAUSIBLE * 100)
    problem("implausible_amount", `A total of ${amounts.total_compensation / 100} in ${label}`);
  const byPosition =
    parts.some((value) => value.slot.byPosition || value.slot.ambiguous) || row.unassigned.length > 0;
  const checks: Check[] = [
    {
      check: "sum_to_total",
      agrees: gap === 0,
      detail: `${sum / 100} = ${amounts.total_compensation / 100}`,
    },
    { check: "not_doubled", agrees: doubled === undefined, detail: doubled ?? "" },
    { check: "header_grid", agrees: !byPosition, detail: `${parts.length} columns under their captions` },
  ];
  return {
    kind: "row",
    row: {
      amounts,
      cells,
      unknownReason,
      blank: !printed && amounts.total_compensation === 0 && !printsDigit(total),
      checks,
      problems,
    },
  };

  function drop(code: ProblemCode, message: string, cell: CellRef | null): Outcome {
    return { kind: "dropped", problem: { code, step: "reconcile", message, cell } };
  }
}

function othersOf(amounts: Readonly<Record<AmountField, Cents>>, field: Component): number {
  return COMPONENTS.filter((one) => one !== field && amounts[one] !== 0).length;
}

function printsDigit(value: Value | undefined): boolean {
  return value !== undefined && value.readings.some((reading) => reading.kind === "amount");
}

function allZero(parts: readonly Value[]): boolean {
  return parts.every(
    (value) => value.readings.length > 0 && value.readings.every((reading) => worth(reading, 1) === 0),
  );
}

function zeros(): Record<AmountField, Cents> {
  return {
    salary: 0,
    bonus: 0,
    stock_awards: 0,
    option_awards: 0,
    non_equity_incentive: 0,
    pension_change: 0,
    other_comp: 0,
    unknown_component: 0,
    total_compensation: 0,
  };
}

function fieldOf(meaning: Meaning): AmountField {
  return isAmount(meaning) ? meaning : "unknown_component";
}

function isAmount(meaning: Meaning): meaning is Exclude<AmountField, "unknown_component"> {
  return PARTS.has(meaning) || meaning === "total_compensation";
}

function blankRow(table: number, values: readonly Value[]): Reconciled {
  const cells: Partial<Record<AmountField, CellRef[]>> = {};
  for (const { meaning, slot } of values)
    if (isAmount(meaning)) (cells[meaning] ??= []).push(...refsOf(table, slot));
  return {
    amounts: zeros(),
    cells,
    unknownReason: null,
    blank: true,
    checks: [{ check: "sum_to_total", agrees: null, detail: "no amount is printed" }],
    problems: [],
  };
}

interface Choice {
  parts: { value: Value; reading: Reading | undefined }[];
  total: Reading | undefined;
  undecided: boolean;
}

/** Takes the plain reading of every cell, unless exactly another combination of readings adds up to the total. */
function choose(
  parts: readonly Value[],
  unknown: readonly Value[],
  totals: readonly Reading[],
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
  if (size > MOST_CHOICES) return plain;
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
