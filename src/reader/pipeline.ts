import { readEcd, type EcdFact } from "./document/inline-xbrl.ts";
import { openDocument, type SourceDocument } from "./document/submission.ts";
import { barredForm, readFacts, type Known } from "./document/facts.ts";
import { locate } from "./table/grid/locate.ts";
import { type ParsedFiling, type ParsedRow, refusedFiling } from "./parsed.ts";
import type { ProblemCode, ReadingProblem, RefusalReason } from "./problem.ts";
import { rowOf } from "./rows.ts";
import { decideOfficers, readStatements } from "./statements.ts";
import { companyWordsOf } from "./officers/own-name.ts";
import { chooseTable } from "./table/choice/choose.ts";
import { copyOf, regimeOf } from "./table/rows/copy.ts";
import { readEntries, type RowEntry, whyColumnsUnclear } from "./table/rows/entries.ts";
import { readUnits } from "./table/rows/units.ts";
import { checkTags } from "./tag-checks.ts";
import { readTaggedYears } from "./tagged-years.ts";
import { TooMuchWork, Work } from "./work.ts";

/** Facts about a filing that the caller already has. */
export type { Known } from "./document/facts.ts";

/** The current table applies to fiscal years ending on or after 15 December 2006 (Release 33-8732A). */
const FIRST_YEAR = 2006;

/**
 * Reads the Summary Compensation Table of one document: HTML, inline XBRL, text, or a full submission with its SGML header.
 * Never throws; the result depends on the bytes and `known` alone.
 *
 * @param work the work limit for all documents of a submission together
 */
export function parseFiling(bytes: Uint8Array, known: Known = {}, work = new Work()): ParsedFiling {
  try {
    const opened = openDocument(bytes);
    if (opened.kind === "refused") return refusedFiling(opened.reason, opened.detail);
    let refusal: ParsedFiling | undefined;
    for (const document of opened.documents) {
      const tagged = readEcd(document.text);
      const { years: taggedYears, problems } = readTaggedYears(tagged);
      const table = parseDocument(document, tagged, known, work);
      const read = { ...table, taggedYears, problems: [...table.problems, ...problems] };
      if (read.status === "parsed") return read;
      refusal ??= read;
      if (read.reason === "foreign_form" || read.reason === "fund_form") return read;
    }
    return refusal ?? refusedFiling("empty", "no document in the submission");
  } catch (error) {
    if (error instanceof TooMuchWork) return refusedFiling("too_costly", error.message);
    return refusedFiling("internal", error instanceof Error ? error.message : String(error));
  }
}

/** Reads the table of one document. Each step takes the results of the steps before it. */
function parseDocument(
  { text, header, ...document }: SourceDocument,
  tagged: readonly EcdFact[],
  known: Known,
  work: Work,
): ParsedFiling {
  // Identify the filing; stop if its form cannot contain the table.
  const facts = readFacts({ text, header, ...document }, known);
  const barred = barredForm(facts.form);
  if (barred !== undefined) return refusedFiling(barred, `form ${facts.form ?? ""}`, facts);

  // Find candidate tables and choose one (grid -> header -> cells -> people -> judge, for each).
  const located = locate(text, work);
  const chosen = chooseTable(located, companyWordsOf(facts.companyName));
  if (chosen.kind === "refused") return refusedFiling(chosen.reason, chosen.detail, facts);
  const { tables } = chosen;

  // Read one entry per person and year; check its amounts against the printed total.
  const units = readUnits(located, tables);
  const { entries, problems: entryProblems } = readEntries(tables, located, units.scale);
  const problems = [...chosen.problems, ...units.problems, ...entryProblems];
  const copies = tables.map(copyOf);
  const refuseRead = (reason: RefusalReason, detail: string): ParsedFiling => ({
    ...refusedFiling(reason, detail, facts),
    problems,
    tables: copies,
  });
  const years = [...new Set(entries.map(({ row }) => row.year.year))];
  const unread = whyUnread(entries, problems);
  if (unread !== undefined) return refuseRead(...unread);

  // Read fiscal years, tags and passages about officers; decide who was PEO and PFO.
  const source = { shown: located.text, heading: tables[0].heading, tagged };
  const statements = readStatements(source, years, facts, header?.fiscalYearEnd ?? null);
  const officers = decideOfficers(entries, statements, facts, work);

  // Build the rows and check them against the tagged totals.
  const context = { ...statements, officers, currency: units.currency };
  const unchecked = entries.map((entry, index) => rowOf(entry, index + 1, context));
  const checked = checkTags(unchecked, statements.tagged, statements.periods);
  problems.push(...officers.problems, ...checked.problems);
  if (checked.rows.every((row) => row.placeholder))
    return refuseRead("rows_unreadable", problems[0]?.message ?? "no row could be read");
  const newest = Math.max(...years);
  if (newest < FIRST_YEAR) return refuseRead("old_layout", `the newest year is ${newest}`);
  return {
    status: "parsed",
    reason: null,
    reasonDetail: null,
    facts,
    regime: regimeOf(checked.rows),
    rows: withDoubts(checked.rows, problems),
    offices: officers.terms,
    taggedYears: [],
    problems,
    tables: copies,
  };
}

/** Why a table's entries cannot be served; undefined if they can. */
function whyUnread(
  entries: readonly RowEntry[],
  problems: readonly ReadingProblem[],
): [RefusalReason, string] | undefined {
  if (entries.length === 0) return ["rows_unreadable", problems[0]?.message ?? "no row could be read"];
  const unclear = whyColumnsUnclear(entries);
  return unclear === undefined ? undefined : ["columns_unclear", unclear];
}

const DOUBTS: ReadonlySet<ProblemCode> = new Set(["several_tables", "table_untitled", "units_unclear"]);

/** Adds problems that put every amount in doubt to each row. */
function withDoubts(rows: readonly ParsedRow[], problems: readonly ReadingProblem[]): readonly ParsedRow[] {
  const doubts = problems.filter(({ code }) => DOUBTS.has(code));
  return doubts.length === 0 ? rows : rows.map((row) => ({ ...row, problems: [...row.problems, ...doubts] }));
}
