/** Documents whose rows are not plain fiscal years, or whose tables are not all meant to be seen. */
import type { TruePerson } from "../layouts/truth.ts";
import {
  amounts,
  headers,
  money,
  nameOf,
  plain,
  rowsOf,
  scaled,
  summed,
  table,
  TITLE,
  tr,
  whole,
  withYears,
  type Filing,
  type Made,
} from "./filing.ts";

/** Everyone's rows, each year with its own lines. */
function lines(filing: Filing, make: (person: TruePerson, at: number) => string[][]): string {
  const rows = filing.people.flatMap((person) =>
    person.years.flatMap((_, at) =>
      make(person, at).map((row, line) =>
        tr([at === 0 && line === 0 ? `${nameOf(person)}<br>${person.title}` : "", ...row]),
      ),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

const share = ({ columns }: Filing, person: TruePerson, at: number, part: number): string[] => {
  const year = person.years[at];
  if (year === undefined) return [];
  const all = columns.map((column) => scaled(year.amounts[column], part));
  return [
    ...all.map((cents) => money(cents)),
    money(all.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)),
  ];
};

/** One row per quarter or half-year. */
export function partsOfYears(filing: Filing): string {
  const labels = filing.r.pick([
    (year: number) => [`Q4 ${year}`, `Q3 ${year}`, `Q2 ${year}`, `Q1 ${year}`],
    (year: number) => [`H2 ${year}`, `H1 ${year}`],
    (year: number) => [`Six months ended December 31, ${year}`, `Six months ended June 30, ${year}`],
    (year: number) => [`4Q${year}`, `3Q${year}`],
    (year: number) => [`Dec ${year}`, `Nov ${year}`],
  ]);
  return lines(filing, (person, at) =>
    labels(person.years[at]?.year ?? 0).map((label) => [label, ...share(filing, person, at, 0.25)]),
  );
}

/** A future year above the others. */
export function projectedYears(filing: Filing): string {
  const label = filing.r.pick([
    "(projected)",
    "(estimated)",
    "E",
    "(budget)",
    "(target)",
    "(annualized)",
    "(expected)",
    "YTD",
    "(to date)",
  ]);
  const next = filing.newest + 1;
  const body = lines(filing, (person, at) => {
    const year = person.years[at];
    const own = year === undefined ? [] : [[String(year.year), ...amounts(filing, year)]];
    return at === 0 && year?.year === filing.newest
      ? [[`${next} ${label}`, ...share(filing, person, at, 1.2)], ...own]
      : own;
  });
  return body;
}

/** One row for each paying company, and none for both. */
export function twoPayers(filing: Filing): string {
  const [one, two] = filing.r.pick([
    ["Parent", "Bank"],
    ["paid by us", "paid by Lakeside"],
    ["Company", "Subsidiary"],
  ]) ?? ["", ""];
  return lines(filing, (person, at) => {
    const year = person.years[at]?.year ?? 0;
    return [
      [`${year} (${one})`, ...share(filing, person, at, 0.6)],
      [`${year} (${two})`, ...share(filing, person, at, 0.4)],
    ];
  });
}

/** Two lines per year: a second grant below the first one. */
export function twoLinesAYear(filing: Filing): string {
  return lines(filing, (person, at) => {
    const year = person.years[at];
    if (year === undefined) return [];
    const stock = year.amounts.stock_awards;
    if (stock === null || stock < 10_000) return [[String(year.year), ...amounts(filing, year)]];
    const first = scaled(stock, 0.6);
    const row = amounts(filing, { ...year, amounts: { ...year.amounts, stock_awards: first } });
    const below = filing.columns.map((column) =>
      column === "stock_awards" ? money(stock - (first ?? 0)) : "",
    );
    return [
      [String(year.year), ...row],
      ["", ...below, ""],
    ];
  });
}

/** Words after the amounts that change their meaning. */
export function wordsBehindAmounts(filing: Filing): string {
  const { r } = filing;
  const words = r.pick([
    " per month",
    "/month",
    " shares",
    " p.a.",
    " (annualized)",
    " est.",
    " units",
    " per year",
    " RSUs",
    " options",
  ]);
  const at = r.int(0, filing.columns.length - 1);
  return lines(filing, (person, index) => {
    const year = person.years[index];
    if (year === undefined) return [];
    const row = amounts(filing, year);
    return [
      [
        String(year.year),
        ...row.map((text, column) => (column === at && text !== "—" ? text + words : text)),
      ],
    ];
  });
}

/** One table per year, each with its title. */
export function tableAYear(filing: Filing): string {
  const years = [...new Set(filing.people.flatMap((person) => person.years.map(({ year }) => year)))].sort(
    (a, b) => b - a,
  );
  const one = (year: number): string => {
    const people = filing.people
      .map((person) => ({ ...person, years: person.years.filter((own) => own.year === year) }))
      .filter((person) => person.years.length > 0);
    return `<p><b>${year} Summary Compensation Table</b></p>${table(tr(headers(filing), "th"), ...whole({ ...filing, people }))}`;
  };
  return (filing.r.chance(0.5) ? years : years.toReversed()).map(one).join("<p>&nbsp;</p>");
}

/** The same people with other amounts, for hidden tables. */
function draft(filing: Filing): string {
  const people = filing.people.map((person) =>
    withYears(person, (year) =>
      summed(
        { ...year, amounts: { ...year.amounts, salary: scaled(year.amounts.salary, 0.9) } },
        filing.columns,
      ),
    ),
  );
  return plain({ ...filing, people });
}

/** A hidden draft of the table. */
export function unseenDraft(filing: Filing): string {
  const [open, close] = filing.r.pick([
    ["<!-- ", " -->"],
    ['<div style="display:none">', "</div>"],
    ["<template>", "</template>"],
    ['<div style="visibility: hidden">', "</div>"],
    ["<div hidden>", "</div>"],
    ["<script type='text/html'>", "</script>"],
    ['<textarea style="display:none">', "</textarea>"],
    ['<section style="display:none;">', "</section>"],
  ]) ?? ["", ""];
  return `${open}${draft(filing)}${close}${plain(filing)}`;
}

/** An amendment that shows the old table crossed out and the new one underlined. */
export function crossedOutTable(filing: Filing): string {
  const [open, close] = filing.r.pick([
    ["<s>", "</s>"],
    ["<del>", "</del>"],
    ["<strike>", "</strike>"],
    ['<div style="text-decoration:line-through">', "</div>"],
  ]) ?? ["", ""];
  const cells = filing.r.chance(0.5);
  const old = cells
    ? draft(filing).replace(/(<t[dh]>)(.*?)(<\/t[dh]>)/gs, `$1${open}$2${close}$3`)
    : `${open}${draft(filing)}${close}`;
  return `${old}<u>${plain(filing)}</u>`;
}

/** Amounts that look like years, without separators. */
export function amountsLikeYears(filing: Filing): Made {
  const people = filing.people.map((person) =>
    withYears(person, (year) => {
      const few = { ...year.amounts, salary: filing.r.int(1990, 2030) * 100 };
      if (few.other_comp !== null) few.other_comp = filing.r.int(2000, 2025) * 100;
      return summed({ ...year, amounts: few }, filing.columns);
    }),
  );
  const print = (cents: number | null): string => (cents === null ? "—" : String(cents / 100));
  const own = { ...filing, people };
  const rows = people.flatMap((person) => rowsOf(own, person, print).map((row) => tr(row)));
  return { body: TITLE + table(tr(headers(own), "th"), ...rows), people };
}

/** The header repeated above each person. */
export function headerEachPerson(filing: Filing): string {
  const head = tr(headers(filing), "th");
  return (
    TITLE +
    table(...filing.people.flatMap((person) => [head, ...rowsOf(filing, person).map((row) => tr(row))]))
  );
}

/** Abbreviated year labels. */
export function shortYears(filing: Filing): string {
  const make = filing.r.pick([
    (year: number) => `’${String(year % 100).padStart(2, "0")}`,
    (year: number) => `'${String(year % 100).padStart(2, "0")}`,
    (year: number) => `FY${String(year % 100).padStart(2, "0")}`,
    (year: number) => `12/${String(year % 100).padStart(2, "0")}`,
    (year: number) => `Dec. ${year}`,
    (year: number) => `12-31-${String(year % 100).padStart(2, "0")}`,
    (year: number) => `${year}.`,
    (year: number) => `${String(year).slice(0, 2)} ${String(year).slice(2)}`,
  ]);
  return lines(filing, (person, at) => {
    const year = person.years[at];
    return year === undefined ? [] : [[make(year.year), ...amounts(filing, year)]];
  });
}

/** A vacant office with its budgeted pay. */
export function vacantOffice(filing: Filing): string {
  const words = filing.r.pick([
    "Vacant",
    "To be hired",
    "Open Position",
    "[Name to be determined]",
    "TBD",
    "N/A",
  ]);
  const row = tr([
    `${words}<br>Chief Operating Officer`,
    String(filing.newest),
    ...filing.columns.map((column) => (column === "salary" ? "250,000" : "—")),
    "250,000",
  ]);
  return plain(filing, row);
}

/** Shares of a total instead of amounts. */
export function percentages(filing: Filing): Made {
  const body = lines(filing, (person, at) => {
    const year = person.years[at];
    if (year === undefined) return [];
    const all = filing.columns.map((column) =>
      Math.round((100 * (year.amounts[column] ?? 0)) / (year.total ?? 1)),
    );
    const sum = all.reduce((one, other) => one + other, 0);
    const sign = filing.r.pick(["%", ""]);
    return [[String(year.year), ...all.map((value) => `${value}${sign}`), `${sum}${sign}`]];
  });
  return { body: body.replaceAll(" ($)", " (%)"), people: [] };
}

/** Amounts for part of the next year, or planned ones, below a label that ends with its year. */
export function otherPeriods(filing: Filing): string {
  const next = filing.newest + 1;
  const label = filing.r.pick([
    `YTD ${next}`,
    `Target ${next}`,
    `Budget ${next}`,
    `Contract ${next}`,
    `${next} YTD`,
    `Pro Forma ${next}`,
  ]);
  const rows = filing.people.flatMap((person) => [
    tr([
      `${nameOf(person)}<br>${person.title}`,
      label,
      ...filing.columns.map((column) => (column === "salary" ? "50,000" : "—")),
      "50,000",
    ]),
    ...rowsOf(filing, person).map((row) => tr(["", ...row.slice(1)])),
  ]);
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}
