import { readEcd } from "./document/inline-xbrl.ts";
import { stripTags, tidy } from "./document/text.ts";
import type { TableOfficer } from "./officers/claims.ts";
import { readPeriods, readShortPeriod } from "./officers/fiscal-periods.ts";
import { readNarrative } from "./officers/narrative.ts";
import { readOfficers, type Officers } from "./officers/officers.ts";
import type { FilingFacts, ParsedTerm, ParsedRow, TableCopy } from "./parsed.ts";
import type { Problem } from "./problem.ts";
import { rowOf } from "./rows.ts";
import type { Candidate } from "./table/candidates.ts";
import { problemOf, readEntries, type Entry, type EntryPerson } from "./table/entries.ts";
import { PARTS } from "./table/header.ts";
import { dollarOf, readUnits } from "./table/units.ts";
import { checkTags } from "./tag-checks.ts";

/** The rows of one table with everything that was said about them. */
export interface Observed {
  readonly rows: readonly ParsedRow[];
  readonly offices: readonly ParsedTerm[];
  readonly problems: readonly Problem[];
  readonly tables: readonly TableCopy[];
  readonly regime: "full" | "scaled";
}

/** Turns the chosen table and its continuations into rows with flags, ids, checks and problems. */
export function observe(
  text: string,
  tables: readonly Candidate[],
  filing: FilingFacts,
  monthDay: string | null,
): Observed {
  const copies = tables.map(copyOf);
  const nothing: Observed = { rows: [], offices: [], problems: [], tables: copies, regime: "full" };
  const [first] = tables;
  if (first === undefined) return nothing;
  const units = readUnits(first, remarksBelow(text, tables.at(-1) ?? first), dollarOf(text));
  const { entries, problems } = readEntries(tables, text, units.scale);
  const told = [...unitProblems(units), ...problems];
  const years = [...new Set(entries.map(({ row }) => row.year.year))];
  if (years.length === 0) return { ...nothing, problems: told };
  const passages = readNarrative(text);
  const facts = readEcd(text);
  const periods = readPeriods(years, facts, filing.fiscalYearEnd, passages.join(" "), monthDay);
  const people = [...Map.groupBy(entries, ({ person }) => person)];
  const officers = readOfficers({
    people: people.map(officerOf),
    periods,
    facts,
    passages,
    companyName: filing.companyName,
    accession: filing.accession ?? "",
  });
  const newest = Math.max(...years);
  const wholeYear = periods.get(newest);
  const covered =
    wholeYear === undefined ? undefined : readShortPeriod([first.heading, ...passages].join(" "), wholeYear);
  const short = covered === undefined ? undefined : { ...covered, year: newest };
  const context = { officers, periods, currency: units.currency, short };
  const checked = checkTags(
    entries.map((entry, index) => rowOf(entry, index + 1, context)),
    facts,
    periods,
  );
  return {
    rows: checked.rows,
    offices: termsOf(officers, new Map(people.map(([{ id, name }]) => [id, name]))),
    problems: [...told, ...officerProblems(officers), ...checked.problems],
    tables: copies,
    regime: regimeOf(checked.rows, tables),
  };
}

/** What stands in the table's rows behind its last year, and right below it. */
function remarksBelow(text: string, { grid, rows, region }: Candidate): string {
  const last = Math.max(...rows.map((row) => row.row));
  const inside = grid.rows.slice(last + 1).flatMap((row) => row.map((cell) => cell.text));
  const behind = region.closed ? stripTags(text.slice(region.end, region.end + 3000)).slice(0, 300) : "";
  return tidy([...inside.slice(0, 40), behind].join(" "));
}

function unitProblems({ unclear, scaleText }: ReturnType<typeof readUnits>): Problem[] {
  if (!unclear) return [];
  const message =
    scaleText === null
      ? "The words above the table speak of thousands in a way that is not known, or every salary is so small that thousands may be meant"
      : `Only some column headers say "${scaleText}"`;
  return [problemOf("units_unclear", "columns", message)];
}

function officerOf([person, entries]: [EntryPerson, readonly Entry[]]): TableOfficer {
  const { id, name, printedName, title, titleOfRow } = person;
  return {
    id,
    name,
    printedName,
    title,
    titleOf: new Map([...titleOfRow].map(([row, beside]) => [row.year.year, beside])),
    years: entries.map(({ row }) => row.year.year),
    totals: new Map(
      entries
        .filter(({ row }) => !row.year.partial)
        .map(({ row, reconciled }) => [row.year.year, reconciled.amounts.total_compensation]),
    ),
    blank: entries.filter(({ reconciled }) => reconciled.blank).map(({ row }) => row.year.year),
  };
}

function officerProblems({ unclear, unmatchedTags }: Officers): Problem[] {
  const names = { peo: "executive", pfo: "financial" };
  return [
    ...unclear.map(({ year, office }) => {
      const message = `Nobody in the table has the title of principal ${names[office]} officer of ${year}`;
      return problemOf(`${office}_unclear`, "offices", message);
    }),
    ...unmatchedTags.map(({ year, name }) => {
      const message = `ecd:PeoName of ${year} is "${name}", nobody in the table`;
      return problemOf("ecd_peo_name", "offices", message);
    }),
  ];
}

function termsOf({ terms }: Officers, names: ReadonlyMap<string, string>): ParsedTerm[] {
  return terms.map(({ person, office, from, to, quote }) => ({
    executive_id: person,
    executive_name: names.get(person) ?? "",
    office,
    start: from?.earliest ?? null,
    end: to?.latest ?? null,
    kind: "dated",
    text: quote,
  }));
}

function copyOf(table: Candidate): TableCopy {
  return {
    table: table.grid.table,
    rows: table.grid.rows.map((row, at) =>
      row
        .filter((cell) => cell.row === at && cell.raw !== "")
        .map((cell): readonly [number, string] => [cell.x0, cell.raw]),
    ),
    headerRows: table.sections.flatMap((section) => section.headerRows),
  };
}

function regimeOf(rows: readonly ParsedRow[], tables: readonly Candidate[]): "full" | "scaled" {
  const years = new Set(rows.map((row) => row.fiscal_year)).size;
  const people = new Set(rows.map((row) => row.executive_id)).size;
  const meanings = new Set(
    tables.flatMap((table) =>
      table.sections.flatMap((section) => section.columns.map((column) => column.meaning)),
    ),
  );
  const complete = [...PARTS].every((part) => meanings.has(part));
  return years >= 3 || people >= 5 || (complete && years > 2) ? "full" : "scaled";
}
