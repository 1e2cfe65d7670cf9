import { gapsOf, readCoverage, type CoverageLine } from "../snapshot/coverage.ts";
import { openDataset } from "../snapshot/snapshots.ts";
import { command } from "./command.ts";

/** `execcomp coverage` */
export const coverage = command({
  name: "coverage",
  summary: "Say what is held of each company, how it was read, and what is known to be missing.",
  details:
    "A year with a star is incomplete: the filing of that year is not held, so those who had left by a later one are\n" +
    "missing. `execcomp ingest --pending` fetches every filing that is known and was never read.",
  operands: [{ name: "TICKER", about: "Only these companies.", optional: true, many: true }],
  flags: { gaps: { about: "Only companies that lack something." } },
  settings: [],
  examples: [
    ["coverage AAPL", "One company."],
    ["coverage --gaps", "Everything that is known to be missing."],
    ["coverage --json", "Every company, for scripts."],
  ],
  async run({ flags, operands }, io) {
    const { dataDir } = io.loaded.config;
    const dataset = openDataset(dataDir);
    const asked = new Set(operands.map((word) => word.trim().toUpperCase().replaceAll(/[./]/g, "-")));
    const all = readCoverage(dataset);
    const lines = all.filter(
      (line) =>
        (asked.size === 0 || asked.has(line.ticker) || asked.has(line.cik)) &&
        (!flags.gaps || gapsOf(line).length > 0),
    );
    if (io.json) {
      io.printJson({ edition: dataset.info.edition, companies: lines.map(toJson) });
      return lines.length > 0 || asked.size === 0 ? 0 : 1;
    }
    for (const line of lines) io.print(lineOf(line));
    if (lines.length === 0 && asked.size > 0) io.note(`Nothing is known of ${[...asked].join(", ")}.`);
    const held = all.filter(({ rows }) => rows > 0).length;
    const pending = all.reduce((sum, { filings }) => sum + filings.pending, 0);
    const incomplete = all.reduce(
      (sum, { years }) => sum + years.filter(({ complete }) => !complete).length,
      0,
    );
    io.note(
      `${held} of ${all.length} companies have rows; ${pending} known filings are not held; ${incomplete} fiscal years are incomplete.`,
    );
    return lines.length > 0 || asked.size === 0 ? 0 : 1;
  },
});

/** `AAPL   2025 2024* 2023*  18 rows, transcribed; newest 0001308179-26-000008 of 2026-01-08 held` */
function lineOf(line: CoverageLine): string {
  const years = line.years.map(({ fiscalYear, complete }) => `${fiscalYear}${complete ? "" : "*"}`).join(" ");
  const { newestKnown, rows, read } = line;
  const newest =
    newestKnown === null
      ? ""
      : `newest ${newestKnown.accession} of ${newestKnown.filingDate} ${newestKnown.held ? "held" : "NOT HELD"}`;
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
            held: newestKnown.held,
          },
    filings,
    read,
    checks,
    problems,
    gaps: gapsOf(line),
  };
}
