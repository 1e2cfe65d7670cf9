/** An exact symbol finds its company first, on every surface, whether the company has rows or not. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomFrom } from "../contract/mcp/mutations.ts";
import { type AnalystUnderTest, analystUnderTest } from "../mcp/analyst/support.ts";

let analyst: AnalystUnderTest;
beforeAll(async () => {
  analyst = await analystUnderTest({ rateKey: "100000", rateAnonymous: "100000" });
});
afterAll(() => analyst.stop());

/** 400 random symbols of companies without rows, and the primary ones of all with rows. */
function symbols(): { symbol: string; cik: string; hasRows: boolean }[] {
  const dataset = analyst.server.services.snapshots.current();
  const all = dataset
    .all<{ symbol: string; cik: number; rows: number }>(
      "select symbol, s.cik, row_count as rows from symbols s join companies c on c.cik = s.cik where former = 0 order by symbol",
    )
    .map(({ symbol, cik, rows }) => ({ symbol, cik: String(cik).padStart(10, "0"), hasRows: rows > 0 }));
  const random = randomFrom(20261128);
  const without = all.filter(({ hasRows }) => !hasRows);
  const some = Array.from({ length: 400 }, () => without[Math.floor(random() * without.length)]);
  const primary = new Set(dataset.tickers());
  return [...some.filter((one) => one !== undefined), ...all.filter(({ symbol }) => primary.has(symbol))];
}

/** The first company that each surface finds. */
const SURFACES: Readonly<Record<string, (symbol: string) => Promise<unknown>>> = {
  async "REST, and `execcomp find` with it"(symbol) {
    const answer = await analyst.server.get(`/api/companies?q=${encodeURIComponent(symbol)}`, {
      key: analyst.key,
    });
    return ((await answer.json()) as { companies: { cik: string }[] }).companies[0]?.cik;
  },
  async suggestions(symbol) {
    const answer = await analyst.server.get(`/suggest?q=${encodeURIComponent(symbol)}`);
    return ((await answer.json()) as { companies: { cik: string }[] }).companies[0]?.cik;
  },
  async "MCP search"(symbol) {
    const { results } = (await analyst.call("search", { query: symbol })).result.structuredContent as {
      results: { id: string }[];
    };
    return /^company:(\d+)$/.exec(results[0]?.id ?? "")?.[1];
  },
};

test.each(Object.keys(SURFACES))(
  "%s",
  async (surface) => {
    const asked = symbols();
    expect(asked.filter(({ hasRows }) => hasRows).length).toBeGreaterThan(140);
    const wrong: unknown[] = [];
    for (const { symbol, cik } of asked) {
      const found = await SURFACES[surface]?.(symbol.toLowerCase());
      if (found !== cik) wrong.push([symbol, cik, found]);
    }
    expect(wrong).toEqual([]);
  },
  300_000,
);

test("the search page leads to a company with rows, and lists one without first", async () => {
  for (const { symbol, cik, hasRows } of symbols().filter((_, at) => at % 7 === 0)) {
    const answer = await analyst.server.get(`/search?q=${encodeURIComponent(symbol)}`, {
      headers: { accept: "text/html" },
      redirect: "manual",
    });
    if (hasRows) {
      expect([symbol, answer.status]).toEqual([symbol, 303]);
      continue;
    }
    const main = (await answer.text()).split("<main")[1] ?? "";
    const company = analyst.server.services.snapshots.current().findByCik(cik);
    const [, first] = /<li>\s*<a href="([^"]+)"/.exec(main) ?? [];
    expect([symbol, first]).toEqual([symbol, `/t/${encodeURIComponent(company?.ticker ?? "")}`]);
  }
});
