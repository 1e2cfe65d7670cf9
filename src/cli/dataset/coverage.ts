import { gapsOf, readCoverage, type CoverageLine } from "../../dataset/coverage.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { command } from "../command.ts";
import { shortened } from "../text-table.ts";

/** `execcomp coverage` */
export const coverage = command({
  name: "coverage",
  summary: "Show which companies and years are available, and what is missing.",
  details:
    "A year with a star is partial: that year's proxy statement is not loaded, so executives who left before the next\n" +
    "one are missing. `execcomp ingest --pending` fetches every known filing that is not loaded yet.",
  operands: [{ name: "TICKER", about: "Only these companies.", optional: true, many: true }],
  flags: { gaps: { about: "Only companies with gaps." } },
  settings: [],
  examples: [
    ["coverage AAPL", "One company."],
    ["coverage --gaps", "Only what is missing."],
    ["coverage --json", "Every company, for scripts."],
  ],
  async run({ flags, operands }, io) {
    const { dataDir } = io.loaded.config;
    const dataset = openDataset(dataDir);
    const requested = new Set(operands.map((word) => word.trim().toUpperCase().replaceAll(/[./]/g, "-")));
    const all = readCoverage(dataset);
    const lines = all.filter(
      (line) =>
        (requested.size === 0 || requested.has(line.ticker) || requested.has(line.cik)) &&
        (!flags.gaps || gapsOf(line).length > 0),
    );
    if (io.json) {
      io.printJson({ edition: dataset.info.edition, companies: lines.map(toJson) });
      return lines.length > 0 || requested.size === 0 ? 0 : 1;
    }
    for (const line of lines) io.print(shortened(lineOf(line), io.columns));
    if (lines.length === 0 && requested.size > 0)
      io.note(`No company found for ${[...requested].join(", ")}.`);
    const held = all.filter(({ rows }) => rows > 0).length;
    const pending = all.reduce((sum, { filings }) => sum + filings.pending, 0);
    const incomplete = all.reduce(
      (sum, { years }) => sum + years.filter(({ complete }) => !complete).length,
      0,
    );
    io.note(
      `${held} of ${all.length} companies have rows; ${pending} known filings are not loaded yet; ${incomplete} fiscal years are partial.`,
    );
    return lines.length > 0 || requested.size === 0 ? 0 : 1;
  },
});

/** `AAPL   2025 2024* 2023*  18 rows, transcribed; newest 0001308179-26-000008 of 2026-01-08 loaded` */
function lineOf(line: CoverageLine): string {
  const years = line.years.map(({ fiscalYear, complete }) => `${fiscalYear}${complete ? "" : "*"}`).join(" ");
  const { newestKnown, rows, read } = line;
  const newest =
    newestKnown === null
      ? ""
      : `newest ${newestKnown.accession} of ${newestKnown.filingDate} ${newestKnown.isLoaded ? "loaded" : "not loaded"}`;
  const held = rows === 0 ? "no rows" : `${rows} rows, ${read.join(" and ")}`;
  const problems = Object.values(line.problems).reduce((sum, count) => sum + count, 0);
  const facts = [held, ...(problems > 0 ? [`${problems} problems`] : []), newest].filter(
    (fact) => fact !== "",
  );
  return `${(line.ticker || line.cik).padEnd(10)}  ${years}${years === "" ? "" : "  "}${facts.join("; ")}`;
}

function toJson(line: CoverageLine) {
  const { cik, ticker, name, newestKnown, years, filings, read, rows, checks, problems } = line;
  return {
    cik,
    ticker,
    name,
    rows,
    years: years.map(({ fiscalYear, complete }) => ({ fiscal_year: fiscalYear, complete })),
    newest_filing:
      newestKnown === null
        ? null
        : {
            accession: newestKnown.accession,
            form: newestKnown.form,
            filing_date: newestKnown.filingDate,
            url: newestKnown.url,
            held: newestKnown.isLoaded,
          },
    filings,
    read,
    checks,
    problems,
    gaps: gapsOf(line),
  };
}
