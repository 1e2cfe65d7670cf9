import { afterAll, beforeAll, expect, test } from "bun:test";
import { openEmbedded } from "../../src/dataset/embedded.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { type Fault, type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { testFolder } from "../support/edgar-client.ts";
import { type MadeCompany, madeCompany, madeCorpus } from "../support/edgar-made.ts";
import { refusalOf, rowsOf, startTestServer, type TestServer } from "../support/server.ts";

/** Real registrants without rows, each with a made-up proxy at the replayed EDGAR. */
let companies: MadeCompany[];
let replay: ReplayEdgar;

beforeAll(async () => {
  using folder = testFolder();
  const embedded = datasetOf(openEmbedded(folder.path), "embedded");
  companies = embedded
    .all<{ cik: number; ticker: string }>(
      "select cik, ticker from companies where row_count = 0 and ticker <> '' and newest_filing is not null order by cik limit 12",
    )
    .map(({ cik, ticker }) => ({ ...madeCompany(cik, 2025, 1, 1_234_000), ticker }));
  replay = await startReplay(madeCorpus(companies));
});
afterAll(() => replay.stop());

const PATH = "/api/executive-compensation?ticker=";

function start(settings = {}): Promise<TestServer> {
  const edgar = { edgarWwwUrl: replay.wwwUrl, edgarDataUrl: replay.dataUrl };
  const contact = "A Tester tester@example.com";
  return startTestServer({ ...edgar, contact, ...settings }, { fetch: (input, init) => fetch(input, init) });
}

function take(): MadeCompany {
  const company = companies.shift();
  if (company === undefined) throw new Error("more companies are needed");
  return company;
}

/** Repeats a request until it is no longer 503, moving the clock so that the server checks for a new snapshot. */
async function untilAnswered(server: TestServer, path: string, key: string): Promise<Response> {
  for (let tries = 0; tries < 4000; tries++) {
    const answer = await server.get(path, { key });
    if (answer.status !== 503) return answer;
    await Bun.sleep(25);
    server.advance(1000);
  }
  throw new Error("503 for ever");
}

test("a known company without rows: 503 with the reason and Retry-After, one fetch for fifty callers, then its rows", async () => {
  const server = await start();
  try {
    const company = take();
    const key = await server.createKey();
    replay.seen.splice(0);
    const release = replay.hold(/proxy/);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => server.get(PATH + company.ticker, { key })),
    );
    for (const answer of answers) {
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(answer.headers.get("credits-charged")).toBeNull();
      const { status, error, message } = await refusalOf(answer);
      expect([status, error]).toEqual([503, "Service Unavailable"]);
      expect(message).toContain(company.cik);
      expect(message).toContain("is being fetched from EDGAR");
    }
    // Requests for companies with rows are still answered.
    expect((await server.get(`${PATH}AAPL`, { key })).status).toBe(200);
    release();
    const answer = await untilAnswered(server, PATH + company.ticker, key);
    expect(answer.status).toBe(200);
    const rows = await rowsOf(answer);
    expect(rows.map(({ fiscal_year, salary }) => [fiscal_year, salary])).toEqual([
      [2025, 1_234_000],
      [2024, 1_233_000],
      [2023, 1_232_000],
    ]);
    expect(rows[0]?.source.form).toBe("DEF 14A");
    expect(replay.seen.map(({ path }) => path.replace(/.*\//, ""))).toEqual([
      `CIK${company.cik}.json`,
      "proxy2026.htm",
    ]);
    expect((await server.get(`${PATH}AAPL`, { key })).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test("anonymous facts start no fetch: 404, and no request to EDGAR", async () => {
  const server = await start();
  try {
    const company = take();
    replay.seen.splice(0);
    const answer = await server.get(`/t/${company.ticker}/facts`);
    expect(await refusalOf(answer)).toMatchObject({ status: 404, error: "Not Found" });
    await Bun.sleep(50);
    expect(replay.seen).toEqual([]);
  } finally {
    await server.stop();
  }
});

for (const fault of ["block-page", "429", "invalid-body", "redirect-away"] as Fault[]) {
  test(`if EDGAR answers ${fault}, 503 states the time to retry, immediately for later callers`, async () => {
    const server = await start();
    try {
      const company = take();
      const key = await server.createKey();
      replay.misbehave(new RegExp(company.cik), fault, fault === "invalid-body" ? 2 : 1);
      expect((await server.get(PATH + company.ticker, { key })).status).toBe(503);
      let message = "";
      let retry = 0;
      for (let tries = 0; tries < 4000 && !message.includes("EDGAR is unavailable"); tries++) {
        await Bun.sleep(25);
        const answer = await server.get(PATH + company.ticker, { key });
        retry = Number(answer.headers.get("retry-after"));
        ({ message } = await refusalOf(answer));
        if (answer.status !== 503) throw new Error(`${answer.status} ${message}`);
      }
      expect(message).toContain("EDGAR is unavailable right now");
      // The address of EDGAR is up to the operator.
      expect(message).not.toContain("http");
      const isCooling = fault === "block-page" || fault === "429";
      expect(retry).toBeGreaterThan(isCooling ? 500 : 30);
      expect(retry).toBeLessThanOrEqual(isCooling ? 600 : 60);
      expect((await server.get(`${PATH}AAPL`, { key })).status).toBe(200);
    } finally {
      await server.stop();
    }
  }, 300_000);
}

for (const settings of [{ contact: "" }, { offline: "true" }]) {
  test(`with ${JSON.stringify(settings)} a company without rows is 404 and EDGAR is not contacted`, async () => {
    const server = await start(settings);
    try {
      const company = take();
      const key = await server.createKey();
      replay.seen.splice(0);
      const { status, message } = await refusalOf(await server.get(PATH + company.ticker, { key }));
      expect(status).toBe(404);
      expect(message).toContain("No rows are available for");
      await Bun.sleep(50);
      expect(replay.seen).toEqual([]);
    } finally {
      await server.stop();
    }
  });
}
