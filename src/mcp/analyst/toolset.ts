import type { Operations } from "../../operations/operations.ts";
import { type CallTool, type Tool, toolCalls } from "../calls.ts";
import { COMPENSATION_TOOL, TICKERS_TOOL } from "../tools.ts";
import { ceoPayTool } from "./ceo-pay.ts";
import { companyTool, tickersTool } from "./company.ts";
import { fetchTool, searchTool } from "./documents.ts";
import { queryTool } from "./query.ts";
import { statisticsTool } from "./statistics.ts";
import { CEO_PAY_TOOL, FETCH_TOOL, QUERY_TOOL, SEARCH_TOOL, STATISTICS_TOOL } from "./tools.ts";

export type AnalystDeps = Pick<
  Operations,
  | "admit"
  | "charge"
  | "getCompensation"
  | "getTickers"
  | "query"
  | "statistics"
  | "ceoPay"
  | "ceoPayStatistics"
  | "search"
  | "fetch"
  | "guide"
  | "continuation"
>;

/** The seven tools, and any additional ones. */
export function analystCalls(deps: AnalystDeps, more: ReadonlyMap<string, Tool> = new Map()): CallTool {
  return toolCalls(
    new Map<string, Tool>([
      [COMPENSATION_TOOL, companyTool(deps)],
      [TICKERS_TOOL, tickersTool(deps)],
      [QUERY_TOOL, queryTool(deps)],
      [STATISTICS_TOOL, statisticsTool(deps)],
      [CEO_PAY_TOOL, ceoPayTool(deps)],
      [SEARCH_TOOL, searchTool(deps)],
      [FETCH_TOOL, fetchTool(deps)],
      ...more,
    ]),
  );
}
