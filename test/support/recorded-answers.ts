import { startTestServer } from "./server.ts";

/** The file with the hashes of the recorded answers. */
export const RECORDED_ANSWERS = "test/contract/recorded-answers.tsv";

/**
 * Answers of the contract's original operations (both REST operations, both MCP tools), one per line: request, status,
 * SHA-256 of the body.
 */
export async function answersOfTheSpec(): Promise<string[]> {
  const server = await startTestServer({ unmetered: "true", rateKey: "1000000", rateAnonymous: "1000000" });
  try {
    const key = await server.createKey();
    const lines: string[] = [];
    const record = (question: string, status: number, body: string) => {
      const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex");
      lines.push(`${question}\t${status}\t${hash.slice(0, 32)}`);
    };
    const rest = async (path: string) => {
      const answer = await server.get(path, { key });
      record(`GET ${path}`, answer.status, await answer.text());
    };
    const mcp = async (name: string, given: object, credential?: string) => {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: given },
      });
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const who = credential === undefined ? "anonymous" : "key";
      const answer = await server.get("/mcp", {
        method: "POST",
        headers,
        body,
        ...(credential === undefined ? {} : { key: credential }),
      });
      // In the order of the record; the library has one of its own.
      const { jsonrpc, id, result } = (await answer.json()) as Record<string, object>;
      const { _meta, ...said } = result as Record<string, unknown>;
      const text = JSON.stringify({ jsonrpc, id, result: { ...said, _meta } });
      record(`MCP ${who} ${name} ${JSON.stringify(given)}`, answer.status, text);
    };
    await rest("/api/executive-compensation/tickers");
    await rest("/api/executive-compensation/tickers?limit=7");
    await mcp("list_available_tickers", {});
    await mcp("list_available_tickers", {}, key);
    for (const ticker of server.services.snapshots.current().tickers()) {
      await rest(`/api/executive-compensation?ticker=${ticker}`);
      await rest(`/api/executive-compensation?ticker=${ticker.toLowerCase()}&limit=100`);
      await rest(`/api/executive-compensation?ticker=${ticker}&fiscal_year_gte=2020&fiscal_year_lt=2024`);
      await mcp("get_executive_compensation", { ticker });
      await mcp("get_executive_compensation", { ticker, limit: 10, fiscal_year_lte: 2024 }, key);
    }
    return lines;
  } finally {
    await server.stop();
  }
}
