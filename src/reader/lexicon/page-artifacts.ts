import { defineLexicon } from "./entry.ts";

/** What a page break leaves between the rows of a table or between its pages: whole lines, tidied. */
export const PAGE_ARTIFACTS = defineLexicon("page-artifacts", [
  {
    means: "page number",
    pattern: /^[A-Z]-\d{1,3}$|^\[?page\s*\d{1,3}(?:\s+of\s+\d{1,3})?\]?$/i,
    source: "pages.test",
  },
  { means: "link", pattern: /^(?:back to )?table of contents$/i, source: "layouts: page break" },
  {
    means: "running head",
    pattern:
      /^(?!.*summary\s+compensation)[^;]{0,80}\b(?:(?:19|20)\d\d (?:annual )?proxy statement|proxy statement (?:for )?(?:19|20)\d\d)\b[^;.]{0,60}$/i,
    source: "fixture 68",
  },
  {
    means: "running head",
    pattern: /^executive compensation(?: tables?)?(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
    source: "fixture 68",
  },
  {
    means: "running head",
    pattern: /^named executive officers(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
    source: "pages.test",
  },
  {
    means: "title",
    pattern: /^(?:\d{4}\s+)?summary (?:of )?compensation(?: table)?(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
    source: "fixture 68",
  },
  {
    means: "continued",
    pattern: /^\W*continued(?: (?:from|on) (?:the )?(?:next|previous|following|preceding) page)?\W*$/i,
    source: "pages.test",
  },
  {
    means: "notes below",
    pattern: /^(?:please )?see (?:the )?(?:accompanying )?(?:foot)?notes?\b.{0,120}$/i,
    source: "pages.test",
  },
]);
