import type { Presented } from "../auth/principal.ts";

/** The credential of a REST request: `X-API-KEY` alone is one; `Authorization` is ignored (`docs/contract.md`, "Order of refusals"). */
export function presentedKey(headers: Headers): Presented {
  const secret = headers.get("x-api-key");
  return secret === null ? NONE : { kind: "key", secret };
}

/** No credential. */
export const NONE: Presented = Object.freeze({ kind: "none" });
