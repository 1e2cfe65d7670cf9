/** What the first owner sees: four things to set, and one button that loads the S&P 500 from the SEC. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memberCoverage } from "../../src/dataset/members.ts";
import { BrowserSession, readForm } from "../contract/oauth/support.ts";
import { fieldsOf } from "../support/html.ts";
import { tempFolder } from "../support/folder.ts";
import { startMailServer } from "../support/mail-server.ts";
import { CLIENT, startProvider } from "../support/oidc.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const OWNER = { email: "ann@example.com", password: "an owner's long password" };

let server: TestServer;
afterEach(() => server.stop());

/** Goes through the set-up link, as the first owner does. */
async function setUp(settings: Parameters<typeof startTestServer>[0] = {}, program?: readonly string[]) {
  server = await startTestServer(settings);
  if (program !== undefined) server.services.program = program;
  const owner = new BrowserSession(server);
  const { action, hidden } = await readForm(await owner.open(await server.setUpLink()));
  const entered = await owner.submit(action, { ...hidden, ...OWNER });
  return { owner, entered };
}

const textOf = async (answer: Response | Promise<Response>) =>
  (await (await answer).text()).replaceAll(/\s+/g, " ");

test("the interval of backups is the one that is set, on each page", async () => {
  const folder = tempFolder();
  const { owner } = await setUp({ backupDir: folder, backupEvery: "30m" });
  expect(await textOf(owner.open("/admin"))).toContain(`${folder}: a copy every 30 minutes`);
  expect(await textOf(owner.open("/admin/backup"))).toContain(`in ${folder} every 30 minutes`);
});

test("a failed backup is on each page with its reason, until one is made", async () => {
  const { owner } = await setUp({ backupDir: tempFolder() });
  const reason = "No space is left for /b/x.sqlite. Free some, or use another disk.";
  expect(await textOf(owner.open("/admin"))).toContain("the first is due");
  server.services.backups.failure = reason;
  const text = await textOf(owner.open("/admin"));
  expect(text).toContain(reason);
  expect(text).not.toContain("the first is due");
  expect(await textOf(owner.open("/admin/backup"))).toContain(`The last one failed. ${reason}`);
  server.services.backups.failure = null;
  expect(await textOf(owner.open("/admin/backup"))).not.toContain("failed");
});

test("the first owner lands on it: each thing says its state and the line that sets it, and the load its figures", async () => {
  const { owner, entered } = await setUp();
  expect(entered.headers.get("location")).toBe(`${server.origin}/admin`);
  const text = await textOf(owner.open("/admin"));
  for (const state of ["not set", "by invitation", "none yet", "not set"]) expect(text).toContain(state);
  for (const line of ["smtp-url = ", "mail-from = ", "sso-issuer = ", "backup-dir = ", "contact = "])
    expect(text).toContain(line);
  expect(text).toContain(`${server.origin}/sign-in/provider/callback`);
  const { filings, collected, members, withRows, withTotal } = memberCoverage(
    server.services.snapshots.current(),
    "sp500",
  );
  expect(members).toBe(500);
  expect(filings).toBeGreaterThan(100);
  expect(text).toContain(`about ${filings} filings, ${collected} of them in place of collected rows`);
  expect(collected).toBeGreaterThan(200);
  for (const count of [withRows, withTotal]) expect(text).toContain(`<dd>${count}</dd>`);
  // The same as on the home page.
  expect(await textOf(owner.open("/"))).toContain(`of ${withTotal} companies`);
  expect(text).toContain(">Load the S&P 500</button>".replace("&", "&amp;"));
  // Nothing is sent before it is pressed, and a name and an address are needed.
  const load = await fieldsOf(owner, "/admin", "load");
  for (const given of [
    { name: "", email: OWNER.email },
    { name: "Ann", email: "" },
    { name: "Ann\r\nX-Header: 1", email: OWNER.email },
    { name: "Ann", email: "no address" },
  ])
    expect((await owner.submit("/admin", { ...load, ...given })).status).toBe(400);
  // Users have an address of their own; members see neither.
  expect(await textOf(owner.open("/admin/users"))).toContain("1 user, by e-mail");
  const member = new BrowserSession(server);
  await server.accounts.signUps.createWithPassword("zoe@example.com", "a member's long password");
  await member.signIn({ email: "zoe@example.com", password: "a member's long password" });
  for (const path of ["/admin", "/admin/users"]) expect((await member.open(path)).status).toBe(403);
});

test("the empty page of a company offers the load to owners alone", async () => {
  const { owner } = await setUp({ localPages: "sign-in" });
  const [cik = ""] = memberCoverage(server.services.snapshots.current(), "sp500").ciks.filter(
    (one) => server.services.snapshots.current().findByCik(one)?.hasRows === false,
  );
  const offered = `href="/admin#load"`;
  const path = `/c/${cik}`;
  const open = async (browser: Pick<BrowserSession, "open">) => {
    const answer = await browser.open(path);
    const next = answer.headers.get("location");
    return textOf(next === null ? answer : browser.open(next));
  };
  expect(await open(owner)).toContain(offered);
  expect(await open(new BrowserSession(server))).not.toContain(offered);
});

