import {
  BOTH_TITLES,
  COMPANIES,
  FAMILY,
  FORMER_TITLES,
  GIVEN,
  OTHER_TITLES,
  PEO_TITLES,
  PFO_TITLES,
} from "./lexicon.ts";
import { PRINTED_COMPONENTS, type PrintedComponent } from "../../../src/domain/row-fields.ts";
import type { Random } from "./random.ts";

/** The truth about one executive-year: cents, `null` where the filer prints a dash or nothing. */
export interface TrueYear {
  readonly year: number;
  readonly amounts: Readonly<Record<PrintedComponent, number | null>>;
  /** The printed total in cents, which may differ from the sum by the filer's slip; null if dashed. */
  readonly total: number | null;
}

/** One executive with the printed years, newest first. */
export interface TruePerson {
  readonly given: string;
  readonly middle: string;
  readonly family: string;
  readonly suffix: string;
  readonly title: string;
  readonly isPeo: boolean;
  readonly isPfo: boolean;
  readonly former: boolean;
  readonly years: readonly TrueYear[];
}

/** The content of a filing, before it is laid out. */
export interface Truth {
  readonly company: string;
  /** Columns that the filer prints; the others are omitted because they are empty for everyone. */
  readonly columns: readonly PrintedComponent[];
  readonly newest: number;
  readonly people: readonly TruePerson[];
}

/** The kind of filer: determines the size of amounts and how many officers and years are printed. */
export type Scale = "large" | "small" | "shell";

/** The sum of the components in cents; dashes count as zero. */
export function sumOf(year: TrueYear): number {
  return PRINTED_COMPONENTS.reduce((sum, field) => sum + (year.amounts[field] ?? 0), 0);
}

/** Generates a filing's truth; `unit` is the smallest printed step in cents (100 for dollars, 100000 for thousands). */
export function drawTruth(r: Random, scale: Scale, unit: number, slip: boolean): Truth {
  // The table of Item 402(c) starts with 2006: the oldest of three printed years is not before it.
  const newest = r.int(2008, 2025);
  const columns = drawColumns(r, scale);
  const count = scale === "large" ? r.int(3, 7) : scale === "small" ? r.int(2, 4) : r.int(1, 2);
  const span = scale === "large" ? 3 : 2;
  const both = scale !== "large" && r.chance(count === 1 ? 0.8 : 0.15);
  const people = drawNames(r, count).map((name, at) => {
    const office = drawOffice(r, at, both, count);
    const start = office.former && r.chance(0.35) && span > 1 ? newest - 1 : newest;
    const depth = r.chance(0.7) ? span : r.int(1, span);
    const oldest = Math.max(start - depth + 1, newest - span + 1);
    const years: TrueYear[] = [];
    for (let year = start; year >= oldest; year--) years.push(drawYear(r, year, columns, scale, unit));
    return { ...name, ...office, years: dashed(r, years, office.isPeo) };
  });
  const twin = people.at(-1);
  // Officers with identical pay to the cent are real: three of Apple's in 2024.
  if (people.length > 3 && twin !== undefined && r.chance(0.05))
    people[people.length - 1] = { ...twin, years: people[2]?.years ?? twin.years };
  return { company: r.pick(COMPANIES), columns, newest, people: slip ? slipped(r, people, unit) : people };
}

function drawColumns(r: Random, scale: Scale): PrintedComponent[] {
  const keep: Record<Scale, Record<PrintedComponent, number>> = {
    large: {
      salary: 1,
      bonus: 0.7,
      stock_awards: 0.97,
      option_awards: 0.6,
      non_equity_incentive: 0.85,
      pension_change: 0.5,
      other_comp: 1,
    },
    small: {
      salary: 1,
      bonus: 0.8,
      stock_awards: 0.6,
      option_awards: 0.75,
      non_equity_incentive: 0.35,
      pension_change: 0.2,
      other_comp: 0.95,
    },
    shell: {
      salary: 1,
      bonus: 0.9,
      stock_awards: 0.9,
      option_awards: 0.8,
      non_equity_incentive: 0.6,
      pension_change: 0.5,
      other_comp: 0.95,
    },
  };
  return PRINTED_COMPONENTS.filter((field) => r.chance(keep[scale][field]));
}

function drawNames(r: Random, count: number): Pick<TruePerson, "given" | "middle" | "family" | "suffix">[] {
  const given = r.shuffle(GIVEN);
  const family = r.shuffle(FAMILY);
  return Array.from({ length: count }, (_, at) => ({
    given: given[at] ?? "Alex",
    middle: r.chance(0.55) ? `${r.pick(["A", "B", "C", "D", "J", "L", "M", "R", "T"])}.` : "",
    family: family[at] ?? "Example",
    suffix: r.chance(0.08) ? r.pick(["Jr.", "III", "Sr.", "II"]) : "",
  }));
}

