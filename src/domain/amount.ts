import { lazily } from "./lazily.ts";

/** An amount of money as a whole number of hundredths of its currency's unit. Sums are compared in these, never in fractions. */
export type Cents = number;

const PRINTED = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Hundredths from digits with at most two decimals (`1500000`, `-12.5`); undefined for anything else, thousands separators too. */
export function readCents(text: string): Cents | undefined {
  const match = PRINTED.exec(text);
  if (match === null) return undefined;
  const [, sign = "", units = "", decimals = ""] = match;
  const cents = Number(units) * 100 + Number(decimals.padEnd(2, "0"));
  return sign === "" || cents === 0 ? cents : -cents;
}

/** The amount in units as digits, with decimals only where it has any: the spelling of JSON numbers and of the files in `data/`. */
export function writeCents(cents: Cents): string {
  const sign = cents < 0 ? "-" : "";
  const size = Math.abs(cents);
  const decimals = size % 100;
  const units = String((size - decimals) / 100);
  if (decimals === 0) return sign + units;
  return `${sign}${units}.${String(decimals).padStart(2, "0").replace(/0$/, "")}`;
}

/** The amount in units as a number, for JSON and for people; exact to the cent below 90 million million. */
export function unitsOf(cents: Cents): number {
  return cents / 100;
}

/** Hundredths of an amount in units; exact for every number that `unitsOf` gives. */
export function centsOf(units: number): Cents {
  return Math.round(units * 100);
}

/** Whether the number can be an amount: whole hundredths that a double holds exactly. */
export function isCents(value: number): boolean {
  return Number.isSafeInteger(value);
}

/** Making one takes 30 us, using it a tenth of one; the first reads tables of languages that a start does not need. */
const whole = lazily(() => new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }));
const withCents = lazily(
  () => new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

/** An amount in units as finance tables print it: `74,294,811`, `(1,200)` below zero, cents only where there are any. */
export function formatAmount(units: number): string {
  const text = (Number.isInteger(units) ? whole : withCents)().format(Math.abs(units));
  return units < 0 ? `(${text})` : text;
}

/** An amount in a cell of a table: as `formatAmount`, and `–` for nil. */
export function formatAmountCell(units: number): string {
  return units === 0 ? "–" : formatAmount(units);
}
