/**
 * A user without programming knowledge, in a real browser, starts from the first page each time: Apple's CEO pay over
 * the years as a chart, the highest-paid CFO of 2024, the cell that a number was read from, a workbook of all of it.
 * Then a visitor who signs in, and a consultant with a peer group.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import readWorkbook from "read-excel-file/node";
import { extractText, getDocumentProxy } from "unpdf";
import { formatAmount } from "../../src/domain/amount.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { rowsOf, startTestServer, type TestServer } from "../support/server.ts";

const SHOTS = join(import.meta.dir, "../../dist/screenshots");
/** What a user may have to click or fill in to reach the content. */
const MAX_STEPS = 5;

describe.skipIf(!hasBrowser)("from the first page", () => {
  let server: TestServer;
  let ask: (path: string) => Promise<Response>;
  let browser: Browser;
  let page: Page;
  let steps = 0;

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await startTestServer();
    ask = server.asOperator();
    browser = await openBrowser();
    page = await (await browser.newContext({ acceptDownloads: true })).newPage();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const begin = async () => {
    steps = 0;
    await page.goto(server.origin);
  };
  const click = async (what: string) => {
    steps++;
    await page.click(what);
  };
  const fill = async (what: string, words: string) => {
    steps++;
    await page.fill(what, words);
  };
  const choose = async (what: string, value: string) => {
    steps++;
    await page.selectOption(what, value);
  };
  const shot = (name: string) => page.screenshot({ path: join(SHOTS, `done-${name}.png`), fullPage: true });
  const toApple = async () => {
    await begin();
    await fill("main input[name=q]", "apple");
    await page.keyboard.press("Enter");
    await click('main a:has-text("Apple Inc.")');
  };

  test("Apple's CEO pay over the years as a chart", async () => {
    await toApple();
    const chart = page.locator("figure.plot", { hasText: "CEO and CFO pay of Apple Inc. by component" });
    expect(await chart.locator("text.value").allTextContents()).toContain("$74.3M");
    expect(await chart.locator("text.tick").allTextContents()).toContain("2024");
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
    await shot("chart");
  });

  test("the highest-paid CFO of 2024", async () => {
    await begin();
    await click('nav a:has-text("Rankings")');
    await choose("select[name=office]", "pfo");
    await page.waitForURL(/office=pfo/);
    await choose("select[name=fiscal_year]", "2024");
    await page.waitForURL(/fiscal_year=2024/);
    const [first] = await rowsOf(
      await ask("/api/executive-compensation/query?office=pfo&fiscal_year=2024&max_rows=1"),
    );
    if (first === undefined) throw new Error("no CFO");
    const line = (await page.textContent("table.pay tbody tr")) ?? "";
    expect(line).toContain(first.executive_name);
    expect(line).toContain(formatAmount(first.total_compensation));
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
    await shot("cfo");
  });

  test("the cell in the filing that a number was read from", async () => {
    await toApple();
    await click('a.amount:has-text("57,535,293") >> nth=0');
    expect(await page.textContent("mark#cell")).toContain("57,535,293");
    const filing = page.locator('main a[href^="https://www.sec.gov/"]').first();
    expect(await filing.getAttribute("href")).toContain("000130817926000008");
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
    await shot("cell");
  });

  test("a workbook of all of it: every year of the company, and a whole ranking", async () => {
    await toApple();
    await click("summary:has-text('Download')");
    const [download] = await Promise.all([page.waitForEvent("download"), click('a:has-text("XLSX")')]);
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
    const file = join(SHOTS, "execcomp-AAPL.xlsx");
    await download.saveAs(file);
    const [sheet] = await readWorkbook(readFileSync(file));
    const [head = [], ...lines] = sheet?.data ?? [];
    const rows = await rowsOf(await ask("/api/executive-compensation?ticker=AAPL&limit=100"));
    const at = head.findIndex((name) => name === "total_compensation");
    expect(lines.map((line) => line[at])).toEqual(rows.map(({ total_compensation: total }) => total));

    await page.goto(`${server.origin}/rankings?office=pfo&fiscal_year=2024`);
    await page.click("summary:has-text('Download')");
    const [ranking] = await Promise.all([page.waitForEvent("download"), page.click('a:has-text("XLSX")')]);
    const ranked = join(SHOTS, "execcomp-ranking.xlsx");
    await ranking.saveAs(ranked);
    const [all] = await readWorkbook(readFileSync(ranked));
    const matched = Number(/(\d+) CFOs at/.exec((await page.textContent("main")) ?? "")?.[1]);
    expect((all?.data.length ?? 0) - 1).toBe(matched);
  });

  test("on paper the Total column is present, and the filing's address at the foot", async () => {
    await page.goto(`${server.origin}/t/JPM`);
    const rows = await rowsOf(await ask("/api/executive-compensation?ticker=JPM&limit=1"));
    for (const format of ["A4", "Letter"]) {
      const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format, preferCSSPageSize: true })));
      const { text } = await extractText(pdf, { mergePages: true });
      const words = text.replaceAll(/\s+/g, " ");
      expect([format, words.includes("Total")]).toEqual([format, true]);
      for (const { total_compensation: total, executive_name: name } of rows) {
        expect([format, name, words.includes(formatAmount(total))]).toEqual([format, name, true]);
      }
      expect(words.replaceAll(" ", "")).toContain(rows[0]?.source.filing_url ?? "no address");
    }
  });

  test("a visitor who signs in returns to the same page, and does not see the previous copy", async () => {
    const shared = await startTestServer({ localPages: "sign-in" });
    const person = { email: "ann@example.com", password: "correct horse battery staple" };
    const { id } = await shared.accounts.signUps.createWithPassword(person.email, person.password);
    await shared.accounts.credits.grant(id, 1);
    const tab = await (await browser.newContext()).newPage();
    await tab.goto(`${shared.origin}/t/AAPL`);
    expect(await tab.textContent("#years")).toBe("Pay in fiscal 2025");
    await tab.click('main a:has-text("Sign in")');
    await tab.fill("input[name=email]", person.email);
    await tab.fill("input[name=password]", person.password);
    await tab.click("main button.primary");
    await tab.waitForURL(`${shared.origin}/t/AAPL`);
    expect(await tab.textContent("header")).toContain(person.email);
    await tab.click('button:has-text("Show earlier fiscal years (1 credit)")');
    await tab.waitForURL(`${shared.origin}/t/AAPL`);
    expect(await tab.textContent("#years")).toBe("Pay over the years");
    await tab.click('button:has-text("Sign out")');
    await tab.goto(`${shared.origin}/t/AAPL`);
    expect(await tab.textContent("#years")).toBe("Pay in fiscal 2025");
    await tab.context().close();
    await shared.stop();
  });

  test("a consultant keeps a peer group, compares it, ranks it and shares it", async () => {
    await page.goto(`${server.origin}/compare`);
    await page.click('nav a:has-text("Peer groups")');
    await page.fill("main input[name=name]", "Large banks");
    await page.fill("textarea", "JPM, bank of america, C, WFC, goldman sachs, MS, USB, COF, SCHW, AXP");
    await page.click("main button.primary");
    expect(await page.textContent("h1")).toBe("Large banks");
    await shot("group");
    const link = (await page.getAttribute('a:has-text("Link to this list")', "href")) ?? "";
    await page.click('main a:has-text("Compare")');
    expect(await page.textContent("h1")).toContain("Large banks");
    // Each company, then the percentiles.
    expect(await page.locator("main table:visible").first().locator("tbody tr").count()).toBe(13);
    await page.goto(`${server.origin}/groups`);
    await page.click('a:has-text("Large banks")');
    await page.click('main a:has-text("CEO ranking")');
    expect(await page.locator("table.pay tbody tr").count()).toBeGreaterThanOrEqual(10);
    expect(await page.textContent("p.meta")).toContain("Median");
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    expect(await other.textContent("h1")).toBe("“Large banks”");
    expect(await other.locator("ul.names li").count()).toBe(10);
    await other.context().close();
  });

  test("an analyst finds a person by half a name from the keyboard, and checks a number", async () => {
    await begin();
    await page.focus("main input[name=q]");
    await page.keyboard.type("nadel");
    await page.locator(".suggestions li", { hasText: "Satya Nadella" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/t\/MSFT\/2025\/satya-nadella$/);
    await click("td.total a >> nth=0");
    expect(await page.textContent("h1")).toContain("$96,496,790");
    expect(await page.textContent("main")).toContain("Typed from the filing");
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
  });

  test("a ranking is pressed, keeps what was typed, and answers a bad amount beside its field", async () => {
    await page.goto(`${server.origin}/rankings`);
    await page.selectOption("select[name=office]", "peo");
    await page.waitForURL(/office=peo/);
    await page.click("summary:has-text('More filters')");
    await page.fill("input[name=total_compensation_gte]", "twenty");
    await page.selectOption("select[name=sector]", "energy");
    await page.waitForURL(/sector=energy/);
    expect(await page.inputValue("input[name=total_compensation_gte]")).toBe("twenty");
    expect(await page.textContent("#amount-problem")).toContain("such as 20m");
    await page.fill("input[name=total_compensation_gte]", "20m");
    await page.keyboard.press("Enter");
    await page.waitForURL(/20m/);
    expect(await page.locator("#amount-problem").count()).toBe(0);
    expect(await page.textContent("h1")).toBe(
      "Highest-paid CEOs in energy with at least $20,000,000, latest year",
    );
    // Sorting goes both ways.
    await page.click("thead a:has-text('Total')");
    await page.waitForURL(/sort=total_compensation/);
    await page.click("thead a:has-text('Total')");
    await page.waitForURL(/sort=-total_compensation/);
  });

  test("a consultant sees where one company stands, each figure with its rows, and prints it", async () => {
    await begin();
    await click('nav a:has-text("Statistics")');
    await page.fill(
      "input[name=companies]",
      "abbvie, abbott, amgen, pfizer, merck, eli lilly, unitedhealth, gilead",
    );
    await page.keyboard.press("Tab");
    await page.waitForURL(/companies=/);
    await page.fill("input[name=own]", "johnson & johnson");
    await page.keyboard.press("Enter");
    await page.waitForURL(/own=/);
    const figures = ((await page.textContent("dl.sums")) ?? "").replaceAll(/\s+/g, " ");
    const question =
      "/api/executive-compensation/statistics?office=peo&one_per_company_year=true&rank_ticker=JNJ";
    const answer = await ask(`${question}&ticker=ABBV,ABT,AMGN,PFE,MRK,LLY,UNH,GILD,JNJ`);
    const { ranks } = (await answer.json()) as { ranks: { rank: number; percentile: number }[] };
    const [place] = ranks;
    expect(figures).toMatch(new RegExp(`${place?.rank}(st|nd|rd|th) of 9`));
    expect(figures).toContain(`P${Math.round((place?.percentile ?? 0) * 100)} of 8 companies`);
    await shot("statistics");
    expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(10_000);
    await page.click("tr.sum a >> nth=1");
    // The rows of the peers; the own company is not one of them.
    expect(await page.locator("table.pay tbody tr").count()).toBe(8);
  });

  test("a journalist takes a picture, a frame without cookies and the words to cite", async () => {
    await toApple();
    const [picture] = await Promise.all([page.waitForEvent("download"), click('a:has-text("PNG")')]);
    expect(picture.suggestedFilename()).toBe("execcomp-ceo-and-cfo-pay-at-apple-inc-fiscal-2020-to-2025.png");
    const file = join(SHOTS, "chart.png");
    await picture.saveAs(file);
    // The width stands at byte 16 of a PNG.
    expect(readFileSync(file).readUInt32BE(16)).toBe(1600);
    await click("summary:text-is('Cite')");
    expect(await page.textContent("#citation")).toContain("accession 0001308179-26-000008");
    const frame = await server.get("/t/AAPL/embed?chart=years", { headers: { cookie: "session=x" } });
    expect(frame.headers.getSetCookie()).toEqual([]);
    expect(frame.headers.get("content-security-policy")).toContain("frame-ancestors *");
    expect(frame.headers.get("x-frame-options")).toBeNull();
    expect(steps).toBeLessThanOrEqual(MAX_STEPS);
  });

  test("on a phone each bar of the years still says whose pay it is", async () => {
    const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await phone.goto(`${server.origin}/t/INTC`);
    // Only the CFO of fiscal 2023 is loaded; in the other years the CFO's bar beside is left out.
    const texts = await phone
      .locator("[aria-labelledby^=years-title] text")
      .filter({ visible: true })
      .allTextContents();
    expect(texts.map((text) => text.trim()).filter((text) => /^C.O$/.test(text))).toEqual([
      "CFO",
      "CEO",
      "CEO",
    ]);
    await phone.context().close();
  });

  test("without JavaScript filters have a button, and menus open", async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`${server.origin}/rankings`);
    await plain.selectOption("select[name=office]", "pfo");
    await plain.click("form.chips button:has-text('Show')");
    expect(await plain.textContent("h1")).toBe("Highest-paid CFOs, latest year");
    await plain.fill("header input[name=q]", "tim coo");
    await plain.keyboard.press("Enter");
    await plain.waitForURL(/search/);
    expect(await plain.textContent("main")).toContain("Tim Cook");
    await plain.setViewportSize({ width: 390, height: 800 });
    await plain.check("input.menu");
    await plain.click('nav a:has-text("Compare")');
    expect(await plain.textContent("h1")).toBe("Compare");
    await plain.context().close();
  });
});
