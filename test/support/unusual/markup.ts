/** Documents whose markup a browser forgives or hides, and rows that do not show whose or of which year they are. */
import type { TruePerson } from "../layouts/truth.ts";
import {
  amounts,
  headers,
  nameOf,
  others,
  plain,
  rowsOf,
  table,
  TITLE,
  tr,
  whole,
  type Filing,
} from "./filing.ts";

const lines = (filing: Filing, change: (row: string[], at: number, person: TruePerson) => string[]): string =>
  TITLE +
  table(
    tr(headers(filing), "th"),
    ...filing.people.flatMap((person) =>
      rowsOf(filing, person).map((row, at) => tr(change(row, at, person))),
    ),
  );

/** A name cell that spans more rows than its group has. */
export function spansOverGroups(filing: Filing): string {
  const span = filing.r.pick([0, 9, 40]);
  const groups = filing.people.map((person) => {
    const rows = rowsOf(filing, person).map((row, at) =>
      at === 0
        ? tr(row.slice(1)).replace("<tr>", `<tr><td rowspan="${span}">${row[0]}</td>`)
        : tr(row.slice(1)),
    );
    return `<tbody>${rows.join("")}</tbody>`;
  });
  return `${TITLE}<table><thead>${tr(headers(filing), "th")}</thead>${groups.join("")}</table>`;
}

/** Hidden rows of another person. */
export function hiddenPeople(filing: Filing): string {
  const hide = filing.r.pick([
    "<tr hidden>",
    '<tr style="display:none">',
    '<tr style="visibility:collapse">',
    '<tr style="mso-hide:all">',
  ]);
  const theirs = whole(others(filing, 32)).map((row) => row.replace("<tr>", hide));
  return plain(filing, ...theirs);
}

/** The table again with other amounts, for browsers that no longer exist. */
export function copyForOthers(filing: Filing): string {
  const copy = plain(others(filing, 33));
  return (
    filing.r.pick([`<noscript>${copy}</noscript>`, `<template>${copy}</template>`, `<!-- ${copy} -->`]) +
    plain(filing)
  );
}

/** Names in small capitals. */
export function smallCapitals(filing: Filing): string {
  const small = (name: string): string =>
    name.replace(
      /(\p{Lu})(\p{Ll}+)/gu,
      (_, first: string, rest: string) =>
        `<font style="font-size:10pt">${first}</font><font style="font-size:7pt">${rest.toUpperCase()}</font>`,
    );
  return lines(filing, (row, at, person) =>
    row.with(0, at === 0 ? `${small(nameOf(person))}<br>${person.title}` : ""),
  );
}

/** The break between name and title is lost. */
export function gluedTitles(filing: Filing): string {
  const people = filing.people.map((person, at) => ({
    ...person,
    title: ["Chief Executive Officer", "Chief Financial Officer"][at] ?? "Vice President",
  }));
  return lines({ ...filing, people }, (row, at, person) =>
    row.with(0, at === 0 ? `${nameOf(person)}${person.title}` : ""),
  );
}

/** Given and family names in separate columns. */
export function namesApart(filing: Filing): string {
  const first = filing.r.chance(0.5);
  const head = headers(filing).slice(1);
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row, at) => {
      const given = [person.given, person.middle].filter((part) => part !== "").join(" ");
      const names = first ? [given, person.family] : [person.family, given];
      return tr([...(at === 0 ? [...names, person.title] : ["", "", ""]), ...row.slice(1)]);
    }),
  );
  const names = first ? ["First Name", "Last Name"] : ["Last Name", "First Name"];
  return TITLE + table(tr([...names, "Title", ...head], "th"), ...rows);
}

/** A year that is missing, or appears only in the first row of the table. */
export function missingYears(filing: Filing): string {
  const { r } = filing;
  const mark = r.pick(["", "&nbsp;", "”", "same"]);
  const only = r.int(0, filing.people.length - 1);
  return lines(filing, (row, at, person) =>
    filing.people[only] === person && at === person.years.length - 1 ? row.with(1, mark) : row,
  );
}

/** Amounts preceded by a mark that makes them something else. */
export function marksBeforeAmounts(filing: Filing): string {
  const mark = filing.r.pick(["~", "ca. ", "approx. ", "up to ", "= "]);
  return lines(filing, (row, _, person) =>
    person === filing.people[0] ? row.map((text, at) => (at > 1 && text !== "—" ? mark + text : text)) : row,
  );
}

/** A small table in every cell, one row per year. */
export function tablesInCells(filing: Filing): string {
  const rows = filing.people.map((person) => {
    const years = person.years.map((year) => [String(year.year), ...amounts(filing, year)]);
    const cells = (years[0] ?? []).map((_, column) =>
      table(...years.map((year) => tr([year[column] ?? ""]))),
    );
    return tr([`${nameOf(person)}<br>${person.title}`, ...cells]);
  });
  return TITLE + table(tr(headers(filing), "th"), ...rows);
}
