/** What owners can do on their pages: other owners, invitations, deleting users, usage, settings; all of it in the audit log. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BrowserSession, readForm } from "../contract/oauth/support.ts";
import { submitForm } from "../support/form.ts";
import { fieldsOf } from "../support/html.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { CLIENT, startProvider } from "../support/oidc.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const OWNER = { email: "owner@example.com", password: "an owner's long password" };
const MEMBER = { email: "member@example.com", password: "a member's long password" };

let server: TestServer;
let mail: MailServer;
let owner: BrowserSession;
let ownerId = "";
let memberId = "";

beforeAll(async () => {
  mail = await startMailServer();
  server = await startTestServer({ smtpUrl: mail.url, mailFrom: "pay@example.com", creditsNote: "Ask Ann." });
  const { signUps } = server.accounts;
  ownerId = (await signUps.createWithPassword(OWNER.email, OWNER.password)).id;
  memberId = (await signUps.createWithPassword(MEMBER.email, MEMBER.password)).id;
  owner = new BrowserSession(server);
  await owner.signIn(OWNER);
});
afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const textOf = async (answer: Response | Promise<Response>) =>
  (await (await answer).text()).replaceAll(/ data-label="[^"]*"/g, "").replaceAll(/\s+/g, " ");
const newest = async () => (await server.accounts.audit.list({ limit: 1 }))[0];
/** Presses a button and answers its question. */
async function press(path: string, act: string, fields: Record<string, string>, browser = owner) {
  const asked = await browser.submit(path, { ...(await fieldsOf(browser, path, act)), ...fields });
  const question = await readForm(asked, 'name="sure"');
  return (more: Record<string, string>) => browser.submit(path, { ...question.hidden, ...more });
}

describe("several owners", () => {
  test("the role is given and taken with the password, and one owner always remains", async () => {
    const path = `/admin/users/${memberId}`;
    const roleOf = async () => (await server.accounts.users.findById(memberId))?.role;
    const give = await press(path, "owner", {});
    const wrong = await give({ password: "not the password" });
    expect([wrong.status, await roleOf()]).toEqual([403, "member"]);
    // The question is asked again.
    const text = await wrong.text();
    expect(text).toContain("Wrong password.");
    expect(text).toContain('type="password"');
    expect((await give({})).status).toBe(403);
    expect(await textOf(give({ password: OWNER.password }))).toContain("member@example.com is an owner now");
    expect(await newest()).toMatchObject({
      act: "role_changed",
      actor: OWNER.email,
      user: MEMBER.email,
      before: '{"role":"member"}',
      after: '{"role":"owner"}',
    });
    const second = new BrowserSession(server);
    await second.signIn(MEMBER);
    expect((await second.open("/admin/users")).status).toBe(200);
    // The second owner takes the role from the first, whose pages end with that, and is then the last one.
    const take = await press(`/admin/users/${ownerId}`, "member", {}, second);
    expect(await textOf(take({ password: MEMBER.password }))).toContain("owner@example.com is a member now");
    expect((await owner.open("/admin/users")).status).toBe(403);
    for (const act of ["member", "disable", "delete"]) {
      const last = await press(path, act, {}, second);
      const refused = await last({ password: MEMBER.password });
      expect([act, refused.status]).toEqual([act, 403]);
      expect(await refused.text()).toContain("The last owner cannot be");
    }
    await server.accounts.users.setRole(ownerId, "owner");
    await server.accounts.users.setRole(memberId, "member");
    // Of a role that somebody has already, nothing is logged.
    const entries = await server.accounts.audit.list({ who: memberId, limit: 99 });
    await server.accounts.users.setRole(memberId, "member");
    expect(await server.accounts.audit.list({ who: memberId, limit: 99 })).toEqual(entries);
  });

  test("disabling and enabling an owner needs the password, as taking the role and deleting do; of a member it does not", async () => {
    const { users } = server.accounts;
    const path = `/admin/users/${memberId}`;
    const isDisabled = async () => ((await users.findById(memberId))?.disabledAtMs ?? null) !== null;
    expect(await (await owner.submit(path, await fieldsOf(owner, path, "disable"))).text()).not.toContain(
      'type="password"',
    );
    await users.setRole(memberId, "owner");
    for (const [act, before] of [
      ["disable", false],
      ["enable", true],
    ] as const) {
      const doIt = await press(path, act, {});
      for (const given of [{}, { password: "not the password" }]) {
        const refused = await doIt(given);
        expect([act, refused.status, await isDisabled()]).toEqual([act, 403, before]);
        expect(await refused.text()).toContain('type="password"');
      }
      await doIt({ password: OWNER.password });
      expect([act, await isDisabled()]).toEqual([act, !before]);
    }
    await users.setRole(memberId, "member");
  });

  test("what an owner asked for does not happen once somebody took the role, whatever it is", async () => {
    const { users, signUps, credits, links } = server.accounts;
    const late = { email: "accomplice@example.com" };
    const path = `/admin/users/${ownerId}`;
    /** Takes the role after the page has let the owner in, as while the body of the form arrives. */
    const demoteBefore = (part: object, name: string) => {
      const method = Reflect.get(part, name) as (...given: unknown[]) => Promise<unknown>;
      Reflect.set(part, name, async (...given: unknown[]) => {
        Reflect.deleteProperty(part, name);
        await users.setRole(memberId, "member");
        return method.apply(part, given);
      });
    };
    for (const [part, name, page, act, fields] of [
      [signUps, "invite", "/admin/users", "invite", late],
      [signUps, "resetSecret", `/admin/users/${memberId}`, "reset", {}],
      [credits, "grant", path, "grant", { amount: "7" }],
      [credits, "setUnmetered", path, "unmetered", {}],
    ] as const) {
      await users.setRole(memberId, "owner");
      const second = new BrowserSession(server);
      await second.signIn(MEMBER);
      const form = {
        ...(await fieldsOf(second, page, act)),
        ...fields,
        sure: "yes",
        password: MEMBER.password,
      };
      demoteBefore(part, name);
      expect([act, (await second.submit(page, form)).status]).toEqual([act, 403]);
    }
    expect(await links.pending()).toEqual([]);
    expect(await credits.summary(ownerId)).toMatchObject({ granted: 0, unmetered: false });
  });

  test("a link to an owner's new password needs the own one: it would open everything that asks for it", async () => {
    const ofOwner = await press(`/admin/users/${ownerId}`, "reset", {});
    const byInvitation = await press("/admin/users", "invite", { email: OWNER.email });
    for (const create of [ofOwner, byInvitation]) {
      const wrong = await create({ password: "not the password" });
      expect(wrong.status).toBe(403);
      expect(await wrong.text()).toMatch(/Wrong password[^]*type="password"/);
      expect(await textOf(create({ password: OWNER.password }))).toContain("/reset?token=xc_link_");
    }
    const { hidden, action } = await readForm(await owner.open(`/admin/users/${memberId}`), "password reset");
    expect(await textOf(owner.submit(action, hidden))).toContain("/reset?token=xc_link_");
  });
});

