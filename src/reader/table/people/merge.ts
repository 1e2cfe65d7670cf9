import { executiveId, nameSuffix, surnameOf } from "../../../domain/executive.ts";
import { isShortFor } from "../../officers/sentences.ts";
import { MAX_PEOPLE } from "../../parsed-filing.ts";
import { letters } from "../../clean-text.ts";
import type { YearRow } from "../cells/slots.ts";
import type { Person } from "./people.ts";

/** A person of the table, merged over all pages. */
export interface MergedPerson extends Person {
  /** Executive id, unique in the document. */
  readonly id: string;
  /** The title next to each row, if the table prints several for one person. */
  readonly titleOfRow: ReadonlyMap<YearRow, string>;
}

/** Merges people with the same name on different pages or in different places. */
export function mergePeople(people: readonly Person[]): MergedPerson[] {
  const groups = new Map<string, Person[]>();
  for (const [index, person] of people.entries()) {
    const key = person.name === "" ? `#${index}` : (shortKey(person, groups) ?? letters(person.name));
    groups.getOrInsert(key, []).push(person);
  }
  const taken = new Map<string, number>();
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const titles = group.flatMap(({ title, rows }) => (title === null ? [] : [{ title, rows }]));
    const several = new Set(titles.map(({ title }) => letters(title))).size > 1;
    const ofRows = titles.flatMap(({ title, rows }) => rows.map((row) => [row, title] as const));
    return {
      ...first,
      id: uniqueId(first.name, taken),
      title: titles[0]?.title ?? null,
      rows: group.flatMap(({ rows }) => rows),
      unread: group.flatMap(({ unread }) => unread),
      titleOfRow: new Map(several ? ofRows : []),
    };
  });
}

/** The group of the same name with a longer or shorter first name (`Chris Ryan`, `Christopher J. Ryan`), unless both have a row for one year. */
function shortKey(person: Person, groups: ReadonlyMap<string, readonly Person[]>): string | undefined {
  if (groups.size > MAX_PEOPLE || groups.has(letters(person.name))) return undefined;
  const years = new Set(person.rows.map((row) => row.year.year));
  const isSame = ({ name }: Person): boolean =>
    surnameOf(name) === surnameOf(person.name) &&
    // Distinguishes a son from his father.
    nameSuffix(name) === nameSuffix(person.name) &&
    isShortFor(name.split(" ")[0] ?? "", person.name);
  const isPaidBeside = ({ rows }: Person): boolean => rows.some((row) => years.has(row.year.year));
  return [...groups].find(([, group]) => group.some(isSame) && !group.some(isPaidBeside))?.[0];
}

function uniqueId(name: string, taken: Map<string, number>): string {
  const base = executiveId(name);
  const suffix = taken.has(base) ? nameSuffix(name) : undefined;
  let id = suffix === undefined ? base : `${base}-${suffix}`;
  // Counting continues from the last number, so that thousands of one name do not each count from two.
  let count = taken.get(base) ?? 1;
  while (taken.has(id)) id = `${base}-${++count}`;
  taken.set(base, count);
  taken.getOrInsert(id, 1);
  return id;
}
