/** Every row of a selection as a file, the same rows in every format. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROW_COLUMNS } from "../../../src/domain/row-fields.ts";
import { CEO_PAY_SELECTION } from "../../../src/domain/ceo-pay-selection.ts";
import { SELECTION_PARAMETERS } from "../../../src/domain/selection.ts";
import { tellingValue } from "../../support/telling.ts";
import { openDuckDb } from "../../support/duckdb.ts";
import { tempFolder } from "../../support/folder.ts";
import { readParquet } from "../../support/parquet.ts";
import { refusalOf, rowsOf, type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ unmetered: "true" });
  key = await server.createKey();
});
afterAll(() => server.stop());
const get = (search: string) => server.get(`/export?${search}`, { key });
const SELECTION = "fiscal_year_gte=2023&office=peo&total_compensation_gte=10000000";
const NAMES = [...ROW_COLUMNS.map(({ name }) => name), "year_complete", "problems", "evidence"];
const idOf = (row: Record<string, unknown>) => `${row["cik"]} ${row["fiscal_year"]} ${row["executive_id"]}`;

/** The rows of the query operation, in the order of an export. */
async function queried() {
  const answer = await server.get(`/api/executive-compensation/query?${SELECTION}&max_rows=1000`, { key });
  const rows = await rowsOf(answer);
  return rows.toSorted((a, b) =>
    a.cik === b.cik
      ? a.fiscal_year - b.fiscal_year || (a.executive_id < b.executive_id ? -1 : 1)
      : a.cik < b.cik
        ? -1
        : 1,
  );
}

test("JSON lines are the rows of the query operation under the column names", async () => {
  const answer = await get(`${SELECTION}&format=jsonl`);
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  expect(answer.headers.get("content-disposition")).toMatch(
    /filename="executive-compensation-[\d-]+\.jsonl"/,
  );
  const lines = (await answer.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const expected = await queried();
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.map((line) => ROW_COLUMNS.map(({ name }) => line[name]))).toEqual(
    expected.map((row) => ROW_COLUMNS.map(({ valueIn }) => valueIn(row))),
  );
  for (const line of lines) expect(Object.keys(line)).toEqual(NAMES);
  expect(new Set(lines.map(({ year_complete: complete }) => complete))).toEqual(new Set([true, false]));
});

test("CSV has the columns of every export, and DuckDB reads the same rows from it", async () => {
  const text = await (await get(SELECTION)).text();
  expect(text.split("\r\n")[0]).toBe(NAMES.join(","));
  const expected = await queried();
  const file = join(tempFolder(), "rows.csv");
  writeFileSync(file, text);
  const duckdb = await openDuckDb();
  if (duckdb === undefined) return;
  const rows = await duckdb(
    `select * from read_csv('${file}', header = true, all_varchar = false, types = {'cik': 'VARCHAR'})`,
  );
  expect(rows.map(idOf)).toEqual(expected.map((row) => idOf({ ...row })));
  expect(rows.map((row) => Number(row["total_compensation"]))).toEqual(
    expected.map((row) => row.total_compensation),
  );
});

test("Parquet holds every row, typed", async () => {
  const rows = await readParquet(await (await get("format=parquet&fiscal_year_gte=0")).bytes());
  const all = (await (await get("format=jsonl&fiscal_year_gte=0")).text()).trimEnd().split("\n");
  expect(rows.length).toBe(all.length);
  expect(rows.length).toBeGreaterThan(1500);
  expect(rows.map(idOf)).toEqual(all.map((line) => idOf(JSON.parse(line))));
  expect(Object.keys(rows[0] ?? {})).toEqual(NAMES);
  expect(typeof rows[0]?.["is_peo"]).toBe("boolean");
});

