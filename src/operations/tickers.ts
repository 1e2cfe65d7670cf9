import { BoundedCache } from "../domain/cache.ts";
import { DEFAULT_TICKERS, type GivenParameters, readTickersQuery } from "../domain/query.ts";
import {
  type Answer,
  EMPTY,
  type OperationDeps,
  type OperationRequest,
  type MaybePromise,
  encode,
  etagMatches,
  freeReceipt,
  whenAdmitted,
  withCharge,
} from "./operation.ts";

/**
 * The tickers operation: every company with rows once, by its primary symbol, ascending by code point.
 * Refuses with `two_credentials`, `unauthenticated`, `rate_limited`, `invalid_parameter`, `payment_required`.
 * @see docs/contract.md, "REST"
 */
export function tickersOperation(deps: OperationDeps) {
  const bodies = new BoundedCache<string, Uint8Array<ArrayBuffer>>(CACHED_BYTES, (body) => body.length);

  return function getTickers(request: OperationRequest): MaybePromise<Answer> {
    return whenAdmitted(deps, request, ({ principal, window }) => {
      const limit = request.parameters.size === 0 ? DEFAULT_TICKERS : limitOf(request.parameters);
      const dataset = deps.snapshots.current();
      const etag = `"${dataset.info.contentHash.slice(0, 16)}-tickers-${limit}"`;
      const common = { etag, principal, window, incompleteYears: NONE, newerFiling: null };
      const { requestId } = request.caller;
      if (etagMatches(request.ifNoneMatch, etag)) {
        return withCharge(
          { ...common, notModified: true, body: EMPTY },
          freeReceipt(deps, principal, requestId),
        );
      }
      const body = bodies.getOrMake(etag, () =>
        encode(
          JSON.stringify({
            resource: "executive_compensation",
            tickers: dataset.tickers().slice(0, limit),
          }),
        ),
      );
      const receipt = deps.charge(principal, {
        costCredits: request.method === "HEAD" ? 0 : deps.prices.priceTickers,
        operation: "getExecutiveCompensationTickers",
        ticker: null,
        requestId,
      });
      return withCharge({ ...common, notModified: false, body }, receipt);
    });
  };
}

/** Bytes of lists kept in memory, one for each `limit` asked for. */
const CACHED_BYTES = 1 << 20;
const NONE: readonly number[] = Object.freeze([]);

function limitOf(given: GivenParameters): number {
  return readTickersQuery(given).limit ?? DEFAULT_TICKERS;
}
