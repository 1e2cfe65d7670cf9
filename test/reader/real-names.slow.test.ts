/** Every name and title in our facts, laid out in the ways in which filers place a name next to its years, and read back. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { companyFiles, readCompany } from "../../scripts/compile-data.ts";
import { PRINTED_COMPONENTS } from "../../src/domain/row-fields.ts";
import { displayName } from "../../src/domain/executive.ts";
import { parseFiling } from "../../src/reader/pipeline.ts";
import type { Observation } from "../../src/dataset/record.ts";

const DATA = join(import.meta.dir, "../../data");
const PRINTED = [...PRINTED_COMPONENTS, "total_compensation"] as const;

const filings = companyFiles(DATA)
  .map((path) => readCompany(DATA, path))
  .flatMap((record) => {
    // Collected rows have no titles, and names that nobody here read in a filing.
    const accessions = record.filings.flatMap(({ accession, read }) =>
      read === null || read === "collected" ? [] : accession,
    );
    return accessions.map((accession) => record.observations.filter((one) => one.accession === accession));
  });

/** Rows of one person as HTML; `amounts` gives the cells from the year on. */
type Setting = (person: readonly Observation[], amounts: (row: Observation) => string) => string;

const inFirst = (cell: (row: Observation) => string): Setting => {
  return (person, amounts) =>
    person.map((row, at) => `<tr><td>${at === 0 ? cell(row) : ""}</td>${amounts(row)}</tr>`).join("");
};

const SETTINGS: Readonly<Record<string, Setting>> = {
  "over a break, in a cell that spans the years": (person, amounts) =>
    person
      .map((row, at) => {
        const cell = `<td rowspan="${person.length}">${nameOf(row)}<br>${titleOf(row)}</td>`;
        return `<tr>${at === 0 ? cell : ""}${amounts(row)}</tr>`;
      })
      .join(""),
  "parted by a comma": inFirst((row) => `${nameOf(row)}, ${titleOf(row)}`),
  "parted by weight alone": inFirst((row) => `<b>${nameOf(row)}</b> ${titleOf(row)}`),
  "parted by nothing": inFirst((row) => `${nameOf(row)} ${titleOf(row)}`),
  "the title wrapped over the years": (person, amounts) => {
    const words = (person[0] === undefined ? "" : titleOf(person[0])).split(" ");
    const each = Math.ceil(words.length / person.length);
    return person
      .map((row, at) => {
        const part = words.slice(at * each, (at + 1) * each).join(" ");
        return `<tr><td>${at === 0 ? `${nameOf(row)}<br>` : ""}${part}</td>${amounts(row)}</tr>`;
      })
      .join("");
  },
  "in a row of their own, over the whole table": (person, amounts) => {
    const [first] = person;
    if (first === undefined) return "";
    const band = `<tr><td colspan="${PRINTED.length + 2}"><b>${nameOf(first)}</b>, ${titleOf(first)}</td></tr>`;
    return band + person.map((row) => `<tr><td></td>${amounts(row)}</tr>`).join("");
  },
  "repeated beside each year": (person, amounts) =>
    person.map((row) => `<tr><td>${nameOf(row)}<br>${titleOf(row)}</td>${amounts(row)}</tr>`).join(""),
};

test.each(Object.keys(SETTINGS))("names and titles of %p come back", (name) => {
  const setting = SETTINGS[name];
  const lost: string[] = [];
  let rows = 0;
  for (const observations of filings) {
    const read = parseFiling(new TextEncoder().encode(document(observations, setting ?? (() => ""))));
    for (const row of observations) {
      rows++;
      const found = read.rows.some(
        (one) =>
          one.fiscal_year === row.fiscalYear &&
          bare(one.executive_name) === bare(displayName(row.name)) &&
          bare(one.executive_role) === bare(row.role) &&
          PRINTED.every((field) => one.amounts[field] === row.amounts[field]),
      );
      // `Lower 48`: a number alone beside a year is a footnote's.
      const isNumberAlone = name === "the title wrapped over the years" && / \d+$/.test(row.role ?? "");
      if (!found && !isNumberAlone) lost.push(`${row.accession} ${row.name}, ${row.role} ${row.fiscalYear}`);
    }
  }
  expect(rows).toBeGreaterThan(1_700);
  expect(lost).toEqual([]);
});

function document(observations: readonly Observation[], setting: Setting): string {
  const people = Object.values(Object.groupBy(observations, (row) => row.name));
  const body = people.map((person) => setting(person ?? [], cells)).join("");
  return `<p>Summary Compensation Table</p><table><tr><td>Name and Principal Position</td><td>Year</td><td>Salary</td><td>Bonus</td><td>Stock Awards</td><td>Option Awards</td><td>Non-Equity Incentive Plan Compensation</td><td>Change in Pension Value</td><td>All Other Compensation</td><td>Total</td></tr>${body}</table>`;
}

function cells(row: Observation): string {
  const money = PRINTED.map((field) => `<td>${(row.amounts[field] / 100).toLocaleString("en-US")}</td>`);
  return `<td>${row.fiscalYear}</td>${money.join("")}`;
}

function nameOf(row: Observation): string {
  return Bun.escapeHTML(row.name);
}

function titleOf(row: Observation): string {
  return Bun.escapeHTML(row.role ?? "");
}

function bare(text: string | null): string {
  return (text ?? "").toLowerCase().replace(/[^\p{L}\d]/gu, "");
}
