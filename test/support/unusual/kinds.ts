/** Ways of setting the table that real filers have and that the layouts do not: each makes a whole document. */
import { printedName } from "../layouts/names.ts";
import type { TruePerson, TrueYear } from "../layouts/truth.ts";
import {
  amounts,
  band,
  documentOf,
  drawFiling,
  headers,
  money,
  nameOf,
  rowsOf,
  table,
  TITLE,
  tr,
  type Filing,
} from "./filing.ts";

/** A kind of document; the rows it should be read into are those of the filing. */
export type Kind = (filing: Filing) => string;

const whole = (filing: Filing): string[] =>
  filing.people.flatMap((person) => rowsOf(filing, person).map((row) => tr(row)));

const plain = (filing: Filing, ...more: string[]): string =>
  TITLE + table(tr(headers(filing), "th"), ...whole(filing), ...more);

const scaled = (cents: number | null, by: number): number | null =>
  cents === null ? null : Math.round((cents * by) / 100) * 100;

const withYears = (person: TruePerson, change: (year: TrueYear) => TrueYear): TruePerson => ({
  ...person,
  years: person.years.map(change),
});

/** Somebody else of another document, in the columns of this one. */
function others({ columns, newest, r }: Filing, seed: number): Filing {
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

const summed = (year: TrueYear, columns: Filing["columns"]): TrueYear => {
  const all = { ...year.amounts };
  let total = 0;
  // The keys of `amounts`.
  for (const field of Object.keys(all) as (keyof typeof all)[]) {
    if (!columns.includes(field)) all[field] = null;
    total += all[field] ?? 0;
  }
  return { year: year.year, amounts: all, total };
};

/** A column of another currency beside every column of amounts. */
function currencyPairs(filing: Filing): string {
  const { r } = filing;
  const rate = r.pick([1.35, 0.92, 7.78]);
  const sign = r.pick(["C$", "€", "HK$"]);
  const head = headers(filing).flatMap((text, at) =>
    at < 2 ? [text] : [text.replace("($)", "(US$)"), text.replace("($)", `(${sign})`)],
  );
  const rows = filing.people.flatMap((person) =>
    person.years.map((year, at) =>
      tr([
        at === 0 ? `${nameOf(person)}<br>${person.title}` : "",
        String(year.year),
        ...[...filing.columns.map((column) => year.amounts[column]), year.total].flatMap((cents) => [
          money(cents),
          money(scaled(cents, rate)),
        ]),
      ]),
    ),
  );
  return TITLE + table(tr(head, "th"), ...rows);
}

/** The total once more in another currency. */
function secondCurrencyTotal(filing: Filing): string {
  const { r } = filing;
  const sign = r.pick(["C$", "€", "HK$", "RMB"]);
  const first = r.chance(0.4);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) => {
      const other = money(scaled(person.years[at]?.total ?? null, 1.35));
      return tr(first ? [...row.slice(0, -1), other, row.at(-1) ?? ""] : [...row, other]);
    }),
  );
  const head = headers(filing);
  const second = `Total (${sign})`;
  return (
    TITLE +
    table(tr(first ? [...head.slice(0, -1), second, "Total (US$)"] : [...head, second], "th"), ...rows)
  );
}

/** The same table once more, translated for convenience. */
function convenienceTable(filing: Filing): string {
  const words = filing.r.pick([
    "Summary Compensation Table in Canadian Dollars",
    "For convenience, the following table shows the same compensation translated into Canadian dollars:",
    "The amounts above in Canadian dollars are as follows.",
  ]);
  const again = filing.people.map((person) =>
    withYears(person, (year) => ({
      year: year.year,
      amounts: Object.fromEntries(
        Object.entries(year.amounts).map(([field, cents]) => [field, scaled(cents, 1.35)]),
        // The keys of `amounts`.
      ) as TrueYear["amounts"],
      total: scaled(year.total, 1.35),
    })),
  );
  return `${plain(filing)}<p>${words}</p>${table(tr(headers(filing), "th"), ...whole({ ...filing, people: again }))}`;
}