describe("invitations", () => {
  const linkOf = (text: string) =>
    /id="link"[^>]*>([^<]*)</.exec(text)?.[1]?.slice(server.origin.length) ?? "";

  test("name a role and credits, are listed until accepted, and the credits have an entry in the ledger", async () => {
    const fields = {
      ...(await fieldsOf(owner, "/admin/users", "invite")),
      email: "zoe@example.com",
      credits: "250",
    };
    const link = linkOf(await (await owner.submit("/admin/users", fields)).text());
    expect(await newest()).toMatchObject({ act: "user_invited", after: '{"role":"member","credits":250}' });
    const listed = await textOf(owner.open("/admin/users"));
    expect(listed).toContain("Invitations not accepted yet");
    expect(listed).toMatch(/zoe@example\.com<\/th> <td>member<\/td> <td class="number">250<\/td>/);
    expect((await submitForm(server, link, { password: "zoe's own long password" })).status).toBe(303);
    const { id } = await server.accounts.users.requireByEmail("zoe@example.com");
    expect(await server.accounts.credits.summary(id)).toMatchObject({ balance: 250, granted: 250, given: 0 });
    expect(await server.accounts.credits.problems()).toEqual([]);
    expect(await textOf(owner.open("/admin/users"))).not.toContain("Invitations not accepted yet");
  });

  test("can be withdrawn: the link no longer works", async () => {
    const fields = { ...(await fieldsOf(owner, "/admin/users", "invite")), email: "gone@example.com" };
    const link = linkOf(await (await owner.submit("/admin/users", fields)).text());
    expect((await server.get(link)).status).toBe(200);
    const withdraw = await fieldsOf(owner, "/admin/users", "withdraw");
    expect(await textOf(owner.submit("/admin/users", withdraw))).toContain("was withdrawn");
    expect((await server.get(link)).status).toBe(410);
    expect(await newest()).toMatchObject({ act: "invitation_withdrawn", subject: "gone@example.com" });
  });

  test("of an owner need the password; the invited person owns the server too", async () => {
    const invite = await press("/admin/users", "invite", { email: "boss@example.com", role: "owner" });
    expect((await invite({ password: "not the password" })).status).toBe(403);
    expect(await server.accounts.links.pending()).toEqual([]);
    const link = linkOf(await (await invite({ password: OWNER.password })).text());
    expect((await submitForm(server, link, { password: "the boss's long password" })).status).toBe(303);
    expect((await server.accounts.users.requireByEmail("boss@example.com")).role).toBe("owner");
  });
});

