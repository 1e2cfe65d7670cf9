/** Starts a server, sends the most frequent requests, and prints the packages loaded for them. */
import { startTestServer } from "./server.ts";

/** The messages of an assistant that makes one call. */
const SESSION = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  {
    id: 3,
    method: "tools/call",
    params: { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 1 } },
  },
];

const server = await startTestServer();
const key = await server.createKey();
const answers = [
  await server.get("/t/AAPL/facts"),
  await server.get("/t/aapl/facts?limt=1"),
  await server.get("/api/executive-compensation?ticker=AAPL&fiscal_year_gte=2020", { key }),
  await server.get("/api/executive-compensation/tickers", { key }),
  await server.get("/api/executive-compensation/query?fiscal_year=2024", { key }),
  await server.get("/t/AAPL"),
];
for (const message of SESSION) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  answers.push(await server.get("/mcp", { method: "POST", headers, body }));
}
await server.stop();
const packages = new Set(
  Object.keys(require.cache).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
);
console.log(
  JSON.stringify({ statuses: answers.map(({ status }) => status), packages: [...packages].sort() }),
);
process.exit(0);
