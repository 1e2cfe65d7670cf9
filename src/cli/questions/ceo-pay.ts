import { formatAmount } from "../../domain/amount.ts";
import {
  CEO_PAY_PARAMETERS,
  CEO_PAY_STATISTICS_PARAMETERS,
  type CeoPayAnswer,
  type CeoPayAnswerCounts,
  type CeoPayJson,
  type CeoPayStatistics,
  ceoPayNotes,
  flatRecord,
} from "../../operations/ceo-pay.ts";
import { gapText } from "../../operations/gaps.ts";
import { command } from "../command.ts";
import type { TextColumn } from "../text-table.ts";
import { callOperation, flagsOf, parametersOf } from "./questions.ts";
import { groupLines } from "./stats.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";

const GROUPED = [
  ...CEO_PAY_PARAMETERS,
  ...CEO_PAY_STATISTICS_PARAMETERS.filter(({ name }) => name === "group_by"),
];
const COUNTS = ["records", "companies", "from_tags"] as const;
const FIGURES = ["min", "p10", "p25", "median", "mean", "p75", "p90", "max"] as const;

/** `execcomp ceo-pay` */
export const ceoPay = command({
  name: "ceo-pay",
  summary: "What CEOs were paid, of all companies whose total is known.",
  details:
    "Each total is from the filing's table where its rows are loaded (row), else as the filer tagged it in inline XBRL (tag).\n" +
    "Doubtful totals are left out and counted. With --group-by: statistics.",
  operands: [],
  flags: { ...flagsOf(GROUPED), ...OUTPUT_FLAGS },
  settings: [],
  examples: [
    ["ceo-pay --index sp500 --max-rows 10", "The ten highest-paid CEOs of the S&P 500, latest year."],
    ["ceo-pay --index sp500 --group-by sector", "The median CEO total by sector."],
    ["ceo-pay --ticker SMCI --doubtful include", "A company's totals, doubtful ones too."],
  ],
  async run({ flags }, io) {
    const given = parametersOf(GROUPED, flags);
    if (given.has("group_by")) {
      // The result type of the operation.
      const answer = (await callOperation(io, "ceoPayStatistics", given)) as CeoPayStatistics;
      const format = await printAnswer(io, flags, answer, {
        ...groupLines(answer.statistics, COUNTS, FIGURES, (group, name) =>
          name === "from_tags" ? group.by_basis.tag : group[name],
        ),
        none: "No totals.",
      });
      if (format !== "json") for (const line of notesOf(answer)) io.note(line);
      return 0;
    }
    // The result type of the operation.
    const answer = (await callOperation(io, "ceoPay", given)) as CeoPayAnswer;
    const format = await printAnswer(io, flags, answer, {
      rows: answer.ceo_pay,
      columns: columnsOf(answer.ceo_pay),
      none: "No totals.",
      csv: () => csvOf(answer.ceo_pay),
    });
    if (format === "json") return 0;
    for (const line of notesOf(answer)) io.note(line);
    if (answer.next_cursor !== null) io.note(`More: --cursor ${answer.next_cursor}`);
    return 0;
  },
});

const column = (
  head: string,
  rank: number,
  cell: (record: CeoPayJson) => string,
  align: "left" | "right" = "left",
): TextColumn<CeoPayJson> => ({ head, align, rank, cell });

const columnsOf = (records: readonly CeoPayJson[]): readonly TextColumn<CeoPayJson>[] => [
  column("FY", 0, ({ fiscal_year: year, label_inferred: inferred }) => `${year}${inferred ? "?" : ""}`),
  column("Ticker", 0, ({ ticker, cik }) => ticker || `CIK ${cik}`),
  column("Company", 2, ({ company_name: name }) => name),
  column("CEO", 0, ({ peo_name: name }) => name ?? ""),
  column("Total", 0, ({ peo_total: total }) => formatAmount(total), "right"),
  column("Basis", 1, ({ basis, confirmed_by_tag: isConfirmed }) => (isConfirmed ? "row, tag agrees" : basis)),
  // A doubtful total never stands without its doubts.
  ...(records.some(({ doubts }) => doubts.length > 0)
    ? [column("Doubts", 0, ({ doubts }) => doubts.map(({ message }) => message).join("; "))]
    : []),
  column("Source", 3, ({ source, provider }) => source?.accession ?? provider ?? ""),
];

/** Every member of the records. */
function csvOf(records: readonly CeoPayJson[]): (string | number | boolean | null)[][] {
  const lines = records.map(flatRecord);
  const head = Object.keys(lines[0] ?? {});
  return [head, ...lines.map((line) => head.map((name) => line[name] ?? null))];
}

function notesOf(answer: CeoPayAnswerCounts): string[] {
  const { gaps, not_found: notFound } = answer;
  return [
    ...ceoPayNotes(answer, "--doubtful include"),
    ...gaps.map((gap) => {
      const { ticker, newer_filing: newer } = gap;
      const load =
        newer === null || ticker === ""
          ? ""
          : `; execcomp ingest --ticker ${ticker} loads the proxy of ${newer.filing_date}`;
      return `${gapText(gap, true)}${load}.`;
    }),
    ...(notFound.length === 0 ? [] : [`Not found: ${notFound.join(", ")}.`]),
  ];
}
