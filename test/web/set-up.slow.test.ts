/** The one button, against a replayed EDGAR: every known filing of the S&P 500's members, one in twenty bad, stopped on the way. */
import { expect, test } from "bun:test";
import { memberCoverage } from "../../src/dataset/members.ts";
import { BrowserSession } from "../contract/oauth/support.ts";
import { startReplay } from "../support/edgar.ts";
import { madeCorpus } from "../support/edgar-made.ts";
import { madeMembers } from "../support/edgar-members.ts";
import { fieldsOf } from "../support/html.ts";
import { startTestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const OWNER = { email: "ann@example.com", password: "an owner's long password" };

test("loads the members, tells what was refused, and continues after a stop and a restart", async () => {
  const first = await startTestServer();
  const dataset = first.services.snapshots.current();
  const before = memberCoverage(dataset, "sp500");
  // 3 in 100 are not there, 2 in 100 have no table.
  const documentOf = (nth: number, made: string) =>
    nth % 33 === 0 ? null : nth % 50 === 0 ? "<html><body><p>Nothing.</p></body></html>" : made;
  const companies = madeMembers(dataset, Number.POSITIVE_INFINITY, documentOf);
  const filings = companies.flatMap((company) => company.filings);
  expect(filings).toHaveLength(before.filings);
  await first.stop();
  const edgar = await startReplay(madeCorpus(companies));
  const settings = { edgarWwwUrl: edgar.wwwUrl, edgarDataUrl: edgar.dataUrl };
  const server = await startTestServer(settings);
  let again: Awaited<ReturnType<typeof startTestServer>> | undefined;
  try {
    await server.accounts.signUps.createWithPassword(OWNER.email, OWNER.password);
    let owner = new BrowserSession(server);
    await owner.signIn(OWNER);
    // Pages are limited by the test's clock, datasets looked at by it.
    const page = async () => {
      await Bun.sleep(300);
      (again ?? server).advance(300);
      return (await (await owner.open("/admin")).text()).replaceAll(/\s+/g, " ");
    };
    const press = async (act: string, more: Record<string, string> = {}) =>
      owner.submit("/admin", { ...(await fieldsOf(owner, "/admin", act)), ...more });
    const contact = { name: "Ann", email: OWNER.email };
    await press("load", contact);
    const doneOf = (text: string) => Number(/(\d+) of \d+ filings/.exec(text)?.[1] ?? 0);
    await until("a third of it came", async () => doneOf(await page()) > filings.length / 3);
    await press("stop", { sure: "yes" });
    await until("it has stopped", async () => !(await page()).includes("data-live"));
    const left = Number(/Continue, (\d+) left/.exec(await page())?.[1]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(filings.length);
    expect(
      edgar.seen.every(({ headers }) => headers.get("user-agent")?.includes("Ann ann@example.com")),
    ).toBe(true);
    // Another server on the same folder goes on where this one stopped.
    const { dataDir } = server.services.config;
    await server.services.close();
    again = await startTestServer({ ...settings, dataDir });
    owner = new BrowserSession(again);
    await owner.signIn(OWNER);
    expect(await page()).toContain(`Continue, ${left} left`);
    const fetched = edgar.seen.filter(
      ({ path, status }) => status === 200 && path.includes("/Archives/"),
    ).length;
    await press("load", contact);
    await until("all came", async () => !(await page()).includes("data-live"));
    const documents = edgar.seen.filter(({ path, status }) => status === 200 && path.includes("/Archives/"));
    // No document is fetched twice but those under way when it was stopped.
    expect(documents.length).toBeLessThanOrEqual(filings.length + 30);
    expect(documents.length).toBeGreaterThan(fetched);
    await until("the new dataset is in use", async () =>
      (await page()).includes("Every known proxy statement"),
    );
    const text = await page();
    const missing = filings.filter(({ document }) => document === null).length;
    const refused = filings.filter(({ document }) => document?.includes("Nothing.")).length;
    expect(text).toContain(
      `<strong>${filings.length - missing - refused}</strong> read, <strong>${refused}</strong> refused, ${missing} failed`,
    );
    const after = memberCoverage(again.services.snapshots.current(), "sp500");
    expect(after.withRows).toBeGreaterThan(before.withRows + 70);
    // Collected rows stay where their document could not be read, and nowhere else.
    const collected = "select accession from filings where read = 'collected'";
    const stay = again.services.snapshots.current().all<{ accession: string }>(collected);
    const read = filings.filter(({ document }) => document !== null && !document.includes("Nothing."));
    const replaced = new Set(read.map(({ accession }) => accession));
    expect(stay.filter(({ accession }) => replaced.has(accession))).toEqual([]);
    expect(after.filings).toBe(0);
  } finally {
    await again?.stop();
    await server.stop();
    await edgar.stop();
  }
}, 600_000);
