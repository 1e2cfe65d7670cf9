/** Statistics, compared with DuckDB's on the same rows. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AMOUNTS, type ExecutiveCompensation } from "../../../src/domain/row-fields.ts";
import { readCompanyFacts } from "../../../src/dataset/company-facts.ts";
import { openDuckDb } from "../../support/duckdb.ts";
import { staleCompanies } from "./stale.ts";
import { tempFolder } from "../../support/folder.ts";
import { recordedCiks } from "../../../src/dataset/read-records.ts";
import { refusalOf, rowsOf, type TestServer, startTestServer } from "../../support/server.ts";

const FIGURES = ["sum", "min", "p10", "p25", "median", "mean", "p75", "p90", "max"] as const;
type Figures = Record<(typeof FIGURES)[number] | "rows" | "companies" | "company_years", number>;
interface StatisticsAnswer {
  statistics: (Figures & { group: Record<string, string | number | null> })[];
  ranks: { executive_id: string; fiscal_year: number; value: number; rank: number; percentile: number }[];
  definition: string;
  matched: { rows: number };
}
type Sql = (text: string) => Promise<Record<string, unknown>[]>;

let server: TestServer;
let key: string;
let sql: Sql | undefined;
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true", rateKey: "1000000" });
  key = await server.createKey();
  const dataset = server.services.snapshots.current();
  const stale = staleCompanies(dataset);
  const lines: string[] = [];
  for (const cik of recordedCiks(dataset)) {
    const answer = await server.get(`/api/executive-compensation?cik=${cik}&limit=100`, { key });
    if (answer.status === 404) continue;
    const rows: ExecutiveCompensation[] = await rowsOf(answer);
    const { sector, sic } = readCompanyFacts(dataset, cik);
    const latest = stale.has(cik) ? 0 : Math.max(...rows.map(({ fiscal_year: year }) => year));
    for (const row of rows) {
      const more = { sector, sic2: sic?.slice(0, 2) ?? null, latest: row.fiscal_year === latest };
      lines.push(JSON.stringify({ ...row, source: null, ...more }));
    }
  }
  const file = join(tempFolder(), "rows.jsonl");
  writeFileSync(file, lines.join("\n"));
  sql = await openDuckDb();
  await sql?.(`create table r as select * from read_json_auto('${file}', format = 'newline_delimited')`);
});
afterAll(() => server.stop());

const get = (search: string) => server.get(`/api/executive-compensation/statistics?${search}`, { key });
// Each test checks the shape.
const ask = async (search: string) =>
  (await (await get(search)).json()) as StatisticsAnswer & { next_step?: string };

function figuresSql(field: string): string {
  const parts = [
    `count(*) as rows, count(distinct cik) as companies, count(distinct (cik, fiscal_year)) as company_years`,
    `sum(${field}) as sum, min(${field}) as min, max(${field}) as max, avg(${field}) as mean`,
    ...[
      ["p10", 0.1],
      ["p25", 0.25],
      ["median", 0.5],
      ["p75", 0.75],
      ["p90", 0.9],
    ].map(([name, share]) => `quantile_cont(${field}::double, ${share}) as ${name}`),
  ];
  return parts.join(", ");
}

/** DuckDB's figures, ours rounded to the cent. */
function expectClose(ours: Figures, theirs: Record<string, unknown>): void {
  for (const name of ["rows", "companies", "company_years"] as const) {
    expect([name, ours[name]]).toEqual([name, Number(theirs[name])]);
  }
  for (const name of FIGURES) {
    const other = Number(theirs[name]);
    expect([name, Math.abs(ours[name] - other) <= 0.005 + 1e-9 * Math.abs(other)]).toEqual([name, true]);
    expect([name, ours[name]]).toEqual([name, Math.round(ours[name] * 100) / 100]);
  }
}

test.each([...AMOUNTS])("%s over every row: the figures equal DuckDB's", async (field) => {
  if (sql === undefined) return;
  const { statistics } = await ask(`fiscal_year_gte=0&field=${field}`);
  const [theirs] = await sql(`select ${figuresSql(field)} from r where reporting_currency = 'USD'`);
  expect(statistics.length).toBe(1);
  expect(statistics[0]?.group).toEqual({ reporting_currency: "USD" });
  for (const ours of statistics) expectClose(ours, theirs ?? {});
});

test.each([
  ["group_by=fiscal_year&fiscal_year_gte=0", "true", ["fiscal_year"]],
  ["group_by=sector", "latest", ["sector"]],
  ["group_by=sic2,fiscal_year&fiscal_year_gte=2022", "fiscal_year >= 2022", ["sic2", "fiscal_year"]],
  ["group_by=sector&office=peo&fiscal_year=2024", "is_peo and fiscal_year = 2024", ["sector"]],
] as const)("%s: the groups equal DuckDB's", async (search, where, groups) => {
  if (sql === undefined) return;
  const { statistics } = await ask(search);
  const theirs = await sql(
    `select ${groups.join(", ")}, ${figuresSql("total_compensation")} from r
      where reporting_currency = 'USD' and ${where} group by ${groups.join(", ")}`,
  );
  const keyOf = (of: Record<string, unknown>) => groups.map((name) => String(of[name])).join(" ");
  const byKey = new Map(theirs.map((line) => [keyOf(line), line]));
  expect(statistics.map(({ group }) => keyOf(group)).toSorted()).toEqual([...byKey.keys()].toSorted());
  for (const ours of statistics) expectClose(ours, byKey.get(keyOf(ours.group)) ?? {});
});

