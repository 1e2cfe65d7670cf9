import {
  type EcdFact,
  type Known,
  type SourceDocument,
  barredForm,
  openDocument,
  readEcd,
  readFacts,
} from "./document/submission.ts";
import { type FiscalPeriods, readPeriods, readShortPeriod } from "./officers/fiscal-periods.ts";
import { type TableOfficer, readNarrative } from "./officers/sentences.ts";
import { type Officers, readOfficers } from "./officers/officers.ts";
import { companyWordsOf } from "./officers/titles.ts";
import {
  type FilingFacts,
  type ParsedFiling,
  type ParsedRow,
  type ProblemCode,
  type ReadingProblem,
  type RefusalReason,
  TooMuchWork,
  Work,
  problemOf,
  refusedFiling,
} from "./parsed.ts";
import { chooseTable } from "./table/choice/choose.ts";
import { locate } from "./table/grid/grid.ts";
import {
  copyOf,
  regimeOf,
  type EntryPerson,
  readEntries,
  type RowEntry,
  whyColumnsUnclear,
} from "./table/rows/entries.ts";
import { readUnits } from "./table/rows/units.ts";
import { checkTags, readTaggedYears } from "./officers/tags.ts";

/** Facts about a filing that the caller already has. */
export type { Known } from "./document/submission.ts";

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

/** Facts shared by all rows of a table. */
export interface RowContext {
  readonly officers: Officers;
  readonly periods: FiscalPeriods;
  /** ISO 4217. */
  readonly currency: string;
  /** The newest fiscal year and its dates, if it is shorter than a year. */
  readonly short: { readonly year: number; readonly start: string; readonly end: string } | undefined;
}

/** Characters of a title that are kept; the longest of the 2,482 transcribed rows has 145. */
const MAX_TITLE = 300;

/** Builds the row of an entry. @param position position in the table, from 1 */
export function rowOf(entry: RowEntry, position: number, context: RowContext): ParsedRow {
  const { person, row, reconciled } = entry;
  const { year } = row.year;
  const { officers, periods, currency } = context;
  const short = context.short?.year === year ? context.short : undefined;
  const peo = officers.flag(person.id, year, "peo");
  const pfo = officers.flag(person.id, year, "pfo");
  const headed = row.section.headerRows.length > 0;
  const role = person.titleOfRow.get(row) ?? person.title;
  return {
    position,
    executive_id: person.id,
    executive_name: person.name,
    printedName: person.printedName,
    executive_role: role === null ? null : role.slice(0, MAX_TITLE).trimEnd(),
    fiscal_year: year,
    yearLabel: row.year.label,
    periodEnd: row.year.end ?? periods.get(year)?.last ?? null,
    period: short === undefined ? null : { start: short.start, end: short.end },
    reporting_currency: currency,
    amounts: reconciled.amounts,
    cells: reconciled.cells,
    unknownReason: reconciled.unknownReason,
    placeholder: reconciled.blank && !peo.held && !pfo.held,
    blank: reconciled.blank,
    is_peo: peo.held,
    is_pfo: pfo.held,
    peoEvidence: peo.evidence,
    pfoEvidence: pfo.evidence,
    checks: reconciled.checks.map((check) =>
      headed || check.check !== "header_grid"
        ? check
        : { ...check, detail: `${check.detail} in the previous table` },
    ),
    problems: [...entry.problems, ...doubtsOf(entry, role, short), ...officers.unclear(person.id, year)],
  };
}

function doubtsOf(
  { person, row }: RowEntry,
  role: string | null,
  short: RowContext["short"],
): ReadingProblem[] {
  const doubts: ReadingProblem[] = [];
  if (person.controls)
    doubts.push(problemOf("control_characters", `Left out of "${person.name}" or the title`));
  if (role !== null && role.length > MAX_TITLE)
    doubts.push(problemOf("title_too_long", `${role.length} characters, of which ${MAX_TITLE} are kept`));
  if (!person.clear) {
    const message = `"${person.printedName}" was read as the name, "${person.title ?? ""}" as the title`;
    doubts.push(problemOf("name_unclear", message));
  }
  if (row.year.partial)
    doubts.push(problemOf("partial_period", `"${row.year.label}" is shorter than a year`));
  else if (row.year.longer)
    doubts.push(problemOf("year_unclear", `"${row.year.label}" is longer than a year`));
  else if (short !== undefined)
    doubts.push(problemOf("partial_period", `The row covers ${short.start} to ${short.end}`));
  return doubts;
}

/** Reads what the rest of the document says about the table: fiscal years, tagged facts, passages about officers. */

/** What the document says outside the table. */
export interface Statements {
  readonly passages: readonly string[];
  /** Facts tagged for pay versus performance. */
  readonly tagged: readonly EcdFact[];
  readonly periods: FiscalPeriods;
  readonly short: RowContext["short"];
}

/** A document's text without what it hides, the text above its table, and its tagged facts. */
interface DocumentText {
  readonly shown: string;
  readonly heading: string;
  readonly tagged: readonly EcdFact[];
}

/**
 * Reads the passages and tags of a document, and the dates of the table's fiscal years.
 *
 * @param years the years in the table, at least one
 * @param monthDay end of the fiscal year from the SGML header, `MMDD`
 */
export function readStatements(
  { shown, heading, tagged }: DocumentText,
  years: readonly number[],
  filing: FilingFacts,
  monthDay: string | null,
): Statements {
  const passages = readNarrative(shown);
  const periods = readPeriods(years, tagged, filing.fiscalYearEnd, passages.join(" "), monthDay);
  const year = Math.max(...years);
  const whole = periods.get(year);
  const covered = whole === undefined ? undefined : readShortPeriod([heading, ...passages].join(" "), whole);
  return { passages, tagged, periods, short: covered === undefined ? undefined : { ...covered, year } };
}

/** Decides which people of the table held the two offices, and when. */
export function decideOfficers(
  entries: readonly RowEntry[],
  { passages, tagged, periods }: Statements,
  { companyName, accession }: FilingFacts,
  work: Work,
): Officers {
  const people = [...Map.groupBy(entries, ({ person }) => person)].map(officerOf);
  return readOfficers({
    people,
    periods,
    facts: tagged,
    passages,
    companyName,
    accession: accession ?? "",
    work,
  });
}

function officerOf([person, entries]: [EntryPerson, readonly RowEntry[]]): TableOfficer {
  const whole = entries.filter(({ row }) => !row.year.partial);
  const blank = entries.filter(({ reconciled }) => reconciled.blank);
  return {
    ...person,
    titleOf: new Map([...person.titleOfRow].map(([row, beside]) => [row.year.year, beside])),
    years: entries.map(yearOf),
    totals: new Map(whole.map((entry) => [yearOf(entry), entry.reconciled.amounts.total_compensation])),
    blank: blank.map(yearOf),
  };
}

function yearOf({ row }: RowEntry): number {
  return row.year.year;
}
