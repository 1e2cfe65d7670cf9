/**
 * Random and mutated requests against the whole server: `bun run fuzz requests [COUNT] [SEED]`, by default 200,000 with
 * seed 1. Prints the answers by kind and every violated invariant; exits 1 if there are any.
 */
import { fuzzRequests } from "../../test/support/fuzz-requests.ts";

const [count = "200000", seed = "1"] = process.argv.slice(2);
const began = performance.now();
const { requests, statuses, broken } = await fuzzRequests(Number(count), Number(seed));
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`${requests} requests in ${seconds} s, seed ${seed}: ${JSON.stringify(statuses)}`);
for (const one of broken) console.log(`BROKEN ${one}`);
process.exit(broken.length === 0 ? 0 : 1);
