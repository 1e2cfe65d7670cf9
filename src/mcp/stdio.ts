import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Purchase } from "../http/responses.ts";
import type { Presented } from "../accounts/principal.ts";
import { ServiceError } from "../errors.ts";
import type { SqlRunner } from "../operations/sql.ts";
import { type AnalystDeps, analystToolset } from "./analyst/toolset.ts";
import { type Lines, LineTransport } from "./lines.ts";
import { type RunTool, protocolServer } from "./protocol.ts";
import { LEGACY_REVISIONS } from "./classify.ts";
import { errorBody } from "./errors.ts";
import { errorMembers, resultValue } from "./result.ts";
import { IMPLEMENTATION } from "./tools.ts";

export interface StdioDeps extends AnalystDeps, Lines {
  /** The key to use; without one, the access policy decides, which allows the local operator everything. */
  presented: Presented;
  purchase: Purchase;
  /** Runs SQL statements; null if no process can be started, in which case the tool is not offered. */
  sql: SqlRunner | null;
  /** A new request id. */
  id(): string;
  /** Called with errors that the client does not see: bugs, and unreadable lines. */
  onFault(error: unknown): void;
  /** Settles when the process is asked to stop. */
  stopped: Promise<unknown>;
}

/**
 * Serves MCP over lines, in both protocol families, until the input ends and all messages have been answered. Without
 * HTTP, all refusals are tool results.
 */
export async function mcpOverStdio(deps: StdioDeps): Promise<void> {
  const { calls, offer } = analystToolset(deps, deps.sql, "anyone");
  const run: RunTool = async (name, given, revision = LEGACY_REVISIONS[0], signal) => {
    const caller = { presented: deps.presented, address: "stdio", requestId: deps.id() };
    const context = { caller, need: "any", purchase: deps.purchase, revision, signal, site: null } as const;
    try {
      const answer = await calls(name, given, context);
      return answer === undefined ? undefined : resultValue(answer);
    } catch (refused) {
      return resultValue(faultAnswer(refused, deps));
    }
  };
  const transport = new LineTransport(deps);
  const handle = serveStdio(() => protocolServer(IMPLEMENTATION, run, offer), {
    transport,
    onerror: deps.onFault,
  });
  await Promise.race([transport.ended, deps.stopped]);
  await handle.close();
}

function faultAnswer(refused: unknown, { purchase, onFault }: StdioDeps) {
  if (!(refused instanceof ServiceError)) onFault(refused);
  const { status, body } = errorBody(refused, purchase);
  const members = errorMembers(JSON.stringify(body));
  return { members, isError: true, meta: { http_status: status }, headers: {}, awaitedCharge: false };
}
