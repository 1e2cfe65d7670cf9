import { type Html, html } from "../../html.ts";

/** A time to the minute, in UTC, with its machine-readable form. */
export function time(ms: number): Html {
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`;
}

const DAY_MS = 86_400_000;

/** The last `count` UTC days, oldest first, as YYYY-MM-DD. */
export function lastDays(nowMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(nowMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
