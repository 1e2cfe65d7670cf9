/**
 * Malformed MCP messages against the whole server in process: `bun run fuzz mcp [COUNT] [SEED]`, by default 100,000. No 5xx, no crash, no
 * hang, no charge except for rows: prints each failure with the message that caused it, and exits 1.
 */
import { fuzzMcp } from "../../test/contract/mcp/mutations.ts";
import { mcpUnderTest } from "../../test/contract/mcp/support.ts";

const [count = "100000", seed = "20261121"] = process.argv.slice(2);
const wrong = await fuzzMcp(mcpUnderTest(), Number(count), Number(seed));
for (const one of wrong) console.log(JSON.stringify(one));
console.log(`${count} messages, seed ${seed}, ${wrong.length} wrong`);
process.exitCode = wrong.length === 0 ? 0 : 1;
