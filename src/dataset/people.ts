/**
 * Identifies the people of a company: assigns every printed spelling to a person, and one id to every person. Pinned ids
 * stay the same; new spellings are linked by name, and by amounts where `docs/reading-filings.md`, "Names and ids", allows it.
 */
import { and, eq } from "drizzle-orm";
import { valueAt } from "../lib/checked-access.ts";
import { displayName, executiveId, nameParts, type NameParts } from "../domain/executive.ts";
import type { Dataset } from "./dataset.ts";
import { AMOUNTS } from "../domain/row-fields.ts";
import { compareTexts } from "../lib/text.ts";
import { byFilingDate, type CompanyRecord, type Observation, type Pin } from "./record.ts";
import { executives, formerIds, rows } from "./schema.ts";

/** The ids that spellings give and that no person of the company has, with whose they are. */
export function formerIdsOf(pins: readonly Pin[]): Map<string, string> {
  const taken = new Set(pins.map(({ executiveId: id }) => id));
  const found = pins.map(({ spelling, executiveId: id }) => [executiveId(spelling), id] as const);
  return new Map(found.filter(([alias]) => alias !== "" && !taken.has(alias)));
}

/** The id of a person who may be asked for by an older one. @param cik ten digits; null for any company */
export function currentId(dataset: Pick<Dataset, "read">, id: string, cik: string | null): string {
  const former = dataset.read((db) =>
    db
      .select({ executiveId: formerIds.executiveId })
      .from(formerIds)
      .where(and(eq(formerIds.alias, id), cik === null ? undefined : eq(formerIds.cik, cik)))
      .orderBy(formerIds.cik)
      .get(),
  );
  if (former === undefined) return id;
  const holder = dataset.read((db) =>
    db
      .select({ cik: rows.cik })
      .from(rows)
      .where(and(eq(rows.executiveId, id), cik === null ? undefined : eq(rows.cik, cik)))
      .limit(1)
      .get(),
  );
  return holder === undefined ? former.executiveId : id;
}

/** Every spelling in a company's filings, and the id of its person, by id. @param cik ten digits */
export function spellingsOf(dataset: Pick<Dataset, "read">, cik: string) {
  const { executiveId: id, spelling } = executives;
  return dataset.read((db) =>
    db.select({ id, spelling }).from(executives).where(eq(executives.cik, cik)).orderBy(id).all(),
  );
}

/** Two people with different pinned ids whom the amounts would link: they stay separate, and the conflict is reported. */
export interface LinkConflict {
  accession: string;
  position: number;
  message: string;
}

/** The people of a company. */
export interface People {
  /** The id of each observation, in the record's order. */
  ids: readonly string[];
  /** The `displayName` of each printed name. */
  names: ReadonlyMap<string, string>;
  /** The record's pins and the new ones, ordered by id and spelling. */
  pins: readonly Pin[];
  newPins: readonly Pin[];
  conflicts: readonly LinkConflict[];
}

interface Spelling {
  /** From `displayName`: within a company, one spelling is one person. */
  name: string;
  parts: NameParts;
  pinned: string | undefined;
  observations: Observation[];
}

