/** What holds for the forms of all pages: nothing is done twice, nothing typed is lost, nobody overwrites anybody silently. */
import { describe, expect, test } from "bun:test";
import { BrowserSession, readForm } from "../contract/oauth/support.ts";
import { tempFolder } from "../support/folder.ts";
import { fieldsOf } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const OWNER = { email: "owner@example.com", password: "an owner's long password" };
const SECOND = { email: "second@example.com", password: "another owner's password" };

async function withServer(work: (server: TestServer) => Promise<void>, settings = {}): Promise<void> {
  const server = await startTestServer(settings);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function signedIn(server: TestServer, person = OWNER): Promise<BrowserSession> {
  const browser = new BrowserSession(server);
  await browser.signIn(person);
  return browser;
}

const textOf = async (answer: Response | Promise<Response>) =>
  (await (await answer).text()).replaceAll(/\s+/g, " ");

describe("a form sent twice takes effect once", () => {
  test("on the developer page, also after a restart and on another server; refused and corrected, it takes effect", async () => {
    const dataDir = tempFolder();
    let fields: Record<string, string> = {};
    const names = async ({ accounts }: TestServer) =>
      (await accounts.keys.list()).map(({ name }) => name).toSorted();
    let jar = new Map<string, string>();
    await withServer(
      async (server) => {
        await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
        const browser = await signedIn(server);
        fields = await fieldsOf(browser, "/developer", "create");
        const refused = await browser.submit("/developer", { ...fields, name: " ", days: "30" });
        expect(refused.status).toBe(400);
        // What was typed is still there, with a number: corrected and sent again it makes the key.
        expect(await textOf(refused)).toContain('<option value="30" selected="">');
        expect((await browser.submit("/developer", { ...fields, name: "mine", days: "30" })).status).toBe(
          200,
        );
        const again = await browser.submit("/developer", { ...fields, name: "mine", days: "30" });
        expect([again.status, (await textOf(again)).includes("submitted twice")]).toEqual([400, true]);
        expect(await names(server)).toEqual(["mine"]);
        ({ jar } = browser);
      },
      { dataDir },
    );
    await withServer(
      async (server) => {
        const browser = new BrowserSession(server);
        for (const [name, value] of jar) browser.jar.set(name.replace(/\d+$/, String(server.port)), value);
        const again = await browser.submit("/developer", { ...fields, name: "mine", days: "30" });
        expect([again.status, (await textOf(again)).includes("submitted twice")]).toEqual([400, true]);
        expect(await names(server)).toEqual(["mine"]);
      },
      { dataDir },
    );
  });

  test("for peer groups: two clicks make one group, change it once, delete one", () =>
    withServer(async (server) => {
      await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
      const browser = await signedIn(server);
      const fields = {
        ...(await fieldsOf(browser, "/groups", "create")),
        name: "Two",
        companies: "AAPL MSFT",
      };
      const answers = await Promise.all([
        browser.submit("/groups", fields),
        browser.submit("/groups", fields),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400]);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(texts.join("")).toContain("submitted twice");
      const { id } = await server.accounts.users.requireByEmail(OWNER.email);
      expect(await server.accounts.peerGroups.list(id)).toHaveLength(1);
      const acts = (await server.accounts.audit.list({ limit: 5 })).map(({ act }) => act);
      expect(acts.filter((act) => act === "group_created")).toHaveLength(1);
    }));
});

describe("an edit in a second tab", () => {
  test("of a group does not overwrite the first: 409 with the other's list and what was typed", () =>
    withServer(async (server) => {
      await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
      const browser = await signedIn(server);
      const { id: owner } = await server.accounts.users.requireByEmail(OWNER.email);
      const id = await server.accounts.peerGroups.create(owner, { name: "Banks", ciks: ["0000019617"] });
      const path = `/groups/${id}`;
      const [one, two] = [await fieldsOf(browser, path, "change"), await fieldsOf(browser, path, "change")];
      const first = await browser.submit(path, { ...one, name: "Banks", companies: "JPM, BAC" });
      expect(first.status).toBe(303);
      const second = await browser.submit(path, { ...two, name: "Large & small", companies: "JPM, WFC" });
      const text = await textOf(second);
      expect(second.status).toBe(409);
      expect(text).toContain("This group has changed since you opened it");
      expect(text).toContain('<a href="/t/BAC">');
      expect(text).toContain('value="Large &amp; small"');
      expect(text).toContain("JPM, WFC</textarea>");
      expect((await server.accounts.peerGroups.find(owner, id))?.ciks).toHaveLength(2);
      // Sent again from the page that showed the other's, it replaces it.
      const form = await readForm(new Response(text), 'name="act" value="change"');
      const third = await browser.submit(path, { ...form.hidden, name: "Banks", companies: "JPM, WFC" });
      expect(third.status).toBe(303);
      expect(await textOf(browser.open(path))).toContain("JPM, WFC");
    }));

  test("of a user by another owner does not go unnoticed: no credits are added twice", () =>
    withServer(async (server) => {
      const { signUps, users, credits, store } = server.accounts;
      await signUps.createWithPassword(OWNER.email, OWNER.password);
      const { id: second } = await signUps.createWithPassword(SECOND.email, SECOND.password);
      store.client.query("UPDATE users SET role = 'owner' WHERE id = ?").run(second);
      const member = (await users.findOrCreate("zoe@example.com")).id;
      const [ann, ben] = [await signedIn(server), await signedIn(server, SECOND)];
      const path = `/admin/users/${member}`;
      const [anns, bens] = [await fieldsOf(ann, path, "grant"), await fieldsOf(ben, path, "grant")];
      expect((await ann.submit(path, { ...anns, amount: "50" })).status).toBe(200);
      const overtaken = await ben.submit(path, { ...bens, amount: "40" });
      const text = await textOf(overtaken);
      expect(overtaken.status).toBe(409);
      expect(text).toContain("Somebody changed this account after you opened the page");
      expect(text).toContain('value="40"');
      expect((await credits.summary(member)).balance).toBe(50);
      const form = await readForm(new Response(text), 'name="act" value="grant"');
      expect((await ben.submit(path, { ...form.hidden, amount: "40" })).status).toBe(200);
      expect((await credits.summary(member)).balance).toBe(90);
    }));
});

describe("a session that ended while a form was filled in", () => {
  test("leads to sign-in and back to the page, and nothing was done", () =>
    withServer(async (server) => {
      const { signUps, sessions, peerGroups, users } = server.accounts;
      await signUps.createWithPassword(OWNER.email, OWNER.password);
      const browser = await signedIn(server);
      const { id: owner } = await users.requireByEmail(OWNER.email);
      const id = await peerGroups.create(owner, { name: "Banks", ciks: ["0000019617"] });
      const path = `/groups/${id}`;
      const typed = { ...(await fieldsOf(browser, path, "change")), name: "Mine", companies: "JPM BAC" };
      await sessions.endAll(owner, null);
      // Pages on this machine work without signing in, so this browser comes from another.
      const ended = await browser.submit(path, typed, { "x-forwarded-for": "203.0.113.7" });
      expect(ended.status).toBe(303);
      expect(ended.headers.get("location")).toEndWith(`/sign-in?next=${encodeURIComponent(path)}`);
      expect((await peerGroups.find(owner, id))?.name).toBe("Banks");
    }));

  test("another site cannot fill in a form", () =>
    withServer(async (server) => {
      await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
      const foreign = { "sec-fetch-site": "cross-site" };
      const browser = await signedIn(server);
      const filled = await browser.submit(
        "/admin/users",
        { act: "invite", email: "evil@example.com" },
        foreign,
      );
      expect(filled.status).toBe(403);
      expect(await filled.text()).not.toContain("evil@example.com");
    }));

  test("a form of an earlier session of the same browser is shown again, filled in, and not executed", () =>
    withServer(async (server) => {
      await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
      const browser = await signedIn(server);
      const fields = await fieldsOf(browser, "/admin/users", "invite");
      await browser.signIn(OWNER);
      const answer = await browser.submit("/admin/users", { ...fields, email: "bob@example.com" });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('value="bob@example.com"');
      const acts = (await server.accounts.audit.list({ limit: 9 })).map(({ act }) => act);
      expect(acts).not.toContain("user_invited");
    }));
});
