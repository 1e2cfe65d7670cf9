/** Bodies that do not arrive take nothing from anybody else. Over real connections. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { InFlight, UnreadBodies } from "../../../src/server/edge/in-flight.ts";
import { contextOf } from "../../../src/server/edge/plugin.ts";
import { listen } from "../../../src/server/edge/listener.ts";
import { createServerUrls } from "../../../src/http/base-urls.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { silentLog } from "../../../src/log.ts";
import { testEdge } from "../../support/edge.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

let server: TestServer;
beforeAll(async () => void (server = await startTestServer({ trustedProxies: "127.0.0.1" })));
afterAll(() => server.stop());
const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Sends text and keeps the connection open. @returns what was received, and whether the server has closed it */
function sent(port: number, text: string) {
  const state = { received: "", closed: false, sent: false };
  const socket = connect(port, "127.0.0.1", () => socket.write(text, () => (state.sent = true)));
  socket.on("data", (bytes) => (state.received += String(bytes)));
  socket.on("error", () => {}).on("close", () => (state.closed = true));
  open.push(socket);
  return { state, write: (more: string) => void socket.write(more) };
}

const head = (port: number, path: string, length: number, address = "192.0.2.1") =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nX-Forwarded-For: ${address}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test("1,300 heads without a body from a hundred addresses leave everybody else their answers", async () => {
  const { port } = server;
  const paths = ["/mcp", "/oauth/token", "/oauth/register?/admin/"];
  const slow = Array.from({ length: 1300 }, (_, n) =>
    sent(port, head(port, paths[n % paths.length] ?? "", 100, `192.0.2.${n % 100}`)),
  );
  await until("all are sent", () => slow.every(({ state }) => state.sent));
  for (let n = 0; n < 10; n++) {
    const facts = await server.get("/t/AAPL/facts", { headers: { "x-forwarded-for": "198.51.100.1" } });
    expect(facts.status).toBe(200);
  }
  const message = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_available_tickers" },
  });
  const call = await server.get("/mcp", {
    method: "POST",
    body: message,
    headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.1" },
  });
  expect(call.status).toBe(200);
  // The oldest made room for the others, long before their deadline.
  const refused = () => slow.filter(({ state }) => state.received.includes(" 408 ")).length;
  await until("the oldest have been refused", () => refused() > 700);
});

test("of too many awaited from one address the oldest is refused and closed; the newest may still send its body", async () => {
  const { port } = server;
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const slow: ReturnType<typeof sent>[] = [];
  for (let n = 0; n < 66; n++) {
    const one = sent(port, head(port, "/mcp", message.length, "192.0.2.200"));
    slow.push(one);
    await until("its head has arrived", () => server.services !== null);
  }
  await until("one is refused", () => slow.some(({ state }) => state.closed));
  expect(slow.filter(({ state }) => state.received.includes(" 408 ")).length).toBeGreaterThan(0);
  const last = slow.findLast(({ state }) => state.received === "");
  last?.write(message);
  await until("the newest is answered", () => last?.state.received.includes(" 200 ") === true);
});

/** The edge with short deadlines, in front of a surface that reads bodies. */
function shortEdge(total = 1024) {
  const { config } = loadConfig({ port: "0", host: "127.0.0.1" }, undefined, {});
  const listener = listen(config, silentLog());
  const bodies = new UnreadBodies({ deadlineMs: 300, patienceMs: 50, perAddress: 30, total: 512 });
  const serverUrls = createServerUrls(config, listener.port);
  const inFlight = new InFlight(
    { pending: () => listener.pending() - bodies.size, isFinished: listener.isFinished },
    { quiet: 0, perAddress: total, total },
  );
  const minutes: string[] = [];
  const edge = testEdge(
    async (request) => {
      const context = contextOf(request);
      if (context.url.pathname === "/owner") context.allowMinutes();
      return context.readBody(request, 1000).then(
        (bytes) => new Response(bytes),
        ({ kind, message }: { kind: string; message: string }) =>
          new Response(message, { status: kind === "slow_body" ? 408 : 503 }),
      );
    },
    {
      serverUrls: () => serverUrls,
      inFlight,
      bodies,
      connections: { ...listener, allowMinutes: ({ url }) => void minutes.push(url) },
    },
  );
  listener.answerWith(edge);
  return { listener, bodies, minutes, stop: () => listener.stop(0) };
}