test("a user is deleted on the page with the owner's password; the ledger stays without a name", async () => {
  const { users, credits } = server.accounts;
  const { id } = await users.findOrCreate("leaver@example.com");
  await credits.grant(id, 40);
  const path = `/admin/users/${id}`;
  const remove = await press(path, "delete", {});
  expect((await remove({ password: "not the password" })).status).toBe(403);
  expect(await users.findById(id)).toBeDefined();
  expect(await textOf(remove({ password: OWNER.password }))).toContain("leaver@example.com was deleted");
  expect(await users.findById(id)).toBeUndefined();
  expect((await credits.summary(id)).balance).toBe(40);
  expect(await newest()).toMatchObject({ act: "user_deleted", actor: OWNER.email });
});

describe("usage", () => {
  test("says who used how many credits for what, by day and month, and downloads as CSV", async () => {
    const { credits, users } = server.accounts;
    const eve = (await users.findOrCreate("=eve@example.com")).id;
    await credits.grant(eve, 10);
    await credits.grant(memberId, 10);
    const charge = async (userId: string, operation: string, costCredits: number) =>
      credits.charge({ userId, operation, ticker: null, costCredits, requestId: "r" });
    await charge(eve, "page:query", 2);
    await charge(memberId, "getExecutiveCompensation", 1);
    server.advance(86_400_000);
    await owner.signIn(OWNER);
    await charge(memberId, "getExecutiveCompensation", 3);
    const text = await textOf(owner.open("/admin/usage"));
    expect(text).toContain("<strong>6</strong> credits used");
    expect(text).toContain("Ranking, comparison or statistics opened on a page");
    expect(text).toContain("History of a company");
    expect(text).not.toContain("page:query");
    const rows = (page: string) => page.match(/<time class="whole">/g)?.length ?? 0;
    expect(rows(text)).toBe(3);
    const month = await textOf(owner.open(`/admin/usage?by=month&who=${MEMBER.email}`));
    expect(rows(month)).toBe(1);
    expect(month).toMatch(/<td class="number">4<\/td> <td class="number">2<\/td>/);
    expect(await textOf(owner.open("/admin/usage?who=nobody@example.com"))).toContain(
      "No user nobody@example.com",
    );
    const download = await owner.open("/admin/usage/download?by=month");
    const bytes = await download.bytes();
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const csv = new TextDecoder().decode(bytes).split("\r\n");
    expect(csv[0]).toBe("period,user,what,operation,credits,uses");
    expect(csv.join("\n")).toContain(`"'=eve@example.com"`);
    expect(await newest()).toMatchObject({ act: "usage_exported", actor: OWNER.email });
  });

  test("counts each day across the slices of a long ledger, and any range of days alone", async () => {
    const DAY = 86_400_000;
    const { client } = server.accounts.store;
    const { credits } = server.accounts;
    const usage = (days: { sinceMs: number; untilMs: number }, by: "day" | "month" = "day") =>
      Array.fromAsync(credits.usage({ by, userId: memberId, ...days }), ({ period, lines }) => [
        period,
        lines.find(({ operation }) => operation === "findCompanies")?.credits ?? 0,
      ]);
    const today = Math.floor(server.runtime.now() / DAY) * DAY;
    // The owner's own charges are older, as ids follow time.
    const day = (n: number) => today + (1 + n) * DAY;
    const insert = client.query(
      "INSERT INTO ledger (user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation) VALUES (?, ?, 1, ?, 'charged', -1, 0, 'findCompanies')",
    );
    client.run("BEGIN");
    for (let n = 0; n < 25_000; n++) insert.run(memberId, 1000 + n, day(Math.floor(n / 500)) + (n % 500));
    client.run("COMMIT");
    const dateOf = (n: number) => new Date(day(n)).toISOString().slice(0, 10);
    for (const [from, to] of [
      [0, 50],
      [0, 1],
      [7, 9],
      [49, 50],
      [31, 49],
    ] as const) {
      const expected = Array.from({ length: to - from }, (_, n) => [dateOf(to - 1 - n), 500]);
      expect(await usage({ sinceMs: day(from), untilMs: day(to) })).toEqual(expected);
    }
    expect(await usage({ sinceMs: day(50), untilMs: day(90) })).toEqual([]);
    const months = await usage({ sinceMs: day(0), untilMs: day(50) }, "month");
    expect(months.length).toBeLessThanOrEqual(3);
    expect(months.reduce((sum, [, credits]) => sum + Number(credits), 0)).toBe(25_000);
    const address = `/admin/usage?since=${dateOf(7)}&until=${dateOf(8)}`;
    expect(await textOf(owner.open(address))).toContain("<strong>1,000</strong> credits used");
  });
});

