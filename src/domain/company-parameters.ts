/** The parameters of the questions about one company and of the list of tickers. @see docs/contract.md, "Parameters" */
import { defined, like, listAsText, type Parameter, type QueryOf, shorten, whole } from "./parameters.ts";
import { YEAR_FILTERS, YEARS_LIMIT } from "./years.ts";

/** A parameter of the compensation or tickers operation. */
export interface CompanyParameter extends Parameter {
  /** Which values request more than the latest fiscal year, which needs a credential. */
  readonly history: "never" | "above 1" | "always";
}

/** Maximum number of symbols. */
export const TICKERS_LIMIT = {
  name: "limit",
  ...whole(1, 5000, 5000),
  history: "never",
  about: "maximum number of tickers",
} as const;

/** A hint for callers who ask for several companies. */
function severalTickers(text: string): string {
  const several = listAsText(text) ?? text;
  if (!several.includes(",") && several === text) return "";
  return ` For several companies ask query (/api/executive-compensation/query, query_executive_compensation) with ticker=${shorten(several)}.`;
}

/** The parameters of the compensation operation. @see docs/contract.md, "Parameters" */
export const COMPENSATION_PARAMETERS = [
  {
    name: "ticker",
    history: "never",
    ...like(/^\s*[!-+\--Z\\^-~]{1,20}\s*$/, "a ticker symbol"),
    hint: severalTickers,
    about: "ticker symbol, in any case; required when `cik` is absent",
  },
  {
    name: "cik",
    history: "never",
    ...like(/^\s*([Cc][Ii][Kk])?[0-9]{1,10}\s*$/, "1 to 10 digits"),
    about: "SEC Central Index Key, with or without padding; required when `ticker` is absent",
  },
  {
    name: "period",
    history: "never",
    ...defined<"annual">("text", ["===", "annual"], '"annual"'),
    default: "annual",
    about: "time period of the data",
  },
  YEARS_LIMIT,
  ...YEAR_FILTERS,
] as const satisfies readonly CompanyParameter[];

/** The parameters of the tickers operation. */
export const TICKERS_PARAMETERS = [TICKERS_LIMIT] as const satisfies readonly CompanyParameter[];

/** A query of the compensation operation. */
export type CompensationQuery = QueryOf<typeof COMPENSATION_PARAMETERS>;

/** Whether a value requests more than the latest fiscal year. */
export function reachesHistory({ history }: CompanyParameter, value: unknown): boolean {
  if (value === undefined || history === "never") return false;
  return history === "always" || Number(value) > 1;
}
