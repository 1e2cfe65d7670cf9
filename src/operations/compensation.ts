import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Principal } from "../accounts/principal.ts";
import { newerFilingOf } from "../domain/company.ts";
import {
  COMPENSATION_PARAMETERS,
  type CompensationQuery,
  type GivenParameters,
  incompleteYears,
  reachesHistory,
  reachesIntoHistory,
  readQuery,
  selectYears,
  TICKERS_LIMIT,
  TICKERS_PARAMETERS,
  YEARS_LIMIT,
} from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import { answering, type Plan } from "./answer.ts";
import { requireCompany } from "./company.ts";
import {
  type Answer,
  encode,
  joined,
  type OperationDeps,
  type OperationRequest,
  whenAdmitted,
} from "./operation.ts";

/** Bytes of answers cached. */
const CACHED_BYTES = 16 * 1024 * 1024;

/** JSON around the rows in `ExecutiveCompensationResponse`. */
const BEFORE_ROWS = encode('{"executive_compensation":[');
const BEHIND_ROWS = encode("]}");

/** The rows of an answer. */
type CompensationSelection = Readonly<{
  cik: string;
  /** As shown in the rows. */
  ticker: string;
  /** Newest first. */
  fiscalYears: readonly number[];
}>;

/**
 * The compensation operation. Refuses with every kind of `docs/contract.md`, "Order of refusals", in that order.
 * Charges only once the answer exists, and answers only once the charge is on disk.
 * @see docs/contract.md, "REST"
 */
export function compensationOperation(deps: OperationDeps) {
  const { etagOf, answer } = answering<CompensationSelection>(deps, {
    operation: "getExecutiveCompensation",
    cachedBytes: CACHED_BYTES,
    render(dataset, { cik, ticker, fiscalYears }) {
      return joined([BEFORE_ROWS, ...dataset.rowsJson(cik, ticker, fiscalYears), BEHIND_ROWS]);
    },
  });

  // REST passes the same parameters object for the same query string; reusing its plan saves 3 us per request. A plan
  // is valid for the dataset it was made for.
  const plans = new WeakMap<GivenParameters, Plan<CompensationSelection> & { anonymous: boolean }>();
  const planOf = (given: GivenParameters, principal: Principal): Plan<CompensationSelection> => {
    const dataset = deps.snapshots.current();
    const anonymous = principal.kind === "anonymous";
    const known = plans.get(given);
    if (known !== undefined && known.dataset === dataset && known.anonymous === anonymous) return known;
    const query = readCompensationQuery(given);
    if (anonymous) refuseHistory(query);
    const company = requireCompany(dataset, query, principal, deps.onDemand);
    const available = dataset.fiscalYears(company.cik);
    const selected = selectYears(
      available,
      query,
      query.limit ?? (anonymous ? 1 : YEARS_LIMIT.schema.default),
    );
    const ticker = query.ticker ?? company.ticker;
    const fiscalYears = selected.map(({ fiscalYear }) => fiscalYear);
    const selection = { cik: company.cik, ticker, fiscalYears };
    const { priceHistory, priceLatest } = deps.prices;
    const rowPrice = reachesIntoHistory(available, selected) ? priceHistory : priceLatest;
    const costCredits = selected.length === 0 ? 0 : rowPrice;
    const plan = {
      dataset,
      anonymous,
      selection,
      etag: etagOf(dataset, selection),
      incompleteYears: incompleteYears(selected),
      newerFiling: newerFilingOf(company),
      price: { costCredits, ticker: ticker === "" ? company.cik : ticker },
    };
    plans.set(given, plan);
    return plan;
  };

  return function getCompensation(request: OperationRequest): MaybePromise<Answer> {
    return whenAdmitted(deps, request, (admission) =>
      answer(request, admission, planOf(request.parameters, admission.principal)),
    );
  };
}

/** Validates the compensation parameters. Refuses with `invalid_parameter`. */
export function readCompensationQuery(given: GivenParameters): CompensationQuery {
  const query = readQuery(given, COMPENSATION_PARAMETERS);
  if (query.ticker === undefined && query.cik === undefined) {
    throw new ServiceError("invalid_parameter", "Give ticker or cik: neither was sent.");
  }
  return query;
}

function refuseHistory(query: CompensationQuery): void {
  if (COMPENSATION_PARAMETERS.some((parameter) => reachesHistory(parameter, query[parameter.name]))) {
    throw new ServiceError("unauthenticated", "Historical fiscal years need an API key or sign-in.", {
      presented: "none",
    });
  }
}

/** Bytes of lists cached, one per requested `limit`. */
const LISTS_BYTES = 1 << 20;
const NONE: readonly number[] = Object.freeze([]);

/**
 * The tickers operation: the primary symbol of every company with rows, ascending by code point.
 * Refuses with `two_credentials`, `unauthenticated`, `rate_limited`, `invalid_parameter`, `payment_required`.
 * @see docs/contract.md, "REST"
 */
export function tickersOperation(deps: OperationDeps) {
  const { etagOf, answer } = answering<{ limit: number }>(deps, {
    operation: "getExecutiveCompensationTickers",
    cachedBytes: LISTS_BYTES,
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
