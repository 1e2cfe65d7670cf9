import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { compensationCall, jsonOf, KEY, mcpUnderTest, resultOf } from "../../contract/mcp/support.ts";
import { analystTools } from "../../../src/mcp/analyst/tools.ts";
import { cursorTo } from "../../../src/operations/analysis.ts";
import { type AnalystUnderTest, analystUnderTest, type Called } from "./support.ts";

let analyst: AnalystUnderTest;
beforeAll(async () => {
  analyst = await analystUnderTest({ rateKey: "100000" });
});
afterAll(() => analyst.stop());

const QUERY = "query_executive_compensation";
const STATISTICS = "get_executive_compensation_statistics";
const CEO_PAY = "query_ceo_pay";
const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25"];

interface Rows {
  executive_compensation: { cik: string; fiscal_year: number; executive_id: string }[];
  matched: { rows: number };
  next_cursor: string | null;
}
const bodyOf = ({ result }: Called) => result.structuredContent as unknown as Rows;
const rest = async (path: string, key = analyst.key) =>
  jsonOf<Rows & Record<string, unknown>>(await analyst.server.get(`/api${path}`, { key }));

describe("query", () => {
  test("full: the rows and counts of REST; the text is short if the protocol version has structured content", async () => {
    const key = await analyst.server.createKey();
    const expected = await rest("/executive-compensation/query?office=peo&fiscal_year=2024", key);
    for (const revision of REVISIONS) {
      const called = await analyst.call(
        QUERY,
        { office: "peo", fiscal_year: 2024, detail: "full" },
        revision,
      );
      const { next_cursor: next, ...body } = bodyOf(called);
      const { next_cursor: expectedNext, ...others } = expected;
      expect<object>(body).toEqual(others);
      expect(next).toBe(expectedNext);
      const [text] = called.result.content;
      if (revision === "2025-03-26") {
        expect(JSON.parse(text?.text ?? "")).toEqual(called.result.structuredContent);
      } else {
        expect(called.result.content).toHaveLength(1);
        expect((text?.text.length ?? 0) * 2).toBeLessThan(JSON.stringify(body).length);
        for (const { executive_id: id } of body.executive_compensation) {
          expect(text?.text.toLowerCase()).toContain(id.split("-").at(-1) ?? "");
        }
      }
    }
  });

  test("concise keeps identity, office, total, filing and the requested amounts", async () => {
    const called = await analyst.call(QUERY, { sort: "-salary", bonus_gt: 0, max_rows: 2 });
    expect(Object.keys(bodyOf(called).executive_compensation[0] ?? {})).toEqual([
      "ticker",
      "cik",
      "company_name",
      "fiscal_year",
      "executive_id",
      "executive_name",
      "is_peo",
      "is_pfo",
      "reporting_currency",
      "salary",
      "bonus",
      "total_compensation",
      "source",
    ]);
    expect(called.text).toContain("| salary | bonus | Filing");
  });

  test.each(REVISIONS)(
    "%s: cursors lead through every row once, in REST order, and no result exceeds 60,000 characters",
    async (revision) => {
      const walked: string[] = [];
      const selection = { fiscal_year_gte: 2023, max_rows: 1000, detail: "full" };
      let given: object = selection;
      const walker = await analyst.server.createKey();
      for (;;) {
        const called = await analyst.call(QUERY, given, revision, walker);
        expect(called.status).toBe(200);
        expect(called.result.isError).toBeUndefined();
        expect(called.length).toBeLessThanOrEqual(60_000);
        const { executive_compensation: rows, next_cursor: cursor } = bodyOf(called);
        for (const { cik, fiscal_year: year, executive_id: id } of rows) walked.push(`${cik} ${year} ${id}`);
        if (cursor === null) break;
        expect(rows.length).toBeGreaterThan(20);
        expect(called.text).toContain(`cursor "${cursor}"`);
        given = { ...selection, cursor };
      }
      const expected: string[] = [];
      const key = await analyst.server.createKey();
      let cursor = "";
      for (;;) {
        const page = await rest(
          `/executive-compensation/query?fiscal_year_gte=2023&max_rows=1000${cursor}`,
          key,
        );
        for (const row of page.executive_compensation) {
          expected.push(`${row.cik} ${row.fiscal_year} ${row.executive_id}`);
        }
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect(expected.length).toBeGreaterThan(1000);
      expect(walked).toEqual(expected);
    },
  );

  test.each(REVISIONS)(
    "%s: companies that are not found count too, in their longest form",
    async (revision) => {
      const unknown = Array.from({ length: 190 }, (_, number) => "\\".repeat(17) + String(100 + number));
      const selection = { ticker: ["AAPL", "MSFT", "PFE", "GOOGL", "JPM", ...unknown], fiscal_year_gte: 0 };
      const key = await analyst.server.createKey();
      for (const detail of ["concise", "full"]) {
        const rows = await analyst.call(QUERY, { ...selection, max_rows: 1000, detail }, revision, key);
        expect(rows.length).toBeLessThanOrEqual(60_000);
        expect(bodyOf(rows).executive_compensation.length).toBeGreaterThan(10);
        const groups = { ...selection, group_by: "fiscal_year,office", detail };
        const figures = await analyst.call(STATISTICS, groups, revision, key);
        expect(figures.length).toBeLessThanOrEqual(60_000);
      }
    },
  );

  test("lists, digits, null: arguments as models send them", async () => {
    const forms = [
      { ticker: ["AAPL", "MSFT"], office: "peo", fiscal_year: "2024", sector: null },
      { ticker: "AAPL,MSFT", office: "peo", fiscal_year: 2024 },
      { cik: [320193, "789019"], office: "PEO", fiscal_year: 2024, complete_only: "false" },
    ];
    for (const given of forms) {
      const { executive_compensation: rows } = bodyOf(await analyst.call(QUERY, given));
      expect(rows.map(({ cik }) => cik).sort()).toEqual(["0000320193", "0000789019"]);
    }
  });

  test("without rows: free, and it says which years are available", async () => {
    const one = await analyst.call(QUERY, { ticker: "AAPL", fiscal_year: 2031 });
    expect(one.charged).toBe("0");
    expect(one.text).toContain("Rows of AAPL are of fiscal 2020 to 2025: ask for one of these years.");
    const all = await analyst.call(QUERY, { fiscal_year: 1950 });
    expect(all.text).toMatch(/Rows are of fiscal 20\d\d to 20\d\d: ask/);
    const spec = await analyst.call("get_executive_compensation", { ticker: "AAPL", fiscal_year: 2031 });
    expect(spec.text).toContain("Fiscal years with rows of AAPL: 2020 to 2025.");
  });
});

describe("statistics", () => {
  test("full: the body of REST", async () => {
    const key = await analyst.server.createKey();
    const expected = await rest(
      "/executive-compensation/statistics?office=peo&group_by=sector&rank_ticker=AAPL",
      key,
    );
    const called = await analyst.call(STATISTICS, {
      office: "peo",
      group_by: "sector",
      rank_ticker: "AAPL",
      detail: "full",
    });
    const { next_cursor: next, ...body } = called.result.structuredContent ?? {};
    expect<object>(body).toEqual(expected);
    expect(next).toBeNull();
    expect(called.charged).toBe("1");
  });

  test("the group of companies with an unknown sector has a name", async () => {
    const { text } = await analyst.call(STATISTICS, { office: "peo", group_by: "sector" });
    expect(text).toMatch(/^unknown \| USD \| 4 \| 3 \|/m);
    const one = await analyst.call(QUERY, { ticker: "AAPL", office: "peo" });
    expect(one.text).toStartWith("1 row of 1 company matched;");
  });

  test("more groups than fit: cursors lead through all of them, in REST order", async () => {
    const key = await analyst.server.createKey();
    const path = "/executive-compensation/statistics?group_by=fiscal_year,sic2&fiscal_year_gte=0";
    const expected = await rest(path, key);
    const selection = { group_by: "fiscal_year,sic2", fiscal_year_gte: 0, detail: "full" };
    const walked: unknown[] = [];
    let cursor: unknown;
    let pages = 0;
    do {
      const called = await analyst.call(STATISTICS, { ...selection, cursor }, "2025-03-26", key);
      expect(called.length).toBeLessThanOrEqual(60_000);
      const body = called.result.structuredContent ?? {};
      walked.push(...(body["statistics"] as unknown[]));
      cursor = body["next_cursor"];
      if (cursor !== null) expect(called.text).toContain(`cursor "${String(cursor)}"`);
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBeGreaterThan(1);
    expect<unknown>(walked).toEqual(expected["statistics"]);
  });

  test("without rows it says which years are available", async () => {
    const called = await analyst.call(STATISTICS, { fiscal_year: 1950 });
    expect(called.text).toMatch(/^Rows are of fiscal 20\d\d to 20\d\d: ask for one of these years\.$/m);
    expect(called.charged).toBe("0");
  });

  test("the median of CEOs is that of CEO pay, first in the text, with both numbers of companies", async () => {
    const selection = { sector: "technology" };
    const called = await analyst.call(STATISTICS, { ...selection, office: "CEO" });
    const { ceo_pay: pay, statistics } = called.result.structuredContent as {
      ceo_pay: { companies: number; median: number; url: string };
      statistics: { companies: number; median: number }[];
    };
    const other = await analyst.call(CEO_PAY, { ...selection, group_by: "sector" });
    const [group] = (
      other.result.structuredContent as { statistics: { companies: number; median: number }[] }
    ).statistics;
    expect([pay.companies, pay.median]).toEqual([group?.companies ?? 0, group?.median ?? 0]);
    expect(pay.companies).toBeGreaterThan(statistics[0]?.companies ?? 0);
    expect(called.text).toStartWith(
      `CEO pay of the whole market, rows and filers' tags: median ${Math.round(pay.median)} of ${pay.companies} companies (query_ceo_pay). The rows below are of ${statistics[0]?.companies} of them.`,
    );
    const linked = await analyst.server.get(pay.url, { key: analyst.key });
    expect(((await linked.json()) as { statistics: { median: number }[] }).statistics[0]?.median).toBe(
      pay.median,
    );
    for (const given of [
      { office: "CFO" },
      { office: "CEO", field: "salary" },
      { office: "CEO", executive: "tim" },
    ])
      expect((await analyst.call(STATISTICS, given)).result.structuredContent).not.toHaveProperty("ceo_pay");
  });

  test.each([STATISTICS, CEO_PAY])(
    "a trend of %s says that companies differ, or is of the same ones",
    async (tool) => {
      const trend = { group_by: "fiscal_year", fiscal_year_gte: 2022, fiscal_year_lte: 2024, index: "sp500" };
      const given = tool === STATISTICS ? { ...trend, office: "CEO", one_per_company_year: true } : trend;
      const groups = ({ result }: Called) =>
        (result.structuredContent as { statistics: { companies: number }[] }).statistics.map(
          ({ companies }) => companies,
        );
      const differing = await analyst.call(tool, given);
      expect(new Set(groups(differing)).size).toBeGreaterThan(1);
      expect(differing.text).toContain(
        `The companies differ from year to year (${groups(differing).join(", ")}): for a trend ask with same_companies=true.`,
      );
      const same = await analyst.call(tool, { ...given, same_companies: true });
      expect(groups(same)).toHaveLength(3);
      expect(new Set(groups(same)).size).toBe(1);
      expect(groups(same)[0]).toBeLessThan(Math.min(...groups(differing)) + 1);
      expect(same.text).not.toContain("differ from year to year");
    },
  );

  test("concise has the percentiles and the sum, and a query what it is sorted by", async () => {
    const { text } = await analyst.call(STATISTICS, { office: "CFO" });
    for (const figure of ["p10", "p25", "median", "p75", "p90", "sum"]) expect(text).toContain(figure);
    const sorted = await analyst.call(QUERY, {
      office: "CEO",
      fiscal_year: 2024,
      sort: "-total_change",
      max_rows: 3,
    });
    expect(sorted.text).toContain("| total_change |");
    expect((sorted.result.structuredContent as { measures: object[] }).measures).toHaveLength(3);
    const bounded = await analyst.call(QUERY, { fiscal_year: 2024, cash_share_gte: 0.9, max_rows: 2 });
    expect(bounded.text).toContain("| cash_share |");
  });

  test("states a rank in words", async () => {
    const called = await analyst.call(STATISTICS, { office: "peo", fiscal_year: 2024, rank_ticker: "AAPL" });
    expect(called.text).toMatch(
      /^Rank \d+: tim-cook, fiscal 2024, 74609802; above \d+\.\d% of the others\.$/m,
    );
  });

  test.each([
    ["another question", 400, () => analyst.server.services.snapshots.current().info.contentHash],
    ["another dataset", 410, () => "0".repeat(64)],
  ] as const)("a cursor of %s is refused as %d before anything is charged", async (_, status, hash) => {
    const { snapshots } = analyst.server.services;
    const dataset = { ...snapshots.current().info, contentHash: hash() };
    const cursor = cursorTo(dataset, "another", 1);
    for (const tool of [QUERY, STATISTICS]) {
      const called = await analyst.call(tool, { office: "peo", cursor });
      expect(called.result).toMatchObject({ isError: true, _meta: { http_status: status } });
      expect(called.charged).toBe("0");
    }
  });
});

describe("an argument whose meaning is certain is accepted", () => {
  const accepted: [name: string, given: object, same: object][] = [
    [QUERY, { office: "CEO" }, { office: "peo" }],
    [QUERY, { office: "Chief Financial Officer" }, { office: "pfo" }],
    [QUERY, { sector: "technology" }, { sector: "information_technology" }],
    [QUERY, { sector: "Health Care" }, { sector: "health_care" }],
    [QUERY, { index: "S&P 500" }, { index: "sp500" }],
    [QUERY, { state: "Texas" }, { state: "TX" }],
    [QUERY, { state: "georgia" }, { state: "GA" }],
    [QUERY, { state: "Washington" }, { state: "WA" }],
    [QUERY, { state: "Washington, DC" }, { state: "DC" }],
    [QUERY, { total_compensation_gte: "$100M" }, { total_compensation_gte: 100_000_000 }],
    [QUERY, { total_compensation_gte: "1e8" }, { total_compensation_gte: 100_000_000 }],
    [QUERY, { total_compensation_gte: 1e8 }, { total_compensation_gte: "100000000" }],
    [QUERY, { salary_lt: "1.5 million" }, { salary_lt: 1_500_000 }],
    [QUERY, { bonus_gt: "$2,500,000" }, { bonus_gt: 2_500_000 }],
    [CEO_PAY, { peo_total_gte: "US$0.2bn" }, { peo_total_gte: 200_000_000 }],
    [QUERY, { ticker: "Google" }, { ticker: "GOOGL" }],
    [QUERY, { ticker: ["Apple", "Wells Fargo"] }, { ticker: "AAPL,WFC" }],
    [QUERY, { ticker: "Amazon.com, Inc." }, { ticker: "AMZN" }],
    [QUERY, { ticker: "AAPL", fiscal_year: "latest" }, { ticker: "AAPL" }],
    [STATISTICS, { office: "CFO", rank_ticker: "Facebook" }, { office: "pfo", rank_ticker: "META" }],
    [CEO_PAY, { ticker: "Sherwin-Williams" }, { ticker: "SHW" }],
    ["get_executive_compensation", { ticker: "Google" }, { ticker: "GOOGL" }],
    ["get_executive_compensation", { ticker: "AAPL", fiscal_year: "Latest" }, { ticker: "AAPL", limit: 1 }],
  ];
  test.each(accepted)("%s %j is %j", async (name, given, same) => {
    const [called, expected] = [await analyst.call(name, given), await analyst.call(name, same)];
    expect(called.result.isError).toBeUndefined();
    // What words were taken for is told.
    const { understood: _, ...rest } = called.result.structuredContent ?? {};
    expect<unknown>(rest).toEqual(expected.result.structuredContent);
  });
});

describe("TL-2, TL-4: a wrong argument is refused with a result that names the valid ones, free of charge", () => {
  const wrong: [name: string, given: object, said: string][] = [
    [QUERY, { year: 2024 }, 'Unknown parameter "year". Did you mean fiscal_year?'],
    [QUERY, { limit: 3 }, "Did you mean max_rows?"],
    [QUERY, { ticker: '["AAPL","MSFT"]' }, "It is a list as text: send AAPL,MSFT."],
    ["get_executive_compensation", { ticker: '["AAPL","MSFT"]' }, "with ticker=AAPL,MSFT."],
    [QUERY, { salary_gte: "a lot" }, 'Cannot read salary_gte "a lot": expected an amount'],
    [QUERY, { state: "Atlantis" }, 'Cannot read state "Atlantis"'],
    [STATISTICS, { same_companies: true }, "Add group_by=fiscal_year."],
    [QUERY, { office: "head" }, 'Cannot read office "head": expected one of peo, pfo, other.'],
    [QUERY, { sector: "consumer" }, 'Cannot read sector "consumer": expected one of'],
    [QUERY, { fiscal_year: "last" }, 'Cannot read fiscal_year "last"'],
    [QUERY, { detail: "short" }, 'Cannot read detail "short": expected one of concise, full.'],
    [QUERY, { ticker: { in: [] } }, "Cannot read ticker: got an object, expected a string."],
    [QUERY, { fiscal_year: [2024] }, "Cannot read fiscal_year: got a list, expected a whole number."],
    [QUERY, { complete_only: {} }, "Cannot read complete_only: got an object, expected true or false."],
    [QUERY, { max_rows: 5000 }, 'Cannot read max_rows "5000": expected a whole number from 1 to 1000.'],
    [STATISTICS, { metric: "salary" }, "Did you mean field?"],
    [STATISTICS, { group_by: "country" }, 'Cannot read group_by "country"'],
    ["search", { q: "apple" }, "Did you mean query?"],
    ["search", {}, 'Cannot read query ""'],
    ["search", { query: "apple", detail: "full" }, 'Unknown parameter "detail".'],
    ["fetch", { id: "AAPL" }, 'Cannot read id "AAPL": expected "company:CIK"'],
    ["get_executive_compensation", { ticker: "AAPL", year: 2024 }, "Did you mean fiscal_year?"],
  ];
  test.each(wrong)("%s %j: %s", async (name, given, said) => {
    const called = await analyst.call(name, given);
    expect(called.status).toBe(200);
    expect(called.result).toMatchObject({ isError: true, _meta: { http_status: 400 } });
    expect(called.result.structuredContent).toBeUndefined();
    expect(JSON.parse(called.text).message).toContain(said);
    expect(called.charged).toBe("0");
  });
});

describe("TL-10: search and fetch have the form that ChatGPT requires", () => {
  /** One text item, the JSON of the structured content. */
  function theOneItem({ result }: Called): Record<string, unknown> {
    expect(result.content).toHaveLength(1);
    expect(result.content[0]?.type).toBe("text");
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent);
    return result.structuredContent ?? {};
  }
  const search = async (query: string) =>
    theOneItem(await analyst.call("search", { query }))["results"] as Record<string, string>[];

  test("search finds a person by last name if filings print a different first name", async () => {
    for (const query of ["jamie dimon", "What did Jamie Dimon earn in 2025?"])
      expect((await search(query)).map(({ id }) => id)).toContain("executive:0000019617:james-dimon");
    expect(await search("jamie xyzzyx")).toEqual([]);
  });

  test("a company without rows is found, and its document says what is known", async () => {
    for (const [query, id, title] of [
      ["Sherwin-Williams", "company:0000089800", "Sherwin-Williams Co (SHW): no rows yet"],
      ["twitter ceo pay 2021", "company:0001418091", "TWITTER, INC. (TWTR): no rows yet"],
    ] as const) {
      expect((await search(query)).find((one) => one["id"] === id)?.["title"]).toBe(title);
      const called = await analyst.call("fetch", { id });
      expect(called.charged).toBe("0");
      expect(theOneItem(called)["text"]).toStartWith("No rows are available for");
    }
    // Companies with rows stay alone where one is meant.
    expect((await search("Apple")).map(({ title = "" }) => title).join()).not.toContain("no rows");
  });

  test("a question for a statistic points to the tool that answers it, free", async () => {
    const [first] = await search("median CEO pay in technology");
    expect(first).toMatchObject({ id: `tool:${STATISTICS}`, url: expect.stringMatching(/\/statistics$/) });
    expect(first?.["title"]).toContain(STATISTICS);
    const called = await analyst.call("fetch", { id: `tool:${STATISTICS}` });
    expect(theOneItem(called)["text"]).toContain("one_per_company_year");
    expect(called.charged ?? "0").toBe("0");
  });

  test("search: id, title and url of each result, free", async () => {
    const called = await analyst.call("search", { query: "Apple CEO 2024" });
    const { results } = theOneItem(called);
    const { origin } = analyst.server;
    expect(results).toEqual([
      {
        id: "year:0000320193:2024",
        title: "Apple Inc. (AAPL), fiscal 2024: executive compensation",
        url: `${origin}/t/AAPL?year=2024`,
      },
      {
        id: "executive:0000320193:tim-cook",
        title: "Tim Cook, Apple Inc. (AAPL): compensation by fiscal year",
        url: `${origin}/t/AAPL/2024/tim-cook`,
      },
      {
        id: "company:0000320193",
        title: "Apple Inc. (AAPL): executive compensation",
        url: `${origin}/t/AAPL`,
      },
    ]);
    expect(called.charged).toBe("0");
  });

  test.each([
    ["G", "company:0001398659"],
    ["AL", "company:0001487712"],
    ["CON", "company:0002014596"],
    ["CDRE", "company:0001860543"],
    ["AIR", "company:0000001750"],
    ["BF-B", "company:0000014693"],
    ["What did BF.B pay its CEO?", "company:0000014693"],
    ["KMI", "company:0001506307"],
    ["BRK-A", "company:0001067983"],
    ["BRK", "company:0001067983"],
    ["MOG", "company:0000067887"],
    ["Kinder Morgan", "company:0001506307"],
    ["Sherwin-Williams CEO 2024", "company:0000089800"],
    ["Ford", "company:0000037996"],
    ["Chase", "company:0000019617"],
    ["A", "company:0001090872"],
    ["facebook", "company:0001326801"],
    ["J P Morgan", "company:0000019617"],
    ["what did Pfizer pay its chief executive?", "executive:0000078003:a-bourla"],
    ["Microsoft CFO", "executive:0000789019:amy-hood"],
    ["Tim Cook", "executive:0000320193:tim-cook"],
    ["Starbucks Niccol", "executive:0000829224:brian-niccol"],
    ["microsft", "company:0000789019"],
    ["total compensation of Satya Nadella in fy24", "executive:0000789019:satya-nadella"],
  ])("%s: the first result is %s", async (query, id) => {
    expect((await search(query))[0]?.["id"]).toBe(id);
  });

  test.each([
    ["highest paid ceo 2021", CEO_PAY],
    ["Who was the highest-paid CFO of fiscal 2025?", QUERY],
    ["top 10 executives", QUERY],
    ["CEOs", CEO_PAY],
    ["who earned the most in 2019", QUERY],
    ["lowest paid CEO of 2022", CEO_PAY],
    ["average CFO pay 2021", STATISTICS],
    ["trend of CEO pay since 2018", STATISTICS],
  ])("%s: search never ranks, it names %s", async (query, tool) => {
    const found = await search(query);
    expect(found[0]?.["id"]).toBe(`tool:${tool}`);
    expect(found.filter(({ id = "" }) => !id.startsWith("tool:"))).toEqual([]);
    for (const { id = "", title = "", url = "" } of found) {
      const called = await analyst.call("fetch", { id });
      expect(theOneItem(called)).toMatchObject({ id, title, url, text: expect.stringContaining(title) });
      expect([called.charged ?? "0", url.startsWith("http")]).toEqual(["0", true]);
    }
  });

  test("every chief executive whose total is known by name is found, with a row or without", async () => {
    const dataset = analyst.server.services.snapshots.current();
    const chiefs = dataset.all<{ cik: number; name: string }>(
      "select cik, peo_name as name from ceo_pay where peo_name like '% %' and is_latest = 1 and cik % 11 = 3 order by cik",
    );
    expect(chiefs.length).toBeGreaterThan(10);
    for (const { cik, name } of chiefs) {
      const found = await search(name);
      expect([name, found.map(({ id = "" }) => Number(id.split(":")[1])).includes(cik)]).toEqual([
        name,
        true,
      ]);
      const answer = await analyst.server.get(`/suggest?q=${encodeURIComponent(name)}`);
      const { people } = (await answer.json()) as { people: { cik: string; path: string }[] };
      const person = people.find((one) => Number(one.cik) === cik);
      const page = await analyst.server.get(person?.path ?? "/none", { headers: { accept: "text/html" } });
      expect([name, page.status]).toEqual([name, 200]);
    }
  });

  test("what no tool has is said where it is asked for", async () => {
    for (const query of [
      "Apple CEO pay ratio",
      "realized pay of Tim Cook",
      "director fees at Apple",
      "insider trades at Apple",
    ]) {
      const [first] = await search(query);
      expect(first?.["title"]).toStartWith("Not covered: directors, pay ratio");
    }
    for (const query of ["Apple", "Best Buy", "Dollar General", "what did Mastercard pay?"])
      expect((await search(query)).filter(({ id = "" }) => id.startsWith("tool:"))).toEqual([]);
    const called = await analyst.call(STATISTICS, { field: "pay_ratio" });
    expect([called.result.isError, called.text.includes("Not covered: directors, pay ratio")]).toEqual([
      true,
      true,
    ]);
  });

  test("the order of what is free tells nothing of totals: people of a document by name", async () => {
    for (const id of ["company:320193", "company:789019"]) {
      const { text = "" } = theOneItem(await analyst.call("fetch", { id })) as { text?: string };
      const people = [...text.matchAll(/^(.+): executive:/gm)].map(([, name = ""]) => name);
      expect(people.length).toBeGreaterThan(4);
      expect(people).toEqual(people.toSorted((a, b) => (a < b ? -1 : 1)));
    }
    expect(await search("compensation of executives")).toEqual([]);
  });

  test("nothing found is an empty list; every url works", async () => {
    expect(await search("nobody of that name")).toEqual([]);
    for (const { url = "" } of await search("Apple")) {
      const answer = await fetch(url, { redirect: "manual", headers: { accept: "text/html" } });
      expect(answer.status).toBe(200);
    }
  });

  test("rows that cover less than a year are noted, once per company-year", async () => {
    const told = "PSKY, fiscal 2025: Covers 2025-08-07 to 2025-12-31, not a whole year.";
    const called = await analyst.call(QUERY, { ticker: "PSKY,AAPL" });
    expect(called.text.split(told)).toHaveLength(2);
    const { text } = await analyst.call(QUERY, { ticker: "AAPL" });
    expect(text).not.toContain("whole year");
  });

  test("fetch marks rows with a short period, or that do not add up", async () => {
    const text = async (id: string) => theOneItem(await analyst.call("fetch", { id })).text;
    expect(await text("year:2041610:2025")).toMatch(
      /- David Ellison, .*\)\. Covers 2025-08-07 to 2025-12-31, not a whole year$/m,
    );
    expect(await text("executive:829224:sara-kelly")).toContain(
      "which is 141,986 below the sum of its components",
    );
    expect(await text("year:320193:2025")).not.toContain("whole year");
  });

  test("fetch: id, title, text, url and metadata; the cost is that of its rows", async () => {
    const ids = [
      ["company:320193", "0"],
      ["year:0000320193:2025", "0"],
      ["year:0000320193:2024", "1"],
      ["executive:0000320193:tim-cook", "1"],
    ] as const;
    for (const [id, costs] of ids) {
      const called = await analyst.call("fetch", { id });
      const document = theOneItem(called);
      expect(Object.keys(document)).toEqual(["id", "title", "text", "url", "metadata"]);
      expect(document["text"]).toContain("https://www.sec.gov/Archives/edgar/data/320193/");
      expect(Object.values(document["metadata"] ?? {}).map((value) => typeof value)).not.toContain("number");
      expect({ id, costs: called.charged }).toEqual({ id, costs });
    }
  });

  test("a year's document has each row's total and says what is incomplete", async () => {
    const { text } = theOneItem(await analyst.call("fetch", { id: "year:320193:2021" }));
    expect(text).toContain(
      "- Tim Cook, Chief Executive Officer [CEO]: total 98,734,394 USD (salary 3,000,000;",
    );
    expect(text).toContain("Incomplete: 2021.");
  });

  test.each([
    ["year:320193:1999", "Available: 2025, 2024"],
    ["executive:320193:nobody", "Known: deirdre-obrien, "],
    ["company:1", "No company with CIK 0000000001."],
  ])("%s is not found: %s", async (id, said) => {
    const called = await analyst.call("fetch", { id });
    expect(called.result).toMatchObject({ isError: true, _meta: { http_status: 404 } });
    expect(called.text).toContain(said);
    expect(called.charged).toBe("0");
  });
});

