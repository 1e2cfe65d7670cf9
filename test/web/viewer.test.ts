/** Who sees what on the pages, and its cost. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SessionCookies } from "../../src/http/session-cookies.ts";
import { createViewers } from "../../src/web/viewer.ts";
import { openPage } from "../support/html.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const PASSWORD = "correct horse battery";
const EARLIER = "74,609,802";
let local: TestServer;
let shared: TestServer;

beforeAll(async () => {
  local = await startTestServer();
  shared = await startTestServer({ publicUrl: "https://pay.example.com", trustedProxies: "192.0.2.1" });
});
afterAll(async () => {
  await local.stop();
  await shared.stop();
});

/** The cookies of a browser in which a user has signed in. */
async function signedIn(server: TestServer, email: string): Promise<string> {
  await server.accounts.signUps.createWithPassword(email, PASSWORD);
  const form = await server.get("/sign-in");
  const jar = form.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const csrf = /name="csrf" value="([^"]*)"/.exec(await form.text())?.[1] ?? "";
  const entered = await server.get("/sign-in", {
    method: "POST",
    body: String(new URLSearchParams({ csrf, email, password: PASSWORD })),
    headers: {
      cookie: jar.join("; "),
      origin: server.origin,
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  return [...jar, ...entered.headers.getSetCookie().map((line) => line.split(";")[0] ?? "")].join("; ");
}

async function press(server: TestServer, path: string, cookie: string): Promise<Response> {
  const { text } = await openPage(server, path, { cookie });
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
  return server.get(path, {
    method: "POST",
    body: String(
      new URLSearchParams({ csrf, opens: text.includes('name="opens" value="more"') ? "more" : "" }),
    ),
    headers: { cookie, origin: server.origin, "content-type": "application/x-www-form-urlencoded" },
  });
}

const HISTORY = { operation: "page:history", ticker: null, costCredits: 1 };

/** The viewers of another server on the same store. */
function openersOf({ accounts, runtime }: TestServer) {
  const { credits, creditsOf } = accounts;
  const contextOf = () => {
    throw new Error("opening asks nothing of a request");
  };
  const sessionCookies = new SessionCookies({
    runtime,
    contextOf,
    findPerson: () => Promise.resolve(undefined),
  });
  return createViewers({
    contextOf,
    accounts: { sessionCookies, credits, creditsOf },
    isLocal: () => false,
  });
}

/** A signed-in person who is charged. */
function personOf(userId: string, email: string) {
  return {
    kind: "person",
    person: { userId, email, isOwner: false, signedInAtMs: 0 },
    browserSession: { browser: "", person: null, session: null, csrf: "", cookies: [] },
    isUnmetered: false,
    credits: null,
  } as const;
}

describe("on a server that only its own machine can reach", () => {
  test("the local user sees every year, without signing in", async () => {
    expect((await openPage(local, "/t/AAPL?year=2024")).text).toContain(EARLIER);
    expect((await openPage(local, "/t/AAPL/2024/tim-cook")).text).toContain(EARLIER);
    expect((await openPage(local, "/compare?t=AAPL,MSFT")).text).toContain("<svg");
    expect((await openPage(local, "/rankings?fiscal_year=2024")).text).toContain("<svg");
    expect((await openPage(local, "/")).text).toContain("Highest-paid CEOs");
  });

  test("and signing in restricts nothing", async () => {
    const cookie = await signedIn(local, "owner@example.com");
    expect((await openPage(local, "/t/AAPL?year=2024", { cookie })).text).toContain(EARLIER);
    expect((await openPage(local, "/rankings?fiscal_year=2024", { cookie })).text).toContain("<svg");
    // The same session is charged through a proxy.
    const forwarded = { cookie, "x-forwarded-for": "203.0.113.1" };
    expect((await openPage(local, "/t/AAPL?year=2024", forwarded)).text).not.toContain(EARLIER);
  });

  const FORWARDED = ["for", "host", "proto", "port", "server", "prefix"].map((what) => `x-forwarded-${what}`);
  test.each(["forwarded", "via", "x-real-ip", ...FORWARDED])(
    "a request with %s came through a proxy and counts as a visitor's",
    async (header) => {
      const { text } = await openPage(local, "/t/AAPL?year=2024", { [header]: "203.0.113.1" });
      expect(text).not.toContain(EARLIER);
      expect(text).toContain("74,294,811");
    },
  );

  test("signing out ends the session, even for a copied cookie", async () => {
    const cookie = await signedIn(local, "leaving@example.com");
    const { text } = await openPage(local, "/developer", { cookie });
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const out = await local.get("/sign-out", {
      method: "POST",
      body: String(new URLSearchParams({ csrf })),
      headers: { cookie, origin: local.origin, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(out.headers.getSetCookie().join()).toContain("Max-Age=0");
    expect((await openPage(local, "/developer", { cookie })).status).toBe(303);
  });

  test("a shared page is shown in each reader's own frame", async () => {
    const forwarded = { "x-forwarded-for": "203.0.113.1" };
    expect((await openPage(local, "/coverage")).text).toContain("Local operator");
    expect((await openPage(local, "/coverage", forwarded)).text).toContain('href="/sign-in">Sign in</a>');
    expect((await openPage(local, "/coverage?page=2", forwarded)).text).toContain(
      'href="/sign-in">Sign in</a>',
    );
    expect((await openPage(local, "/coverage?page=2")).text).toContain("Local operator");
  });

  test("REST, facts and the developer page are the same as elsewhere", async () => {
    expect((await local.get("/api/executive-compensation?ticker=AAPL")).status).toBe(401);
    expect((await local.get("/t/AAPL/facts?limit=2")).status).toBe(401);
    expect((await local.get("/developer")).status).toBe(303);
  });

  test("--local-pages sign-in turns this off", async () => {
    const closed = await startTestServer({ localPages: "sign-in" });
    expect((await openPage(closed, "/t/AAPL?year=2024")).text).not.toContain(EARLIER);
    await closed.stop();
  });
});

describe("on a server that others can reach", () => {
  test("a visitor sees a company's latest year and one sentence about the rest", async () => {
    const { status, text, headers } = await openPage(shared, "/t/AAPL?year=2024");
    expect(status).toBe(200);
    expect(text).toContain("74,294,811");
    expect(text).not.toContain(EARLIER);
    expect(text).toContain('href="/sign-in?next=%2Ft%2FAAPL%3Fyear%3D2024"');
    expect(headers.get("cache-control")).toContain("public");
    expect(headers.getSetCookie()).toEqual([]);
    const accessions = (page: string) => new Set(page.match(/\d{10}-\d{2}-\d{6}/g));
    expect(accessions(text).size).toBe(1);
    expect(accessions((await openPage(local, "/t/AAPL")).text).size).toBeGreaterThan(1);
    // The filer's table has three years; a visitor is shown its header and the cell.
    const cell = (await openPage(shared, "/t/AAPL/2025/tim-cook/total_compensation")).text;
    expect(cell).toMatch(/<mark id="cell">[^<]*74,294,811/);
    expect(cell).toContain("Salary");
    expect(cell).toContain(
      'to see the whole table, which includes other fiscal years. <span class="soft">Price: 1 credit.',
    );
    // A price is told where a member would pay it.
    for (const path of ["/rankings", "/statistics", "/ceo-pay", "/compare?companies=AAPL,MSFT"]) {
      const year = `${path}${path.includes("?") ? "&" : "?"}fiscal_year=2023`;
      expect([path, (await openPage(shared, path)).text.includes("Free with an account.")]).toEqual([
        path,
        true,
      ]);
      expect([path, (await openPage(shared, year)).text.includes("Price: 1 credit.")]).toEqual([path, true]);
    }
    for (const path of [
      "/t/AAPL/2025/tim-cook",
      "/t/AAPL/2025/tim-cook/total_compensation",
      "/t/AAPL/2024/tim-cook",
      "/t/AAPL/2024/tim-cook/salary",
      "/t/AAPL/download?format=csv",
    ]) {
      expect([path, (await openPage(shared, path)).text.includes("74609802")]).toEqual([path, false]);
      expect([path, (await openPage(shared, path)).text.includes(EARLIER)]).toEqual([path, false]);
    }
    expect((await openPage(shared, "/rankings")).text).not.toContain("<td class");
    expect((await openPage(shared, "/compare?t=AAPL,MSFT")).text).not.toContain("<td class");
    expect((await openPage(shared, "/")).text).not.toContain("Highest-paid");
    // A visitor finds a person, and sees what visitors may see.
    expect((await openPage(shared, "/search?q=cook")).text).toContain('href="/t/AAPL/2025/tim-cook"');
  });

  test("a download has what is open: the latest year, and every year once it was opened", async () => {
    const server = await startTestServer({ publicUrl: "https://pay.example.com" });
    const cookie = await signedIn(server, "dora@example.com");
    const user = await server.accounts.users.requireByEmail("dora@example.com");
    const download = async () => {
      const { text } = await openPage(server, "/t/AAPL/download?format=csv", { cookie });
      return new Set([...text.matchAll(/(?:^|,)(20\d\d),/gm)].map(([, year]) => year));
    };
    const latest = await download();
    expect(latest.has("2025")).toBe(true);
    expect(latest.has("2021")).toBe(false);
    await server.accounts.credits.setUnmetered(user.id, true);
    expect((await download()).has("2021")).toBe(true);
    await server.stop();
  });

  test("a forged or expired session sees what a visitor sees", async () => {
    const server = await startTestServer({ publicUrl: "https://pay.example.com" });
    const cookie = await signedIn(server, "ann@example.com");
    const user = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.setUnmetered(user.id, true);
    const isShown = async (sent: string) =>
      (await openPage(server, "/t/AAPL?year=2024", { cookie: sent })).text.includes(EARLIER);
    expect(await isShown(cookie)).toBe(true);
    const forged = cookie.replace(/(session[^=]*=)[^;]+/, "$1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    expect(forged).not.toBe(cookie);
    expect(await isShown(forged)).toBe(false);
    await server.accounts.sessions.endAll(user.id, null);
    expect(await isShown(cookie)).toBe(false);
    await server.stop();
  });

  test("a visitor's browser gets 304 if nothing has changed", async () => {
    const first = await openPage(shared, "/t/AAPL");
    const etag = first.headers.get("etag") ?? "";
    expect((await openPage(shared, "/t/AAPL", { "if-none-match": etag })).status).toBe(304);
    expect((await openPage(shared, "/t/MSFT", { "if-none-match": etag })).status).toBe(200);
  });

  test("a link to an earlier year says that another year is shown, and leads to it once unlocked", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const told = "Fiscal 2021 is not shown: below is fiscal 2025.";
    const visited = (await openPage(server, "/t/AAPL?year=2021")).text;
    expect(visited).toContain(told);
    expect(visited).toContain(`/sign-in?next=${encodeURIComponent("/t/AAPL?year=2021")}`);
    expect((await openPage(server, "/t/AAPL")).text).not.toContain("is not shown");
    const cookie = await signedIn(server, "ann@example.com");
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.grant(id, 1);
    const before = (await openPage(server, "/t/AAPL?year=2021", { cookie })).text;
    expect(before).toContain(told);
    expect(before).toContain('action="/t/AAPL?year=2021"');
    const pressed = await press(server, "/t/AAPL?year=2021", cookie);
    expect(pressed.headers.get("location")).toEndWith("/t/AAPL?year=2021");
    const after = (await openPage(server, "/t/AAPL?year=2021", { cookie })).text;
    expect(after).toContain("fiscal 2021, USD");
    expect(after).not.toContain(told);
  });

  test("a GET never charges; a button does, once until the dataset changes", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const cookie = await signedIn(server, "ann@example.com");
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.grant(id, 2);
    const balance = async () => (await server.accounts.credits.summary(id)).balance;
    // The newest totals are open to members; whose pay rose tells a paid year.
    const home = (await openPage(server, "/", { cookie })).text;
    expect([home.includes("Highest-paid"), home.includes("Rose and fell")]).toEqual([true, false]);
    const before = await openPage(server, "/t/AAPL?year=2024", { cookie });
    expect(before.text).not.toContain(EARLIER);
    expect(before.text).toContain("Show earlier fiscal years (1 credit)");
    expect(before.headers.get("cache-control")).toContain("private");
    expect(await balance()).toBe(2);
    expect((await press(server, "/t/AAPL", cookie)).status).toBe(303);
    expect((await openPage(server, "/t/AAPL?year=2024", { cookie })).text).toContain(EARLIER);
    expect((await press(server, "/t/AAPL", cookie)).status).not.toBe(200);
    expect(await balance()).toBe(1);
    expect((await openPage(server, "/t/MSFT?year=2024", { cookie })).text).toContain("(1 credit)");
    expect((await press(server, "/rankings?fiscal_year=2024", cookie)).status).toBe(303);
    expect(await balance()).toBe(0);
    expect((await openPage(server, "/rankings?fiscal_year=2024", { cookie })).text).toContain("<svg");
    expect((await press(server, "/t/MSFT", cookie)).status).toBe(402);
    // An owner sees charges by pages next to those by the API.
    const counted = server.services.metrics.registry.text();
    expect(counted).toContain('execcomp_credits_charged_total{operation="page:history"} 1\n');
    expect(counted).toContain('execcomp_credits_charged_total{operation="page:query"} 1\n');
    await server.stop();
  });

  test("where everyone sees the latest year, a member is offered what else a credit opens", async () => {
    const server = await startTestServer({ localPages: "sign-in", publicRankings: "on" });
    const cookie = await signedIn(server, "ann@example.com");
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.grant(id, 2);
    for (const [path, offered, opened] of [
      ["/rankings?office=peo", "each change on the year before", 'data-label="Change"'],
      ["/statistics", "medians over the years", "<h2>Medians over the years</h2>"],
    ] as const) {
      expect((await openPage(server, path)).text).toContain(`to see ${offered}.`);
      expect((await openPage(server, path, { cookie })).text).toContain(`Show ${offered} (1 credit)`);
      expect((await press(server, path, cookie)).status).toBe(303);
      const { text } = await openPage(server, path, { cookie });
      expect(text).not.toContain(`Show ${offered}`);
      expect(text).toContain(opened);
    }
    await server.stop();
  });

  test("a comparison is unlocked for its companies in any order", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const cookie = await signedIn(server, "ann@example.com");
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.grant(id, 2);
    const isOpen = async (list: string) =>
      (await openPage(server, `/compare?t=${list}`, { cookie })).text.includes("total over the years");
    expect(await isOpen("AAPL,MSFT")).toBe(false);
    await press(server, "/compare?t=AAPL,MSFT", cookie);
    expect(await Promise.all(["AAPL,MSFT", "MSFT,AAPL", "AAPL", "GOOGL"].map(isOpen))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect((await server.accounts.credits.summary(id)).balance).toBe(1);
    await server.stop();
  });

  test("a ranking of a long list unlocks only that list", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const cookie = await signedIn(server, "ann@example.com");
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.grant(id, 1);
    const listed = server.services.snapshots
      .current()
      .all<{ ticker: string }>("select ticker from companies where row_count > 0 and ticker <> '' limit 26");
    const tickers = listed.map(({ ticker }) => ticker);
    const path = (list: readonly string[]) => `/rankings?fiscal_year=2024&companies=${list.join(",")}`;
    const isOpen = async (list: readonly string[]) =>
      (await openPage(server, path(list), { cookie })).text.includes("<td class");
    const [bought, other] = [tickers.slice(0, 25), [...tickers.slice(0, 24), ...tickers.slice(25)]];
    expect((await press(server, path(bought), cookie)).status).toBe(303);
    expect([await isOpen(bought), await isOpen(other)]).toEqual([true, false]);
    await server.stop();
  });

  test("a button pressed twice at once, on one server or two, charges once", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const cookie = await signedIn(server, "ann@example.com");
    const { credits, users } = server.accounts;
    const { id: userId, email } = await users.requireByEmail("ann@example.com");
    await credits.grant(userId, 3);
    const balance = async () => (await credits.summary(userId)).balance;
    const pressed = await Promise.all([press(server, "/t/AAPL", cookie), press(server, "/t/AAPL", cookie)]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    expect(await balance()).toBe(2);
    // The grant and one charge, nothing returned.
    expect(await credits.entries(userId, { limit: 9 })).toHaveLength(2);
    const viewer = personOf(userId, email);
    const opens = { dataset: "dataset", subject: "companies 1", price: HISTORY, pricedBeside: [] };
    const byServer = ["one", "other"].map((requestId) => openersOf(server).open(viewer, opens, requestId));
    await Promise.all(byServer);
    expect(await balance()).toBe(1);
    expect(await credits.entries(userId, { limit: 9 })).toHaveLength(3);
    expect(await credits.problems()).toEqual([]);
    await server.stop();
  });

  test("pressed at once, each person pays for each page; a failed payment can be repeated later", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const { credits, users } = server.accounts;
    const people = await Promise.all(
      ["ann@example.com", "bob@example.com"].map((one) => users.findOrCreate(one)),
    );
    const [ann, bob] = people.map(({ id, email }) => personOf(id, email));
    if (ann === undefined || bob === undefined) throw new Error("two people");
    await Promise.all(people.map(({ id }) => credits.grant(id, 2)));
    const viewers = openersOf(server);
    const pricedBeside = ["companies 1", "companies 2"];
    const open = (viewer: typeof ann, subject: string) =>
      viewers.open(
        viewer,
        { dataset: "dataset", subject, price: HISTORY, pricedBeside },
        `${viewer.person.email} ${subject}`,
      );
    await Promise.all([open(ann, "companies 1"), open(ann, "companies 2"), open(bob, "companies 1")]);
    const left = () => Promise.all(people.map(async ({ id }) => (await credits.summary(id)).balance));
    expect(await left()).toEqual([0, 1]);
    const isOpen = async (subject: string) =>
      (await credits.opened(ann.person.userId, "dataset")).includes(subject);
    expect(await isOpen("companies 2")).toBe(true);
    await expect(open(ann, "companies 3")).rejects.toThrow("0 credits are left");
    expect(await isOpen("companies 3")).toBe(false);
    await credits.grant(ann.person.userId, 1);
    await open(ann, "companies 3");
    expect(await isOpen("companies 3")).toBe(true);
    expect(await left()).toEqual([0, 1]);
    await server.stop();
  });

  test("users without enough credits are told what to do, and submitting the form anyway shows nothing", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const cookie = await signedIn(server, "ann@example.com");
    const mainOf = async () =>
      /<main[^]*<\/main>/.exec((await openPage(server, "/t/AAPL", { cookie })).text)?.[0] ?? "";
    const first = await mainOf();
    expect(first).toContain("Not enough credits for earlier fiscal years (1 credit): you have 0.");
    expect(first.match(/<button class="primary"/g)).toHaveLength(1);
    expect(first).toContain("Get 100 free credits</button>");
    const refused = await press(server, "/t/AAPL", cookie);
    expect([refused.status, await refused.text()]).toEqual([
      402,
      expect.stringContaining('href="/developer?tab=usage"'),
    ]);
    await server.createKey("ann@example.com");
    expect(await mainOf()).toContain("Show earlier fiscal years (1 credit)");
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    await server.accounts.credits.grant(id, -100);
    expect(await mainOf()).toContain('<a href="/developer?tab=usage">Usage and credits</a>');
    await server.stop();
  });

  test("the sentence that offers a page ends with one full stop, and the page has a heading", async () => {
    const server = await startTestServer({ localPages: "sign-in" });
    const { text } = await openPage(server, "/t/AAPL/2024/tim-cook");
    expect(text.replaceAll(/\s+/g, " ")).toContain("to see fiscal 2024 of Apple Inc. <span");
    expect(text).toContain('Free: <a href="/t/AAPL">');
    expect(text).toContain("<h1>Apple Inc.</h1>");
    await server.stop();
  });

  test("--public-rankings shows the latest year's rankings to visitors, and no others", async () => {
    const server = await startTestServer({ localPages: "sign-in", publicRankings: "on" });
    expect((await openPage(server, "/rankings?office=peo")).text).toContain("<svg");
    expect((await openPage(server, "/rankings?fiscal_year=2023")).text).not.toContain("<td class");
    for (const years of ["fiscal_year_gte=2020", "fiscal_year_lt=2024", "sic=60&fiscal_year_gt=2000"])
      expect((await openPage(server, `/rankings?${years}`)).text).not.toContain("<td class");
    expect((await openPage(server, "/rankings?sic=60")).text).toContain("<td class");
    // Nor the rows after the first page.
    const { text } = await openPage(server, "/rankings?office=peo");
    const next = /href="(\/rankings[^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "none";
    expect((await openPage(server, next)).text).not.toContain("<td class");
    await server.stop();
  });

  test("a further page that somebody was sent is offered like the first, with the same companies", async () => {
    const server = await startTestServer({ publicUrl: "http://pay.example.com" });
    const offered = async (path: string) => {
      const { status, text } = await openPage(server, path);
      return [status, /<ul class="names">[^]*?<\/ul>/.exec(text)?.[0] ?? "none"];
    };
    for (const path of ["/rankings?fiscal_year=2024", "/ceo-pay?fiscal_year=2024", "/ceo-pay"]) {
      const { text } = await openPage(local, path);
      const next = /href="([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "none";
      expect(await offered(next)).toEqual([200, expect.stringContaining("<li>")]);
      expect(await offered(next)).toEqual(await offered(path));
    }
    await server.stop();
  });

  test("the sign-in form leads to the page it names, and to no other site", async () => {
    const server = await startTestServer();
    await server.accounts.signUps.createWithPassword("ann@example.com", PASSWORD);
    const signInWith = async (next: string) => {
      const form = await server.get("/sign-in");
      const cookie = form.headers
        .getSetCookie()
        .map((line) => line.split(";")[0] ?? "")
        .join("; ");
      const csrf = /name="csrf" value="([^"]*)"/.exec(await form.text())?.[1] ?? "";
      const entered = await server.get("/sign-in", {
        method: "POST",
        body: String(new URLSearchParams({ csrf, email: "ann@example.com", password: PASSWORD, next })),
        headers: { cookie, origin: server.origin, "content-type": "application/x-www-form-urlencoded" },
      });
      return entered.headers.get("location");
    };
    expect(await signInWith("/t/AAPL?year=2024")).toBe(`${server.origin}/t/AAPL?year=2024`);
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "/sign-out", ""])
      expect([next, await signInWith(next)]).toEqual([next, `${server.origin}/`]);
    await server.stop();
  });

  test("signing in returns to the previous page, and nowhere else", async () => {
    const { text } = await openPage(local, "/sign-in?next=%2Ft%2FAAPL%3Fyear%3D2024");
    expect(text).toContain('name="next" value="/t/AAPL?year=2024"');
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/sign-out",
      "javascript:1",
    ]) {
      const page = await openPage(local, `/sign-in?next=${encodeURIComponent(next)}`);
      expect([next, page.text.includes('name="next"')]).toEqual([next, false]);
    }
  });
});