/** Assigns a person to every observation; the same record gives the same ids, regardless of the order of its observations. */
export function identifyPeople(record: Pick<CompanyRecord, "filings" | "observations" | "pins">): People {
  const order = new Map(
    [...record.filings].sort(byFilingDate).map((filing, index) => [filing.accession, index]),
  );
  const rank = (row: Observation) => (order.get(row.accession) ?? order.size) * 10_000 + row.position;
  const pinnedBy = new Map(record.pins.map((pin) => [pin.spelling, pin.executiveId]));
  const spellings = new Map<string, Spelling>();
  // A name is printed in many rows, and takes longer to read than the rest of a row.
  const names = new Map<string, string>();
  for (const row of [...record.observations].sort((a, b) => rank(a) - rank(b))) {
    const name = names.getOrInsertComputed(row.name, displayName);
    spellings
      .getOrInsertComputed(name, () => {
        return { name, parts: nameParts(name), pinned: pinnedBy.get(name), observations: [] };
      })
      .observations.push(row);
  }

  const groups = new Groups([...spellings.values()]);
  const conflicts = linkByAmounts(groups);
  linkByName(groups);
  const ids = assignIds(groups, record.pins);
  const newPins = [...spellings.values()]
    .filter((spelling) => spelling.pinned === undefined)
    .map((spelling) => ({ executiveId: valueAt(ids, groups.of(spelling)), spelling: spelling.name }))
    .sort(byPin);
  return {
    ids: record.observations.map((row) => {
      const spelling = valueAt(spellings, valueAt(names, row.name));
      return spelling.pinned ?? valueAt(ids, groups.of(spelling));
    }),
    names,
    pins: [...record.pins, ...newPins].sort(byPin),
    newPins,
    conflicts,
  };
}

/** Sort order of pins in files and snapshots. */
function byPin(a: Pin, b: Pin): number {
  return compareTexts(a.executiveId, b.executiveId) || compareTexts(a.spelling, b.spelling);
}

/** Whether one filing prints the same year for both spellings, so that they are two people. */
function printedApart(one: Spelling, other: Spelling): boolean {
  const rows = new Set(other.observations.map(({ accession, fiscalYear }) => `${accession} ${fiscalYear}`));
  return one.observations.some(({ accession, fiscalYear }) => rows.has(`${accession} ${fiscalYear}`));
}

/** Links spellings with the same slug, unless suffixes or middle initials differ or one filing prints both for one year. */
function linkByName(groups: Groups): void {
  const bySlug = Map.groupBy(groups.spellings, ({ parts }) => parts.id);
  for (const [slug, alike] of bySlug) {
    if (slug === "") continue;
    alike.forEach((one, index) => {
      for (const other of alike.slice(index + 1)) {
        const [left, right] = [one.parts.suffix, other.parts.suffix];
        const suffixesDiffer = left !== undefined && right !== undefined && left !== right;
        if (!suffixesDiffer && !initialsDiffer(one.parts, other.parts)) groups.join(one, other);
      }
    });
  }
}

/** Whether both have middle initials without a letter in common, such as Michael J. and Michael R. */
function initialsDiffer({ initials: left }: NameParts, { initials: right }: NameParts): boolean {
  return left.length > 0 && right.length > 0 && !left.some((letter) => right.includes(letter));
}

/**
 * Links two spellings if two filings print the same executive-year with the same amounts, the surnames agree, and exactly
 * one person in each filing has these amounts. Rows of zeros link nothing.
 */
function linkByAmounts(groups: Groups): LinkConflict[] {
  // Nearly every total has one spelling only: comparing all amounts would take longer than all else here.
  const [spelled, several] = [new Map<number, Spelling>(), new Set<number>()];
  for (const spelling of groups.spellings) {
    for (const { amounts } of spelling.observations) {
      const total = amounts.total_compensation;
      if (spelled.getOrInsert(total, spelling) !== spelling) several.add(total);
    }
  }
  const byYear = new Map<string, { row: Observation; spelling: Spelling }[]>();
  for (const spelling of groups.spellings) {
    for (const row of spelling.observations) {
      if (!several.has(row.amounts.total_compensation)) continue;
      if (row.placeholder || AMOUNTS.every((field) => row.amounts[field] === 0)) continue;
      let key = String(row.fiscalYear);
      for (const field of AMOUNTS) key += `:${row.amounts[field]}`;
      byYear.getOrInsert(key, []).push({ row, spelling });
    }
  }
  const conflicts: LinkConflict[] = [];
  for (const same of byYear.values()) {
    const inFiling = Map.groupBy(same, ({ row }) => row.accession);
    if ([...inFiling.values()].some((rows) => rows.length > 1)) continue;
    for (const { spelling, row } of same) {
      for (const { spelling: other } of same) {
        if (spelling.name >= other.name || !surnamesAgree(spelling.parts, other.parts)) continue;
        if (groups.join(spelling, other) === "pinned apart") {
          conflicts.push({
            accession: row.accession,
            position: row.position,
            message: `"${spelling.name}" and "${other.name}" have the same amounts in ${row.fiscalYear} but are pinned as ${spelling.pinned} and ${other.pinned}`,
          });
        }
      }
    }
  }
  return conflicts;
}

