/** The own company, which is measured against others: read from an address, its field in a form. */
import { findTyped, type PageCompany } from "../../operations/companies.ts";
import { type Html, html } from "../../lib/html.ts";
import type { PageVisit } from "../page-visit.ts";
import { checkbox, SUGGESTED, typedChip } from "../fields.ts";

/** The own company of an address. */
export interface OwnCompany {
  /** The company that is measured against the others. */
  own: PageCompany | null;
  /** What was typed for it and matches no company. */
  ownUnknown: readonly string[];
  /** Whether it is one of them. */
  includesOwn: boolean;
}

/** Reads it. */
export function readOwn({ dataset, viewer }: PageVisit, given: URLSearchParams): OwnCompany {
  const { found, unknown } = findTyped(dataset, given.get("own") ?? "", {
    names: 1,
    mistaken: viewer.kind === "visitor" ? 0 : 1,
  });
  const includesOwn = given.get("include_own") === "true";
  return { own: found[0] ?? null, ownUnknown: unknown, includesOwn };
}

/** The field of the own company, what is wrong with it beside it, and whether it is one of its peers. */
export function ownChips(given: URLSearchParams, { ownUnknown }: Pick<OwnCompany, "ownUnknown">): Html {
  const typed = given.get("own") ?? "";
  const isBad = ownUnknown.length > 0;
  const wrong = { "aria-invalid": "true", "aria-describedby": "own-problem" } as const;
  return html`${typedChip("own", "Own company, name or ticker", typed, "Own company", { size: 10, maxlength: 80, ...SUGGESTED, ...(isBad ? wrong : {}) })}
  ${isBad && html`<span class="error" id="own-problem" role="alert">No company found for “${typed.slice(0, 40)}”.</span>`}
  ${typed !== "" && !isBad && checkbox("Include own", { name: "include_own", value: "true", "data-press": true, checked: given.get("include_own") === "true" })}`;
}
