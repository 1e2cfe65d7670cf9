import type { Credits } from "../accounts/credits.ts";
import type { OperationDeps, Receipt } from "./operation.ts";

/** For whom nothing is charged. */
export const UNMETERED: Receipt = Object.freeze({ charged: 0, remaining: null });

/**
 * Charges whoever has credits. The local operator and anonymous callers have none and pay nothing: no receipt for
 * them to show.
 *
 * @param options.unmetered whether the whole server charges nobody
 */
export function charging(credits: Credits, options: { unmetered: boolean }): OperationDeps["charge"] {
  return (principal, { costCredits, operation, ticker, requestId }) => {
    if (options.unmetered || principal.kind === "operator" || principal.kind === "anonymous") {
      return UNMETERED;
    }
    return credits.charge({ userId: principal.userId, costCredits, operation, ticker, requestId });
  };
}
