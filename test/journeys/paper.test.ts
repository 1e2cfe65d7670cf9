/** Printed pages, A4 and Letter, tables of pay in landscape: every column of every table is on the sheet, with all of its content. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { getDocumentProxy } from "unpdf";
import { authorizeUrl, BrowserSession, codeFields, postForm, register } from "../contract/oauth/support.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const SHOTS = join(import.meta.dir, "../../dist/screenshots");
const OWNER = {
  email: "anastasia.papadopoulos@longname-holdings.example.com",
  password: "an owner's long password",
};
const LONG = "Quarterly compensation committee benchmark workbook";
/** The smallest letters that can be read without a magnifying glass. */
const MIN_POINTS = 6;
const FORMATS = ["A4", "Letter"] as const;
/** A browser with a long user agent, like real ones. */
const AGENT =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15";

describe.skipIf(!hasBrowser)("on paper", () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let memberId = "";

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await startTestServer({ contact: "Ann Lee ann@example.com" });
    const { signUps, users, keys, credits } = server.accounts;
    const owner = await signUps.createWithPassword(OWNER.email, OWNER.password);
    memberId = (await users.findOrCreate("bartholomew.featherstonehaugh@subsidiary.example.com")).id;
    for (const userId of [owner.id, memberId]) await keys.create(userId, { name: LONG });
    await credits.setUnmetered(owner.id, true);
    for (let n = 0; n < 30; n++) await credits.grant(memberId, 1_234_567 + n);
    const client = await register(server, { client_name: `${LONG} assistant` });
    const clientId = String(client["client_id"]);
    const way = await new BrowserSession(server).decide(authorizeUrl(server, clientId), "approve", OWNER);
    const code = way.searchParams.get("code") ?? "";
    expect((await postForm(server, "/oauth/token", codeFields(server, clientId, code))).status).toBe(200);
    browser = await openBrowser();
    page = await (await browser.newContext({ userAgent: AGENT })).newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${server.origin}/admin/users`);
    await page.fill("input[name=email]", OWNER.email);
    await page.fill("input[name=password]", OWNER.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/users$/);
    expect(await page.textContent("h1")).toBe("Users");
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** The text of each sheet of the page on A4. */
  const pagesOf = async (): Promise<string[]> => {
    const pdf = await getDocumentProxy(
      new Uint8Array(await page.pdf({ format: "A4", preferCSSPageSize: true })),
    );
    const sheets = Array.from({ length: pdf.numPages }, async (_, at) => {
      const { items } = await (await pdf.getPage(at + 1)).getTextContent();
      return items
        .map((item) => ("str" in item ? item.str : ""))
        .join(" ")
        .replaceAll(/\s+/g, " ");
    });
    return Promise.all(sheets);
  };

  /** The words in the tables of the printed page. */
  const printed = async (): Promise<string[]> => {
    await page.emulateMedia({ media: "print" });
    const words: string[] = await page.evaluate(`[...document.querySelectorAll("table")].flatMap((table) => {
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const { parentElement } = texts.currentNode;
        if (parentElement.checkVisibility() && !parentElement.closest(".away")) found.push(texts.currentNode.data);
      }
      return found.join(" ").split(/\\s+/);
    })`);
    await page.emulateMedia({ media: null });
    return words.filter((word) => word !== "");
  };

  /** Pages whose lists are empty on a test's server. */
  const WITHOUT_TABLES = ["/admin/usage", "/admin/dataset", "/admin/ingest", "/admin/backup"];
  const PAGES = [
    "/admin/users",
    "/admin/users/MEMBER",
    "/admin/usage",
    "/admin/settings",
    "/admin/keys",
    "/admin/apps",
    "/admin/dataset",
    "/admin/ingest",
    "/admin/health",
    "/admin/backup",
    "/admin/audit",
    "/developer",
    "/developer?tab=usage",
    "/developer?tab=connections",
    "/rankings?sort=unknown_component",
    "/compare?t=AAPL,MSFT,GOOGL",
    "/coverage",
    "/t/GD",
    "/t/AAPL/2024/tim-cook",
    "/t/AAPL/2025/tim-cook/salary",
  ];

  test.each(PAGES)(
    "%s contains all columns of its tables",
    async (named) => {
      const path = named.replace("MEMBER", memberId);
      await page.goto(server.origin + path);
      expect(await page.textContent("h1")).not.toBe("Sign in");
      // Checks that take long appear on the page when they are done.
      if (!WITHOUT_TABLES.includes(named)) await page.waitForSelector("table", { state: "attached" });
      const words = await printed();
      expect([path, words.length > 5]).toEqual([path, !WITHOUT_TABLES.includes(named)]);
      for (const format of FORMATS) {
        const bytes = await page.pdf({
          format,
          preferCSSPageSize: true,
          path: join(SHOTS, `paper-${format}${path.replaceAll(/[^a-z]+/g, "-")}.pdf`),
        });
        const pdf = await getDocumentProxy(new Uint8Array(bytes));
        let text = "";
        const beyond: string[] = [];
        for (let number = 1; number <= pdf.numPages; number++) {
          const sheet = await pdf.getPage(number);
          const { width } = sheet.getViewport({ scale: 1 });
          const { items } = await sheet.getTextContent();
          for (const item of items) {
            if (!("str" in item) || item.str.trim() === "") continue;
            text += item.str;
            // Positions are those of the sheet, in points. A table that is too wide is cut, or all letters shrink.
            const [, , , size = 0, left = 0] = item.transform.map(Number);
            if (left + item.width > width || Math.abs(size) < MIN_POINTS) beyond.push(`${item.str} ${size}`);
          }
        }
        // The font draws two kinds of apostrophe as one.
        const held = text.replaceAll(/\s+/g, "").replaceAll("ʼ", "’");
        expect([format, beyond]).toEqual([format, []]);
        expect([format, words.filter((word) => !held.includes(word.replaceAll(/\s+/g, "")))]).toEqual([
          format,
          [],
        ]);
      }
    },
    300_000,
  );

  test("a table does not leave its caption or header alone at the foot of a sheet", async () => {
    await page.goto(`${server.origin}/compare?t=AAPL,MSFT,GOOGL,META,NVDA,AMZN,TSLA`);
    const [first = ""] = await pagesOf();
    expect(first).toMatch(/The rows behind the bars.*Pension.*Apple\s+Tim Cook/);
  }, 300_000);

  test("the first page's names are on one line, and what each filing printed stays together", async () => {
    await page.goto(server.origin);
    const [first] = await pagesOf();
    expect(first).toMatch(/Take-Two Interactive Software.*DEF 14A/);
    await page.goto(`${server.origin}/t/AAPL/2025/tim-cook`);
    const together = (await pagesOf()).filter((text) => /filing by filing|Non-equity incentive/.test(text));
    expect(together).toHaveLength(1);
  }, 300_000);

  test.each(FORMATS)(
    "thirteen companies are a paper for a board: one sheet (%s), by name, with sources, address and date",
    async (format) => {
      const peers = "ABBV,ABT,AMGN,PFE,MRK,LLY,BMY,GILD,TMO,DHR,MDT,ISRG";
      await page.goto(`${server.origin}/compare?companies=${peers}&own=JNJ&year=2025`);
      const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format, preferCSSPageSize: true })));
      expect(pdf.numPages).toBe(1);
      const { items } = await (await pdf.getPage(1)).getTextContent();
      const text = items
        .map((item) => ("str" in item ? item.str : ""))
        .join(" ")
        .replaceAll(/\s+/g, " ");
      for (const shown of [
        "Thermo Fisher Scientific",
        "Marc N. Casper",
        "75th percentile of the 12 peers",
        "Rank of Johnson & Johnson among 13",
        "0001193125-26-144585",
        // The whole address, as people read it.
        `/compare?companies=${peers}&own=JNJ&year=2025 · dataset edition`,
        "Printed ",
      ])
        expect([shown, text.includes(shown)]).toEqual([shown, true]);
      // Statistics of the same take two, the companies by name.
      await page.goto(`${server.origin}/statistics?companies=${peers}&own=JNJ&fiscal_year=2025`);
      const bytes = await page.pdf({ format, preferCSSPageSize: true });
      const statistics = await getDocumentProxy(new Uint8Array(bytes));
      expect(statistics.numPages).toBe(2);
      const second = (await (await statistics.getPage(2)).getTextContent()).items;
      expect(second.map((item) => ("str" in item ? item.str : "")).join(" ")).toMatch(
        /GILD\s+Gilead\s+Sciences/,
      );
    },
    300_000,
  );
});
