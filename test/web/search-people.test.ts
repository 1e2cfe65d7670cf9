/** The search for executives by name: in any currency, with every year of each. */
import { expect, test } from "bun:test";
import { createAnalyst } from "../../src/analysis/analyst.ts";
import { findCompany } from "../../src/operations/companies.ts";
import { findPeople, findPeopleNear, findPeopleOfLastName } from "../../src/operations/people.ts";
import { findRow } from "../../src/operations/rows.ts";
import { installFile } from "../../src/dataset/installed.ts";
import { tempFolder } from "../support/folder.ts";
import { OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { openPage } from "../support/html.ts";
import { startTestServer } from "../support/server.ts";
import { datasetIn, writeTestSnapshot } from "../support/snapshot.ts";

const dataDir = tempFolder();
const YEARS = Array.from({ length: 12 }, (_, n) => 2013 + n);

test("people paid in euros are found, and for a common name all years are listed", async () => {
  const accessionOf = (year: number) => `0000000001-${String(year + 1).slice(2)}-000001`;
  const record = testRecord({
    filings: YEARS.map((year) => testFiling({ year: year + 1, currency: "EUR" })),
    observations: YEARS.flatMap((fiscalYear) =>
      Array.from({ length: 25 }, (_, n) =>
        testRow({
          accession: accessionOf(fiscalYear),
          fiscalYear,
          position: n + 1,
          name: `${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n]}nna Schmidt`,
          ...(n === 0 ? { peo: OFFICE } : {}),
        }),
      ),
    ),
  });
  installFile(dataDir, writeTestSnapshot(dataDir, "euro.sqlite", [record]), new Date(0).toISOString());
  const server = await startTestServer({ dataDir });
  try {
    const answer = await server.get("/search?q=schmidt", { headers: { accept: "text/html" } });
    const text = (await answer.text()).replaceAll(/\s+/g, " ");
    expect(text.match(/Acme Corp\., fiscal 2013 to 2024/gi)).toHaveLength(20);
    expect(text).toContain("Showing the first 20.");
  } finally {
    await server.stop();
  }
});

/** One officer of a company, with one row. */
function companyWith(cik: string, symbol: string, names: readonly string[]) {
  return testRecord({
    cik,
    name: `${symbol} Corp`,
    symbols: [symbol],
    filings: [
      testFiling({
        accession: `${cik}-25-000001`,
        symbol,
        url: `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${cik}25000001/proxy.htm`,
      }),
    ],
    observations: names.map((name, n) =>
      testRow({
        accession: `${cik}-25-000001`,
        position: n + 1,
        name,
        ...(n === 0 ? { peo: OFFICE } : {}),
      }),
    ),
  });
}

test("a mistyped name finds the people it may mean, all other words matching if possible", async () => {
  const records = [
    companyWith("0000000042", "ACME", ["Anna Schmidt", "Bo Li"]),
    companyWith("0000000043", "BETA", ["Otto Schmidt", "Mark Zuckerberg"]),
  ];
  const dataset = datasetIn(writeTestSnapshot(dataDir, "mistyped.sqlite", records));
  for (const maxInlineRows of [1000, 0]) {
    const analyst = createAnalyst({ maxInlineRows });
    const found = async (words: string) =>
      (await findPeopleNear(dataset, analyst, words)).map(({ executiveId }) => executiveId).sort();
    expect(await found("zukerberg")).toEqual(["mark-zuckerberg"]);
    expect(await found("anna schmitt")).toEqual(["anna-schmidt"]);
    expect(await found("greta shcmidt")).toEqual(["anna-schmidt", "otto-schmidt"]);
    // Two letters may mean anything; a correctly typed word is not a mistake.
    expect(await found("lo")).toEqual([]);
    expect(await found("schneider")).toEqual([]);
    analyst.close();
  }
});

test("people with the same name at two companies are distinct, and so is an id that begins like another", async () => {
  const records = [
    companyWith("0000000042", "ACME", ["Anna Schmidt", "Anna Schmidtbauer", "Bo Li"]),
    companyWith("0000000043", "BETA", ["Anna Schmidt"]),
  ];
  const dataset = datasetIn(writeTestSnapshot(dataDir, "two.sqlite", records));
  const analyst = createAnalyst();
  const found = async (find: typeof findPeople, words: string) => {
    const people = await find(dataset, analyst, words);
    return people.map(({ ticker, executiveId }) => `${ticker} ${executiveId}`).sort();
  };
  const both = ["ACME anna-schmidt", "BETA anna-schmidt"];
  expect(await found(findPeople, "anna schmidt")).toEqual(both);
  expect(await found(findPeopleOfLastName, "greta schmidt")).toEqual(both);
  // Two letters would match far too many; one word was looked for before.
  expect(await found(findPeopleOfLastName, "greta li")).toEqual([]);
  expect(await found(findPeopleOfLastName, "schmidt")).toEqual([]);
  const acme = findCompany(dataset, "ticker", "ACME");
  const nameOf = (id: string) => acme && findRow(dataset, acme.company, 2024, id)?.executive_name;
  expect(["anna-schmidt", "anna-schmidtbauer", "anna-schmid", "anna"].map(nameOf)).toEqual([
    "Anna Schmidt",
    "Anna Schmidtbauer",
    undefined,
    undefined,
  ]);
});

test("a thousand words are not all looked up, and the page says so", async () => {
  const server = await startTestServer();
  const isCut = async (words: readonly string[]) => {
    const q = encodeURIComponent(words.join(" "));
    const answer = await server.get(`/search?q=${q}`, { headers: { accept: "text/html" } });
    return [answer.status, (await answer.text()).includes("Only the first 12 words and 100 letters")];
  };
  expect(await isCut(Array<string>(1000).fill("a"))).toEqual([200, true]);
  expect(await isCut(Array<string>(12).fill("a"))).toEqual([200, false]);
  await server.stop();
});

test("a sentence leads to whom and what it names, at the page of the year that it asks for", async () => {
  const server = await startTestServer();
  const linksOf = async (q: string, headers: Record<string, string> = {}) => {
    const { text } = await openPage(server, `/search?q=${encodeURIComponent(q)}`, headers);
    const lists = [...text.matchAll(/<ul class="results">(.*?)<\/ul>/g)].map(([, list = ""]) => list);
    return lists.flatMap((list) => [...list.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href));
  };
  const cook = "how much did tim cook earn in 2023";
  expect(await linksOf(cook)).toEqual(["/t/AAPL/2023/tim-cook"]);
  // A visitor sees the latest year only.
  expect(await linksOf(cook, { "x-forwarded-for": "203.0.113.1" })).toEqual(["/t/AAPL"]);
  expect(await linksOf("satya nadella's compensation at microsoft")).toEqual([
    "/t/MSFT/2025/satya-nadella",
    "/t/MSFT",
  ]);
  expect(await linksOf("is goldman sachs paying more than jpmorgan chase?")).toEqual(["/t/GS", "/t/JPM"]);
  // A first name alone means nobody, unless the company is named.
  expect(await linksOf("jane frazer citi")).toEqual(
    expect.arrayContaining(["/t/C/2025/jane-fraser", "/t/C"]),
  );
  for (const nothing of ["jamie xyzzy", "who earns the most", "zzzzq yyyyq xxxxq"]) {
    expect(await linksOf(nothing)).toEqual([]);
    const { text } = await openPage(server, `/search?q=${encodeURIComponent(nothing)}`);
    expect(text).toContain(
      "A company is found by its name, ticker or CIK, an executive by first or last name.",
    );
  }
  await server.stop();
});

test("a sentence of many names takes a bounded number of questions", async () => {
  const server = await startTestServer();
  const { ask } = server.services.analyst;
  let asked = 0;
  Object.assign(server.services.analyst, {
    ask: (...given: Parameters<typeof ask>) => (asked++, ask(...given)),
  });
  await openPage(server, `/search?q=${encodeURIComponent("qa qb qc qd qe qf qg qh qi qj qk ql")}`);
  expect(asked).toBeLessThanOrEqual(20);
  await server.stop();
});

test("a search that finds a company does not show people whose names resemble its words", async () => {
  const folder = tempFolder();
  const records = [
    companyWith("0000000042", "BLUE", ["Bo Li"]),
    companyWith("0000000043", "BETA", ["Ann Carp"]),
  ];
  installFile(folder, writeTestSnapshot(folder, "alike.sqlite", records), new Date(0).toISOString());
  const server = await startTestServer({ dataDir: folder });
  const key = await server.createKey();
  const page = async (q: string) =>
    (await server.get(`/search?q=${q}`, { headers: { accept: "text/html" } })).text();
  const tool = async (query: string) => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search", arguments: { query } },
    };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return (
      await server.get("/mcp/analyst", { key, method: "POST", headers, body: JSON.stringify(call) })
    ).text();
  };
  expect(await page("ann+cerp")).toContain("Ann Carp");
  expect(await tool("ann cerp")).toContain("ann-carp");
  for (const text of [await page("blue+corp"), await tool("blue corp")]) {
    expect(text).toContain("BLUE");
    expect(text).not.toMatch(/ann.carp/i);
  }
  await server.stop();
});
