import { type } from "arktype";

const amount = (about: string) => type("number").describe(about);

/** Where a row was read (`docs/contract.md`, "Rows"). */
export const CompensationSource = type({
  form: type("string").describe("EDGAR's form type of the filing, exactly, such as DEF 14A"),
  accession: type("string").describe("accession number of the filing, such as 0001308179-26-000008"),
  filing_date: type("string | null").describe("date on which it was filed, as YYYY-MM-DD"),
  filing_url: type("string | null").describe("address of the document itself on sec.gov"),
});
export type CompensationSource = typeof CompensationSource.infer;

/**
 * One executive in one fiscal year (`docs/contract.md`, "Rows"). Amounts are whole units of
 * `reporting_currency`; the eight components add up to `total_compensation` to the cent.
 */
export const ExecutiveCompensation = type({
  ticker: type("string").describe(
    "symbol asked for, in the SEC's spelling; empty for a registrant without one",
  ),
  cik: type("string").describe("SEC Central Index Key, ten digits"),
  company_name: type("string").describe("name of the registrant"),
  fiscal_year: type("number.integer").describe("fiscal year that the filing prints beside the row"),
  reported_year: type("number.integer | null").describe(
    "newest fiscal year printed in the filing that the row is served from",
  ),
  period: type("'annual'").describe("always annual"),
  executive_id: type("string").describe("identifier of the executive, unique within the company"),
  executive_name: type("string").describe(
    "name as the filer spells it, without footnote marks and honorifics",
  ),
  executive_role: type("string | null").describe("position as printed"),
  is_peo: type("boolean").describe("served as principal executive officer at any time in the fiscal year"),
  is_pfo: type("boolean").describe("served as principal financial officer at any time in the fiscal year"),
  reporting_currency: type("string | null").describe("ISO 4217 code of the amounts"),
  salary: amount("column (c), salary"),
  bonus: amount("column (d), bonus"),
  stock_awards: amount("column (e), grant-date fair value of stock awards"),
  option_awards: amount("column (f), grant-date fair value of option awards"),
  non_equity_incentive: amount("column (g), non-equity incentive plan compensation"),
  pension_change: amount(
    "column (h), change in pension value and nonqualified deferred compensation earnings",
  ),
  other_comp: amount("column (i), all other compensation"),
  unknown_component: amount(
    "what could not be attributed to a column, or the filer's own slip; may be negative; 0 in most rows",
  ),
  total_compensation: amount("column (j), the total that the filer printed"),
  source: CompensationSource,
});
export type ExecutiveCompensation = typeof ExecutiveCompensation.infer;

/** Rows out of their serialised tails (`AvailableYear`), under the symbol asked for. */
export function readRows(ticker: string, rowJson: readonly string[]): ExecutiveCompensation[] {
  const head = `{"ticker":${JSON.stringify(ticker)},`;
  // The snapshot is compiled from rows of this very shape, and its content hash vouches for it.
  return rowJson.map((rowJson) => JSON.parse(head + rowJson) as ExecutiveCompensation);
}

/** Body of the compensation operation. */
export const ExecutiveCompensationResponse = type({
  executive_compensation: ExecutiveCompensation.array(),
});

/** Body of the tickers operation. */
export const TickersResponse = type({
  resource: type("'executive_compensation'").describe("the dataset that the symbols belong to"),
  tickers: type("string[]").describe("primary symbols of the companies that have rows, ascending"),
});

/** Body of the anonymous latest-year facts. */
export const FactsResponse = type({
  ticker: "string",
  cik: "string",
  company_name: "string",
  fiscal_year: type("number.integer").describe("latest fiscal year held"),
  executive_compensation: ExecutiveCompensation.array(),
  history: { message: "string", url: "string" },
});

/** Flat body of every refusal. */
export const ErrorResponse = type({
  error: type("string").describe("short error name"),
  message: type("string").describe("what is wrong and what to do"),
});

/** Body of a refusal for lack of credits. */
export const PaymentRequiredResponse = type({
  error: "'Payment Required'",
  message: "string",
  purchase: { status: type("string").describe("coming_soon while nothing can be bought"), url: "string" },
});
