/** An analyst in a real browser: finds, compares, follows a number to its cell; on paper, on a phone, by keyboard. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const SHOTS = join(import.meta.dir, "../../dist/screenshots");
describe.skipIf(!hasBrowser)("an analyst", () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await startTestServer();
    browser = await openBrowser();
    page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const open = (path: string) => page.goto(server.origin + path);
  const shot = (name: string) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });

  test("finds Apple by name, and its chief executive's pay over the years as a chart", async () => {
    await open("/");
    await page.fill("main input[name=q]", "apple");
    await page.click("main button.primary");
    await page.click('a:has-text("Apple Inc.")');
    expect(await page.textContent("h1")).toContain("Apple Inc.");
    expect(await page.locator("figure.plot svg rect").count()).toBeGreaterThan(10);
    await shot("company");
  });

  test("follows a number to its cell in the filer's own table", async () => {
    await open("/t/AAPL");
    await page.click('a.amount:has-text("74,294,811") >> nth=0');
    expect(await page.textContent("mark#cell")).toContain("74,294,811");
    await shot("source");
  });

  test("sees the highest-paid chief financial officers of 2024, and downloads a file", async () => {
    await open("/rankings");
    // Pressed, not submitted.
    await page.selectOption("select[name=office]", "pfo");
    await page.waitForURL(/office=pfo/);
    await page.selectOption("select[name=fiscal_year]", "2024");
    await page.waitForURL(/fiscal_year=2024/);
    expect(await page.locator("table.pay tbody tr").count()).toBe(100);
    const leftEdges = await page
      .locator(".pay .rank + a")
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().left));
    expect([...new Set(leftEdges)]).toHaveLength(1);
    await page.click("summary:has-text('Download')");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click('.title a:text-is("CSV") >> nth=0'),
    ]);
    expect(download.suggestedFilename()).toBe("execcomp-ranking.csv");
    await shot("rankings");
  });

  test("compares companies at an address that can be shared", async () => {
    await open("/compare");
    await page.fill("input[name=companies]", "AAPL, MSFT");
    await page.keyboard.press("Enter");
    await page.waitForURL(/companies=AAPL/);
    expect(await page.locator("figure.plot").count()).toBe(2);
    await shot("compare");
  });

  test("compares twelve companies on a tablet without scrolling sideways, with targets of 24 pixels", async () => {
    const group = "TMO,LLY,ABBV,GILD,PFE,AMGN,ABT,DHR,BMY,MDT,ISRG,MRK";
    for (const [query, width] of [
      [`companies=${group}&own=JNJ`, 768],
      [`companies=${group}&own=JNJ`, 1280],
      ["companies=AAPL,MSFT,GOOGL,AMZN,META,NVDA,TSLA", 768],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await open(`/compare?${query}`);
      const tables = ".pay-page .scroll:has(> .pay)";
      const wider = await page
        .locator(tables)
        .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).length);
      await page.evaluate(
        readFileSync(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"), "utf8"),
      );
      const small = await page.evaluate(
        'axe.run({ runOnly: { type: "rule", values: ["target-size"] } }).then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))',
      );
      expect([query, width, wider, small]).toEqual([query, width, 0, []]);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test("gets from the first page to a company by keyboard alone", async () => {
    await open("/");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).not.toBe("");
    await page.focus("main input[name=q]");
    await page.keyboard.type("MSFT");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/t\/MSFT$/);
  });

  test("no two labels of a chart meet, in a frame, on a phone or on a desktop", async () => {
    const tab = await browser.newPage();
    for (const width of [320, 390, 768, 1280, 1440]) {
      await tab.setViewportSize({ width, height: 900 });
      for (const path of [
        "/t/AAPL",
        "/t/GIS",
        "/t/JPM",
        "/t/AAPL/embed?chart=years",
        "/t/AAPL/embed?chart=officers",
        "/t/AAPL/2024/tim-cook",
        "/rankings/embed?office=peo&chart=bars",
      ]) {
        await tab.goto(server.origin + path);
        const meeting = await tab.evaluate(`(() => {
          const meeting = [];
          for (const svg of document.querySelectorAll("figure.plot > svg")) {
            const boxes = [...svg.querySelectorAll("text")]
              .filter((text) => text.checkVisibility() && text.textContent.trim() !== "")
              .map((text) => [text.textContent.trim(), text.getBoundingClientRect()]);
            boxes.forEach(([one, a], at) => {
              for (const [other, b] of boxes.slice(at + 1)) {
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 1 && high > 3) meeting.push(one + " meets " + other);
              }
            });
          }
          return meeting;
        })()`);
        expect([width, path, meeting]).toEqual([width, path, []]);
      }
    }
    await tab.close();
  });

  test("sixteen rows of a ranking are above the fold at 1440 by 900", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open("/rankings?office=peo&fiscal_year=2024");
    const rows = await page.evaluate(
      "[...document.querySelectorAll('table.pay tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length",
    );
    expect(rows).toBeGreaterThanOrEqual(16);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("on a phone the reference does not scroll sideways, and each executive is a card", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open("/api/docs");
    await page.waitForSelector(".section");
    const wide = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(wide).toBe(0);
    await open("/t/AAPL");
    // A card for each executive: name and total side by side, nothing to scroll.
    const [name, total] = await Promise.all(
      ["table.pay tbody th", "table.pay td.total"].map((what) => page.locator(what).first().boundingBox()),
    );
    expect([name?.x, Math.abs((name?.y ?? 0) - (total?.y ?? 99)) < 12]).toEqual([16, true]);
    expect((await page.locator("header").boundingBox())?.height).toBeLessThan(60);
    expect(await page.getAttribute("a.brand", "href")).toBe("/");
    await shot("phone");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("on a desktop the twelve columns of a ranking with unreconciled amounts fit side by side", async () => {
    await open("/rankings?sort=unknown_component");
    expect(await page.textContent("table.pay thead")).toContain("Difference");
    const hidden = await page.evaluate(
      "document.querySelector('.scroll').scrollWidth - document.querySelector('.scroll').clientWidth",
    );
    expect(hidden).toBe(0);
  });

  test.each([
    ["A4", 1122],
    ["Letter", 1056],
  ])("on paper (%s, landscape) every column fits", async (_name, width) => {
    // 96 pixels per inch, less margins of 12 mm.
    await page.setViewportSize({ width: Number(width) - 91, height: 700 });
    await page.emulateMedia({ media: "print" });
    for (const path of ["/t/AAPL", "/t/JPM", "/t/AAPL/2024/tim-cook"]) {
      await open(path);
      const cut = await page.evaluate(
        "[...document.querySelectorAll('table.pay')].filter((table) => table.getBoundingClientRect().right > innerWidth + 1).length",
      );
      expect([path, cut]).toEqual([path, 0]);
    }
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("on paper no amount in the filer's own table is broken", async () => {
    await page.setViewportSize({ width: 794 - 91, height: 1000 });
    await page.emulateMedia({ media: "print" });
    for (const path of ["/t/AAPL/2025/tim-cook/salary", "/t/JPM/2025/james-dimon/salary"]) {
      await open(path);
      const lines = await page.evaluate(`[...document.querySelectorAll(".filer td")].flatMap((cell) => {
        if (!/^[\\d,]{2,}$/.test(cell.textContent.trim())) return [];
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];
      })`);
      expect([path, new Set(lines as number[])]).toEqual([path, new Set([1])]);
    }
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("saw no error in the console", () => expect(complaints).toEqual([]));
});
