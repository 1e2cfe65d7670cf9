const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 has no place for, not even escaped. */
const NO_XML = /[^\P{Cc}\t\n\r]|[\ud800-\udfff\ufffe\uffff]/gu;

/** Text as it may stand in XML, in quoted attributes too. @see https://www.w3.org/TR/xml/#charsets */
export function escapeXml(text: string): string {
  return text.replace(NO_XML, "").replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}
