/**
 * What an owner does, from the link that a new server prints to a restored backup, on the program itself and a real
 * sign-in provider: on a phone and on a desktop, light and dark, with the clicks counted.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { tempFolder } from "../support/folder.ts";
import { CLIENT, startProvider } from "../support/oidc.ts";
import { hasBrowser, openBrowser } from "../support/pages.ts";
import { PROGRAM } from "../support/program.ts";
import { testRecord } from "../support/record.ts";
import { startServerProcess } from "../support/server-process.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";
import { until } from "../support/until.ts";

const SHOTS = join(import.meta.dir, "../../dist/screenshots");
const AXE = readFileSync(join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"), "utf8");
// A separate port for each run, below those that the machine uses for outgoing connections.
const PORT = 20_000 + (process.pid % 10_000);
const OWNER = { email: "owner@example.com", password: "an owner's long password" };
const BOB = { email: "bob@example.com", password: "bob's own long password" };

const VIEWS = [
  { width: 390, scheme: "light" },
  { width: 1440, scheme: "dark" },
] as const;

/** In one test, because a process started by a test ends with it. */
async function everything({ width, scheme }: (typeof VIEWS)[number]): Promise<void> {
  const bob = { ...BOB };
  const folder = tempFolder();
  const dataDir = tempFolder();
  let clicks = 0;
  const complaints: string[] = [];

  const origin = `http://localhost:${PORT}`;
  const provider = await startProvider(() => [`${origin}/sign-in/provider/callback`]);
  provider.account.email = "ada@example.com";
  await using browser = await openBrowser();
  const serve = () =>
    startServerProcess(
      `--port ${PORT} --sso-issuer ${provider.issuer} --sso-client-id ${CLIENT.id} --sso-domains example.com`.split(
        " ",
      ),
      { dataDir, environment: { EXECCOMP_SSO_CLIENT_SECRET: CLIENT.secret } },
    );
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      isMobile: width < 500,
      hasTouch: width < 500,
      // As from another machine: on the server's own everything is free.
      extraHTTPHeaders: { via: "1.1 proxy" },
    });
    const made = await context.newPage();
    made.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    return made;
  };
  const page = await newPage();
  const his = await newPage();

  const click = async (what: string, on = page) => {
    clicks++;
    await on.click(what);
  };
  const fill = async (what: string, words: string, on = page) => {
    clicks++;
    await on.fill(what, words);
  };
  const choose = async (what: string, value: string) => {
    clicks++;
    await page.selectOption(what, value);
  };
  const note = (on = page) => on.textContent("[role=status]");
  const text = async (on = page) => ((await on.textContent("main")) ?? "").replaceAll(/\s+/g, " ");
  // The tabs of the owners' pages; on a phone the menu comes first.
  /** Its first page is what is left to set up, and the others are one click behind. */
  const toAdmin = async (tab = "Users") => {
    if (!(await page.isVisible('nav[aria-label=Main] >> text="Admin"'))) await click("input.menu");
    await click('nav[aria-label=Main] >> text="Admin"');
    await click(`nav[aria-label=Admin] >> text="${tab}"`);
    expect(await page.textContent("h1")).toBe(tab);
  };
  /** A picture to look at; nothing is wider than the window, and axe finds nothing. */
  const look = async (name: string, on = page) => {
    await on.screenshot({ path: join(SHOTS, `owner-${width}-${scheme}-${name}.png`), fullPage: true });
    const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect([name, await on.evaluate(wide)]).toEqual([name, 0]);
    await on.evaluate(AXE);
    const found = await on.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html).join(' ')))",
    );
    expect([name, found]).toEqual([name, []]);
  };
  /** One task, with the most clicks and fields that it may take. */
  const task = async (name: string, most: number, work: () => Promise<void>) => {
    clicks = 0;
    await work();
    console.log(`${width} ${scheme}: ${name}: ${clicks} of ${most}`);
    expect([name, clicks <= most]).toEqual([name, true]);
  };
  const signIn = async ({ email, password }: typeof OWNER, on = page) => {
    await fill("input[name=email]", email, on);
    await fill("input[name=password]", password, on);
    await on.keyboard.press("Enter");
  };

  let server = await serve();
  await task("sets the server up, and reads how visitors see rankings", 3, async () => {
    const linkOf = () => /http\S+\/set-up\?token=\S+/.exec(server.log() + server.output())?.[0];
    await until("the link is printed", () => linkOf() !== undefined);
    const link = linkOf() ?? "";
    await page.goto(link);
    expect(await text()).toContain("start the server with --public-rankings on");
    await look("set-up");
    await signIn(OWNER);
    clicks++;
    await page.waitForURL(`${origin}/admin`);
    await page.goto(link);
    expect(await page.textContent("h1")).toBe("This link has expired");
  });

  await task("invites a member with credits, who comes in with the link", 7, async () => {
    await page.goto(origin);
    await toAdmin();
    await fill("section input[name=email]", bob.email);
    await fill("section input[name=credits]", "250");
    await click('button:has-text("Create invitation")');
    expect(await note()).toContain(`Invitation for ${bob.email} created`);
    await look("invited");
    await his.goto((await page.textContent("#link")) ?? "");
    await look("invitation", his);
    await fill("input[name=password]", bob.password, his);
    await his.keyboard.press("Enter");
    await his.waitForURL(`${origin}/`);
  });

  await task("adds credits, and sees who spent what on what", 10, async () => {
    await his.goto(`${origin}/t/AAPL`);
    await his.click('main button:has-text("credit")');
    await his.waitForURL(/\/t\/AAPL/);
    await page.goto(origin);
    await toAdmin();
    await click(`a:has-text("${bob.email}")`);
    await fill("input[name=amount]", "500");
    await click('button:text-is("Add")');
    expect(await note()).toContain(`500 credits added to ${bob.email}. New balance: 749 credits.`);
    await look("user");
    await click('nav[aria-label=Admin] >> text="Usage"');
    expect(await text()).toMatch(/1 credit used/);
    const row = (await page.textContent("tbody tr"))?.replaceAll(/\s+/g, " ");
    expect(row).toContain(`${bob.email} History opened on a page`);
    await look("usage");
    await choose("select[name=by]", "month");
    await click('button:text-is("Show")');
    const [download] = await Promise.all([page.waitForEvent("download"), click('a:has-text("CSV")')]);
    expect(readFileSync(await download.path(), "utf8")).toContain(`"${bob.email}"`);
  });

  await task("makes a link for a new password, and its user comes in with it", 6, async () => {
    await page.goto(origin);
    await toAdmin();
    await click(`a:has-text("${bob.email}")`);
    await click('button:has-text("Create a password reset link")');
    const link = (await page.textContent("#link")) ?? "";
    bob.password = "bob's second long password";
    await his.goto(link);
    await look("reset", his);
    await fill("input[name=password]", bob.password, his);
    await his.keyboard.press("Enter");
    await his.waitForURL(`${origin}/`);
  });

  await task("blocks a user and lets him in again", 9, async () => {
    await page.goto(origin);
    await toAdmin();
    await click(`a:has-text("${bob.email}")`);
    await click('button:text-is("Disable")');
    await look("block");
    await click('#question button:text-is("Disable")');
    expect(await note()).toContain(`${bob.email} was disabled`);
    await his.goto(`${origin}/developer`);
    expect(his.url()).toContain("/sign-in");
    await signIn(bob, his);
    expect(await his.textContent("[role=alert]")).toContain("Wrong e-mail or password");
    await click('button:text-is("Enable")');
    await his.goto(`${origin}/sign-in`);
    await his.fill("input[name=email]", bob.email);
    await his.fill("input[name=password]", bob.password);
    await his.keyboard.press("Enter");
    await his.waitForURL(`${origin}/`);
  });

  await task("makes a second owner, who opens the owners' pages", 7, async () => {
    await page.goto(origin);
    await toAdmin();
    await click(`a:has-text("${bob.email}")`);
    await click('button:has-text("Make owner")');
    await look("second-owner");
    await fill("#question input[name=password]", OWNER.password);
    await click("#question button.danger");
    expect(await note()).toContain(`${bob.email} is an owner now`);
    await his.goto(`${origin}/admin/users`);
    expect(await his.textContent("h1")).toBe("Users");
  });

  await task("tests the sign-in provider, through which somebody comes in", 5, async () => {
    await page.goto(origin);
    await toAdmin("Settings");
    await click('button:has-text("Test the sign-in provider")');
    expect(await note()).toContain(`The sign-in provider ${provider.issuer} answers`);
    await look("settings");
    const hers = await newPage();
    await hers.goto(`${origin}/sign-in`);
    await look("sign-in", hers);
    await click('a:has-text("Sign in with")', hers);
    await hers.waitForURL(`${origin}/`);
    expect(provider.asked.length).toBeGreaterThan(0);
    await hers.goto(`${origin}/developer`);
    expect(await hers.textContent("header")).toContain("ada@example.com");
    await look("welcome", hers);
    await hers.context().close();
    await page.goto(`${origin}/admin/users?q=ada`);
    expect(await page.textContent("tbody")).toContain("ada@example.com");
  });

  await task("updates the dataset while the server answers", 6, async () => {
    const file = writeTestSnapshot(folder, "newer.sqlite", [testRecord({ name: "Acme" })], "2099-01-01");
    await page.goto(origin);
    await toAdmin("Dataset");
    await look("dataset");
    clicks++;
    await page.setInputFiles("input[type=file]", file);
    await page.check("input[name=trust]");
    clicks++;
    await click('button:text-is("Install")');
    expect(await note()).toContain("Edition 2099-01-01");
    await until("the newer dataset is served", async () =>
      ((await fetch(`${origin}/readyz`)).headers.get("dataset") ?? "").includes("2099-01-01"),
    );
    await his.goto(`${origin}/search?q=acme`);
    expect(await text(his)).toContain("Acme");
  });

  await task("reads who did what", 5, async () => {
    await page.goto(origin);
    await toAdmin("Audit log");
    const table = (await page.textContent("table")) ?? "";
    for (const words of [
      "User created",
      "User invited",
      "Invitation accepted",
      "Credits granted",
      "Reset link created",
      "Password changed",
      "User disabled",
      "User enabled",
      "Role changed",
      "User registered",
      "Dataset installed",
      "Usage exported",
    ])
      expect(table).toContain(words);
    await look("audit");
    await choose("select[name=act]", "role_changed");
    await click('button:text-is("Show")');
    expect(await page.locator("tbody tr").count()).toBe(1);
    expect(await page.textContent("tbody")).toContain(OWNER.email);
  });

  await task("takes a backup, loses a user, restores the backup, and signs in again", 11, async () => {
    await page.goto(origin);
    await toAdmin("Backup");
    await look("backup");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      click('button:text-is("Download backup")'),
    ]);
    const file = join(folder, "backup.sqlite");
    await download.saveAs(file);
    await click('nav[aria-label=Admin] >> text="Users"');
    await click(`a:has-text("${bob.email}")`);
    await click('button:has-text("Delete")');
    await look("delete");
    await fill("#question input[name=password]", OWNER.password);
    await click("#question button.danger");
    expect(await note()).toContain(`${bob.email} was deleted`);
    await server.stop();
    const restored = Bun.spawnSync([...PROGRAM, "restore", file, "--data-dir", dataDir]);
    expect([restored.exitCode, restored.stderr.toString()]).toEqual([0, expect.any(String)]);
    server = await serve();
    const again = await newPage();
    await again.goto(`${origin}/sign-in?next=/admin/users`);
    await signIn(OWNER, again);
    await again.waitForURL(`${origin}/admin/users`);
    expect(await again.textContent("tbody")).toContain(bob.email);
    await look("users", again);
    await his.goto(`${origin}/sign-in`);
    await his.fill("input[name=email]", bob.email);
    await his.fill("input[name=password]", bob.password);
    await his.keyboard.press("Enter");
    await his.waitForURL(`${origin}/`);
    await again.goto(`${origin}/admin/audit`);
    expect(await again.textContent("table")).toContain("Backup restored");
  });

  expect(complaints.filter((line) => !/status of (401|403|410)/.test(line))).toEqual([]);
  await server.stop();
  await provider.stop();
}

describe.skipIf(!hasBrowser)("an owner does everything", () => {
  mkdirSync(SHOTS, { recursive: true });
  test.each(VIEWS)("at $width px, $scheme", everything, 900_000);
});
