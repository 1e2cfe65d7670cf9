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
import type { Dataset } from "../dataset/dataset.ts";
import { answering, etagOf, type Plan } from "./answer.ts";
import { requireCompany } from "./company.ts";
import { encode, joined, type OperationDeps, type OperationRequest } from "./operation.ts";

/** Bytes of answers cached. */
const CACHED_BYTES = 16 * 1024 * 1024;

/** JSON around the rows in `ExecutiveCompensationResponse`. */
const BEFORE_ROWS = encode('{"executive_compensation":[');
const BEHIND_ROWS = encode("]}");

/**
 * The compensation operation.
 * @see docs/contract.md, "REST"
 */
export function compensationOperation(deps: OperationDeps) {
  const operation = "getExecutiveCompensation";
  const planOf = (given: GivenParameters, principal: Principal, dataset: Dataset): Plan => {
    const query = readCompensationQuery(given);
    const anonymous = principal.kind === "anonymous";
    if (anonymous) refuseHistory(query);
    const company = requireCompany(dataset, query, principal, deps.onDemand);
    const { cik } = company;
    const available = dataset.fiscalYears(cik);
    const limit = query.limit ?? (anonymous ? 1 : YEARS_LIMIT.schema.default);
    const selected = selectYears(available, query, limit);
    // As shown in the rows.
    const ticker = query.ticker ?? company.ticker;
    const fiscalYears = selected.map(({ fiscalYear }) => fiscalYear);
    const { priceHistory, priceLatest } = deps.prices;
    const rowPrice = reachesIntoHistory(available, selected) ? priceHistory : priceLatest;
    return {
      dataset,
      etag: etagOf(operation, dataset, { cik, ticker, fiscalYears }),
      ticker: ticker === "" ? cik : ticker,
      incompleteYears: incompleteYears(selected),
      newerFiling: newerFilingOf(company),
      priceCredits: 0,
      answer: () => ({
        body: joined([BEFORE_ROWS, ...dataset.rowsJson(cik, ticker, fiscalYears), BEHIND_ROWS]),
        costCredits: selected.length === 0 ? 0 : rowPrice,
      }),
    };
  };

  // REST passes the same parameters object for the same query string; reusing its plan saves 3 us per request. A plan
  // is valid for the dataset it was made for.
  const plans = new WeakMap<GivenParameters, Plan & { anonymous: boolean }>();
  return answering(deps, operation, CACHED_BYTES, ({ parameters }: OperationRequest, principal) => {
    const dataset = deps.snapshots.current();
    const anonymous = principal.kind === "anonymous";
    const known = plans.get(parameters);
    if (known !== undefined && known.dataset === dataset && known.anonymous === anonymous) return known;
    const plan = { ...planOf(parameters, principal, dataset), anonymous };
    plans.set(parameters, plan);
    return plan;
  });
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
  const operation = "getExecutiveCompensationTickers";
  return answering(deps, operation, LISTS_BYTES, ({ parameters }: OperationRequest) => {
    const dataset = deps.snapshots.current();
    const { limit = TICKERS_LIMIT.schema.default } = readQuery(parameters, TICKERS_PARAMETERS);
    return {
      dataset,
      etag: etagOf(operation, dataset, { limit }),
      ticker: null,
      incompleteYears: NONE,
      newerFiling: null,
      priceCredits: 0,
      answer() {
        const tickers = dataset.tickers().slice(0, limit);
        return {
          body: encode(JSON.stringify({ resource: "executive_compensation", tickers })),
          costCredits: deps.prices.priceTickers,
        };
      },
    };
  });
}