test("rows are grouped by office, and a person with both counts in both", async () => {
  if (sql === undefined) return;
  const { statistics, matched } = await ask("group_by=office&fiscal_year_gte=0");
  expect(statistics.map(({ group }) => group["office"])).toEqual(["peo", "pfo", "other"]);
  for (const ours of statistics) {
    const where = { peo: "is_peo", pfo: "is_pfo", other: "not is_peo and not is_pfo" }[
      String(ours.group["office"])
    ];
    const [theirs] = await sql(
      `select ${figuresSql("total_compensation")} from r where reporting_currency = 'USD' and ${where}`,
    );
    expectClose(ours, theirs ?? {});
  }
  const [both] = await sql(
    "select count(*) as n from r where is_peo and is_pfo and reporting_currency = 'USD'",
  );
  const sum = statistics.reduce((total, { rows }) => total + rows, 0);
  expect(sum).toBe(matched.rows + Number(both?.["n"]));
});

test("a rank counts from the highest; its percentile is the share of the others that are lower", async () => {
  const selection = "sector=information_technology&office=peo&one_per_company_year=true";
  const { ranks, statistics } = await ask(`${selection}&rank_ticker=AAPL`);
  const rows = await rowsOf(
    await server.get(`/api/executive-compensation/query?${selection}&max_rows=1000`, { key }),
  );
  const place = rows.findIndex(({ ticker }) => ticker === "AAPL");
  expect(place).toBeGreaterThan(0);
  expect(ranks).toEqual([
    {
      cik: "0000320193",
      executive_id: "tim-cook",
      fiscal_year: 2025,
      value: 74_294_811,
      rank: place + 1,
      percentile: (rows.length - 1 - place) / (rows.length - 1),
    } as (typeof ranks)[number],
  ]);
  expect(statistics[0]?.rows).toBe(rows.length);
});

test("known percentiles: the lower quartile of 1, 2, 3, 4 is 1.75", async () => {
  const { percentileOf } = await import("../../../src/analysis/statistics.ts");
  const values = Float64Array.of(1, 2, 3, 4);
  expect([0, 0.1, 0.25, 0.5, 0.9, 1].map((share) => percentileOf(values, share))).toEqual([
    1, 1.3, 1.75, 2.5, 3.7, 4,
  ]);
  expect(percentileOf(Float64Array.of(7), 0.9)).toBe(7);
});

test("an empty selection has no groups and no charge; definition and counts are in the body", async () => {
  const answer = await ask("fiscal_year=1900");
  expect(answer).toMatchObject({ statistics: [], ranks: [], matched: { rows: 0 } });
  expect(answer.definition).toContain("PERCENTILE.INC");
});

test("a median of totals stands only beside figures of the same companies", async () => {
  const bounds = "office=peo&group_by=fiscal_year&fiscal_year_gte=2024&fiscal_year_lte=2025";
  expect(await ask(bounds)).toHaveProperty("ceo_pay");
  expect(await ask(`${bounds}&same_companies=true`)).not.toHaveProperty("ceo_pay");
});

test("no company with every year: the advice is to bound the years, and it works", async () => {
  const same = "group_by=fiscal_year&same_companies=true";
  for (const search of [same, `${same}&office=peo`, `${same}&index=sp500`]) {
    const { statistics, next_step: next } = await ask(search);
    expect([search, statistics, next]).toEqual([search, [], expect.stringContaining("fiscal_year_gte")]);
    expect((await ask(`${search}&fiscal_year_gte=2024&fiscal_year_lte=2025`)).statistics).toHaveLength(2);
    expect((await ask(search.replace("&same_companies=true", ""))).statistics).not.toEqual([]);
  }
  // Where nothing matches for another reason, that is told.
  expect((await ask(`${same}&fiscal_year=1900`)).next_step).toContain("Rows are of fiscal");
});

test.each([
  ["group_by=sector,sector", "one or two different"],
  ["group_by=fiscal_year,sector,office", "one or two different"],
  ["group_by=colour", "one or two different"],
  ["field=age", "expected one of salary"],
  ["max_rows=3", "Unknown parameter"],
])("%s is a bad request", async (search, said) => {
  const { status, message } = await refusalOf(await get(search));
  expect([status, message]).toEqual([400, expect.stringContaining(said)]);
});

test("an unknown company to rank is not found", async () => {
  expect(await refusalOf(await get("rank_ticker=APPEL"))).toMatchObject({
    status: 404,
    message: expect.stringContaining("Apple Inc. (AAPL)"),
  });
});
