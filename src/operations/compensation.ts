import { TEST_SYMBOLS } from "./test-keys.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Principal } from "../accounts/principal.ts";
import {
  COMPANY,
  type CoveredYear,
  NEWER_FILING,
  newerFilingJson,
  newerFilingOf,
  normalizeCik,
  normalizeSymbol,
} from "../domain/company.ts";
import {
  COMPENSATION_PARAMETERS,
  type CompensationQuery,
  reachesHistory,
  TICKERS_LIMIT,
  TICKERS_PARAMETERS,
} from "../domain/company-parameters.ts";
import { type GivenParameters, readQuery, shorten, textUpTo } from "../domain/parameters.ts";
import {
  incompleteYears,
  reachesIntoHistory,
  selectYears,
  yearsLeftOut,
  YEARS_LIMIT,
} from "../domain/years.ts";
import { ROWS } from "../domain/row-fields.ts";
import { named } from "../lib/definition.ts";
import { BoundedCache } from "../lib/cache.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { operationHandler, etagOf, type Plan } from "./answer.ts";
import { requireCompany } from "./company.ts";
import { type Answer, encode, joined, type OperationDeps, type OperationRequest } from "./operation.ts";

/** Bytes of answers cached. */
const ROWS_BYTES = 16 * 1024 * 1024;

/** The rows of one company. */
export const COMPENSATION = named("ExecutiveCompensationResponse", ROWS);

export const compensationEndpoint = {
  id: "getExecutiveCompensation",
  path: "/api/executive-compensation",
  methods: ["GET"],
  caller: "credential",
  price: "priceHistory",
  isImmediate: true,
  tag: "Executive compensation",
  summary: "Get executive compensation",
  description:
    "Every executive row of each selected fiscal year, newest year first; within a year principal executive " +
    "officers, then principal financial officers, then by total. Give `ticker` or `cik`.",
  parameters: COMPENSATION_PARAMETERS,
  example: { ticker: "AAPL" },
  answer: {
    about: "Every executive row of the fiscal years selected; empty if the filters or `limit=0` select none.",
    body: COMPENSATION,
  },
  says: ["company", "left out", "evidence", "credits"],
  refusals: ["402", "404", "503"],
} as const satisfies Endpoint;

/**
 * The compensation operation.
 * @see docs/contract.md, "REST"
 */
export function compensationOperation(deps: OperationDeps) {
  const planOf = (given: GivenParameters, principal: Principal, dataset: Dataset): Plan => {
    const query = readCompensationQuery(given);
    const anonymous = principal.kind === "anonymous";
    if (anonymous) refuseHistory(query);
    const company = requireCompany(dataset, query, principal, deps.onDemand);
    const { cik } = company;
    const available = dataset.fiscalYears(cik);
    const limit = query.limit ?? (anonymous ? 1 : YEARS_LIMIT.default);
    const selected = selectYears(available, query, limit);
    // As shown in the rows.
    const ticker = query.ticker ?? company.ticker;
    const fiscalYears = selected.map(({ fiscalYear }) => fiscalYear);
    const leftOut = yearsLeftOut(available, query, selected);
    const costCredits = reachesIntoHistory(available, selected) ? deps.prices[compensationEndpoint.price] : 0;
    return {
      dataset,
      // Two questions with the same rows may leave out different years, which the header says.
      etag: etagOf(compensationEndpoint.id, dataset, JSON.stringify([cik, ticker, fiscalYears, leftOut])),
      ticker: ticker === "" ? cik : ticker,
      incompleteYears: incompleteYears(selected),
      yearsLeftOut: leftOut,
      newerFiling: newerFilingOf(company),
      answer: () => ({
        body: dataset.rowsBody(cik, ticker, fiscalYears),
        costCredits,
        rowEvidence: evidenceIn(selected),
      }),
    };
  };

  const kept = keptPlans();
  return operationHandler(deps, compensationEndpoint, ROWS_BYTES, (request: OperationRequest, principal) => {
    const dataset = deps.snapshots.current();
    const question = request.query ?? JSON.stringify([...request.parameters]);
    // Besides what is asked, a plan depends only on whether anybody may see it.
    const asked = principal.kind === "anonymous" ? `anonymous ${question}` : question;
    return kept(dataset, asked, () => planOf(request.parameters, principal, dataset));
  });
}

