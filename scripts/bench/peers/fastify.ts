/** The service in Fastify with better-sqlite3: `node fastify.js DATABASE`, bundled by `start.ts`. */
import Sqlite from "better-sqlite3";
import { fastify } from "fastify";
import { makeService } from "./service.ts";

const service = makeService(new Sqlite(process.argv[2] ?? ""));
const app = fastify();
app.get<{ Params: { ticker: string } }>("/t/:ticker/facts", (request, reply) => {
  const { status, body } = service.facts(request.ip, request.params.ticker);
  return reply.code(status).send(body);
});
app.get<{ Querystring: { ticker: string; limit?: string } }>(
  "/api/executive-compensation",
  (request, reply) => {
    const { ticker, limit } = request.query;
    const { status, body } = service.rows(
      String(request.headers["x-api-key"] ?? ""),
      ticker,
      Number(limit ?? 4),
    );
    return reply.code(status).send(body);
  },
);
console.log(`ready ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
