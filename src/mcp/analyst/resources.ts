/** The one resource: its address stands in a tool's declaration, its document is made when a host asks for it. */

/** The card's address. */
export const CARD_URI = "ui://execcomp/company-pay";
/** What every card is. */
const CARD_TYPE = "text/html;profile=mcp-app";

/** The resource as `resources/list` shows it. */
export const CARD_RESOURCE = {
  uri: CARD_URI,
  name: "company-pay",
  title: "Executive pay over the years",
  description:
    "Draws the rows of get_executive_compensation: the CEO's pay by component, totals by fiscal year.",
  mimeType: CARD_TYPE,
} as const;

/** What `resources/read` answers; undefined for any other address. */
export async function readResource(uri: string): Promise<object | undefined> {
  if (uri !== CARD_URI) return undefined;
  const { cardDocument } = await import("./card/card.ts");
  return {
    uri,
    mimeType: CARD_TYPE,
    text: cardDocument(),
    // No network, no frames, no permissions.
    _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
  };
}
