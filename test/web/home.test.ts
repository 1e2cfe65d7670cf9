/** The home page's list of whose pay rose and fell most. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { installFile } from "../../src/dataset/installed.ts";
import { tempFolder } from "../support/folder.ts";
import { openPage } from "../support/html.ts";
import { NO_OFFICE, OFFICE, testFiling, testRecord, testRow } from "../support/record.ts";
import { rowsOf, startTestServer, type TestServer } from "../support/server.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

async function listOn(server: TestServer) {
  const { text } = await openPage(server, "/");
  const [, year = "", of = "", list = ""] =
    /Rose and fell most<\/h2>\s*<p class="soft">fiscal (\d{4}) on \d{4}, (\d+) CEO[^]*?<ul class="top-list">([^]*?)<\/ul>/.exec(
      text,
    ) ?? [];
  const links = [...list.matchAll(/href="(\/[tc]\/[^"]+\/\d{4}\/[^"]+)"/g)];
  return { year, of: Number(of), shown: links.map(([, path]) => path) };
}

test("it is of all chief executives who were in office in both years", async () => {
  const server = await startTestServer();
  const ask = server.asOperator();
  const { year, of, shown } = await listOn(server);
  const { tickers } = (await (await ask("/api/executive-compensation/tickers")).json()) as {
    tickers: string[];
  };
  const gains: { path: string; gain: number }[] = [];
  for (const ticker of tickers) {
    const years = `fiscal_year_gte=${Number(year) - 1}&fiscal_year_lte=${year}`;
    const rows = await rowsOf(await ask(`/api/executive-compensation?ticker=${ticker}&${years}`));
    const chiefs = rows.filter((row) => row.is_peo && row.reporting_currency === "USD");
    const [paid] = chiefs
      .filter((row) => row.fiscal_year === Number(year))
      .toSorted((a, b) => b.total_compensation - a.total_compensation);
    const before = chiefs.find(
      (row) => row.fiscal_year === Number(year) - 1 && row.executive_id === paid?.executive_id,
    );
    if (paid === undefined || before === undefined) continue;
    const gain = paid.total_compensation - before.total_compensation;
    gains.push({ path: `/t/${ticker}/${year}/${paid.executive_id}`, gain });
  }
  const ordered = gains.toSorted((a, b) => b.gain - a.gain).map(({ path }) => path);
  expect(ordered.length).toBeGreaterThan(50);
  expect(shown).toEqual([...ordered.slice(0, 4), ...ordered.slice(-4).toReversed()]);
  const compared = `fiscal_year=${year}&office=peo&one_per_company_year=true&total_change_gte=-1000000000000`;
  const { matched } = (await (await ask(`/api/executive-compensation/query?${compared}`)).json()) as {
    matched: { rows: number };
  };
  expect(of).toBe(matched.rows);
  await server.stop();
});

test("each member of the index is in one part of how its totals are known", async () => {
  const server = await startTestServer();
  const { text } = await openPage(server, "/");
  const [, of = "", part = ""] = /How the (\d+) totals are known<\/h2>(.*?<\/dl>)/.exec(text) ?? [];
  const counts = [...part.matchAll(/<dd> ?([\d,]+) /g)].map(([, count = ""]) =>
    Number(count.replace(",", "")),
  );
  expect(counts).toHaveLength(5);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(of));
  expect(part.match(/<rect /g)).toHaveLength(5);
  // Colours are of pay.
  expect(part).not.toContain("pay-");
  expect(counts.slice(0, 4)).toEqual(await countedOver(server.asOperator()));
  await server.stop();
});

/** How many of the same totals are linked, typed, collected, and only tagged, by the rows that REST answers. */
async function countedOver(ask: (path: string) => Promise<Response>): Promise<number[]> {
  const pages = async (path: string, member: string) => {
    const items: Record<string, unknown>[] = [];
    for (let cursor: unknown = ""; cursor !== null;) {
      const answer = await (await ask(`${path}${cursor === "" ? "" : `&cursor=${String(cursor)}`}`)).json();
      const { [member]: some, next_cursor: next } = answer as Record<string, unknown>;
      items.push(...(some as typeof items));
      cursor = next;
    }
    return items;
  };
  const keyOf = (...parts: unknown[]) => parts.join(" ");
  const query = "/api/executive-compensation/query?office=peo&fiscal_year_gte=2000&max_rows=500&evidence=";
  const evidence = new Map<string, string>();
  for (const kind of ["linked", "typed", "collected"]) {
    for (const row of await pages(query + kind, "executive_compensation"))
      evidence.set(keyOf(row["cik"], row["fiscal_year"], row["total_compensation"]), kind);
  }
  const totals = await pages("/api/ceo-pay?index=sp500&max_rows=500", "ceo_pay");
  const latest = new Map(
    // The highest of a company comes first.
    totals.toReversed().map((one) => [one["cik"], one]),
  );
  const kinds = [...latest.values()].map((one) =>
    one["basis"] === "tag" ? "tagged" : evidence.get(keyOf(one["cik"], one["fiscal_year"], one["peo_total"])),
  );
  return ["linked", "typed", "collected", "tagged"].map((kind) => kinds.filter((one) => one === kind).length);
}

test("who became chief executive in the year is not in it", async () => {
  const company = (cik: string, symbol: string, wasChief: boolean, salary: number) => {
    const accession = `${cik}-25-000001`;
    const row = { accession, name: `Ada ${symbol}`, role: "Chief Executive Officer" };
    return testRecord({
      cik,
      symbols: [symbol],
      filings: [testFiling({ accession, symbol, url: null })],
      observations: [
        testRow({ ...row, peo: OFFICE }, { salary }),
        testRow(
          { ...row, position: 2, fiscalYear: 2023, peo: wasChief ? OFFICE : NO_OFFICE },
          { salary: 100_00 },
        ),
      ],
    });
  };
  const folder = tempFolder();
  const path = writeTestSnapshot(folder, "home.sqlite", [
    company("0000000042", "ACME", true, 300_00),
    company("0000000043", "PROMOTED", false, 900_00),
  ]);
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  installFile(dataDir, path, "2026-11-01T00:00:00Z");
  const server = await startTestServer({ dataDir });
  expect(await listOn(server)).toEqual({ year: "2024", of: 2, shown: ["/t/ACME/2024/ada-acme"] });
  await server.stop();
});

test("a dataset in which no year can be compared with the one before has a home page without the list", async () => {
  const dataDir = tempFolder();
  const file = writeTestSnapshot(tempFolder(), "one.sqlite", [testRecord({ name: "Acme" })], "2099-01-01");
  installFile(dataDir, file, "2026-11-01T00:00:00Z");
  const server = await startTestServer({ dataDir });
  try {
    const { status, text } = await openPage(server, "/");
    expect(status).toBe(200);
    expect(text).not.toMatch(/fiscal 0|Rose and fell most/);
  } finally {
    await server.stop();
  }
});
