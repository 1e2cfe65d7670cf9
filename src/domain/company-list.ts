/** Company lists as people type them: symbols, or CIKs for companies without one. */

/** Maximum number of companies in a comparison. */
export const MAX_COMPARED = 20;

/** Maximum characters and entries read from a list: twice the allowed number, so that an excess is reported. */
const MAX_LIST = 4000;
const MAX_ENTRIES = 400;

/**
 * The distinct entries of a list, in order and in upper case. Separators are commas, semicolons and whitespace, except
 * that `CIK 320193` is one entry, `CIK320193`.
 */
export function readCompanyList(text: string): string[] {
  // Drop the last entry where the text is cut: its beginning could be another company's symbol.
  const read = text.length > MAX_LIST ? text.slice(0, MAX_LIST).replace(/(CIK\s*)?[^\s,;]*$/i, "") : text;
  const entries = read.toUpperCase().match(/CIK\s*\d{1,10}(?=[\s,;]|$)|[^\s,;]+/g) ?? [];
  return [...new Set(entries.map((entry) => entry.replaceAll(/\s/g, "")))].slice(0, MAX_ENTRIES);
}
