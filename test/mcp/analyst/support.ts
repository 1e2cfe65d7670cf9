import { startTestServer, type TestServer } from "../../support/server.ts";

/** A tool's result, with the members that the tests read. */
export interface AnalystResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** An answer to one call. */
export interface Called {
  status: number;
  /** The whole result as sent, in characters. */
  length: number;
  result: AnalystResult;
  /** Texts of the result, joined. */
  text: string;
  /** Credits charged for it. */
  charged: string | null;
}

/** The analyst address of a real server, with a key. */
export interface AnalystUnderTest {
  server: TestServer;
  key: string;
  /** @param by a key other than the first user's, who has 100 credits */
  call(name: string, given?: object, revision?: string, by?: string): Promise<Called>;
  /** Any message. */
  post(message: object, headers?: Record<string, string>, path?: string): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a server over the repository's dataset. */
export async function analystUnderTest(
  settings: Parameters<typeof startTestServer>[0] = {},
): Promise<AnalystUnderTest> {
  const server = await startTestServer(settings);
  const key = await server.createKey();
  const post: AnalystUnderTest["post"] = (message, headers = { "x-api-key": key }, path = "/mcp/analyst") =>
    server.get(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(message),
    });
  return {
    server,
    key,
    post,
    async call(name, given = {}, revision = "2025-11-25", by = key) {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
      const answer = await post(message, { "x-api-key": by, "mcp-protocol-version": revision });
      const body = await answer.text();
      const parsed: { result?: AnalystResult; error?: unknown } = JSON.parse(body);
      const { result = { content: [] } } = parsed;
      return {
        status: answer.status,
        length: JSON.stringify(result).length,
        result,
        text: result.content.map(({ text }) => text).join("\n"),
        charged: answer.headers.get("credits-charged"),
      };
    },
    stop: () => server.stop(),
  };
}
