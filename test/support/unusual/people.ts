/** Documents whose people have unusual names, titles or years. */
import { servedName } from "../layouts/names.ts";
import type { TruePerson, TrueYear } from "../layouts/truth.ts";
import {
  amounts,
  band,
  headers,
  money,
  nameOf,
  plain,
  rowsOf,
  scaled,
  table,
  TITLE,
  tr,
  whole,
  type Filing,
  type Made,
} from "./filing.ts";

const named = (filing: Filing, change: (person: TruePerson, at: number) => TruePerson): Made => {
  const people = filing.people.map(change);
  return { body: plain({ ...filing, people }), people };
};

/** Family names that are also words of a table, a company or an office. */
export function namesLikeWords(filing: Filing): Made {
  const words = filing.r.shuffle([
    "Bank",
    "Company",
    "Director",
    "Board",
    "Page",
    "Total",
    "Salary",
    "Bonus",
    "Price",
    "Chief",
    "Sum",
    "Trustee",
    "Consultant",
    "Officers",
    "Grant",
    "Stock",
    "May",
    "March",
    "King",
    "Banks",
    "Council",
    "Group",
    "Inc",
    "Notes",
    "Year",
  ]);
  return named(filing, (person, at) => ({ ...person, middle: "", family: words[at] ?? person.family }));
}

/** Given names that are also words of a table. */
export function givenLikeWords(filing: Filing): Made {
  const words = filing.r.shuffle([
    "Grant",
    "Bill",
    "Price",
    "April",
    "June",
    "Chase",
    "Sterling",
    "Penny",
    "Rich",
    "Cash",
    "Mark",
    "Royal",
    "Major",
    "General",
    "Page",
  ]);
  return named(filing, (person, at) => ({ ...person, given: words[at] ?? person.given }));
}

/** Father and son of the same name, distinguished by a suffix. */
export function fatherAndSon(filing: Filing): Made {
  const [first] = filing.people;
  const { r } = filing;
  const suffixes = r.pick([
    ["Sr.", "Jr."],
    ["", "Jr."],
    ["II", "III"],
    ["", "III"],
  ]);
  const people = filing.people.map((person, at) =>
    first === undefined || at > 1
      ? person
      : {
          ...person,
          given: first.given,
          middle: first.middle,
          family: first.family,
          suffix: suffixes[at] ?? "",
        },
  );
  const lines = people.flatMap((person) => rowsOf({ ...filing, people }, person).map((row) => tr(row)));
  // The distinguishing suffix is part of the second one's id.
  const told = people.map((person, at) =>
    at === 1 ? { ...person, family: `${person.family} ${person.suffix}` } : person,
  );
  return { body: TITLE + table(tr(headers(filing), "th"), ...lines), people: told };
}

/** Members of one family with the same initial. */
export function oneFamily(filing: Filing): Made {
  const given = ["Daniel", "David", "Donna", "Dora", "Dean", "Diane", "Dale"];
  return named(filing, (person, at) => ({
    ...person,
    given: given[at] ?? person.given,
    family: "Feldstein",
  }));
}

/** Titles that contain years, terms and amounts. */
export function yearsInTitle(filing: Filing): string {
  const { r, newest } = filing;
  const note = (): string =>
    r.pick([
      ` (since ${newest})`,
      ` (${newest - 3}–${newest})`,
      ` (until March ${newest})`,
      `, appointed ${newest - 1}`,
      ` through January 31, ${newest}`,
      ` (from 1/1/${newest} to 6/30/${newest})`,
      ` since FY${newest - 1}`,
      ` (age 55)`,
      ` – $1 salary`,
    ]);
  const people = filing.people.map((person) => ({ ...person, title: person.title + note() }));
  return plain({ ...filing, people });
}

/** The title first, the name below or after it. */
export function titleFirst(filing: Filing): string {
  const join = filing.r.pick(["<br>", ": ", " – "]);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr([at === 0 ? `${person.title}${join}${nameOf(person)}` : "", ...row.slice(1)]),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The name in a column after the year, and the position in the last. */
export function nameBehindYear(filing: Filing): string {
  const head = headers(filing);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr([
        row[1] ?? "",
        at === 0 || filing.r.chance(0.5) ? nameOf(person) : "",
        ...row.slice(2),
        at === 0 ? person.title : "",
      ]),
    ),
  );
  return TITLE + table(tr(["Year", "Name", ...head.slice(2), "Position"], "th"), ...rows);
}

