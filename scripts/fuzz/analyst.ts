/**
 * Random calls of the tools across companies, and as many mutated messages: `bun run fuzz analyst [COUNT] [SEED]`, by
 * default 10,000 with seed 1. Prints the answers by kind and every violated invariant; exits 1 if there are any.
 */
import { fuzzAnalyst } from "../../test/mcp/analyst/random-calls.ts";

const [count = "10000", seed = "1"] = process.argv.slice(2);
const { outcomes, longest, broken } = await fuzzAnalyst(Number(count), Number(seed));
console.log(
  `${count} calls and mutated messages, seed ${seed}: ${JSON.stringify(outcomes)}; longest result ${longest}`,
);
for (const one of broken) console.log(`BROKEN ${one}`);
process.exit(broken.length === 0 ? 0 : 1);
