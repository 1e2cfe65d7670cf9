/**
 * Every page, for everybody who may open it, from the narrowest phone to a desktop, light and dark: nothing scrolls sideways or is
 * cut, the header is one line, the console has no error, and axe finds nothing, targets of less than 24 px included.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { authorizeUrl, register } from "../contract/oauth/support.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const AXE = readFileSync(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"), "utf8");
const WIDTHS = [320, 390, 577, 768, 1041, 1181, 1280, 1440];
const PEERS = "companies=ABBV,ABT,AMGN,PFE,MRK,LLY,BMY,GILD,TMO,DHR,MDT,ISRG&own=JNJ";

/** What everybody may open. */
const PUBLIC = [
  "/",
  "/search?q=cook",
  "/search?q=zzzzq",
  "/search?q=how+much+did+tim+cook+earn+in+2023",
  "/rankings",
  "/rankings?office=peo&fiscal_year=2024",
  "/rankings?office=peo&sort=total_change&fiscal_year=2025",
  "/rankings?office=pfo&sector=energy&state=TX&total_compensation_gte=1m",
  "/rankings?office=peo&companies=AAPL,MSFT,GOOGL,AMZN,META",
  "/rankings?sector=energy&state=HI",
  "/rankings?total_compensation_gte=twenty",
  "/ceo-pay?index=sp500",
  "/statistics",
  "/statistics?unit=dollars",
  `/statistics?${PEERS}&fiscal_year=2025`,
  `/statistics?${PEERS}&fiscal_year=2025&unit=dollars`,
  "/statistics?sector=information_technology&own=AAPL",
  "/compare",
  "/compare?companies=AAPL,MSFT,GOOGL",
  `/compare?${PEERS}&year=2025`,
  "/coverage",
  "/coverage?search=AAPL",
  "/coverage?search=zzzzq",
  "/coverage?status=pending",
  "/groups",
  "/peers?name=Chips&t=NVDA,AVGO",
  "/t/AAPL",
  "/t/AAPL?year=2021",
  "/t/TSLA",
  "/t/ECL",
  "/t/SHW",
  "/t/AAPL/2024/tim-cook",
  "/t/AAPL/2025/tim-cook",
  "/t/AAPL/2025/tim-cook/salary",
  "/t/MSFT/2025/satya-nadella/salary",
  "/rankings/embed?office=peo&chart=bars",
  "/t/AAPL/embed?chart=years",
  "/t/APPLE",
  "/t/ZZZZ",
  "/t/AAPL/1999/tim-cook",
  "/nowhere",
  "/sign-in",
  "/sign-up",
];
/** Pages of a member. */
const OWN = [
  "/",
  "/t/AAPL",
  "/rankings",
  "/statistics",
  "/compare?companies=AAPL,MSFT",
  "/groups",
  "/developer",
];
const OWNERS = ["", "/users", "/users/MEMBER", "/usage", "/keys", "/apps", "/dataset", "/ingest", "/health"];
const ADMIN = [...OWNERS, "/settings", "/backup", "/audit"].map((path) => `/admin${path}`);
const TABS = ["quick-start", "usage", "apps"].map((tab) => `/developer?tab=${tab}`);

/**
 * What is wrong at the present width. A table may scroll between phone and tablet, of statistics on a phone, of columns that
 * somebody compares or has chosen, and as the filer has it.
 */
const FAULTS = `(() => {
  const found = [];
  for (const one of document.querySelectorAll(".thing details")) one.open = true;
  for (const one of document.querySelectorAll(".thing"))
    if (one.scrollWidth > one.clientWidth + 1) found.push("leaves its column: " + one.textContent.trim().slice(0, 40));
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push("scrolls sideways by " + wide);
  const header = document.querySelector("header.top");
  if (header !== null && header.offsetHeight > 56) found.push("header of " + header.offsetHeight);
  const isBetween = innerWidth > 576 && innerWidth < 768;
  for (const box of document.querySelectorAll("main .scroll"))
    if (!isBetween && !(innerWidth < 577 && box.closest(".columns")) && box.checkVisibility() && box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible" && !box.querySelector(".side, .compared, .filer, .ranked .component + .component" + (innerWidth < 577 ? ", .stat" : "")))
      found.push("a table scrolls by " + (box.scrollWidth - box.clientWidth) + ": " + box.textContent.trim().slice(0, 40));
  for (const one of document.querySelectorAll("main :is(th, td, td *, th *, select, dd, li, h1, h2, h3)"))
    if (one.checkVisibility() && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible" && !one.matches(".away, .agent, .pay:not(.ranked) tbody th"))
      found.push("cut: " + (one.name ?? one.textContent.trim().slice(0, 40)));
  for (const cell of document.querySelectorAll("main td")) {
    const range = document.createRange();
    range.selectNodeContents(cell);
    if (/^\\s*[a-z]{2,10}\\s*$/i.test(cell.textContent) && cell.childElementCount === 0 && cell.checkVisibility() && range.getClientRects().length > 1)
      found.push("a word is split: " + cell.textContent.trim());
  }
  for (const text of document.querySelectorAll("figure:not(.dense) svg text")) {
    const { left, right } = text.getBoundingClientRect();
    const sheet = text.ownerSVGElement.getBoundingClientRect();
    const isHidden = getComputedStyle(text.ownerSVGElement).overflow !== "visible";
    if (left < 0 || right > innerWidth || (isHidden && (left < sheet.left || right > sheet.right))) found.push("label cut: " + text.textContent);
  }
  for (const one of document.querySelectorAll("main :is(h1, h2, h3, p, ul, ol, dl)"))
    if (one.checkVisibility() && one.textContent.trim() === "" && one.childElementCount === 0) found.push("empty " + one.outerHTML.slice(0, 60));
  return found;
})()`;

