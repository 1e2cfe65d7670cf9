/** Invitations and reset links end with the rights of whoever made them. */
import { afterAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../src/accounts/audit.ts";
import type { Accounts } from "../../src/server/compose.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { open } from "../store/both-stores.ts";

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = { password: PASSWORD, address: "203.0.113.7", userAgent: null, previous: null };
const by = (id: string) => ({ ...OPERATOR, actor: id });

const ENDS: Readonly<Record<string, (accounts: Accounts, id: string, actor: string) => Promise<void>>> = {
  demoting: ({ users }, id, actor) => users.setRole(id, "member", by(actor)),
  disabling: ({ users }, id, actor) => users.disable(id, by(actor)),
  deleting: ({ users }, id, actor) => users.delete(id, by(actor)),
};

async function expectLinksEnd(accounts: Accounts, end: (typeof ENDS)[string]): Promise<void> {
  const { users, signUps, links, audit } = accounts;
  const first = await signUps.createWithPassword("first@example.com", PASSWORD);
  const second = await signUps.createWithPassword("second@example.com", PASSWORD);
  const bystander = await signUps.createWithPassword("bystander@example.com", PASSWORD);
  await users.setRole(second.id, "owner");
  const invited = { role: "owner", credits: 5 } as const;
  const theirs = [
    await signUps.invite("accomplice@example.com", by(second.id), invited),
    await signUps.resetSecret(bystander.email, by(second.id)),
    await signUps.resetSecret(second.email, by(first.id)),
  ];
  const others = [
    await signUps.invite("friend@example.com", by(first.id)),
    await signUps.invite("guest@example.com"),
    await signUps.resetSecret(first.email),
  ];
  await end?.(accounts, second.id, first.id);
  for (const secret of theirs) expect(await links.find(secret)).toBeUndefined();
  for (const secret of others) expect(await links.find(secret)).toBeDefined();
  const [invite = "", reset = ""] = theirs;
  expect(await signUps.acceptInvite(invite, NEW_PASSWORD).catch(String)).toContain("has expired");
  expect(await signUps.reset(reset, NEW_PASSWORD, "keep").catch(String)).toContain("has expired");
  expect(await users.findByEmail("accomplice@example.com")).toBeUndefined();
  const ended = (await audit.list({ limit: 20 })).filter(({ act }) => /withdrawn/.test(act));
  expect(ended.map(({ act, actor, subject, user }) => ({ act, actor, subject, user })).toReversed()).toEqual([
    { act: "invitation_withdrawn", actor: first.email, subject: "accomplice@example.com", user: null },
    { act: "reset_link_withdrawn", actor: first.email, subject: null, user: bystander.email },
    expect.objectContaining({ act: "reset_link_withdrawn", actor: first.email, subject: null }),
  ]);
}

const postgres = hasPostgres ? await startPostgres() : null;
afterAll(() => postgres?.stop());
const STORES = [
  ["SQLite", () => Promise.resolve("")],
  ["PostgreSQL", async () => (await postgres?.createDatabase()) ?? ""],
] as const;

describe.each(STORES)("in %s", (name, store) => {
  test.skipIf(name === "PostgreSQL" && postgres === null).each(Object.entries(ENDS))(
    "%s an owner ends the links that they made and those to their account, and no others",
    async (_name, end) => {
      using folder = temporaryFolder();
      const { accounts } = open({ dataDir: folder.path, store: await store() });
      try {
        await expectLinksEnd(accounts, end);
      } finally {
        await accounts.store.close();
      }
    },
  );
});

test.each(["demoting", "disabling", "deleting"])(
  "a request of an owner that was under way when %s ended the rights makes no link",
  async (how) => {
    using folder = temporaryFolder();
    const { accounts } = open({ dataDir: folder.path });
    const { signUps, users } = accounts;
    const first = await signUps.createWithPassword("first@example.com", PASSWORD);
    const second = await signUps.createWithPassword("second@example.com", PASSWORD);
    await users.setRole(second.id, "owner");
    await ENDS[how]?.(accounts, second.id, first.id);
    const late = { ...by(second.id), asOwner: true };
    const invited = await signUps.invite("late@example.com", late).catch(String);
    expect(invited).toContain("Only an owner");
    expect(await signUps.resetSecret(first.email, late).catch(String)).toContain("Only an owner");
    expect(await users.enable(first.id, late).catch(String)).toContain("Only an owner");
    expect(await accounts.links.pending()).toEqual([]);
    await accounts.store.close();
  },
);
