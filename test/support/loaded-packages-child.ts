/** Starts a server, asks what most callers ask, and prints the packages that were loaded for it. */
import { startTestServer } from "./server.ts";

/** A call of a tool in its plainest form. */
const TOOL_CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_executive_compensation", arguments: { ticker: "AAPL", limit: 1 } },
};

const server = await startTestServer();
const key = await server.createKey();
const answers = [
  await server.get("/t/AAPL/facts"),
  await server.get("/t/aapl/facts?limt=1"),
  await server.get("/api/executive-compensation?ticker=AAPL&fiscal_year_gte=2020", { key }),
  await server.get("/api/executive-compensation/tickers", { key }),
  await server.get("/api/executive-compensation/query?fiscal_year=2024", { key }),
  await server.get("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(TOOL_CALL),
  }),
  await server.get("/t/AAPL"),
];
await server.stop();
const packages = new Set(
  Object.keys(require.cache).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
);
console.log(
  JSON.stringify({ statuses: answers.map(({ status }) => status), packages: [...packages].sort() }),
);
process.exit(0);