test("ExecuComp columns are a parameter: thousands, and fiscal years as Compustat counts them", async () => {
  const text = await (
    await get("ticker=WMT&office=peo&fiscal_year=2026&columns=execucomp&format=jsonl")
  ).text();
  const [row] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  // Walmart's fiscal 2026 ended on 31 January 2026.
  expect(row).toMatchObject({ TICKER: "WMT", YEAR: 2025, fiscal_year: 2026, CEOANN: "CEO", CFOANN: null });
  const [own] = await rowsOf(
    await server.get("/api/executive-compensation/query?ticker=WMT&office=peo&fiscal_year=2026", { key }),
  );
  expect(row.TOTAL_SEC * 1000).toBeCloseTo(own?.total_compensation ?? 0, 2);
  expect((await refusalOf(await get("columns=compustat"))).status).toBe(400);
});

test("every row has Compustat's year, collected ones too: that of the day on which its year ended", async () => {
  const linesOf = async (search: string) =>
    (await (await get(`fiscal_year_gte=0&format=jsonl&${search}`)).text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const ended = new Map<string, string>(
    (await linesOf("view=ceo_pay")).flatMap((one) =>
      one.period_end === null || one.label_inferred
        ? []
        : [[`${one.cik} ${one.fiscal_year}`, one.period_end]],
    ),
  );
  let known = 0;
  for (const line of await linesOf("columns=execucomp")) {
    const { CIK: cik, YEAR: year, fiscal_year: fiscalYear } = line;
    expect([cik, fiscalYear, year]).toEqual([cik, fiscalYear, expect.any(Number)]);
    const day = ended.get(`${cik} ${fiscalYear}`);
    if (day === undefined) continue;
    known++;
    // A week earlier, and five months: what ends from January to May belongs to the year before.
    const counted = new Date(Date.parse(day) - 7 * 86_400_000);
    const before = counted.getUTCMonth() < 5 ? 1 : 0;
    expect([cik, day, year]).toEqual([cik, day, counted.getUTCFullYear() - before]);
  }
  expect(known).toBeGreaterThan(1000);
});

test("an empty selection is a file without rows", async () => {
  expect(await (await get("fiscal_year=1900&format=jsonl")).text()).toBe("");
  expect((await (await get("fiscal_year=1900")).text()).split("\r\n").length).toBe(2);
});

test("parameters and companies are refused as by the query, before 402; a metered user learns that a subscription is required", async () => {
  expect((await refusalOf(await get("format=xls"))).status).toBe(400);
  expect((await refusalOf(await get("max_rows=3"))).status).toBe(400);
  const metered = await startTestServer();
  try {
    const path = "/export";
    const poor = await metered.createKey();
    expect((await refusalOf(await metered.get(path))).status).toBe(401);
    expect((await refusalOf(await metered.get(`${path}?ticker=NOSUCH`, { key: poor }))).status).toBe(404);
    const refused = await metered.get(path, { key: poor });
    const body = (await refused.json()) as { error: string; message: string; purchase: { status: string } };
    expect(body.message).toContain("execcomp credits unmetered --user EMAIL");
    expect([refused.status, body.error, body.purchase.status]).toEqual([
      402,
      "Payment Required",
      "coming_soon",
    ]);
    expect(refused.headers.get("credits-remaining")).toBe("100");
  } finally {
    await metered.stop();
  }
});

test("a client that disconnects ends the export", async () => {
  const answer = await get("fiscal_year_gte=0");
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  expect((await get("fiscal_year=1900")).status).toBe(200);
});

test("what one view of a file does not have is refused with the reason", async () => {
  const ofTotals = new Set<string>(CEO_PAY_SELECTION.map(({ name }) => name));
  const ofRows = SELECTION_PARAMETERS.filter(({ name }) => !ofTotals.has(name));
  expect(ofRows.length).toBeGreaterThan(40);
  for (const parameter of [...ofRows, { name: "columns", kind: "text", words: ["execucomp"] } as const]) {
    const refusal = await refusalOf(await get(`view=ceo_pay&${parameter.name}=${tellingValue(parameter)}`));
    expect(refusal).toMatchObject({
      message: `Cannot read ${parameter.name}: it is for rows. Leave it out, or leave out view=ceo_pay.`,
    });
  }
});
