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

  test("at 200 % of a laptop's screen the first screen holds rows", async () => {
    for (const [width, height, row] of [
      [720, 450, 4],
      [640, 400, 2],
    ] as const) {
      await open("/rankings?office=peo&fiscal_year=2024", width, height);
      const last = await page.locator(`table.pay tbody tr:nth-child(${row})`).boundingBox();
      expect([width, (last?.y ?? height) + (last?.height ?? 0) <= height]).toEqual([width, true]);
    }
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
