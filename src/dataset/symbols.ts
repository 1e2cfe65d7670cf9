/** The SEC's list of tickers, and `data/symbols.tsv`: one line per registrant, by CIK, tickers in the SEC's order. */
import type { ListedCompany } from "./record.ts";

/** Parses `data/symbols.tsv`. @throws Error naming the line if one is malformed */
export function readSymbolFile(text: string, place: string): ListedCompany[] {
  const [head, ...lines] = text.split("\n");
  if (head !== "cik\tname\tsymbols") throw new Error(`${place}:1: expected the columns cik, name, symbols`);
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const [cik = "", name = "", symbols = "", more] = line.split("\t");
    if (!/^\d{10}$/.test(cik) || name === "" || symbols === "" || more !== undefined) {
      throw new Error(`${place}:${index + 2}: expected a CIK, a name and symbols, got "${line}"`);
    }
    return [
      {
        cik,
        name,
        symbols: symbols.split(" ").map((word) => {
          const [symbol = "", exchange = null] = word.split(":");
          return { symbol, exchange };
        }),
      },
    ];
  });
}

/** Parses the SEC's `company_tickers_exchange.json`, with tickers in its order. @throws Error if it is malformed */
export function readSecList(json: unknown): ListedCompany[] {
  const data = typeof json === "object" && json !== null && "data" in json ? json.data : undefined;
  if (!Array.isArray(data)) throw new Error("the SEC's symbol list has no `data` array");
  const companies = new Map<
    string,
    { cik: string; name: string; symbols: { symbol: string; exchange: string | null }[] }
  >();
  for (const row of data) {
    const [cik, name, symbol, exchange]: unknown[] = Array.isArray(row) ? row : [];
    if (typeof cik !== "number" || typeof name !== "string" || typeof symbol !== "string") {
      throw new Error(`the SEC's symbol list has a malformed row: ${JSON.stringify(row)}`);
    }
    const key = String(cik).padStart(10, "0");
    const company = companies.get(key) ?? { cik: key, name: name.replace(/\s+/g, " ").trim(), symbols: [] };
    const place = typeof exchange === "string" ? exchange : null;
    company.symbols.push({ symbol: symbol.toUpperCase(), exchange: place });
    companies.set(key, company);
  }
  return [...companies.values()].sort((a, b) => (a.cik < b.cik ? -1 : 1));
}
