import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BrowserSession } from "../contract/oauth/support.ts";
import { fieldsOf } from "../support/html.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const OWNER = { email: "owner@example.com", password: "an owner's long password" };
const MEMBER = { email: "member@example.com", password: "a member's long password" };
const PAGES = [
  "/admin/users",
  "/admin/users/x",
  "/admin/usage",
  "/admin/usage/download",
  "/admin/settings",
  "/admin/keys",
  "/admin/apps",
  "/admin/dataset",
  "/admin/ingest",
  "/admin/health",
  "/admin/backup",
  "/admin/audit",
  "/admin/audit/download",
];

let server: TestServer;
let owner: BrowserSession;
let member: BrowserSession;
let memberId = "";

beforeAll(async () => {
  server = await startTestServer();
  const { signUps } = server.accounts;
  await signUps.createWithPassword(OWNER.email, OWNER.password);
  memberId = (await signUps.createWithPassword(MEMBER.email, MEMBER.password)).id;
  owner = new BrowserSession(server);
  await owner.signIn(OWNER);
  member = new BrowserSession(server);
  await member.signIn(MEMBER);
});
afterAll(() => server.stop());

const balance = async () => (await server.accounts.credits.summary(memberId)).balance;

describe("access", () => {
  test.each(PAGES)(
    "%s requires a session, even from the local operator, and returns people to it after signing in",
    async (path) => {
      const answer = await server.get(path);
      expect(answer.status).toBe(303);
      expect(answer.headers.get("location")).toBe(
        `${server.origin}/sign-in?next=${encodeURIComponent(path.replace("/download", ""))}`,
      );
    },
  );

  test.each(PAGES)("%s is refused to users who are not owners", async (path) => {
    const answer = await member.open(path);
    expect(answer.status).toBe(403);
    const text = await answer.text();
    expect(text).not.toContain(OWNER.email);
    expect((await (await member.open("/")).text()).includes('href="/admin/users"')).toBe(false);
  });

  test("a form does nothing if sent by a member, without the browser's own field, or from another site", async () => {
    const path = `/admin/users/${memberId}`;
    const fields = await fieldsOf(owner, path, "grant");
    const before = await balance();
    const sent = { ...fields, amount: "5" };
    const { csrf = "" } = await keyForm(member);
    expect((await member.submit(path, { ...sent, csrf })).status).toBe(403);
    expect((await member.submit("/admin/backup/download", { ...sent, csrf })).status).toBe(403);
    expect((await member.submit("/admin/dataset/upload", { ...sent, csrf })).status).toBe(403);
    expect((await owner.submit(path, { ...sent, csrf: "x" })).status).toBe(403);
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example.com" };
    expect((await owner.submit(path, sent, foreign)).status).toBe(403);
    expect((await server.get(path, { method: "POST" })).status).toBe(303);
    expect(await balance()).toBe(before);
  });

  test("an owner who is disabled is locked out with the next click", async () => {
    const other = { email: "second@example.com", password: "another owner's password" };
    const { users, signUps, store } = server.accounts;
    const { id } = await signUps.createWithPassword(other.email, other.password);
    store.client.query("UPDATE users SET role = 'owner' WHERE id = ?").run(id);
    const browser = new BrowserSession(server);
    await browser.signIn(other);
    expect((await browser.open("/admin/users")).status).toBe(200);
    await users.disable(id);
    expect((await browser.open("/admin/users")).status).toBe(303);
  });
});

