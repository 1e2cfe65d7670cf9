/**
 * What an analyst, a consultant and a journalist come for, each from the first page, with the most that they have to
 * press or fill in: choosing in a list and typing into a field count one each, keys none.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Download, Page } from "playwright-core";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const MEMBER = { email: "ann@example.com", password: "correct horse battery staple" };

/** A person at a browser, whose steps are counted. */
class Person {
  steps = 0;

  constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  async begin(path = "/"): Promise<void> {
    this.steps = 0;
    await this.page.goto(this.origin + path);
  }
  async press(what: string): Promise<void> {
    this.steps++;
    await this.page.click(what);
  }
  async fill(what: string, words: string, ...keys: string[]): Promise<void> {
    this.steps++;
    await this.page.fill(what, words);
    for (const key of keys) await this.page.keyboard.press(key);
  }
  /** Chooses in a list, which is sent at once. */
  async choose(name: string, value: string): Promise<void> {
    this.steps++;
    await this.page.selectOption(`select[name=${name}]`, value);
    await this.page.waitForURL((url) => url.searchParams.get(name) === value);
  }
  /** Types into the search box and takes the first suggestion. */
  async find(words: string): Promise<void> {
    this.steps++;
    await this.page.click("main input[name=q]");
    await this.page.keyboard.type(words);
    await this.page.locator(".suggestions li").first().waitFor();
    await this.page.keyboard.press("ArrowDown");
    await this.page.keyboard.press("Enter");
    await this.page.waitForURL(/\/t\//);
  }
  async takes(what: string): Promise<Download> {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.press(what)]);
    return download;
  }
  async text(what = "main"): Promise<string> {
    return ((await this.page.locator(what).first().textContent()) ?? "").replaceAll(/\s+/g, " ").trim();
  }
  /** The steps since the beginning are at most so many. */
  within(most: number): void {
    expect(this.steps).toBeLessThanOrEqual(most);
  }
}

