/** Ways of setting the table that real filers have and that the layouts do not: each makes a whole document. */
import * as amounts from "./amounts.ts";
import { documentOf, drawFiling, type Filing, type Kind } from "./filing.ts";
import * as layouts from "./layouts.ts";
import * as others from "./others.ts";

/** Every kind, by name. */
export const KINDS: Readonly<Record<string, Kind>> = { ...others, ...amounts, ...layouts };

/** The document of a kind. */
export function unusual(kind: Kind, seed: number): { text: string; filing: Filing } {
  const filing = drawFiling(seed);
  return { text: documentOf(kind(filing)), filing };
}
