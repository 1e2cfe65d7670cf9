/** Revisions in which a result has structured content, so that its text need not say everything once more. */
const STRUCTURED_SINCE = "2025-06-18";

/**
 * Whether the text of a result may be short. Revision 2025-03-26 knows text only: there it is the whole JSON.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/server/tools, "Structured Content"
 */
export function hasShortText(revision: string): boolean {
  return revision >= STRUCTURED_SINCE;
}
