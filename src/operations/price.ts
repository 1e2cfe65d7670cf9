import type { Credits } from "../accounts/credits.ts";
import type { OperationDeps, Receipt } from "./operation.ts";

/** The receipt of callers that are not charged. */
export const UNMETERED: Receipt = Object.freeze({ charged: 0, remaining: null });

/**
 * Returns the charging function. The local operator and anonymous callers have no credits and pay nothing.
 *
 * @param options.unmetered whether charging is turned off for the whole server
 */
export function charging(credits: Credits, options: { unmetered: boolean }): OperationDeps["charge"] {
  return (principal, { costCredits, operation, ticker, requestId }) => {
    if (options.unmetered || principal.kind === "operator" || principal.kind === "anonymous") {
      return UNMETERED;
    }
    return credits.charge({ userId: principal.userId, costCredits, operation, ticker, requestId });
  };
}
