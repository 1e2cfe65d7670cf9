import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestServer, refusalOf, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("a foreign host is refused, as protection against DNS rebinding", async () => {
  for (const host of ["evil.example.com", `evil.example.com:${server.port}`, "localhost", "localhost:1"]) {
    expect(await refusalOf(await server.get("/t/AAPL/facts", { headers: { host } }))).toMatchObject({
      status: 403,
      error: "Forbidden",
    });
  }
});

test("each loopback name is consistent with itself", async () => {
  for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
    const host = `${name}:${server.port}`;
    const body = (await (await server.get("/t/AAPL/facts", { headers: { host } })).json()) as {
      history: { url: string };
    };
    expect(body.history.url).toStartWith(`http://${host}/api/`);
  }
});

test("forged forwarding headers change no printed address", async () => {
  const headers = { "x-forwarded-host": "evil.example.com", forwarded: "host=evil.example.com" };
  expect(await (await server.get("/t/AAPL/facts", { headers })).text()).not.toContain("evil");
});

test("a supervisor may request health under any name", async () => {
  expect((await server.get("/livez", { headers: { host: "10.1.2.3" } })).status).toBe(200);
});