function drawOffice(
  r: Random,
  at: number,
  both: boolean,
  count: number,
): Pick<TruePerson, "title" | "isPeo" | "isPfo" | "former"> {
  if (at === 0) {
    return both
      ? { title: r.pick(BOTH_TITLES), isPeo: true, isPfo: true, former: false }
      : { title: r.pick(PEO_TITLES), isPeo: true, isPfo: false, former: false };
  }
  if (at === 1 && !both) return { title: r.pick(PFO_TITLES), isPeo: false, isPfo: true, former: false };
  if (at >= 3 && at === count - 1 && r.chance(0.5))
    return { title: r.pick(FORMER_TITLES), isPeo: false, isPfo: false, former: true };
  return { title: r.pick(OTHER_TITLES), isPeo: false, isPfo: false, former: false };
}

function drawYear(
  r: Random,
  year: number,
  columns: readonly PrintedComponent[],
  scale: Scale,
  unit: number,
): TrueYear {
  const top: Record<Scale, Record<PrintedComponent, number>> = {
    large: {
      salary: 2_000_000,
      bonus: 3_000_000,
      stock_awards: 20_000_000,
      option_awards: 8_000_000,
      non_equity_incentive: 6_000_000,
      pension_change: 2_000_000,
      other_comp: 900_000,
    },
    small: {
      salary: 450_000,
      bonus: 150_000,
      stock_awards: 900_000,
      option_awards: 600_000,
      non_equity_incentive: 200_000,
      pension_change: 20_000,
      other_comp: 60_000,
    },
    shell: {
      salary: 90_000,
      bonus: 9_000,
      stock_awards: 50_000,
      option_awards: 9_000,
      non_equity_incentive: 900,
      pension_change: 900,
      other_comp: 9_000,
    },
  };
  const fill: Record<PrintedComponent, number> = {
    salary: scale === "shell" ? 0.5 : 0.97,
    bonus: 0.4,
    stock_awards: 0.85,
    option_awards: 0.6,
    non_equity_incentive: 0.8,
    pension_change: 0.6,
    other_comp: 0.9,
  };
  const amounts = Object.fromEntries(
    PRINTED_COMPONENTS.map((field) => {
      if (!columns.includes(field) || !r.chance(scale === "shell" && field !== "salary" ? 0.1 : fill[field]))
        return [field, null];
      if (field === "salary" && unit === 100 && r.chance(0.02)) return [field, 100];
      const units = Math.max(
        1,
        Math.floor(r.int(Math.floor(top[scale][field] / 40), top[scale][field]) / (unit / 100)),
      );
      const negative = field === "pension_change" && r.chance(0.06);
      return [field, (negative ? -1 : 1) * units * unit];
    }),
    // Every key of PRINTED_COMPONENTS is set by the map above.
  ) as Record<PrintedComponent, number | null>;
  const bare = { year, amounts, total: null };
  const empty = PRINTED_COMPONENTS.every((field) => amounts[field] === null);
  return { ...bare, total: empty ? null : sumOf(bare) };
}

/** Sometimes a person's oldest year is only dashes: a placeholder, or the true zeros of a principal officer. */
function dashed(r: Random, years: TrueYear[], isPeo: boolean): TrueYear[] {
  const oldest = years.at(-1);
  if (oldest === undefined || years.length < 2 || !r.chance(isPeo ? 0.02 : 0.03)) return years;
  const none = Object.fromEntries(PRINTED_COMPONENTS.map((field) => [field, null]));
  // Every key of PRINTED_COMPONENTS is set by the line above.
  return [...years.slice(0, -1), { year: oldest.year, amounts: none as TrueYear["amounts"], total: null }];
}

/** Puts one arithmetic slip of the filer's into the totals. */
function slipped(r: Random, people: TruePerson[], unit: number): TruePerson[] {
  const at = r.int(0, people.length - 1);
  return people.map((person, index) => {
    if (index !== at) return person;
    const row = r.int(0, person.years.length - 1);
    const off = unit * r.pick([1, -1, 10, 1000, -100]);
    return {
      ...person,
      years: person.years.map((year, y) =>
        y === row && year.total !== null && year.total + off > 0
          ? { ...year, total: year.total + off }
          : year,
      ),
    };
  });
}
