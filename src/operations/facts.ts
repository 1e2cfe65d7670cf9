import type { Principal } from "../accounts/principal.ts";
import { BoundedCache } from "../domain/cache.ts";
import { type Company, newerFilingJson, newerFilingOf, normalizeSymbol } from "../domain/company.ts";
import {
  COMPENSATION_PARAMETERS,
  type GivenParameters,
  incompleteYears,
  shorten,
} from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { answering, etagOf, type Plan } from "./answer.ts";
import { requireCompany } from "./company.ts";
import { encode, joined, type OperationDeps, type OperationRequest } from "./operation.ts";

/** A request for a company's latest year. */
export interface FactsRequest extends OperationRequest {
  /** The symbol in the path, in any spelling. */
  ticker: string;
  /** URL of the compensation operation, as a pointer to history. */
  historyUrl: string;
}

const CACHED_BYTES = 4 * 1024 * 1024;
/** Number of symbols whose plan is cached, and the longest of them. */
const CACHED_PLANS = 4096;
const MAX_CACHED_SYMBOL_LENGTH = 100;

/**
 * The anonymous facts: all rows of the latest available fiscal year. Credentials are ignored. Refuses with
 * `rate_limited`, `unauthenticated` (year or limit requested), `invalid_parameter`, `unknown_company`, `unavailable`.
 * @see docs/contract.md, "Facts"
 */
export function factsOperation(deps: OperationDeps) {
  const operation = "getFacts";
  // Plans for one dataset, by history URL (at most four per server) and requested symbol.
  let kept: { dataset: Dataset; plans: Map<string, BoundedCache<string, Plan>> } | undefined;
  const plansFor = (dataset: Dataset, historyUrl: string) => {
    if (kept?.dataset !== dataset) kept = { dataset, plans: new Map() };
    return kept.plans.getOrInsertComputed(historyUrl, () => new BoundedCache<string, Plan>(CACHED_PLANS));
  };
  const planOf = (dataset: Dataset, asked: string, principal: Principal, historyUrl: string): Plan => {
    const ticker = normalizeSymbol(asked);
    const company = requireCompany(dataset, { ticker }, principal, deps.onDemand);
    const { cik } = company;
    const [latest] = dataset.fiscalYears(cik);
    if (latest === undefined) throw new Error(`${cik} has rows but no fiscal year`);
    return {
      dataset,
      etag: etagOf(operation, dataset, { cik, ticker, historyUrl }),
      ticker,
      incompleteYears: incompleteYears([latest]),
      newerFiling: newerFilingOf(company),
      priceCredits: 0,
      answer() {
        const { fiscalYear } = latest;
        const [before, behind] = aroundRows(ticker, company, fiscalYear, historyUrl);
        const body = joined([before, ...dataset.rowsJson(cik, ticker, [fiscalYear]), behind]);
        return { body, costCredits: 0 };
      },
    };
  };

  return answering(deps, operation, CACHED_BYTES, (request: FactsRequest, principal) => {
    const { parameters, ticker, historyUrl } = request;
    if (parameters.size > 0) refuseParameters(parameters, historyUrl);
    const dataset = deps.snapshots.current();
    const make = () => planOf(dataset, ticker, principal, historyUrl);
    const isLong = ticker.length > MAX_CACHED_SYMBOL_LENGTH;
    return isLong ? make() : plansFor(dataset, historyUrl).getOrMake(ticker, make);
  });
}

/** JSON before and after the rows. */
function aroundRows(
  ticker: string,
  company: Company,
  fiscalYear: number,
  historyUrl: string,
): [Uint8Array, Uint8Array] {
  const head = {
    ticker,
    cik: company.cik,
    company_name: company.name,
    fiscal_year: fiscalYear,
  };
  const history = {
    message: "Earlier fiscal years need an API key, sent as X-API-KEY.",
    url: `${historyUrl}?ticker=${encodeURIComponent(ticker)}`,
  };
  const tail = { history, newer_filing: newerFilingJson(company) };
  return [
    encode(`${JSON.stringify(head).slice(0, -1)},"executive_compensation":[`),
    encode(`],${JSON.stringify(tail).slice(1)}`),
  ];
}

function refuseParameters(given: GivenParameters, historyUrl: string): void {
  const known: readonly string[] = COMPENSATION_PARAMETERS.flatMap(({ name, history }) =>
    history === "never" ? [] : [name],
  );
  for (const name of given.keys()) {
    if (!known.includes(name)) {
      throw new ServiceError(
        "invalid_parameter",
        `Unknown parameter ${JSON.stringify(shorten(name))}. This address takes none: the ticker is in the path; ${known.join(", ")} need an API key at ${historyUrl}.`,
      );
    }
    throw new ServiceError(
      "unauthenticated",
      `This address answers the latest fiscal year only; ${name} needs an API key at ${historyUrl}.`,
      { presented: "none" },
    );
  }
}