test("what is set can be tried, and the page goes once all is done", async () => {
  const mail = await startMailServer();
  const provider = await startProvider(() => []);
  const backupDir = join(tempFolder(), "backups");
  try {
    const { owner } = await setUp({
      smtpUrl: mail.url,
      mailFrom: "pay@example.com",
      backupDir,
      contact: "Ann ann@example.com",
      ssoIssuer: provider.issuer,
      ssoClientId: CLIENT.id,
      edgarWwwUrl: "http://127.0.0.1:9",
    });
    const press = async (act: string) => textOf(owner.submit("/admin", await fieldsOf(owner, "/admin", act)));
    server.runtime.fetch = fetch;
    expect(await press("mail")).toContain(`accepted a message to ${OWNER.email}`);
    expect(await press("backups")).toContain(`could be written to ${backupDir}`);
    // Nobody listens on port 9, and no host has such a name.
    expect(await press("contact")).toContain("127.0.0.1:9 cannot be reached (connection refused)");
    server.runtime.fetch = () => Promise.reject(new DOMException("The operation timed out.", "TimeoutError"));
    expect(await press("contact")).toContain(
      "cannot be reached (The operation timed out). Check the network",
    );
    await mail.stop();
    expect(await press("mail")).toContain("did not accept the message: connection refused (127.0.0.1:");
    const text = await textOf(owner.open("/admin"));
    for (const button of ["Set up mail", "Add a provider", "Choose a folder", "Set the contact"])
      expect(text).not.toContain(button);
    expect(text).toContain(">Set up</a>");
  } finally {
    await mail.stop();
    await provider.stop();
  }
});

describe("without a network", () => {
  test("it says what to do on a machine that has one, and how the file comes here", async () => {
    const { owner } = await setUp({ offline: "true" });
    const text = await textOf(owner.open("/admin"));
    const { since } = memberCoverage(server.services.snapshots.current(), "sp500");
    expect(text).toContain(`execcomp ingest --pending --index sp500 --since ${since} --contact`);
    expect(text).toContain("execcomp data export --format sqlite --out pay.sqlite");
    expect(text).toContain('action="/admin/dataset/upload"');
    expect(text).not.toContain("Load the S&amp;P 500</button>");
    // What would have no effect is not proposed.
    for (const line of ["smtp-url =", "sso-issuer =", "contact =", "asked below"])
      expect(text).not.toContain(line);
    const settings = await textOf(owner.open("/admin/settings"));
    expect(settings).toContain("E-mail is off: <code>--offline</code> is set.");
  });

  test("a load that cannot reach the SEC says why, with the same steps, and can be continued", async () => {
    const says = `console.error("Cannot get /files from EDGAR: connection refused."); process.exit(1);`;
    const { owner } = await setUp({}, [process.execPath, "-e", says]);
    const load = { ...(await fieldsOf(owner, "/admin", "load")), name: "Ann", email: OWNER.email };
    expect((await owner.submit("/admin", load)).status).toBe(303);
    let text = "";
    await until("it has failed", async () => {
      text = await textOf(owner.open("/admin"));
      return text.includes("connection refused");
    });
    expect(text).toContain("execcomp data export --format sqlite --out pay.sqlite");
    expect(text).toMatch(/Continue, \d+ left/);
    expect((await server.accounts.audit.list({ limit: 1 }))[0]).toMatchObject({
      act: "ingest_started",
      actor: OWNER.email,
    });
  });
});

test("progress, reasons and what is left survive a reload and a restart", async () => {
  const dataDir = tempFolder();
  mkdirSync(join(dataDir, "reports"));
  const note = (name: string, value: object) =>
    writeFileSync(join(dataDir, "reports", name), JSON.stringify(value));
  const reasons = [
    { reason: "no Summary Compensation Table was found", n: 2, filings: ["0000000001-26-000001"] },
  ];
  const progress = {
    pid: process.pid,
    request: "pending, since 2025-03-04",
    state: "running",
    done: 200,
    total: 374,
    startedAtMs: 0,
    updatedAtMs: Date.UTC(2026, 5, 1),
    documents: 212,
    rows: 600,
    problems: 0,
    bytes: 1,
    seconds: 30,
    read: 209,
    refused: 2,
    failed: 1,
    reasons,
    report: [],
    snapshot: null,
  };
  note("load.json", { filings: 312, since: "2025-03-04", contact: "Ann ann@example.com" });
  const { owner } = await setUp({ dataDir });
  const shows = async (text: string) => (await textOf(owner.open("/admin"))).includes(text);
  note("ingest-progress.json", { ...progress, updatedAtMs: server.runtime.now() });
  expect(await shows("212 of 312 filings")).toBe(true);
  expect(await textOf(owner.open("/admin/ingest"))).toContain("0 problems, 1 failed,");
  expect(await shows("<strong>209</strong> read, <strong>2</strong> refused, 1 failed")).toBe(true);
  expect(await shows("no Summary Compensation Table was found")).toBe(true);
  expect(await shows("Why refused or failed")).toBe(true);
  expect(await shows("100 left, less than a minute")).toBe(true);
  // It ended, and some filings failed: what was read is in use.
  note("ingest-progress.json", { ...progress, state: "ended", read: 13, refused: 0, failed: 6, reasons: [] });
  expect(await shows("<strong>13</strong> read, <strong>none</strong> refused, 6 failed")).toBe(true);
  expect(await shows("Done with a warning: 6 filings could not be fetched or read")).toBe(true);
  note("ingest-progress.json", { ...progress, state: "ended", failed: 0 });
  expect(await shows("Done with a warning")).toBe(false);
  // Its process is gone: what was fetched is kept.
  note("ingest-progress.json", { ...progress, pid: 2 ** 22 + 1 });
  expect(await shows("Continue, 100 left")).toBe(true);
  expect(await shows('value="Ann"')).toBe(true);
  await until("it is still so", () => shows("Continue, 100 left"));
});
