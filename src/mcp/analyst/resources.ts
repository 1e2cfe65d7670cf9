/** The only resource. A tool's declaration names its URI; the document is built when a host requests it. */

/** URI of the card. */
export const CARD_URI = "ui://execcomp/company-pay";
/** Media type of cards. */
const CARD_TYPE = "text/html;profile=mcp-app";

/** The resource as listed by `resources/list`. */
export const CARD_RESOURCE = {
  uri: CARD_URI,
  name: "company-pay",
  title: "Executive pay over the years",
  description:
    "Draws the rows of get_executive_compensation: the CEO's pay by component, totals by fiscal year.",
  mimeType: CARD_TYPE,
} as const;

/** The contents for `resources/read`; undefined for an unknown URI. */
export async function readResource(uri: string): Promise<object | undefined> {
  if (uri !== CARD_URI) return undefined;
  const { cardDocument } = await import("./card/card.ts");
  return {
    uri,
    mimeType: CARD_TYPE,
    text: cardDocument(),
    // No network access, frames or permissions.
    _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
  };
}
