/**
 * 100,000 malformed MCP messages against the whole server in process: no 5xx, no crash, no hang, no charge except for
 * rows.
 *
 *     bun run fuzz mcp [--count 100000] [--seed 20261121]
 *
 * Prints each failure with the message that caused it, and exits 1.
 */
import { parseArgs } from "node:util";
import { complaintAbout, mutantOf, randomFrom } from "../../test/contract/mcp/mutations.ts";
import { mcpUnderTest } from "../../test/contract/mcp/support.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "20261121" } },
});
const count = Number(values.count);
const random = randomFrom(Number(values.seed));
const mcp = mcpUnderTest();
let wrong = 0;
const began = performance.now();
for (let number = 0; number < count && wrong < 10; number++) {
  const mutant = mutantOf(random);
  const complaint = await complaintAbout(mcp, mutant);
  if (complaint !== undefined) {
    wrong += 1;
    console.log(JSON.stringify({ number, complaint, ...mutant, body: mutant.body.slice(0, 2000) }));
  }
}
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`${count} messages, seed ${values.seed}, ${wrong} wrong, ${seconds} s`);
process.exitCode = wrong === 0 ? 0 : 1;
