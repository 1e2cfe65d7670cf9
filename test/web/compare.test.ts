/** Many companies side by side: rows of one table, with the quartiles of the statistics and the sources of each. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatAmount } from "../../src/domain/amount.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const PEERS = "ABBV,ABT,AMGN,PFE,MRK,LLY,BMY,GILD,TMO,DHR,MDT,ISRG";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
const open = async (path: string) => (await openPage(server, path)).text;
const rowsOf = (text: string) =>
  (/<table class="pay[^"]*ranked compared">.*?<tbody>(.*?)<\/tbody>/.exec(text)?.[1] ?? "")
    .split("</tr>")
    .slice(0, -1);

test("from eight companies on they are rows, highest total first, below them the quartiles that statistics have", async () => {
  expect(rowsOf(await open("/compare?companies=AAPL,MSFT,GOOGL,AMZN,META,NVDA,TSLA"))).toEqual([]);
  const rows = rowsOf(await open(`/compare?companies=${PEERS}&year=2025`));
  const totals = rows.map((row) =>
    Number(/data-label="Total"> <a[^>]*>([\d,]+)</.exec(row)?.[1]?.replaceAll(",", "") ?? Number.NaN),
  );
  expect(totals.slice(0, 12)).toEqual(totals.slice(0, 12).toSorted((a, b) => b - a));
  expect(rows).toHaveLength(15);
  const ask = server.asOperator();
  for (const field of ["total_compensation", "salary", "pension_change"]) {
    const query = `ticker=${PEERS}&fiscal_year=2025&office=peo&one_per_company_year=true&field=${field}`;
    const { statistics } = (await (await ask(`/api/executive-compensation/statistics?${query}`)).json()) as {
      statistics: Record<"p25" | "median" | "p75", number>[];
    };
    const [of] = statistics;
    for (const [at, share] of (["p75", "median", "p25"] as const).entries()) {
      const value = Math.round(of?.[share] ?? Number.NaN);
      expect([
        field,
        share,
        withoutTags(rows[12 + at] ?? "").includes(value === 0 ? "–" : formatAmount(value)),
      ]).toEqual([field, share, true]);
    }
  }
});

test("the numbers beside companies on paper are those of their filings", async () => {
  const text = await open(`/compare?companies=${PEERS}&year=2025`);
  const [, list = ""] = /<ol class="foot sources[^"]*">(.*?)<\/ol>/.exec(text) ?? [];
  const sources = list.split("</li>").map((line) => /\d{10}-\d\d-\d{6}/.exec(line)?.[0]);
  for (const row of rowsOf(text).slice(0, 12)) {
    const number = Number(/<sup class="paper-only" ?>(\d+)</.exec(row)?.[1]);
    const [, mark = ""] = row.split('data-label="Source"');
    expect(mark).toContain(sources[number - 1] ?? "no source");
  }
});

/** The words of each cell of a row, in the order of the columns. */
const cellsOf = (row = "") =>
  [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => withoutTags(cell).trim());
const OWN_LINE = /<tr class="is-own">.*?<\/tr>/g;

test("the own company is marked, measured against the others and not counted, unless it is included; as statistics say", async () => {
  const paths = [`${PEERS}&own=JNJ`, `${PEERS},JNJ&own=johnson %26 johnson`].map(
    (query) => `/compare?companies=${query}&year=2025`,
  );
  const [apart = [], listed = []] = await Promise.all(paths.map(async (path) => rowsOf(await open(path))));
  expect(listed.map(cellsOf)).toEqual(apart.map(cellsOf));
  expect(apart).toHaveLength(17);
  expect(apart.join("</tr>").match(OWN_LINE)).toHaveLength(1);
  const [own, p75, , , ranks] = [apart.find((row) => row.includes("is-own")), ...apart.slice(13)];
  expect(withoutTags(own ?? "")).toContain("Johnson &amp; Johnson");
  expect(withoutTags(p75 ?? "")).toContain("75th percentile of the 12 peers");
  const file = await server.get(
    `/statistics/download?format=csv&fiscal_year=2025&companies=${PEERS}&own=JNJ`,
  );
  const lines = (await file.text()).trim().replaceAll('"', "").split("\r\n");
  const figures = lines.map((line) => line.split(",")).filter(([office]) => office === "CEO");
  expect(figures).toHaveLength(8);
  // In the file the total is the last amount, in the table the first; what is nil has no rank.
  const inOrder = [figures.at(-1) ?? [], ...figures.slice(0, -1)];
  const written = (text = "") =>
    Math.round(Number(text)) === 0 ? "–" : formatAmount(Math.round(Number(text)));
  const [, , , totals, , , ...components] = cellsOf(p75);
  const p75s = [totals, ...components.slice(0, 7)];
  expect(p75s).toEqual(inOrder.map((line) => written(line[8])));
  expect(p75s[0]).toBe("29,460,645");
  const [, , , rank, , , ...others] = cellsOf(ranks);
  expect([rank, ...others.slice(0, 7)]).toEqual(
    inOrder.map((line) => (Number(line[10]) === 0 ? "–" : (line[11] ?? ""))),
  );
  expect([rank, others[1]]).toEqual(["3", "–"]);
  const included = rowsOf(await open(`${paths[0]}&include_own=true`));
  expect(withoutTags(included[13] ?? "")).toContain("75th percentile of the 13");
  expect(cellsOf(included[16])).toEqual(cellsOf(ranks));
  expect(cellsOf(included[13])).not.toEqual(cellsOf(p75));
});

