/** Documents that lay out the rows in other ways. */
import { printedName } from "../layouts/names.ts";
import type { TruePerson } from "../layouts/truth.ts";
import {
  TITLE,
  amounts,
  band,
  headers,
  money,
  nameOf,
  plain,
  rowsOf,
  table,
  tr,
  whole,
  type Filing,
} from "./filing.ts";

/** Given names, family name and title on three rows, one next to each year. */
export function nameOverThreeRows(filing: Filing): string {
  const rows = filing.people.flatMap((person) => {
    const lines = [
      [person.given, person.middle].filter((part) => part !== "").join(" "),
      person.family,
      person.title,
    ];
    const count = Math.max(3, person.years.length);
    return Array.from({ length: count }, (_, at) => {
      const year = person.years[at];
      return tr([
        lines[at] ?? "",
        ...(year === undefined
          ? headers(filing)
              .slice(1)
              .map(() => "")
          : [String(year.year), ...amounts(filing, year)]),
      ]);
    });
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Fiscal years labeled with two calendar years, and other labels. */
export function slashYears(filing: Filing): string {
  const { r } = filing;
  const make = r.pick([
    (year: number) => `FY ${year - 1}/${year % 100}`,
    (year: number) => `FY${year - 1}/${year}`,
    (year: number) => `F${year}`,
    (year: number) => `Fiscal Year ${year}`,
    (year: number) => `FYE ${year}`,
    (year: number) => `FYE 6/30/${String(year % 100).padStart(2, "0")}`,
    (year: number) => `FY ’${String(year % 100).padStart(2, "0")}`,
    (year: number) => `FY ${year} (Jul–Jun)`,
    (year: number) => `Year ${year}`,
    (year: number) => `${year - 1}/${year}`,
    (year: number) => `As of ${year}`,
    (year: number) => `${year}A`,
  ]);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr([row[0] ?? "", make(person.years[at]?.year ?? 0), ...row.slice(2)]),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** A name cell that should span the page break. */
export function rowspanOverPages(filing: Filing): string {
  const { r, people } = filing;
  const cut = r.int(0, people.length - 1);
  const withSpan = (person: TruePerson): string[] =>
    rowsOf(filing, person).map((row, index) => {
      if (index > 0) return tr(row.slice(1));
      const span = `<td rowspan="${person.years.length}">${row[0]}</td>`;
      return tr(row.slice(1)).replace("<tr>", `<tr>${span}`);
    });
  const lines = people.flatMap((person, at) => withSpan(person).map((html) => ({ html, at })));
  const first = lines.findIndex((line) => line.at === cut) + 1;
  const head = tr(headers(filing), "th");
  const again = r.chance(0.6);
  return (
    TITLE +
    table(head, ...lines.slice(0, first).map((line) => line.html)) +
    "<p>12</p><hr>" +
    table(...(again ? [head] : []), ...lines.slice(first).map((line) => line.html))
  );
}

/** One table per person, each with its own header. */
export function tableAPerson(filing: Filing): string {
  const head = tr(headers(filing), "th");
  return (
    TITLE +
    filing.people
      .map(
        (person) =>
          `${table(head, ...rowsOf(filing, person).map((row) => tr(row)))}${filing.r.pick(["", "<p>&nbsp;</p>", "<hr>"])}`,
      )
      .join("\n")
  );
}

/** A second page whose header omits the columns that are empty on it. */
export function fewerColumnsOnPage(filing: Filing): string {
  const { people, r } = filing;
  const cut = Math.ceil(people.length / 2);
  const second = people.slice(cut);
  const used = filing.columns.filter((column) =>
    second.some((person) => person.years.some((year) => year.amounts[column] !== null)),
  );
  const page = { ...filing, people: second, columns: used.length > 0 ? used : filing.columns };
  return (
    plain({ ...filing, people: people.slice(0, cut) }) +
    `<p>${r.int(10, 90)}</p><hr><p>Summary Compensation Table (continued)</p>` +
    table(tr(headers(page), "th"), ...whole(page))
  );
}

/** The columns in two tables, one below the other. */
export function columnsInTwoTables(filing: Filing): string {
  const at = 2 + Math.ceil(filing.columns.length / 2);
  const pick = (from: number, to?: number): string =>
    table(
      tr([...headers(filing).slice(0, 2), ...headers(filing).slice(from, to)], "th"),
      ...filing.people.flatMap((person) =>
        rowsOf(filing, person).map((row) => tr([...row.slice(0, 2), ...row.slice(from, to)])),
      ),
    );
  return `${TITLE}${pick(2, at)}<p>Summary Compensation Table (continued)</p>${pick(at)}`;
}

/** The office as a band above each person. */
export function officeBands(filing: Filing): string {
  const rows = filing.people.flatMap((person) => [
    band(person.title, headers(filing).length),
    ...rowsOf(filing, person).map((row, at) => tr([at === 0 ? nameOf(person) : "", ...row.slice(1)])),
  ]);
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Years as bands with the people below. */
export function yearBands(filing: Filing): string {
  const years = [...new Set(filing.people.flatMap((person) => person.years.map(({ year }) => year)))].sort(
    (a, b) => b - a,
  );
  const rows = years.flatMap((year) => [
    band(
      filing.r.pick([`Fiscal ${year}`, String(year), `Year Ended December 31, ${year}`]),
      headers(filing).length,
    ),
    ...filing.people.flatMap((person) =>
      person.years
        .filter((one) => one.year === year)
        .map((one) => tr([`${nameOf(person)}, ${person.title}`, String(year), ...amounts(filing, one)])),
    ),
  ]);
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Two footnote markers and a currency sign in their own cells, in some rows only. */
export function looseMarks(filing: Filing): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map(
      (row) =>
        `<tr>${row
          .map((text, at) => {
            const own = at > 1 && filing.r.chance(0.3);
            return at < 2
              ? `<td>${text}</td>`
              : own
                ? `<td>$</td><td>${text}</td><td>(${filing.r.int(1, 9)})</td>`
                : `<td></td><td>${text}</td><td></td>`;
          })
          .join("")}</tr>`,
    ),
  );
  const head = `<tr>${headers(filing)
    .map((text, at) => `<th${at > 1 ? ' colspan="3"' : ""}>${text}</th>`)
    .join("")}</tr>`;
  return TITLE + table(head, ...rows);
}

/** Capitals, family name first, a title after a dash. */
export function familyNameFirst(filing: Filing): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr([at === 0 ? `${printedName(person, "surname-first")}<br>${person.title}` : "", ...row.slice(1)]),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Two years side by side below one header each. */
export function yearsSideBySide(filing: Filing): string {
  const { newest } = filing;
  const head = `<tr><th rowspan="2">Name</th><th colspan="2">Salary ($)</th><th colspan="2">All Other Compensation ($)</th><th colspan="2">Total ($)</th></tr>`;
  const years = tr([newest, newest - 1, newest, newest - 1, newest, newest - 1].map(String), "th");
  const rows = filing.people.map((person) => {
    const of = (at: number): (string | null)[] => {
      const year = person.years[at];
      return year === undefined
        ? ["—", "—", "—"]
        : [
            money(year.amounts.salary),
            money((year.total ?? 0) - (year.amounts.salary ?? 0)),
            money(year.total),
          ];
    };
    const [one, two] = [of(0), of(1)];
    return tr([
      `${nameOf(person)}, ${person.title}`,
      ...[0, 1, 2].flatMap((at) => [one[at] ?? "", two[at] ?? ""]),
    ]);
  });
  return TITLE + table(head, years, ...rows);
}

/** The age or years of service in the name cell. */
export function agesInNames(filing: Filing): string {
  const { r } = filing;
  const style = r.pick(["comma", "brackets", "since", "line"]);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) => {
      const age = r.int(40, 68);
      const name = {
        comma: `${nameOf(person)}, ${age}<br>${person.title}`,
        brackets: `${nameOf(person)} (${age})<br>${person.title}`,
        since: `${nameOf(person)}<br>${person.title} since ${filing.newest - 6}`,
        line: `${nameOf(person)}<br>Age ${age}<br>${person.title}`,
      }[style];
      return tr([at === 0 ? (name ?? "") : "", ...row.slice(1)]);
    }),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The year first, in a cell that spans the rows of all people. */
export function yearOverPeople(filing: Filing): string {
  const years = [...new Set(filing.people.flatMap((person) => person.years.map(({ year }) => year)))].sort(
    (a, b) => b - a,
  );
  const head = headers(filing);
  const rows = years.flatMap((year) => {
    const paid = filing.people.flatMap((person) =>
      person.years.filter((one) => one.year === year).map((one) => ({ person, one })),
    );
    return paid.map(({ person, one }, at) =>
      tr([`${nameOf(person)}<br>${person.title}`, ...amounts(filing, one)]).replace(
        "<tr>",
        at === 0 ? `<tr><td rowspan="${paid.length}">${year}</td>` : "<tr>",
      ),
    );
  });
  return TITLE + table(tr([head[1] ?? "", head[0] ?? "", ...head.slice(2)], "th"), ...rows);
}

/** Two officers named in one cell. */
export function sharedCell(filing: Filing): string {
  const [first, second, ...rest] = filing.people;
  if (first === undefined || second === undefined) return plain(filing);
  const names = filing.r.pick([
    `${nameOf(first)} and ${nameOf(second)}`,
    `${nameOf(first)} / ${nameOf(second)}`,
    `${nameOf(first)} &amp; ${nameOf(second)}`,
    `${nameOf(first)}<br>${nameOf(second)}`,
  ]);
  const joint = rowsOf(filing, first).map((row, at) => tr([at === 0 ? names : "", ...row.slice(1)]));
  return (
    TITLE +
    table(
      tr(headers(filing), "th"),
      ...joint,
      ...rest.flatMap((person) => rowsOf(filing, person).map((row) => tr(row))),
    )
  );
}

/** The name repeated next to each year, with another title in earlier years, and sometimes a suffix or honorific. */
export function namesRepeatedOtherwise(filing: Filing): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) => {
      const first = nameOf(person).split(" ")[0] ?? "";
      const name = [nameOf(person), `${first} ${person.family}`, `Mr. ${person.family}`][filing.r.int(0, 2)];
      return tr([
        at === 0 ? (row[0] ?? "") : `${name}<br>${at === 1 ? "Former Vice President" : person.title}`,
        ...row.slice(1),
      ]);
    }),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Rows in varying order: years descending for one person, ascending for the next. */
export function mixedOrder(filing: Filing): string {
  const rows = filing.people.flatMap((person) => {
    const years = filing.r.chance(0.5) ? person.years : person.years.toReversed();
    return rowsOf(filing, { ...person, years }).map((row) => tr(row));
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The name alone, its rows below without a name cell, a blank row between people. */
export function nameAboveRows(filing: Filing): string {
  const width = headers(filing).length;
  const rows = filing.people.flatMap((person) => [
    tr([`${nameOf(person)}, ${person.title}`, ...Array.from({ length: width - 1 }, () => "")]),
    ...rowsOf(filing, person).map((row) => tr(["&nbsp;", ...row.slice(1)])),
    tr(Array.from({ length: width }, () => "&nbsp;")),
  ]);
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The name next to the last year of each person, at the bottom of the block. */
export function nameBesideLastYear(filing: Filing): string {
  const rows = filing.people.flatMap((person) => {
    const own = rowsOf(filing, person);
    return own.map((row, at) => tr([at === own.length - 1 ? (own[0]?.[0] ?? "") : "", ...row.slice(1)]));
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Two people per row, each below their own headers. */
export function twoPeopleInARow(filing: Filing): string {
  const head = headers(filing);
  const blank = head.map(() => "");
  const pairs = filing.people.flatMap((person, at) =>
    at % 2 === 0 ? [[person, filing.people[at + 1]] as const] : [],
  );
  const rows = pairs.flatMap(([left, right]) => {
    const [one, other] = [rowsOf(filing, left), right === undefined ? [] : rowsOf(filing, right)];
    const longest = Math.max(one.length, other.length);
    return Array.from({ length: longest }, (_, at) => tr([...(one[at] ?? blank), ...(other[at] ?? blank)]));
  });
  return TITLE + table(tr([...head, ...head], "th"), ...rows);
}
