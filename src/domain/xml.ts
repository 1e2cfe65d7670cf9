const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML 1.0 does not allow, even escaped. */
const NO_XML = /[^\P{Cc}\t\n\r]|[\ud800-\udfff\ufffe\uffff]/gu;

/** Escapes text for XML content and double-quoted attributes. @see https://www.w3.org/TR/xml/#charsets */
export function escapeXml(text: string): string {
  return text.replace(NO_XML, "").replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}