test("a misspelt own company is answered beside its field; fewer than eight companies have it marked", async () => {
  const wrong = await open(`/compare?companies=${PEERS}&own=Qzxqzx`);
  expect(wrong).toMatch(/name="own"[^>]*aria-invalid="true"[^>]*>.*?<span class="error" id="own-problem"/);
  expect(wrong).toContain("No company found for “Qzxqzx”.");
  expect(rowsOf(wrong)).toHaveLength(15);
  const few = await open("/compare?companies=AAPL,MSFT&own=GOOGL");
  expect(few).toMatch(/<th scope="col" class="number own"> <a href="\/t\/GOOGL"/);
  // The own company is no peer that is saved, left out or named in the title.
  expect(few).toContain('href="/groups?companies=AAPL%2C%20MSFT"');
  expect(few).toContain("<h1>CEO pay at Apple and Microsoft, latest year</h1>");
});

test("each company has its CFO's total and the date of its filing beside its CEO's amounts", async () => {
  const rows = rowsOf(await open(`/compare?companies=${PEERS}&year=2025`));
  const ask = server.asOperator();
  const query = `ticker=${PEERS}&fiscal_year=2025&office=pfo&one_per_company_year=true`;
  const { executive_compensation: cfos } = (await (
    await ask(`/api/executive-compensation/query?${query}`)
  ).json()) as {
    executive_compensation: { ticker: string; total_compensation: number; source: { filing_date: string } }[];
  };
  expect(cfos).toHaveLength(12);
  for (const { ticker, total_compensation: total, source } of cfos) {
    const cells = cellsOf(rows.find((row) => row.includes(`href="/t/${ticker}"`)));
    expect([ticker, ...cells.slice(-2).map((cell) => cell.split(" ").at(-1))]).toEqual([
      ticker,
      formatAmount(total),
      source.filing_date,
    ]);
  }
});

test("quartiles are in the unit of the rows: thousands, or percent of each total", async () => {
  const salaryOf = async (unit: string) => {
    const rows = rowsOf(await open(`/compare?companies=${PEERS}&year=2025&unit=${unit}`));
    const salaries = rows.slice(0, 12).map((row) => Number(cellsOf(row)[6]?.replaceAll(/[,%]/g, "")));
    const [low = 0, high = 0] = salaries.toSorted((a, b) => a - b).slice(5, 7);
    return [Number(cellsOf(rows[13])[6]?.replaceAll(/[,%]/g, "")), (low + high) / 2];
  };
  for (const unit of ["", "thousands", "percent"]) {
    const [shown = 0, computed = Number.NaN] = await salaryOf(unit);
    // Of figures that are rounded themselves.
    expect([unit, Math.abs(shown - computed) <= 1]).toEqual([unit, true]);
  }
});

test("a total that only a tag tells is beside the table, with how statistics count it; what helps is said for who is missing", async () => {
  // Medtronic's newest total is of a year without rows, Sherwin-Williams has none at all.
  const ask = server.asOperator();
  const { ceo_pay: totals } = (await (await ask("/api/ceo-pay?ticker=MDT,SHW,AAPL")).json()) as {
    ceo_pay: { ticker: string; fiscal_year: number; peo_total: number; basis: string }[];
  };
  const tagged = totals.filter(({ basis }) => basis === "tag");
  expect(tagged.map(({ ticker }) => ticker).toSorted()).toEqual(["MDT", "SHW"]);
  const text = await open("/compare?companies=AAPL,MDT,SHW,ZZQXZ");
  const words = withoutTags(text).replaceAll(/\s+/g, " ");
  for (const { fiscal_year: year, peo_total: total } of tagged)
    expect(words).toContain(`, fiscal ${year}, $${formatAmount(total)}`);
  expect(words).toContain("Statistics count them.");
  expect(words).toContain(
    "No pay by component for Sherwin-Williams. This loads their filings: execcomp ingest",
  );
  expect(words).toContain("No company found for ZZQXZ.");
  // A visitor sees one company at a time.
  const visitor = await openPage(server, "/compare?companies=SHW", { "x-forwarded-for": "203.0.113.1" });
  expect(visitor.text).not.toContain("only the total is known");
  // A year of rows has nothing beside it, nor has another office.
  for (const query of ["companies=AAPL,MDT&year=2025", "companies=AAPL,MDT&who=cfo"])
    expect(await open(`/compare?${query}`)).not.toContain("only the total is known");
});
