/** The page of statistics beside its file and its citation. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import readWorkbook from "read-excel-file/node";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import { selectionOf } from "../../src/operations/rankings.ts";
import { yearsOf } from "../../src/operations/rows.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const PEERS = "companies=ABBV,ABT,AMGN,PFE,MRK,LLY";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Runs the questions of one page over the rows, and tells how many there were. */
async function asked(path: string): Promise<{ figures: number; query: number }> {
  const { analyst } = server.services;
  const { ask } = analyst;
  const counts = { figures: 0, query: 0 };
  analyst.ask = (dataset, question) => {
    if (question.kind === "figures" || question.kind === "query") counts[question.kind] += 1;
    return ask(dataset, question);
  };
  expect((await openPage(server, path)).status).toBe(200);
  Object.assign(analyst, { ask });
  return counts;
}

test("a view takes one pass over the rows of each office, and one over those of all years", async () => {
  expect(await asked("/statistics")).toEqual({ figures: 6, query: 0 });
  expect(await asked(`/statistics?${PEERS}&own=JNJ`)).toEqual({ figures: 6, query: 1 });
  expect(await asked("/rankings?office=peo")).toEqual({ figures: 1, query: 1 });
});

test("the file has a line for each office and amount", async () => {
  const text = await (await server.get("/statistics/download?format=csv")).text();
  const lines = text
    .trim()
    .split("\r\n")
    .map((line) => line.split(",").slice(0, 2).join(","));
  expect([lines.length, lines[1], lines.at(-1)]).toEqual([
    1 + 3 * 8,
    '"CEO","salary"',
    '"Other named officers","total_compensation"',
  ]);
});

test("the workbook has the lines of the CSV, amounts as numbers", async () => {
  const query = `${PEERS}&own=JNJ`;
  const [csv, xlsx] = await Promise.all(
    ["csv", "xlsx"].map((format) => server.get(`/statistics/download?${query}&format=${format}`)),
  );
  const lines = ((await csv?.text()) ?? "").trim().replaceAll('"', "").split("\r\n");
  const [sheet] = await readWorkbook(Buffer.from((await xlsx?.arrayBuffer()) ?? new ArrayBuffer(0)));
  expect(sheet?.sheet).toBe("Statistics");
  expect(sheet?.data.map((line) => line.map((cell) => cell ?? "").join(","))).toEqual(lines);
  expect(xlsx?.headers.get("content-disposition")).toBe('attachment; filename="execcomp-statistics.xlsx"');
  const total = sheet?.data.find(([office, amount]) => office === "CEO" && amount === "total_compensation");
  expect(total?.slice(2, 4)).toEqual([7, 7]);
  expect(Number.isInteger(total?.[6])).toBeTrue();
});

