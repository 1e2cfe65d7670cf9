import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Presented } from "../auth/principal.ts";
import { ServiceError } from "../errors.ts";
import { type CallParts, toolCalls } from "./calls.ts";
import { type Lines, LineTransport } from "./lines.ts";
import { type RunTool, protocolServer } from "./protocol.ts";
import { type Purchase, refusedBody } from "./refused.ts";
import { errorMembers, resultValue } from "./result.ts";
import { IMPLEMENTATION } from "./tools.ts";

/** What MCP over standard input and output is built from. */
export interface StdioParts extends CallParts, Lines {
  /** The key to call with; without one the door decides, which for the local operator lets everything in. */
  presented: Presented;
  purchase: Purchase;
  /** A new request id. */
  id(): string;
  /** Told of what the client is not told: a bug, or a line that cannot be read. */
  onFault(error: unknown): void;
  /** Settles when the process is asked to end. */
  stopped: Promise<unknown>;
}

/**
 * MCP over lines, both eras, until the input ends: everything read is answered, then it resolves. There is no
 * HTTP here, so every refusal is a tool's result.
 */
export async function mcpOverStdio(parts: StdioParts): Promise<void> {
  const callTool = toolCalls(parts);
  const run: RunTool = async (name, given) => {
    const caller = { presented: parts.presented, address: "stdio", requestId: parts.id() };
    try {
      const answer = await callTool(name, given, { caller, need: "any", purchase: parts.purchase });
      return answer === undefined ? undefined : resultValue(answer);
    } catch (refused) {
      return resultValue(faultAnswer(refused, parts));
    }
  };
  const transport = new LineTransport(parts);
  const handle = serveStdio(() => protocolServer(IMPLEMENTATION, run), { transport, onerror: parts.onFault });
  await Promise.race([transport.ended, parts.stopped]);
  await handle.close();
}

function faultAnswer(refused: unknown, { purchase, onFault }: StdioParts) {
  if (!(refused instanceof ServiceError)) onFault(refused);
  const { status, body } = refusedBody(refused, purchase);
  const members = errorMembers(JSON.stringify(body));
  return { members, isError: true, meta: { http_status: status }, headers: {}, late: false };
}
