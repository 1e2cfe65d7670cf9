/**
 * Asks a running program real-world questions over REST, MCP (both protocol families, standard input and output) and on the
 * command line, then those that an assistant asks with one call over MCP, and compares the answers with those that plain
 * code computes from `data/`.
 *
 *     bun run questions [--executable dist/execcomp]
 *
 * Prints each question with its answer, then the size of definitions and results in tokens (o200k_base). Exits 1 if any
 * answer differs.
 */
import { parseArgs } from "node:util";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startServer } from "./external-tools.ts";
import { readFacts } from "../test/questions/facts.ts";
import { SQL_TOOL } from "../src/mcp/analyst/sql.ts";
import { FIRST_CALLS } from "../test/questions/first-calls.ts";
import { MORE_CALLS } from "../test/questions/more-calls.ts";
import { QUESTIONS } from "../test/questions/questions.ts";
import {
  answerTo,
  commandSurface,
  type Heard,
  mcpSurface,
  playFirstCall,
  restSurface,
  type Surface,
  type ToolSurface,
} from "../test/questions/surfaces.ts";

const { values } = parseArgs({ options: { executable: { type: "string" } } });
const server = await startServer(values.executable, {
  EXECCOMP_UNMETERED: "true",
  EXECCOMP_RATE_KEY: "100000",
});
const heard: Heard[] = [];

async function surfacesOf(key: string): Promise<{ tools: ToolSurface[]; others: Surface[] }> {
  const url = new URL(`${server.origin}/mcp/analyst`);
  const headers = { "X-API-KEY": key };
  const stdio = {
    command: [...server.command, "mcp"],
    env: { EXECCOMP_DATA_DIR: server.dataDir, HOME: server.dataDir },
  };
  return {
    tools: [
      await mcpSurface("MCP 2025-11-25", [url, { requestInit: { headers } }], "legacy", (one) =>
        heard.push(one),
      ),
      await mcpSurface("MCP 2026-07-28", [url, { requestInit: { headers } }], "auto"),
      await mcpSurface("stdio", stdio, "auto"),
    ],
    others: [
      restSurface((path) => fetch(server.origin + path, { headers })),
      commandSurface(async (words) => {
        const { code, out, err } = await server.run(...words);
        if (code !== 0) throw new Error(err);
        return out;
      }),
    ],
  };
}

/** Prints the tokens of the definitions as the server lists them, by tool. */
async function printDefinitions(key: string): Promise<void> {
  const client = new Client({ name: "questions", version: "1" });
  const options = { requestInit: { headers: { "X-API-KEY": key } } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp/analyst`), options));
  const { tools } = await client.listTools();
  await client.close();
  for (const tool of tools) console.log(`  ${tool.name}: ${tokens(JSON.stringify(tool))}`);
  console.log(`  all of tools/list: ${tokens(JSON.stringify(tools))}`);
}

function tokens(text: string): number {
  return encode(text).length;
}

let wrong = 0;

/** Prints whether all surfaces gave the right answer. */
function report(
  name: string,
  right: string,
  answers: readonly (readonly [surface: string, answer: string])[],
) {
  const differing = answers.filter(([, answer]) => answer !== right);
  wrong += differing.length;
  console.log(`${differing.length === 0 ? "ok  " : "FAIL"} ${name} ${right.slice(0, 160)}`);
  for (const [surface, answer] of differing) console.log(`     ${surface}: ${answer.slice(0, 300)}`);
}

try {
  const created = await server.run("keys", "create", "--user", "questions@example.com", "--json");
  const { key } = JSON.parse(created.out) as { key: string };
  const facts = readFacts();
  const { tools, others } = await surfacesOf(key);
  for (const [at, question] of QUESTIONS.entries()) {
    const answers: [string, string][] = [];
    for (const surface of [...tools, ...others])
      answers.push([surface.name, JSON.stringify(await answerTo(surface, question))]);
    report(`${at + 1}. ${question.asked}`, JSON.stringify(question.right(facts)), answers);
  }
  for (const [at, one] of [...FIRST_CALLS, ...MORE_CALLS].entries()) {
    const answers: [string, string][] = [];
    let size = "";
    for (const surface of tools) {
      if (one.tool === SQL_TOOL && surface.name !== "stdio") continue;
      const { answer, untold, heard: result } = await playFirstCall(surface, one, facts);
      answers.push([surface.name, JSON.stringify({ answer, untold })]);
      size = `${tokens(JSON.stringify(one.given))} tokens asked, ${tokens(result.text)} answered`;
    }
    const right = JSON.stringify({ answer: one.right(facts), untold: [] });
    report(`${QUESTIONS.length + at + 1}. first call: ${one.asked} (${size})`, right, answers);
  }
  for (const surface of [...tools, ...others]) await surface.close();
  console.log("\ntokens of definitions");
  await printDefinitions(key);
  console.log("tokens of results (text; structured content)");
  for (const [tool, results] of Map.groupBy(heard, (one) => one.tool)) {
    const largest = results.toSorted((a, b) => b.structured.length - a.structured.length);
    const [most, least] = [largest[0], largest.at(-1)];
    const sizes = (one: Heard | undefined) => `${tokens(one?.text ?? "")}; ${tokens(one?.structured ?? "")}`;
    console.log(`  ${tool}: ${results.length} results, smallest ${sizes(least)}, largest ${sizes(most)}`);
  }
} finally {
  await server.stop();
}
process.exitCode = wrong === 0 ? 0 : 1;
