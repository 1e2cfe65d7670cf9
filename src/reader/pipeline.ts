import {
  type EcdFact,
  type GivenFacts,
  type SourceDocument,
  barredForm,
  openDocument,
  readEcd,
  readFacts,
} from "./document/submission.ts";
import {
  type FiscalPeriods,
  checkTags,
  readPeriods,
  readShortPeriod,
  readTaggedYears,
} from "./officers/fiscal-years.ts";
import { type TableOfficer, readNarrative } from "./officers/sentences.ts";
import { readOfficers } from "./officers/officers.ts";
import { companyWordsOf } from "./officers/titles.ts";
import {
  type ParsedFiling,
  type ParsedRow,
  type ProblemCode,
  type ReadingProblem,
  type RefusalReason,
  TooMuchWork,
  Work,
  problemOf,
  refusedFiling,
  reportInto,
} from "./parsed-filing.ts";
import { type TablePages, chooseTable, reportDoubts } from "./table/choice/choose.ts";
import { candidateOf } from "./table/choice/judge.ts";
import { type Located, locate } from "./table/grid/grid.ts";
import { findPages } from "./table/pages/pages.ts";
import { completeNames } from "./table/people/full-names.ts";
import { type MergedPerson, mergePeople } from "./table/people/merge.ts";
import { readPeople } from "./table/people/people.ts";
import { readTables } from "./table/read/read.ts";
import { copyOf, readEntries, type RowEntry, whyColumnsUnclear } from "./table/rows/entries.ts";
import { readUnits } from "./table/rows/units.ts";

/** Facts about a filing that the caller already has. */
export type { GivenFacts } from "./document/submission.ts";

/** The current table applies to fiscal years ending on or after 15 December 2006 (Release 33-8732A). */
const FIRST_YEAR = 2006;

/**
 * Reads the Summary Compensation Table of one document: HTML, inline XBRL, text, or a full submission with its SGML header.
 * Never throws; the result depends on the bytes and `given` alone.
 *
 * @param work the work limit for all documents of a submission together
 */