/** The year in two rows: one for each of a person's roles, or one for a predecessor and one for a successor company. */
export function yearInTwoParts(filing: Filing): string {
  const { r, newest } = filing;
  const [one, two] = r.pick([
    [`${newest} (Successor)`, `${newest} (Predecessor)`],
    [`${newest} (as CEO)`, `${newest} (as CFO)`],
    [`April 1 – December 31, ${newest}`, `January 1 – March 31, ${newest}`],
    [`${newest}`, `${newest} (transition period)`],
    [`${newest} (9 mos.)`, `${newest} (3 mos.)`],
  ]) ?? ["", ""];
  const part = (year: TrueYear, share: number): string[] => {
    const parts = filing.columns.map((column) => scaled(year.amounts[column], share));
    const total = parts.reduce<number>((all, cents) => all + (cents ?? 0), 0);
    return [...parts.map((cents) => money(cents)), money(total)];
  };
  const rows = filing.people.flatMap((person) =>
    person.years.flatMap((year, at) => {
      const name = at === 0 ? `${nameOf(person)}<br>${person.title}` : "";
      if (year.year !== newest) return [tr([name, String(year.year), ...amounts(filing, year)])];
      return [tr([name, one, ...part(year, 0.75)]), tr(["", two, ...part(year, 0.25)])];
    }),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The predecessor company's table, below a title that names it, and the successor's. */
export function predecessorTable(filing: Filing): Made {
  const { r, newest } = filing;
  const older = filing.people.map((person) => ({
    ...person,
    years: person.years.filter(({ year }) => year < newest),
  }));
  const theirs = { ...filing, people: older.filter(({ years }) => years.length > 0) };
  const ours = filing.people
    .map((person) => ({ ...person, years: person.years.filter(({ year }) => year === newest) }))
    .filter(({ years }) => years.length > 0);
  const [first, second] = r.pick([
    ["Summary Compensation Table – Successor", "Summary Compensation Table – Predecessor"],
    ["Summary Compensation Table (Successor Company)", "Summary Compensation Table (Predecessor Company)"],
  ]) ?? ["", ""];
  const under = (words: string, one: Filing): string =>
    `<p><b>${words}</b></p>${table(tr(headers(one), "th"), ...whole(one))}`;
  return {
    body:
      under(first, { ...filing, people: ours }) +
      `<p>${"Before the acquisition we had no operations. ".repeat(4)}</p>` +
      under(second, theirs),
    people: filing.people,
  };
}

/** The table as originally filed and as corrected, in an amendment. */
export function correctedTable(filing: Filing): string {
  const old = filing.people.map((person) => ({
    ...person,
    years: person.years.map((year) => {
      const stock = scaled(year.amounts.salary, 0.9);
      return {
        ...year,
        amounts: { ...year.amounts, salary: stock },
        total: (year.total ?? 0) - (year.amounts.salary ?? 0) + (stock ?? 0),
      };
    }),
  }));
  const words = filing.r.pick([
    ["Summary Compensation Table (As Originally Filed)", "Summary Compensation Table (As Corrected)"],
    ["Original Summary Compensation Table", "Corrected Summary Compensation Table"],
    [
      "The table as originally filed read as follows:",
      "As corrected, the Summary Compensation Table reads as follows:",
    ],
  ]);
  const one = (title: string, people: readonly TruePerson[]): string =>
    `<p><b>${title}</b></p>${table(tr(headers(filing), "th"), ...whole({ ...filing, people }))}`;
  return `${one(words[0] ?? "", old)}<p>The table contained an error.</p>${one(words[1] ?? "", filing.people)}`;
}

/** A note inside the table that mentions amounts and years. */
export function notesBetweenRows(filing: Filing): string {
  const { r, newest } = filing;
  const width = headers(filing).length;
  const note = (): string =>
    r.pick([
      band(`(1) Includes $50,000 paid in ${newest - 1} and $1,200 for 401(k) contributions.`, width),
      tr([
        `(2) Served as interim until ${newest}; salary annualized at $900,000`,
        ...Array.from({ length: width - 1 }, () => ""),
      ]),
      tr(["* Prorated", String(newest), ...Array.from({ length: width - 2 }, () => "")]),
      band(`Mr. Example resigned in ${newest}.`, width),
    ]);
  const rows = filing.people.flatMap((person) => [
    ...rowsOf(filing, person).map((row) => tr(row)),
    r.chance(0.5) ? note() : "",
  ]);
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The table inside a layout table, each person's rows in their own table. */
export function nestedRows(filing: Filing): string {
  const blocks = filing.people.map((person) =>
    tr([table(tr(headers(filing), "th"), ...rowsOf(filing, person).map((row) => tr(row)))]),
  );
  return TITLE + table(...blocks);
}

/** Names with marks of death, age or sex. */
export function marksAroundNames(filing: Filing): string {
  const { r } = filing;
  const mark = (name: string): string =>
    r.pick([
      `†${name}`,
      `${name}†`,
      `${name} (deceased)`,
      `*${name}*`,
      `${name} #`,
      `• ${name}`,
      `1. ${name}`,
      `${name} [2]`,
      `“${name}”`,
    ]);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr([at === 0 ? `${mark(servedName(person, "plain"))}<br>${person.title}` : "", ...row.slice(1)]),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Dot leaders from names and titles to the amounts. */
export function leaderDots(filing: Filing): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row) =>
      tr([(row[0] ?? "").replace(/(?=<br>)|(?<=.)$/g, " . . . . . . ."), ...row.slice(1)]),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** A company that was paid for a person's services, in place of a name. */
export function companyAsPayee(filing: Filing): string {
  const name = filing.r.pick([
    "Ridgeline Advisors, Inc.",
    "Ridgeline Capital Partners LP",
    "Ridgeline, Ltd.",
  ]);
  return plain(
    filing,
    tr([
      `${name} (5)`,
      String(filing.newest),
      ...filing.columns.map((column) => (column === "salary" ? "120,000" : "—")),
      "120,000",
    ]),
  );
}
