/** Amounts with their currency and in the unit that an address names. */
import { formatAmount } from "../../domain/amount.ts";
import { nameIn } from "./addresses.ts";

/** An amount with its currency in front: `$74,294,811`, `EUR 1,200`. */
export function money(units: number, currency: string | null): string {
  return currencySign(currency) + formatAmount(units);
}

/** `$`, or the code of any other currency with a space behind it. */
export function currencySign(currency: string | null): string {
  return currency === "USD" ? "$" : currency === null ? "" : `${currency}\u00a0`;
}

/** The units that amounts are shown in, by their name in addresses. */
export const UNITS = { "": "$", thousands: "$ thousands", percent: "% of total" } as const;

/** `EUR thousands`: the label of a unit in a currency. */
export function unitLabel(label: string, currency: string | null): string {
  return label.replace("$", currency === "USD" ? "$" : (currency ?? "Units"));
}

/** One of them. */
export type Unit = keyof typeof UNITS;

/** The unit named in an address. */
export function readUnit(text: string | null): Unit {
  return nameIn(UNITS, text) ?? "";
}
