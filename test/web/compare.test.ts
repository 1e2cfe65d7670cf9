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
  // Medtronic has a newer total than components, below the companies are three quartiles.
  expect(rowsOf(wrong)).toHaveLength(12 + 1 + 3);
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

/** Who has a newer total than rows, with both, and who has a total alone. */
async function newerTotals() {
  const ask = server.asOperator();
  const { ceo_pay: totals } = (await (await ask("/api/ceo-pay?ticker=MDT,SHW,AAPL")).json()) as {
    ceo_pay: { ticker: string; fiscal_year: number; peo_total: number; basis: string }[];
  };
  return new Map(totals.map((one) => [one.ticker, one]));
}

test("a company's newest total is in the table, alone where nothing else is known of its year, and beside it the latest components", async () => {
  const totals = await newerTotals();
  const [medtronic, sherwin] = [totals.get("MDT"), totals.get("SHW")];
  expect([medtronic?.basis, sherwin?.basis, totals.get("AAPL")?.basis]).toEqual(["tag", "tag", "row"]);
  const text = await open("/compare?companies=AAPL,MDT,SHW,ZZQXZ");
  const words = withoutTags(text).replaceAll(/\s+/g, " ");
  const [, table = ""] = /<table class="pay side">(.*?)<\/table>/.exec(text) ?? [];
  const line = (name: string) =>
    cellsOf((table.split("</tr>").find((row) => row.includes(`>${name}<`)) ?? "").replaceAll("<th", "<td"));
  const total = (of = medtronic) => formatAmount(of?.peo_total ?? 0);
  const columns = line("Total");
  expect([columns[2], columns[4]]).toEqual([total(), total(sherwin)]);
  // Of the year of the total nothing else, of the year of the rows everything.
  const salaries = line("CFO total");
  expect([salaries[2], salaries[4]]).toEqual(["–", "–"]);
  expect(salaries[3]).toMatch(/^[\d,]+$/);
  expect(words).toContain(`MDT · ${medtronic?.fiscal_year ?? 0}, total only`);
  expect(words).toContain("Beside it stands the latest year with components");
  expect(words).toContain(
    "No pay by component for Sherwin-Williams. This loads their filings: execcomp ingest",
  );
  expect(words).toContain("No company found for ZZQXZ.");
  // A visitor sees one company at a time.
  const visitor = await openPage(server, "/compare?companies=SHW", { "x-forwarded-for": "203.0.113.1" });
  expect(visitor.text).not.toContain(", total only");
  // A year of rows has nothing beside it, nor has another office.
  for (const query of ["companies=AAPL,MDT&year=2025", "companies=AAPL,MDT&who=cfo"])
    expect(await open(`/compare?${query}`)).not.toContain(", total only");
});

test("quartiles and ranks of the latest totals are those of statistics, and so are those of the components", async () => {
  // Three of these have a newer total than rows, one has no rows.
  const group = "ABBV,ABT,AMGN,PFE,MRK,LLY,BMY,GILD,MDT,PG,MU,SHW";
  const page = await open(`/compare?companies=${group}&own=JNJ`);
  const rows = rowsOf(page);
  const file = await server.get(`/statistics/download?format=csv&companies=${group}&own=JNJ`);
  const lines = (await file.text()).trim().replaceAll('"', "").split("\r\n");
  const figures = lines.map((line) => line.split(",")).filter(([office]) => office === "CEO");
  const amount = (name: string) => figures.find(([, one]) => one === name) ?? [];
  const written = (text = "") => formatAmount(Math.round(Number(text)));
  const [p75 = [], median = [], p25 = [], ranks = []] = rows.slice(-4).map(cellsOf);
  expect(p75[0]).toBe("75th percentile of the 12 peers");
  // Who is paid, the mix, the year, the total, change and equity share, then the components.
  const [total, salary] = [amount("total_compensation"), amount("salary")];
  expect([total[3], salary[3]]).toEqual(["12", "11"]);
  expect([p25[4], median[4], p75[4], ranks[4]]).toEqual([
    written(total[5]),
    written(total[6]),
    written(total[8]),
    total[11] ?? "",
  ]);
  expect([p25[7], median[7], p75[7], ranks[7]]).toEqual([
    written(salary[5]),
    written(salary[6]),
    written(salary[8]),
    salary[11] ?? "",
  ]);
  // The companies are numbered once each.
  expect([...page.matchAll(/<span class="rank" ?>(\d+)</g)].map(([, place]) => Number(place))).toEqual(
    Array.from({ length: 13 }, (_, at) => at + 1),
  );
});

test("files and charts have the totals that only tags tell, without components", async () => {
  const medtronic = (await newerTotals()).get("MDT");
  const linesAt = async (path: string) =>
    (await (await server.get(path)).text()).replaceAll('"', "").trim().split("\r\n");
  const query = "companies=AAPL,MDT&format=csv";
  const [, ...bars] = await linesAt(`/compare/chart?chart=bars&${query}`);
  const { fiscal_year: year = 0, peo_total: total = 0 } = medtronic ?? {};
  expect(bars[1]).toStartWith(`MDT,${year},`);
  expect(bars[1]).toContain(`,,,,,,,,,${total},USD,,false`);
  expect(bars[2]).toStartWith(`MDT,${year - 1},`);
  const years = await linesAt(`/compare/chart?chart=years&${query}`);
  expect(years.filter((line) => line.startsWith(`MDT,${year},`))).toHaveLength(1);
  const file = await linesAt(`/compare/download?${query}`);
  expect(file.filter((line) => line.endsWith(",tagged")).join("\n")).toContain(`,${total},`);
  const workbook = await server.get("/compare/download?companies=AAPL,MDT&format=xlsx");
  expect(workbook.status).toBe(200);
  const picture = await server.get("/compare/chart?chart=bars&companies=AAPL,MDT&format=svg");
  expect((await picture.text()).match(/<rect class="outline" x=/g)).toHaveLength(1);
});

test("a year that cannot be read is refused, as on other pages", async () => {
  for (const query of ["year=20x4", "fiscal_year=20x4"]) {
    const { status, text } = await openPage(server, `/compare?companies=AAPL,MSFT&${query}`);
    expect([status, text.includes("Cannot read fiscal_year")]).toEqual([400, true]);
  }
});
