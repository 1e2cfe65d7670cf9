/** Tagged totals from the SEC's frames and from documents: recorded answers are made by hand from the format. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readCeoPay } from "../../src/dataset/ceo-pay-records.ts";
import { openDataset } from "../../src/dataset/snapshots.ts";
import { embeddedKnownProxies } from "../../src/dataset/embedded.ts";
import { openIngestContext } from "../../src/ingest/context.ts";
import { ingestFrames, readFrameYears } from "../../src/ingest/xbrl-frames.ts";
import { ingestFromEdgar } from "../../src/ingest/run.ts";
import { pendingFilings } from "../../src/ingest/targets.ts";
import { type ReplayEdgar, startReplay } from "../support/edgar.ts";
import { testClock, testEdgar, testFolder } from "../support/edgar-client.ts";
import { madeCorpus, madeProxy } from "../support/edgar-made.ts";
import { testRuntime } from "../support/runtime.ts";

using folder = testFolder();
const embedded = openDataset(folder.path);
/** What is known before of each company's year that ended in the second half of 2025. */
const knownTotals = Map.groupBy(
  readCeoPay(embedded).filter(({ lastDay }) => lastDay > "2025-06-30"),
  ({ cik }) => cik,
);
/** Fifty members of the index of which a proxy of 2026 is known and no row, at most a tagged total of the calendar year. */
const fifty = pendingFilings(
  embedded,
  { years: 1, from: "2026-01-01", until: "" },
  { ciks: [], index: "sp500", limit: null },
  embeddedKnownProxies(),
)
  .filter(({ cik, only = [] }) => {
    const [one, other] = knownTotals.get(cik) ?? [];
    const isPlain = one === undefined || (one.basis === "tag" && one.lastDay === "2025-12-31");
    return only.length === 1 && other === undefined && isPlain;
  })
  .slice(0, 50);
/** What each of these companies tags and prints for the year that ended on 31 December 2025. */
const totalOf = (cik: string) => (knownTotals.get(cik)?.[0]?.cents ?? (5_000_000 + Number(cik)) * 100) / 100;

const fact = (cik: string, accn: string, val: number, end = "2025-12-31") => ({
  accn,
  cik: Number(cik),
  entityName: `Company ${cik}`,
  loc: "US-CA",
  start: `${end.slice(0, 4)}-01-01`,
  end,
  val,
});
const frames = new Map<string, object[]>();
const lines = (tag: string, period: string) =>
  JSON.stringify({
    taxonomy: "ecd",
    tag,
    ccp: period,
    uom: "USD",
    label: "PEO Total Compensation Amount",
    description: null,
    pts: frames.get(`${tag} ${period}`)?.length ?? 0,
    data: frames.get(`${tag} ${period}`),
  });

/** A proxy whose pay-versus-performance table tags the total that its Summary Compensation Table prints. */
function taggedProxy(cik: string): string {
  const total = totalOf(cik);
  const context =
    `<div style="display:none"><ix:header><ix:resources><xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>` +
    `<xbrli:context id="p"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">${cik}</xbrli:identifier></xbrli:entity>` +
    `<xbrli:period><xbrli:startDate>2025-01-01</xbrli:startDate><xbrli:endDate>2025-12-31</xbrli:endDate></xbrli:period></xbrli:context></ix:resources></ix:header></div>`;
  const tag = `<ix:nonFraction unitRef="usd" contextRef="p" decimals="0" name="ecd:PeoTotalCompAmt" format="ixt:num-dot-decimal" scale="0" id="f">${total.toLocaleString("en-US")}</ix:nonFraction>`;
  const table = `<p>Pay Versus Performance</p><table><tr><td>Year</td><td>Summary Compensation Table Total for PEO ($)</td></tr><tr><td>2025</td><td>${tag}</td></tr></table><p>Our PEO was <ix:nonNumeric contextRef="p" name="ecd:PeoName" id="n">Ann B. Example</ix:nonNumeric>. The fiscal year ended December 31, 2025.</p>`;
  return madeProxy(`Company ${cik}`, 2025, total)
    .replace("<body>", `<body>${context}`)
    .replace("</body>", `${table}</body>`);
}

