import { COLUMN_HEADERS } from "./column-headers.ts";
import type { Lexicon } from "./entry.ts";

/** Every lexicon of the reader. */
export const LEXICONS: readonly Lexicon[] = [COLUMN_HEADERS];
