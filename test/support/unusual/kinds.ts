/** Ways of setting the table that real filers use and the layouts do not cover: each makes a whole document. */
import type { TruePerson } from "../layouts/truth.ts";
import * as amounts from "./amounts.ts";
import * as columns from "./columns.ts";
import { documentOf, drawFiling, type Kind } from "./filing.ts";
import * as fixedWidth from "./fixed-width.ts";
import * as headings from "./headings.ts";
import * as layouts from "./layouts.ts";
import * as markup from "./markup.ts";
import * as none from "./no-table.ts";
import * as others from "./others.ts";
import * as people from "./people.ts";
import * as years from "./years.ts";

/** Every kind, by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ...others,
  ...amounts,
  ...layouts,
  ...columns,
  ...people,
  ...none,
  ...years,
  ...headings,
  ...markup,
  ...fixedWidth,
};

/** The document of a kind, with the people whose rows it has. */
export function unusual(kind: Kind, seed: number): { text: string; people: readonly TruePerson[] } {
  const filing = drawFiling(seed);
  const document = kind(filing);
  return typeof document === "string"
    ? { text: documentOf(document), people: filing.people }
    : { text: documentOf(document.body), people: document.people };
}
