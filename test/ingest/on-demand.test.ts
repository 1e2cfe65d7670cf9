import { expect, test } from "bun:test";
import type { Company } from "../../src/domain/company.ts";
import { createOnDemand, type OnDemandOutcome } from "../../src/ingest/on-demand.ts";

const company = (cik: number): Company => ({
  cik: String(cik).padStart(10, "0"),
  name: `Company ${cik}`,
  ticker: `T${cik}`,
  hasRows: false,
  newestKnown: {
    accession: "0000000001-26-000001",
    form: null,
    filingDate: "2026-03-01",
    url: null,
    isLoaded: false,
  },
  fiscalYearEnd: null,
});

/** A queue whose jobs end when the test says so. */
function queue() {
  let nowMs = 1_000_000;
  const started: string[] = [];
  const ends = new Map<string, (outcome: OnDemandOutcome | Error) => void>();
  const demand = createOnDemand({
    now: () => nowMs,
    work({ cik }) {
      started.push(cik);
      const { promise, resolve, reject } = Promise.withResolvers<OnDemandOutcome>();
      ends.set(cik, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
      return promise;
    },
  });
  const end = async (of: Company, outcome: OnDemandOutcome | Error) => {
    ends.get(of.cik)?.(outcome);
    await Bun.sleep(0);
  };
  return { demand, started, end, advance: (ms: number) => void (nowMs += ms) };
}

test("however many callers ask, a company is fetched once, and each gets its name and the time to retry", () => {
  const { demand, started } = queue();
  for (let asked = 0; asked < 100; asked++) {
    const told = demand.request(company(1), asked % 2 === 0);
    expect(told?.message).toContain("Company 1");
    expect(told?.message).toContain("0000000001-26-000001");
    expect(told?.retryAfterSeconds).toBeGreaterThan(0);
  }
  expect(started).toEqual(["0000000001"]);
});

test("a caller who may not start a fetch starts none, and learns of one that another caller started", () => {
  const { demand, started } = queue();
  expect(demand.request(company(1), false)).toBeNull();
  expect(started).toEqual([]);
  demand.request(company(1), true);
  expect(demand.request(company(1), false)?.message).toContain("is being fetched");
});

test("two are fetched at a time, fifty wait, and the next is turned away without being remembered", async () => {
  const { demand, started, end } = queue();
  for (let at = 1; at <= 52; at++)
    expect(demand.request(company(at), true)?.message).toContain("is being fetched");
  expect(started.length).toBe(2);
  expect(demand.request(company(99), true)).toMatchObject({ retryAfterSeconds: 30 });
  expect(demand.busy).toBe(52);
  await end(company(1), { kind: "nothing", why: "" });
  expect(started.length).toBe(3);
  expect(demand.request(company(99), true)?.message).toContain("is being fetched");
});

test("rows about to be served are announced for a moment, then the dataset decides", async () => {
  const { demand, end, advance } = queue();
  demand.request(company(1), true);
  await end(company(1), { kind: "held" });
  expect(demand.request(company(1), false)).toMatchObject({ retryAfterSeconds: 1 });
  advance(3001);
  expect(demand.request(company(1), false)).toBeNull();
});

test("a company whose filings have no rows is not retried for a day", async () => {
  const { demand, started, end, advance } = queue();
  demand.request(company(1), true);
  await end(company(1), { kind: "nothing", why: "none" });
  expect(demand.request(company(1), true)).toBeNull();
  advance(24 * 3600_000);
  expect(demand.request(company(1), true)).not.toBeNull();
  expect(started.length).toBe(2);
});

test("when EDGAR is unreachable every caller gets the time to retry, and it is not contacted before then", async () => {
  const { demand, started, end, advance } = queue();
  demand.request(company(1), true);
  await end(company(1), { kind: "unavailable", why: "it answered 503", retryAtMs: 1_000_000 + 90_000 });
  for (const mayStart of [true, false]) {
    const told = demand.request(company(1), mayStart);
    expect(told?.retryAfterSeconds).toBe(90);
    expect(told?.message).toContain("EDGAR is unavailable right now");
  }
  advance(90_001);
  expect(demand.request(company(1), true)?.message).toContain("is being fetched");
  expect(started.length).toBe(2);
});

test("failing work does not crash: the company is unavailable for a minute and the next one starts", async () => {
  const { demand, started, end } = queue();
  for (const cik of [1, 2, 3]) demand.request(company(cik), true);
  await end(company(1), new Error("the disk is full"));
  expect(demand.request(company(1), true)).toMatchObject({ retryAfterSeconds: 60 });
  // Internal failures belong in the log, not in answers.
  expect(demand.request(company(1), true)?.message).not.toContain("the disk is full");
  expect(started).toEqual(["0000000001", "0000000002", "0000000003"]);
});

test("while another server fetches, callers get the time to retry, and the next one starts the fetch again", async () => {
  const { demand, started, end, advance } = queue();
  demand.request(company(1), true);
  await end(company(1), { kind: "elsewhere", retryAtMs: 1_005_000 });
  for (const mayStart of [true, false]) {
    expect(demand.request(company(1), mayStart)).toMatchObject({
      retryAfterSeconds: 5,
      message: expect.stringContaining("another server that is fetching"),
    });
  }
  expect(started).toHaveLength(1);
  advance(5001);
  expect(demand.request(company(1), false)).toBeNull();
  expect(demand.request(company(1), true)?.message).toContain("is being fetched");
  expect(started).toHaveLength(2);
});

test("with many companies the oldest outcomes are forgotten, but none that is being fetched", async () => {
  const { demand, started, end } = queue();
  demand.request(company(1), true);
  for (let at = 2; at < 5010; at++) {
    demand.request(company(at), true);
    await end(company(at), { kind: "nothing", why: "" });
  }
  expect(demand.request(company(1), true)?.message).toContain("is being fetched");
  // Known to have nothing, or forgotten and fetched again.
  expect(demand.request(company(5009), true)).toBeNull();
  expect(demand.request(company(2), true)?.message).toContain("is being fetched");
  expect(started.filter((cik) => cik === company(1).cik)).toHaveLength(1);
});
