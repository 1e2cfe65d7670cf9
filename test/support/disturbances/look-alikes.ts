import type { Random } from "../layouts/random.ts";
import { doubled, foreignTable, headingHtml, renamePeople, trueTables } from "./foreign.ts";
import { changeText, visibleText } from "./markup.ts";
import type { Sample } from "./sample.ts";

/** A table that is not the Summary Compensation Table although it has its columns, with the heading that says so. */
interface LookAlike {
  readonly name: string;
  /** Null if the sample cannot be turned into one. */
  readonly table: (sample: Sample, r: Random) => string | null;
}

const newestYear = (sample: Sample): number => Math.max(...sample.rows.map((row) => row.fiscal_year));

const under = (words: string, table: string | null, r: Random): string | null =>
  table === null ? null : `\n${headingHtml(words, r)}\n${table}\n`;

/** The table of an earlier proxy statement: the same people, every year one less, other amounts. */
function priorYear(sample: Sample, r: Random): string | null {
  const whole = trueTables(sample);
  const newest = newestYear(sample);
  if (!visibleText(whole).includes(String(newest))) return null;
  const years = changeText(whole, (text) =>
    text.replace(/(?<![\d,.$])(?:19|20)\d\d(?![\d,])/g, (year) => String(Number(year) - 1)),
  );
  const words = r.pick([
    `Summary Compensation Table as Reported in Our ${newest} Proxy Statement`,
    "Prior Year Summary Compensation Table",
    "Summary Compensation Table (As Previously Reported)",
    `${newest - 1} Summary Compensation Table`,
  ]);
  return under(words, changeText(years, doubled), r);
}

/** Directors with the family names of the officers, or the officers themselves, under the officers' own column headers. */
function namesakes(sample: Sample, keep: "family names" | "names", r: Random): string | null {
  const whole = trueTables(sample);
  const people = keep === "names" ? whole : renamePeople(whole, sample.people, "family names");
  const table = changeText(people, doubled);
  if (table === whole || (keep !== "names" && people === whole)) return null;
  const words = ["Director Compensation", "Compensation of Directors", "Director Compensation Table"];
  return under(r.pick(words), table, r);
}

/** The table of another registrant in a combined proxy statement, under a title that names it. */
function otherRegistrant(sample: Sample, r: Random): string | null {
  const words = r.pick([
    "Summary Compensation Table – Lakeside Gas and Electric Company",
    "Lakeside Gas and Electric Company Summary Compensation Table",
    "Summary Compensation Table of Lakeside Gas and Electric Company",
    "Summary Compensation Table for Our Subsidiary Lakeside Gas",
  ]);
  return under(words, foreignTable(sample, "subsidiary", r), r);
}

const PAY_VERSUS_PERFORMANCE = [
  "Name",
  "Fiscal Year",
  "Salary ($)",
  "Bonus ($)",
  "Stock Awards ($)",
  "Option Awards ($)",
  "All Other Compensation ($)",
  "Total ($)",
  "Compensation Actually Paid ($)",
];

/** Item 402(v) by person, with the columns that the adjustments start from. */
function payVersusPerformance(sample: Sample, r: Random): string {
  const amount = (value: number): string => value.toLocaleString("en-US");
  const rows = sample.people.map((name) => {
    const [salary, stock, other] = [r.int(10_000, 90_000), r.int(10_000, 90_000), r.int(1_000, 9_000)];
    const total = salary + stock + other;
    const paid = [salary, 0, stock, 0, other, total, total + r.int(-5_000, 5_000)];
    return [name, String(newestYear(sample)), ...paid.map((value) => (value === 0 ? "—" : amount(value)))];
  });
  const line = (cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const words = r.pick([
    "Pay Versus Performance",
    "Pay versus Performance Table",
    "Compensation Actually Paid",
  ]);
  return `${headingHtml(words, r)}\n<table>${[PAY_VERSUS_PERFORMANCE, ...rows].map(line).join("\n")}</table>`;
}

/** Every kind of look-alike. */
export const LOOK_ALIKES: readonly LookAlike[] = [
  { name: "prior year's table", table: priorYear },
  { name: "directors of the same family names", table: (sample, r) => namesakes(sample, "family names", r) },
  { name: "the officers as directors", table: (sample, r) => namesakes(sample, "names", r) },
  { name: "another registrant's table", table: otherRegistrant },
  { name: "pay versus performance", table: payVersusPerformance },
];
