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
  (/<table class="pay[^"]*ranked">.*?<tbody>(.*?)<\/tbody>/.exec(text)?.[1] ?? "")
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