/** Directors between two pages of the table, under the headers of the first. */
function directorsBetweenPages(filing: Filing): string {
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

/** The total of an earlier year with the one first reported beside it, in brackets. */
function restatedInBrackets(filing: Filing): string {
  const { r } = filing;
  const style = r.pick(["round", "square", "words", "below"]);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) => {
      if (at === 0) return tr(row);
      const old = money(scaled(person.years[at]?.total ?? null, 0.9));
      const total = row.at(-1) ?? "";
      const both = {
        round: `${total} (${old})`,
        square: `${total} [${old}]`,
        words: `${total} (previously ${old})`,
        below: `${total}<br>(${old})`,
      }[style];
      return tr([...row.slice(0, -1), both ?? ""]);
    }),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The year before printed twice: as reported first, and restated. */
function restatedRows(filing: Filing): string {
  const { r } = filing;
  const label = r.pick(["(restated)", "(as restated)", "Restated", "(1)", "*"]);
  const rows = filing.people.flatMap((person) => {
    const [first, second] = rowsOf(filing, person);
    if (first === undefined) return [];
    if (second === undefined) return [tr(first)];
    const old = person.years[1];
    const before = old === undefined ? [] : amounts(filing, old, (cents) => money(scaled(cents, 0.9)));
    return [
      tr(first),
      tr(["", `${second[1]} ${label}`, ...second.slice(2)]),
      tr(["", second[1] ?? "", ...before]),
      ...rowsOf(filing, person)
        .slice(2)
        .map((row) => tr(row)),
    ];
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** First names, family name and title on three rows, one beside each year. */
function nameOverThreeRows(filing: Filing): string {
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

/** Fiscal years of two calendar years, and other labels. */
function slashYears(filing: Filing): string {
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

/** Thousands parted by blanks, points or apostrophes. */
function otherSeparators(filing: Filing): string {
  const mark = filing.r.pick([" ", "&nbsp;", "&#8239;", "&thinsp;", "’", "'", ".", "&#183;"]);
  const print = (cents: number | null): string => money(cents).replaceAll(",", mark);
  const rows = filing.people.flatMap((person) => rowsOf(filing, person, print).map((row) => tr(row)));
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** A name's cell that should span the page break. */
function rowspanOverPages(filing: Filing): string {
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

/** A row for all officers together. */
function groupRow(filing: Filing): string {
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
  const made = {
    ...totals,
    amounts: all as TrueYear["amounts"],
    total: Object.values(all).reduce((a, b) => a + b, 0),
  };
  return plain(filing, tr([words, String(filing.newest), ...amounts(filing, made)]));
}

/** Directors in the same table, under a band. */
function directorsInTable(filing: Filing): string {
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

/** Beside what was paid, what was aimed at, in rows of their own. */
function targetRows(filing: Filing): string {
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

/** The tables of two companies that merge, both titled alike. */
function mergingCompanies(filing: Filing): string {
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

/** A table a person, each with its own header. */
function tableAPerson(filing: Filing): string {
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

/** A share of the total beside each amount. */
function shares(filing: Filing): string {
  const head = headers(filing).flatMap((text, at) =>
    at < 2 || text.startsWith("Total")
      ? [text]
      : [text, filing.r.pick(["%", "% of Total", "Percent of Total"])],
  );
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr(
        row.flatMap((text, index) => {
          const column = filing.columns[index - 2];
          if (column === undefined) return [text];
          const year = person.years[at];
          const share = Math.round((100 * (year?.amounts[column] ?? 0)) / (year?.total ?? 1));
          return [text, filing.r.chance(0.5) ? `${share}%` : String(share)];
        }),
      ),
    ),
  );
  return TITLE + table(tr(head, "th"), ...rows);
}

/** A dash over two empty columns. */
function dashOverColumns(filing: Filing): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row) => {
      let html = "";
      for (let at = 0; at < row.length; at++) {
        if (row[at] === "—" && row[at + 1] === "—") {
          html += '<td colspan="2">—</td>';
          at++;
        } else html += `<td>${row[at]}</td>`;
      }
      return `<tr>${html}</tr>`;
    }),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** A second page with a header that leaves out what is empty on it. */
function fewerColumnsOnPage(filing: Filing): string {
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

/** The columns in two tables, one under the other. */
function columnsInTwoTables(filing: Filing): string {
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
function officeBands(filing: Filing): string {
  const rows = filing.people.flatMap((person) => [
    band(person.title, headers(filing).length),
    ...rowsOf(filing, person).map((row, at) => tr([at === 0 ? nameOf(person) : "", ...row.slice(1)])),
  ]);
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Years as bands with the people below. */
function yearBands(filing: Filing): string {
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

/** Two marks of notes and a currency sign in cells of their own, in some rows only. */
function looseMarks(filing: Filing): string {
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

/** Capitals, family name first, a title behind a dash. */
function familyNameFirst(filing: Filing): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr([at === 0 ? `${printedName(person, "surname-first")}<br>${person.title}` : "", ...row.slice(1)]),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Some columns in thousands, the others in dollars. */
function mixedUnits(filing: Filing): string {
  const thousands = new Set(["stock_awards", "option_awards"]);
  const head = headers(filing).map((text) =>
    /^(?:Stock|Option)/.test(text) ? text.replace("($)", "($000)") : text,
  );
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr(
        row.map((text, index) => {
          const column = filing.columns[index - 2];
          const cents = column === undefined ? null : (person.years[at]?.amounts[column] ?? null);
          return column !== undefined && thousands.has(column) && cents !== null
            ? Math.round(cents / 100_000).toLocaleString("en-US")
            : text;
        }),
      ),
    ),
  );
  return TITLE + table(tr(head, "th"), ...rows);
}

/** A line a person with the sum of the years, and one with the change. */
function personTotals(filing: Filing): string {
  const { r } = filing;
  const label = r.pick([
    "Total",
    "3-Year Total",
    "Three-Year Average",
    "Average",
    "% Change",
    "Cumulative",
    "2-yr avg.",
  ]);
  const where = r.pick(["name", "year"]);
  const rows = filing.people.flatMap((person) => {
    const sum = { ...person, years: person.years } as const;
    const all = filing.columns.map((column) =>
      sum.years.reduce((total, year) => total + (year.amounts[column] ?? 0), 0),
    );
    const cells = [...all, all.reduce((one, other) => one + other, 0)].map((cents) => money(cents));
    return [
      ...rowsOf(filing, person).map((row) => tr(row)),
      tr([where === "name" ? label : "", where === "name" ? "" : label, ...cells]),
    ];
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Two years side by side under one header each. */
function yearsSideBySide(filing: Filing): string {
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

/** The table of the pay ratio and the median employee's row at its end. */
function medianEmployee(filing: Filing): string {
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

/** Everybody's rows again in the same table, in thousands, under a band. */
function againUnderBand(filing: Filing): string {
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

/** Officers of a subsidiary under a band of the same table. */
function subsidiaryBand(filing: Filing): string {
  const words = filing.r.pick([
    "Lakeside Gas Company (Subsidiary)",
    "Officers of Our Subsidiaries",
    "Subsidiary Officers",
    "Officers of Lakeside Bank",
    "Lakeside Gas and Electric Company",
  ]);
  return plain(filing, band(words, headers(filing).length), ...whole(others(filing, 5)));
}

/** Every kind, by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  currencyPairs,
  secondCurrencyTotal,
  convenienceTable,
  directorsBetweenPages,
  restatedInBrackets,
  restatedRows,
  nameOverThreeRows,
  slashYears,
  otherSeparators,
  rowspanOverPages,
  groupRow,
  directorsInTable,
  targetRows,
  mergingCompanies,
  tableAPerson,
  shares,
  dashOverColumns,
  fewerColumnsOnPage,
  columnsInTwoTables,
  officeBands,
  yearBands,
  looseMarks,
  familyNameFirst,
  mixedUnits,
  personTotals,
  yearsSideBySide,
  medianEmployee,
  againUnderBand,
  subsidiaryBand,
};

/** The document of a kind. */
export function unusual(kind: Kind, seed: number): { text: string; filing: Filing } {
  const filing = drawFiling(seed);
  return { text: documentOf(kind(filing)), filing };
}
