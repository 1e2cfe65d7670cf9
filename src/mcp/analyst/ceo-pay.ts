import type { Operations } from "../../operations/operations.ts";
import {
  CEO_PAY_PARAMETERS,
  CEO_PAY_STATISTICS_PARAMETERS,
  type CeoPayAnswer,
  type CeoPayAnswerCounts,
  type CeoPayJson,
  type CeoPayStatistics,
  ceoPayNotes,
} from "../../operations/ceo-pay.ts";
import { gapText } from "../../operations/gaps.ts";
import { answerOf, readArguments, type Tool } from "../calls.ts";
import { decode, membersOf } from "../result.ts";
import { readQuestion } from "./arguments.ts";
import { cell, countFitting, fixedLength, line, quotedLength } from "./fitting.ts";
import { membersCache } from "./members-cache.ts";
import { hasShortText } from "./revision.ts";

/** Gaps that a result lists; the rest is counted. */
const MAX_GAPS = 40;
/** Maximum records requested per call; more never fit a result. */
const MAX_PAGE = 250;

/** The `query_ceo_pay` tool: records, or with `group_by` statistics. */
export function ceoPayTool(
  deps: Pick<Operations, "admit" | "charge" | "ceoPay" | "ceoPayStatistics" | "continuation" | "guide">,
): Tool {
  const cached = membersCache();
  return async (given, context) => {
    const isGrouped = given["group_by"] !== undefined && given["group_by"] !== null;
    const { parameters, detail } = await readArguments(deps, context, () => {
      const known = isGrouped ? CEO_PAY_STATISTICS_PARAMETERS : CEO_PAY_PARAMETERS;
      const read = readQuestion(given, known, ["detail"], deps.guide.symbolOf);
      const wanted = Number(read.parameters.get("max_rows")?.[0]);
      if (wanted > MAX_PAGE && wanted <= 1000) read.parameters.set("max_rows", [String(MAX_PAGE)]);
      return read;
    });
    const ask = isGrouped ? deps.ceoPayStatistics : deps.ceoPay;
    const answer = await ask({ ...context, parameters, ifNoneMatch: null });
    const short = hasShortText(context.revision);
    const members = cached(answer, `${detail} ${short}`, () => {
      const text = decode(answer.body);
      if (isGrouped) {
        // As built by the operation.
        const { statistics, ...counts } = JSON.parse(text) as CeoPayStatistics;
        const head = [
          ...Object.keys(statistics[0]?.group ?? {}),
          "records",
          "companies",
          "median",
          "mean",
          "min",
          "max",
        ];
        const lines = statistics.map(({ group, records, companies, median, mean, min, max }) =>
          line([
            ...Object.values(group).map((value) => value ?? "unknown"),
            records,
            companies,
            ...[median, mean, min, max].map(Math.round),
          ]),
        );
        return resultOf("statistics", statistics, { head, lines, counts, next: null, short });
      }
      // As built by the operation.
      const { ceo_pay: records, next_cursor: next, ...counts } = JSON.parse(text) as CeoPayAnswer;
      const shown = records.map((record) => (detail === "full" ? record : concise(record)));
      const head = ["FY", "Ticker", "Company", "CEO", "Total", "Basis", "Source"];
      const cursorAfter = (sent: number) => deps.continuation.afterRecords(answer, parameters, sent);
      return resultOf("ceo_pay", shown, {
        head,
        lines: records.map(lineOf),
        counts,
        next,
        short,
        cursorAfter,
      });
    });
    return answerOf(answer, members);
  };
}

/** The members of a result, cut to the size that results have. */
function resultOf(
  name: "ceo_pay" | "statistics",
  items: readonly object[],
  shown: {
    head: readonly string[];
    lines: readonly string[];
    counts: CeoPayAnswerCounts;
    next: string | null;
    short: boolean;
    cursorAfter?: (sent: number) => string;
  },
): Uint8Array<ArrayBuffer> {
  const { lines, counts, next, short, cursorAfter } = shown;
  const about = notesOf(counts);
  const rest = JSON.stringify({ ...counts, gaps: counts.gaps.slice(0, MAX_GAPS) }).slice(1, -1);
  const head = line(shown.head);
  const json = items.map((item) => JSON.stringify(item));
  const costs = json.map((text, at) => text.length + quotedLength(short ? (lines[at] ?? "") : text) + 3);
  const sent = countFitting(costs, fixedLength(rest, [...about, head], !short));
  const cursor = sent < items.length && cursorAfter !== undefined ? cursorAfter(sent) : next;
  const structured = `{"${name}":[${json.slice(0, sent).join(",")}],${rest},"next_cursor":${JSON.stringify(cursor)}}`;
  const more = [
    ...(sent < items.length
      ? [`This result is cut after ${sent} of ${items.length}, at 60,000 characters.`]
      : []),
    ...(cursor === null
      ? []
      : [`For more, call again with the same arguments and cursor ${JSON.stringify(cursor)}.`]),
  ];
  if (!short) return membersOf([structured, ...about, ...more], structured);
  const table = sent === 0 ? [] : [head, ...lines.slice(0, sent)];
  return membersOf([[...about, ...table, ...more].join("\n")], structured);
}

function concise(record: CeoPayJson): Partial<CeoPayJson> {
  const { company_url: _page, confirmed_by_tag: _confirmed, ...kept } = record;
  return kept;
}

function lineOf(record: CeoPayJson): string {
  const { fiscal_year: year, label_inferred: inferred, ticker, cik, source, provider } = record;
  const doubts = record.doubts.map(({ message }) => ` (doubtful: ${message})`).join("");
  return line([
    `${year}${inferred ? " (year inferred)" : ""}`,
    ticker === "" ? `CIK ${cik}` : ticker,
    record.company_name,
    record.peo_name ?? "unnamed",
    `${record.peo_total} ${record.reporting_currency}${doubts}`,
    record.basis,
    source?.filing_url ?? source?.accession ?? provider,
  ]);
}

/** Sentences about what matched and what is missing. */
function notesOf(answer: CeoPayAnswerCounts): string[] {
  const { gaps, not_found: notFound } = answer;
  const more = gaps.length > MAX_GAPS ? ` and ${gaps.length - MAX_GAPS} more` : "";
  return [
    ...ceoPayNotes(answer, "doubtful=include"),
    ...(gaps.length === 0
      ? []
      : [
          `Missing: ${gaps
            .slice(0, MAX_GAPS)
            .map((gap) => gapText(gap, true))
            .join("; ")}${more}.`,
        ]),
    ...(notFound.length === 0 ? [] : [`Not found: ${notFound.map(cell).join(", ")}.`]),
  ];
}
