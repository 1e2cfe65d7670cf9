import { describe, expect, test } from "bun:test";
import { Keys } from "../../src/accounts/keys.ts";
import { isWellFormed, newSecret } from "../../src/accounts/credentials.ts";
import { realRuntime } from "../../src/runtime.ts";
import { testRuntime } from "../support/runtime.ts";
import { openAccounts, temporaryFolder } from "../support/accounts.ts";
import { until } from "../support/until.ts";

async function withKey<T>(
  work: (
    all: ReturnType<typeof openAccounts> & {
      userId: string;
      secret: string;
      keyId: string;
      moment: ReturnType<typeof testRuntime>;
    },
  ) => Promise<T>,
) {
  using folder = temporaryFolder();
  const moment = testRuntime();
  const all = openAccounts(folder.path, moment);
  const { id } = await all.users.findOrCreate("ann@example.com");
  const { secret, key } = await all.keys.create(id, { name: "laptop" });
  try {
    return await work({ ...all, userId: id, secret, keyId: key.id, moment });
  } finally {
    await all.store.close();
  }
}

describe("the form of a key", () => {
  test("32 letters and a checksum after the prefix", () => {
    const { secret } = realRuntime();
    for (let n = 0; n < 1000; n += 1) {
      const made = newSecret("key", { secret });
      expect(made).toMatch(/^xc_live_[0-9A-Za-z]{38}$/);
      expect(isWellFormed("key", made)).toBe(true);
    }
  });

  test("any changed letter invalidates the checksum", () => {
    const made = newSecret("key", realRuntime());
    for (let at = 0; at < made.length; at += 1) {
      const other = made[at] === "a" ? "b" : "a";
      expect(isWellFormed("key", made.slice(0, at) + other + made.slice(at + 1))).toBe(false);
    }
    for (const bad of ["", "xc_live_", made.slice(1), `${made}a`, ` ${made}`, made.toUpperCase()]) {
      expect(isWellFormed("key", bad)).toBe(false);
    }
  });

  test("a bad checksum is refused without touching the store", () =>
    withKey(async ({ keys, store, secret }) => {
      const prepared: string[] = [];
      const rows = store.rows.bind(store);
      store.rows = (text, ...values) => {
        prepared.push(text);
        return rows(text, ...values);
      };
      const last = secret.endsWith("A") ? "B" : "A";
      expect(await keys.find(secret.slice(0, -1) + last, "127.0.0.1")).toBeUndefined();
      expect(prepared.filter((text) => text.includes("keys"))).toEqual([]);
      expect(await keys.find(newSecret("key", realRuntime()), "127.0.0.1")).toBeUndefined();
      expect(prepared.filter((text) => text.includes("keys"))).toHaveLength(1);
    }));
});

