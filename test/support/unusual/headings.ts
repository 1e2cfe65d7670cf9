/**
 * Documents with other tables of the same columns that only their headings distinguish, and with rows that belong to
 * no person.
 */
import {
  amounts,
  headers,
  money,
  others,
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

/** A table below a heading, or a sentence, before or after the true one. */
function beside(filing: Filing, words: string, other: Filing): string {
  const heading = /[.:]$/.test(words) ? `<p>${words}</p>` : `<p align="center"><b>${words}</b></p>`;
  const theirs = `${heading}\n${table(tr(headers(other), "th"), ...whole(other))}`;
  if (filing.r.chance(0.5)) return plain(filing) + theirs;
  return `${theirs}<p>The compensation of the named executive officers follows.</p>${plain(filing)}`;
}

/** The same people's pay by another measure. */
export function otherViews(filing: Filing): string {
  const words = filing.r.pick([
    "Alternate Summary Compensation Table",
    "Summary Compensation Table Excluding One-Time Awards",
    "Summary Compensation Table – Cash Basis",
    "Supplement to Summary Compensation Table",
    "Take-Home Pay",
    "Compensation at Target",
    "Constant Currency Compensation",
    "Total Compensation Earned and Realized",
    "How the Committee Looks at Pay",
    "Summary of Compensation Decisions",
    "W-2 Compensation",
    "Summary Compensation Table Prepared on a Grant-Year Basis",
    "The table below presents the same compensation but reflects equity awards in the year to which they relate.",
    "The following supplemental table presents compensation on an annualized basis:",
    "Compensation Paid by the Predecessor",
    "Portion of Compensation Paid by Affiliates",
    "Amounts Allocated to the Partnership",
  ]);
  const half = filing.people.map((person) =>
    withYears(person, ({ year, amounts: of, total }) => {
      const all = { ...of };
      // The keys of `amounts`.
      for (const field of Object.keys(all) as (keyof typeof all)[]) all[field] = scaled(all[field], 0.5);
      return summed({ year, amounts: all, total }, filing.columns);
    }),
  );
  return beside(filing, words, { ...filing, people: half });
}

/** Other people's pay. */
export function otherPeople(filing: Filing): string {
  const words = filing.r.pick([
    "Summary Compensation Table of Granite Power Company",
    "Summary Compensation Table (Granite Bank, N.A.)",
    "Compensation of Executive Officers of Target",
    "Executive Compensation of Newco",
    "Director Summary Compensation Table",
    "Summary Compensation Table – Directors",
    "Non-Management Directors’ Summary Compensation Table",
    "Compensation of Key Management of Subsidiaries",
    "Five Highest Paid Employees",
    "Promoters’ Compensation",
    "Compensation of Our Advisor’s Executives",
    "Officers Who Are Not Named Executive Officers",
    "Peer Chief Executive Compensation",
    "Management Board of Our German Subsidiary",
  ]);
  return beside(filing, words, others(filing, 31));
}

/** Only directors, below the exact title. */
export function directorTitleAlone(filing: Filing): Made {
  const words = filing.r.pick([
    "Director Summary Compensation Table",
    "Directors’ Summary Compensation Table",
    "Summary Compensation Table for Non-Employee Directors",
  ]);
  const people = filing.people.map((person) => ({ ...person, title: "Director" }));
  const rows = whole({ ...filing, people });
  return { body: `<p><b>${words}</b></p>${table(tr(headers(filing), "th"), ...rows)}`, people: [] };
}

/** Rows after the last person with the sums or means of all. */
export function rowsOfNobody(filing: Filing): string {
  const { r, people, columns, newest } = filing;
  const label = r.pick([
    "Grand Total",
    "Total NEOs",
    "All NEOs",
    "NEO Average",
    "Median",
    "Other employees",
    "Less: reimbursed by affiliate",
    "Percentage change",
    "Peer Group Median",
    "Management Team",
    "Key Management Personnel",
    "Budget",
  ]);
  const paid = people.flatMap(({ years }) => years);
  const cells = [
    ...columns.map((column) => money(paid.reduce((all, year) => all + (year.amounts[column] ?? 0), 0))),
    money(paid.reduce((all, { total }) => all + (total ?? 0), 0)),
  ];
  return plain(filing, tr([label, String(newest), ...cells]), tr(["", String(newest - 1), ...cells]));
}

/** Headings over groups of columns that are not columns themselves. */
export function wideGroups(filing: Filing): string {
  const head = headers(filing);
  const inner = head.slice(2, -1);
  const cut = filing.r.int(1, inner.length);
  const [one, two] = filing.r.pick([
    ["Non-Equity Compensation", "Equity and Other"],
    ["Cash", "Equity"],
    ["Annual Compensation", "Long-Term Compensation"],
    ["Fixed", "Variable"],
    ["Paid", "Stock"],
    ["Short-Term", "Options"],
  ]) ?? ["", ""];
  const group = (words: string, count: number): string =>
    count === 0 ? "" : `<th colspan="${count}">${words}</th>`;
  const top = `<tr><th rowspan="2">${head[0]}</th><th rowspan="2">Year</th>${group(one, cut)}${group(two, inner.length - cut)}<th rowspan="2">${head.at(-1)}</th></tr>`;
  return TITLE + table(top, tr(inner, "th"), ...whole(filing));
}

/** Another column before the names. */
export function columnBeforeNames(filing: Filing): string {
  const [header, text] = filing.r.pick([
    ["Registrant", "Parent"],
    ["No.", "One"],
    ["Employer", "Lakeside Power"],
    ["Segment", "Retail"],
  ]) ?? ["", ""];
  const rows = filing.people.flatMap((person) =>
    person.years.map((year, at) =>
      tr([text, rowsOf(filing, person)[at]?.[0] ?? "", String(year.year), ...amounts(filing, year)]),
    ),
  );
  return TITLE + table(tr([header, ...headers(filing)], "th"), ...rows);
}
