const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as it may stand in an attribute of XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}