describe("finding a key", () => {
  test("the store has only its hash", () =>
    withKey(async ({ store, secret }) => {
      const dump = JSON.stringify(store.client.query("SELECT * FROM keys").all());
      expect(dump).not.toContain(secret.slice(14, -4));
      expect(dump).toContain(secret.slice(0, 12));
    }));

  test("a revoked key, an expired key and a disabled user's key are treated as unknown", () =>
    withKey(async ({ keys, users, secret, keyId, userId, moment }) => {
      expect(await keys.find(secret, "a")).toMatchObject({ keyId, userId });
      await users.disable(userId);
      expect(await keys.find(secret, "a")).toBeUndefined();
      await users.enable(userId);
      expect(await keys.find(secret, "a")).toMatchObject({ keyId });
      const short = await keys.create(userId, { name: "short", expiresAtMs: moment.now() + 1000 });
      expect(await keys.find(short.secret, "a")).toMatchObject({ keyId: short.key.id });
      moment.advance(1000);
      expect(await keys.find(short.secret, "a")).toBeUndefined();
      await keys.revoke(userId, keyId);
      expect(await keys.find(secret, "a")).toBeUndefined();
    }));

  test("a key revoked while it is looked up is refused from the next request on", () =>
    withKey(async ({ keys, store, secret, keyId, userId, moment }) => {
      const read = Promise.withResolvers<void>();
      // As with a database on another machine, the rows arrive later.
      const remote: typeof store = Object.create(store, {
        rows: {
          value: async (...args: Parameters<typeof store.rows>) => {
            const found = store.rows(...args);
            await read.promise;
            return found;
          },
        },
      });
      const server = new Keys(remote, moment);
      const found = server.find(secret, "a");
      await keys.revoke(userId, keyId);
      // Another request begins after that, and notices the change.
      const other = server.find(newSecret("key", moment), "a");
      read.resolve();
      expect([await found, await other]).toEqual([expect.objectContaining({ keyId }), undefined]);
      expect(await server.find(secret, "a")).toBeUndefined();
    }));

  test("what was revoked stays refused when the clock goes back; an overlap is a matter of time", () =>
    withKey(async ({ keys, users, secret, keyId, userId, moment }) => {
      const make = async () => (await keys.create(userId, { name: "k" })).key.id;
      const rotated = await keys.create(userId, { name: "rotated" });
      const overlapping = await keys.create(userId, { name: "overlapping" });
      const ended = await keys.create(userId, { name: "ended" });
      await keys.revoke(userId, keyId);
      await keys.rotate(userId, rotated.key.id, "none");
      await keys.rotate(userId, overlapping.key.id, "hour");
      await keys.rotate(userId, ended.key.id, "hour");
      await keys.revoke(userId, ended.key.id);
      const disabled = (await users.findOrCreate("bob@example.com")).id;
      const theirs = await keys.create(disabled, { name: "theirs" });
      await users.disable(disabled);
      for (const ms of [-600_000, -365 * 86_400_000]) {
        moment.advance(ms);
        const revoked = [secret, rotated.secret, ended.secret, theirs.secret];
        const found = await Promise.all(revoked.map((one) => keys.find(one, "a")));
        expect(found).toEqual([undefined, undefined, undefined, undefined]);
        expect(await keys.find(overlapping.secret, "a")).toMatchObject({ keyId: overlapping.key.id });
        await expect(keys.rotate(userId, keyId, "hour")).rejects.toThrow("was revoked");
      }
      // Revoked keys do not count against the maximum.
      for (let n = 0; n < 95; n += 1) await make();
      await expect(Promise.all(Array.from({ length: 4 }, make))).rejects.toThrow("revoke one first");
    }));

  test("a deleted user's keys end, and the address may register again", () =>
    withKey(async ({ keys, users, secret, userId }) => {
      await users.delete(userId);
      expect(await keys.find(secret, "a")).toBeUndefined();
      expect(await users.findById(userId)).toBeUndefined();
      // A form submitted before the user was deleted arrives afterwards.
      const late = await keys.create(userId, { name: "late" });
      expect(await keys.find(late.secret, "a")).toBeUndefined();
      const again = await users.findOrCreate("ann@example.com");
      expect(again.id).not.toBe(userId);
    }));

  test("changes by another process take effect on the next turn", () =>
    withKey(async ({ keys, store, secret, keyId }) => {
      expect(await keys.find(secret, "a")).toBeDefined();
      const other = openAccounts(store.path.replace(/\/[^/]+$/, ""));
      await other.keys.revoke(null, keyId);
      await other.store.close();
      expect(await keys.find(secret, "a")).toBeUndefined();
    }));

  test("its last use is written at most once a minute", () =>
    withKey(async ({ keys, store, secret, userId, moment }) => {
      const used = async () => (await keys.list(userId))[0];
      await keys.find(secret, "198.51.100.7");
      await until("the use is written", async () => (await used())?.lastUsedAtMs === moment.now());
      expect(await used()).toMatchObject({ lastUsedAtMs: moment.now(), lastUsedAddress: "198.51.100.7" });
      const first = moment.now();
      moment.advance(59_000);
      await keys.find(secret, "198.51.100.8");
      // Pending uses are written with any commit.
      await store.transact(async () => {});
      expect(await used()).toMatchObject({ lastUsedAtMs: first, lastUsedAddress: "198.51.100.7" });
      moment.advance(1000);
      await keys.find(secret, "198.51.100.8");
      await until("the later use is written", async () => (await used())?.lastUsedAtMs === moment.now());
      expect(await used()).toMatchObject({ lastUsedAtMs: moment.now(), lastUsedAddress: "198.51.100.8" });
    }));
});

describe("last uses of many keys", () => {
  test("cause no commits of their own: each commit includes a bounded number of them", () =>
    withKey(async ({ keys, store, users, moment }) => {
      const secrets: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const { id } = await users.findOrCreate(`user-${n}@example.com`);
        const made = await Promise.all(Array.from({ length: 100 }, () => keys.create(id, { name: "crowd" })));
        secrets.push(...made.map(({ secret }) => secret));
      }
      let asked = 0;
      const schedule = store.scheduleCommit.bind(store);
      store.scheduleCommit = () => {
        asked += 1;
        schedule();
      };
      for (const secret of secrets) await keys.find(secret, "198.51.100.7");
      expect(asked).toBe(0);
      const used = async () =>
        (await keys.list()).filter(({ lastUsedAtMs }) => lastUsedAtMs === moment.now()).length;
      await store.transact(async () => {});
      expect(await used()).toBe(500);
      await until("the others are written", async () => (await used()) === 600);
    }));
});

