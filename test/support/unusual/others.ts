/** Documents in which the table is next to rows of other people, or of several together. */
import type { TrueYear } from "../layouts/truth.ts";
import {
  TITLE,
  amounts,
  band,
  headers,
  money,
  others,
  plain,
  rowsOf,
  scaled,
  summed,
  table,
  tr,
  whole,
  withYears,
  type Filing,
} from "./filing.ts";

/** Directors between two pages of the table, below the headers of the first. */
export function directorsBetweenPages(filing: Filing): string {
  const { r, people } = filing;
  const directors = { ...others(filing, 1) };
  const theirs = directors.people.slice(0, 3).map((person) => ({
    ...person,
    title: r.pick(["Director", "Lead Director", "Chair of the Audit Committee"]),
  }));
  const headed = r.chance(0.5);
  const words = r.pick(["Director Compensation", "Compensation of Our Directors", "Non-Employee Directors"]);
  const rows = whole({ ...directors, people: theirs });
  const middle = headed
    ? `<p><b>${words}</b></p>${table(tr(headers(filing), "th"), ...rows)}`
    : table(band(words, headers(filing).length), ...rows);
  const cut = Math.ceil(people.length / 2);
  return (
    plain({ ...filing, people: people.slice(0, cut) }) +
    `<p>34</p><hr>${middle}<p>35</p><hr><p>Summary Compensation Table (continued)</p>` +
    table(
      ...(r.chance(0.5) ? [tr(headers(filing), "th")] : []),
      ...whole({ ...filing, people: people.slice(cut) }),
    )
  );
}

/** A row for all officers as a group. */
export function groupRow(filing: Filing): string {
  const words = filing.r.pick([
    `All executive officers as a group (${filing.people.length} persons)`,
    "All Executive Officers as a Group",
    "Executive Group",
    "Total for Named Executive Officers",
    "Other Executive Officers",
    "Average of Other NEOs",
    "Total Officers",
    "Grand Total",
    "Company Total",
    "All Other Officers",
    "Total Compensation",
  ]);
  const totals = { year: filing.newest, amounts: {}, total: 0 } as unknown as TrueYear;
  const all: Record<string, number> = {};
  for (const person of filing.people)
    for (const year of person.years.filter((one) => one.year === filing.newest))
      for (const [field, cents] of Object.entries(year.amounts))
        all[field] = (all[field] ?? 0) + (cents ?? 0);
  const year = {
    ...totals,
    amounts: all as TrueYear["amounts"],
    total: Object.values(all).reduce((a, b) => a + b, 0),
  };
  return plain(filing, tr([words, String(filing.newest), ...amounts(filing, year)]));
}

/** Directors in the same table, below a band. */
export function directorsInTable(filing: Filing): string {
  const { r } = filing;
  const words = r.pick([
    "Non-Employee Directors",
    "Directors",
    "Non-Executive Directors:",
    "Director Compensation",
    "Former Directors",
  ]);
  const title = r.pick(["Director", "Independent Director", "Non-Executive Chairman of the Board", ""]);
  const theirs = {
    ...filing,
    people: others(filing, 2)
      .people.slice(0, 2)
      .map((person) => ({ ...person, title })),
  };
  return plain(filing, band(words, headers(filing).length), ...whole(theirs));
}

