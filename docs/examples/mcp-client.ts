/**
 * An MCP client: lists the tools of the server, and asks one of them.
 *
 *     npm init -y && npm pkg set type=module
 *     npm install @modelcontextprotocol/client
 *     EXECCOMP_KEY=… npx tsx mcp-client.ts
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const url = new URL(`${process.env["PAY_URL"] ?? "http://localhost:8402"}/mcp/analyst`);
const headers = { "X-API-KEY": process.env["EXECCOMP_KEY"] ?? "" };
const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));

const { tools } = await client.listTools();
console.log("tools:", tools.map((tool) => tool.name).join(", "));

const answer = await client.callTool({
  name: "query_executive_compensation",
  arguments: { fiscal_year: 2024, office: "peo", sector: "energy", sort: "-total_compensation" },
});
for (const part of answer.content) if (part.type === "text") console.log(part.text);
await client.close();
