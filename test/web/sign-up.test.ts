import { afterAll, beforeAll, expect, test } from "bun:test";
import { submitForm } from "../support/form.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ signUp: "open" });
});
afterAll(() => server.stop());

const submit = (path: string, fields: Record<string, string>) => submitForm(server, path, fields);

test("signing up gives the same answer for a free address and a taken one, and opens no session", async () => {
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
  expect(entered.headers.get("location")).toBe(`${server.origin}/`);
});

test("a reset page offers to revoke the keys, and does so by default", async () => {
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
    expect((await keys.find(secret, "203.0.113.1")) !== undefined).toBe(held);
  }
});