/** Target pay in its own rows, next to actual pay. */
export function targetRows(filing: Filing): string {
  const words = filing.r.pick([
    "Target Pay",
    "At Target",
    "Target Opportunity",
    "Annualized Amounts",
    "Realized Value",
    "2x Multiple",
    "Pro Forma",
  ]);
  const where = filing.r.pick(["name", "year"]);
  const rows = filing.people.flatMap((person) => {
    const lines = rowsOf(filing, person);
    const [newest] = person.years;
    const extra =
      newest === undefined
        ? []
        : [
            tr([
              where === "name" ? words : "",
              where === "name" ? String(newest.year) : `${newest.year} ${words}`,
              ...amounts(filing, newest, (cents) => money(scaled(cents, 1.2))),
            ]),
          ];
    return [...lines.map((row) => tr(row)), ...extra];
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The tables of two merging companies, with the same title. */
export function mergingCompanies(filing: Filing): string {
  const { r } = filing;
  const theirs = others(filing, 3);
  const columns: Filing["columns"] = r.pick([
    filing.columns,
    filing.columns.filter((column) => column !== "stock_awards" && column !== "option_awards"),
    [...new Set([...filing.columns, "stock_awards", "non_equity_incentive", "pension_change"] as const)],
  ]);
  const other = {
    ...theirs,
    columns,
    people: theirs.people.map((person) => withYears(person, (year) => summed(year, columns))),
  };
  const words = r.pick([
    "<p><b>Executive Compensation of Lakeside</b></p>",
    "<p>LAKESIDE EXECUTIVE COMPENSATION</p>",
    "<p>Information about Lakeside Gas Company</p>",
  ]);
  const filler = `<p>${"The merger agreement contains customary terms. ".repeat(r.int(5, 60))}</p>`;
  const both = [plain(filing) + filler, words + filler + plain(other) + filler];
  return (r.chance(0.5) ? both : both.toReversed()).join("\n");
}

/** A row for the median employee or the pay ratio at the end of the table. */
export function medianEmployee(filing: Filing): string {
  const words = filing.r.pick([
    "Median Employee",
    "Median of All Employees",
    "Median Annual Compensation",
    "All Employees (Median)",
    "CEO Pay Ratio",
  ]);
  const amount = filing.columns.map((column) => money(column === "salary" ? 6_000_000 : null));
  return plain(filing, tr([words, String(filing.newest), ...amount, money(6_000_000)]));
}

/** Everyone's rows again in the same table, with doubled salaries, below a band that names another view of pay. */
export function againUnderBand(filing: Filing): string {
  const words = filing.r.pick([
    "Supplemental View: Realized Compensation",
    "Target Compensation",
    "Pro Forma",
    "Compensation Excluding Special Awards",
    "Realizable Pay",
  ]);
  const again = filing.people.map((person) =>
    withYears(person, (year) => ({
      ...year,
      amounts: { ...year.amounts, salary: scaled(year.amounts.salary, 2) },
      total: (year.total ?? 0) + (year.amounts.salary ?? 0),
    })),
  );
  return plain(filing, band(words, headers(filing).length), ...whole({ ...filing, people: again }));
}

/** Officers of a subsidiary below a band of the same table. */
export function subsidiaryBand(filing: Filing): string {
  const words = filing.r.pick([
    "Lakeside Gas Company (Subsidiary)",
    "Officers of Our Subsidiaries",
    "Subsidiary Officers",
    "Officers of Lakeside Bank",
    "Lakeside Gas and Electric Company",
  ]);
  return plain(filing, band(words, headers(filing).length), ...whole(others(filing, 5)));
}

/** Directors below their own header, with fees instead of salaries. */
export function directorHeaderInTable(filing: Filing): string {
  const theirs = {
    ...filing,
    people: others(filing, 7).people.map((person) => ({ ...person, title: filing.r.pick(["Director", ""]) })),
  };
  const fees = filing.r.pick([
    "Fees Earned or Paid in Cash ($)",
    "Retainer ($)",
    "Director Fees ($)",
    "Salary ($)",
  ]);
  const head = headers(filing)
    .map((text) => (text === "Salary ($)" ? fees : text))
    .with(0, "Name of Director");
  const blank = filing.r.pick(["", "<tr><td>&nbsp;</td></tr>"]);
  return plain(filing, blank, tr(head, "th"), ...whole(theirs));
}

/** Groups of officers whose rows all belong to the table. */
export function groupBands(filing: Filing): string {
  const { people, r } = filing;
  const words = r.pick([
    "Former Officers",
    "Executive Directors",
    "Other Named Executive Officers",
    "Current Executive Officers",
    "Interim Officers",
    "Former Named Executive Officer",
  ]);
  const rows = (from: number, to?: number): string[] =>
    people.slice(from, to).flatMap((person) => rowsOf(filing, person).map((row) => tr(row)));
  return (
    TITLE + table(tr(headers(filing), "th"), ...rows(0, 1), band(words, headers(filing).length), ...rows(1))
  );
}

/** The parent company's officers in the same document, their table below a title that names the parent. */
export function parentCompany(filing: Filing): string {
  const { r } = filing;
  const theirs = plain(others(filing, 11)).replace(
    "Summary Compensation Table",
    r.pick([
      "Summary Compensation Table – Lakeside Holdings",
      "Lakeside Holdings Summary Compensation Table",
    ]),
  );
  const gap = `<p>${"The parent company provides services to us. ".repeat(r.int(2, 30))}</p>`;
  return (r.chance(0.5) ? [plain(filing), gap, theirs] : [theirs, gap, plain(filing)]).join("\n");
}

/** A page number and a directors' table that repeats the headers, without a heading in between. */
export function directorsOnNextPage(filing: Filing): string {
  const theirs = {
    ...filing,
    people: others(filing, 12).people.map((person) => ({ ...person, title: "Director" })),
  };
  return `${plain(filing)}<p>41</p><hr>${table(tr(headers(filing), "th"), ...whole(theirs))}`;
}

/** A footnote below the table that contains a small table of the same shape about one officer's former employer. */
export function tableInNotes(filing: Filing): string {
  const [theirs] = others(filing, 13).people;
  const rows = theirs === undefined ? [] : rowsOf(filing, theirs).map((row) => tr(row));
  const words = filing.r.pick([
    "<p>(1) The following table shows what our former parent paid:</p>",
    "<p>(2) Amounts paid by Lakeside Gas Company before the spin-off were as follows:</p>",
    "<p>(a) See the table below for consultants.</p>",
  ]);
  return `${plain(filing)}${words}${table(tr(headers(filing), "th"), ...rows)}`;
}