describe("the specification's two tools", () => {
  test("TL-9: give the rows of {mcp_url}; the text has each once, for Apple's six years in less than 2,600 tokens", async () => {
    const given = { ticker: "AAPL", limit: 10 };
    const { result, text } = await analyst.call("get_executive_compensation", given);
    const rows = bodyOf({ result } as Called).executive_compensation;
    expect(rows.length).toBeGreaterThan(25);
    for (const row of rows) expect(text).toContain(String(Reflect.get(row, "total_compensation")));
    expect(encode(text).length).toBeLessThan(2600);
    // Without structured content the text is all there is.
    const older = await analyst.call("get_executive_compensation", given, "2025-03-26");
    expect(JSON.parse(older.result.content[0]?.text ?? "")).toEqual(result.structuredContent);
  });

  test("say once of a year that it is short", async () => {
    const { text } = await analyst.call("get_executive_compensation", { ticker: "PSKY" });
    expect(text.match(/.* not a whole year\./g)).toEqual([
      "PSKY, fiscal 2025: Covers 2025-08-07 to 2025-12-31, not a whole year.",
    ]);
  });

  test("refuse a name with a typing mistake, and say who is meant", async () => {
    const { result, text } = await analyst.call(QUERY, { ticker: "Appel" });
    expect(result).toMatchObject({ isError: true, _meta: { http_status: 404 } });
    expect(text).toContain("No company matches APPEL. Did you mean Apple Inc. (AAPL)?");
  });

  test("give the same structured content as at {mcp_url}", async () => {
    const calls: [string, object][] = [
      ["get_executive_compensation", { ticker: "AAPL", limit: 2 }],
      ["list_available_tickers", {}],
    ];
    for (const [name, given] of calls) {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
      const there = await resultOf(await analyst.post(message, { "x-api-key": analyst.key }, "/mcp"));
      const { result } = await analyst.call(name, given);
      expect<unknown>(result.structuredContent).toEqual(there.structuredContent);
    }
  });

  test("a long history is split between fiscal years, and the note leads through all of it", async () => {
    const mcp = mcpUnderTest();
    const headers = { "x-api-key": KEY };
    const years: number[] = [];
    let given: object = { ticker: "LONG", limit: 100 };
    for (;;) {
      const { message } = compensationCall("legacy", given);
      const answer = await mcp.post(message, headers, "/mcp/analyst");
      const text = await answer.text();
      expect(text.length).toBeLessThanOrEqual(60_000);
      const { result } = JSON.parse(text) as { result: Awaited<ReturnType<typeof resultOf>> };
      const rows = result.structuredContent?.executive_compensation ?? [];
      const got = [...new Set(rows.map(({ fiscal_year: year }) => year))];
      expect(rows).toHaveLength(got.length * 3);
      years.push(...got);
      const [, next] = /Continue with fiscal_year_lte (\d+)\./.exec(result.content.at(-1)?.text ?? "") ?? [];
      if (next === undefined) break;
      given = { ticker: "LONG", limit: 100, fiscal_year_lte: Number(next) };
    }
    expect(years).toEqual(Array.from({ length: 60 }, (_, back) => 2025 - back));
  });
});

