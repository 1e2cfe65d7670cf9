/**
 * Peer groups: kept by their owner; used in comparisons, rankings and statistics; shared by a link that contains the
 * list.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MAX_GROUPS } from "../../src/accounts/peer-groups.ts";
import { formatAmount } from "../../src/domain/amount.ts";
import { addPerson, BrowserSession, readForm } from "../contract/oauth/support.ts";
import { fieldsOf } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let ann: BrowserSession;
let ben: BrowserSession;
const nobody = { "x-forwarded-for": "203.0.113.9" };
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true" });
  const people = [
    { email: "ann@example.com", password: "correct horse battery" },
    { email: "ben@example.com", password: "correct horse battery" },
  ];
  [ann, ben] = (await Promise.all(
    people.map(async (person) => {
      await addPerson(server, person);
      const browser = new BrowserSession(server);
      await browser.signIn(person);
      return browser;
    }),
  )) as [BrowserSession, BrowserSession];
});
afterAll(() => server.stop());

const textOf = async (answer: Response) => (await answer.text()).replaceAll(/\s+/g, " ");
/** Submits a form of a page as it is there. */
const send = async (
  browser: BrowserSession,
  path: string,
  fields: Record<string, string>,
  act = path === "/groups" ? "create" : "change",
) => browser.submit(path, { ...(await fieldsOf(browser, path, act)), ...fields });
const keep = async (browser: BrowserSession, name: string, companies: string) => {
  const answer = await send(browser, "/groups", { name, companies });
  return new URL(answer.headers.get("location") ?? "https://none").pathname;
};

test("a person saves a named list, changes it, and deletes it after one confirmation", async () => {
  const path = await keep(ann, "  Large \n banks ", "JPM, bac\nC; wfc JPM");
  const page = await textOf(await ann.open(path));
  expect(page).toContain("<h1>Large banks</h1>");
  expect(page).toContain("4 companies");
  expect(page).toContain("JPM, BAC, C, WFC");
  const changed = await send(ann, path, { name: "Banks", companies: "JPM GS CIK 1418302" });
  expect(changed.status).toBe(303);
  expect(await textOf(await ann.open(path))).toContain("JPM, GS, CIK0001418302");
  expect(await textOf(await ann.open("/groups"))).toContain(`<a href="${path}">Banks</a>`);
  expect(await textOf(await send(ann, path, {}, "delete"))).toContain("Delete “Banks”?");
  expect((await ann.open(path)).status).toBe(200);
  expect((await send(ann, path, { sure: "yes" }, "delete")).status).toBe(303);
  expect((await ann.open(path)).status).toBe(404);
});

test("a group is visible only to its owner, even if its address is known", async () => {
  const path = await keep(ann, "Mine", "AAPL, MSFT");
  const id = path.split("/").at(-1) ?? "";
  for (const address of [path, `${path}/delete`, `/compare?group=${id}`, `/rankings?group=${id}`]) {
    const answer = await ben.open(address);
    expect([address, answer.status]).toEqual([address, 404]);
    expect(await answer.text()).not.toContain("Mine");
    const visitor = await server.get(address, { headers: { accept: "text/html", ...nobody } });
    expect(await visitor.text()).not.toContain("Mine");
  }
  expect((await send(ben, path, { name: "Theirs", companies: "GS" })).status).toBe(404);
  expect((await send(ben, `${path}/delete`, {})).status).toBe(404);
  expect(await textOf(await ann.open(path))).toContain("<h1>Mine</h1>");
});

test("a group of the operator is hidden from visitors, and a link preview names no member", async () => {
  const { peerGroups } = server.services.accounts ?? {};
  const id =
    (await peerGroups?.create(null, { name: "House list", ciks: ["0000320193", "0000789019"] })) ?? "";
  for (const path of [`/compare?group=${id}`, `/rankings?group=${id}`, `/groups/${id}`]) {
    const visitor = await server.get(path, { headers: { accept: "text/html", ...nobody } });
    expect([path, /House list|Apple Inc|Microsoft Corp/i.test(await visitor.text())]).toEqual([path, false]);
  }
  const own = (await keep(ann, "Two", "AAPL, MSFT")).split("/").at(-1);
  const shown = await textOf(await ann.open(`/compare?group=${own}`));
  const told = [...shown.matchAll(/property="og:(?:url|image)" content="([^"]*)"/g)].map(
    ([, text = ""]) => text,
  );
  expect(decodeURIComponent(told.join(" "))).not.toMatch(/AAPL|MSFT/);
});