test("companies of a list stand in the order of their CEOs' totals, the own one among them", async () => {
  const text = withoutTags((await openPage(server, `/statistics?${PEERS}&own=JNJ&unit=dollars`)).text);
  const listed = text.slice(text.indexOf("CEO total by company"));
  expect(listed.replaceAll(/\s+/g, " ")).toMatch(/1LLY [\d,]+ .*2JNJ 32,758,111 .*7[A-Z]+ /);
  const [, ...bySector] = (await openPage(server, `/statistics?${PEERS}&by=sector`)).text.split(
    "CEO total by sector",
  );
  expect(bySector.join("")).toMatch(/sector=health_care" ?>Health care</);
});

test("a title names three companies, or two and how many more", async () => {
  const titleOf = async (query: string) =>
    /<h1>([^<]*)</.exec((await openPage(server, `/statistics?companies=${query}`)).text)?.[1];
  expect(await titleOf("AAPL")).toBe("Executive pay at Apple, latest year");
  expect(await titleOf("AAPL,MSFT,JNJ")).toBe(
    "Executive pay at Apple, Microsoft and Johnson &amp; Johnson, latest year",
  );
  expect(await titleOf("AAPL,MSFT,JNJ,PFE")).toBe(
    "Executive pay at Apple, Microsoft and 2 more, latest year",
  );
});

test("a comparison of all officers draws the sum of their rows, to the cent", async () => {
  const linesOf = async (path: string) => (await (await server.get(path)).text()).trim().split("\r\n");
  const [, line = ""] = await linesOf("/compare/chart?companies=AAPL&who=all&chart=bars&format=csv");
  const [, year, , ...amounts] = line.replaceAll('"', "").split(",");
  const dataset = server.services.snapshots.current();
  const [latest] = yearsOf({ ticker: "AAPL" }, dataset.years("0000320193"));
  expect(Number(year)).toBe(latest?.fiscalYear ?? 0);
  const sums = AMOUNTS.map((name) => (latest?.rows ?? []).reduce((sum, row) => sum + row[name], 0));
  expect(amounts.slice(0, AMOUNTS.length).map(Number)).toEqual(sums);
});

test("a comparison takes the year by the name that other pages give it; the form's own name wins", async () => {
  const titleAt = async (query: string) =>
    /<h1>([^<]*)<\/h1>/.exec((await openPage(server, `/compare?companies=AAPL,MSFT&${query}`)).text)?.[1];
  expect(await titleAt("fiscal_year=2023")).toBe("CEO pay at Apple and Microsoft, fiscal 2023");
  expect(await titleAt("year=2024&fiscal_year=2023")).toBe("CEO pay at Apple and Microsoft, fiscal 2024");
});

test("the data of a ranking's chart names each row's company, year and person, and marks partial years", async () => {
  const text = await (await server.get("/rankings/chart?format=csv&office=pfo&fiscal_year=2021")).text();
  const [heads, ...lines] = text.trim().split("\r\n");
  expect(heads).toBe(
    "company,fiscal_year,executive_name,total_compensation,reporting_currency,year_complete,short_period",
  );
  expect(lines.slice(-3).map((line) => line.split(",")[0])).toEqual(['"25th"', '"median"', '"75th"']);
  const apple = lines.filter((line) => line.startsWith('"Apple Inc."'));
  expect(apple).toEqual(['"Apple Inc.",2021,"Luca Maestri",26978503,"USD",false,false']);
  // More rows than a page has.
  const all = await (await server.get("/rankings/chart?format=csv&fiscal_year=2021")).text();
  expect(all.match(/^"[^"]+",2021,"[^"]+",\d+,/gm)?.length).toBeGreaterThan(100);
});

test("each selection has a link preview of its own title, with the one picture of all pages", async () => {
  const { text } = await openPage(server, "/statistics?sector=energy", { "x-forwarded-for": "203.0.113.1" });
  const told = (name: string) => new RegExp(`"${name}" content="([^"]*)"`).exec(text)?.[1] ?? "";
  expect(told("og:title")).toBe("Executive pay in energy, latest year");
  expect(told("og:image")).toBe(`${server.origin}/preview.png`);
  const picture = await server.get("/preview.png");
  expect(picture.headers.get("content-type")).toBe("image/png");
  // Width and height, as the page says, in the header of the PNG.
  const header = new DataView(await picture.arrayBuffer());
  expect([header.getUint32(16), header.getUint32(20)]).toEqual([1200, 630]);
});

test("medians over the years are those of each office; years of few companies are left out, partial ones marked", async () => {
  const dataset = server.services.snapshots.current();
  const offices = await Promise.all(
    [{ office: "peo" }, { office: "pfo" }, {}].map(async (office) => {
      const isOthers = !("office" in office);
      const once = isOthers ? {} : { one_per_company_year: "true" };
      const { tables } = await server.services.analyst.ask(dataset, {
        kind: "figures",
        selection: selectionOf(dataset, { ...office, ...once, fiscal_year_gte: "0" }),
        isOthers,
        questions: [{ field: "total_compensation", groupBy: ["fiscal_year"], rankCik: null }],
        values: null,
      });
      return new Map(tables[0]?.statistics.map((one) => [Number(one.group.fiscal_year), one]));
    }),
  );
  const all = [...new Set(offices.flatMap((years) => [...years.keys()]))].toSorted((a, b) => a - b);
  const companiesIn = (year: number) => Math.max(...offices.map((years) => years.get(year)?.companies ?? 0));
  const most = Math.max(...all.map(companiesIn));
  const shown = all.filter((year) => companiesIn(year) * 4 >= most);
  expect(shown.length).toBeLessThan(all.length);
  const csv = await (await server.get("/statistics/chart?chart=years&format=csv")).text();
  const lines = csv.trim().replaceAll('"', "").split("\r\n").slice(1);
  const expected = shown.map((year) => {
    const known = offices.map((years) => years.get(year));
    const isPartial = known.some((one) => one && one.incomplete_company_years * 2 > one.company_years);
    return [year, ...known.map((one) => one?.median ?? ""), "", isPartial].join(",");
  });
  expect(lines).toEqual(expected);
  expect(new Set(lines.map((line) => line.split(",").at(-1)))).toEqual(new Set(["true", "false"]));
});

test("CEO pay of the index: each member without a total is named with its reason, and medians stand by sector", async () => {
  const operator = server.asOperator();
  const { text } = await openPage(server, "/ceo-pay?index=sp500");
  const answer = await (await operator("/api/ceo-pay?index=sp500")).json();
  const { gaps, index_members_without_total: without } = answer as {
    gaps: { ticker: string; reason: string }[];
    index_members_without_total: number;
  };
  expect(gaps).toHaveLength(without);
  for (const { ticker, reason } of gaps)
    expect(text).toContain(
      `${ticker}: ${reason === "doubtful" ? "its total is doubtful" : "no total is known"}`,
    );
  const sectors = await (await operator("/api/ceo-pay/statistics?index=sp500&group_by=sector")).json();
  const { statistics } = sectors as { statistics: { median: number }[] };
  expect(statistics.length).toBeGreaterThan(10);
  const [, table = ""] = text.split("By sector</h2>");
  for (const { median } of statistics)
    expect(table).toContain(`>${Math.round(median).toLocaleString("en-US")}</td>`);
});

test("every page is cited as text", async () => {
  const { text } = await openPage(server, "/t/AAPL");
  const cited = /id="citation">([^<]*)</.exec(text)?.[1] ?? "";
  expect(cited).toStartWith("Apple Inc., Summary Compensation Table (Regulation S-K Item 402(c))");
  expect(cited).toContain("accession 0001308179-26-000008, CIK 0000320193.");
  expect(cited).toEndWith(` ${server.origin}/t/AAPL?year=2025`);
  for (const path of [
    "/rankings?office=peo",
    "/statistics",
    "/ceo-pay",
    "/compare?t=AAPL,MSFT",
    "/t/AAPL/2025/tim-cook",
    "/t/AAPL/2025/tim-cook/salary",
  ])
    expect([path, (await openPage(server, path)).text.includes('id="citation"')]).toEqual([path, true]);
});

test("the page of an amount promises a cell only where it has one", async () => {
  const known = async (path: string) =>
    withoutTags(/<p class="eyebrow">(.*?)<\/p>/.exec((await openPage(server, path)).text)?.[1] ?? "");
  expect(await known("/t/AAPL/2025/tim-cook/salary")).toBe("Linked to its cell");
  // Its row is linked, but the filer's table has no such column.
  expect(await known("/t/AAPL/2025/tim-cook/bonus")).toBe("Without a cell of its own");
  expect(await known("/t/MSFT/2025/satya-nadella/salary")).toBe("Typed from the filing");
});
