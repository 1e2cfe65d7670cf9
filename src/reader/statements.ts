/** Reads what the rest of the document says about the table: fiscal years, tagged facts, passages about officers. */
import type { EcdFact } from "./document/inline-xbrl.ts";
import type { TableOfficer } from "./officers/mentions.ts";
import { readPeriods, readShortPeriod, type FiscalPeriods } from "./officers/fiscal-periods.ts";
import { readNarrative } from "./officers/narrative.ts";
import { readOfficers, type Officers } from "./officers/officers.ts";
import type { FilingFacts } from "./parsed.ts";
import type { RowContext } from "./rows.ts";
import type { Work } from "./work.ts";
import type { RowEntry, EntryPerson } from "./table/rows/entries.ts";

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
