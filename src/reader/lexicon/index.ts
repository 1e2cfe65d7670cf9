import { COLUMN_HEADERS, FOREIGN_HEADERS, GROUP_HEADERS } from "./column-headers.ts";
import type { Lexicon } from "./entry.ts";
import { HEADINGS } from "./headings.ts";
import { PAGE_ARTIFACTS } from "./page-artifacts.ts";

/** Every lexicon of the reader. */
export const LEXICONS: readonly Lexicon[] = [
  COLUMN_HEADERS,
  GROUP_HEADERS,
  FOREIGN_HEADERS,
  HEADINGS,
  PAGE_ARTIFACTS,
];