export function parseFiling(bytes: Uint8Array, given: GivenFacts = {}, work = new Work()): ParsedFiling {
  try {
    const opened = openDocument(bytes);
    if ("reason" in opened) return opened;
    let refusal: ParsedFiling | undefined;
    for (const document of opened) {
      const tagged = readEcd(document.text);
      const problems: ReadingProblem[] = [];
      const taggedYears = readTaggedYears(tagged, reportInto(problems));
      const table = parseDocument(document, tagged, given, work);
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
  document: SourceDocument,
  tagged: readonly EcdFact[],
  given: GivenFacts,
  work: Work,
): ParsedFiling {
  // Identify the filing; stop if its form cannot contain the table.
  const facts = readFacts(document, given);
  const barred = barredForm(facts.form);
  if (barred !== undefined) return refusedFiling(barred, `form ${facts.form ?? ""}`, facts);

  // Find the table, read one entry per person and year, and check its amounts against the printed total.
  const problems: ReadingProblem[] = [];
  const located = locate(document.text, work, reportInto(problems));
  const companyWords = companyWordsOf(facts.companyName);
  const tables = findTable(located, companyWords);
  if ("reason" in tables) return { ...tables, facts };
  const { scale, currency } = readUnits(located, tables, tagged);
  const entries = readEntries(findPeople(tables, located), tables, scale, located.report);
  const read = { problems, tables: tables.map(copyOf) };
  const refuse = (why: RefusalReason, detail: string) => ({ ...refusedFiling(why, detail, facts), ...read });
  const refuseRows = () => refuse("rows_unreadable", problems[0]?.message ?? "no row could be read");
  if (entries.length === 0) return refuseRows();
  const unclear = whyColumnsUnclear(entries);
  if (unclear !== undefined) return refuse("columns_unclear", unclear);

  // Read fiscal years, tags and passages about officers; decide who was PEO and PFO.
  const passages = readNarrative(located.text);
  const [narrative, monthDay] = [passages.join(" "), document.header?.fiscalYearEnd ?? null];
  const years = [...new Set(entries.map(({ row }) => row.year.year))];
  const periods = readPeriods(years, tagged, facts.fiscalYearEnd, narrative, monthDay);
  const newest = Math.max(...years);
  const short = readShortPeriod(`${tables[0].heading} ${narrative}`, periods.get(newest));
  const people = [...Map.groupBy(entries, ({ person }) => person)].map(officerOf);
  const accession = facts.accession ?? "";
  const sources = { people, periods, facts: tagged, passages, companyWords, accession, work };
  const officers = readOfficers(sources, located.report);

  // Build the rows and check them against the tagged totals.
  const rows = checkTags(
    rowsOf(entries, officers, periods, short, currency),
    tagged,
    periods,
    located.report,
  );
  if (rows.every((row) => row.placeholder)) return refuseRows();
  if (newest < FIRST_YEAR) return refuse("old_layout", `the newest year is ${newest}`);
  const doubts = problems.filter(({ code }) => DOUBTS.has(code));
  return {
    status: "parsed",
    reason: null,
    reasonDetail: null,
    facts,
    regime: regimeOf(rows),
    rows: rows.map((row) => ({ ...row, problems: [...row.problems, ...doubts] })),
    offices: officers.terms,
    taggedYears: [],
    ...read,
  };
}

/** Reads every table that could be the Summary Compensation Table, scores each, chooses one and adds its other pages. */
function findTable(located: Located, companyWords: readonly string[]): TablePages | ParsedFiling {
  const candidates = readTables(located).map(candidateOf);
  const choice = chooseTable(located, candidates, companyWords);
  if ("reason" in choice) return choice;
  const pages = findPages(located, choice.table);
  if (!("reason" in pages)) reportDoubts(choice, pages, companyWords, located.report);
  return pages;
}

/** Finds the people of the table's pages, with their full names. */
function findPeople(tables: TablePages, located: Located): MergedPerson[] {
  const people = readPeople(tables.flatMap(({ read }) => read));
  return mergePeople(completeNames(people, located));
}

/** Problems of the table that put every amount in doubt, so that each row has them too. */
const DOUBTS: ReadonlySet<ProblemCode> = new Set(["several_tables", "table_untitled", "units_unclear"]);

/** Characters of a title that are kept; the longest of the 2,482 transcribed rows has 145. */
const MAX_TITLE = 300;
/** A year further back than this from the newest of its table is a slip of the filer's: the rule asks for three years. */
const MAX_YEARS_BACK = 4;

type ShortPeriod = ReturnType<typeof readShortPeriod>;

/** Builds the row of each entry. @param shortPeriod of the newest year, if that is shorter than a year */
function rowsOf(
  entries: readonly RowEntry[],
  officers: ReturnType<typeof readOfficers>,
  periods: FiscalPeriods,
  shortPeriod: ShortPeriod,
  currency: string,
): ParsedRow[] {
  const newest = Math.max(...periods.keys());
  return entries.map((entry, index) => {
    const { person, row, ...read } = entry;
    const { year } = row.year;
    const short = year === newest ? shortPeriod : undefined;
    const { peo, pfo, unclear } = officers.of(person.id, year);
    const role = person.titleOfRow.get(row) ?? person.title;
    return {
      ...read,
      position: index + 1,
      executive_id: person.id,
      executive_name: person.name,
      printedName: person.printedName,
      executive_role: role?.slice(0, MAX_TITLE).trimEnd() ?? null,
      fiscal_year: year,
      yearLabel: row.year.label,
      periodEnd: row.year.end ?? periods.get(year)?.last ?? null,
      period: short ?? null,
      reporting_currency: currency,
      placeholder: read.blank && !peo.held && !pfo.held,
      is_peo: peo.held,
      is_pfo: pfo.held,
      peoEvidence: peo.evidence,
      pfoEvidence: pfo.evidence,
      problems: [...read.problems, ...rowDoubts(entry, role ?? "", short, newest), ...unclear],
    };
  });
}

/** What is not certain about a row besides its amounts and offices. */
function* rowDoubts({ person, row: { year } }: RowEntry, role: string, short: ShortPeriod, newest: number) {
  const back = newest - year.year;
  if (person.controls) yield problemOf("control_characters", `Left out of "${person.name}" or the title`);
  if (role.length > MAX_TITLE)
    yield problemOf("title_too_long", `${role.length} characters, of which ${MAX_TITLE} are kept`);
  const split = `"${person.printedName}" was read as the name, "${person.title ?? ""}" as the title`;
  if (!person.clear) yield problemOf("name_unclear", split);
  if (back > MAX_YEARS_BACK)
    yield problemOf("year_unclear", `"${year.label}" is ${back} years before ${newest}`);
  if (/\dE$/.test(year.label))
    yield problemOf("year_unclear", `The amounts of "${year.label}" may be estimates`);
  if (year.partial) yield problemOf("partial_period", `"${year.label}" is shorter than a year`);
  else if (year.longer) yield problemOf("year_unclear", `"${year.label}" is longer than a year`);
  else if (short !== undefined)
    yield problemOf("partial_period", `The row covers ${short.start} to ${short.end}`);
}

function officerOf([person, entries]: [MergedPerson, readonly RowEntry[]]): TableOfficer {
  const years = entries.map(({ row, amounts, blank }) => {
    const total = row.year.partial ? undefined : amounts.total_compensation;
    return [row.year.year, { title: person.titleOfRow.get(row), total, isPaid: !blank }] as const;
  });
  return { ...person, years: new Map(years) };
}

/** Whether the rows are from the full table of Item 402(c) or the scaled one of 402(n). */
function regimeOf(rows: readonly ParsedRow[]): "full" | "scaled" {
  const years = new Set(rows.map((row) => row.fiscal_year));
  const people = new Set(rows.map((row) => row.executive_id));
  return years.size >= 3 || people.size >= 5 ? "full" : "scaled";
}
