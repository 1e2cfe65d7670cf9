import type { Presented } from "../accounts/principal.ts";

const BEARER = /^bearer(?:\s+(.*))?$/i;

/**
 * The credential of an MCP request: `Authorization: Bearer` or `X-API-KEY`, but not both. An empty one counts as
 * presented; other schemes (such as a proxy's Basic) are ignored; the query is never read.
 * @see docs/protocols.md, 2.2
 */
export function presentedBy(headers: Headers): Presented {
  const key = headers.get("x-api-key");
  const authorization = headers.get("authorization");
  const bearer = authorization === null ? null : BEARER.exec(authorization.trim());
  if (key !== null && bearer !== null) return { kind: "both" };
  if (key !== null) return { kind: "key", secret: key };
  if (bearer !== null) return { kind: "token", secret: bearer[1]?.trim() ?? "" };
  return { kind: "none" };
}
