/**
 * The full set of which the test suite sends a sample: 100,000 mutated registrations, authorization and token requests,
 * with a fixed seed, in process against a real store.
 *
 *     bun run fuzz oauth [--count 100000] [--seed 7]
 *
 * Exits 0 if there was no 5xx, no redirect to an unregistered address and no token without a binding.
 */
import { parseArgs } from "node:util";
import { fuzz } from "../../test/contract/oauth/fuzz.ts";
import { addPerson } from "../../test/contract/oauth/support.ts";
import { startTestServer } from "../../test/support/server.ts";

const { values } = parseArgs({ options: { count: { type: "string" }, seed: { type: "string" } } });
const server = await startTestServer({ trustedProxies: "127.0.0.1", unconnectedApplications: "1000000" });
// The log of a hundred thousand requests is discarded.
server.lines.push = () => 0;
await addPerson(server);
const began = performance.now();
const report = await fuzz(server, Number(values.count ?? 100_000), Number(values.seed ?? 7));
await server.stop();
const seconds = (performance.now() - began) / 1000;
for (const [what, times] of Object.entries(report.statuses).toSorted())
  console.log(`${String(times).padStart(7)}  ${what}`);
console.log(
  `${report.requests} requests in ${seconds.toFixed(1)} s, ${report.broken.length} violated invariants`,
);
for (const one of report.broken.slice(0, 20)) console.log(one);
process.exit(report.broken.length === 0 ? 0 : 1);
