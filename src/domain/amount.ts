/** An amount in hundredths of the currency unit, as an integer. Sums are compared in cents, never in fractions. */
export type Cents = number;

const PRINTED = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/** The largest amount that can be read, positive or negative, in units. */
export const MAX_AMOUNT = 9_999_999_999_999.99;

/**
 * Parses digits with at most two decimals (`1500000`, `-12.5`) to cents; undefined for anything else, including
 * thousands separators.
 */
export function readCents(text: string): Cents | undefined {
  const match = PRINTED.exec(text);
  if (match === null) return undefined;
  const [, sign = "", units = "", decimals = ""] = match;
  const cents = Number(units) * 100 + Number(decimals.padEnd(2, "0"));
  return sign === "" || cents === 0 ? cents : -cents;
}

/** Formats cents as units, with decimals only if needed: the form used in JSON and in the files under `data/`. */
export function writeCents(cents: Cents): string {
  const units = Math.trunc(cents / 100);
  const decimals = Math.abs(cents - units * 100);
  if (decimals === 0) return String(units);
  const sign = cents < 0 ? "-" : "";
  return `${sign}${Math.abs(units)}.${String(decimals).padStart(2, "0").replace(/0$/, "")}`;
}

/** Converts cents to units, for JSON and display; exact to the cent below 90 trillion. */
export function unitsOf(cents: Cents): number {
  return cents / 100;
}

/** Converts units to cents; exact for all results of `unitsOf`. */
export function centsOf(units: number): Cents {
  return Math.round(units * 100);
}

/** Whether a number can be an amount: an integer that a double represents exactly. */
export function isCents(value: number): boolean {
  return Number.isSafeInteger(value);
}

/**
 * Creating a formatter takes 30 us, using it 0.1 us; the first one loads locale data, so none is created at startup.
 */
const whole = lazily(() => new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }));
const withCents = lazily(
  () => new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

/** Formats units as finance tables do: `74,294,811`, negative as `(1,200)`, cents only if there are any. */
export function formatAmount(units: number): string {
  const text = (Number.isInteger(units) ? whole : withCents)().format(Math.abs(units));
  return units < 0 ? `(${text})` : text;
}

/** Like `formatAmount`, with `–` for zero, as in table cells. */
export function formatAmountCell(units: number): string {
  return units === 0 ? "–" : formatAmount(units);
}

/** Returns a function that computes a value on first use and caches it, to keep module loading cheap. */
function lazily<Made>(make: () => Made): () => Made {
  let value: Made | undefined;
  return () => (value ??= make());
}
