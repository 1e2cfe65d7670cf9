/** The first revision with structured content, in which the text need not repeat everything. */
const STRUCTURED_SINCE = "2025-06-18";

/**
 * Whether the text of a result may be short. Revision 2025-03-26 has only text, which must be the complete JSON.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools, "Structured Content"
 */
export function hasShortText(revision: string): boolean {
  return revision >= STRUCTURED_SINCE;
}
