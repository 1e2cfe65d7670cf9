/** Years of which only a tag tells the CEO's total: in chart, table and files, for whom they are open. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addPerson, BrowserSession } from "../contract/oauth/support.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { paidDataset, SYMBOLS, TAGGED_COMPANY, TAGS_ALONE } from "../support/paid-dataset.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/** Its rows end with 2023; a tag tells 2024, which is history, and its newest total, of 2025. */
const PATH = `/t/${SYMBOLS[TAGGED_COMPANY] ?? ""}`;
const NEWEST = "12,345,678";
/** Somebody who is not on the same machine. */
const VISITOR = { "x-forwarded-for": "203.0.113.1" };

describe("a company whose newest totals only tags tell", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ dataDir: paidDataset(() => 1) });
  });
  afterAll(() => server.stop());

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const { status, text } = await openPage(server, PATH + path, headers);
    const chart = /<figure class="plot">.*?<\/figure>/.exec(text)?.[0] ?? "";
    return {
      status,
      text,
      words: withoutTags(text).replaceAll(/\s+/g, " "),
      years: [...chart.matchAll(/class="tick year"[^>]*>(\d{4})/g)].map(([, year]) => year),
      outlines: [...chart.matchAll(/<rect class="outline" x=/g)].length,
      legend: /<ul class="legend">.*?<\/ul>/.exec(chart)?.[0] ?? "",
      chosen: [...new Set([...text.matchAll(/href="[^"]*[?&]year=(\d{4})"/g)].map(([, year]) => year))],
    };
  };

  test("its headline is the newest known total, an outline in the chart, and the operator sees all years", async () => {
    const { words, years, outlines, legend, chosen } = await read("");
    expect(words).toMatch(new RegExp(`CEO total, fiscal 2025 \\$${NEWEST} .*the total only`));
    expect([years, outlines]).toEqual([["2021", "2022", "2023", "2024", "2025"], 2]);
    expect(withoutTags(legend)).toContain("Total only, as tagged by the filer");
    expect(chosen).toEqual(["2025", "2024", "2023", "2022", "2021"]);
  });

  test("its year has a table of the total alone, with its mark, and a citation", async () => {
    const { words, text } = await read("?year=2024");
    expect(words).toMatch(/CEO total, fiscal 2024 \$[\d,]+/);
    expect(words).not.toContain("Salary Bonus");
    expect(words).toContain("the total only, as the filer tagged it in inline XBRL; its bar is an outline.");
    expect(text).toMatch(/<table class="pay cards brief short alone">.*class="mix".*class="outline"/);
    expect(words).toMatch(/Larch Trees Inc\., total of the chief executive, fiscal year 2024, as tagged/);
  });

  test("a visitor sees the newest total beside the latest rows, and no other", async () => {
    const { words, years, outlines, chosen } = await read("", VISITOR);
    expect(words).toContain(`$${NEWEST}`);
    expect([years, outlines, chosen]).toEqual([["2023", "2025"], 1, ["2025", "2023"]]);
    const closed = await read("?year=2024", VISITOR);
    expect([closed.status, closed.years]).toEqual([200, ["2023", "2025"]]);
    expect(closed.words).toContain("Fiscal 2024 is not shown");
    // A year of which nothing is known is none to pay for.
    expect((await read("?year=2019", VISITOR)).status).toBe(404);
  });

  test("a member sees all of them once the company is opened", async () => {
    const person = { email: "ann@example.com", password: "correct horse battery" };
    const elsewhere = await startTestServer({
      dataDir: paidDataset(() => 1),
      publicUrl: "http://pay.example.com",
    });
    await elsewhere.accounts.credits.grant(await addPerson(elsewhere, person), 1);
    const browser = new BrowserSession(elsewhere);
    await browser.signIn(person);
    const show = async () => (await browser.open(PATH, { headers: { accept: "text/html" } })).text();
    const before = await show();
    expect(before).not.toContain("?year=2024");
    const csrf = /name="csrf" value="([^"]*)"/.exec(before)?.[1] ?? "";
    await browser.submit(PATH, { csrf, opens: "" }, { accept: "text/html" });
    const years = [...(await show()).matchAll(/class="tick year"[^>]*>\s*(\d{4})/g)].map(([, year]) => year);
    expect(years).toEqual(["2021", "2022", "2023", "2024", "2025"]);
    await elsewhere.stop();
  });

  test("the data behind the chart has the same years and totals, its picture the same outlines", async () => {
    const file = async (format: string, headers: Record<string, string> = {}) =>
      (await openPage(server, `${PATH}/chart?chart=years&format=${format}`, headers)).text;
    expect(await file("csv")).toMatch(new RegExp(` 2025,,"CEO",,,,,,,,,${NEWEST.replaceAll(",", "")},"USD"`));
    expect((await file("svg")).match(/<rect class="outline" x="[\d.]+%"/g)).toHaveLength(2);
    expect((await file("svg", VISITOR)).match(/<rect class="outline" x="[\d.]+%"/g)).toHaveLength(1);
    expect(await file("csv", VISITOR)).not.toContain(" 2024,");
  });
});

describe("a company of which only tags tell", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      dataDir: paidDataset(() => 1),
      publicUrl: "http://pay.example.com",
      trustedProxies: "127.0.0.1",
    });
  });
  afterAll(() => server.stop());

  test("a member opens its earlier totals from its page for one credit, once; before, only the newest is there", async () => {
    const path = `/t/${TAGS_ALONE.symbol}`;
    const person = { email: "ann@example.com", password: "correct horse battery" };
    const userId = await addPerson(server, person);
    await server.accounts.credits.grant(userId, 3);
    const browser = new BrowserSession(server);
    await browser.signIn(person);
    const textOf = async () => (await browser.open(path, { headers: { accept: "text/html" } })).text();
    const yearsOf = (text: string) => [...text.matchAll(/role">fiscal (\d{4})/g)].map(([, year]) => year);
    const balance = async () => (await server.accounts.credits.summary(userId)).balance;
    const before = await textOf();
    const had = await balance();
    expect([yearsOf(before), before.includes("Show its earlier totals (1 credit)")]).toEqual([
      ["2025"],
      true,
    ]);
    const csrf = /name="csrf" value="([^"]*)"/.exec(before)?.[1] ?? "";
    const pressed = await browser.submit(path, { csrf, opens: "" }, { accept: "text/html" });
    expect([pressed.status, pressed.headers.get("location"), await balance()]).toEqual([
      303,
      `${server.origin}${path}`,
      had - 1,
    ]);
    const after = await textOf();
    expect([yearsOf(after), after.includes("(1 credit)")]).toEqual([["2025", "2024", "2023", "2022"], false]);
    await browser.submit(path, { csrf, opens: "" }, { accept: "text/html" });
    expect(await balance()).toBe(had - 1);
    // A visitor is told that there is more, and how to get it.
    const visitor = (await openPage(server, path, VISITOR)).text;
    expect(yearsOf(visitor)).toEqual(["2025"]);
    expect(visitor).toMatch(/>Sign in<\/a> to see its earlier totals/);
  });
});
