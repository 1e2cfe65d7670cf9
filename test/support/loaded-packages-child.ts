/** Starts a server, sends the most frequent requests, and prints the packages loaded for them, and of arktype its keywords. */
import { startTestServer } from "./server.ts";

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
await server.stop();
const packages = new Set(
  Object.keys(require.cache).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+(?:\/out\/keywords\b)?)/.exec(path)?.[1] ?? [],
  ),
);
console.log(
  JSON.stringify({ statuses: answers.map(({ status }) => status), packages: [...packages].sort() }),
);
process.exit(0);
