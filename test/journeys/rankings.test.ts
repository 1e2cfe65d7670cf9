/** Rankings in a browser: keys on the filters, names that are whole, a screen at 200 %, cards on a phone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

describe.skipIf(!hasBrowser)("rankings", () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });
  const open = async (path: string, width = 1440, height = 900) => {
    await page.setViewportSize({ width, height });
    await page.goto(server.origin + path);
  };
  const focused = () => page.evaluate("document.activeElement.name");

  test("an arrow key chooses and sends nothing; Enter and leaving do, and the focus comes back", async () => {
    await open("/rankings");
    await page.focus("select[name=office]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.inputValue("select[name=office]")).toBe("pfo");
    // Had it been sent, the page would have been left by now: its answer takes no longer than this one.
    await page.request.get(`${server.origin}/rankings?office=pfo`);
    expect(new URL(page.url()).search).toBe("");
    await page.keyboard.press("Enter");
    await page.waitForURL(/office=pfo/);
    await page.waitForFunction("document.activeElement.name === 'office'");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await page.waitForURL(/office=peo/);
    await page.waitForFunction("document.activeElement.name === 'sector'");
    // With a pointer a choice is sent at once, and leaves no ring behind.
    await page.mouse.click(3, 3);
    await page.selectOption("select[name=sector]", "energy");
    await page.waitForURL(/sector=energy/);
    expect(await focused()).toBeUndefined();
  }, 120_000);

  test.each([1440, 1280])(
    "at %d px every name and every choice is whole",
    async (width) => {
      for (const path of [
        "/rankings?office=peo&fiscal_year=2024&state=NY&filer_category=large_accelerated_filer",
        "/rankings?fiscal_year=2025&sort=total_change",
        "/rankings?columns=mix,change,equity_share,components,filing",
        "/statistics?sector=consumer_discretionary",
      ]) {
        await open(path, width);
        const cut: string[] =
          await page.evaluate(`[...document.querySelectorAll("tbody th, td.person, .chips select")]
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.name ?? one.textContent)`);
        expect([path, cut]).toEqual([path, []]);
        expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
          path,
          true,
        ]);
      }
    },
    120_000,
  );

  test("on a tablet and a phone a ranking has no sideways scroll; columns that somebody chose stay", async () => {
    const scrolls = () =>
      page.evaluate(
        `[...document.querySelectorAll("main .scroll")].filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== "visible").length`,
      );
    for (const width of [390, 768])
      for (const path of [
        "/rankings",
        "/rankings?office=peo&fiscal_year=2024&sort=total_change",
        "/ceo-pay",
        "/t/AAPL/2025/tim-cook",
      ]) {
        await open(path, width);
        expect([path, width, await scrolls()]).toEqual([path, width, 0]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBeTrue();
      }
    await open("/rankings?columns=cash,equity", 768);
    expect(await page.locator("thead th.detail:visible").count()).toBe(2);
  }, 120_000);

  test("a rank of four digits is on one line, and not over the name", async () => {
    for (const width of [1280, 390])
      for (const path of ["/rankings", "/ceo-pay"]) {
        await open(path, width);
        const rank = page.locator(".rank").first();
        const before = (await rank.boundingBox())?.height;
        await page.evaluate("document.querySelector('.rank').textContent = '1234'");
        const [box, name] = await Promise.all(
          [rank, page.locator("tbody tr").first().locator("a:visible").first()].map((one) =>
            one.boundingBox(),
          ),
        );
        expect([path, width, box?.height]).toEqual([path, width, before]);
        const end = (box?.x ?? 0) + (box?.width ?? 0);
        expect([path, width, end <= (name?.x ?? 0)]).toEqual([path, width, true]);
      }
  }, 120_000);

  test("at 200 % of a laptop's screen the first screen holds rows", async () => {
    const peers = "companies=ABBV,ABT,AMGN,PFE,MRK,LLY,BMY,GILD,TMO,DHR,MDT,ISRG&own=JNJ";
    for (const [path, rows] of [
      ["/rankings?office=peo&fiscal_year=2024", [6, 4]],
      [`/statistics?${peers}&fiscal_year=2025`, [7, 5]],
      [`/compare?${peers}&year=2025`, [7, 5]],
    ] as const)
      for (const [at, [width, height]] of (
        [
          [720, 450],
          [640, 400],
        ] as const
      ).entries()) {
        if (at === 0) await open(path, width, height);
        else await page.setViewportSize({ width, height });
        const row = page
          .locator("table.pay tbody")
          .first()
          .locator(`tr:nth-child(${rows[at] ?? 0})`);
        const box = await row.boundingBox();
        expect([path, width, (box?.y ?? height) + (box?.height ?? 0) <= height]).toEqual([path, width, true]);
      }
  }, 120_000);

  test("on a phone the own company is in sight in statistics, with its heads", async () => {
    await open("/statistics?companies=AAPL,MSFT,GOOGL,AMZN,META,NVDA,ORCL&own=CRM&unit=dollars", 390, 844);
    const cells: string[] =
      await page.evaluate(`[...document.querySelectorAll(".stat thead th, .stat .sum > *")]
      .filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect())
      .filter(({ left, right }) => left < 0 || right > innerWidth)`);
    expect(cells).toEqual([]);
    const heads = await page.locator(".stat thead th:visible").allTextContents();
    expect(heads.map((head) => head.trim())).toEqual(["$", "P25", "Median", "P75", "CRM", "Rank"]);
    const total = await page.locator(".stat .sum > :visible").allTextContents();
    expect(
      total
        .map((text) => text.trim())
        .slice(1, 6)
        .every((text) => /^\d/.test(text)),
    ).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }, 120_000);

  test("on a phone a card has three lines", async () => {
    for (const sort of ["-total_compensation", "total_change", "-salary", "-equity_share"]) {
      // One of several years says its own beside the company.
      const year = sort === "-equity_share" ? "" : "&fiscal_year=2025";
      await open(`/rankings?office=peo${year}&sort=${sort}`, 390, 844);
      expect(await page.locator("tbody tr:first-child .year:visible").count()).toBe(year === "" ? 1 : 0);
      const tops: number[] =
        await page.evaluate(`[...document.querySelector("table.pay tbody tr").querySelectorAll("th, td")]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 0)
        .map((one) => Math.round(one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2))`);
      // Cells of one line are centred within a few pixels.
      const lines = tops
        .toSorted((a, b) => a - b)
        .filter((top, at, all) => at === 0 || top - (all[at - 1] ?? 0) > 9);
      expect([sort, lines.length]).toEqual([sort, 3]);
    }
  }, 120_000);
});