/** Number of questions whose plan is kept, and the longest of them. */
const KEPT_PLANS = 4096;
const MAX_KEPT_QUESTION = 300;

/**
 * Keeps the plans of the dataset in use, by question: without, facts and keyed answers are below their budget in `bench rows`. A
 * question that is refused is asked again each time.
 */
function keptPlans() {
  let kept: { dataset: Dataset; plans: BoundedCache<string, Plan> } | undefined;
  return (dataset: Dataset, question: string, make: () => Plan): Plan => {
    if (kept?.dataset !== dataset) kept = { dataset, plans: new BoundedCache(KEPT_PLANS) };
    return question.length > MAX_KEPT_QUESTION ? make() : kept.plans.getOrMake(question, make);
  };
}

function evidenceIn(years: readonly CoveredYear[]): Answer["rowEvidence"] {
  return years.some(({ collected }) => collected === true) ? "collected" : null;
}

/** Validates the compensation parameters. Refuses with `invalid_parameter`. */
export function readCompensationQuery(given: GivenParameters): CompensationQuery {
  const { ticker, cik: digits, ...query } = readQuery(given, COMPENSATION_PARAMETERS);
  if (ticker === undefined && digits === undefined) throw invalid("Give ticker or cik: neither was sent.");
  const cik = digits === undefined ? undefined : normalizeCik(digits);
  return {
    ...(ticker !== undefined && { ticker: normalizeSymbol(ticker) }),
    ...(cik !== undefined && { cik }),
    ...query,
  };
}

function refuseHistory(query: CompensationQuery): void {
  if (COMPENSATION_PARAMETERS.some((parameter) => reachesHistory(parameter, query[parameter.name])))
    throw new ServiceError("unauthenticated", "Historical fiscal years need an API key or sign-in.", {
      presented: "none",
    });
}

/** The symbols of the companies that have rows. */
export const TICKERS = named("TickersResponse", {
  resource: [["===", "executive_compensation"], "@", "the dataset that the symbols belong to"],
  tickers: [["string", "[]"], "@", "primary symbols of the companies that have rows, ascending"],
});

export const tickersEndpoint = {
  id: "getExecutiveCompensationTickers",
  path: "/api/executive-compensation/tickers",
  methods: ["GET", "HEAD"],
  caller: "credential",
  price: null,
  isImmediate: true,
  tag: "Executive compensation",
  summary: "Get available executive compensation tickers",
  description: "The primary symbol of every company that has rows, ascending. Costs no credits.",
  parameters: TICKERS_PARAMETERS,
  answer: {
    about: "The primary symbols of the companies that have rows, ascending.",
    body: TICKERS,
  },
  says: ["credits"],
  refusals: ["402"],
} as const satisfies Endpoint;

/** Bytes of lists cached, one per requested `limit`. */
const LISTS_BYTES = 1 << 20;

/**
 * The tickers operation: the primary symbol of every company with rows, ascending by code point.
 * Refuses with `two_credentials`, `unauthenticated`, `rate_limited`, `invalid_parameter`, `payment_required`.
 * @see docs/contract.md, "REST"
 */
export function tickersOperation(deps: OperationDeps) {
  return operationHandler(deps, tickersEndpoint, LISTS_BYTES, (request: OperationRequest, principal) => {
    const dataset = deps.snapshots.current();
    const { limit = TICKERS_LIMIT.default } = readQuery(request.parameters, TICKERS_PARAMETERS);
    const isTest = principal.kind === "key" && principal.isTest === true;
    return {
      dataset,
      etag: etagOf(tickersEndpoint.id, dataset, `${limit}${isTest ? " test" : ""}`),
      answer() {
        const all = dataset.tickers();
        const tickers = (isTest ? TEST_SYMBOLS.filter((one) => all.includes(one)).toSorted() : all).slice(
          0,
          limit,
        );
        return {
          body: encode(JSON.stringify({ resource: "executive_compensation", tickers })),
          costCredits: 0,
        };
      },
    };
  });
}

