/**
 * The card of MCP hosts in a real browser: a page acts as the host, with the card in a sandboxed frame as in real
 * hosts.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { EXAMPLE_ROW } from "../support/example-row.ts";
import { cardDocument } from "../../src/mcp/analyst/card/card.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";

/** The folder for screenshots to review. */
const SHOTS = join(import.meta.dir, "../../dist/screenshots");

const HOSTILE = `<img src=x onerror="parent.postMessage('owned','*')"><script>parent.postMessage('owned','*')</script>`;
const ROWS = [2022, 2023, 2024, 2025].flatMap((year) =>
  ["Tim Cook", HOSTILE].map((name, at) => ({
    ...EXAMPLE_ROW,
    fiscal_year: year,
    executive_id: `person-${at}`,
    executive_name: name,
    is_peo: at === 0,
  })),
);
const RESULT = {
  content: [{ type: "text", text: "{}" }],
  structuredContent: { executive_compensation: ROWS },
};

/** What the host does: answers the handshake, passes the result, gives the frame its height; keeps every message. */
const hostOf = (result: object) => `
const heard = [];
const frame = document.querySelector("iframe");
addEventListener("message", ({ data }) => {
  heard.push(data);
  const say = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  if (data.method === "ui/initialize") {
    say({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: {}, hostCapabilities: {},
      hostContext: { theme: "dark", styles: { variables: { "--color-text-primary": "rgb(1, 2, 3)" } } } } });
  }
  if (data.method === "ui/notifications/initialized") {
    say({ method: "ui/notifications/tool-input", params: { arguments: {} } });
    say({ method: "ui/notifications/tool-result", params: ${JSON.stringify(result).replaceAll("<", "\\u003c")} });
    say({ id: "p", method: "ping" });
  }
  if (data.method === "ui/notifications/size-changed" && frame.hasAttribute("data-fits")) frame.style.height = data.params.height + "px";
});
frame.srcdoc = ${JSON.stringify(cardDocument()).replaceAll("<", "\\u003c")};`;

const PAGE = `<!doctype html><iframe sandbox="allow-scripts" style="width:700px;height:4000px"></iframe><script>${hostOf(RESULT)}</script>`;

/** As many people as a table has at most, each with a long name; the last one in the newest year alone. */
const PEOPLE = Array.from(
  { length: 9 },
  (_, at) => `Bartholomew ${"ABCDEFGHI"[at]}. Featherstonehaugh-Wemyss`,
);
const rowsOf = (years: readonly number[]) => ({
  content: [],
  structuredContent: {
    executive_compensation: years.flatMap((year) =>
      PEOPLE.filter((_, at) => at < 8 || year === 2025).map((name, at) => ({
        ...EXAMPLE_ROW,
        fiscal_year: year,
        executive_id: `person-${at}`,
        executive_name: name,
        is_peo: at === 0,
      })),
    ),
  },
});

describe.skipIf(!hasBrowser)("the card", () => {
  let browser: Browser;
  let page: Page;
  const refused: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage();
    page.on("console", (message) => refused.push(message.text()));
    await page.setContent(PAGE);
  });
  afterAll(() => browser.close());

  test("draws the host's data, in the host's colors, and reports its height", async () => {
    const card = page.frameLocator("iframe");
    await card.locator("h1").waitFor();
    expect(await card.locator("h1").textContent()).toBe("Apple Inc. (AAPL)");
    expect(await card.locator("figure svg[role=img]").count()).toBe(1);
    expect(await card.locator("rect[class^=pay-]").count()).toBeGreaterThan(4);
    expect(await page.frames()[1]?.evaluate("getComputedStyle(document.body).color")).toBe("rgb(1, 2, 3)");
    await page.waitForFunction(
      "heard.some((one) => one.method === 'ui/notifications/size-changed' && one.params.height > 300)",
    );
    // Its own height, less than that of the frame.
    const heights = await page.evaluate(
      "heard.filter((one) => one.method === 'ui/notifications/size-changed').map((one) => one.params.height)",
    );
    expect((heights as number[]).at(-1)).toBeLessThan(3000);
    expect(
      await page.evaluate("heard.filter((one) => one.id === 'p').map((one) => JSON.stringify(one.result))"),
    ).toEqual(["{}"]);
  });

  test("hostile names are shown as text and run nothing", async () => {
    const card = page.frameLocator("iframe");
    expect(await card.locator("main img, main script").count()).toBe(0);
    expect(await card.locator(".legend").last().textContent()).toContain("<img src=x");
    expect(await page.evaluate("heard.includes('owned')")).toBe(false);
    expect(refused).toEqual([]);
  });

  test("even injected markup could not run: the policy names one script", async () => {
    const refusal = page.waitForEvent("console");
    await page.frames()[1]?.evaluate(`document.querySelector("main").innerHTML = ${JSON.stringify(HOSTILE)}`);
    await refusal;
    expect(await page.evaluate("heard.includes('owned')")).toBe(false);
    expect(refused.join("\n")).toContain("Content Security Policy");
  });

  test("a link is opened by the host", async () => {
    page = await browser.newPage();
    await page.setContent(PAGE);
    const link = page.frameLocator("iframe").locator("a").first();
    await link.waitFor();
    await link.click();
    await page.waitForFunction("heard.some((one) => one.method === 'ui/open-link')");
    expect(await page.evaluate("heard.find((one) => one.method === 'ui/open-link').params.url")).toBe(
      EXAMPLE_ROW.source.filing_url,
    );
  });

  const ONE_YEAR = [2025];
  const TEN_YEARS = Array.from({ length: 10 }, (_, at) => 2016 + at);
  test.each([320, 400, 800].flatMap((width) => [ONE_YEAR, TEN_YEARS].map((years) => ({ width, years }))))(
    "in a frame of $width px that takes the reported height, all of it is visible without scrolling: $years",
    async ({ width, years }) => {
      page = await browser.newPage({ viewport: { width: width + 40, height: 900 } });
      const style = `width:${width}px;height:120px;border:0`;
      await page.setContent(
        `<!doctype html><iframe data-fits sandbox="allow-scripts" style="${style}"></iframe><script>${hostOf(rowsOf(years))}</script>`,
      );
      await page.frameLocator("iframe").locator("h1").waitFor();
      await page.waitForFunction("Number.parseInt(frame.style.height) > 300");
      const inner = page.frames()[1];
      // The frame's new height is laid out.
      await inner?.waitForFunction("document.documentElement.scrollHeight <= innerHeight");
      const seen = await inner?.evaluate(`({
        wider: [...document.querySelectorAll("*")].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && !(one instanceof SVGElement)).map((one) => one.tagName),
        outside: [...document.querySelectorAll("span, b, li, rect, circle")].filter((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
        }).length,
        names: document.body.innerText,
        years: [...document.querySelectorAll(".year")].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0)
          .filter(({ left }, at, all) => at > 0 && left < all[at - 1].right).length,
        points: document.querySelectorAll("circle").length,
      })`);
      const { names, ...laidOut } = seen as { names: string; points: number };
      for (const name of PEOPLE) expect(names).toContain(name);
      const points = years.length === 1 ? 0 : years.length * 8 + 1;
      expect(laidOut).toEqual({ wider: [], outside: 0, years: 0, points } as unknown as typeof laidOut);
      mkdirSync(SHOTS, { recursive: true });
      await page.screenshot({ path: join(SHOTS, `card-${width}-${years.length}.png`), fullPage: true });
      await page.close();
    },
  );
});
