/** Lists of companies as people write them: symbols, and CIKs for companies without one. */

/** Companies that one comparison holds. */
export const MAX_COMPARED = 8;

/** Most characters of a list that are read, and most of its entries: twice what a list may hold, so that too many are told. */
const MAX_LIST = 4000;
const MAX_ENTRIES = 400;

/**
 * The entries of a list, each once, in order: parted by commas, semicolons, blanks or lines, in capitals. `CIK 320193`
 * is one entry, `CIK320193`.
 */
export function readCompanyList(text: string): string[] {
  // An entry that the end of a longer text cuts is another company's symbol.
  const read = text.length > MAX_LIST ? text.slice(0, MAX_LIST).replace(/(CIK\s*)?[^\s,;]*$/i, "") : text;
  const entries = read.toUpperCase().match(/CIK\s*\d{1,10}(?=[\s,;]|$)|[^\s,;]+/g) ?? [];
  return [...new Set(entries.map((entry) => entry.replaceAll(/\s/g, "")))].slice(0, MAX_ENTRIES);
}