describe("forms", () => {
  test("a form sent twice, at once from two tabs or again later, grants once; two forms grant twice", async () => {
    const path = `/admin/users/${memberId}`;
    const fields = { ...(await fieldsOf(owner, path, "grant")), amount: "7" };
    const before = await balance();
    const answers = await Promise.all([owner.submit(path, fields), owner.submit(path, fields)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await (await owner.submit(path, fields)).text()).toContain("submitted twice");
    expect(await balance()).toBe(before + 7);
    await owner.submit(path, { ...(await fieldsOf(owner, path, "grant")), amount: "7" });
    expect(await balance()).toBe(before + 14);
  });

  test("an invalid amount is refused with a message", async () => {
    const path = `/admin/users/${memberId}`;
    for (const amount of ["", "1.5", "1e9", "-999999999", "0", "999999999999"]) {
      const answer = await owner.submit(path, { ...(await fieldsOf(owner, path, "grant")), amount });
      expect([amount, answer.status]).toEqual([amount, 400]);
      expect(await answer.text()).toContain('role="alert"');
    }
  });

  test("irreversible actions ask for confirmation once, and are carried out only then", async () => {
    const { keys } = server.accounts;
    const { key } = await keys.create(memberId, { name: `<b>"bold"</b>` });
    const fields = await fieldsOf(owner, "/admin/keys", "revoke");
    const asked = await owner.submit("/admin/keys", { ...fields, key: key.id });
    const text = await asked.text();
    expect(text).toContain("This cannot be undone");
    expect(text).not.toContain("<b>");
    expect((await keys.list(memberId)).find(({ id }) => id === key.id)?.revokedAtMs).toBeNull();
    await owner.submit("/admin/keys", { ...fields, key: key.id, sure: "yes" });
    expect((await keys.list(memberId)).find(({ id }) => id === key.id)?.revokedAtMs).not.toBeNull();
  });

  test("every action of an owner is in the log under their name, with the address", async () => {
    const path = `/admin/users/${memberId}`;
    const asked = async (act: string, more: Record<string, string> = {}) =>
      owner.submit(
        path,
        { ...(await fieldsOf(owner, path, act)), sure: "yes", ...more },
        { "user-agent": "Lynx" },
      );
    await asked("grant", { amount: "1" });
    await asked("unmetered");
    await asked("metered");
    await asked("disable");
    await asked("enable");
    await asked("reset");
    const listed = (await server.accounts.audit.list({ limit: 6 })).toReversed();
    expect(listed.map(({ act }) => act)).toEqual([
      "credits_granted",
      "user_unmetered",
      "user_metered",
      "user_disabled",
      "user_enabled",
      "reset_link_created",
    ]);
    for (const entry of listed) {
      expect(entry).toMatchObject({
        actor: OWNER.email,
        user: MEMBER.email,
        address: "127.0.0.1",
        userAgent: "Lynx",
      });
    }
  });

  test("an invitation to a user's address offers a reset instead, which is in the log as one", async () => {
    const since = (await server.accounts.audit.list({ limit: 1 }))[0]?.id ?? 0;
    const fields = {
      ...(await fieldsOf(owner, "/admin/users", "invite")),
      email: ` ${OWNER.email.toUpperCase()} `,
    };
    const asked = await (await owner.submit("/admin/users", fields)).text();
    expect(asked).toContain(`${OWNER.email} is already a user`);
    expect(asked).not.toContain('id="link"');
    const listed = () => server.accounts.audit.list({ limit: 9 });
    expect((await listed()).filter(({ id }) => id > since)).toEqual([]);
    const { password } = OWNER;
    const done = await (await owner.submit("/admin/users", { ...fields, sure: "yes", password })).text();
    expect(done).toMatch(/id="link"[^>]*>http:[^<]*\/reset\?token=xc_link_/);
    expect((await listed()).filter(({ id }) => id > since).map(({ act }) => act)).toEqual([
      "reset_link_created",
    ]);
  });

  test("no form on a page acts as the operator: actions on pages belong to people", async () => {
    const before = (await server.accounts.audit.list({ limit: 1 }))[0]?.id ?? 0;
    const browser = new BrowserSession(server);
    const person = { email: "third@example.com", password: "a third person's password" };
    const link = await server.accounts.signUps.invite(person.email, {
      actor: "x",
      address: null,
      userAgent: null,
      form: null,
    });
    const page = await browser.open(`/invite?token=${link}`);
    const csrf = /name="csrf" value="([^"]*)"/.exec(await page.text())?.[1] ?? "";
    await browser.submit("/invite", { csrf, token: link, password: person.password });
    const formOf = (act: string) => fieldsOf(browser, "/developer", act);
    await browser.submit("/developer", { ...(await formOf("create")), name: "mine", days: "" });
    await browser.submit("/developer", await formOf("sign_out_everywhere"));
    await browser.signIn(person);
    await browser.submit("/sign-out", await keyForm(browser));
    const entries = (await server.accounts.audit.list({ limit: 20 })).filter(({ id }) => id > before);
    expect(entries.map(({ act }) => act).toReversed()).toEqual([
      "user_invited",
      "invitation_accepted",
      "signed_in",
      "key_created",
      "signed_out_everywhere",
      "signed_in",
      "signed_out",
    ]);
    expect(entries.slice(0, 6).map(({ actor }) => actor)).toEqual(
      Array.from({ length: 6 }, () => person.email),
    );
  });
});