test("the deadline of a body is absolute: bytes that trickle in do not extend it, and the connection is closed", async () => {
  const edge = shortEdge();
  const { port } = edge.listener;
  const slow = [
    sent(port, head(port, "/", 100)),
    sent(
      port,
      head(port, "/", 100).replace(/Content-Length.*/, "Transfer-Encoding: chunked") + "5\r\nhello\r\n",
    ),
  ];
  const trickle = setInterval(() => slow[0]?.write("x"), 20);
  for (const { state } of slow) {
    await until("refused and closed", () => state.closed);
    expect(state.received).toStartWith("HTTP/1.1 408");
    expect(state.received).toContain("did not arrive within 0.3 s");
  }
  clearInterval(trickle);
  expect([edge.bodies.size, edge.listener.pending()]).toEqual([0, 0]);
  await edge.stop();
});

test("an awaited body is not in flight: it counts when it is there", async () => {
  const edge = shortEdge(1);
  const { port } = edge.listener;
  const slow = Array.from({ length: 3 }, () => sent(port, head(port, "/", 100)));
  await until("all are awaited", () => edge.bodies.size === 3);
  const answer = await fetch(`http://localhost:${port}/`, { method: "POST", body: "whole" });
  expect([answer.status, await answer.text()]).toEqual([200, "whole"]);
  for (const { state } of slow) await until("refused", () => state.closed);
  await edge.stop();
});

test("only a surface that knows the owner gives a request minutes", async () => {
  const edge = shortEdge();
  const { port } = edge.listener;
  const slow = sent(port, head(port, "/x/admin/?/admin/", 5));
  await until("refused", () => slow.state.closed);
  expect(edge.minutes).toEqual([]);
  const owner = sent(port, head(port, "/owner", 5));
  await until("its head has arrived", () => edge.minutes.length === 1);
  expect(edge.bodies.size).toBe(0);
  owner.write("hello");
  await until("answered", () => owner.state.received.endsWith("hello"));
  await edge.stop();
});

test("a burst of whole requests from one address is answered: a body that came with its head is not awaited", async () => {
  const edge = shortEdge();
  const { port } = edge.listener;
  const burst = Array.from({ length: 400 }, () => sent(port, `${head(port, "/", 5)}hello`));
  await until("all are answered", () => burst.every(({ state }) => state.received.includes("\r\n\r\n")));
  expect(new Set(burst.map(({ state }) => state.received.slice(0, 12)))).toEqual(new Set(["HTTP/1.1 200"]));
  await edge.stop();
});

/** A request whose body is there once `send` is called. */
function slowRequest() {
  const { promise, resolve: send } = Promise.withResolvers<void>();
  const body = new ReadableStream({
    async pull(controller) {
      await promise;
      controller.close();
    },
  });
  const headers = { host: "localhost:8402", "transfer-encoding": "chunked" };
  return { send, request: new Request("http://localhost:8402/", { method: "POST", body, headers }) };
}

test("more than four times as many bodies as are awaited: the oldest are refused at the end of the turn, however young", async () => {
  const bodies = new UnreadBodies({ deadlineMs: 60_000, patienceMs: 60_000, perAddress: 2, total: 512 });
  const reads = Array.from({ length: 10 }, () => bodies.enter(slowRequest().request, "a", true));
  const told = reads.map((read) => read(1000).catch((refused: { kind: string }) => refused.kind));
  await new Promise((resolve) => setImmediate(resolve));
  expect(bodies.size).toBe(8);
  expect(await Promise.all(told.slice(0, 2))).toEqual(["slow_body", "slow_body"]);
});

test("a request is in flight from the end of its body on", async () => {
  const entered: string[] = [];
  const edge = testEdge(async (asked) => new Response(await contextOf(asked).readBody(asked, 1000)), {
    inFlight: { enter: (address) => void entered.push(address) },
  });
  const { send, request } = slowRequest();
  const answer = edge(request);
  await Bun.sleep(1);
  expect(entered).toEqual([]);
  send();
  expect((await answer).status).toBe(200);
  expect(entered).toEqual(["203.0.113.1"]);
});
