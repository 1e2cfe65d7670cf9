import type { Principal } from "../auth/principal.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { Company, AvailableYear } from "../domain/company.ts";
import { newerFilingOf, normalizeSymbol } from "../domain/company.ts";
import { type GivenParameters, YEAR_FILTERS, unknownParameter } from "../domain/query.ts";
import { incompleteYears } from "../domain/years.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../snapshot/reader.ts";
import { requireCompany } from "./company.ts";
import { rowsOf } from "./compensation.ts";
import {
  type Answer,
  type Caller,
  EMPTY,
  type OperationDeps,
  type OperationRequest,
  type MaybePromise,
  encode,
  etagMatches,
  whenAdmitted,
} from "./operation.ts";

/** A question for the latest year of one company, as a surface hands it in. */
export interface FactsRequest extends Pick<OperationRequest, "parameters" | "ifNoneMatch"> {
  /** The symbol in the path, in any spelling. */
  ticker: string;
  address: string;
  requestId: string;
  /** REST address of the compensation operation, for the pointer to history. */
  historyUrl: string;
}

const CACHED_BYTES = 4 * 1024 * 1024;
/** Symbols of which the meaning is kept, and the longest key that is. */
const CACHED_DECISIONS = 4096;
const MAX_CACHED_KEY_LENGTH = 300;

/**
 * The anonymous facts: every row of the latest fiscal year held. No credential is looked at.
 * Refuses with `rate_limited`, `unauthenticated` (year or limit asked for), `invalid_parameter`,
 * `unknown_company`, `unavailable`.
 * @see docs/contract.md, "Facts"
 */
export function factsOperation(deps: OperationDeps) {
  const bodies = new BoundedCache<string, Uint8Array<ArrayBuffer>>(CACHED_BYTES, (body) => body.length);

  const decisions = new BoundedCache<string, FactsDecision>(CACHED_DECISIONS);

  const decide = (dataset: Dataset, asked: string, principal: Principal, baseUrls: string): FactsDecision => {
    const ticker = normalizeSymbol(asked);
    const company = requireCompany(dataset, { ticker }, principal, deps.onDemand);
    const [latest] = dataset.years(company.cik);
    if (latest === undefined) throw new Error(`${company.cik} has rows and no year`);
    const etag = `"${dataset.info.contentHash.slice(0, 16)}-facts-${ticker}-${new URL(baseUrls).host}"`;
    return { ticker, company, latest, etag, incompleteYears: incompleteYears([latest]) };
  };

  return function getFacts(request: FactsRequest): MaybePromise<Answer> {
    const { address, requestId, historyUrl } = request;
    const caller: Caller = { presented: { kind: "none" }, address, requestId };
    return whenAdmitted(deps, { caller, need: "any" }, ({ principal, window }) => {
      if (request.parameters.size > 0) refuseParameters(request.parameters, historyUrl);
      const dataset = deps.snapshots.current();
      const asked = `${dataset.info.contentHash} ${historyUrl} ${request.ticker}`;
      const decideNow = () => decide(dataset, request.ticker, principal, historyUrl);
      const decision =
        asked.length > MAX_CACHED_KEY_LENGTH ? decideNow() : decisions.getOrMake(asked, decideNow);
      const { ticker, company, latest, etag, incompleteYears } = decision;
      const notModified = etagMatches(request.ifNoneMatch, etag);
      const body = notModified
        ? EMPTY
        : bodies.getOrMake(etag, () => encode(factsBody(ticker, company, latest, historyUrl)));
      const newerFiling = newerFilingOf(company);
      return { etag, principal, window, incompleteYears, newerFiling, receipt: null, notModified, body };
    });
  };
}

/** What a symbol means in one dataset, decided once. */
interface FactsDecision {
  ticker: string;
  company: Company;
  latest: AvailableYear;
  etag: string;
  incompleteYears: readonly number[];
}

function factsBody(ticker: string, company: Company, latest: AvailableYear, historyUrl: string): string {
  const head = {
    ticker,
    cik: company.cik,
    company_name: company.name,
    fiscal_year: latest.fiscalYear,
  };
  const history = {
    message: "Earlier fiscal years need an API key, sent as X-API-KEY.",
    url: `${historyUrl}?ticker=${encodeURIComponent(ticker)}`,
  };
  const newer = newerFilingOf(company);
  const newerFiling =
    newer === null
      ? null
      : {
          accession: newer.accession,
          form: newer.form,
          filing_date: newer.filingDate,
          filing_url: newer.url,
        };
  const tail = { history, newer_filing: newerFiling };
  const rows = rowsOf(ticker, [latest]);
  return `${JSON.stringify(head).slice(0, -1)},"executive_compensation":[${rows}],${JSON.stringify(tail).slice(1)}`;
}

function refuseParameters(given: GivenParameters, historyUrl: string): void {
  const known: readonly string[] = ["limit", ...YEAR_FILTERS];
  for (const name of given.keys()) {
    if (!known.includes(name)) throw unknownParameter(name, known);
    throw new ServiceError(
      "unauthenticated",
      `This address answers the latest fiscal year only; ${name} needs an API key at ${historyUrl}.`,
      { presented: "none" },
    );
  }
}
