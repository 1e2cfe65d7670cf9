import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { realRuntime } from "../../src/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import {
  addPerson,
  authorizeUrl,
  BrowserSession,
  callHistory,
  codeFields,
  postForm,
  readJson,
  register,
} from "../contract/oauth/support.ts";

const postgres = hasPostgres ? await startPostgres() : null;

describe.skipIf(postgres === null)("three servers on one PostgreSQL", () => {
  let servers: TestServer[] = [];

  beforeAll(async () => {
    const store = postgres?.url ?? "";
    // Their own ids and secrets, like separate processes; the clocks are moved by the test.
    const { id, secret } = realRuntime();
    const settings = { store, publicUrl: "https://pay.example.com" };
    servers = await Promise.all([1, 2, 3].map(() => startTestServer(settings, { id, secret })));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  /** The servers in rotation. */
  const at = (n: number): TestServer => {
    const server = servers[n % servers.length];
    if (server === undefined) throw new Error("no server");
    return server;
  };

  /** Like a load balancer without stickiness: every request goes to the next server. */
  const balanced = (among = 3): TestServer => {
    let turn = 0;
    return {
      ...at(0),
      get: (path, init) => at(turn++ % among).get(path, init),
      get port() {
        return at(turn++ % among).port;
      },
    };
  };

  const advanceAll = (ms: number) => servers.forEach((server) => server.advance(ms));

  test("a key created on one is valid on all, and each charge is in the one ledger", async () => {
    const key = await at(0).createKey("ann@example.com");
    const { id } = await at(1).accounts.users.requireByEmail("ann@example.com");
    for (let n = 0; n < 6; n += 1) {
      const answer = await at(n).get("/api/executive-compensation?ticker=AAPL", { key });
      expect([n, answer.status]).toEqual([n, 200]);
    }
    expect(await at(2).accounts.credits.summary(id)).toEqual({
      balance: 94,
      given: 100,
      granted: 0,
      charged: 6,
      unmetered: false,
    });
    expect(await at(0).accounts.credits.problems()).toEqual([]);
  });

  test("500 requests on 100 credits charge exactly 100", async () => {
    const key = await at(0).createKey("bob@example.com");
    const { id } = await at(0).accounts.users.requireByEmail("bob@example.com");
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => at(n).get("/api/executive-compensation?ticker=AAPL", { key })),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    expect([counts.get(200)?.length, counts.get(402)?.length]).toEqual([100, 400]);
    expect((await at(1).accounts.credits.summary(id)).balance).toBe(0);
    const entries = await at(1).accounts.credits.entries(id, { limit: 1000 });
    const charged = entries.filter(({ kind }) => kind === "charged").map(({ requestId }) => requestId);
    const answered = (counts.get(200) ?? []).map(({ headers }) => headers.get("x-request-id"));
    expect(charged.toSorted()).toEqual(answered.toSorted());
    expect(await at(2).accounts.credits.problems()).toEqual([]);
  });

  // With three servers, a step returns to the server of three steps before, which has what only it can read.
  test.each([2, 3])("OAuth with each step on a different one of %d servers", async (among) => {
    const s = balanced(among);
    const person = { email: `ann-${among}@example.org`, password: "correct horse battery" };
    await addPerson(s, person);
    const clientId = String((await register(s, { client_name: "Everywhere" }))["client_id"]);
    const back = await new BrowserSession(s).decide(authorizeUrl(s, clientId), "approve", person);
    const code = back.searchParams.get("code") ?? "";
    const answer = await postForm(s, "/oauth/token", codeFields(s, clientId, code));
    expect(answer.status).toBe(200);
    const tokens = await readJson(answer);
    const access = String(tokens["access_token"]);
    for (let n = 0; n < 3; n += 1) expect((await callHistory(s, access)).status).toBe(200);
    const refresh = { grant_type: "refresh_token", client_id: clientId };
    const pair = await readJson(
      await postForm(s, "/oauth/token", { ...refresh, refresh_token: String(tokens["refresh_token"]) }),
    );
    const next = String(pair["access_token"]);
    expect((await callHistory(s, next)).status).toBe(200);
    const revoked = await postForm(s, "/oauth/revoke", {
      client_id: clientId,
      token: String(pair["refresh_token"]),
    });
    expect(revoked.status).toBe(200);
    advanceAll(1000);
    for (let n = 0; n < 6; n += 1) {
      expect((await callHistory(s, n < 3 ? access : next)).status).toBe(401);
    }
    // The code is used up everywhere, and replaying it ends nothing that has not already ended.
    expect((await postForm(s, "/oauth/token", codeFields(s, clientId, code))).status).toBe(400);
  });

  test("a refresh token used 20 times at once on three servers gives eleven lines, and none of them ends", async () => {
    const s = balanced();
    const person = { email: "forks@example.org", password: "correct horse battery" };
    const userId = await addPerson(s, person);
    const client_id = String((await register(s, { client_name: "Forks" }))["client_id"]);
    const back = await new BrowserSession(s).decide(authorizeUrl(s, client_id), "approve", person);
    const code = back.searchParams.get("code") ?? "";
    const { refresh_token } = await readJson(
      await postForm(s, "/oauth/token", codeFields(s, client_id, code)),
    );
    const refresh = (token: unknown) =>
      postForm(s, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token: String(token) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array<number>(11).fill(200), ...Array<number>(9).fill(400)]);
    expect((await at(1).services.accounts?.grants.connections.list(userId))?.[0]?.programs).toBe(11);
    for (const answer of answers.filter(({ status }) => status === 200))
      expect((await refresh((await readJson(answer))["refresh_token"])).status).toBe(200);
  });

  test("a revoked key is refused everywhere within a second", async () => {
    const user = await at(0).accounts.users.findOrCreate("cat@example.com");
    const { secret, key } = await at(0).accounts.keys.create(user.id, { name: "everywhere" });
    const ask = (n: number) => at(n).get("/api/executive-compensation?ticker=AAPL", { key: secret });
    for (let n = 0; n < 3; n += 1) expect((await ask(n)).status).toBe(200);
    await at(1).accounts.keys.revoke(null, key.id);
    // At once where it was revoked, elsewhere when the cached copy is a second old.
    expect((await ask(1)).status).toBe(401);
    advanceAll(1000);
    for (let n = 0; n < 3; n += 1) expect((await ask(n)).status).toBe(401);
  });

  test("a session of one server is valid on all, and signing out anywhere ends it", async () => {
    const s = balanced();
    const browser = new BrowserSession(s);
    await addPerson(s, { email: "dan@example.com", password: "correct horse battery" });
    await browser.signIn({ email: "dan@example.com", password: "correct horse battery" });
    for (let n = 0; n < 3; n += 1) expect((await browser.open("/developer")).status).toBe(200);
    const user = await s.accounts.users.requireByEmail("dan@example.com");
    await at(2).accounts.sessions.endAll(user.id);
    for (let n = 0; n < 3; n += 1) expect((await browser.open("/developer")).status).toBe(303);
  });

  test("the first credits are given once, however many servers create a first key at once", async () => {
    const user = await at(0).accounts.users.findOrCreate("eve@example.com");
    const made = await Promise.all(
      Array.from({ length: 9 }, (_, n) => at(n).accounts.keys.create(user.id, { name: `key ${n}` })),
    );
    expect(made).toHaveLength(9);
    expect(await at(1).accounts.credits.summary(user.id)).toMatchObject({ balance: 100, given: 100 });
    expect(await at(1).accounts.credits.problems()).toEqual([]);
  });

  // The operator at the command line may leave no owner; owners on the pages may not.
  test.each(["member", "disable", "delete"] as const)(
    "two owners who remove each other at the same moment (%s): one always remains",
    async (act) => {
      for (const { id, role } of await at(0).accounts.users.list())
        if (role === "owner") await at(0).accounts.users.delete(id);
      for (let round = 0; round < 8; round += 1) {
        const owners = await Promise.all(
          ["a", "b"].map(async (who) => {
            const { id } = await at(0).accounts.users.findOrCreate(`${act}-${round}-${who}@example.com`);
            await at(0).accounts.users.setRole(id, "owner");
            return id;
          }),
        );
        const [a = "", b = ""] = owners;
        const remove = (n: number, actor: string, id: string) => {
          const { users } = at(n).accounts;
          const by = { actor, address: "192.0.2.1", userAgent: null, form: null };
          return act === "member" ? users.setRole(id, "member", by) : users[act](id, by);
        };
        const done = await Promise.allSettled([remove(1, a, b), remove(2, b, a)]);
        expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
        const refused = done.find((one) => one.status === "rejected");
        expect(refused?.reason).toMatchObject({
          kind: "forbidden",
          message: expect.stringContaining("last owner"),
        });
        const left = (await at(0).accounts.users.list()).filter(
          ({ role, disabledAtMs }) => role === "owner" && disabledAtMs === null,
        );
        expect(left).toHaveLength(1);
        // The next round begins without an owner.
        await at(0).accounts.users.delete(left[0]?.id ?? "");
      }
    },
    120_000,
  );
});
