/** Compares two tables of one document. */
import { OFFICES } from "../../../domain/officer-claims.ts";
import { HEADINGS } from "../../lexicon/headings.ts";
import { isCoChief, isInterim, officeOfTitle } from "../../officers/titles.ts";
import { letters } from "../../text.ts";
import { hasOfficerTitle } from "../../values/values.ts";
import { AMOUNTS } from "../header/header.ts";
import type { Candidate } from "./candidates.ts";
import { type Boundary, judgeBlocks } from "./heading.ts";

type Tables = readonly Candidate[];

/** Whether two tables have the same columns of Item 402(c), or one has some of the other's. */
export function compareColumns(one: Candidate, other: Candidate): "same" | "some" | "different" {
  const columnsOf = (table: Candidate) =>
    AMOUNTS.intersection(new Set(table.columns.map(({ meaning }) => meaning)));
  const [columns, others] = [columnsOf(one), columnsOf(other)];
  if (columns.isSubsetOf(others)) return columns.size === others.size ? "same" : "some";
  return columns.isSupersetOf(others) ? "some" : "different";
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
function isPrintedTwice(one: Candidate, other: Candidate): boolean {
  if (!sameTotals(one, other) || [...totalsOf(one)].every((total) => total === "")) return false;
  const [names, others] = [namesOf(one), namesOf(other)];
  return names.intersection(others).size * 2 >= Math.min(names.size, others.size);
}

/** Whether a table has all people of some others, and further ones. */
export function hasMorePeople(one: Candidate, others: readonly Candidate[]): boolean {
  const [names, fewer] = [namesOf(one), new Set(others.flatMap((other) => [...namesOf(other)]))];
  return fewer.size < names.size && fewer.isSubsetOf(names);
}

function namesOf({ people }: Candidate): Set<string> {
  return new Set(people.map(({ name }) => letters(name)));
}

/** Whether two tables have a row for the same person and year, which two pages of one table never do. */
function sharesRows(one: Candidate, other: Candidate): boolean {
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

/** Why a table is left out. */
export interface Doubt {
  /** Empty if nothing is lost, because the pages contain the same rows. */
  readonly why: string;
  /** Whether it, rather than the pages, could be the Summary Compensation Table. */
  readonly either: boolean;
}

/** Why a table next to some pages is left out; undefined if it can be another page. */
export function doubtOf(pages: Tables, other: Candidate, boundary: Boundary): Doubt | undefined {
  const words = whyOthers(pages, other, boundary);
  // With nothing between two tables, the title above the first could refer to either.
  const either = boundary.kind === "same" && boundary.nothing;
  const twin = pages.find((page) => sharesRows(page, other));
  if (twin !== undefined && isPrintedTwice(twin, other)) return { why: "", either: false };
  if (twin !== undefined) return { why: "it prints the same people and years", either };
  if (words !== undefined) return { why: words, either: false };
  // Another person on the next page may hold the office of an interim officer or co-chief.
  const held = (table: Candidate): string[] => officesOf(table, either ? "any" : "alone");
  const offices = held(other);
  return pages.flatMap(held).some((office) => offices.includes(office))
    ? { why: "it has principal officers of its own", either }
    : undefined;
}

/** Evidence in the text and titles against a table as a page. */
function whyOthers(pages: readonly Candidate[], other: Candidate, boundary: Boundary): string | undefined {
  if (other.headingKind === "other people" || other.headingKind === "another view")
    return `its heading, "${other.above.at(-1)?.slice(-80) ?? ""}", names ${other.headingKind}`;
  if (other.anotherView) return "it is another view of pay";
  if (boundary.kind !== "same") return `"${boundary.words}" is between them`;
  const inside = judgeBlocks(other.titles.filter((title) => !HEADINGS.has(title, "units")));
  if (inside.kind !== "same") return `"${inside.words}" is above its rows`;
  const group = newGroup(pages, other);
  if (group !== undefined) return `"${group}" appears only in its header`;
  const named = other.people.some((person) => person.name !== "");
  if (named && pages.some(hasOfficers) && !hasOfficers(other))
    return "none of its people has the title of an officer";
  return undefined;
}

/**
 * Why a table with its own header is not the next page if nothing is between it and the pages before: those already have both
 * principal officers, and a page break would leave a trace.
 */
export function doubtOfNext(before: Tables, next: Candidate, boundary: Boundary): Doubt | undefined {
  const headed = next.sections.some(({ headerRows }) => headerRows.length > 0);
  if (!headed || boundary.kind !== "same" || !boundary.nothing) return undefined;
  const names = new Set(before.flatMap((table) => table.people.map((person) => letters(person.name))));
  if (next.people.some((person) => person.name === "" || names.has(letters(person.name)))) return undefined;
  const complete = OFFICES.every((office) =>
    before.some((table) => table.people.some((person) => officeOfTitle(person.title, office) === "present")),
  );
  const why = "nothing is between them, and the table before it has both principal officers";
  return complete ? { why, either: true } : undefined;
}

/** Years and offices of principal officers, by title; `alone` excludes interim officers and co-chiefs. */
function officesOf(table: Candidate, which: "any" | "alone"): string[] {
  return table.people.flatMap((person) =>
    OFFICES.filter(
      (office) =>
        officeOfTitle(person.title, office) === "present" &&
        (which === "any" || (!isInterim(person.title, office) && !isCoChief(person.title))),
    ).flatMap((office) => person.rows.map(({ year }) => `${office} ${year.year}`)),
  );
}

/** Whether anyone in the table has an officer's title. */
export function hasOfficers(table: Candidate): boolean {
  return table.people.some((person) => hasOfficerTitle(person.title ?? ""));
}

/** A group header that the pages lack, or a header that names other people: a heading inside the other table. */
function newGroup(pages: readonly Candidate[], other: Candidate): string | undefined {
  const headers = new Set(pages.flatMap(({ columns }) => columns.flatMap(({ path }) => path.map(letters))));
  return other.columns
    .flatMap(({ path }) => [
      ...path.slice(0, -1),
      ...path.slice(-1).filter((header) => HEADINGS.has(header, "other_people", "others_only")),
    ])
    .find((header) => letters(header) !== "" && !headers.has(letters(header)));
}
