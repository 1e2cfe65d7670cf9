import type { Choices } from "./plan.ts";

/** One printed amount, in parts that a table may put into separate cells. */
export interface AmountPart {
  readonly dollar: string;
  readonly body: string;
  /** A closing bracket that filers put into the next cell. */
  readonly close: string;
  /** The number of a footnote, empty for none. */
  readonly note: string;
}

const SIGNS: Record<Choices["currency"], string> = {
  USD: "$",
  "USD-words": "$",
  CAD: "$",
  GBP: "£",
  EUR: "€",
  CNY: "¥",
};

/** The unit below a caption, such as `($)`, `(C$)` or `($000)`. */
export function unitMark(choices: Choices): string {
  const sign = { USD: "$", "USD-words": "US$", CAD: "C$", GBP: "£", EUR: "€", CNY: "RMB" }[choices.currency];
  return choices.thousands === "header" ? `(${sign}000)` : `(${sign})`;
}

/** The currency code that the row is served with. */
export function currencyCode(choices: Choices): string {
  return choices.currency === "USD-words" ? "USD" : choices.currency;
}

/** Prints one amount (cents, null for none) as the plan's filer would. */
export function printAmount(
  cents: number | null,
  choices: Choices,
  firstRow: boolean,
  note: string,
): AmountPart {
  const dollar = dollarOf(choices, firstRow);
  if (cents === null) {
    if (choices.empty === "$—") return { dollar: SIGNS[choices.currency], body: "—", close: "", note };
    const digit = choices.empty === "0" || choices.empty === "-0-";
    return {
      dollar: digit ? dollar : "",
      body: choices.empty,
      close: "",
      note: choices.empty === "" ? "" : note,
    };
  }
  const unit = choices.thousands === "none" ? 100 : 100_000;
  const size = Math.abs(cents);
  const whole = Math.trunc(size / unit).toLocaleString("en-US");
  const digits = choices.cents === "none" ? whole : `${whole}.${String(size % 100).padStart(2, "0")}`;
  if (cents >= 0) return { dollar, body: digits, close: "", note };
  if (choices.negative === "minus") return { dollar, body: `-${digits}`, close: "", note };
  return { dollar, body: `(${digits}`, close: ")", note };
}

function dollarOf(choices: Choices, firstRow: boolean): string {
  if (choices.dollars === "none") return "";
  if (choices.dollars === "us") return "US$";
  if (choices.dollars === "cell-first" && !firstRow) return "";
  return SIGNS[choices.currency];
}
