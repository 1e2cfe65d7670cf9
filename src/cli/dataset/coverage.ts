import { suggestions } from "../../operations/company.ts";
import { namesOfWords } from "../../operations/typed-names.ts";
import { lookUpCompany } from "../questions/lookup.ts";
import { counted } from "../../lib/text.ts";
import { type CoverageLine, gapsOf, readCoverage } from "../../dataset/coverage.ts";
import { READ_AS } from "../../dataset/record.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { editionName } from "../../domain/edition.ts";
import { command, type Io } from "../command.ts";
import { OUTPUT_FLAGS, type OutputFlags, printAnswer } from "../output.ts";
import type { TextColumn } from "../../lib/text-table.ts";

/** `execcomp coverage` */
export const coverage = command({
  name: "coverage",
  summary: "Show which companies and years are available, and what is missing.",
  details:
    "A year with a star is partial: that year's proxy statement has not been read, so executives who left before the next\n" +
    "one are missing. `execcomp ingest --pending` fetches every known filing that is not loaded yet.",
  operands: [{ name: "TICKER", about: "Only these companies.", optional: true, many: true }],
  flags: {
    gaps: { about: "Only companies with gaps." },
    tickers: { about: "Only the symbols of companies with rows, one per line." },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["coverage AAPL", "One company."],
    ["coverage --gaps", "Only what is missing."],
    ["coverage --tickers", "One symbol per line; with --json as the REST API returns them."],
    ["coverage --json", "Every company, for scripts."],
  ],
  async run({ flags, operands }, io) {
    const dataset = openDataset(io.loaded.config.dataDir);
    const names = namesOfWords(dataset, operands);
    const requested = new Map(names.map((word) => [word, lookUpCompany(dataset, word)?.company]));
    const ciks = new Set([...requested.values()].map((company) => company?.cik));
    const all = readCoverage(dataset);
    const asked = all.filter((line) => operands.length === 0 || ciks.has(line.cik));
    const lines = asked.filter((line) => !flags.gaps || gapsOf(line).length > 0);
    if (flags.tickers) return printTickers(io, flags, lines);
    const rows = lines.map(toJson);
    const answer = { edition: editionName(dataset.info), companies: rows };
    const table = { rows, columns: COLUMNS, none: "No companies." };
    const format = await printAnswer(io, flags, answer, table);
    const code = lines.length > 0 || operands.length === 0 ? 0 : 1;
    if (format === "json") return code;
    for (const [word, company] of requested)
      if (company === undefined)
        io.note(`Not found: ${word}.${suggestions(dataset, [word]) || " To search: execcomp find WORDS"}`);
      else if (!asked.some(({ cik }) => cik === company.cik))
        io.note(
          `No filing of ${company.name} is known. To fetch one: execcomp ingest ${company.ticker || `--cik ${company.cik}`}`,
        );
    const withRows = all.filter((line) => line.rows > 0).length;
    const pending = all.reduce((sum, { filings }) => sum + filings.pending, 0);
    const incomplete = all.flatMap(({ years }) => years).filter(({ complete }) => !complete).length;
    io.note(
      `${withRows.toLocaleString("en-US")} of ${all.length.toLocaleString("en-US")} companies have rows; ${counted(pending, "known filing")} ${pending === 1 ? "is" : "are"} not loaded yet; ${counted(incomplete, "fiscal year")} ${incomplete === 1 ? "is" : "are"} partial.`,
    );
    return code;
  },
});

/** Prints the primary symbols of companies with rows. @returns the exit code */
async function printTickers(io: Io, flags: OutputFlags, lines: readonly CoverageLine[]): Promise<number> {
  const tickers = lines.flatMap(({ rows, ticker }) => (rows > 0 && ticker !== "" ? [ticker] : [])).sort();
  const answer = { resource: "executive_compensation", tickers };
  await printAnswer(io, flags, answer, {
    rows: tickers.map((ticker) => ({ ticker })),
    columns: [{ head: "ticker", cell: ({ ticker }) => ticker }],
    none: "",
    texts: { table: () => tickers.join("\n") },
  });
  return tickers.length > 0 ? 0 : 1;
}

type CoverageRecord = ReturnType<typeof toJson>;

const COLUMNS: readonly TextColumn<CoverageRecord>[] = [
  { head: "Ticker", cell: ({ ticker, cik }) => ticker || cik },
  { head: "Company", rank: 3, cell: ({ name }) => name },
  {
    head: "Fiscal years (* partial)",
    cell: ({ years }) => years.map((year) => `${year.fiscal_year}${year.complete ? "" : "*"}`).join(" "),
  },
  { head: "Rows", align: "right", rank: 1, cell: ({ rows }) => String(rows) },
  { head: "Amounts", rank: 5, cell: ({ read }) => read.map((how) => READ_AS[how]).join(", ") },
  {
    head: "Problems",
    align: "right",
    rank: 4,
    cell: ({ problems }) => String(Object.values(problems).reduce((sum, count) => sum + count, 0)),
  },
  {
    head: "Newest known filing",
    rank: 2,
    cell: ({ newest_filing: newest }) =>
      newest === null ? "–" : `${newest.filing_date ?? ""} ${newest.held ? "loaded" : "not loaded"}`.trim(),
    link: ({ newest_filing: newest }) => newest?.url ?? null,
  },
];

function toJson(line: CoverageLine) {
  const { cik, ticker, name, newestKnown: newest, years, filings, read, rows, checks, problems } = line;
  return {
    cik,
    ticker,
    name,
    rows,
    years: years.map(({ fiscalYear, complete }) => ({ fiscal_year: fiscalYear, complete })),
    newest_filing: newest && {
      accession: newest.accession,
      form: newest.form,
      filing_date: newest.filingDate,
      url: newest.url,
      held: newest.isLoaded,
    },
    filings,
    read,
    checks,
    problems,
    gaps: gapsOf(line),
  };
}
