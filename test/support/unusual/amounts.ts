/** Documents whose amounts are printed in unusual ways, twice, or next to others. */
import type { TrueYear } from "../layouts/truth.ts";
import {
  TITLE,
  amounts,
  headers,
  money,
  nameOf,
  plain,
  rowsOf,
  scaled,
  table,
  tr,
  whole,
  withYears,
  type Filing,
} from "./filing.ts";

/** A column in another currency next to every column of amounts. */
export function currencyPairs(filing: Filing): string {
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

/** The total again in another currency. */
export function secondCurrencyTotal(filing: Filing): string {
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

/** The same table again, in a convenience translation. */
export function convenienceTable(filing: Filing): string {
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

/** An earlier year's total with the originally reported one next to it, in brackets. */
export function restatedInBrackets(filing: Filing): string {
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

/** The prior year printed twice: as originally reported, and restated. */
export function restatedRows(filing: Filing): string {
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

/** Thousands separated by spaces, points or apostrophes. */
export function otherSeparators(filing: Filing): string {
  const mark = filing.r.pick([" ", "&nbsp;", "&#8239;", "&thinsp;", "’", "'", ".", "&#183;"]);
  const print = (cents: number | null): string => money(cents).replaceAll(",", mark);
  const rows = filing.people.flatMap((person) => rowsOf(filing, person, print).map((row) => tr(row)));
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Each amount followed by its share of the total. */
export function shares(filing: Filing): string {
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

/** A dash that spans two empty columns. */
export function dashOverColumns(filing: Filing): string {
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

/** Some columns in thousands, the others in dollars. */
export function mixedUnits(filing: Filing): string {
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

/** A line per person with the sum of the years, and one with the change. */
export function personTotals(filing: Filing): string {
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

/** Abbreviated amounts: `450K`, `1.2M`. */
export function cutShort(filing: Filing): string {
  const k = filing.r.chance(0.5);
  const print = (cents: number | null): string =>
    cents === null ? "—" : k ? `${Math.round(cents / 100_000)}K` : `${(cents / 100_000_000).toFixed(1)}M`;
  return (
    TITLE +
    table(
      tr(headers(filing), "th"),
      ...filing.people.flatMap((person) => rowsOf(filing, person, print).map((row) => tr(row))),
    )
  );
}

/** Points as thousands separators and a comma before the cents. */
export function europeanDecimals(filing: Filing): string {
  const cents = filing.r.pick([",00", ",-"]);
  const print = (amount: number | null): string =>
    amount === null
      ? "—"
      : money(amount)
          .replaceAll(",", ".")
          .replace(/(?=\)?$)/, cents);
  return (
    TITLE +
    table(
      tr(headers(filing), "th"),
      ...filing.people.flatMap((person) => rowsOf(filing, person, print).map((row) => tr(row))),
    )
  );
}

/** The prior year's total, or the change from it, in its own column. */
export function priorTotalColumn(filing: Filing): string {
  const { r } = filing;
  const label = r.pick([
    "Prior Year Total ($)",
    "Total for Prior Year ($)",
    "Change from Prior Year (%)",
    "Total Last Year",
    "Total Realized ($)",
    "Total (Prior Method) ($)",
  ]);
  const before = r.chance(0.4);
  const insert = (row: string[], text: string): string[] =>
    before ? [...row.slice(0, -1), text, row.at(-1) ?? ""] : [...row, text];
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr(
        insert(row, label.includes("%") ? String(r.int(1, 30)) : money(person.years[at + 1]?.total ?? null)),
      ),
    ),
  );
  return TITLE + table(tr(insert(headers(filing), label), "th"), ...rows);
}

/** The salary rate next to what was paid. */
export function salaryRate(filing: Filing): string {
  const label = filing.r.pick([
    "Annual Salary Rate ($)",
    "Base Salary ($)",
    "Target Bonus ($)",
    "Annualized Salary ($)",
  ]);
  const insert = (row: string[], text: string): string[] => [...row.slice(0, 2), text, ...row.slice(2)];
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) =>
      tr(insert(row, money(scaled(person.years[at]?.amounts.salary ?? null, 1.1)))),
    ),
  );
  return TITLE + table(tr(insert(headers(filing), label), "th"), ...rows);
}

/** A cell is missing, so that all cells after it are one column too far left. */
export function missingCell(filing: Filing): string {
  const rows = filing.people.flatMap((person, index) =>
    rowsOf(filing, person).map((row) => {
      const dash = row.indexOf("—");
      return tr(index % 2 === 0 && dash > 1 ? row.toSpliced(dash, 1) : row);
    }),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** Footnote markers between the digits and the year, attached or raised, in every cell. */
export function marksEverywhere(filing: Filing): string {
  const { r } = filing;
  const mark = (): string =>
    r.pick(["<sup>1</sup>", "<sup>(2)</sup>", "(3)", " (4)", "*", "†", "<sup>a,b</sup>", "&nbsp;(5)"]);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row) =>
      tr(row.map((text, at) => (text === "" || (at === 0 && r.chance(0.5)) ? text : text + mark()))),
    ),
  );
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}

/** The amount in two currencies, in words, in one cell. */
export function twoCurrenciesInCell(filing: Filing): string {
  const join = filing.r.pick([" / ", "<br>", " ("]);
  const print = (cents: number | null): string =>
    cents === null
      ? "—"
      : `US$${money(cents)}${join}C$${money(scaled(cents, 1.35))}${join === " (" ? ")" : ""}`;
  return (
    TITLE +
    table(
      tr(headers(filing), "th"),
      ...filing.people.flatMap((person) => rowsOf(filing, person, print).map((row) => tr(row))),
    )
  );
}

/** The header's last cell does not say just "Total". */
export function otherTotal(filing: Filing): string {
  const label = filing.r.pick([
    "Total Compensation Earned",
    "Aggregate",
    "Sum",
    "All Compensation",
    "Total (a)–(h)",
    "Total Value",
    "TOTAL COMP.",
  ]);
  return TITLE + table(tr([...headers(filing).slice(0, -1), label], "th"), ...whole(filing));
}