let replay: ReplayEdgar;
beforeAll(async () => {
  const listed = fifty.flatMap(({ cik, only = [] }) =>
    only.map((filing) => fact(cik, filing.accession, totalOf(cik))),
  );
  frames.set("PeoTotalCompAmt CY2025", [
    ...listed,
    fact("0000320193", "0001308179-26-000008", 74_294_811, "2025-09-27"),
    fact("0000034903", "0000034903-26-000001", 0),
    // No registrant that is known.
    fact("0009999999", "0009999999-26-000001", 1_000_000),
  ]);
  frames.set(
    "NonPeoNeoAvgTotalCompAmt CY2025",
    listed.map((one) => ({ ...one, val: 2_000_000 })),
  );
  frames.set("PeoTotalCompAmt CY2024", [fact("0001000623", "0001000623-25-000001", 30_000, "2024-12-31")]);
  frames.set("NonPeoNeoAvgTotalCompAmt CY2024", [
    fact("0001000623", "0001000623-25-000001", 9_000_000, "2024-12-31"),
  ]);
  const companies = fifty.map(({ cik, only = [] }) => ({
    cik,
    name: `Company ${cik}`,
    ticker: embedded.findByCik(cik)?.ticker ?? "",
    fiscalYearEnd: "1231",
    filings: only.map(({ accession, filingDate, url }) => ({
      accession,
      form: "DEF 14A",
      filingDate: filingDate ?? "",
      reportDate: "",
      primaryDocument: url.split("/").at(-1) ?? "",
      document: taggedProxy(cik),
    })),
  }));
  replay = await startReplay({
    ...madeCorpus(companies),
    async frame(tag, period) {
      return frames.has(`${tag} ${period}`) ? new TextEncoder().encode(lines(tag, period)) : null;
    },
  });
});
afterAll(() => replay.stop());

function contextIn(path: string, onWait = (_until: number) => {}) {
  const runtime = testRuntime();
  const { edgar } = testEdgar(replay, path, { runtime, isPatient: true, onWait });
  return { edgar, runtime, context: openIngestContext(path, testClock(runtime), 2) };
}
const told = { request: "2024-2025", onYear: () => {} };
/** The union's keys and totals of the fifty companies for that year; labels are the filer's in one and inferred in the other. */
const unionOf = (path: string) => {
  const wanted = new Set(fifty.map(({ cik }) => cik));
  return readCeoPay(openDataset(path))
    .filter(({ cik, lastDay }) => wanted.has(cik) && lastDay === "2025-12-31")
    .map(({ cik, lastDay, cents }) => [cik, lastDay, cents / 100] as const);
};

test("frames are asked for once a year and tag; the next run takes them from the disk", async () => {
  using work = testFolder();
  const { edgar, runtime, context } = contextIn(work.path);
  using open = context;
  replay.seen.splice(0);
  const report = await ingestFrames(open, edgar, [2023, 2024, 2025], told);
  expect(report.years).toEqual([
    { year: 2023, totals: 0, unknown: 0, missing: true },
    { year: 2024, totals: 1, unknown: 0, missing: false },
    { year: 2025, totals: fifty.length + 2, unknown: 1, missing: false },
  ]);
  expect(report.changed).toBe(fifty.length + 2);
  expect(replay.seen.map(({ path, status }) => [path.split("/").slice(-3).join("/"), status])).toEqual([
    ["PeoTotalCompAmt/USD/CY2023.json", 404],
    ["PeoTotalCompAmt/USD/CY2024.json", 200],
    ["NonPeoNeoAvgTotalCompAmt/USD/CY2024.json", 200],
    ["PeoTotalCompAmt/USD/CY2025.json", 200],
    ["NonPeoNeoAvgTotalCompAmt/USD/CY2025.json", 200],
  ]);
  const dataset = openDataset(work.path);
  const apple = readCeoPay(dataset, "0000320193").at(-1);
  expect(apple).toMatchObject({ basis: "row", confirmedByTag: true, doubts: [], cents: 7_429_481_100 });
  const [low] = readCeoPay(dataset, "0001000623").filter(({ lastDay }) => lastDay === "2024-12-31");
  expect([low?.cents, low?.source?.accession, low?.periodEnd]).toEqual([
    3_000_000,
    "0001000623-25-000001",
    "2024-12-31",
  ]);
  expect(low?.doubts.length).toBeGreaterThan(0);
  expect(dataset.findByCik("0009999999")).toBeUndefined();

  const again = await ingestFrames(open, edgar, [2024, 2025], told);
  expect([again.requests, again.changed, again.snapshot]).toEqual([0, 0, report.snapshot]);
  runtime.advance(25 * 60 * 60_000);
  const later = await ingestFrames(open, edgar, [2025], told);
  expect([later.requests, later.changed]).toEqual([2, 0]);

  // An amendment's tag takes the place of the one before; it does not stand beside it.
  const before = frames.get("PeoTotalCompAmt CY2024") ?? [];
  frames.set("PeoTotalCompAmt CY2024", [fact("0001000623", "0001000623-25-000002", 31_000, "2024-12-31")]);
  runtime.advance(25 * 60 * 60_000);
  expect((await ingestFrames(open, edgar, [2024], told)).changed).toBe(1);
  frames.set("PeoTotalCompAmt CY2024", before);
  const amended = readCeoPay(openDataset(work.path), "0001000623").filter(
    ({ lastDay }) => lastDay === "2024-12-31",
  );
  expect(amended.flatMap(({ doubts }) => doubts.map(({ code }) => code))).not.toContain("sources_differ");
  expect(amended.map(({ cents, source }) => [cents, source?.accession])).toEqual([
    [3_100_000, "0001000623-25-000002"],
  ]);
});