test("an unknown tool is a protocol error; run_sql is not served over HTTP", async () => {
  const params = { name: "run_sql", arguments: { statement: "select 1" } };
  const answer = await analyst.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
});

test("without credits a query returns the purchase, and search still works", async () => {
  const poor = await analystUnderTest();
  try {
    const { accounts } = poor.server;
    const user = await accounts.users.findOrCreate("poor@example.com");
    const key = (await accounts.keys.create(user.id, { name: "test" })).secret;
    const principal = { kind: "key", keyId: "k", userId: user.id } as const;
    const reason = { costCredits: 100, price: null, operation: "test", ticker: null, requestId: "r" };
    await poor.server.services.operations.charge(principal, reason);
    const ask = async (name: string, given: object) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
      return resultOf(await poor.post(message, { "x-api-key": key }));
    };
    const refused = await ask(QUERY, { office: "peo" });
    expect(refused).toMatchObject({ isError: true, _meta: { http_status: 402 } });
    expect(JSON.parse(refused.content[0]?.text ?? "")).toHaveProperty("purchase.status");
    expect((await ask("search", { query: "apple" })).isError).toBeUndefined();
    expect((await ask("fetch", { id: "company:320193" })).isError).toBeUndefined();
    expect(await ask("fetch", { id: "year:320193:2023" })).toMatchObject({ isError: true });
  } finally {
    await poor.stop();
  }
});

