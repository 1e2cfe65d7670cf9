import { formatAmount } from "../../domain/amount.ts";
import { AMOUNTS } from "../../domain/row-fields.ts";
import { nearest } from "../../domain/nearest.ts";
import { OperatorError } from "../../errors.ts";
import { type HistoryEntry, readHistory } from "../../dataset/detail.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { resolveCompany, resolveExecutive } from "../questions/questions.ts";
import { command, UsageError } from "../command.ts";
import { OUTPUT_FLAGS, printAnswer, readDay, styleOf, widthOf } from "../output.ts";
import { printable, type Style, type TextColumn, textTable, wrapped } from "../text-table.ts";

/** `execcomp history TICKER YEAR ID` */
export const history = command({
  name: "history",
  summary: "Show what each filing reports for one executive and year.",
  details:
    "An amount that differs from the previous filing is marked with a star; `served` marks the filing that is served.",
  operands: [
    {
      name: "TICKER",
      about: "A ticker symbol in any spelling, a CIK, or a company name that is unambiguous.",
    },
    { name: "YEAR", about: "The fiscal year." },
    { name: "ID", about: "The executive's id, such as tim-cook, or an unambiguous part of the name." },
  ],
  flags: {
    asOf: { value: "DATE", about: "Only filings up to that date (YYYY-MM-DD)." },
    ...OUTPUT_FLAGS,
  },
  settings: [],
  examples: [
    ["history AAPL 2024 tim-cook", "Tim Cook's 2024 in every filing."],
    ["history COST 2023 richard-galanti --json", "A restated year, for scripts."],
  ],
  async run({ flags, operands: [companyName = "", year = "", person = ""] }, io) {
    if (!/^\d{4}$/.test(year))
      throw new UsageError(`Cannot read YEAR ${JSON.stringify(year)}: expected a fiscal year such as 2024.`);
    const until = flags.asOf === undefined ? null : readDay("--as-of", flags.asOf);
    const { dataDir } = io.loaded.config;
    const dataset = openDataset(dataDir);
    const { company } = resolveCompany(dataset, companyName);
    const id = resolveExecutive(dataset, company, person);
    const entries = readHistory(dataset, company.cik, Number(year), id).filter(
      ({ filing }) => until === null || (filing.filingDate !== null && filing.filingDate <= until),
    );
    if (entries.length === 0) {
      const ids = dataset
        .all<{ id: string }>(
          "select distinct executive_id as id from executives where cik = ? order by executive_id",
          Number(company.cik),
        )
        .map(({ id: one }) => one);
      const meant = nearest(id, ids);
      const hint = meant === undefined || meant === id ? "" : ` Did you mean ${meant}?`;
      throw new OperatorError(`No loaded filing of ${company.name} reports ${id} for ${year}.${hint}`);
    }
    const filings = entries.map(toJson);
    const columns = (
      ["filing_date", "form", "accession", "served", "executive_name", ...AMOUNTS] as const
    ).map((name): TextColumn<(typeof filings)[number]> => ({
      head: name,
      align: "left",
      rank: 0,
      cell: (filing) => String(filing[name] ?? ""),
    }));
    await printAnswer(
      io,
      flags,
      {
        cik: company.cik,
        company_name: company.name,
        fiscal_year: Number(year),
        executive_id: id,
        filings,
      },
      {
        rows: filings,
        columns,
        none: "",
        texts: { table: () => tableOf(entries, widthOf(io, flags.out), styleOf(io, flags.out)) },
      },
    );
    return 0;
  },
});

function toJson({
  filing,
  position,
  name,
  role,
  amounts,
  isPeo,
  isPfo,
  placeholder,
  served,
  problems,
}: HistoryEntry) {
  return {
    accession: filing.accession,
    form: filing.form,
    filing_date: filing.filingDate,
    filing_url: filing.url,
    read: filing.read,
    position,
    executive_name: name,
    executive_role: role,
    ...amounts,
    is_peo: isPeo,
    is_pfo: isPfo,
    placeholder,
    served,
    problems: problems.map(({ code, message }) => ({ code, message })),
  };
}

/** One column per filing, the oldest dropped first on a narrow terminal; one line per field; then the problems. */
function tableOf(entries: readonly HistoryEntry[], width: number | null, style: Style | null): string {
  const rows: (readonly [name: string, valueOf: (entry: HistoryEntry, at: number) => string])[] = [
    ["form", ({ filing }) => filing.form ?? ""],
    ["accession", ({ filing }) => filing.accession],
    ["", ({ served, placeholder }) => (served ? "served" : placeholder ? "placeholder" : "")],
    ["name", ({ name }) => name],
    ...AMOUNTS.map(
      (field) =>
        [
          field,
          ({ amounts }: HistoryEntry, at: number) => {
            const before = entries[at - 1]?.amounts[field];
            const mark = before !== undefined && before !== amounts[field] ? " *" : "";
            return `${formatAmount(amounts[field])}${mark}`;
          },
        ] as const,
    ),
  ];
  const columns: TextColumn<(typeof rows)[number]>[] = [
    { head: "filed", align: "left", rank: 0, cell: ([name]) => name },
    ...entries.map((entry, at) => ({
      head: entry.filing.filingDate ?? "",
      align: "right" as const,
      rank: entries.length - 1 - at,
      cell: ([, valueOf]: (typeof rows)[number]) => valueOf(entry, at),
    })),
  ];
  const problems = entries.flatMap(({ filing, problems: met }) =>
    met.map(({ message }) => wrapped(printable(`${filing.accession}: ${message}`), width, "  ")),
  );
  return [textTable(columns, rows, width, style), ...problems].join("\n");
}
