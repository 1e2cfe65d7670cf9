/** Every page of every company and year, compared with the API. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatAmountCell } from "../../src/domain/amount.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../src/domain/row-fields.ts";
import { openPage, withoutTags } from "../support/html.ts";
import { rowsOf, type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let ask: (path: string) => Promise<Response>;
beforeAll(async () => {
  server = await startTestServer();
  ask = server.asOperator();
});
afterAll(() => server.stop());

const open = (path: string, headers?: Record<string, string>) => openPage(server, path, headers);

test("every number on every company's page equals the API's, for every year", async () => {
  const { tickers } = (await (await ask("/api/executive-compensation/tickers")).json()) as {
    tickers: string[];
  };
  expect(tickers.length).toBeGreaterThan(100);
  for (const ticker of tickers) {
    const rows = await rowsOf(await ask(`/api/executive-compensation?ticker=${ticker}&limit=100`));
    for (const year of new Set(rows.map(({ fiscal_year: one }) => one))) {
      const { text } = await open(`/t/${ticker}?year=${year}`);
      const table = /<table class="pay[^]*?<\/table>/.exec(text)?.[0] ?? "";
      const lines = [...table.matchAll(/<tr>[^]*?<\/tr>/g)].slice(1);
      const wanted = rows.filter(({ fiscal_year: one }) => one === year);
      const shown = AMOUNTS.filter(
        (name) => name !== "unknown_component" || wanted.some((row) => row[name] !== 0),
      );
      const numbers = lines.map(([line]) => {
        const cells = new Map(
          [
            ...line.matchAll(
              /<td class="number (?:total|component)[^>]*data-label="([^"]*)"[^>]*>([^]*?)<\/td>/g,
            ),
          ].map(([, label = "", cell = ""]) => [label, withoutTags(cell)]),
        );
        expect([ticker, year, cells.size]).toEqual([ticker, year, shown.length]);
        return shown.map((name) => cells.get(AMOUNT_FIELD[name].shortLabel) ?? "no cell");
      });
      // Whether nil is printed as `0` or as a dash depends on the filing; both are 0 in the API.
      const plain = numbers.map((line) => line.map((cell) => (cell === "0" ? "–" : cell)));
      expect([ticker, year, plain]).toEqual([
        ticker,
        year,
        wanted.map((row) => shown.map((name) => formatAmountCell(row[name]))),
      ]);
    }
  }
}, 300_000);