describe.skipIf(!hasBrowser)("from the first page", () => {
  let server: TestServer;
  let shared: TestServer;
  let browser: Browser;
  const person = async (at: TestServer, width = 1280) => {
    const context = await browser.newContext({ viewport: { width, height: 844 }, acceptDownloads: true });
    context.setDefaultTimeout(30_000);
    return new Person(await context.newPage(), at.origin);
  };

  beforeAll(async () => {
    server = await startTestServer();
    shared = await startTestServer({ localPages: "sign-in", publicRankings: "on" });
    const { id } = await shared.accounts.signUps.createWithPassword(MEMBER.email, MEMBER.password);
    await shared.accounts.credits.grant(id, 20);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([server.stop(), shared.stop()]);
  });

  test("an analyst: the best paid by total and by equity share, whose pay fell most, a link for a colleague", async () => {
    const ann = await person(server);
    await ann.begin();
    await ann.press('nav a:has-text("Rankings")');
    await ann.choose("office", "peo");
    await ann.choose("fiscal_year", "2024");
    expect(await ann.text("h1")).toBe("Highest-paid CEOs, fiscal 2024");
    expect(await ann.text(".pay tbody tr:nth-child(10)")).toStartWith("10");
    ann.within(3);
    await ann.press('thead a:has-text("Equity")');
    expect(await ann.text("h1")).toBe("CEOs by equity share, fiscal 2024");
    ann.within(4);
    await ann.choose("sort", "total_change");
    expect(await ann.text("h1")).toBe("CEOs whose pay fell most, fiscal 2024");
    expect(await ann.text(".pay tbody tr")).toContain("▼");
    ann.within(5);
    const ben = await person(server);
    await ben.page.goto(ann.page.url());
    expect(await ben.text("table.pay")).toBe(await ann.text("table.pay"));
  }, 120_000);

  test("an analyst: CEO against CFO over all years into a slide and a spreadsheet, and a number to its cell", async () => {
    const ann = await person(server);
    await ann.begin();
    await ann.find("apple");
    expect((await ann.takes('.head a:has-text("PNG")')).suggestedFilename()).toEndWith(".png");
    await ann.press("summary:has-text('Download')");
    expect((await ann.takes('.title a:has-text("XLSX")')).suggestedFilename()).toBe("execcomp-AAPL.xlsx");
    ann.within(4);
    await ann.press('a.amount:has-text("3,000,000") >> nth=0');
    expect(await ann.text("mark#cell")).toBe("3,000,000");
    ann.within(5);
  }, 120_000);

  test("an analyst: five companies side by side, a person by half a name, what is missing and why", async () => {
    const ann = await person(server);
    await ann.begin();
    await ann.press('a:has-text("five companies side by side")');
    expect(await ann.page.locator("table.side thead th:visible").count()).toBe(5);
    ann.within(1);
    await ann.begin();
    await ann.find("nadel");
    expect(await ann.text("h1")).toBe("Satya Nadella");
    ann.within(1);
    await ann.begin();
    await ann.press('nav a:has-text("Coverage")');
    await ann.fill("input[name=search]", "AAPL", "Enter");
    await ann.page.waitForURL(/search=AAPL/);
    expect(await ann.text()).toContain("incomplete years 2021, 2020");
    ann.within(2);
    await ann.begin();
    await ann.fill("main input[name=q]", "SHW", "Enter");
    await ann.press('main a:has-text("Sherwin-Williams")');
    expect(await ann.text()).toContain("No pay by component for Sherwin-Williams Co. yet.");
    ann.within(2);
  }, 120_000);

  test("a consultant: a group of twelve saved and changed, percentiles, one company's rank, by sector and size, proof", async () => {
    const ann = await person(server);
    await ann.begin();
    await ann.press('nav a:has-text("Peer groups")');
    await ann.fill("main input[name=name]", "Health care 12");
    await ann.fill("textarea", "abbvie, ABT, AMGN, pfizer, MRK, LLY, BMY, GILD, TMO, DHR, MDT, ISRG");
    await ann.press("main button.primary");
    expect(await ann.page.locator("ul.names li").count()).toBe(12);
    ann.within(4);
    await ann.fill("textarea", "ABBV, ABT, AMGN, PFE, MRK, LLY, BMY, GILD, TMO, DHR, MDT, UNH");
    await ann.press('button:has-text("Save changes")');
    expect(await ann.text("ul.names")).toContain("UnitedHealth");
    ann.within(6);
    await ann.press('main a:has-text("Statistics")');
    expect(await ann.text("h1")).toBe("Executive pay at Health care 12, latest year");
    for (const shown of ["CEO", "CFO", "Other named officers", "P25", "Median", "P75", "Salary", "Stock"])
      expect(await ann.text("table.stat")).toContain(shown);
    for (const shown of ["Mix of pay", "Medians over the years", "CEO total by company"])
      expect(await ann.text()).toContain(shown);
    ann.within(7);
    await ann.fill("input[name=own]", "johnson & johnson", "Enter");
    await ann.page.waitForURL(/own=/);
    expect(await ann.text("dl.sums")).toMatch(/\d(st|nd|rd|th) of 13/);
    ann.within(8);
    await ann.press('nav[aria-label="Group by"] a:has-text("Filer category")');
    expect(await ann.text()).toContain("CEO total by filer category");
    await ann.press("summary:has-text('Download')");
    expect((await ann.takes('.title a:has-text("XLSX")')).suggestedFilename()).toBe(
      "execcomp-statistics.xlsx",
    );
    expect((await ann.page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(10_000);
    ann.within(11);
    await ann.press("tr.sum a >> nth=1");
    await ann.press("td.total a >> nth=0");
    expect(await ann.text()).toContain("Filings that print it");
    ann.within(13);
  }, 120_000);

  test("a journalist on a phone: who earned most in an industry and a state, a history, a picture, how sure, cite", async () => {
    const ann = await person(server, 390);
    await ann.begin();
    await ann.press("input.menu");
    await ann.press('nav a:has-text("Rankings")');
    await ann.press('summary:has-text("Filters")');
    await ann.choose("sector", "energy");
    expect(await ann.text("h1")).toBe("Highest-paid executives in energy, latest year");
    ann.within(4);
    await ann.press('summary:has-text("Filters")');
    await ann.choose("state", "TX");
    expect(await ann.text("h1")).toBe("Highest-paid executives in energy based in Texas, latest year");
    ann.within(6);
    await ann.begin();
    await ann.find("tim coo");
    await ann.page.waitForSelector('h1:has-text("Tim Cook")');
    expect(await ann.page.locator(".pay tbody tr").count()).toBeGreaterThan(3);
    ann.within(1);
    await ann.press("td.total a >> nth=0");
    expect(await ann.text(".eyebrow")).toBe("Checked against its cell");
    await ann.press('summary:has-text("Save, share")');
    await ann.press("summary:text-is('Cite')");
    expect(await ann.text("#citation")).toContain("accession 0001308179-26-000008");
    ann.within(4);
    await ann.begin();
    await ann.find("apple");
    await ann.press("summary:text-is('Save or embed')");
    await ann.press("summary:text-is('Embed')");
    expect(await ann.page.inputValue("textarea")).toStartWith("<iframe");
    ann.within(3);
  }, 120_000);

  test("a visitor sees the latest year, and opens another for a credit after signing in; sorting it is free", async () => {
    const ann = await person(shared);
    await ann.begin();
    await ann.press('nav a:has-text("Rankings")');
    await ann.choose("office", "peo");
    expect(await ann.page.locator(".pay tbody tr").count()).toBe(100);
    expect(await ann.text("table.pay thead")).not.toContain("Change");
    await ann.choose("fiscal_year", "2024");
    expect(await ann.text(".note")).toContain("Price: 1 credit.");
    expect(await ann.page.locator("table.pay").count()).toBe(0);
    await ann.press('.note a:has-text("Sign in")');
    await ann.fill("input[name=email]", MEMBER.email);
    await ann.fill("input[name=password]", MEMBER.password, "Enter");
    await ann.page.waitForURL(/rankings/);
    await ann.press('button:has-text("Show this ranking (1 credit)")');
    // A change tells the year before, which is not open.
    expect(await ann.text("table.pay thead")).not.toContain("Change");
    ann.within(7);
    await ann.choose("sort", "-salary");
    expect(await ann.text("h1")).toBe("CEOs by salary, fiscal 2024");
    expect(await ann.text(".credits")).toStartWith("19");
  }, 120_000);

  test("without JavaScript a search, a ranking, statistics and a citation are reached all the same", async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(server.origin);
    await plain.fill("main input[name=q]", "tim coo");
    await plain.keyboard.press("Enter");
    await plain.click('a:has-text("Tim Cook")');
    await plain.click("summary:text-is('Cite')");
    expect(await plain.isVisible("#citation")).toBeTrue();
    await plain.goto(`${server.origin}/statistics`);
    await plain.selectOption("select[name=sector]", "energy");
    await plain.click("form.chips button.primary");
    expect(await plain.textContent("h1")).toBe("Executive pay in energy, latest year");
    await plain.context().close();
  }, 120_000);
});