test("an interrupted run goes on from what it has; a cool-down is waited for; a wrong answer is refused", async () => {
  using work = testFolder();
  const waits: number[] = [];
  const { edgar, context } = contextIn(work.path, (until) => void waits.push(until));
  using open = context;
  replay.seen.splice(0);
  replay.misbehave(/NonPeoNeoAvgTotalCompAmt\/USD\/CY2025/, "invalid-body", 4);
  const failed = ingestFrames(open, edgar, [2024, 2025], told);
  expect(failed).rejects.toThrow(/it resumes where it stopped/);
  await failed.catch(() => {});
  expect(openDataset(work.path).info.origin).toBe("embedded");
  replay.misbehave(/NonPeoNeoAvgTotalCompAmt\/USD\/CY2025/, "429");
  replay.seen.splice(0);
  const report = await ingestFrames(open, edgar, [2024, 2025], told);
  expect([report.requests, waits.length, report.changed]).toEqual([1, 1, fifty.length + 2]);
  expect(replay.seen.map(({ path }) => path.includes("CY2024"))).not.toContain(true);
});

test("frames, and fifty documents at known addresses, end in the same union", async () => {
  using one = testFolder();
  using other = testFolder();
  const byFrames = contextIn(one.path);
  {
    using open = byFrames.context;
    await ingestFrames(open, byFrames.edgar, [2025], told);
  }
  const byDocuments = contextIn(other.path);
  {
    using open = byDocuments.context;
    const report = await ingestFromEdgar(open, byDocuments.edgar, fifty, () => false, {
      request: "a test",
      monotonic: byDocuments.runtime.monotonic,
      onProgress: () => {},
    });
    expect(report.documents).toMatchObject({ seen: 50, read: 50 });
  }
  const union = unionOf(one.path);
  expect(union.filter(([cik, , total]) => total === totalOf(cik)).length).toBe(50);
  expect(unionOf(other.path)).toEqual(union);
  // The document's row counts, the embedded tag of the same year is its doubt, and the document's own tag confirms it.
  const records = readCeoPay(openDataset(other.path)).filter(
    ({ cik, lastDay }) => fifty.some((wanted) => wanted.cik === cik) && lastDay === "2025-12-31",
  );
  expect(new Set(records.map(({ basis }) => basis))).toEqual(new Set(["row"]));
  expect(records.every(({ confirmedByTag, peoName }) => confirmedByTag && peoName === "Ann B. Example")).toBe(
    true,
  );
});

test("years", () => {
  expect(readFrameYears("2022-2025", 2026)).toEqual([2022, 2023, 2024, 2025]);
  expect(readFrameYears("2024", 2026)).toEqual([2024]);
  for (const wrong of ["2025-2022", "2019", "2027", "22-25", "2022-", ""])
    expect(readFrameYears(wrong, 2026)).toBeUndefined();
});
