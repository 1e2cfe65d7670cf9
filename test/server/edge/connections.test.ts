/** Which requests keep their connection until they are answered. For how long: `long-answers.slow.test.ts`. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp, NO_LISTENER } from "../../../src/server/app.ts";
import { createServerUrls } from "../../../src/http/base-urls.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

/** Answers a request without the listener. @returns its status, and what happened to its connection, in order */
async function connectionOf(path: string, init: RequestInit = {}) {
  const events: string[] = [];
  const listener = {
    ...NO_LISTENER,
    keep: () => void events.push("kept"),
    release: () => void events.push("released"),
    allowMinutes: () => void events.push("minutes"),
  };
  const { origin, port, services } = server;
  const urls = createServerUrls(services.config, port);
  const app = createApp(services, () => urls, listener);
  const headers = { host: new URL(origin).host, ...init.headers };
  const answer = await app(new Request(origin + path, { ...init, headers }));
  return { status: answer.status, events };
}

test.each([
  ["/t/AAPL", {}, 200],
  ["/t/AAPL", { method: "HEAD" }, 200],
  ["/nowhere", {}, 404],
] as const)("%s %j: kept, and released with its answer", async (path, init, status) => {
  expect(await connectionOf(path, init)).toEqual({ status, events: ["kept", "released"] });
});

test.each([
  ["/sign-in", { method: "POST", body: "email=a" }],
  ["/api/executive-compensation/query", { method: "PUT", body: "x" }],
  ["/nowhere", { method: "DELETE", body: "x" }],
  ["/sign-in", { method: "OPTIONS" }],
] as const)("%s %j, which may have a body: neither", async (path, init) => {
  expect((await connectionOf(path, init)).events).toEqual([]);
});
