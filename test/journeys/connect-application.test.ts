import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  addPerson,
  authorizeUrl,
  callHistory,
  codeFields,
  PERSON,
  postForm,
  readJson,
  register,
} from "../contract/oauth/support.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** The folder for screenshots to review. */
const SHOTS = join(import.meta.dir, "../../dist/screenshots");

/** An application's own site: a page with the link that a person follows, and the address of the redirect. */
function startApplication() {
  const answers: URL[] = [];
  let link = "";
  const baseUrls = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const url = new URL(request.url);
      const html = { headers: { "content-type": "text/html" } };
      if (url.pathname === "/callback") {
        answers.push(url);
        return new Response("<h1>Connected</h1><a href='https://nowhere.invalid'>x</a>", html);
      }
      return new Response(`<a id="go" href="${Bun.escapeHTML(link)}">Connect</a>`, html);
    },
  });
  return {
    origin: `http://127.0.0.1:${baseUrls.port}`,
    answers,
    leadTo: (url: string) => void (link = url),
    stop: () => baseUrls.stop(true),
  };
}

describe.skipIf(!hasBrowser)("a person connects an application in a real browser", () => {
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let application: ReturnType<typeof startApplication>;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    server = await startTestServer();
    await addPerson(server);
    application = startApplication();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await application.stop();
    await server.stop();
  });

  async function freshPage(options: Parameters<Browser["newContext"]>[0] = {}): Promise<void> {
    await context?.close();
    complaints.length = 0;
    context = await browser.newContext(options);
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
  }

  async function connectTo(redirectUri: string, name = "Browser test"): Promise<string> {
    const client = await register(server, { client_name: name, redirect_uris: [redirectUri] });
    const clientId = String(client["client_id"]);
    application.leadTo(authorizeUrl(server, clientId, { redirect_uri: redirectUri }));
    // Two names of this computer are two sites: the person arrives from a different one.
    await page.goto(`${application.origin}/`);
    await page.click("#go");
    return clientId;
  }

  async function signIn(): Promise<void> {
    await page.fill("input[name=email]", PERSON.email);
    await page.fill("input[name=password]", PERSON.password);
    await page.keyboard.press("Enter");
    await page.waitForSelector("button[value=approve]");
  }

  test("from the application's site through sign-in and approval back to the application, and the token works", async () => {
    await freshPage();
    const redirect = `${application.origin}/callback`;
    const clientId = await connectTo(redirect);
    expect(new URL(page.url()).origin).toBe(server.origin);
    await page.screenshot({ path: join(SHOTS, "oauth-sign-in.png"), fullPage: true });
    await signIn();
    await page.screenshot({ path: join(SHOTS, "oauth-consent.png"), fullPage: true });
    await page.click("button[value=approve]");
    await page.waitForURL(`${application.origin}/callback?**`);
    expect(await page.textContent("h1")).toBe("Connected");
    const back = application.answers.at(-1);
    expect(back?.searchParams.get("state")).toBe("s t/a?t&e=");
    expect(back?.searchParams.get("iss")).toBe(server.origin);
    const code = back?.searchParams.get("code") ?? "";
    const fields = codeFields(server, clientId, code, { redirect_uri: redirect });
    const tokens = await readJson(await postForm(server, "/oauth/token", fields));
    expect((await callHistory(server, String(tokens["access_token"]))).status).toBe(200);
    expect(complaints).toEqual([]);
    // No referrer of ours is sent to the next site.
    expect(await page.evaluate("document.referrer")).toBe("");

    await page.goBack();
    const again = page.locator("button[value=approve]");
    if ((await again.count()) > 0) {
      await again.click();
      await page.waitForLoadState();
      expect(await page.textContent("h1")).toBe("Already connected");
    }
  });

  test("deny redirects back too", async () => {
    await freshPage();
    await connectTo(`${application.origin}/callback`);
    await signIn();
    await page.click("button[value=deny]");
    await page.waitForURL(`${application.origin}/callback?**`);
    expect(application.answers.at(-1)?.searchParams.get("error")).toBe("access_denied");
    expect(complaints).toEqual([]);
  });

  test("an application with its own URI scheme is reached", async () => {
    await freshPage();
    const redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
    await connectTo(redirect, "Cursor");
    await signIn();
    const session = await context.newCDPSession(page);
    await session.send("Page.enable");
    await session.send("Network.enable");
    const asked: string[] = [];
    session.on("Network.requestWillBeSent", ({ request }) => void asked.push(request.url));
    session.on("Page.frameRequestedNavigation", ({ url }) => void asked.push(url));
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await page.click("button[value=approve]");
    const response = await answered;
    expect(response.status()).toBe(303);
    expect(await response.headerValue("location")).toStartWith(`${redirect}?code=xc_ac_`);
    await until("the browser goes there", () => asked.some((url) => url.startsWith(redirect)));
    // The page's policy blocks nothing.
    expect(complaints.filter((text) => /content security|refused|form-action/i.test(text))).toEqual([]);
  });

  test("with form-action in the policy the redirect is blocked: this test would notice", async () => {
    await freshPage();
    await page.route("**/oauth/authorize/consent**", async (route) => {
      if (route.request().method() !== "GET") return route.continue();
      const response = await route.fetch();
      const headers = response.headers();
      headers["content-security-policy"] = `${headers["content-security-policy"] ?? ""}; form-action 'self'`;
      return route.fulfill({ response, headers });
    });
    const before = application.answers.length;
    await connectTo(`${application.origin}/callback`);
    await signIn();
    // The target of a redirect is not rewritten; a page opened directly is.
    await page.reload();
    await page.click("button[value=approve]");
    await until("the browser reports form-action", () =>
      complaints.some((text) => text.includes("form-action")),
    );
    expect(application.answers.length).toBe(before);
  });

  test("with the keyboard alone, on a phone, in the dark", async () => {
    await freshPage({ viewport: { width: 360, height: 640 }, colorScheme: "dark", hasTouch: true });
    await connectTo(`${application.origin}/callback`);
    await page.screenshot({ path: join(SHOTS, "oauth-sign-in-phone.png"), fullPage: true });
    // The e-mail field has the focus when the page opens.
    await page.keyboard.type(PERSON.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PERSON.password);
    await page.keyboard.press("Enter");
    await page.waitForSelector("button[value=approve]");
    await page.screenshot({ path: join(SHOTS, "oauth-consent-phone.png"), fullPage: true });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(360);
    for (const value of ["approve", "deny"]) {
      const box = await page.locator(`button[value=${value}]`).boundingBox();
      expect(box?.height ?? 0).toBeGreaterThanOrEqual(40);
    }
    // Approve and deny have equal weight.
    const styles = await page.evaluate(
      `["approve", "deny"].map((value) => {
        const style = getComputedStyle(document.querySelector(\`button[value=\${value}]\`));
        return [style.backgroundColor, style.color, style.fontWeight, style.fontSize, style.borderColor].join();
      })`,
    );
    expect(new Set(styles as string[]).size).toBe(1); // The page gives a list of texts.
    for (let n = 0; n < 20; n++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.value")) === "approve") break;
    }
    await page.keyboard.press("Enter");
    await page.waitForURL(`${application.origin}/callback?**`);
    expect(application.answers.at(-1)?.searchParams.has("code")).toBe(true);
  });

  test("using another account returns to the same request", async () => {
    await freshPage();
    const other = { email: "eve@example.com", password: "another long password" };
    await addPerson(server, other);
    await connectTo(`${application.origin}/callback`);
    await signIn();
    expect(await page.textContent("main")).toContain(PERSON.email);
    await page.click("text=Use another account");
    await page.fill("input[name=email]", other.email);
    await page.fill("input[name=password]", other.password);
    await page.keyboard.press("Enter");
    await page.waitForSelector("button[value=approve]");
    expect(await page.textContent("main")).toContain(other.email);
    await page.click("button[value=approve]");
    await page.waitForURL(`${application.origin}/callback?**`);
    const userId = (await server.accounts.users.findByEmail(other.email))?.id;
    expect(application.answers.at(-1)?.searchParams.has("code")).toBe(true);
    expect(userId).toBeDefined();
  });
});
