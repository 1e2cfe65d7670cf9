import { CURRENCY_SIGNS, NO_AMOUNT } from "./amounts.ts";
import { COLUMN_HEADERS, FOREIGN_HEADERS, GROUP_HEADERS } from "./column-headers.ts";
import { DESIGNATIONS, OFFICE_POSITIONS } from "./designations.ts";
import { ECD_TAGS } from "./ecd-tags.ts";
import { ELSEWHERE } from "./elsewhere.ts";
import type { Lexicon } from "./entry.ts";
import { FOOTNOTE_MARKERS } from "./footnote-markers.ts";
import { HEADINGS, ROW_LABELS } from "./headings.ts";
import { LEGAL_OFFICE_NAMES, OFFICE_NAMES } from "./office-names.ts";
import { OFFICER_FRAMES } from "./officer-frames.ts";
import { BUSINESS_WORDS, NAME_PARTS, TITLE_WORDS } from "./names.ts";
import { PAGE_ARTIFACTS } from "./page-artifacts.ts";
import { SENTENCES } from "./sentences.ts";
import {
  AFTER_OFFICE,
  FALLBACK_TITLES,
  FORMER,
  NO_DIVISION,
  SERVES_OFFICER,
  WORDS_BEFORE_OFFICE,
} from "./titles.ts";
import { TABLE_SIGNS } from "./table-signs.ts";
import { CURRENCIES, CURRENCY_STATEMENTS, SCALES } from "./units.ts";
import { PARTIAL_YEARS, PERIOD_WORDS, YEAR_LABELS } from "./years.ts";

/** Every lexicon of the reader. */
export const LEXICONS: readonly Lexicon[] = [
  COLUMN_HEADERS,
  GROUP_HEADERS,
  FOREIGN_HEADERS,
  HEADINGS,
  ROW_LABELS,
  TABLE_SIGNS,
  PAGE_ARTIFACTS,
  FOOTNOTE_MARKERS,
  PERIOD_WORDS,
  YEAR_LABELS,
  PARTIAL_YEARS,
  TITLE_WORDS,
  BUSINESS_WORDS,
  NAME_PARTS,
  NO_AMOUNT,
  CURRENCY_SIGNS,
  SCALES,
  CURRENCIES,
  CURRENCY_STATEMENTS,
  OFFICE_NAMES,
  LEGAL_OFFICE_NAMES,
  OFFICER_FRAMES,
  ELSEWHERE,
  SENTENCES,
  DESIGNATIONS,
  OFFICE_POSITIONS,
  WORDS_BEFORE_OFFICE,
  SERVES_OFFICER,
  AFTER_OFFICE,
  FORMER,
  NO_DIVISION,
  FALLBACK_TITLES,
  ECD_TAGS,
];
