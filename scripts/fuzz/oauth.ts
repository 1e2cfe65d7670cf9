/**
 * The full set of which the test suite sends a sample, in process against a real store: `bun run fuzz oauth [COUNT] [SEED]`, by default
 * 100,000 mutated registrations, authorization and token requests. Exits 0 if there was no 5xx, no redirect to an unregistered address
 * and no token without a binding.
 */
import { fuzz } from "../../test/contract/oauth/fuzz.ts";
import { addPerson } from "../../test/contract/oauth/support.ts";
import { startTestServer } from "../../test/support/server.ts";

const [count = "100000", seed = "7"] = process.argv.slice(2);
const server = await startTestServer({ trustedProxies: "127.0.0.1", unconnectedApplications: "1000000" });
// The log of a hundred thousand requests is discarded.
server.lines.push = () => 0;
await addPerson(server);
const { requests, statuses, broken } = await fuzz(server, Number(count), Number(seed));
await server.stop();
console.log(`${requests} requests, seed ${seed}: ${JSON.stringify(statuses)}`);
for (const one of broken) console.log(`BROKEN ${one}`);
process.exit(broken.length === 0 ? 0 : 1);
