import type { Operations } from "../../operations/operations.ts";
import type { SqlRunner } from "../../operations/sql.ts";
import { type CallTool, type Tool, toolCalls } from "../calls.ts";
import { COMPENSATION_TOOL, type ServerFeatures, TICKERS_TOOL } from "../tools.ts";
import { companyTool, tickersTool } from "./company.ts";
import { fetchTool, searchTool } from "./documents.ts";
import { ceoPayTool, queryTool, statisticsTool } from "./query.ts";
import { SQL_TOOL, sqlDeclaration, sqlTool } from "./sql.ts";
import {
  ANALYST_INSTRUCTIONS,
  analystTools,
  CARD_URI,
  CEO_PAY_TOOL,
  coverageSentence,
  FETCH_TOOL,
  QUERY_TOOL,
  SEARCH_TOOL,
  STATISTICS_TOOL,
} from "./tools.ts";

/** The tools at `/mcp/analyst` and over stdio, and what a client is told about them. @param sql null over HTTP, which has no `run_sql` */
export function analystToolset(
  deps: Operations,
  sql: SqlRunner | null,
): { calls: CallTool; features: ServerFeatures } {
  const calls = toolCalls(
    new Map<string, Tool>([
      [COMPENSATION_TOOL, companyTool(deps)],
      [TICKERS_TOOL, tickersTool(deps)],
      [QUERY_TOOL, queryTool(deps)],
      [STATISTICS_TOOL, statisticsTool(deps)],
      [CEO_PAY_TOOL, ceoPayTool(deps)],
      [SEARCH_TOOL, searchTool(deps)],
      [FETCH_TOOL, fetchTool(deps)],
      ...(sql === null ? [] : [[SQL_TOOL, sqlTool(deps, sql)] as const]),
    ]),
  );
  const tools = () => {
    const coverage = deps.guide.coverage();
    return [...analystTools(coverage), ...(sql === null ? [] : [sqlDeclaration(coverageSentence(coverage))])];
  };
  const resources = { list: [CARD_RESOURCE], read: readResource };
  return { calls, features: { tools, instructions: ANALYST_INSTRUCTIONS, resources } };
}

/** Media type of cards. */
const CARD_TYPE = "text/html;profile=mcp-app";

/** The resource as listed by `resources/list`. */
const CARD_RESOURCE = {
  uri: CARD_URI,
  name: "company-pay",
  title: "Executive pay over the years",
  description:
    "Draws the rows of get_executive_compensation: the CEO's pay by component, totals by fiscal year.",
  mimeType: CARD_TYPE,
} as const;

/** The contents for `resources/read`; undefined for an unknown URI. */
async function readResource(uri: string): Promise<object | undefined> {
  if (uri !== CARD_URI) return undefined;
  const { cardDocument } = await import("./card/card.ts");
  return {
    uri,
    mimeType: CARD_TYPE,
    text: cardDocument(),
    // No network access, frames or permissions.
    _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
  };
}
