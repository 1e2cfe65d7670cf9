/** The page of statistics beside its file and its citation. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import readWorkbook from "read-excel-file/node";
import { formatAmount } from "../../src/domain/amount.ts";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import { yearsOf } from "../../src/operations/rows.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
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

test("a view takes few passes over the rows: one for each office, for its own company and for all years", async () => {
  expect(await asked("/statistics?same=false")).toEqual({ figures: 5, query: 1 });
  expect(await asked(`/statistics?${PEERS}&own=JNJ&same=false`)).toEqual({ figures: 8, query: 1 });
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
  // The own company is measured against the six others.
  expect(total?.slice(2, 4)).toEqual([6, 6]);
  expect(typeof total?.[6]).toBe("number");
});

test("companies of a list stand in the order of their CEOs' totals, the own one among them if included", async () => {
  const text = withoutTags(
    (await openPage(server, `/statistics?${PEERS}&own=JNJ&include_own=true&unit=dollars`)).text,
  );
  const listed = text.slice(text.indexOf("CEO total by company"));
  expect(listed.replaceAll(/\s+/g, " ")).toMatch(
    /1LLY Eli Lilly [\d,]+ .*2JNJ Johnson &amp; Johnson 32,758,111 .*7[A-Z]+ /,
  );
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

test("medians over the years are those of the operations, each with its number; by default of the same companies where it differs", async () => {
  const operator = server.asOperator();
  type Group = { group: { fiscal_year: number }; companies: number; median: number };
  const groupsOf = async (path: string) => {
    const { statistics } = (await (await operator(path)).json()) as { statistics: Group[] };
    return new Map(statistics.map((one) => [one.group.fiscal_year, one]));
  };
  const linesOf = async (query: string) => {
    const csv = await (await server.get(`/statistics/chart?chart=years&format=csv${query}`)).text();
    return csv
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(","));
  };
  const all = "group_by=fiscal_year&fiscal_year_gte=0";
  const lines = await linesOf("&same=false");
  expect(lines.length).toBeGreaterThan(1);
  const ceos = await groupsOf(`/api/ceo-pay/statistics?${all}`);
  const statistics = "/api/executive-compensation/statistics";
  const cfos = await groupsOf(`${statistics}?${all}&office=pfo&one_per_company_year=true`);
  const others = await groupsOf(`${statistics}?${all}&office=other`);
  for (const [year = "", ...figures] of lines) {
    const known = [ceos, cfos, others].map((of) => of.get(Number(year)));
    expect([year, ...figures.slice(0, 6).map(Number)]).toEqual([
      year,
      ...known.map((one) => one?.median ?? 0),
      ...known.map((one) => one?.companies ?? 0),
    ]);
  }
  const [first, last] = [lines[0]?.[0] ?? "", lines.at(-1)?.[0] ?? ""];
  const bounds = `fiscal_year_gte=${first}&fiscal_year_lte=${last}`;
  const same = await groupsOf(`/api/ceo-pay/statistics?group_by=fiscal_year&same_companies=true&${bounds}`);
  for (const [year = "", ceo] of await linesOf("&same=true"))
    expect([year, Number(ceo)]).toEqual([year, same.get(Number(year))?.median ?? 0]);
});

test("the median of CEOs' totals is one value with one number of companies on every surface, and so is a rank", async () => {
  const operator = server.asOperator();
  const { statistics } = (await (await operator("/api/ceo-pay/statistics?index=sp500")).json()) as {
    statistics: { companies: number; records: number; median: number }[];
  };
  const [{ companies, records, median } = { companies: 0, records: 0, median: 0 }] = statistics;
  expect([records, companies > 400]).toEqual([companies, true]);
  const told = `$${Math.round(median).toLocaleString("en-US")}`;
  const textOf = async (path: string) =>
    withoutTags((await openPage(server, path)).text.replaceAll(/<(svg|select)[^]*?<\/\1>/g, "")).replaceAll(
      /\s+/g,
      " ",
    );
  expect(await textOf("/")).toContain(`median ${told} of ${companies} companies`);
  expect(await textOf("/ceo-pay?index=sp500")).toContain(`Median ${told}.`);
  expect(await textOf("/rankings?office=peo&index=sp500")).toContain(
    `Median ${told} of ${companies} companies`,
  );
  expect(await textOf("/statistics?index=sp500")).toContain(
    `CEO, total ${told} median of ${companies} companies`,
  );
  const ofApple = /S&amp;P 500(\d+)(?:st|nd|rd|th) of (\d+)/.exec(await textOf("/t/AAPL"));
  expect(Number(ofApple?.[2])).toBe(companies);
  const list = (await (await operator("/api/ceo-pay?index=sp500&max_rows=1000")).json()) as {
    ceo_pay: { cik: string; ticker: string; peo_total: number }[];
  };
  const highest = [...Map.groupBy(list.ceo_pay, ({ cik }) => cik).values()].map(
    (of) => of[0]?.peo_total ?? 0,
  );
  const own = list.ceo_pay.find(({ ticker }) => ticker === "AAPL")?.peo_total ?? 0;
  const rank = 1 + highest.filter((total) => total > own).length;
  expect(Number(ofApple?.[1])).toBe(rank);
  expect(await textOf("/statistics?index=sp500&own=AAPL")).toContain(`of ${companies} P`);
  expect(await textOf("/statistics?index=sp500&own=AAPL")).toContain(`${rank}th of ${companies}`);

  // Programs, AI clients and the command line.
  const known = { companies, median };
  const rest = await operator("/api/executive-compensation/statistics?office=peo&index=sp500");
  expect(await rest.json()).toMatchObject({ ceo_pay: known });
  const given = { office: "peo", index: "sp500" };
  const called = await server.get("/mcp/analyst", {
    method: "POST",
    key: await server.createKey(),
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_executive_compensation_statistics", arguments: given },
    }),
  });
  const heard = /\{.*\}/.exec(await called.text())?.[0] ?? "{}";
  expect(JSON.parse(heard)).toMatchObject({ result: { structuredContent: { ceo_pay: known } } });
  const ran = await cli("stats", "--office", "peo", "--index", "sp500", "--json", {
    environment: { EXECCOMP_DATA_DIR: tempFolder() },
  });
  expect(ran.json()).toMatchObject({ ceo_pay: known });
});

test("the latest total of a chief executive is one value on every surface, also where only a tag of a newer year tells it", async () => {
  const dataset = server.services.snapshots.current();
  const operator = server.asOperator();
  type Total = { cik: string; ticker: string; fiscal_year: number; peo_total: number; basis: string };
  const all: Total[] = [];
  for (let cursor = ""; ;) {
    const answer = await (await operator(`/api/ceo-pay?max_rows=1000${cursor}`)).json();
    const page = answer as { ceo_pay: Total[]; next_cursor: string | null };
    all.push(...page.ceo_pay);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  const newer = [...Map.groupBy(all, ({ cik }) => cik).values()].flatMap((of) => {
    // Of several officers the highest, which is first.
    const [total] = of;
    const newest = dataset.years(total?.cik ?? "")[0]?.fiscalYear;
    return total === undefined || newest === undefined || newest === total.fiscal_year ? [] : [total];
  });
  expect(newer.length).toBeGreaterThan(30);
  expect(newer.every(({ basis }) => basis === "tag")).toBe(true);

  const number = ({ peo_total: total }: Total) => formatAmount(total);
  const expectAll = async (surface: string, told: (of: Total) => Promise<string> | string) => {
    for (const one of newer)
      expect([surface, one.ticker, await told(one)]).toEqual([surface, one.ticker, number(one)]);
  };
  const wordsAt = async (path: string) =>
    withoutTags(
      (await openPage(server, path)).text
        .replaceAll(/<(svg|select)[^]*?<\/\1\s*>/g, "")
        .replaceAll("<", " <"),
    ).replaceAll(/\s+/g, " ");
  const found = (words: string, before: string) =>
    new RegExp(String.raw`${before}\$([\d,]+)`).exec(words)?.[1] ?? "nothing";
  await expectAll("company", async ({ ticker, fiscal_year: year }) =>
    found(await wordsAt(`/t/${ticker}`), `CEO total, fiscal ${year} `),
  );
  await expectAll("rankings", async ({ ticker }) =>
    found(await wordsAt(`/rankings?office=peo&companies=${ticker}`), "Median "),
  );
  await expectAll("a row of rankings", async ({ ticker, fiscal_year: year }) =>
    found(await wordsAt(`/rankings?office=peo&companies=${ticker}`), `${year}: `),
  );
  // Home has the highest-paid alone: where one of these is among them, with this total.
  const home = await wordsAt("/");
  const top = newer.filter((one) => home.includes(number(one)));
  for (const { ticker } of newer.filter((one) => !top.includes(one)))
    expect(home).not.toContain(`href="/t/${ticker}"`);

  const linesOf = async (path: string) =>
    (await (await server.get(path)).text())
      .trim()
      .replaceAll('"', "")
      .split("\r\n")
      .map((line) => line.split(","));
  for (let at = 0; at < newer.length; at += 20) {
    const group = newer.slice(at, at + 20);
    const list = group.map(({ ticker }) => ticker).join(",");
    const page = await wordsAt(`/compare?companies=${list}`);
    const pay = await wordsAt(`/ceo-pay?companies=${list}`);
    const [, byCompany = ""] = (await wordsAt(`/statistics?companies=${list}&unit=dollars`)).split(
      "CEO total by company",
    );
    const bars = await linesOf(`/compare/chart?chart=bars&format=csv&companies=${list}`);
    const years = await linesOf(`/compare/chart?chart=years&format=csv&companies=${list}`);
    const file = await linesOf(`/compare/download?format=csv&companies=${list}`);
    for (const one of group) {
      const of = ([ticker]: readonly string[]) => ticker === one.ticker;
      const total = String(one.peo_total);
      for (const [what, lines] of Object.entries({ bars, years, file }))
        expect([one.ticker, what, lines.find((line) => line.includes(one.ticker))?.includes(total)]).toEqual([
          one.ticker,
          what,
          true,
        ]);
      expect(bars.filter(of).map((line) => line[1])).toEqual([
        String(one.fiscal_year),
        String(dataset.years(one.cik)[0]?.fiscalYear),
      ]);
      expect([one.ticker, page.includes(` ${one.fiscal_year} ${number(one)} `)]).toEqual([one.ticker, true]);
      for (const [what, words] of Object.entries({ pay, byCompany }))
        expect([one.ticker, what, words.includes(` ${number(one)} `)]).toEqual([one.ticker, what, true]);
    }
  }

  // Programs, AI clients and the command line.
  const list = newer.map(({ ticker }) => ticker).join(",");
  const called = await server.get("/mcp/analyst", {
    method: "POST",
    key: await server.createKey(),
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "query_ceo_pay", arguments: { ticker: list, max_rows: 1000 } },
    }),
  });
  const { result } = JSON.parse(/\{.*\}/.exec(await called.text())?.[0] ?? "{}") as {
    result: { structuredContent: { ceo_pay: Total[] } };
  };
  const environment = { EXECCOMP_DATA_DIR: tempFolder() };
  const compared = (await cli("compare", list, "--json", { environment })).json() as { ceo_pay: Total[] };
  const asked = (
    await cli("ceo-pay", "--ticker", list, "--max-rows", "1000", "--json", { environment })
  ).json() as { ceo_pay: Total[] };
  const highest = (of: readonly Total[], cik: string) =>
    formatAmount(Math.max(...of.flatMap((one) => (one.cik === cik ? [one.peo_total] : []))));
  await expectAll("MCP", ({ cik }) => highest(result.structuredContent.ceo_pay, cik));
  await expectAll("compare --json", ({ cik }) => highest(compared.ceo_pay, cik));
  await expectAll("ceo-pay", ({ cik }) => highest(asked.ceo_pay, cik));
  const table = (await cli("compare", list, { environment })).out.split("\n");
  await expectAll("compare", ({ ticker, fiscal_year: year }) => {
    const line = table.find((one) => one.startsWith(`${year} * `) && one.includes(` ${ticker} `)) ?? "";
    return /[\d,]{5,}/.exec(line.slice(6))?.[0] ?? line;
  });
});

test("the quartiles of a peer group's CEO totals are the same in compare, statistics, rankings and over REST", async () => {
  const group = "ABBV,ABT,AMGN,PFE,MRK,LLY,BMY,GILD,TMO,DHR,MDT,UNH";
  const answer = await server.asOperator()(`/api/ceo-pay/statistics?fiscal_year=2025&ticker=${group}`);
  const { statistics } = (await answer.json()) as { statistics: Record<string, number>[] };
  const [figures = {}] = statistics;
  const [p25, median, p75] = ["p25", "median", "p75"].map((name) =>
    Math.round(figures[name] ?? 0).toLocaleString("en-US"),
  );
  const textOf = async (path: string) =>
    withoutTags(
      (await openPage(server, path)).text.replaceAll(/<(svg|select)[^]*?<\/\1>/g, "").replaceAll("<", " <"),
    ).replaceAll(/\s+/g, " ");
  expect(figures["companies"]).toBe(12);
  const compared = await textOf(`/compare?companies=${group}&year=2025`);
  for (const [name, value] of [
    ["25th percentile", p25],
    ["Median", median],
    ["75th percentile of the 12", p75],
  ])
    expect(compared).toContain(`${name} ${value}`);
  const told = await textOf(`/statistics?companies=${group}&fiscal_year=2025&unit=dollars`);
  expect(told).toContain(`$${median} median of 12 companies`);
  for (const value of [p25, median, p75]) expect(told).toContain(` ${value} `);
  expect(await textOf(`/rankings?office=peo&fiscal_year=2025&companies=${group}`)).toContain(
    `Median $${median} of 12 companies`,
  );
});

test("an own company is not among its peers, and ranks against them; among fewer than eight there is no rank", async () => {
  const group = "TMO,LLY,ABBV,GILD,PFE,AMGN,ABT,DHR,BMY,MDT,ISRG,MRK";
  const linesOf = async (query: string) => {
    const csv = await (
      await server.get(`/statistics/download?format=csv&fiscal_year=2025&own=JNJ&${query}`)
    ).text();
    const lines = csv
      .trim()
      .replaceAll('"', "")
      .split("\r\n")
      .map((line) => line.split(","));
    return lines.find(([office, amount]) => office === "CEO" && amount === "salary") ?? [];
  };
  const apart = await linesOf(`companies=${group}`);
  const listed = await linesOf(`companies=${group},JNJ`);
  expect(listed).toEqual(apart);
  expect(apart.slice(2, 4)).toEqual(["12", "12"]);
  const included = await linesOf(`companies=${group}&include_own=true`);
  expect(included.slice(2, 4)).toEqual(["13", "13"]);
  // Own amount and rank are the same either way; the percentiles are not.
  expect(included.slice(10, 13)).toEqual(apart.slice(10, 13));
  const few = await linesOf("companies=TMO,LLY,ABBV");
  expect([few[10], few[11]]).toEqual([apart[10] ?? "none", ""]);
  const { text } = await openPage(server, "/statistics?own=Qzxqzx");
  expect(text).toContain("No company found for “Qzxqzx”.");
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
  expect(await known("/t/AAPL/2025/tim-cook/salary")).toBe("Checked against its cell");
  // Its row is linked, but the filer's table has no such column.
  expect(await known("/t/AAPL/2025/tim-cook/bonus")).toBe("Without a cell of its own");
  expect(await known("/t/MSFT/2025/satya-nadella/salary")).toBe("Typed from the filing");
});

test.each([
  // The own company in the list, and not in it; measured against a sector; one of them.
  "companies=ABBV,ABT,AMGN,PFE,MRK,LLY,JNJ,BMY&own=JNJ",
  "companies=ABBV,ABT,AMGN,PFE,MRK,LLY,BMY&own=JNJ",
  "companies=ABBV,ABT,AMGN,PFE,MRK,LLY,BMY&own=JNJ&include_own=true",
  "sector=energy&fiscal_year=2024&own=XOM",
  "sector=energy&fiscal_year=2024&own=XOM&include_own=true",
  "companies=NFLX,AAPL,MSFT&fiscal_year=2024&one_per_company_year=false",
])("every percentile opens exactly what it counts: %s", async (query) => {
  const csv = await (await server.get(`/statistics/download?format=csv&${query}`)).text();
  const counted = csv
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => Number(line.split(",")[2]));
  const { text } = await openPage(server, `/statistics?${query}`);
  const [, table = ""] = text.split(/<table class="pay stat[^"]*">/);
  const links = [...(table.split("</table>")[0] ?? "").matchAll(/<td[^>]*> <a href="([^"]*)"/g)].map(
    ([, path = ""]) => path.replaceAll("&amp;", "&"),
  );
  // Three percentiles of each of three offices on a line; the file has a line of each, by office.
  const perOffice = counted.length / 3;
  expect(links).toHaveLength(counted.length * 3);
  for (const [at, path] of links.entries()) {
    if (at % 3 !== 0) continue;
    const office = (at / 3) % 3;
    const line = Math.floor(at / 9);
    const file = await server.get(path.replace("?", "/download?format=csv&"));
    const opened = (await file.text()).trim().split("\r\n").length - 1;
    expect([path, opened]).toEqual([path, counted[office * perOffice + line] ?? Number.NaN]);
  }
});
