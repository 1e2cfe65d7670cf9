/**
 * An owner in a real browser, without a terminal: invites a user, grants credits, reads the audit log; phone, dark,
 * no scripts.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Database } from "bun:sqlite";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const folder = tempFolder();
const SHOTS = join(import.meta.dir, "../../dist/screenshots");
const OWNER = { email: "owner@example.com", password: "an owner's long password" };

describe.skipIf(!hasBrowser)("an owner", () => {
  let server: TestServer;
  let edgar: ReplayEdgar;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let member = "";
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(SHOTS, { recursive: true });
    edgar = await startReplay(madeCorpus([madeCompany(9_000_001, 2025, 1)]));
    server = await startTestServer({
      contact: "Ann Lee ann@example.com",
      edgarWwwUrl: edgar.wwwUrl,
      edgarDataUrl: edgar.dataUrl,
    });
    const { signUps, users, keys } = server.accounts;
    await signUps.createWithPassword(OWNER.email, OWNER.password);
    member = (await users.findOrCreate("zoe@example.com")).id;
    await keys.create(member, { name: "Zoe's spreadsheet" });
    browser = await openBrowser();
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await edgar.stop();
  });

  const open = (path: string) => page.goto(server.origin + path);
  const shot = (name: string) => page.screenshot({ path: join(SHOTS, `admin-${name}.png`), fullPage: true });
  const note = () => page.textContent("[role=status]");

  test("reaches the sign-in page and returns, with a link to it on every page", async () => {
    await open("/admin/users");
    await page.fill("input[name=email]", OWNER.email);
    await page.fill("input[name=password]", OWNER.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/users$/);
    expect(await page.textContent("h1")).toBe("Users");
    await open("/");
    await page.click('nav >> text="Admin"');
    await page.waitForURL(/\/admin$/);
    expect(await page.textContent("h1")).toBe("Four things to set, one to load");
  });

  test("invites a user, who signs in with the link", async () => {
    await open("/admin/users");
    await page.fill("section input[name=email]", "bob@example.com");
    await page.click('button:has-text("Create invitation")');
    expect(await note()).toContain("Invitation for bob@example.com created");
    await shot("invited");
    const link = (await page.textContent("#link")) ?? "";
    const theirs = await browser.newContext();
    const tab = await theirs.newPage();
    await tab.goto(link);
    await tab.fill("input[name=password]", "bob's own long password");
    await tab.keyboard.press("Enter");
    await tab.waitForURL(`${server.origin}/`);
    await theirs.close();
    await open("/admin/users?q=bob");
    expect(await page.locator("tbody tr").count()).toBe(1);
  });

  test("grants credits with a click, once even if the form is sent again", async () => {
    await open("/admin/users");
    await page.click('a:has-text("zoe@example.com")');
    await page.fill("input[name=amount]", "500");
    await page.click('button:text-is("Add")');
    expect(await note()).toContain("500 credits added to zoe@example.com. New balance: 600 credits.");
    await shot("user");
    // What reloading the answer does: the same form again.
    await page.reload();
    expect(await page.textContent("[role=alert]")).toContain("submitted twice");
    expect(await page.textContent("#balance")).toBe("600 credits");
  });

  test("confirms once before revoking a key or disabling a user", async () => {
    await open(`/admin/users/${member}`);
    await page.click('button:has-text("Revoke")');
    expect(await page.textContent("#question")).toContain("Zoe's spreadsheet");
    await shot("question");
    await page.click('a:text-is("Cancel")');
    await page.click('button:text-is("Disable")');
    await page.click('#question button:text-is("Disable")');
    expect(await note()).toContain("zoe@example.com was disabled");
    await page.click('button:text-is("Enable")');
    expect(await note()).toContain("enabled");
    await open("/admin/users");
    await page.click(`a:has-text("${OWNER.email}")`);
    await page.click('button:text-is("Disable")');
    await page.fill("#question input[name=password]", OWNER.password);
    await page.click('#question button:text-is("Disable")');
    expect(await page.textContent("[role=alert]")).toContain("last owner");
  });

  test("makes a second owner with the password, who finds the pages, and takes the role again", async () => {
    const { users } = server.accounts;
    const bob = (await users.requireByEmail("bob@example.com")).id;
    await open(`/admin/users/${bob}`);
    await page.click('button:has-text("Make owner")');
    await shot("second-owner");
    await page.fill("#question input[name=password]", "wrong password here");
    await page.click("#question button.danger");
    expect(await page.textContent("#problem")).toContain("Wrong password");
    await page.fill("#question input[name=password]", OWNER.password);
    await page.click("#question button.danger");
    expect(await note()).toContain("bob@example.com is an owner now");
    const theirs = await browser.newContext();
    const tab = await theirs.newPage();
    await tab.goto(`${server.origin}/admin/users`);
    await tab.fill("input[name=email]", "bob@example.com");
    await tab.fill("input[name=password]", "bob's own long password");
    await tab.keyboard.press("Enter");
    await tab.waitForURL(/\/admin\/users$/);
    await theirs.close();
    await page.click('button:has-text("Make member")');
    await page.fill("#question input[name=password]", OWNER.password);
    await page.click("#question button.danger");
    expect(await note()).toContain("bob@example.com is a member now");
  });

  test("creates a link for a new password, withdraws an invitation, deletes a user", async () => {
    await open("/admin/users");
    await page.fill("section input[name=email]", "leaver@example.com");
    await page.fill("section input[name=credits]", "25");
    await page.click('button:has-text("Create invitation")');
    await page.click('button:has-text("Withdraw")');
    expect(await note()).toContain("was withdrawn");
    const { id } = await server.accounts.users.findOrCreate("leaver@example.com");
    await open(`/admin/users/${id}`);
    await page.click('button:has-text("Create a password reset link")');
    expect(await page.textContent("#link")).toContain("/reset?token=");
    await page.click('button:has-text("Delete")');
    await page.fill("#question input[name=password]", OWNER.password);
    await page.click("#question button.danger");
    expect(await note()).toContain("leaver@example.com was deleted");
  });

  test("sees who spent credits on what, by month, and downloads it", async () => {
    const { credits } = server.accounts;
    await credits.charge({
      userId: member,
      operation: "page:query",
      ticker: null,
      costCredits: 3,
      requestId: "r",
    });
    await open("/admin/usage");
    await page.selectOption("select[name=by]", "month");
    await page.click('button:text-is("Show")');
    const text = (await page.textContent("table")) ?? "";
    expect(text).toContain("zoe@example.com");
    expect(text).toContain("Ranking, comparison or statistics opened on a page");
    await shot("usage");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click('a:has-text("CSV")')]);
    expect(readFileSync(await download.path(), "utf8")).toContain("zoe@example.com");
  });

  test("finds the settings in force", async () => {
    await open("/admin/settings");
    expect(await page.textContent("main")).toContain("--public-rankings");
    await shot("settings");
  });

  test("sees in the audit log who did all this, and downloads it as CSV", async () => {
    await open("/admin/audit");
    const text = (await page.textContent("table")) ?? "";
    for (const words of [
      "Credits granted",
      "User invited",
      "Invitation accepted",
      "User disabled",
      "Role changed",
      "User deleted",
      "Invitation withdrawn",
      "operator",
    ])
      expect(text).toContain(words);
    await shot("audit");
    await page.selectOption("select[name=act]", "credits_granted");
    await page.click('button:text-is("Show")');
    expect(await page.locator("tbody tr").count()).toBe(1);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click('a:has-text("CSV")')]);
    const csv = readFileSync(await download.path(), "utf8");
    expect(csv).toContain('"{""balance"":600,""amount"":500}"');
    expect(csv.trim().split("\n")).toHaveLength(2);
  });

  test("takes a backup, which is a complete store", async () => {
    await open("/admin/backup");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click('button:text-is("Download backup")'),
    ]);
    const copy = new Database(await download.path(), { readonly: true });
    expect(copy.query<{ n: number }, []>("SELECT count(*) AS n FROM users").get()).toEqual({ n: 4 });
    copy.close();
  });

  test("installs a dataset by choosing a file, and returns to the previous one", async () => {
    await open("/admin/dataset");
    const file = writeTestSnapshot(folder, "made.sqlite", [testRecord({ name: "Acme" })], "2099-01-01");
    await page.setInputFiles("input[type=file]", file);
    await page.click('button:text-is("Install")');
    expect(await page.textContent("[role=alert]")).toContain("unsigned");
    await page.setInputFiles("input[type=file]", file);
    await page.check("input[name=trust]");
    await page.click('button:text-is("Install")');
    expect(await note()).toContain("Edition 2099-01-01");
    server.advance(2000);
    await open("/admin/dataset");
    await shot("dataset");
    await page.click('button:has-text("Roll back to")');
    await page.click('#question button:text-is("Roll back")');
    expect(await note()).toContain("will be in use within a second");
    server.advance(2000);
  }, 300_000);

  test("learns that a file is over the limit before a byte of it is sent", async () => {
    const file = join(folder, "large.sqlite");
    writeFileSync(file, "");
    truncateSync(file, 5 * 2 ** 30);
    await open("/admin/dataset");
    await page.setInputFiles("input[type=file]", file);
    const told = "document.querySelector('input[type=file]').validationMessage";
    expect(await page.evaluate(told)).toContain("exceeds the limit");
    await page.click('button:text-is("Install")');
    expect(page.url()).toEndWith("/admin/dataset");
  });

  test("sees the server's health, and runs the checks", async () => {
    await open("/admin/health");
    await page.click('button:text-is("Run checks now")');
    expect(await note()).toContain("The checks were run just now.");
    await shot("health");
  }, 300_000);

  test("sees an ingest end without a reload", async () => {
    await open("/admin/ingest");
    await page.fill("input[name=symbols]", "MC9000001");
    const release = edgar.hold(/./);
    await page.click("section >> nth=1 >> button.primary");
    expect(await page.textContent("#progress-title")).toBe("Running now");
    await shot("ingest");
    release();
    await page.waitForSelector('#progress-title:text-is("Last ingest")', { timeout: 120_000 });
    expect(await page.textContent("#progress pre")).toContain("1 company changed");
  }, 300_000);

  test("saw no error in the console, from any page", () =>
    expect(
      complaints.filter((text) => !text.includes("status of 400") && !text.includes("status of 403")),
    ).toEqual([]));
});