describe("an invalid group is refused, and the form keeps its input", () => {
  test.each([
    ["", "AAPL", "Give the group a name"],
    ["Long".repeat(20), "AAPL", "Give the group a name"],
    ["Nobody", "", "Name at least one company"],
    ["Typo", "AAPL, Mikro Zofft", "No company found for Mikro Zofft"],
    ["Unlike", "qzxQZX", "No company found for qzxQZX.</p>"],
    ["Twelve", "Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8 Q9 Q10 Q11 Q12", "Q8, Q9, Q10, …."],
    ["Script", "<script>alert(1)</script>", "No company found for &lt;script&gt;"],
  ])("name %p, companies %p", async (name, companies, problem) => {
    const answer = await send(ann, "/groups", { name, companies });
    const text = await textOf(answer);
    expect([answer.status, text.includes(problem), text.includes("<script>alert")]).toEqual([
      400,
      true,
      false,
    ]);
  });

  test("a name in use, more companies than fit, more groups than fit", async () => {
    const twice = { name: "Twice", companies: "AAPL" };
    await send(ben, "/groups", twice);
    expect(await textOf(await send(ben, "/groups", twice))).toContain(
      "You already have a group named “Twice”.",
    );
    const all = server.services.snapshots
      .current()
      .all<{ cik: number }>("select cik from companies limit 201")
      .map(({ cik }) => `CIK${cik}`);
    const tooMany = await send(ben, "/groups", { name: "All", companies: all.join(" ") });
    expect(await textOf(tooMany)).toContain("A group has at most 200 companies; 201 were given.");
    expect((await send(ben, "/groups", { name: "All", companies: all.slice(1).join(" ") })).status).toBe(303);
    for (let n = 2; n < MAX_GROUPS; n++)
      await send(ben, "/groups", { name: `Group ${n}`, companies: "AAPL" });
    expect(await textOf(await send(ben, "/groups", { name: "One more", companies: "AAPL" }))).toContain(
      `You have ${MAX_GROUPS} groups`,
    );
  });

  test("a form of another site, or without the page's token", async () => {
    const { id } = await server.accounts.users.requireByEmail("ann@example.com");
    const before = (await server.accounts.peerGroups.list(id)).length;
    for (const headers of [{ origin: "https://evil.example.com" }, { origin: server.origin }]) {
      const answer = await ann.submit("/groups", { name: "evil", companies: "AAPL" }, headers);
      expect(answer.status).toBe(403);
    }
    expect(await server.accounts.peerGroups.list(id)).toHaveLength(before);
  });
});

test("a comparison takes the first twenty of a group and names those left out", async () => {
  const path = await keep(
    ann,
    "Ten",
    "AAPL MSFT GOOGL AMZN META NVDA TSLA JPM BAC C WFC GS MS USB COF SCHW AXP ORCL CRM ADBE V MA",
  );
  const text = await textOf(await ann.open(`/compare?group=${path.split("/").at(-1)}`));
  expect(text).toContain("A comparison shows up to 20 companies: the first 20 of 22 in");
  expect(text).toContain("Left out: Visa Inc., Mastercard Incorporated.");
  expect(text.match(/<span class="rank"\s*>\d+</g)).toHaveLength(20);
  expect(text).toContain("<h1>Ten: CEO pay, latest year</h1>");
});

