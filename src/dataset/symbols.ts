/** The SEC's list of tickers, and `data/symbols.tsv`: one line per registrant, by CIK, tickers in the SEC's order. */
import { padCik } from "./dataset.ts";
import type { ListedCompany } from "./record.ts";
import { tableLines } from "./reference-file.ts";

/** Parses `data/symbols.tsv`. @throws Error naming the line if one is malformed */
export function readSymbolFile(text: string, place: string): ListedCompany[] {
  if (!text.startsWith("cik\tname\tsymbols\n"))
    throw new Error(`${place}:1: expected the columns cik, name, symbols`);
  return tableLines(text, place).map(([cik = "", name = "", symbols = ""], index) => {
    if (!/^\d{10}$/.test(cik) || name === "" || symbols === "")
      throw new Error(`${place}:${index + 2}: expected a CIK, a name and symbols`);
    return {
      cik,
      name,
      symbols: symbols.split(" ").map((word) => {
        const [symbol = "", exchange = null] = word.split(":");
        return { symbol, exchange };
      }),
    };
  });
}

/** Parses the SEC's `company_tickers_exchange.json`, with tickers in its order. @throws Error if it is malformed */
export function readSecList(json: unknown): ListedCompany[] {
  const data = typeof json === "object" && json !== null && "data" in json ? json.data : undefined;
  if (!Array.isArray(data)) throw new Error("the SEC's symbol list has no `data` array");
  const rows = data.map((row) => {
    const [cik, name, symbol, exchange]: unknown[] = Array.isArray(row) ? row : [];
    if (typeof cik !== "number" || typeof name !== "string" || typeof symbol !== "string") {
      throw new Error(`the SEC's symbol list has a malformed row: ${JSON.stringify(row)}`);
    }
    const place = typeof exchange === "string" ? exchange : null;
    return {
      cik: padCik(cik),
      name: name.replace(/\s+/g, " ").trim(),
      symbol: symbol.toUpperCase(),
      exchange: place,
    };
  });
  return [...Map.groupBy(rows, ({ cik }) => cik)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([cik, of]) => ({
      cik,
      name: of[0]?.name ?? "",
      symbols: of.map(({ symbol, exchange }) => ({ symbol, exchange })),
    }));
}
