/** A small filing as plain cells, from which each kind of unusual document is made. */
import { random, type Random } from "../layouts/random.ts";
import { servedId, servedName } from "../layouts/names.ts";
import { PRINTED_COMPONENTS, type PrintedComponent } from "../../../src/domain/row-fields.ts";
import { drawTruth, sumOf, type TruePerson, type TrueYear } from "../layouts/truth.ts";
import type { TrueRow } from "../disturbances/sample.ts";

/** The people, years and columns of one document. */
export interface Filing {
  readonly people: readonly TruePerson[];
  readonly columns: readonly PrintedComponent[];
  readonly newest: number;
  readonly r: Random;
}

const CAPTIONS: Readonly<Record<PrintedComponent, string>> = {
  salary: "Salary ($)",
  bonus: "Bonus ($)",
  stock_awards: "Stock Awards ($)",
  option_awards: "Option Awards ($)",
  non_equity_incentive: "Non-Equity Incentive Plan Compensation ($)",
  pension_change: "Change in Pension Value ($)",
  other_comp: "All Other Compensation ($)",
};

/** Generates people who are paid in every printed year, at least two of them. */
export function drawFiling(seed: number): Filing {
  for (let at = 0; ; at++) {
    const r = random(seed * 7919 + at);
    const truth = drawTruth(r, r.chance(0.6) ? "large" : "small", 100, false);
    const people = truth.people
      .map((person) => ({
        ...person,
        // `Mary Ann` on a line of its own looks like a whole name.
        given: person.given.replace(" ", ""),
        suffix: "",
        years: person.years.filter((year) => year.total !== null && year.total > 0),
      }))
      .filter((person) => person.years.length > 0);
    if (people.length >= 2) return { people, columns: truth.columns, newest: truth.newest, r };
  }
}

/** The printed name of a person. */
export const nameOf = (person: TruePerson): string => servedName(person, "plain");

/** An amount in cents as printed in dollars; a dash for none. */
export function money(cents: number | null): string {
  if (cents === null) return "—";
  const text = Math.abs(cents / 100).toLocaleString("en-US");
  return cents < 0 ? `(${text})` : text;
}

/** The column headers, name and year first. */
export function headers({ columns }: Pick<Filing, "columns">): string[] {
  return ["Name and Principal Position", "Year", ...columns.map((column) => CAPTIONS[column]), "Total ($)"];
}

/** The amounts of a year in the order of the columns, the total last. */
export function amounts(
  { columns }: Pick<Filing, "columns">,
  year: TrueYear,
  print: (cents: number | null) => string = money,
): string[] {
  return [...columns.map((column) => print(year.amounts[column])), print(year.total)];
}

/** The rows of a person: name and title next to the first year. */
export function rowsOf(filing: Filing, person: TruePerson, print = money): string[][] {
  return person.years.map((year, at) => [
    at === 0 ? `${nameOf(person)}<br>${person.title}` : "",
    String(year.year),
    ...amounts(filing, year, print),
  ]);
}

/** A table row. */
export const tr = (cells: readonly string[], tag = "td"): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;

/** A row with one cell across the whole width. */
export const band = (words: string, width: number): string =>
  `<tr><td colspan="${width}"><b>${words}</b></td></tr>`;

/** A table of rows under a header. */
export const table = (...rows: readonly string[]): string => `<table>${rows.join("\n")}</table>`;

/** The title of the true table. */
export const TITLE = "<p><b>Summary Compensation Table</b></p>\n";

/** A whole document around a body. */
export const documentOf = (body: string): string =>
  `<html><body><p>DEFINITIVE PROXY STATEMENT</p>\n<p><b>Executive Compensation</b></p>\n${body}\n<p>The accompanying notes are part of this table.</p></body></html>`;

/** The expected reading of a document, offices left open. */
export function truthOf(people: readonly TruePerson[]): TrueRow[] {
  return people.flatMap((person) =>
    person.years.map((year) => ({
      executive_id: servedId(person),
      fiscal_year: year.year,
      amounts: {
        ...Object.fromEntries(PRINTED_COMPONENTS.map((field) => [field, year.amounts[field] ?? 0])),
        unknown_component: 0,
        total_compensation: sumOf(year),
      },
      is_peo: null,
      is_pfo: null,
    })),
  );
}

/** A body with the people whose rows are expected, if they are not those of the filing. */
export interface Made {
  readonly body: string;
  readonly people: readonly TruePerson[];
}

/** A kind of document. */
export type Kind = (filing: Filing) => string | Made;

/** Everyone's rows. */
export const whole = (filing: Filing): string[] =>
  filing.people.flatMap((person) => rowsOf(filing, person).map((row) => tr(row)));

/** The normal table, with additional rows at the end. */
export const plain = (filing: Filing, ...more: string[]): string =>
  TITLE + table(tr(headers(filing), "th"), ...whole(filing), ...more);

/** An amount times a factor, in whole units. */
export const scaled = (cents: number | null, by: number): number | null =>
  cents === null ? null : Math.round((cents * by) / 100) * 100;

/** The filing with every amount rounded to thousands of dollars. */
export function inThousands(filing: Filing): Filing {
  const rounded = (cents: number | null): number | null =>
    cents === null ? null : Math.round(cents / 100_000) * 100_000;
  const people = filing.people.map((person) =>
    withYears(person, ({ year, amounts: of, total }) => {
      const all = { ...of };
      // The keys of `amounts`.
      for (const field of Object.keys(all) as (keyof typeof all)[]) all[field] = rounded(all[field]);
      return summed({ year, amounts: all, total }, filing.columns);
    }),
  );
  return { ...filing, people };
}

/** A person with every year changed. */
export const withYears = (person: TruePerson, change: (year: TrueYear) => TrueYear): TruePerson => ({
  ...person,
  years: person.years.map(change),
});

/** A person from another document, in the columns of this one. */
export function others({ columns, newest, r }: Filing, seed: number): Filing {
  const { people } = drawFiling(seed + 40_000 + r.int(0, 9999));
  const moved = people.map((person) => ({
    ...person,
    family: `${person.family}son`,
    years: person.years.map((year, at) => ({ ...year, year: newest - at })),
  }));
  return {
    columns,
    newest,
    r,
    people: moved.map((person) => withYears(person, (year) => summed(year, columns))),
  };
}

/** A year with only some columns, and their sum as its total. */
export const summed = (year: TrueYear, columns: Filing["columns"]): TrueYear => {
  const all = { ...year.amounts };
  let total = 0;
  // The keys of `amounts`.
  for (const field of Object.keys(all) as (keyof typeof all)[]) {
    if (!columns.includes(field)) all[field] = null;
    total += all[field] ?? 0;
  }
  return { year: year.year, amounts: all, total };
};