test("a ranking of a group contains only its companies, with the figures of the API", async () => {
  const path = await keep(ann, "Chips", "NVDA, AVGO, INTC, AMD, TXN");
  const text = await textOf(await ann.open(`/rankings?office=peo&group=${path.split("/").at(-1)}`));
  const companies = [...text.matchAll(/<span class="rank">\d+<\/span\s*><a href="\/t\/([A-Z]+)"/g)].map(
    ([, ticker]) => ticker,
  );
  expect(new Set(companies)).toEqual(new Set(["NVDA", "AVGO", "INTC", "AMD", "TXN"]));
  const ask = server.asOperator();
  const answer = await ask("/api/ceo-pay/statistics?ticker=NVDA,AVGO,INTC,AMD,TXN");
  const { statistics } = (await answer.json()) as { statistics: Record<string, number>[] };
  expect(text).toContain(`Median $${formatAmount(Math.round(statistics[0]?.["median"] ?? Number.NaN))}`);
});

describe("a shared link", () => {
  const link = "/peers?name=Chips&t=NVDA,AVGO,RBRK,NOPE";
  test("contains the list itself: a visitor sees names, and as much of each company as the rules allow", async () => {
    const path = await keep(ann, "To share", "NVDA, AVGO");
    expect(await textOf(await ann.open(path))).toContain("/peers?name=To+share&amp;t=NVDA%2CAVGO");
    const visitor = await textOf(await server.get(link, { headers: { accept: "text/html", ...nobody } }));
    expect(visitor).toContain("NVIDIA");
    expect(visitor).toContain("No company found for NOPE.");
    // Rubrik's total is known.
    expect(visitor).toContain("RBRK · no pay by component yet");
    expect(visitor).toContain("Sign in</a> to save this list");
    const compared = await server.get("/compare?t=NVDA,AVGO", {
      headers: { accept: "text/html", ...nobody },
    });
    const offered = await compared.text();
    expect(offered).not.toContain("<td class");
    expect(offered).toContain('href="/t/NVDA"');
    const ranked = await server.get("/rankings?companies=NVDA,AVGO", {
      headers: { accept: "text/html", ...nobody },
    });
    expect(await ranked.text()).not.toContain("<td class");
  });

  test("can be saved by users who may keep lists; its contents stay text", async () => {
    const hostile = `/peers?name=${encodeURIComponent("\"'><script>alert(1)</script>")}&t=%22%3E%3Cscript%3E,NVDA`;
    const text = await (await ben.open(hostile)).text();
    expect(text).not.toContain("<script>");
    expect(text).toContain("Save as my peer group");
  });
});

test("the local operator has groups too, separate from those of people", async () => {
  const operator = new BrowserSession(server);
  const path = await keep(operator, "Of this machine", "AAPL");
  expect(await textOf(await operator.open(path))).toContain("<h1>Of this machine</h1>");
  expect((await ann.open(path)).status).toBe(404);
  expect(await textOf(await ann.open("/groups"))).not.toContain("Of this machine");
});

test("groups are deleted with their owner's account", async () => {
  const person = { email: "cyd@example.com", password: "correct horse battery" };
  const userId = await addPerson(server, person);
  await server.accounts.peerGroups.create(userId, { name: "Gone", ciks: ["0000320193"] });
  await server.accounts.users.delete(userId);
  expect(await server.accounts.peerGroups.list(userId)).toEqual([]);
});

test("a credit unlocks the ranking of the companies that a group had then, not of those added later", async () => {
  const metered = await startTestServer({ localPages: "sign-in" });
  const person = { email: "dee@example.com", password: "correct horse battery" };
  const userId = await addPerson(metered, person);
  await metered.accounts.credits.grant(userId, 5);
  const browser = new BrowserSession(metered);
  await browser.signIn(person);
  const path = await keep(browser, "Two", "AAPL MSFT");
  const address = `/rankings?group=${path.split("/").at(-1)}&fiscal_year=2024`;
  const opening = await readForm(await browser.open(address), `action="${address.replace("&", "&amp;")}"`);
  expect((await browser.submit(address, opening.hidden)).status).toBe(303);
  expect(await textOf(await browser.open(address))).toContain("<td class");
  await send(browser, path, { name: "Two", companies: "JPM BAC" });
  expect(await textOf(await browser.open(address))).not.toContain("<td class");
  expect((await metered.accounts.credits.summary(userId)).balance).toBe(4);
  await metered.stop();
});
