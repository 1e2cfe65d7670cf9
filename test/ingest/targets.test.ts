/** Which known filings are selected: those of the dataset and the built-in proxies of 2017 to 2021, filtered. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { pendingLine } from "../../src/cli/filings/ingest.ts";
import { pendingFilings } from "../../src/ingest/targets.ts";
import { isMemberOn, readCompanyFacts } from "../../src/dataset/company-facts.ts";
import { filingsToRead } from "../../src/dataset/members.ts";
import { embeddedKnownProxies } from "../../src/dataset/embedded.ts";
import { tempFolder } from "../support/folder.ts";
import { copyCompiledData, datasetIn } from "../support/snapshot.ts";

const path = join(tempFolder(), "all.sqlite");
copyCompiledData(path);
const dataset = datasetIn(path);
const proxies = embeddedKnownProxies();
const bounds = { years: 1, from: "", until: "" };
const every = { ciks: [], index: null, limit: null };
const countOf = (wanted: ReturnType<typeof pendingFilings>) =>
  wanted.reduce((sum, { only = [] }) => sum + only.length, 0);

test("all of them: the dataset's own and 22,105 built-in ones without those that the dataset has, by company", () => {
  const wanted = pendingFilings(dataset, bounds, every, proxies);
  const own = filingsToRead(dataset).length;
  expect(countOf(wanted)).toBeGreaterThan(22_000);
  expect(countOf(wanted)).toBeLessThanOrEqual(22_105 + own);
  const accessions = wanted.flatMap(({ only = [] }) => only.map(({ accession }) => accession));
  expect(new Set(accessions).size).toBe(accessions.length);
  const loaded = new Set(
    dataset
      .all<{ accession: string }>(
        "select accession from filings where status = 'parsed' and read is not 'collected'",
      )
      .map(({ accession }) => accession),
  );
  expect(accessions.filter((accession) => loaded.has(accession))).toEqual([]);
});

test("documents of collected rows are among them, of rows that were typed or linked never", () => {
  const wanted = pendingFilings(dataset, bounds, { ...every, index: "sp500" }, proxies);
  const accessions = new Set(wanted.flatMap(({ only = [] }) => only.map(({ accession }) => accession)));
  const collected = dataset.all<{ accession: string }>(
    "select accession from filings where read = 'collected' and cik in (select cik from index_members where removed is null)",
  );
  const missing = collected.filter(({ accession }) => !accessions.has(accession));
  expect(collected.length).toBeGreaterThan(200);
  // Of companies that joined the index since.
  expect(missing.length).toBeLessThan(20);
});

test("the URL is the document on sec.gov; an unknown date is not invented", () => {
  const [aar] = pendingFilings(dataset, bounds, { ...every, ciks: ["0000001750"] }, proxies);
  expect(aar?.name).toBe("AAR CORP");
  expect(aar?.only?.find(({ accession }) => accession === "0001047469-17-005474")).toEqual({
    accession: "0001047469-17-005474",
    form: "DEF 14A",
    filingDate: null,
    url: "https://www.sec.gov/Archives/edgar/data/1750/000104746917005474/a2233062zdef14a.htm",
  });
});

test("the index selects those that were members at the end of the year before the filing", () => {
  const wanted = pendingFilings(dataset, bounds, { ...every, index: "sp500" }, proxies);
  expect(countOf(wanted)).toBeGreaterThan(1500);
  expect(countOf(wanted)).toBeLessThan(3500);
  for (const { cik, only = [] } of wanted) {
    const { memberships } = readCompanyFacts(dataset, cik);
    for (const { accession, filingDate } of only) {
      const year = Number(filingDate?.slice(0, 4) ?? `20${accession.slice(11, 13)}`);
      expect([accession, isMemberOn(memberships, `${year - 1}-12-31`)]).toEqual([accession, true]);
    }
  }
});

test("dates and a limit restrict the selection; the limit keeps the newest", () => {
  const since = pendingFilings(
    dataset,
    { ...bounds, from: "2021-01-01", until: "2021-12-31" },
    every,
    proxies,
  );
  expect(countOf(since)).toBeGreaterThan(3000);
  for (const { only = [] } of since) {
    for (const { accession, filingDate } of only) {
      expect(filingDate?.slice(0, 4) ?? `20${accession.slice(11, 13)}`).toBe("2021");
    }
  }
  const few = pendingFilings(dataset, { ...bounds, until: "2020-12-31" }, { ...every, limit: 7 }, proxies);
  expect(countOf(few)).toBe(7);
  const years = few.flatMap(({ only = [] }) =>
    only.map(({ accession, filingDate }) => filingDate?.slice(0, 4) ?? `20${accession.slice(11, 13)}`),
  );
  expect(new Set(years)).toEqual(new Set(["2020"]));
});

test("this year's proxies come first, of index members and of all others", () => {
  for (const index of ["sp500", null]) {
    const years = pendingFilings(dataset, bounds, { ...every, index }, proxies).flatMap(({ only = [] }) =>
      only
        .slice(0, 1)
        .map(({ accession, filingDate }) => filingDate?.slice(0, 4) ?? `20${accession.slice(11, 13)}`),
    );
    expect(years).toEqual(years.toSorted().toReversed());
    expect(years.filter((year) => year === "2026").length).toBeGreaterThan(300);
  }
});

test("the estimated time is printed first", () => {
  const only = Array.from({ length: 95 }, () => ({ accession: "", form: null, filingDate: null, url: "" }));
  const one = { cik: "1", name: "", newestKnown: null, only, ...bounds };
  expect(pendingLine([one])).toBe("95 filings of 1 company: about 1 minute at 8 requests a second.");
  expect(pendingLine(Array.from({ length: 10 }, (_, cik) => ({ ...one, cik: String(cik) })))).toContain(
    "950 filings of 10 companies: about 2 minutes",
  );
});