async function keyForm(browser: BrowserSession): Promise<Record<string, string>> {
  const text = await (await browser.open("/developer")).text();
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
  return { csrf: value("csrf"), once: value("once") };
}

describe("lists", () => {
  test("two thousand users are paged, each page bounded and in order", async () => {
    const { client } = server.accounts.store;
    client.run("BEGIN");
    const insert = client.query(
      "INSERT INTO users (id, email, role, created_at_ms) VALUES (?, ?, 'member', 0)",
    );
    for (let n = 0; n < 2000; n++) insert.run(`many-${n}`, `many${String(n).padStart(6, "0")}@example.net`);
    client.run("COMMIT");
    const first = await (await owner.open("/admin/users?q=many")).text();
    expect(first).toContain("more than 1,000 users");
    const total = async () =>
      /([\d,]+) users, by e-mail/.exec(await (await owner.open("/admin/users")).text())?.[1];
    const all = await server.accounts.users.count("");
    expect(await total()).toBe(all.toLocaleString("en-US"));
    // Kept by triggers; deleted users are not in it.
    await server.accounts.users.delete("many-7");
    expect(await total()).toBe((all - 1).toLocaleString("en-US"));
    expect(all).toBe((await server.accounts.users.list()).length + 1);
    expect(first.length).toBeLessThan(60_000);
    expect(first.match(/<th [^>]*scope="row"/g)).toHaveLength(50);
    const next = /href="([^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await (await owner.open(next)).text();
    expect(second).toContain("many000050@example.net");
    expect(second).not.toContain("many000049@");
    const plan = client
      .query<{ detail: string }, []>(
        "EXPLAIN QUERY PLAN SELECT * FROM users WHERE deleted_at_ms IS NULL AND email > 'm' ORDER BY email LIMIT 50",
      )
      .all();
    expect(JSON.stringify(plan)).toContain("USING INDEX users_email_unique");
  });

  test("keys are paged, newest first, each once", async () => {
    const { users, keys } = server.accounts;
    const { id } = await users.findOrCreate("keyed@example.com");
    const made = [];
    for (let n = 0; n < 60; n++) {
      // Some are created in the same millisecond.
      if (n % 3 === 0) server.advance(1);
      made.push((await keys.create(id, { name: `paged ${n}` })).key.id);
    }
    const rows = (text: string) => [...text.matchAll(/name="key" value="([^"]*)"/g)].map(([, key]) => key);
    const first = await (await owner.open("/admin/keys?q=paged")).text();
    const next = /href="([^"]*before=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toContain("q=paged");
    const second = await (await owner.open(next)).text();
    expect([rows(first).length, rows(second).length]).toEqual([50, 10]);
    expect([...rows(first), ...rows(second)].toSorted()).toEqual(made.toSorted());
    expect(second).not.toContain("Next page");
    // An unreadable page position means the first page.
    expect(rows(await (await owner.open("/admin/keys?q=paged&before=x.y")).text())).toEqual(rows(first));
  });

  test("the log is filtered by person, action and day; unreadable filters are reported", async () => {
    const shown = async (query: string) => (await owner.open(`/admin/audit?${query}`)).text();
    expect(await shown("who=operator&act=user_created")).toContain("User created");
    expect(await shown("who=server")).toContain("No entries.");
    expect(await shown("since=2030-01-01")).toContain("No entries.");
    expect(await shown("who=nobody@example.com")).toContain("No user nobody@example.com.");
    expect(await shown("act=nothing")).toContain("Cannot read act");
    expect(await shown("since=2026-02-31x")).toContain("Cannot read the date");
    expect((await owner.open("/admin/audit/download?act=nothing")).status).toBe(400);
    expect((await owner.open("/admin/users/nobody")).status).toBe(404);
  });
});

test("Health is checked when it is opened: it does not say that there is no owner once there is one", async () => {
  const { examined } = server.services;
  examined.findings = [
    { check: "owner", status: "trouble", message: "The service has no owner yet." },
  ] as unknown as typeof examined.findings;
  examined.atMs = server.runtime.now() - 3_600_000;
  // On a busy machine the checks take longer than the page waits for them.
  await until("the checks have run", async () => {
    const text = await (await owner.open("/admin/health")).text();
    return text.includes("Every balance matches") && !text.includes("no owner yet");
  });
});
