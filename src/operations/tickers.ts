import type { MaybePromise } from "../domain/maybe-promise.ts";
import { TICKERS_LIMIT, TICKERS_PARAMETERS, type GivenParameters, readQuery } from "../domain/parameters.ts";
import { answering, type Plan } from "./answer.ts";
import { type Answer, encode, type OperationDeps, type OperationRequest, whenAdmitted } from "./operation.ts";

/** Bytes of lists cached, one per requested `limit`. */
const CACHED_BYTES = 1 << 20;
const NONE: readonly number[] = Object.freeze([]);

/**
 * The tickers operation: the primary symbol of every company with rows, ascending by code point.
 * Refuses with `two_credentials`, `unauthenticated`, `rate_limited`, `invalid_parameter`, `payment_required`.
 * @see docs/contract.md, "REST"
 */
export function tickersOperation(deps: OperationDeps) {
  const { etagOf, answer } = answering<{ limit: number }>(deps, {
    operation: "getExecutiveCompensationTickers",
    cachedBytes: CACHED_BYTES,
    render: (dataset, { limit }) =>
      encode(
        JSON.stringify({ resource: "executive_compensation", tickers: dataset.tickers().slice(0, limit) }),
      ),
  });
  const price = { costCredits: deps.prices.priceTickers, ticker: null };

  const planOf = (given: GivenParameters): Plan<{ limit: number }> => {
    const dataset = deps.snapshots.current();
    const { limit = TICKERS_LIMIT.schema.default } = readQuery(given, TICKERS_PARAMETERS);
    const selection = { limit };
    const etag = etagOf(dataset, selection);
    return { dataset, selection, etag, price, incompleteYears: NONE, newerFiling: null };
  };

  return function getTickers(request: OperationRequest): MaybePromise<Answer> {
    return whenAdmitted(deps, request, (admission) => answer(request, admission, planOf(request.parameters)));
  };
}
