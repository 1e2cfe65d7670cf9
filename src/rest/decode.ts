import type { Presented } from "../accounts/principal.ts";

/**
 * The credential of a REST request. Only `X-API-KEY` counts; `Authorization` is ignored
 * (`docs/contract.md`, "Order of refusals").
 */
export function presentedKey(headers: Headers): Presented {
  const secret = headers.get("x-api-key");
  return secret === null ? NONE : { kind: "key", secret };
}

/** No credential. */
export const NONE: Presented = Object.freeze({ kind: "none" });
