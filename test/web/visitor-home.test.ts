/** What a visitor meets on a server for others, and where an account is promised. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openPage, withoutTags } from "../support/html.ts";
import { rowsOf, startTestServer, type TestServer } from "../support/server.ts";

const PUBLIC_URL = "https://pay.example.com";
/** Pages with an offer. */
// Offers of something that costs a credit, and of what is free to members.
const SOLD = [
  "/",
  "/t/AAPL",
  "/rankings?fiscal_year=2024",
  "/ceo-pay?fiscal_year=2024",
  "/statistics?fiscal_year=2024",
  "/compare?companies=AAPL,MSFT&year=2024",
];
const FREE = ["/rankings", "/ceo-pay", "/statistics", "/compare?companies=AAPL,MSFT"];

let server: TestServer;
let home: string;
beforeAll(async () => {
  server = await startTestServer({ publicUrl: PUBLIC_URL });
  home = (await openPage(server, "/")).text.replaceAll(/\s+/g, " ");
});
afterAll(() => server.stop());

const numberOf = (text: string | undefined) => Number(text?.replaceAll(",", ""));

describe("a visitor's home", () => {
  test("says what is covered: three parts that make all known companies", () => {
    const { info } = server.services.snapshots.current();
    const sentence = /Every named officer of [^.]*/.exec(home)?.[0].replace(/\(.*/, "") ?? "";
    const counts = [...sentence.matchAll(/[\d,]+/g)].map(([count]) => numberOf(count));
    const [alone = 0, others = 0] = counts.slice(-2);
    expect(counts.slice(0, -2).reduce((sum, count) => sum + count, 0)).toBe(info.companiesWithRows);
    expect(info.companiesWithRows + alone + others).toBe(info.companies);
    const kinds = [...home.matchAll(/([\d,]+) (?:checked|typed|collected)(?=[,)])/g)];
    expect(kinds.reduce((sum, [, count]) => sum + numberOf(count), 0)).toBe(info.rows);
  });

  test("has six free company pages, by name, each with what its own page and facts say", async () => {
    const cards = [...home.matchAll(/<article>(.*?)<\/article>/g)].map(([, card = ""]) => ({
      path: /href="(\/t\/[^"]+)"/.exec(card)?.[1] ?? "",
      name: /href="[^"]+">([^<]+)</.exec(card)?.[1] ?? "",
      total: numberOf(/<strong>\$([\d,]+)</.exec(card)?.[1]),
      isTagged: card.includes("dot tagged"),
    }));
    expect(cards).toHaveLength(6);
    expect(cards.map(({ name }) => name)).toEqual(cards.map(({ name }) => name).toSorted());
    expect(cards.some(({ isTagged }) => isTagged)).toBe(true);
    for (const { path, total, isTagged } of cards) {
      const { text } = await openPage(server, path);
      expect([path, text.includes(total.toLocaleString("en-US"))]).toEqual([path, true]);
      if (isTagged) continue;
      expect([path, await (await server.get(`${path}/facts`)).text()]).toEqual([
        path,
        expect.stringContaining(String(total)),
      ]);
    }
  });

  test("shows no ranking, no change and no year but the latest of each company", () => {
    expect(home).not.toMatch(/highest-paid|Rose and fell|▲|▼|class="rank"/i);
    const years = [...home.matchAll(/fiscal (\d{4})/g)].map(([, year]) => Number(year));
    expect(Math.min(...years)).toBeGreaterThan(2023);
  });
});

describe.each([
  ["invite", true, "Accounts are by invitation: ask the owner of this server."],
  ["closed", false, "This server does not accept new accounts."],
] as const)("where registration is %s", (signUp, isPromised, sentence) => {
  test.each([...SOLD, ...FREE])("%s promises what an account gives, if it can be had", async (path) => {
    const other = await startTestServer({ publicUrl: PUBLIC_URL, signUp });
    const text = (await openPage(other, path)).text.replaceAll(/\s+/g, " ");
    expect(text).toContain(sentence);
    expect(text.includes("100 credits")).toBe(isPromised && SOLD.includes(path));
    expect(text.includes("Free with an account.")).toBe(FREE.includes(path));
    expect(text).not.toContain("Create an account");
    await other.stop();
  });
});

describe("a shared link to a selection", () => {
  test.each([
    [
      "/rankings?fiscal_year=2024&sector=energy",
      /in energy, fiscal 2024<\/h1>/,
      /[\d,]+ companies, fiscal 2024\./,
    ],
    [
      "/statistics?index=sp500",
      /S&amp;P 500, latest year<\/h1>/,
      /[\d,]+ companies: [\d,]+ of fiscal 20\d\d/,
    ],
    ["/ceo-pay?state=TX", /<h1>CEO pay/, /[\d,]+ compan(y|ies)[:,]/],
  ])("%s names it, says what it holds and how to open it", async (path, title, holds) => {
    const { text } = await openPage(server, path);
    expect(text).toMatch(title);
    expect(text).toMatch(holds);
    expect(text).toContain("This page shows ");
    expect(text).toContain(`/sign-in?next=${encodeURIComponent(path)}`);
    // Drawn as an outline: headers, and nothing in a cell.
    const [, drawn = ""] = /<div class="outlined[^>]*>(.*?)<\/div>/.exec(text) ?? [];
    expect(drawn).toMatch(/<th>/);
    expect(withoutTags(drawn)).not.toMatch(/\$|\d{3}/);
  });

  test("it leads to the free page of each company that it covers, by name", async () => {
    const question = "sector=energy&state=TX&max_rows=1000&sort=company_name";
    const key = await server.createKey();
    const rows = await rowsOf(await server.get(`/api/executive-compensation/query?${question}`, { key }));
    const covered = [...new Set(rows.map(({ ticker }) => `/t/${ticker}`))];
    expect(covered.length).toBeGreaterThan(8);
    const linksOf = (text: string) => {
      const [, list = ""] = /Free, without an account<\/h2>.*?<ul class="names">(.*?)<\/ul>/.exec(text) ?? [];
      return [...list.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    };
    const { text } = await openPage(server, "/rankings?sector=energy&state=TX");
    expect(linksOf(text)).toEqual(covered);
    const everywhere = await openPage(server, "/statistics");
    expect(linksOf(everywhere.text)).toHaveLength(60);
    expect(everywhere.text).toMatch(/And [\d,]+ more companies:/);
    const totals = linksOf((await openPage(server, "/ceo-pay?sector=energy&state=TX")).text);
    expect(covered.filter((path) => !totals.includes(path))).toEqual([]);
  });

  test.each([
    "/rankings?office=peo",
    "/rankings?total_compensation_gte=100m",
    "/rankings?executive=cook",
    "/rankings?total_change_gte=1",
    "/rankings?equity_share_gte=0.9",
  ])("%s has no count", async (path) => {
    const { text } = await openPage(server, path);
    expect(text).toContain("The number of matches is shown with the answer");
    expect(text).not.toMatch(/[\d,]+ compan(y|ies)|class="names"/);
  });

  test("a list of companies leads to each one's free page", async () => {
    for (const path of ["/compare?companies=AAPL,MSFT", "/rankings?companies=AAPL,MSFT"]) {
      const { text } = await openPage(server, path);
      expect(text).toContain('href="/t/AAPL"');
      expect(text).toContain('href="/t/MSFT"');
    }
  });
});