describe("managing keys", () => {
  test("a rotated key stays valid for the overlap, its successor inherits name and expiry", () =>
    withKey(async ({ keys, secret, keyId, userId, moment }) => {
      const next = await keys.rotate(userId, keyId, "hour");
      expect(next.key).toMatchObject({ name: "laptop", userId });
      expect(await keys.find(secret, "a")).toBeDefined();
      moment.advance(3_600_000);
      expect(await keys.find(secret, "a")).toBeUndefined();
      expect(await keys.find(next.secret, "a")).toMatchObject({ keyId: next.key.id });
      const ended = await keys.rotate(userId, keyId, "none").catch((error: unknown) => error);
      expect(ended).toMatchObject({ kind: "invalid_parameter" });
    }));

  test("a rotated key is not rotated again: its overlap is never extended", () =>
    withKey(async ({ keys, secret, keyId, userId, moment }) => {
      await keys.rotate(userId, keyId, "hour");
      await expect(keys.rotate(userId, keyId, "week")).rejects.toThrow("was replaced already");
      expect(await keys.find(secret, "a")).toBeDefined();
      moment.advance(3_600_000);
      expect(await keys.find(secret, "a")).toBeUndefined();
    }));

  test("a rotation without overlap ends the old key immediately", () =>
    withKey(async ({ keys, secret, keyId, userId }) => {
      await keys.rotate(userId, keyId, "none");
      expect(await keys.find(secret, "a")).toBeUndefined();
    }));

  test("users cannot change each other's keys", () =>
    withKey(async ({ keys, users, secret, keyId }) => {
      const eve = await users.findOrCreate("eve@example.com");
      for (const attempt of [
        () => keys.revoke(eve.id, keyId),
        () => keys.rename(eve.id, keyId, "mine"),
        () => keys.rotate(eve.id, keyId, "none"),
      ]) {
        expect(await attempt().catch((error: unknown) => error)).toMatchObject({ kind: "invalid_parameter" });
      }
      expect(await keys.list(eve.id)).toEqual([]);
      expect(await keys.find(secret, "a")).toBeDefined();
    }));

  test.each(["", "   ", "x".repeat(101), "a\nb"])("the name %p is refused", (name) =>
    withKey(async ({ keys, userId }) => {
      expect(() => keys.create(userId, { name })).toThrow("Cannot name a key");
    }),
  );
});

test("in a large table, searches find what begins with the text, by index", () =>
  withKey(async ({ keys, users, store, keyId, userId }) => {
    const found = async (text: string) => [
      (await keys.page({ text, before: undefined, limit: 5 })).map(({ id }) => id),
      (await users.page({ text, after: "", limit: 5 })).map(({ email }) => email),
      await users.count(text),
    ];
    const ann = [[keyId], ["ann@example.com"], 1];
    expect(await found("n@exam")).toEqual(ann);
    store.client.run(
      "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20001)" +
        " INSERT INTO users (id, email, role, created_at_ms) SELECT 'u' || n, 'u' || n || '@example.com', 'member', 0 FROM n",
    );
    store.client.run(
      "INSERT INTO keys (id, user_id, name, hash, prefix, last_four, scope, created_at_ms)" +
        " SELECT id, id, 'Crowd', id, 'xc_live_zzzz', 'zzzz', 's', 0 FROM users WHERE role = 'member' AND id <> '" +
        `${userId}'`,
    );
    expect(await found("n@exam")).toEqual([[], [], 0]);
    expect(await found("ann@")).toEqual(ann);
    expect(await found("ANN@EXAMPLE.COM ")).toEqual(ann);
    for (const text of [keyId, "Lapt", (await keys.list(userId))[0]?.prefix ?? ""])
      expect((await found(text))[0]).toEqual([keyId]);
    expect((await found("u77@"))[0]).toEqual(["u77"]);
    expect((await found("u"))[2]).toBe(1001);
    expect((await found(""))[2]).toBe(20_002);
    await users.delete("u5");
    await users.delete("u5");
    expect((await found(""))[2]).toBe(20_001);
    const asked: string[] = [];
    const { query } = store.client;
    store.client.query = function (this: typeof store.client, text: string) {
      asked.push(text);
      return Reflect.apply(query, store.client, [text]);
      // The signature is bun:sqlite's own: arguments are passed through.
    } as typeof store.client.query;
    await found("ann@");
    await found("");
    await users.hasOwner();
    store.client.query = query;
    for (const text of asked) {
      const values = Array.from({ length: text.split("?").length - 1 }, () => 1);
      const plan = store.client
        .query<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${text}`)
        .all(...values);
      expect(plan.filter(({ detail }) => /^SCAN (k|keys|u|users)\b(?!.*USING)/.test(detail))).toEqual([]);
    }
  }));
