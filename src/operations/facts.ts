import type { Principal } from "../auth/principal.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { Company, HeldYear } from "../domain/company.ts";
import { normalizeSymbol } from "../domain/company.ts";
import { type GivenParameters, YEAR_FILTERS, unknownParameter } from "../domain/query.ts";
import { incompleteYears } from "../domain/years.ts";
import { ServiceError } from "../errors.ts";
import type { Dataset } from "../snapshot/reader.ts";
import { requireCompany } from "./company.ts";
import { rowsOf } from "./compensation.ts";
import {
  type Answer,
  EMPTY,
  type OperationParts,
  type Question,
  type Soon,
  encode,
  tagMatches,
  whileCounted,
} from "./parts.ts";

/** A question for the latest year of one company, as a surface hands it in. */
export interface FactsRequest extends Pick<Question, "parameters" | "ifNoneMatch"> {
  /** The symbol in the path, in any spelling. */
  ticker: string;
  address: string;
  requestId: string;
  /** REST address of the compensation operation, for the pointer to history. */
  historyUrl: string;
}

const KEPT_BYTES = 4 * 1024 * 1024;
/** Symbols of which the meaning is kept, and the longest key that is. */
const KEPT_DECISIONS = 4096;
const LONGEST_KEPT = 300;

/**
 * The anonymous facts: every row of the latest fiscal year held. No credential is looked at.
 * Refuses with `rate_limited`, `unauthenticated` (year or limit asked for), `invalid_parameter`,
 * `unknown_company`, `unavailable`.
 * @see spec.md section 3
 */
export function factsOperation(parts: OperationParts) {
  const bodies = new BoundedCache<string, Uint8Array<ArrayBuffer>>(KEPT_BYTES, (body) => body.length);

  const decisions = new BoundedCache<string, FactsDecision>(KEPT_DECISIONS);

  const decide = (dataset: Dataset, asked: string, principal: Principal, site: string): FactsDecision => {
    const ticker = normalizeSymbol(asked);
    const company = requireCompany(dataset, { ticker }, principal, parts.onDemand);
    const [latest] = dataset.years(company.cik);
    if (latest === undefined) throw new Error(`${company.cik} has rows and no year`);
    const etag = `"${dataset.info.contentHash.slice(0, 16)}-facts-${ticker}-${new URL(site).host}"`;
    return { ticker, company, latest, etag, incompleteYears: incompleteYears([latest]) };
  };

  return function getFacts(request: FactsRequest): Soon<Answer> {
    const { address, requestId, historyUrl } = request;
    const { principal, window } = parts.admit({ presented: { kind: "none" }, address, requestId }, "any");
    return whileCounted(window, () => {
      if (request.parameters.size > 0) refuseParameters(request.parameters, historyUrl);
      const dataset = parts.snapshots.current();
      const asked = `${dataset.info.contentHash} ${historyUrl} ${request.ticker}`;
      const decideNow = () => decide(dataset, request.ticker, principal, historyUrl);
      const decision = asked.length > LONGEST_KEPT ? decideNow() : decisions.getOrMake(asked, decideNow);
      const { ticker, company, latest, etag, incompleteYears } = decision;
      const notModified = tagMatches(request.ifNoneMatch, etag);
      const body = notModified
        ? EMPTY
        : bodies.getOrMake(etag, () => encode(factsBody(ticker, company, latest, historyUrl)));
      return { etag, principal, window, incompleteYears, receipt: null, notModified, body };
    });
  };
}

/** What a symbol means in one dataset, decided once. */
interface FactsDecision {
  ticker: string;
  company: Company;
  latest: HeldYear;
  etag: string;
  incompleteYears: readonly number[];
}

function factsBody(ticker: string, company: Company, latest: HeldYear, historyUrl: string): string {
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
  const rows = rowsOf(ticker, [latest]);
  return `${JSON.stringify(head).slice(0, -1)},"executive_compensation":[${rows}],"history":${JSON.stringify(history)}}`;
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
