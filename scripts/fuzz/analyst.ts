/**
 * Random calls of the tools across companies, and as many mutated messages: `bun run fuzz analyst [COUNT] [SEED]`, 10,000 with seed
 * 1 when not given. Prints what the answers were and every invariant that one violated; exits 1 when there is any.
 */
import { fuzzAnalyst } from "../../test/mcp/analyst/random-calls.ts";

const [count = "10000", seed = "1"] = process.argv.slice(2);
const { outcomes, longest, broken } = await fuzzAnalyst(Number(count), Number(seed));
console.log(
  `${count} calls and mutated messages, seed ${seed}: ${JSON.stringify(outcomes)}; longest result ${longest}`,
);
for (const one of broken) console.log(`BROKEN ${one}`);
process.exit(broken.length === 0 ? 0 : 1);
