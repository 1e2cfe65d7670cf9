/** One message over HTTP, and what is done around the call of a tool: who is told of it, how a missing credential is said. */
import type { McpEndpoint } from "../base-urls.ts";
import { andThen, type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import { ServiceError } from "../errors.ts";
import { envelope, rateLimitHeaders } from "../http.ts";
import type { CallContext, CallTool, ToolArguments } from "./calls.ts";
import { challenge, readsChallengeInBand } from "./challenge.ts";
import { clientNameOf } from "./classify.ts";
import { errorMembers, type ToolAnswer } from "./result.ts";

/** One message on its way: who sent it, where to, and what it needs. */
export interface Exchange extends CallContext {
  endpoint: McpEndpoint;
  request: Request;
  message: unknown;
}

/** Calls a tool for a message over HTTP. */
export type CallOverHttp = (
  name: string,
  given: ToolArguments,
  exchange: Exchange,
) => MaybePromise<ToolAnswer | undefined>;

/** Tool calls of which somebody is told. @param onToolCall told of every call of a tool that there is */
export function told(
  onToolCall: ((tool: string, client: string) => void) | undefined,
  callTool: CallOverHttp,
): CallOverHttp {
  if (onToolCall === undefined) return callTool;
  return (name, given, exchange) =>
    andThen(callTool(name, given, exchange), (result) => {
      if (result !== undefined) {
        onToolCall(name, clientNameOf(exchange.message) ?? exchange.request.headers.get("user-agent") ?? "");
      }
      return result;
    });
}

/** Tool calls that say a missing credential in the result to those clients that look for it there only. */
export function withInBandChallenge(callTool: CallTool): CallOverHttp {
  return (name, given, exchange) =>
    orElse(
      () => callTool(name, given, exchange),
      (refused) => {
        if (!(refused instanceof ServiceError)) throw refused;
        const missing = refused.kind === "unauthenticated" && exchange.caller.presented.kind === "none";
        const userAgent = exchange.request.headers.get("user-agent");
        if (
          !missing ||
          exchange.endpoint.eager ||
          !readsChallengeInBand(userAgent, clientNameOf(exchange.message))
        ) {
          throw refused;
        }
        return {
          members: errorMembers(JSON.stringify(envelope(401, refused.message))),
          isError: true,
          meta: { http_status: 401, "mcp/www_authenticate": [challenge("none", exchange.endpoint)] },
          headers: rateLimitHeaders(refused.details.window),
          awaitedCharge: false,
        } satisfies ToolAnswer;
      },
    );
}