/** The letter of a note stands in its line, which WCAG 2.5.8 excepts; a company and its CEO share the line of a comparison. */
const axeFinds = (rules: string) =>
  `axe.run({ exclude: [[".compared tbody th a"]] }, ${rules}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => id !== "target-size" || !html.startsWith('<a href="#note')) })).filter(({ nodes }) => nodes.length > 0).map(({ id, nodes }) => id + " of " + nodes.length + ": " + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" ")))`;
const ALL_RULES = axeFinds("{ rules: { 'target-size': { enabled: true } } }");
const TARGETS = axeFinds("{ runOnly: ['target-size', 'scrollable-region-focusable'] }");
const CONTRAST = axeFinds("{ runOnly: ['color-contrast'] }");

describe.skipIf(!hasBrowser)("every page", () => {
  /** The first of a server is its owner. */
  const people = ["owner", "member", "without credits"] as const;
  const password = "correct horse battery staple";
  let local: TestServer;
  let shared: TestServer;
  let browser: Browser;
  let memberId = "";
  let consent = "";

  beforeAll(async () => {
    local = await startTestServer();
    shared = await startTestServer({ localPages: "sign-in", contact: "Ann Lee ann@example.com" });
    const { signUps, keys, credits } = shared.accounts;
    for (const name of people) {
      const { id } = await signUps.createWithPassword(`${name.replace(" ", "-")}@example.com`, password);
      if (name === "member") memberId = id;
      if (name === "member") await credits.grant(id, 482);
      if (name !== "without credits") await keys.create(id, { name: "Quarterly compensation workbook" });
    }
    const client = await register(shared, { client_name: "Quarterly compensation assistant" });
    consent = authorizeUrl(shared, String(client["client_id"]));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([local.stop(), shared.stop()]);
  });

  const examine = async (page: Page, origin: string, path: string): Promise<string[]> => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(new URL(path, origin).href);
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const faults: string[] = await page.evaluate(FAULTS);
      found.push(...faults.map((fault) => `${path} at ${width}: ${fault}`));
    }
    // The pages' own policy allows no scripts; the browser's tools are exempt from it.
    await page.evaluate(AXE);
    for (const [width, scheme, rules] of [
      [1280, "light", ALL_RULES],
      [390, "light", TARGETS],
      [1280, "dark", CONTRAST],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      const violations: string[] = await page.evaluate(rules);
      found.push(...violations.map((violation) => `${path} at ${width}, ${scheme}: ${violation}`));
    }
    return found;
  };

  test.each([
    ["the local operator", null, PUBLIC],
    ["a visitor", "visitor", PUBLIC],
    ["a member", "member", [...PUBLIC, ...TABS, "/developer", "CONSENT"]],
    ["a member without credits", "without credits", OWN],
    ["an owner", "owner", [...ADMIN, "/", "/coverage", "/t/SHW"]],
  ] as const)(
    "for %s fits every width, and axe finds nothing",
    async (_who, role, paths) => {
      const { origin } = role === null ? local : shared;
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      if (role !== null && role !== "visitor") {
        await page.goto(`${origin}/sign-in`);
        await page.fill("input[name=email]", `${role.replace(" ", "-")}@example.com`);
        await page.fill("input[name=password]", password);
        await page.click("main button.primary");
        await page.waitForURL(`${origin}/`);
      }
      const found: string[] = [];
      page.on("console", (message) => {
        // A page that is not there, or refuses what was typed, is among those that are asked for.
        if (message.type() === "error" && !/status of 40[034]/.test(message.text()))
          found.push(`${page.url()}: ${message.text()}`);
      });
      for (const named of paths)
        found.push(
          ...(await examine(page, origin, named.replace("MEMBER", memberId).replace("CONSENT", consent))),
        );
      await context.close();
      expect(found).toEqual([]);
    },
    900_000,
  );
});
