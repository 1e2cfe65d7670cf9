/** Documents whose table is fixed-width text, as filing agents set it before 2010. */
import { amounts, headers, nameOf, others, table, TITLE, tr, whole, type Filing } from "./filing.ts";

const HEADERS: Readonly<Record<Filing["columns"][number], readonly string[]>> = {
  salary: ["Salary"],
  bonus: ["Bonus"],
  stock_awards: ["Stock", "Awards"],
  option_awards: ["Option", "Awards"],
  non_equity_incentive: ["Non-Equity", "Incentive Plan", "Compensation"],
  pension_change: ["Change in", "Pension Value"],
  other_comp: ["All Other", "Compensation"],
};

const NAMES = 36;
const WIDTH = 15;
/** Room for a footnote marker after each amount. */
const MARKER = 4;

/** The words of each column, right-aligned, starting with the name's. */
const line = (name: string, year: string, cells: readonly string[]): string =>
  (name.padEnd(NAMES) + year.padEnd(6) + cells.map((cell) => cell.padStart(WIDTH)).join("")).trimEnd();

/** Header, rule and rows. @param mark the marker after an amount, by its row and column */
function lines(filing: Filing, mark: (row: number, column: number) => string = () => ""): string {
  const words = [...filing.columns.map((column) => HEADERS[column]), ["Total"]];
  const depth = Math.max(...words.map(({ length }) => length));
  const head = Array.from({ length: depth }, (_, at) =>
    line(
      ["Name and", "Principal Position"][at - depth + 2] ?? "",
      at === depth - 1 ? "Year" : "",
      words.map((some) => some[at - depth + some.length] ?? ""),
    ),
  );
  const rule = line(
    "-".repeat(NAMES - 3),
    "----",
    words.map(() => "-".repeat(WIDTH - 3)),
  );
  const rows = filing.people.flatMap((person) => [
    ...person.years.map((year, row) =>
      line(
        [nameOf(person), person.title.slice(0, NAMES - 4)][row] ?? "",
        String(year.year),
        amounts(filing, year).map((text, column) => {
          const cell = text === "—" ? "--" : text;
          const marker = /\d/.test(cell) ? mark(row, column) : "";
          return cell.padStart(WIDTH - MARKER) + marker.padEnd(MARKER);
        }),
      ),
    ),
    "",
  ]);
  return [...head, rule, ...rows].join("\n");
}

const block = (body: string): string =>
  `<pre>\n                       SUMMARY COMPENSATION TABLE\n\n${body}\n</pre>`;

/** The title inside the block, above the rule that marks the columns; markers behind some amounts. */
export function fixedWidthNotes(filing: Filing): string {
  return block(lines(filing, (row, column) => ((row + column) % 3 === 0 ? ` (${column + 1})` : "")));
}

const INTRODUCTIONS = [
  "The following persons served on our board of directors.",
  "Compensation paid to our consultants was as follows:",
  "Our subsidiary, Ridgeline Bank, paid its officers the following amounts:",
  "Realized pay",
  "The table below shows what the trustees of our foundation were paid.",
];

/** Other people's table in the same block, with the same header after a sentence. */
export function fixedWidthOthers(filing: Filing): string {
  return block(`${lines(filing)}\n\n${filing.r.pick(INTRODUCTIONS)}\n\n${lines(others(filing, 7))}`);
}

/** The same inside one HTML table. */
export function introducedInTable(filing: Filing): string {
  const head = tr(headers(filing), "th");
  const width = headers(filing).length;
  const words = `<tr><td colspan="${width}">${filing.r.pick(INTRODUCTIONS)}</td></tr>`;
  return TITLE + table(head, ...whole(filing), words, head, ...whole(others(filing, 7)));
}

/** Headers set to the left or over the middle of amounts that are set to the right, and blanks for dashes. */
export function fixedWidthOffset(filing: Filing): string {
  const { r } = filing;
  const width = r.int(14, 18);
  const offset = r.int(0, 4);
  const middle = r.chance(0.5);
  const words = [...filing.columns.map((column) => HEADERS[column]), ["Total"]];
  const depth = Math.max(...words.map(({ length }) => length));
  const set = (text: string): string =>
    (" ".repeat(middle ? Math.floor((width - text.length) / 2) : 1) + text).padEnd(width);
  const head = Array.from({ length: depth }, (_, at) => {
    const name = (at === depth - 1 ? "Name" : "").padEnd(NAMES) + (at === depth - 1 ? "Year" : "").padEnd(6);
    const columns = words.map((some) => set(some[at - depth + some.length] ?? ""));
    return (name + " ".repeat(offset) + columns.join("")).trimEnd();
  });
  const rows = filing.people.flatMap((person) =>
    person.years.map((year, at) => {
      const name = ([nameOf(person), person.title.slice(0, NAMES - 4)][at] ?? "").padEnd(NAMES);
      const cells = amounts(filing, year).map((text) => (text === "—" ? "" : text).padStart(width));
      return (name + String(year.year).padEnd(6) + cells.join("")).trimEnd();
    }),
  );
  return `${TITLE}<pre>\n${[...head, ...rows].join("\n")}\n</pre>`;
}
