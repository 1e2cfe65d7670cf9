/** The service in Hono with `bun:sqlite`: `bun hono.js DATABASE`, bundled by `start.ts`. */
import { Database } from "bun:sqlite";
import { Hono } from "hono";
import { makeService } from "./service.ts";

const service = makeService(new Database(process.argv[2] ?? ""));
const app = new Hono();
app.get("/t/:ticker/facts", (c) => {
  const { status, body } = service.facts("127.0.0.1", c.req.param("ticker"));
  return Response.json(body, { status });
});
app.get("/api/executive-compensation", (c) => {
  const { ticker = "", limit = "4" } = c.req.query();
  const { status, body } = service.rows(c.req.header("x-api-key") ?? "", ticker, Number(limit));
  return Response.json(body, { status });
});
console.log(`ready ${Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.fetch }).url.origin}`);