/** Whether two names have one surname, or that of one has a further part: `Mary Jones` and `Mary Jones-Lee`. */
function surnamesAgree(one: NameParts, other: NameParts): boolean {
  if (one.surname === other.surname) return true;
  const [shorter, longer] = [one.id, other.id].sort((a, b) => a.length - b.length);
  return shorter?.includes("-") === true && longer?.startsWith(`${shorter}-`) === true;
}

/** One id for each person: the pinned one, otherwise from the first spelling, made unique by suffix, then by number. */
function assignIds(groups: Groups, pins: readonly Pin[]): Map<Spelling, string> {
  const taken = new Set(pins.map((pin) => pin.executiveId));
  const ids = new Map<Spelling, string>();
  const people = [...groups.all()];
  for (const [person, members] of people) {
    const pinned = members.find((spelling) => spelling.pinned !== undefined)?.pinned;
    if (pinned !== undefined) ids.set(person, pinned);
  }
  // Among people who are new at the same time, the one without a suffix gets the plain id.
  const plainFirst = ([, members]: [Spelling, Spelling[]]) =>
    members.some(({ parts }) => parts.suffix === undefined) ? 0 : 1;
  const waiting = people.filter(([person]) => !ids.has(person));
  for (const [person, members] of waiting.sort((a, b) => plainFirst(a) - plainFirst(b))) {
    const base = members[0]?.parts.id || "executive";
    const suffix = members.map(({ parts }) => parts.suffix).find((one) => one !== undefined);
    let id = base;
    if (taken.has(id) && suffix !== undefined) id = `${base}-${suffix}`;
    for (let next = 2; taken.has(id); next++) id = `${base}-${next}`;
    taken.add(id);
    ids.set(person, id);
  }
  return ids;
}

/** Spellings grouped into people. Spellings printed for the same year by one filing, or pinned to two ids, are never joined. */
class Groups {
  private readonly parent: Map<Spelling, Spelling>;

  constructor(readonly spellings: readonly Spelling[]) {
    const pinned = new Map<string, Spelling>();
    this.parent = new Map(
      spellings.map((one) => [one, one.pinned === undefined ? one : pinned.getOrInsert(one.pinned, one)]),
    );
  }

  /** The spelling that represents the person. */
  of(spelling: Spelling): Spelling {
    let at = spelling;
    for (let up = this.parent.get(at); up !== undefined && up !== at; up = this.parent.get(at)) at = up;
    return at;
  }

  join(one: Spelling, other: Spelling): "joined" | "printed apart" | "pinned apart" {
    const [left, right] = [this.of(one), this.of(other)];
    if (left === right) return "joined";
    const [leftMembers, rightMembers] = [this.members(left), this.members(right)];
    const pinned = new Set([...leftMembers, ...rightMembers].flatMap(({ pinned: id }) => id ?? []));
    if (pinned.size > 1) return "pinned apart";
    if (leftMembers.some((member) => rightMembers.some((guest) => printedApart(member, guest))))
      return "printed apart";
    this.parent.set(right, left);
    return "joined";
  }

  /** People in order of first appearance, and so are the spellings of each. */
  all(): Map<Spelling, Spelling[]> {
    return Map.groupBy(this.spellings, (spelling) => this.of(spelling));
  }

  private members(root: Spelling): Spelling[] {
    return this.spellings.filter((spelling) => this.of(spelling) === root);
  }
}
