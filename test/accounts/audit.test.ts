import { describe, expect, test } from "bun:test";
import { type Actor, RepeatedForm } from "../../src/accounts/audit.ts";
import { recordFailedSignIn } from "../../src/accounts/sign-in.ts";
import { OPERATOR, recordAuditEvent } from "../../src/store/audit.ts";
import { withAccounts } from "../support/accounts.ts";

const DAY_MS = 86_400_000;
const OWNER: Actor = { actor: "owner-id", address: "198.51.100.7", userAgent: "Firefox", form: null };

describe("the audit log", () => {
  test("records user, time, address, action and the values before and after, and no secret", () =>
    withAccounts(async ({ log, users, keys, credits, runtime }) => {
      const ann = await users.findOrCreate("ann@example.com");
      const { secret, key } = await keys.create(ann.id, { name: `my ${"xc_live_"}${"a".repeat(38)}` });
      await keys.rename(null, key.id, "laptop", OWNER);
      const next = await keys.rotate(null, key.id, "none", OWNER);
      await keys.revoke(null, next.key.id, OWNER);
      await keys.revoke(null, next.key.id, OWNER);
      await credits.grant(ann.id, 50, OWNER);
      await credits.setUnmetered(ann.id, true, OWNER);
      await users.disable(ann.id, OWNER);
      await users.enable(ann.id, OWNER);
      const entries = (await log.list({ limit: 100 })).toReversed();
      expect(entries.map(({ act, actor, user }) => `${actor} ${act} ${user}`)).toEqual([
        "operator user_created ann@example.com",
        "operator key_created ann@example.com",
        "owner-id key_renamed ann@example.com",
        "owner-id key_rotated ann@example.com",
        "owner-id key_revoked ann@example.com",
        "owner-id credits_granted ann@example.com",
        "owner-id user_unmetered ann@example.com",
        "owner-id user_disabled ann@example.com",
        "owner-id user_enabled ann@example.com",
      ]);
      expect(entries[5]).toEqual({
        id: 6,
        atMs: runtime.now(),
        actor: "owner-id",
        address: "198.51.100.7",
        userAgent: "Firefox",
        act: "credits_granted",
        user: "ann@example.com",
        subject: null,
        before: '{"balance":100}',
        after: '{"balance":150,"amount":50}',
      });
      expect(JSON.stringify(entries)).not.toContain(secret);
      expect(JSON.stringify(entries)).not.toContain("aaaaaaaa");
    }));

  test("a refused action leaves no entry, and an action without an entry does not happen", () =>
    withAccounts(async ({ log, users, credits, store }) => {
      const ann = await users.findOrCreate("ann@example.com");
      await expect(credits.grant(ann.id, -1, OWNER)).rejects.toThrow("negative");
      expect(await log.list({ limit: 9, act: "credits_granted" })).toEqual([]);
      store.client.run(
        "CREATE TEMP TRIGGER broken BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no entry'); END",
      );
      await expect(credits.grant(ann.id, 5, OWNER)).rejects.toThrow("no entry");
      expect((await credits.summary(ann.id)).balance).toBe(0);
    }));

  test("a form sent twice, at once or later, is carried out once", () =>
    withAccounts(async ({ log, users, credits }) => {
      const ann = await users.findOrCreate("ann@example.com");
      const sent: Actor = { ...OWNER, form: "form-1" };
      const both = await Promise.allSettled([
        credits.grant(ann.id, 10, sent),
        credits.grant(ann.id, 10, sent),
      ]);
      expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
      await expect(credits.grant(ann.id, 10, sent)).rejects.toBeInstanceOf(RepeatedForm);
      await credits.grant(ann.id, 10, { ...OWNER, form: "form-2" });
      expect((await credits.summary(ann.id)).balance).toBe(20);
      expect(await log.list({ limit: 9, act: "credits_granted" })).toHaveLength(2);
    }));

  test("cannot be changed, replaced or deleted, even by SQL", () =>
    withAccounts(async ({ log, store }) => {
      await log.record(OPERATOR, { act: "backup_made" });
      for (const statement of [
        "UPDATE audit SET actor = 'nobody'",
        "DELETE FROM audit",
        "INSERT OR REPLACE INTO audit (id, at_ms, actor, act) VALUES (1, 0, 'nobody', 'signed_in')",
      ]) {
        expect(() => store.client.run(statement)).toThrow("append-only");
      }
      expect((await log.list({ limit: 9 })).map(({ actor }) => actor)).toEqual(["operator"]);
    }));

  test("people are recorded by id: a deleted user is only an id here too", () =>
    withAccounts(async ({ log, users }) => {
      const ann = await users.findOrCreate("ann@example.com");
      await users.delete(ann.id);
      expect(JSON.stringify(log.list({ limit: 9 }))).not.toContain("ann@example.com");
      expect((await log.list({ limit: 9, who: ann.id })).map(({ act }) => act)).toEqual([
        "user_deleted",
        "user_created",
      ]);
    }));

  test("is filtered by person, action and time, and paged without gaps or repetitions", () =>
    withAccounts(async ({ log, runtime }) => {
      for (let n = 0; n < 25; n++) {
        const act = n % 2 === 0 ? "signed_in" : "signed_out";
        await log.record({ ...OWNER, actor: n % 5 === 0 ? "bob" : "ann" }, { act, userId: "ann" });
        // Several in the same millisecond.
        if (n % 4 === 0) runtime.advance(1000);
      }
      for (const filter of [{}, { who: "ann" }, { who: "bob" }, { act: "signed_in" as const }]) {
        const whole = await log.list({ ...filter, limit: 100 });
        const seen: number[] = [];
        for (let before: { atMs: number; id: number } | undefined; ;) {
          const page = await log.list({ ...filter, limit: 4, before });
          seen.push(...page.map(({ id }) => id));
          before = page.at(-1);
          if (page.length < 4) break;
        }
        expect(seen).toEqual(whole.map(({ id }) => id));
        expect(seen).toEqual(seen.toSorted((a, b) => b - a));
      }
      const [newest] = await log.list({ limit: 1 });
      expect((await log.list({ limit: 100, untilMs: newest?.atMs ?? 0 })).length).toBeLessThan(25);
      expect(await log.list({ limit: 100, who: "bob" })).toHaveLength(5);
    }));

  test("retention deletes old entries and records that; nothing else can delete any", () =>
    withAccounts(async ({ log, runtime, store }) => {
      for (let n = 0; n < 30; n++) {
        await log.record(OPERATOR, { act: "backup_made", subject: String(n) });
        runtime.advance(DAY_MS);
      }
      expect(await log.expire(10 * DAY_MS)).toBe(20);
      const left = await log.list({ limit: 100 });
      expect(left.map(({ subject }) => subject)).toEqual([
        null,
        ...Array.from({ length: 10 }, (_, n) => String(29 - n)),
      ]);
      expect(left[0]).toMatchObject({ actor: "server", act: "audit_expired" });
      expect(JSON.parse(left[0]?.after ?? "")).toMatchObject({ entries: 20 });
      expect(await log.expire(10 * DAY_MS)).toBe(0);
      expect(() => store.client.run("DELETE FROM audit")).toThrow("append-only");
      expect(await log.list({ limit: 100 })).toHaveLength(11);
    }));

  test("repeated failures at one account are recorded selectively, with their count; a flood, at most sixty an hour", () =>
    withAccounts(async ({ log, store, runtime }) => {
      const fail = (address: string, failures: number) =>
        store.transact((tx) =>
          recordFailedSignIn(tx, runtime.now(), { address, userAgent: null }, undefined, failures),
        );
      for (let n = 1; n <= 20; n++) await fail("198.51.100.1", n);
      const told = (await log.list({ limit: 100 })).map(({ after }) => JSON.parse(after ?? "").failures);
      expect(told).toEqual([20, 10, 5, 3, 1]);
      for (let n = 0; n < 500; n++) await fail(`2001:db8:${n}::/64`, 1);
      const flood = await log.list({ limit: 1000 });
      expect(flood).toHaveLength(60);
      expect(flood[0]?.after).toContain("not listed for an hour");
      runtime.advance(3_600_000);
      await fail("198.51.100.1", 1);
      expect(await log.list({ limit: 1000 })).toHaveLength(61);
    }));

  test("a flood for invented addresses hides no failure at an account, one at an account none at an owner's", () =>
    withAccounts(async ({ log, store, runtime, users }) => {
      type Account = Parameters<typeof recordFailedSignIn>[3];
      const fail = (account: Account, address: string, failures = 1) =>
        store.transact((tx) =>
          recordFailedSignIn(tx, runtime.now(), { address, userAgent: null }, account, failures),
        );
      const [member, owner] = [
        await users.findOrCreate("bob@example.com"),
        { ...(await users.findOrCreate("ann@example.com")), role: "owner" as const },
      ];
      store.client.run("UPDATE users SET role = 'owner' WHERE id = ?", [owner.id]);
      for (let n = 0; n < 62; n++) await fail(undefined, `2001:db8:${n}::/64`);
      for (let n = 0; n < 70; n++) await fail(member, `2001:db8:1${n}::/64`);
      for (let n = 1; n <= 40; n++) await fail(owner, "198.51.100.1", n);
      const listed = log.list({ limit: 1000, act: "sign_in_failed" });
      const byUser = Map.groupBy(await listed, ({ user }) => user);
      expect([null, "bob@example.com", "ann@example.com"].map((id) => byUser.get(id)?.length)).toEqual([
        60, 60, 40,
      ]);
    }));

  test("a million entries are searched by index with any filter", () =>
    withAccounts(async ({ log, store }) => {
      const asked: string[] = [];
      const { query } = store.client;
      store.client.query = function (this: typeof store.client, text: string) {
        asked.push(text);
        return Reflect.apply(query, store.client, [text]);
        // The signature is bun:sqlite's own: arguments are passed through.
      } as typeof store.client.query;
      const before = { atMs: 5, id: 5 };
      await log.list({ limit: 10, before });
      await log.list({ limit: 10, before, act: "signed_in", sinceMs: 1 });
      await log.list({ limit: 10, before, who: "ann" });
      store.client.query = query;
      const plans = asked
        .filter((text) => text.includes('from "audit"'))
        .map((text) => {
          const values = Array.from({ length: text.split("?").length - 1 }, () => 1);
          const rows = store.client
            .query<{ detail: string }, number[]>(`EXPLAIN QUERY PLAN ${text}`)
            .all(...values);
          return rows.map(({ detail }) => detail).join("; ");
        });
      expect(plans).toHaveLength(4);
      for (const plan of plans) {
        expect(plan).toContain("USING INDEX audit_");
        expect(plan).not.toContain("TEMP B-TREE");
      }
    }));

  test("an entry is part of its caller's transaction", () =>
    withAccounts(async ({ log, store }) => {
      const undone = store.transact((tx) => {
        recordAuditEvent(tx, 1, OPERATOR, { act: "backup_made" });
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await log.list({ limit: 9 })).toEqual([]);
    }));
});
