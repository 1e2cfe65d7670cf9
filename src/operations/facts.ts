import type { MaybePromise } from "../domain/maybe-promise.ts";
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

/** A request for a company's latest year. */
export interface FactsRequest extends Omit<OperationRequest, "need"> {
  /** The symbol in the path, in any spelling. */
  ticker: string;
  /** URL of the compensation operation, as a pointer to history. */
  historyUrl: string;
}

type FactsSelection = Readonly<{ cik: string; ticker: string; historyUrl: string }>;

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
  const { etagOf, answer } = answering<FactsSelection>(deps, {
    operation: "getFacts",
    cachedBytes: CACHED_BYTES,
    render(dataset, { cik, ticker, historyUrl }) {
      const company = dataset.findByCik(cik);
      const [latest] = dataset.fiscalYears(cik);
      if (company === undefined || latest === undefined)
        throw new Error(`${cik} has rows but no fiscal year`);
      const { fiscalYear } = latest;
      const [before, behind] = aroundRows(ticker, company, fiscalYear, historyUrl);
      return joined([before, ...dataset.rowsJson(cik, ticker, [fiscalYear]), behind]);
    },
  });

  // Plans for one dataset, by history URL (at most four per server) and requested symbol.
  let kept: { dataset: Dataset; plans: Map<string, BoundedCache<string, Plan<FactsSelection>>> } | undefined;
  const plansFor = (dataset: Dataset, historyUrl: string) => {
    if (kept?.dataset !== dataset) kept = { dataset, plans: new Map() };
    const plans = kept.plans.get(historyUrl) ?? new BoundedCache<string, Plan<FactsSelection>>(CACHED_PLANS);
    kept.plans.set(historyUrl, plans);
    return plans;
  };
  const planOf = (
    dataset: Dataset,
    asked: string,
    principal: Principal,
    historyUrl: string,
  ): Plan<FactsSelection> => {
    const ticker = normalizeSymbol(asked);
    const company = requireCompany(dataset, { ticker }, principal, deps.onDemand);
    const selection = { cik: company.cik, ticker, historyUrl };
    return {
      dataset,
      selection,
      etag: etagOf(dataset, selection),
      incompleteYears: incompleteYears(dataset.fiscalYears(company.cik).slice(0, 1)),
      newerFiling: newerFilingOf(company),
      price: null,
    };
  };

  return function getFacts(request: FactsRequest): MaybePromise<Answer> {
    const { caller, ticker, historyUrl } = request;
    return whenAdmitted(deps, { caller, need: "any" }, (admission) => {
      if (request.parameters.size > 0) refuseParameters(request.parameters, historyUrl);
      const dataset = deps.snapshots.current();
      const make = () => planOf(dataset, ticker, admission.principal, historyUrl);
      const isLong = ticker.length > MAX_CACHED_SYMBOL_LENGTH;
      return answer(
        request,
        admission,
        isLong ? make() : plansFor(dataset, historyUrl).getOrMake(ticker, make),
      );
    });
  };
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
