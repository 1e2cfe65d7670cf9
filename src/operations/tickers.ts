import { DEFAULT_TICKERS, type GivenParameters, readTickersQuery } from "../domain/query.ts";
import {
  type Answer,
  type Caller,
  EMPTY,
  type OperationParts,
  encode,
  tagMatches,
  whileCounted,
} from "./parts.ts";

/** A question for the list of tickers, as a surface hands it in. */
export interface TickersRequest {
  caller: Caller;
  parameters: GivenParameters;
  ifNoneMatch: string | null;
  /** MCP lets anonymous callers list; REST wants a credential. */
  need: "credential" | "any";
}

/**
 * The tickers operation: every company with rows once, by its primary symbol, ascending by code point.
 * Refuses with `two_credentials`, `unauthenticated`, `rate_limited`, `invalid_parameter`, `payment_required`.
 * @see spec.md section 2
 */
export function tickersOperation(parts: OperationParts) {
  return async function getTickers(request: TickersRequest): Promise<Answer> {
    const { principal, window } = parts.admit(request.caller, request.need);
    return whileCounted(window, async () => {
      const { limit = DEFAULT_TICKERS } = readTickersQuery(request.parameters);
      const dataset = parts.snapshots.current();
      const etag = `"${dataset.info.contentHash.slice(0, 16)}-tickers-${limit}"`;
      const common = { etag, principal, window, incompleteYears: [] };
      if (tagMatches(request.ifNoneMatch, etag)) {
        return { ...common, notModified: true, body: EMPTY, receipt: null };
      }
      const tickers = dataset.tickers().slice(0, limit);
      const receipt = await parts.charge(principal, {
        costCredits: parts.prices.priceTickers,
        operation: "getExecutiveCompensationTickers",
        ticker: null,
        requestId: request.caller.requestId,
      });
      const body = encode(JSON.stringify({ resource: "executive_compensation", tickers }));
      return { ...common, notModified: false, body, receipt };
    });
  };
}
