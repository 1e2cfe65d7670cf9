import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ signUp: "open" });
});
afterAll(() => server.stop());

/** Fills in the form at a path as a browser does. */
async function submit(path: string, fields: Record<string, string>): Promise<Response> {
  const form = await server.get(path);
  const cookie = form.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const hidden = [...(await form.text()).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const body = new URLSearchParams({
    ...Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value])),
    ...fields,
  });
  const { origin } = server;
  return server.get(path.split("?")[0] ?? path, {
    method: "POST",
    body: String(body),
    headers: { cookie, origin, "content-type": "application/x-www-form-urlencoded" },
  });
}

test("signing up answers alike for a free address and a taken one, and opens no session", async () => {
  const password = "correct horse battery";
  const first = await submit("/sign-up", { email: "ann@example.com", password });
  const again = await submit("/sign-up", { email: "ann@example.com", password: "another long password" });
  for (const answer of [first, again]) {
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${server.origin}/sign-in?signed-up`);
    expect(answer.headers.getSetCookie().join()).not.toMatch(/session/i);
  }
  expect(await (await server.get("/sign-in?signed-up")).text()).toContain("you just entered");
  expect(await (await server.get("/sign-in")).text()).not.toContain("you just entered");
  const entered = await submit("/sign-in", { email: "ann@example.com", password });
  expect(entered.headers.get("location")).toBe(`${server.origin}/developer`);
});

test("a reset page offers to revoke the keys, and does unless told otherwise", async () => {
  const { users, keys, signUps } = server.accounts;
  const { id } = await users.findOrCreate("bob@example.com");
  for (const [fields, held] of [
    [{}, true],
    [{ revoke_keys: "on" }, false],
  ] as const) {
    const { secret } = await keys.create(id, { name: "k" });
    const path = `/reset?token=${await signUps.resetSecret("bob@example.com")}`;
    expect(await (await server.get(path)).text()).toMatch(/name="revoke_keys" checked/);
    const answer = await submit(path, { ...fields, password: "correct horse battery" });
    expect(answer.status).toBe(303);
    expect(keys.find(secret, "203.0.113.1") !== undefined).toBe(held);
  }
});