describe("settings", () => {
  test("are shown as they are in force, without secrets; a test mail arrives and is in the audit log", async () => {
    const text = await textOf(owner.open("/admin/settings"));
    expect(text).toContain("Ask Ann.");
    expect(text).toContain("--smtp-url");
    const answer = await owner.submit("/admin/settings", await fieldsOf(owner, "/admin/settings", "mail"));
    expect(await textOf(answer)).toContain("accepted a message to owner@example.com");
    expect(mail.taken.at(-1)).toMatchObject({ to: [OWNER.email] });
    expect(await newest()).toMatchObject({ act: "mail_tested", subject: OWNER.email });
  });

  test("a mail server that refuses is named with its reason", async () => {
    const strict = await startMailServer({
      onRcptTo: (_address, _session, done) => done(new Error("no such box")),
    });
    const other = await startTestServer({ smtpUrl: strict.url, mailFrom: "pay@example.com" });
    await other.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
    const browser = new BrowserSession(other);
    await browser.signIn(OWNER);
    const fields = await fieldsOf(browser, "/admin/settings", "mail");
    const answer = await browser.submit("/admin/settings", fields);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("no such box");
    await other.stop();
    await strict.stop();
  });

  test("the sign-in provider is tried, and one that is out of reach is named", async () => {
    const provider = await startProvider((origin) => [`${origin}/callback`]);
    const sso = { ssoIssuer: provider.issuer, ssoClientId: CLIENT.id, ssoClientSecret: CLIENT.secret };
    const other = await startTestServer(sso, { fetch });
    await other.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
    const browser = new BrowserSession(other);
    await browser.signIn(OWNER);
    const page = await (await browser.open("/admin/settings")).text();
    expect(page).not.toContain(CLIENT.secret);
    const tried = async () =>
      textOf(browser.submit("/admin/settings", await fieldsOf(browser, "/admin/settings", "provider")));
    expect(await tried()).toContain(`The sign-in provider ${provider.issuer} answers`);
    await provider.stop();
    expect(await tried()).toContain(`The sign-in provider ${provider.issuer} (--sso-issuer) does not work`);
    await other.stop();
  });
});

test("a new member lands on the home page with one button for the free credits, which come once", async () => {
  const metered = await startTestServer({ localPages: "sign-in" });
  const { signUps, credits, keys } = metered.accounts;
  const { id } = await signUps.createWithPassword(MEMBER.email, MEMBER.password);
  await credits.setUnmetered(id, false);
  const browser = new BrowserSession(metered);
  const landed = await browser.signIn(MEMBER);
  expect(landed.headers.get("location")).toBe(`${metered.origin}/`);
  const home = await (await browser.open("/")).text();
  expect(home.match(/Get 100 free credits/g)).toHaveLength(1);
  const button = await readForm(new Response(home), "Get 100 free credits");
  const presses = await Promise.all([1, 2].map(() => browser.submit(button.action, button.hidden)));
  expect(presses.map(({ status }) => status)).toEqual([303, 303]);
  expect(presses[0]?.headers.get("location")).toBe(`${metered.origin}/`);
  expect(await (await browser.open("/")).text()).not.toContain("free credits</button>");
  await keys.create(id, { name: "first" });
  expect(await credits.summary(id)).toMatchObject({ balance: 100, given: 100 });
  const acts = (await metered.accounts.audit.list({ act: "credits_given", limit: 9 })).map(
    ({ user }) => user,
  );
  expect(acts).toEqual([MEMBER.email]);
  // The gate of a member without credits has the button too, and leads back.
  const other = await signUps.createWithPassword("poor@example.com", MEMBER.password);
  const poor = new BrowserSession(metered);
  await poor.signIn({ email: other.email, password: MEMBER.password });
  const gate = await readForm(await poor.open("/t/AAPL"), "Get 100 free credits");
  const back = await poor.submit(gate.action, gate.hidden);
  expect(back.headers.get("location")).toBe(`${metered.origin}/t/AAPL`);
  const shown = await (await poor.open("/t/AAPL")).text();
  expect(shown).toContain("(1 credit)</button>");
  await metered.stop();
});
