/** Compares two tables of one document. */
import { letters } from "../../text.ts";
import type { Meaning } from "../../lexicon/column-headers.ts";
import type { Candidate } from "./candidates.ts";
import { AMOUNTS } from "../header/columns.ts";

/** Whether two tables have the same columns of Item 402(c), or one has some of the other's. */
export function compareColumns(one: Candidate, other: Candidate): "same" | "some" | "different" {
  const [columns, others] = [columnsOf(one), columnsOf(other)];
  if (columns.isSubsetOf(others)) return columns.size === others.size ? "same" : "some";
  return columns.isSupersetOf(others) ? "some" : "different";
}

function columnsOf({ columns }: Candidate): Set<Meaning> {
  return AMOUNTS.intersection(new Set(columns.map(({ meaning }) => meaning)));
}

/** Whether two tables print the same totals: one document may hold its table twice. */
export function sameTotals(one: Candidate, other: Candidate): boolean {
  return totalsOf(one).symmetricDifference(totalsOf(other)).size === 0;
}

/** The digits of a table's totals; "" for a blank one. */
function totalsOf(table: Candidate): Set<string> {
  return new Set(
    table.rows
      .flatMap(({ slots }) => slots)
      .filter(({ column }) => column.meaning === "total_compensation")
      .map(({ texts }) => texts.join("").replace(/\D/g, "")),
  );
}

/** Whether two tables share a person. The same totals under other names are other people's. */
export function samePeople(one: Candidate, other: Candidate): boolean {
  return !namesOf(one).isDisjointFrom(namesOf(other));
}

/** Whether a table is printed twice: the same totals, not all blank, and at least half of the people. */
export function isPrintedTwice(one: Candidate, other: Candidate): boolean {
  if (!sameTotals(one, other) || totalsOf(one).isSubsetOf(BLANK)) return false;
  const [names, others] = [namesOf(one), namesOf(other)];
  return names.intersection(others).size * 2 >= Math.min(names.size, others.size);
}

const BLANK: ReadonlySet<string> = new Set([""]);

/** Whether a table has all people of some others, and further ones. */
export function hasMorePeople(one: Candidate, others: readonly Candidate[]): boolean {
  const [names, known] = [namesOf(one), new Set(others.flatMap((other) => [...namesOf(other)]))];
  return known.size < names.size && known.isSubsetOf(names);
}

function namesOf({ people }: Candidate): Set<string> {
  return new Set(people.map(({ name }) => letters(name)));
}

/** Whether two tables have a row for the same person and year, which two pages of one table never do. */
export function sharesRows(one: Candidate, other: Candidate): boolean {
  const keys = ({ people }: Candidate): Set<string> =>
    new Set(people.flatMap(({ name, rows }) => rows.map((row) => `${letters(name)} ${row.year.year}`)));
  return !keys(one).isDisjointFrom(keys(other));
}

/** Whether a table repeats rows of another and adds a newer year. */
export function isNewer(one: Candidate, other: Candidate): boolean {
  return newestYear(one) > newestYear(other) && sharesRows(one, other);
}

/** The newest year that a table prints. */
export function newestYear(table: Candidate): number {
  return Math.max(...table.rows.map((row) => row.year.year));
}
