/**
 * Asks a running program twenty real-world questions over REST, MCP (both protocol families, standard input and output)
 * and on the command line, and compares the answers with those that plain code computes from `data/`.
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
import { QUESTIONS } from "../test/questions/questions.ts";
import {
  answerTo,
  commandSurface,
  type Heard,
  mcpSurface,
  restSurface,
  type Surface,
} from "../test/questions/surfaces.ts";

const { values } = parseArgs({ options: { executable: { type: "string" } } });
const server = await startServer(values.executable, {
  EXECCOMP_UNMETERED: "true",
  EXECCOMP_RATE_KEY: "100000",
});
const heard: Heard[] = [];

async function surfacesOf(key: string): Promise<Surface[]> {
  const url = new URL(`${server.origin}/mcp/analyst`);
  const headers = { "X-API-KEY": key };
  const stdio = {
    command: [...server.command, "mcp"],
    env: { EXECCOMP_DATA_DIR: server.dataDir, HOME: server.dataDir },
  };
  return [
    restSurface((path) => fetch(server.origin + path, { headers })),
    await mcpSurface("MCP 2025-11-25", [url, { requestInit: { headers } }], "legacy", (one) =>
      heard.push(one),
    ),
    await mcpSurface("MCP 2026-07-28", [url, { requestInit: { headers } }], "auto"),
    await mcpSurface("stdio", stdio, "auto"),
    commandSurface(async (words) => {
      const { code, out, err } = await server.run(...words);
      if (code !== 0) throw new Error(err);
      return out;
    }),
  ];
}

/** Tokens of the definitions as the server lists them, by tool. */
async function definitions(key: string): Promise<[name: string, tokens: number][]> {
  const client = new Client({ name: "questions", version: "1" });
  const options = { requestInit: { headers: { "X-API-KEY": key } } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp/analyst`), options));
  const { tools } = await client.listTools();
  await client.close();
  return [
    ...tools.map((tool): [string, number] => [tool.name, tokens(JSON.stringify(tool))]),
    ["all of tools/list", tokens(JSON.stringify(tools))],
  ];
}

function tokens(text: string): number {
  return encode(text).length;
}

let wrong = 0;
try {
  const created = await server.run("keys", "create", "--user", "questions@example.com", "--json");
  const { key } = JSON.parse(created.out) as { key: string };
  const facts = readFacts();
  const surfaces = await surfacesOf(key);
  for (const [at, question] of QUESTIONS.entries()) {
    const right = JSON.stringify(question.right(facts));
    const differing: string[] = [];
    for (const surface of surfaces) {
      const answer = JSON.stringify(await answerTo(surface, question));
      if (answer !== right) differing.push(`${surface.name}: ${answer.slice(0, 300)}`);
    }
    wrong += differing.length;
    console.log(
      `${differing.length === 0 ? "ok  " : "FAIL"} ${at + 1}. ${question.asked} ${right.slice(0, 160)}`,
    );
    for (const line of differing) console.log(`     ${line}`);
  }
  for (const surface of surfaces) await surface.close();
  console.log("\ntokens of definitions");
  for (const [name, count] of await definitions(key)) console.log(`  ${name}: ${count}`);
  console.log("tokens of results (text; structured content)");
  for (const [tool, results] of Map.groupBy(heard, (one) => one.tool)) {
    const largest = results.toSorted((a, b) => b.structured.length - a.structured.length);
    const [most, least] = [largest[0], largest.at(-1)];
    const told = (one: Heard | undefined) => `${tokens(one?.text ?? "")}; ${tokens(one?.structured ?? "")}`;
    console.log(`  ${tool}: ${results.length} results, smallest ${told(least)}, largest ${told(most)}`);
  }
} finally {
  await server.stop();
}
process.exitCode = wrong === 0 ? 0 : 1;
