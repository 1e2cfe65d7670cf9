import { counted } from "../../domain/text.ts";
import { type CoverageLine, gapsOf, readCoverage } from "../../dataset/coverage.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { command } from "../command.ts";
import { csvOfRecords, OUTPUT_FLAGS, printAnswer } from "../output.ts";
import type { TextColumn } from "../text-table.ts";
import type { ChangeAnswer } from "../../operations/changes.ts";
import { callOperation } from "../questions/questions.ts";

/** `execcomp coverage` */
export const coverage = command({
  name: "coverage",
  summary: "Show which companies and years are available, and what is missing.",
  details:
    "A year with a star is partial: that year's proxy statement is not loaded, so executives who left before the next\n" +
    "one are missing. `execcomp ingest --pending` fetches every known filing that is not loaded yet.",
  operands: [{ name: "TICKER", about: "Only these companies.", optional: true, many: true }],
  flags: { gaps: { about: "Only companies with gaps." }, ...OUTPUT_FLAGS },
  examples: [
    ["coverage AAPL", "One company."],
    ["coverage --gaps", "Only what is missing."],
    ["coverage --json", "Every company, for scripts."],
  ],
  async run({ flags, operands }, io) {
    const dataset = openDataset(io.loaded.config.dataDir);
    const requested = new Set(operands.map((word) => word.trim().toUpperCase().replaceAll(/[./]/g, "-")));
    const all = readCoverage(dataset);
    const lines = all.filter(
      (line) =>
        (requested.size === 0 || requested.has(line.ticker) || requested.has(line.cik)) &&
        (!flags.gaps || gapsOf(line).length > 0),
    );
    const rows = lines.map(toJson);
    const answer = { edition: dataset.info.edition, companies: rows };
    const table = { rows, columns: COLUMNS, none: "No companies." };
    const format = await printAnswer(io, flags, answer, table);
    const code = lines.length > 0 || requested.size === 0 ? 0 : 1;
    if (format === "json") return code;
    if (code === 1) io.note(`No company found for ${[...requested].join(", ")}.`);
    const held = all.filter((line) => line.rows > 0).length;
    const pending = all.reduce((sum, { filings }) => sum + filings.pending, 0);
    const incomplete = all.flatMap(({ years }) => years).filter(({ complete }) => !complete).length;
    io.note(
      `${held.toLocaleString("en-US")} of ${all.length.toLocaleString("en-US")} companies have rows; ${counted(pending, "known filing")} ${pending === 1 ? "is" : "are"} not loaded yet; ${counted(incomplete, "fiscal year")} ${incomplete === 1 ? "is" : "are"} partial.`,
    );
    return code;
  },
});

type Line = ReturnType<typeof toJson>;

const COLUMNS: readonly TextColumn<Line>[] = [
  { head: "Ticker", cell: ({ ticker, cik }) => ticker || cik },
  { head: "Company", rank: 3, cell: ({ name }) => name },
  {
    head: "Fiscal years (* partial)",
    cell: ({ years }) => years.map((year) => `${year.fiscal_year}${year.complete ? "" : "*"}`).join(" "),
  },
  { head: "Rows", align: "right", rank: 1, cell: ({ rows }) => String(rows) },
  { head: "Source", rank: 5, cell: ({ read }) => read.join(", ") },
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

/** `execcomp data changes` */
export const changes = command({
  name: "data changes",
  summary: "Show what was added or changed between the editions that the dataset in use was made from.",
  details:
    "Each ingest and each installation of another dataset is an edition, recorded when it is made. The newest\n" +
    "50,000 changes of at most 1,000 editions are kept.",
  flags: {
    since: {
      value: "EDITION",
      about: "The content hash of an edition, its first 16 digits, its name, or its day.",
    },
    ...OUTPUT_FLAGS,
  },
  examples: [
    ["data changes", "Everything that is recorded, oldest first."],
    ["data changes --since 2026-03-20 --format jsonl", "Since an edition, one change per line."],
  ],
  async run({ flags }, io) {
    const found: ChangeAnswer["changes"] = [];
    let last: ChangeAnswer;
    const parameters = new Map([["max_rows", ["1000"]]]);
    if (flags.since !== undefined) parameters.set("since", [flags.since]);
    do {
      last = await callOperation(io, "changes", parameters);
      found.push(...last.changes);
      if (last.next_cursor !== null) parameters.set("cursor", [last.next_cursor]);
    } while (last.next_cursor !== null);
    const table = { rows: found, columns: CHANGE_COLUMNS, none: "Nothing changed." };
    const csv = () => csvOfRecords(found.map(flatChange));
    await printAnswer(io, flags, { ...last, changes: found }, { ...table, csv });
  },
});

type ChangeLine = ChangeAnswer["changes"][number];

function flatChange({ fields, total_compensation: total, source, ...line }: ChangeLine) {
  const [before, after] = [total?.before ?? null, total?.after ?? null];
  return { ...line, fields: fields.join(" "), total_before: before, total_after: after, ...source };
}

const CHANGE_COLUMNS: readonly TextColumn<ChangeLine>[] = [
  { head: "Edition", rank: 1, cell: ({ edition }) => edition },
  { head: "Change", cell: ({ change }) => change },
  { head: "Ticker", cell: ({ ticker }) => ticker },
  { head: "CIK", rank: 3, cell: ({ cik }) => cik },
  { head: "Company", rank: 2, cell: ({ company_name: name }) => name },
  { head: "Year", align: "right", cell: ({ fiscal_year: year }) => String(year ?? "") },
  { head: "Executive", cell: ({ executive_name: name }) => name ?? "" },
  { head: "Before", align: "right", cell: (line) => amount(line.total_compensation?.before) },
  { head: "After", align: "right", cell: (line) => amount(line.total_compensation?.after) },
  { head: "Fields", rank: 3, cell: ({ fields }) => fields.join(" ") },
  { head: "Form", rank: 2, cell: ({ source }) => source.form },
  { head: "Accession", rank: 3, cell: ({ source }) => source.accession },
];

function amount(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : value.toLocaleString("en-US");
}
