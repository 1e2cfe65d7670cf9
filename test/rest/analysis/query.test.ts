/**
 * Rows across companies, compared with the rows of the single-company operation, selected and sorted by simple code.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AMOUNTS, type ExecutiveCompensation } from "../../../src/domain/row-fields.ts";
import { SECTORS } from "../../../src/domain/selection.ts";
import { recordedCiks } from "../../../src/dataset/read-records.ts";
import { staleCompanies } from "./stale.ts";
import { refusalOf, rowsOf, type TestServer, startTestServer } from "../../support/server.ts";

interface QueryAnswer {
  executive_compensation: ExecutiveCompensation[];
  matched: { rows: number; companies: number; company_years: number; incomplete_company_years: number };
  fiscal_years: Record<string, number>;
  index_members?: number;
  index_members_without_rows?: number;
  stale_companies: number;
  gaps: {
    ticker: string;
    asked: object | null;
    held: number[];
    reason: string;
    newer_filing: object | null;
  }[];
  measures?: Record<string, number | null>[];
  not_found: string[];
  next_cursor: string | null;
}

let server: TestServer;
let key: string;
let every: ExecutiveCompensation[];
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true", rateKey: "1000000" });
  key = await server.createKey();
  every = [];
  for (const cik of recordedCiks(server.services.snapshots.current())) {
    const answer = await server.get(`/api/executive-compensation?cik=${cik}&limit=100`, { key });
    if (answer.status === 404) continue;
    every.push(...(await rowsOf(answer)));
  }
});
afterAll(() => server.stop());

const get = (search: string) => server.get(`/api/executive-compensation/query?${search}`, { key });
// Each test checks the shape.
const ask = async (search: string) => (await (await get(search)).json()) as QueryAnswer;
const latestOf = (cik: string) =>
  Math.max(...every.filter((row) => row.cik === cik).map(({ fiscal_year: year }) => year));
const identity = ({ cik, fiscal_year: year, executive_id: id }: ExecutiveCompensation) =>
  `${cik} ${year} ${id}`;
const ties = (a: ExecutiveCompensation, b: ExecutiveCompensation) =>
  a.cik === b.cik
    ? a.fiscal_year - b.fiscal_year || (a.executive_id < b.executive_id ? -1 : 1)
    : a.cik < b.cik
      ? -1
      : 1;
const byTotal = (a: ExecutiveCompensation, b: ExecutiveCompensation) =>
  b.total_compensation - a.total_compensation || ties(a, b);
const MAX = "max_rows=1000";

/** Every page of a query. */
async function pages(search: string): Promise<ExecutiveCompensation[]> {
  const rows: ExecutiveCompensation[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const answer: QueryAnswer = await ask(`${search}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    rows.push(...answer.executive_compensation);
    cursor = answer.next_cursor;
  }
  return rows;
}

describe("selection", () => {
  test("without filters: each company's latest fiscal year, highest total first, 25 rows", async () => {
    const latest = every.filter(
      (row) => row.reporting_currency === "USD" && row.fiscal_year === latestOf(row.cik),
    );
    const stale = staleCompanies(server.services.snapshots.current());
    const expected = latest.filter(({ cik }) => !stale.has(cik));
    const answer = await ask("");
    expect([answer.stale_companies, stale.size > 2]).toEqual([stale.size, true]);
    expect(answer.executive_compensation).toEqual(expected.toSorted(byTotal).slice(0, 25));
    expect(answer.matched.rows).toBe(expected.length);
    expect(answer.matched.companies).toBe(new Set(expected.map(({ cik }) => cik)).size);
    const years = Object.values(answer.fiscal_years).reduce((sum, count) => sum + count, 0);
    expect(years).toBe(answer.matched.company_years);
    expect(answer).not.toHaveProperty("index_members");
  });

  test("a company whose latest year ended over three years ago is left out and counted, unless it is named", async () => {
    const named = await ask("ticker=GIS,EXPE&office=peo");
    expect(named.stale_companies).toBe(0);
    expect(named.executive_compensation.map(({ ticker }) => ticker).sort()).toContain("GIS");
    const everyone = await ask("office=peo&max_rows=1000");
    expect(everyone.executive_compensation.map(({ ticker }) => ticker)).not.toContain("GIS");
    const of2023 = await ask("office=peo&fiscal_year=2023&max_rows=1000");
    expect(of2023.stale_companies).toBe(0);
    expect(of2023.executive_compensation.map(({ ticker }) => ticker)).toContain("GIS");
  });

  test("state is that of the business address, in any case", async () => {
    const texas = await ask("state=tx&fiscal_year_gte=0&max_rows=1000");
    expect(texas.executive_compensation.map(({ ticker }) => ticker)).toContain("TSLA");
    expect(texas.executive_compensation.map(({ ticker }) => ticker)).not.toContain("AAPL");
    expect(texas.matched.rows).toBeLessThan((await ask("fiscal_year_gte=0")).matched.rows / 4);
  });

  test.each<[string, (row: ExecutiveCompensation) => boolean]>([
    ["fiscal_year=2024", ({ fiscal_year: year }) => year === 2024],
    ["fiscal_year_gt=2021&fiscal_year_lte=2023", ({ fiscal_year: year }) => year > 2021 && year <= 2023],
    ["fiscal_year=2024&office=pfo", (row) => row.fiscal_year === 2024 && row.is_pfo],
    ["fiscal_year_gte=0&office=peo&salary_lt=1", (row) => row.is_peo && row.salary < 1],
    [
      "fiscal_year_gte=0&bonus_gt=0&total_compensation_gte=20000000",
      (row) => row.bonus > 0 && row.total_compensation >= 20e6,
    ],
    ["fiscal_year_gte=0&executive=COOK", (row) => /\bcook\b/i.test(row.executive_name)],
    ["fiscal_year_gte=0&executive_id=tim-cook", (row) => row.executive_id === "tim-cook"],
    ["fiscal_year_gte=0&ticker=aapl,MSFT&cik=19617", (row) => ["AAPL", "MSFT", "JPM"].includes(row.ticker)],
    ["fiscal_year=1900", () => false],
    ["fiscal_year_gt=2030&fiscal_year_lt=2020", () => false],
  ])("%s selects the same rows as simple code", async (search, fits) => {
    const expected = every.filter((row) => row.reporting_currency === "USD" && fits(row)).toSorted(byTotal);
    const answer = await ask(`${search}&${MAX}`);
    expect(answer.executive_compensation.map(identity)).toEqual(expected.slice(0, 1000).map(identity));
    expect(answer.matched.rows).toBe(expected.length);
  });

  test("one row per company and year: the highest that matches", async () => {
    const fits = every.filter((row) => row.fiscal_year === 2024 && row.is_peo);
    const best = [...Map.groupBy(fits, ({ cik }) => cik).values()].map((rows) => rows.toSorted(byTotal)[0]);
    const answer = await ask(`fiscal_year=2024&office=peo&one_per_company_year=true&${MAX}`);
    expect(fits.length).toBeGreaterThan(best.length);
    expect(answer.executive_compensation).toEqual(best.flatMap((row) => row ?? []).toSorted(byTotal));
  });

  test("complete_only omits company-years whose own filing is not loaded, and the counts say how many", async () => {
    const all = await ask("fiscal_year=2024");
    const complete = await ask(`fiscal_year=2024&complete_only=true&${MAX}`);
    expect(all.matched.incomplete_company_years).toBeGreaterThan(0);
    expect(complete.matched.company_years).toBe(
      all.matched.company_years - all.matched.incomplete_company_years,
    );
    expect(complete.matched.incomplete_company_years).toBe(0);
  });

  test("the counts of an index include members without rows; sectors divide them", async () => {
    const whole = await ask("index=sp500&fiscal_year=2024");
    const members = whole.index_members ?? 0;
    expect(members).toBeGreaterThan(495);
    expect(members).toBeLessThan(506);
    expect(members - (whole.index_members_without_rows ?? 0)).toBe(whole.matched.companies);
    let [sum, without] = [0, 0];
    for (const sector of SECTORS) {
      const part = await ask(`index=sp500&fiscal_year=2024&sector=${sector}`);
      sum += part.index_members ?? 0;
      without += part.index_members_without_rows ?? 0;
    }
    expect([sum, without]).toEqual([members, whole.index_members_without_rows ?? 0]);
    // Years without any loaded row have members, too.
    const early = await ask("index=sp500&fiscal_year=2010");
    expect(early.matched.rows).toBe(0);
    expect(early.index_members).toBeGreaterThan(480);
    expect(early.index_members_without_rows).toBe(early.index_members);
    const latest = await ask("index=sp500");
    expect(latest.index_members).toBeGreaterThan(490);
  });

  test("a company requested by a former symbol keeps it in its rows; unknown ones are listed", async () => {
    const answer = await ask("ticker=FB,NOSUCH&cik=999");
    expect(new Set(answer.executive_compensation.map(({ ticker }) => ticker))).toEqual(new Set(["FB"]));
    expect(answer.not_found).toEqual(["NOSUCH", "0000000999"]);
    const twice = await ask("ticker=JPM-PC,JPM");
    expect(new Set(twice.executive_compensation.map(({ ticker }) => ticker))).toEqual(new Set(["JPM-PC"]));
  });
});

describe("sorting and paging", () => {
  test.each([...AMOUNTS, "fiscal_year"] as const)(
    "by %s, both ways, ties by CIK, year and id",
    async (field) => {
      const usd = every.filter((row) => row.reporting_currency === "USD");
      const up = usd.toSorted((a, b) => a[field] - b[field] || ties(a, b)).map(identity);
      const down = usd.toSorted((a, b) => b[field] - a[field] || ties(a, b)).map(identity);
      const asked = `fiscal_year_gte=0&max_rows=700`;
      expect((await pages(`${asked}&sort=${field}`)).map(identity)).toEqual(up);
      expect((await pages(`${asked}&sort=-${field}`)).map(identity)).toEqual(down);
    },
  );

  test("by names in alphabetical order, ignoring case", async () => {
    for (const field of ["company_name", "executive_name"] as const) {
      const names = (await pages(`fiscal_year=2024&sort=${field}&max_rows=90`)).map((row) =>
        row[field].toLowerCase(),
      );
      expect(names.length).toBeGreaterThan(400);
      const plain = names.map((name) => name.normalize("NFKD").replaceAll(/\p{M}/gu, ""));
      expect(plain).toEqual(plain.toSorted());
    }
  });

  test("a cursor is valid only for its selection and sort, with any page size", async () => {
    const first = await ask("fiscal_year=2024&max_rows=3");
    const next = await ask(`fiscal_year=2024&max_rows=5&cursor=${first.next_cursor}`);
    const both = await ask("fiscal_year=2024&max_rows=8");
    expect([...first.executive_compensation, ...next.executive_compensation]).toEqual(
      both.executive_compensation,
    );
    const other = await refusalOf(await get(`fiscal_year=2023&cursor=${first.next_cursor}`));
    expect([other.status, other.message.includes("another selection")]).toEqual([400, true]);
    expect((await refusalOf(await get("cursor=abc"))).status).toBe(400);
  });

  test("a cursor of another dataset is refused", async () => {
    const { next_cursor: cursor } = await ask("max_rows=1");
    const text = Buffer.from(cursor ?? "", "base64url").toString();
    const old = Buffer.from(`0123456789abcdef${text.slice(16)}`).toString("base64url");
    const refusal = await refusalOf(await get(`max_rows=1&cursor=${old}`));
    expect([refusal.status, refusal.error]).toEqual([410, "Gone"]);
    expect(refusal.message).toContain("Request the first page again");
  });
});

describe("names", () => {
  interface Told {
    executive_compensation: { ticker: string; executive_id: string }[];
    understood?: { given: string; ticker: string; cik: string; company_name: string }[];
    gaps: { ticker: string; executive_name?: string; held: number[]; reason: string }[];
    not_found: string[];
    next_step?: string;
  }
  const ask = async (search: string) => (await (await get(search)).json()) as Told;

  test.each([
    ["Ford", "F"],
    ["Google", "GOOGL"],
    ["Chase", "JPM"],
    ["brk", "BRK-B"],
    ["kinder morgan", "KMI"],
    ["JP Morgan", "JPM"],
    ["Coca-Cola", "KO"],
    ["Amazon.com, Inc.", "AMZN"],
    ["Delta Air Lines", "DAL"],
    ["P&G", "PG"],
    ["J & J", "JNJ"],
    ["PG&E", "PCG"],
    ["att", "T"],
    ["S&P", "SPGI"],
  ])("%s is understood as %s, and the answer says so", async (given, ticker) => {
    const found = await ask(`ticker=${encodeURIComponent(given)}`);
    expect(found.understood).toMatchObject([{ given, ticker }]);
    const other = await ask(`ticker=${ticker}`);
    expect(other.understood).toBeUndefined();
    expect(found.executive_compensation).toEqual(other.executive_compensation);
  });

  test("initials around an & are those of a whole name: H&R is not Host Hotels & Resorts, A&B not AB", async () => {
    const { understood, gaps } = await ask("ticker=H%26R,AAPL");
    expect([understood, gaps]).toMatchObject([[{ ticker: "HRB" }], [{ ticker: "HRB", reason: "no_rows" }]]);
    expect(await ask("ticker=A%26B,AAPL")).toMatchObject({ not_found: ["A&B"] });
  });

  test("one name among symbols, each its own; what is unclear is not found", async () => {
    const found = await ask("ticker=AAPL,Microsoft,United,Appel");
    expect(found.understood?.map(({ ticker }) => ticker)).toEqual(["MSFT"]);
    expect(found.not_found).toEqual(["UNITED", "APPEL"]);
    expect(new Set(found.executive_compensation.map(({ ticker }) => ticker))).toEqual(
      new Set(["AAPL", "MSFT"]),
    );
  });

  test("the specification's own operation and facts read symbols: FORD and Google are none", async () => {
    for (const path of [
      "/api/executive-compensation?ticker=FORD",
      "/api/executive-compensation?ticker=Google",
      "/t/Google/facts",
    ])
      expect([path, (await server.get(path, { key })).status]).toEqual([path, 404]);
  });

  test("several people are their union", async () => {
    const found = await ask("executive=tim%20cook,satya%20nadella,Nobody%20Atall&fiscal_year=2024");
    expect(found.executive_compensation.map((row) => row.executive_id).sort()).toEqual([
      "satya-nadella",
      "tim-cook",
    ]);
    expect(found.not_found).toEqual(["nobody atall"]);
    expect(found.next_step).toBeUndefined();
  });

  test("a person with rows in other years is told, with the years and what is not loaded", async () => {
    const {
      executive_compensation: rows,
      gaps,
      next_step: next,
    } = await ask("executive=elon%20musk&fiscal_year=2012");
    expect(rows).toEqual([]);
    expect(gaps).toMatchObject([{ ticker: "TSLA", executive_name: "Elon Musk", reason: "not_loaded" }]);
    expect(gaps[0]?.held.length).toBeGreaterThan(1);
    expect(next).toBe(`Ask for years that they have, such as fiscal_year ${gaps[0]?.held[0]} of Elon Musk.`);
  });

  test("an answer without rows always says what to ask next", async () => {
    for (const [search, said] of [
      ["ticker=AAPL&fiscal_year=1999", "Rows of AAPL are of fiscal"],
      ["fiscal_year=1950", "Rows are of fiscal"],
      ["ticker=SHW", "totals are known for fiscal 20"],
      ["ticker=TWTR", "ask for other companies"],
      ["executive=tim%20apple", 'Nobody in the rows is called "tim apple"'],
      ["ticker=AAPL&sector=energy", "leave out sector"],
      ["office=peo&total_compensation_gte=999999999999", "leave out office or the bounds on amounts"],
    ] as const) {
      const found = await ask(search);
      expect([search, found.executive_compensation, found.next_step]).toEqual([
        search,
        [],
        expect.stringContaining(said),
      ]);
    }
  });
});

describe("refusals and charges", () => {
  test.each([
    ["sector=tech", "expected one of communication_services"],
    ["index=dax", "expected one of sp500"],
    ["filer_category=big", "large_accelerated_filer"],
    ["office=ceo", "expected one of peo, pfo"],
    ["sic=12345", "1 to 4 digits"],
    ["fiscal_year=20x4", "a whole number"],
    ["salary_gte=1e6", "an amount"],
    ["total_compensation_gte=1,000", "an amount"],
    ["reporting_currency=dollars", "ISO 4217"],
    ["complete_only=yes", "expected one of true, false"],
    ["sort=age", "expected one of salary"],
    ["max_rows=0", "from 1 to 1000"],
    ["max_rows=1001", "from 1 to 1000"],
    ["limit=4", "Unknown parameter"],
    ["fiscal_year_get=1", "Did you mean fiscal_year_gte?"],
    ["fiscal_year=1&fiscal_year=2", "2 times"],
    ["executive=%20", "words of a name"],
    ["ticker=", "ticker symbols"],
    ["ticker=AAPL,,MSFT", "ticker symbols"],
    [`ticker=${Array.from({ length: 201 }, (_, at) => `T${at}`).join(",")}`, "at most 200"],
    [`ticker=${"A,".repeat(5000)}A`, "at most 200"],
  ])("%s is a bad request", async (search, said) => {
    const { status, message } = await refusalOf(await get(search));
    expect([status, message]).toEqual([400, expect.stringContaining(said)]);
  });

  test("a million tickers are refused: over HTTP 431 without parsing, in process 400", async () => {
    const search = `ticker=${"A,".repeat(1_000_000)}A`;
    expect((await get(search)).status).toBe(431);
    const refusal = await refusalOf(await server.asOperator()(`/api/executive-compensation/query?${search}`));
    expect([refusal.status, refusal.message.length < 500]).toEqual([400, true]);
    expect(refusal.message).toContain("at most 200");
  });

  test("unknown companies are not found, with suggestions", async () => {
    const refusal = await refusalOf(await get("ticker=APPEL"));
    expect([refusal.status, refusal.message.includes("Did you mean Apple Inc. (AAPL)?")]).toEqual([
      404,
      true,
    ]);
  });

  test("three unknown companies get a suggestion, each a company with rows: a search is free", async () => {
    const { message } = await refusalOf(await get("ticker=APPEL,MICROSFT,NVIDEA,TESLLA,BOEIN"));
    const meant = /Did you mean (.*)\?/.exec(message)?.[1] ?? "";
    expect(meant).toContain("Apple Inc. (AAPL)");
    expect(meant.match(/\([A-Z-]+\)/g)?.length).toBe(3);
    expect((await refusalOf(await get("ticker=CLOROXCOMP"))).message).not.toContain("(NONE)");
  });

  test("without a key 401, the same tag 304, no match free, a page 1 credit, an empty balance 402", async () => {
    const metered = await startTestServer();
    try {
      const path = "/api/executive-compensation/query";
      expect((await refusalOf(await metered.get(path))).status).toBe(401);
      const poor = await metered.createKey();
      const charge = async (search: string, headers = {}) => {
        const answer = await metered.get(`${path}?${search}`, { key: poor, headers });
        return [
          answer.status,
          answer.headers.get("credits-charged"),
          answer.headers.get("credits-remaining"),
        ];
      };
      expect(await charge("max_rows=1")).toEqual([200, "1", "99"]);
      expect(await charge("fiscal_year=1900")).toEqual([200, "0", "99"]);
      const tag = (await metered.get(`${path}?max_rows=1`, { key: poor })).headers.get("etag") ?? "";
      expect(await charge("max_rows=1", { "if-none-match": tag })).toEqual([304, "0", "98"]);
      expect(await charge("sector=none")).toEqual([400, "0", "98"]);
      for (let left = 98; left > 0; left--) await metered.get(`${path}?max_rows=1`, { key: poor });
      expect((await metered.get(`${path}?max_rows=1`, { key: poor })).status).toBe(402);
      expect(await charge("fiscal_year=1900")).toEqual([402, "0", "0"]);
      expect(await charge("max_rows=1", { "if-none-match": tag })).toEqual([304, "0", "0"]);
    } finally {
      await metered.stop();
    }
  });
});

describe("what is missing is said", () => {
  test("of named companies: years that are not loaded, no rows at all, nothing that matches", async () => {
    const { gaps, not_found: notFound } = await ask(
      "ticker=AAPL,MSFT,SHW,NOPE&fiscal_year_gte=2019&fiscal_year_lte=2021",
    );
    expect(notFound).toEqual(["NOPE"]);
    const asked = { from: 2019, to: 2021 };
    expect(gaps).toMatchObject([
      {
        ticker: "SHW",
        asked,
        held: [],
        reason: "no_rows",
        newer_filing: { accession: "0000089800-26-000025" },
      },
      {
        ticker: "AAPL",
        asked,
        held: [2025, 2024, 2023, 2022, 2021, 2020],
        reason: "not_loaded",
        newer_filing: null,
      },
      { ticker: "MSFT", asked, reason: "not_loaded" },
    ]);
    expect((await ask("ticker=AAPL,SHW")).gaps).toMatchObject([
      { ticker: "SHW", asked: null, reason: "no_rows" },
    ]);
    expect((await ask("ticker=AAPL&salary_gte=999999999")).gaps).toMatchObject([
      { ticker: "AAPL", reason: "no_match" },
    ]);
    expect((await ask("ticker=AAPL")).gaps).toEqual([]);
    expect((await ask("sector=energy")).gaps).toEqual([]);
    // All years, as the hints say it: nobody misses year 0.
    expect((await ask("ticker=AAPL&fiscal_year_gte=0")).gaps).toEqual([]);
    expect((await ask("ticker=AAPL&fiscal_year_gte=0&fiscal_year_lte=1991")).gaps).toMatchObject([
      { asked: { from: 0, to: 1991 }, reason: "not_loaded" },
    ]);
  });
});

describe("measures", () => {
  const units = (row: ExecutiveCompensation) => row.total_compensation;
  const before = (row: ExecutiveCompensation) =>
    every.find(
      (one) =>
        one.cik === row.cik &&
        one.executive_id === row.executive_id &&
        one.fiscal_year === row.fiscal_year - 1,
    );

  test("stand next to the rows, in their order, and equal plain sums", async () => {
    const names = "measures=total_change,total_change_percent,cash_share,equity_share";
    const { executive_compensation: rows, measures = [] } = await ask(`${names}&fiscal_year_gte=0&${MAX}`);
    expect(measures).toHaveLength(rows.length);
    let changes = 0;
    for (const [at, row] of rows.entries()) {
      const measure = measures[at] ?? {};
      const old = before(row);
      if (measure["total_change"] !== null) {
        changes++;
        expect(measure["total_change"]).toBeCloseTo(units(row) - units(old ?? row), 2);
      } else expect(old === undefined || row.ticker === "PSKY").toBe(true);
      if (row.total_compensation > 0) {
        const cash = (row.salary + row.bonus + row.non_equity_incentive) / units(row);
        const equity = (row.stock_awards + row.option_awards) / units(row);
        expect(measure["cash_share"]).toBeCloseTo(cash, 5);
        expect(measure["equity_share"]).toBeCloseTo(equity, 5);
      } else expect([measure["cash_share"], measure["equity_share"]]).toEqual([null, null]);
      if (old !== undefined && units(old) > 0 && measure["total_change"] !== null)
        expect(measure["total_change_percent"]).toBeCloseTo(
          ((units(row) - units(old)) / units(old)) * 100,
          3,
        );
    }
    expect(changes).toBeGreaterThan(200);
    expect(await ask("office=peo")).not.toHaveProperty("measures");
  });

  test("are a sort, a filter and a field of statistics", async () => {
    const ask2 = "office=peo&measures=total_change_percent&fiscal_year_gte=0&max_rows=1000";
    const { measures = [] } = await ask(`${ask2}&sort=-total_change_percent`);
    const values = measures.map((one) => one["total_change_percent"] ?? null);
    const defined = values.filter((value) => value !== null);
    expect(values.slice(0, defined.length)).toEqual(defined.toSorted((a, b) => b - a));
    const up = await ask(`${ask2}&total_change_percent_gte=50&sort=total_change_percent`);
    expect(up.measures?.map((one) => one["total_change_percent"])).toEqual(
      defined.filter((value) => value >= 50).toSorted((a, b) => a - b),
    );
    const found = await server.get(
      "/api/executive-compensation/statistics?office=peo&fiscal_year_gte=0&field=total_change_percent",
      { key },
    );
    // The shape is that of the operation.
    const { statistics } = (await found.json()) as {
      statistics: { rows: number; max: number; min: number }[];
    };
    expect(statistics[0]).toMatchObject({ rows: defined.length, max: defined[0], min: defined.at(-1) });
  });

  test("others are refused", async () => {
    for (const search of [
      "measures=growth",
      "measures=total_change,total_change",
      "total_change_gt=1",
      "measures=",
    ])
      expect([search, (await get(search)).status]).toEqual([search, 400]);
  });
});
