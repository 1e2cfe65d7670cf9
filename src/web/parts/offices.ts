/** The rows of CEO and CFO. */
import { type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";

/** The office that a row was paid for, where it is one of the two. */
export function officeOf({ is_peo: isPeo, is_pfo: isPfo }: Row): "CEO" | "CFO" | "" {
  return isPeo ? "CEO" : isPfo ? "CFO" : "";
}

/** The rows of an office, highest total first; of all officers without one. */
export function heldBy(rows: readonly Row[], office: "CEO" | "CFO" | ""): Row[] {
  const held = rows.filter((row) => office === "" || (office === "CEO" ? row.is_peo : row.is_pfo));
  return held.toSorted((a, b) => b.total_compensation - a.total_compensation);
}

/** CEO and CFO tags, with the rule's term as the tooltip. */
export function offices({ is_peo: isPeo, is_pfo: isPfo }: Row): Html {
  return html`${isPeo && html` <abbr class="tag" title="Principal executive officer (PEO), Item 402(a)(3)">CEO</abbr>`}
  ${isPfo && html` <abbr class="tag" title="Principal financial officer (PFO), Item 402(a)(3)">CFO</abbr>`}`;
}
