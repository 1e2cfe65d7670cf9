import { lexiconOf } from "./entry.ts";

/** Lines that a page break leaves between the rows or pages of a table; matched against the whole line, tidied. */
export const PAGE_ARTIFACTS = lexiconOf("page-artifacts", {
  "page number": { "pages.test": /^[A-Z]-\d{1,3}$|^\[?page\s*\d{1,3}(?:\s+of\s+\d{1,3})?\]?$/i },
  link: { "layouts: page break": /^(?:back to )?table of contents$/i },
  "running head": {
    "fixture 68": [
      /^(?!.*summary\s+compensation)[^;]{0,80}\b(?:(?:19|20)\d\d (?:annual )?proxy statement|proxy statement (?:for )?(?:19|20)\d\d)\b[^;.]{0,60}$/i,
      /^executive compensation(?: tables?)?(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
    ],
    "pages.test": /^named executive officers(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
  },
  title: {
    "fixture 68": /^(?:\d{4}\s+)?summary (?:of )?compensation(?: table)?(?:\W+cont(?:inued|['’]?d)?\W*)?$/i,
  },
  continued: {
    "pages.test": /^\W*continued(?: (?:from|on) (?:the )?(?:next|previous|following|preceding) page)?\W*$/i,
  },
  "notes below": { "pages.test": /^(?:please )?see (?:the )?(?:accompanying )?(?:foot)?notes?\b.{0,120}$/i },
});