describe("query_ceo_pay", () => {
  test("records as REST has them, and a text with counts, basis and gaps", async () => {
    const expected = await rest("/ceo-pay?index=sp500&max_rows=10");
    const called = await analyst.call(CEO_PAY, { index: "sp500", max_rows: 10, detail: "full" });
    const { next_cursor: next, ...body } = called.result.structuredContent as Record<string, unknown>;
    expect({ ...body, next_cursor: next }).toEqual(expected);
    const text = called.result.content[0]?.text ?? "";
    expect(text).toMatch(
      /^\d+ totals of \d+ companies matched: \d+ from the filing's table \(row\), \d+ only as/,
    );
    expect(text).toContain("4 doubtful totals are left out");
    expect(text).toContain("BX: no total is known");
    // Every record has an address to cite: its filing, or else the company's page.
    const lines = text.split("\n").filter((one) => /^\d{4}.* \| (row|tag) \| /.test(one));
    expect(lines.length).toBe(10);
    for (const one of lines) expect(one).toMatch(/ \| https:\/\/www\.sec\.gov\/[^|]+$/);
    const brief = (await analyst.call(CEO_PAY, { index: "sp500", max_rows: 100 })).result
      .structuredContent as {
      ceo_pay: { source: { filing_url: string } | null; company_url?: string }[];
    };
    expect(brief.ceo_pay.some(({ source }) => source === null)).toBe(true);
    for (const { source, company_url: page } of brief.ceo_pay)
      expect(source?.filing_url ?? page ?? "").toStartWith("https://www.sec.gov/");
    expect(called.charged).toBe("1");
    const short = await analyst.call(CEO_PAY, { ticker: "PSKY,AAPL" });
    expect(short.result.content[0]?.text.match(/.* not a whole year\./g)).toEqual([
      "PSKY, fiscal 2025: Covers 2025-08-07 to 2025-12-31, not a whole year.",
    ]);
  });

  test("with group_by statistics; a result that is cut has a cursor that goes on", async () => {
    const grouped = await analyst.call(CEO_PAY, { index: "sp500", group_by: "sector" });
    const { statistics } = grouped.result.structuredContent as {
      statistics: { group: object; median: number }[];
    };
    expect(statistics).toHaveLength(11);
    expect(grouped.result.content[0]?.text).toMatch(/^energy \| USD \| /m);
    const seen = new Set<string>();
    const key = await analyst.server.createKey("pages@example.com");
    let cursor: string | null = null;
    let calls = 0;
    do {
      const given = { max_rows: 1000, ...(cursor === null ? {} : { cursor }) };
      const page = await analyst.call(CEO_PAY, given, undefined, key);
      expect(JSON.stringify(page.result).length).toBeLessThanOrEqual(60_000);
      // The shape is that of the operation.
      const body = page.result.structuredContent as unknown as {
        ceo_pay: { cik: string; fiscal_year: number; peo_name: string | null; peo_total: number }[];
        matched: { records: number };
        next_cursor: string | null;
      };
      for (const one of body.ceo_pay)
        seen.add(`${one.cik} ${one.fiscal_year} ${one.peo_name} ${one.peo_total}`);
      cursor = body.next_cursor;
      calls++;
      if (cursor === null) expect(seen.size).toBe(body.matched.records);
    } while (cursor !== null && calls < 40);
    expect(cursor).toBeNull();
  });

  test("wrong arguments are refused, free of charge", async () => {
    for (const given of [
      { office: "peo" },
      { sort: "salary" },
      { group_by: "office" },
      { doubtful: "maybe" },
    ]) {
      const called = await analyst.call(CEO_PAY, given);
      expect([given, called.result.isError, called.charged]).toEqual([given, true, "0"]);
    }
  });

  test("what only totals or only groups have is refused with the reason, as its description says", async () => {
    const declared = JSON.stringify(
      analystTools({ companies: 0, companyYears: 0, completeCompanyYears: 0, fiscalYears: null }).find(
        ({ name }) => name === CEO_PAY,
      )?.inputSchema,
    );
    for (const name of ["sort", "max_rows", "cursor"])
      expect(declared).toMatch(new RegExp(`"${name}":{[^}]*"description":"Without group_by: `));
    expect(declared).toContain('"description":"With group_by=fiscal_year: ');
    for (const [given, reason] of [
      [{ group_by: "sector", sort: "-peo_total" }, "Cannot read sort: it is for totals, not groups."],
      [{ group_by: "sector", max_rows: 5 }, "Cannot read max_rows: it is for totals, not groups."],
      [{ group_by: "sector", cursor: "x" }, "Cannot read cursor: it is for totals, not groups."],
      [
        { same_companies: true },
        "Cannot read same_companies: it compares fiscal years. Add group_by=fiscal_year.",
      ],
    ] as const) {
      const { result } = await analyst.call(CEO_PAY, given);
      expect(result.content[0]?.text).toContain(reason);
    }
  });
});

test("the text of a query says which years of a company are loaded and which are not", async () => {
  const key = await analyst.server.createKey("reader@example.com");
  const given = { ticker: "MSFT", fiscal_year_gte: 2019 };
  const { text } = await analyst.call(QUERY, given, undefined, key);
  expect(text).toContain("Missing: MSFT: 2023 to 2025 known, 2019 to 2022 not in this dataset");
});
