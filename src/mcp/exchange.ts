/** Wraps tool calls over HTTP: counts them, and reports missing credentials in the form a client expects. */
import type { McpEndpoint } from "../http/base-urls.ts";
import { andThen, type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import { ServiceError } from "../errors.ts";
import { envelope, rateLimitHeaders } from "../http/responses.ts";
import type { CallContext, CallTool, ToolArguments } from "./calls.ts";
import { challenge, readsChallengeInBand } from "./challenge.ts";
import { clientNameOf } from "./classify.ts";
import { errorMembers, type ToolAnswer } from "./result.ts";

/** A message being answered, with its sender and endpoint. */
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

/** Reports each call of an existing tool. @param onToolCall called with the tool and the client */
export function counted(
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

/** Reports a missing credential in the result, for clients that look for it only there. */
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
