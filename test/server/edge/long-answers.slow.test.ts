/**
 * Over real connections: a query that takes longer than the idle timeout is answered, and slow clients gain nothing.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../../support/server.ts";

/**
 * Longer than an idle connection is kept (30 s, and Bun checks every four), and shorter than one that waits for an
 * answer.
 */
const LONG_MS = 40_000;
/** Longer than a body may take. */
const UNSENT_MS = 20_000;
const PATIENCE_MS = 180_000;

let server: TestServer;
let key: string;
/** How many queries the columns received. */
let asked = 0;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.createKey();
  const { analyst } = server.services;
  const { ask } = analyst;
  analyst.ask = async (...question) => {
    asked++;
    await Bun.sleep(LONG_MS);
    return ask(...question);
  };
});
afterAll(() => server.stop());

/** What arrived over a connection until the server closed it, or an answer was complete. */
async function exchange(head: string, later?: { afterMs: number; body: string }): Promise<string> {
  const over = Promise.withResolvers<void>();
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port,
    socket: {
      data(_, bytes) {
        received += bytes.toString("latin1");
        if (received.includes("\r\n\r\n")) over.resolve();
      },
      close: () => over.resolve(),
      error: () => over.resolve(),
    },
  });
  socket.write(head);
  const timer = later === undefined ? undefined : setTimeout(() => socket.write(later.body), later.afterMs);
  await over.promise;
  clearTimeout(timer);
  socket.end();
  return received.slice(0, received.indexOf("\r\n"));
}

const host = () => `host: ${new URL(server.origin).host}\r\nx-api-key: ${key}\r\n`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host()}\r\n`;
const call = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "query_executive_compensation", arguments: { fiscal_year: 2024 } },
});
const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\n${host()}content-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${length}\r\n\r\n`;

test(
  "queries of forty seconds keep their connection; a body that does not arrive keeps none",
  async () => {
    const [query, statistics, tool, unsent] = await Promise.all([
      exchange(get("/api/executive-compensation/query?fiscal_year=2024")),
      exchange(get("/api/executive-compensation/statistics?fiscal_year=2024")),
      exchange(post("/mcp/analyst", call.length) + call),
      exchange(post("/mcp/analyst", call.length) + call.slice(0, 40), {
        afterMs: UNSENT_MS,
        body: call.slice(40),
      }),
    ]);
    expect({ query, statistics, tool, unsent }).toEqual({
      query: "HTTP/1.1 200 OK",
      statistics: "HTTP/1.1 200 OK",
      tool: "HTTP/1.1 200 OK",
      unsent: "HTTP/1.1 408 Request Timeout",
    });
    expect(asked).toBe(3);
  },
  PATIENCE_MS,
);
