import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { ExecutiveCompensation } from "../../src/domain/row-fields.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** The folder for screenshots to review. */
const SHOTS = join(import.meta.dir, "../../dist/screenshots");
const AXE = readFileSync(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"), "utf8");
const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery staple";

describe.skipIf(!hasBrowser)("a new owner, from the set-up link to a revoked key", () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const foreign: string[] = [];
  const complaints: string[] = [];
  let key = "";

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await startTestServer();
    browser = await openBrowser();
    context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    page = await context.newPage();
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== server.origin && !request.url().startsWith("data:")) {
        foreign.push(request.url());
      }
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const shot = (name: string) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  const ask = (search: string) => server.get(`/api/executive-compensation?${search}`, { key });

  test("the one-time link creates the owner and signs in", async () => {
    const link = await server.setUpLink();
    await page.goto(link);
    await shot("set-up");
    await page.fill("input[name=email]", EMAIL);
    await page.fill("input[name=password]", PASSWORD);
    await page.click("main button.primary");
    await page.waitForURL(`${server.origin}/admin`);
    // Credits and charges are of people who are charged.
    const { id } = await server.accounts.users.requireByEmail(EMAIL);
    await server.accounts.credits.setUnmetered(id, false);
    await page.goto(`${server.origin}/developer`);
    expect(await page.textContent("h1")).toBe("Developer");
    const again = await server.get(new URL(link).pathname + new URL(link).search);
    expect(await again.text()).not.toContain('name="password"');
  });

  test("a key is shown once, can be copied, and the page warns before it is left", async () => {
    await shot("developer-empty");
    await page.fill("form:has([name=act][value=create]) input[name=name]", '<script>alert("x")</script>');
    await page.click("form:has([name=act][value=create]) button");
    key = (await page.textContent("#secret")) ?? "";
    expect(key).toMatch(/^xc_live_[0-9A-Za-z]{38}$/);
    await page.click("[data-copy-from=secret]");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
    await shot("developer-fresh-key");

    let warned = false;
    page.once("dialog", async (dialog) => {
      warned = dialog.type() === "beforeunload";
      await dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await until("the page warns before it closes", () => warned);

    await page.click("[data-leave]");
    await page.waitForURL(`${server.origin}/developer`);
    expect(await page.content()).not.toContain(key);
    expect(await page.textContent("#balance")).toBe("100");
    expect(await page.textContent("tbody th")).toBe('<script>alert("x")</script>');
  });

  test("the copied curl line answers, and only history costs", async () => {
    await page.fill("form:has([name=act][value=create]) input[name=name]", "terminal");
    await page.click("form:has([name=act][value=create]) button");
    key = (await page.textContent("#secret")) ?? "";
    const line = (await page.textContent("#snippet-curl")) ?? "";
    expect(line).toContain(key);
    const curl = Bun.spawn(["bash", "-c", `${line} -s`], { stdout: "pipe", stderr: "pipe" });
    const body = (await new Response(curl.stdout).json()) as {
      executive_compensation: ExecutiveCompensation[];
    };
    expect(body.executive_compensation[0]?.total_compensation).toBe(74_294_811);

    expect((await ask("ticker=AAPL&limit=1")).headers.get("credits-remaining")).toBe("99");
    await page.click("[data-leave]");
    expect(await page.textContent("#balance")).toBe("99");
    await shot("developer-used");
  });

  test("a form sent twice creates one key", async () => {
    const csrf = await page.inputValue("form:has([name=act][value=create]) input[name=csrf]");
    const once = await page.inputValue("form:has([name=act][value=create]) input[name=once]");
    const act = "create";
    const cookies = await context.cookies(server.origin);
    const send = () =>
      server.get("/developer", {
        method: "POST",
        headers: {
          cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
          "content-type": "application/x-www-form-urlencoded",
          origin: server.origin,
        },
        body: new URLSearchParams({ csrf, once, act, name: "double", days: "" }).toString(),
      });
    const statuses = [(await send()).status, (await send()).status];
    expect(statuses).toEqual([200, 400]);
    expect((await server.accounts.keys.list()).filter(({ name }) => name === "double")).toHaveLength(1);
  });

  test("the API reference takes over a new key, not through a URL, until sign-out", async () => {
    await page.goto(`${server.origin}/developer`);
    await page.fill("form:has([name=act][value=create]) input[name=name]", "reference");
    await page.click("form:has([name=act][value=create]) button");
    const fresh = (await page.textContent("#secret")) ?? "";
    await page.click("text=Try it in the API reference");
    await page.waitForURL(`${server.origin}/api/docs`);
    const shown = `[...document.querySelectorAll("input")].some(({ value }) => value === ${JSON.stringify(fresh)})`;
    await until("the reference has the key", async () => (await page.evaluate(shown)) === true);
    await page.click("text=API keys and quick start");
    await page.waitForURL(`${server.origin}/developer`);
    // The reference warns about a setting that its plugin writes; it is not ours.
    complaints.length = 0;
  });

  test("the viewer's own sample key is out of sight in the API reference", async () => {
    const other = await page.context().newPage();
    await other.goto(`${server.origin}/api/docs`);
    await other.waitForSelector("input[placeholder]");
    const samples = await other.evaluate(
      `[...document.querySelectorAll("input")].map((one) => [one.placeholder, getComputedStyle(one, "::placeholder").color])`,
    );
    // It looks like a real key: long, of letters and digits.
    const keys = (samples as [string, string][]).filter(([text]) => /^[\w+/=-]{16,}$/.test(text));
    expect(new Set(keys.map(([, color]) => color))).toEqual(new Set(["rgba(0, 0, 0, 0)"]));
    const shown = await other.evaluate("document.body.innerText");
    for (const [key] of keys) expect(shown).not.toContain(key);
    await other.close();
  });

  test("the usage of the last days has axes and a table; tabs have their own addresses", async () => {
    for (const [words, tab] of [
      ["Quick start", "quick-start"],
      ["Usage and credits", "usage"],
      ["Connected apps", "apps"],
    ]) {
      await page.click(`nav.tabs a:has-text("${words}")`);
      expect(page.url()).toBe(`${server.origin}/developer?tab=${tab}`);
      // The page's own policy allows no scripts; the browser's tools are exempt from it.
      await page.evaluate(AXE);
      const violations = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))",
      );
      expect([tab, violations]).toEqual([tab, []]);
      await shot(`developer-${tab}`);
    }
    await page.goto(`${server.origin}/developer?tab=usage`);
    expect(await page.locator("figure.plot .tick").count()).toBeGreaterThan(6);
    expect(await page.textContent("figure.plot figcaption")).toContain("1 in total");
    // A phone shows the newest day first.
    const size = page.viewportSize() ?? { width: 1280, height: 900 };
    await page.setViewportSize({ width: 390, height: 844 });
    const last = await page.locator("figure.plot .tick.fine").last().boundingBox();
    expect(last?.x).toBeWithin(195, 390);
    await page.setViewportSize(size);
    await page.goto(`${server.origin}/developer`);
  });

  test("revoking a key asks for confirmation once, and the key is then refused at once", async () => {
    await page.goto(`${server.origin}/developer`);
    const row = page.locator("tr", { hasText: "terminal" });
    await row.locator("summary").click();
    await row.getByRole("button", { name: "Revoke" }).click();
    expect(await page.textContent("#question")).toContain("Revoke the key terminal");
    expect((await ask("ticker=AAPL&limit=1")).status).toBe(200);
    await shot("developer-revoke");
    await page.click("#question button:has-text('Revoke')");
    expect(await page.textContent("[role=status]")).toContain("was revoked");
    expect((await ask("ticker=AAPL&limit=1")).status).toBe(401);
    await shot("developer-revoked");
  });

  test("rotation keeps the old key for the chosen time", async () => {
    const old = await server.createKey(EMAIL);
    await page.goto(`${server.origin}/developer`);
    const row = page.locator("tr", { hasText: old.slice(-4) });
    await row.locator("summary").click();
    await row.locator("select").selectOption("hour");
    await row.getByRole("button", { name: "Rotate" }).click();
    const fresh = (await page.textContent("#secret")) ?? "";
    await page.click("[data-leave]");
    const works = async (secret: string) =>
      (await server.get("/api/executive-compensation?ticker=AAPL&limit=1", { key: secret })).status;
    expect([await works(old), await works(fresh)]).toEqual([200, 200]);
    server.advance(3_600_000);
    expect([await works(old), await works(fresh)]).toEqual([401, 200]);
  });

  test("by keyboard alone, the first stop skips to the content", async () => {
    await page.goto(`${server.origin}/developer`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
  });

  test("fits a phone without scrolling sideways, and is dark for users who prefer it", async () => {
    await page.setViewportSize({ width: 375, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${server.origin}/developer`);
    const wide =
      "[...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll, pre') && e.getBoundingClientRect().right > 376).map((e) => e.outerHTML.slice(0, 80))";
    expect(await page.evaluate(wide)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(375);
    await shot("developer-phone-dark");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("without scripts everything still works", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    await tab.goto(`${server.origin}/developer`);
    expect(new URL(tab.url()).pathname).toBe("/sign-in");
    await tab.fill("input[name=email]", EMAIL);
    await tab.fill("input[name=password]", PASSWORD);
    await tab.click("main button.primary");
    await tab.fill("form:has([name=act][value=create]) input[name=name]", "no script");
    await tab.click("form:has([name=act][value=create]) button");
    expect(await tab.textContent("#secret")).toStartWith("xc_live_");
    await plain.close();
  });

  test("signing out everywhere ends this browser's session too", async () => {
    await page.goto(`${server.origin}/developer`);
    expect(await page.evaluate("sessionStorage.getItem('execcomp_key')")).not.toBeNull();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(`${server.origin}/sign-in?next=%2Fdeveloper`);
    expect(await page.evaluate("sessionStorage.getItem('execcomp_key')")).toBeNull();
    await shot("sign-in");
  });

  test("nothing was loaded from elsewhere and the browser reported no problem", () => {
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe("forms that were not made for the browser that sends them", () => {
  test("a key cannot be made from another site, or without the page's token", async () => {
    const server = await startTestServer();
    const answer = await server.get("/developer", {
      method: "POST",
      headers: { origin: "https://evil.example.com", "content-type": "application/x-www-form-urlencoded" },
      body: "name=evil",
      redirect: "manual",
    });
    // Whoever sends no session signs in first.
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `${server.origin}/sign-in?next=%2Fdeveloper`,
    ]);
    expect(await server.accounts.keys.list()).toEqual([]);
    await server.stop();
  });
});
