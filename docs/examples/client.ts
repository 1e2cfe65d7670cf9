/**
 * A typed client. The types come from the server's own description:
 *
 *     npm init -y && npm pkg set type=module
 *     npx openapi-typescript@7 http://localhost:8402/api/openapi.json -o execcomp.d.ts
 *     npm install openapi-fetch
 *     EXECCOMP_KEY=… npx tsx client.ts
 */
import createClient from "openapi-fetch";
import type { paths } from "./execcomp.d.ts";

const client = createClient<paths>({
  baseUrl: process.env["PAY_URL"] ?? "http://localhost:8402",
  headers: { "X-API-KEY": process.env["EXECCOMP_KEY"] ?? "" },
});

const { data, error, response } = await client.GET("/api/executive-compensation", {
  params: { query: { ticker: "AAPL", limit: 2 } },
});
if (error !== undefined) throw new Error(`${response.status}: ${error.message}`);
for (const row of data.executive_compensation)
  console.log(row.fiscal_year, row.executive_name, row.total_compensation.toLocaleString("en-US"));
console.log("credits left:", response.headers.get("credits-remaining") ?? "not counted");
