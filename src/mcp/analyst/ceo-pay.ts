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
import { answerOf, readArguments, type Tool } from "../calls.ts";
import { decode } from "../result.ts";
import { readQuestion } from "./arguments.ts";
import { groupTable, hasShortText, line, listed, membersCache } from "./fitting.ts";
import { MAX_GAPS, missingNotes } from "./query.ts";

const FIGURES = ["records", "companies", "median", "mean", "min", "max"] as const;

/** The `query_ceo_pay` tool: records, or with `group_by` statistics. */
export function ceoPayTool(
  deps: Pick<Operations, "admit" | "charge" | "ceoPay" | "ceoPayStatistics" | "continuation" | "guide">,
): Tool {
  const cached = membersCache();
  return async (given, context) => {
    const isGrouped = given["group_by"] !== undefined && given["group_by"] !== null;
    const { revision } = context;
    const { parameters, detail } = await readArguments(deps, context, () =>
      readQuestion(
        given,
        isGrouped ? CEO_PAY_STATISTICS_PARAMETERS : CEO_PAY_PARAMETERS,
        ["detail"],
        deps.guide.symbolOf,
      ),
    );
    const ask = isGrouped ? deps.ceoPayStatistics : deps.ceoPay;
    const answer = await ask({ ...context, parameters, ifNoneMatch: null });
    const members = cached(answer, `${detail} ${hasShortText(revision)}`, () => {
      const text = decode(answer.body);
      const common = (counts: CeoPayAnswerCounts) => ({
        rest: { ...counts, gaps: counts.gaps.slice(0, MAX_GAPS) },
        about: [...ceoPayNotes(counts, "doubtful=include"), ...missingNotes(counts, true)],
      });
      if (isGrouped) {
        // As built by the operation.
        const { statistics, ...counts } = JSON.parse(text) as CeoPayStatistics;
        const table = groupTable(statistics, FIGURES);
        const listing = { name: "statistics", items: statistics, ...table, ...common(counts) };
        return listed({ ...listing, next: null, cursorAfter: () => null }, revision);
      }
      // As built by the operation.
      const { ceo_pay: records, next_cursor: next, ...counts } = JSON.parse(text) as CeoPayAnswer;
      const listing = {
        name: "ceo_pay",
        items: detail === "full" ? records : records.map(concise),
        head: ["FY", "Ticker", "Company", "CEO", "Total", "Basis", "Source"],
        lines: records.map(lineOf),
        ...common(counts),
        next,
        cursorAfter: (sent: number) => deps.continuation.afterRecords(answer, parameters, sent),
      };
      return listed(listing, revision);
    });
    return answerOf(answer, members);
  };
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