const FACTS = named("FactsResponse", {
  ...COMPANY,
  fiscal_year: ["number.integer", "@", "latest fiscal year available"],
  ...ROWS,
  history: { message: "string", url: "string" },
  newer_filing: [
    NEWER_FILING,
    "@",
    "a filing that is known and newer than the latest one read, so that the rows may be old",
  ],
});

export const factsEndpoint = {
  id: "getFacts",
  path: "/t/:ticker/facts",
  methods: ["GET", "HEAD"],
  caller: "any",
  price: null,
  isImmediate: true,
  tag: "Facts",
  summary: "Get the latest fiscal year of one company",
  description: "Needs no credential and ignores one. History needs an API key.",
  parameters: [],
  segments: [{ name: "ticker", about: "ticker symbol", ...textUpTo(20, "a ticker symbol") }],
  example: { ticker: "AAPL" },
  answer: {
    about:
      "Every executive row of the company's latest fiscal year in the dataset, and whether a newer filing is known.",
    body: FACTS,
  },
  says: ["company", "evidence"],
  refusals: ["404", "503"],
} as const satisfies Endpoint;

/** A request for a company's latest year. */
export interface FactsRequest extends OperationRequest {
  /** The symbol in the path, in any spelling. */
  ticker: string;
  /** URL of the compensation operation, as a pointer to history. */
  historyUrl: string;
}

const FACTS_BYTES = 4 * 1024 * 1024;

/**
 * The anonymous facts: all rows of the latest available fiscal year. Credentials are ignored. Refuses with
 * `rate_limited`, `unauthenticated` (year or limit requested), `invalid_parameter`, `unknown_company`, `unavailable`.
 * @see docs/contract.md, "Facts"
 */
export function factsOperation(deps: OperationDeps) {
  const kept = keptPlans();
  const planOf = (dataset: Dataset, text: string, principal: Principal, historyUrl: string): Plan => {
    const ticker = normalizeSymbol(text);
    const company = requireCompany(dataset, { ticker }, principal, deps.onDemand);
    const { cik } = company;
    const [latest] = dataset.fiscalYears(cik);
    if (latest === undefined) throw new Error(`${cik} has rows but no fiscal year`);
    return {
      dataset,
      etag: etagOf(factsEndpoint.id, dataset, JSON.stringify([cik, ticker, historyUrl])),
      ticker,
      incompleteYears: incompleteYears([latest]),
      newerFiling: newerFilingOf(company),
      answer() {
        const { fiscalYear } = latest;
        const head = { ticker, cik, company_name: company.name, fiscal_year: fiscalYear };
        const history = {
          message: "Earlier fiscal years need an API key, sent as X-API-KEY.",
          url: `${historyUrl}?ticker=${encodeURIComponent(ticker)}`,
        };
        const tail = { history, newer_filing: newerFilingJson(company) };
        const body = joined([
          encode(`${JSON.stringify(head).slice(0, -1)},"executive_compensation":[`),
          ...dataset.rowsJson(cik, ticker, [fiscalYear]),
          encode(`],${JSON.stringify(tail).slice(1)}`),
        ]);
        return { body, costCredits: 0, rowEvidence: evidenceIn([latest]) };
      },
    };
  };

  return operationHandler(deps, factsEndpoint, FACTS_BYTES, (request: FactsRequest, principal) => {
    const { parameters, ticker, historyUrl } = request;
    if (parameters.size > 0) refuseParameters(parameters, historyUrl);
    const dataset = deps.snapshots.current();
    return kept(dataset, `${historyUrl} ${ticker}`, () => planOf(dataset, ticker, principal, historyUrl));
  });
}

function refuseParameters(given: GivenParameters, historyUrl: string): never {
  const names: readonly string[] = COMPENSATION_PARAMETERS.flatMap(({ name, history }) =>
    history === "never" ? [] : [name],
  );
  const [name = ""] = given.keys();
  if (names.includes(name))
    throw new ServiceError(
      "unauthenticated",
      `This address answers the latest fiscal year only; ${name} needs an API key at ${historyUrl}.`,
      { presented: "none" },
    );
  throw invalid(
    `Unknown parameter ${JSON.stringify(shorten(name))}. This address takes none: the ticker is in the path; ${names.join(", ")} need an API key at ${historyUrl}.`,
  );
}
