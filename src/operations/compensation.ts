import type { Principal } from "../auth/principal.ts";
import { BoundedCache } from "../domain/cache.ts";
import { type AvailableYear, type Company, type KnownFiling, newerFilingOf } from "../domain/company.ts";
import {
  type CompensationQuery,
  DEFAULT_YEARS,
  type GivenParameters,
  YEAR_FILTERS,
  readCompensationQuery,
} from "../domain/query.ts";
import { rowHead } from "../domain/row-text.ts";
import { incompleteYears, reachesIntoHistory, selectYears } from "../domain/years.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../snapshot/reader.ts";
import { requireCompany } from "./company.ts";
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

/** Bytes of answers kept in memory. */
const CACHED_BYTES = 16 * 1024 * 1024;

/**
 * The compensation operation: the refusals in the order of `docs/contract.md`, "Order of refusals".
 * Refuses with every kind of that list. Nothing is charged before the answer exists, nothing is
 * answered before the charge is on disk.
 * @see docs/contract.md, "REST"
 */
export function compensationOperation(deps: OperationDeps) {
  const bodies = new BoundedCache<string, Uint8Array<ArrayBuffer>>(CACHED_BYTES, (body) => body.length);

  // REST hands in the same parameters again for the same query string: deciding once what they ask for is 3 us less a
  // request. What was decided stands as long as the dataset that it was decided on.
  const decisions = new WeakMap<GivenParameters, Decision>();
  const decide = (given: GivenParameters, principal: Principal): Decision => {
    const dataset = deps.snapshots.current();
    const anonymous = principal.kind === "anonymous";
    const known = decisions.get(given);
    if (known !== undefined && known.dataset === dataset && known.anonymous === anonymous) return known;
    const query = readCompensationQuery(given);
    if (anonymous) refuseHistory(query);
    const company = requireCompany(dataset, query, principal, deps.onDemand);
    const held = dataset.years(company.cik);
    const selected = selectYears(held, query, query.limit ?? (anonymous ? 1 : DEFAULT_YEARS));
    const ticker = query.ticker ?? company.ticker;
    const decision: Decision = {
      dataset,
      anonymous,
      ticker,
      selected,
      subject: ticker === "" ? company.cik : ticker,
      etag: tagOf(dataset, company, ticker, selected),
      incompleteYears: incompleteYears(selected),
      newerFiling: newerFilingOf(company),
      costCredits: reachesIntoHistory(held, selected) ? deps.prices.priceHistory : deps.prices.priceLatest,
    };
    decisions.set(given, decision);
    return decision;
  };

  return function getCompensation(request: OperationRequest): MaybePromise<Answer> {
    return whenAdmitted(deps, request, ({ principal, window }) => {
      const decision = decide(request.parameters, principal);
      const { ticker, selected, subject, etag, incompleteYears, newerFiling } = decision;
      const { requestId } = request.caller;
      const common = { etag, principal, window, incompleteYears, newerFiling };
      if (etagMatches(request.ifNoneMatch, etag)) {
        return withCharge(
          { ...common, notModified: true, body: EMPTY },
          freeReceipt(deps, principal, requestId),
        );
      }
      const body = bodies.getOrMake(etag, () => encode(bodyOf(ticker, selected)));
      const receipt = deps.charge(principal, {
        costCredits: request.method === "HEAD" ? 0 : decision.costCredits,
        operation: "getExecutiveCompensation",
        ticker: subject,
        requestId,
      });
      return withCharge({ ...common, notModified: false, body }, receipt);
    });
  };
}

/** What a query asks of one dataset. */
interface Decision {
  dataset: Dataset;
  anonymous: boolean;
  /** As the rows show it. */
  ticker: string;
  selected: readonly AvailableYear[];
  /** As the ledger names the company: its ticker, or its CIK where it has none. */
  subject: string;
  etag: string;
  incompleteYears: readonly number[];
  newerFiling: KnownFiling | null;
  costCredits: number;
}

/** The rows of years as the JSON text of `ExecutiveCompensationResponse`, each row under the symbol asked for. */
export function bodyOf(ticker: string, years: readonly AvailableYear[]): string {
  return `{"executive_compensation":[${rowsOf(ticker, years)}]}`;
}

/** The rows of years as JSON texts joined by commas. */
export function rowsOf(ticker: string, years: readonly AvailableYear[]): string {
  const head = rowHead(ticker);
  return years.flatMap(({ rowJson }) => rowJson.map((tail) => head + tail)).join(",");
}

/** Whether a query asks for more than the latest year: that needs a credential wherever anonymous callers are let in. */
export function asksForHistory(query: CompensationQuery): boolean {
  return (query.limit ?? 1) > 1 || YEAR_FILTERS.some((name) => query[name] !== undefined);
}

function refuseHistory(query: CompensationQuery): void {
  if (asksForHistory(query)) {
    throw new ServiceError("unauthenticated", "Historical fiscal years need an API key or sign-in.", {
      presented: "none",
    });
  }
}

function tagOf(
  dataset: Dataset,
  company: Company,
  ticker: string,
  selected: readonly AvailableYear[],
): string {
  const years = selected.map(({ fiscalYear }) => fiscalYear).join(".");
  return `"${dataset.info.contentHash.slice(0, 16)}-${company.cik}-${ticker}-${years}"`;
}
