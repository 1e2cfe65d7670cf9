/** Documents whose columns are more, fewer, in another order or labeled otherwise than in the rule. */
import type { TrueYear } from "../layouts/truth.ts";
import type { PrintedComponent } from "../../../src/domain/row-fields.ts";
import {
  amounts,
  band,
  headers,
  inThousands,
  money,
  nameOf,
  plain,
  rowsOf,
  scaled,
  table,
  TITLE,
  tr,
  whole,
  type Filing,
  type Made,
} from "./filing.ts";

/** The table with one cell of each row and of the header changed or inserted, by position. */
function changed(
  filing: Filing,
  head: string[],
  change: (row: string[], year: TrueYear) => string[],
): string {
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).flatMap((row, at) => {
      const year = person.years[at];
      return year === undefined ? [] : [tr(change(row, year))];
    }),
  );
  return TITLE + table(tr(head, "th"), ...rows);
}

const sum = (year: TrueYear, fields: readonly PrintedComponent[]): number =>
  fields.reduce((all, field) => all + (year.amounts[field] ?? 0), 0);

/** A subtotal of cash, or of direct pay, among the columns. */
export function subtotalBetween(filing: Filing): string {
  const { columns, r } = filing;
  const at = r.int(1, Math.max(1, columns.length - 1));
  const label = r.pick([
    "Total Cash Compensation ($)",
    "Total Direct Compensation ($)",
    "Subtotal ($)",
    "Total Annual Compensation ($)",
  ]);
  const head = headers(filing).toSpliced(2 + at, 0, label);
  return changed(filing, head, (row, year) =>
    row.toSpliced(2 + at, 0, money(sum(year, columns.slice(0, at)))),
  );
}

/** The total before its components. */
export function totalFirst(filing: Filing): string {
  const move = (row: string[]): string[] => [...row.slice(0, 2), row.at(-1) ?? "", ...row.slice(2, -1)];
  return changed(filing, move(headers(filing)), move);
}

/** The number of shares next to the value of an award, and the value at maximum performance. */
export function besideAwards(filing: Filing): string {
  const at = headers(filing).findIndex((text) => /^(?:Stock|Option)/.test(text));
  if (at < 0) return plain(filing);
  const label = filing.r.pick([
    "Stock Awards (#)",
    "Number of Shares",
    "Stock Awards at Maximum ($)",
    "Maximum Value of Performance Awards ($)",
    "Shares Granted",
  ]);
  const factor = label.includes("Max") ? 2 : 0.03;
  const before = filing.r.chance(0.5) ? 0 : 1;
  return changed(filing, headers(filing).toSpliced(at + before, 0, label), (row, year) => {
    const field = filing.columns[at - 2];
    return row.toSpliced(
      at + before,
      0,
      money(scaled(field === undefined ? null : year.amounts[field], factor)),
    );
  });
}

/** Other compensation in parts with a subtotal. */
export function otherInParts(filing: Filing): string {
  const at = filing.columns.indexOf("other_comp") + 2;
  if (at < 2) return plain(filing);
  const head = headers(filing).toSpliced(
    at,
    1,
    "Perquisites ($)",
    "401(k) Match ($)",
    "Total All Other Compensation ($)",
  );
  return changed(filing, head, (row, year) => {
    const all = year.amounts.other_comp;
    const half = scaled(all, 0.4);
    return row.toSpliced(at, 1, money(half), money(all === null ? null : all - (half ?? 0)), row[at] ?? "");
  });
}

/** The salary in two columns: paid and deferred. */
export function splitSalary(filing: Filing): string {
  const [one, two] = filing.r.pick([
    ["Salary Paid in Cash ($)", "Salary Paid in Stock ($)"],
    ["Salary ($)", "Deferred Salary ($)"],
    ["Salary Paid ($)", "Salary Accrued but Unpaid ($)"],
  ]) ?? ["", ""];
  return changed(filing, headers(filing).toSpliced(2, 1, one, two), (row, year) => {
    const all = year.amounts.salary;
    const part = scaled(all, 0.75);
    return row.toSpliced(2, 1, money(part), money(all === null ? null : all - (part ?? 0)));
  });
}

/** Salary and bonus in one column. */
export function salaryWithBonus(filing: Filing): string {
  if (filing.columns[1] !== "bonus") return plain(filing);
  return changed(filing, headers(filing).toSpliced(2, 2, "Salary and Bonus ($)"), (row, year) =>
    row.toSpliced(2, 2, money(sum(year, ["salary", "bonus"]))),
  );
}

/** After the total, the share that this registrant bears of what an affiliate pays. */
export function allocatedShare(filing: Filing): string {
  const label = filing.r.pick([
    ["Percentage Allocated (%)", "Total Allocated to the Partnership ($)"],
    ["Allocation", "Amount Allocated to Us ($)"],
    ["% of Time", "Total Reimbursed by the Company ($)"],
  ]);
  return changed(filing, [...headers(filing), ...label], (row, year) => [
    ...row,
    "40%",
    money(scaled(year.total, 0.4)),
  ]);
}

/** A second page with its columns in another order. */
export function reorderedPage(filing: Filing): string {
  const cut = Math.ceil(filing.people.length / 2);
  const second = { ...filing, people: filing.people.slice(cut), columns: filing.columns.toReversed() };
  const next = table(tr(headers(second), "th"), ...whole(second));
  return `${plain({ ...filing, people: filing.people.slice(0, cut) })}<p>21</p><hr><p>Summary Compensation Table (continued)</p>${next}`;
}

/** Headers that span fewer cells than the rows have: only the rows have separate cells for signs and blanks. */
export function driftingHeader(filing: Filing): string {
  const span = filing.r.pick([1, 2]);
  const head = headers(filing)
    .map((text, at) => `<th${at > 1 && span > 1 ? ` colspan="${span}"` : ""}>${text}</th>`)
    .join("");
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((row) =>
      tr(row.flatMap((text, at) => (at < 2 ? [text] : text === "—" ? ["", text, ""] : ["$", text, ""]))),
    ),
  );
  return TITLE + table(`<tr>${head}</tr>`, ...rows);
}

/** A column of amounts whose header is missing. */
export function headerMissing(filing: Filing): string {
  const at = filing.r.int(3, headers(filing).length - 2);
  return changed(filing, headers(filing).with(Math.max(2, at), ""), (row) => row);
}

/** A header row with one cell fewer than the rows. */
export function headerShort(filing: Filing): string {
  const at = filing.r.int(3, Math.max(3, headers(filing).length - 2));
  return changed(filing, headers(filing).toSpliced(at, 1), (row) => row);
}

/** Corrected amounts next to the ones that they replace, which are crossed out. */
export function crossedOut(filing: Filing): string {
  const { r } = filing;
  const [open, close] = r.pick([
    ["<s>", "</s>"],
    ["<del>", "</del>"],
    ["<strike>", "</strike>"],
    ['<span style="text-decoration:line-through">', "</span>"],
    ['<font style="text-decoration: line-through;">', "</font>"],
  ]);
  return changed(filing, headers(filing), (row) =>
    row.map((text, at) =>
      at < 2 || text === "—" || r.chance(0.7)
        ? text
        : `${open}${text.replace(/\d/, "9")}${close} <u>${text}</u>`,
    ),
  );
}

/** Cells with a hidden number to sort by. */
export function hiddenNumbers(filing: Filing): string {
  const style = filing.r.pick([
    "display:none",
    "display: none;",
    "visibility:hidden",
    "font-size:0",
    "font-size:0pt;color:white",
  ]);
  return changed(filing, headers(filing), (row) =>
    row.map((text, at) =>
      at < 2 || text === "—"
        ? text
        : `<span style="${style}">${text.replaceAll(",", "").padStart(12, "0")}</span>${text}`,
    ),
  );
}

/** A table whose header names no unit. */
function bare(filing: Filing, print: (cents: number | null) => string): string {
  const head = headers(filing).map((text) => text.replace(" ($)", ""));
  const rows = filing.people.flatMap((person) => rowsOf(filing, person, print).map((row) => tr(row)));
  return table(tr(head, "th"), ...rows);
}

/** Amounts in thousands, which only a footnote states. */
export function thousandsInNote(drawn: Filing): Made {
  const filing = inThousands(drawn);
  const note = filing.r.pick([
    "<p>(1) All amounts in this table are in thousands of dollars.</p>",
    "<p>* Dollar amounts in thousands.</p>",
    "<p>(1) Amounts are expressed in thousands.</p>",
  ]);
  const rows = bare(filing, (cents) => (cents === null ? "—" : (cents / 100_000).toLocaleString("en-US")));
  return { body: TITLE + rows + note, people: filing.people };
}

/** Amounts in millions with decimals. */
export function millions(drawn: Filing): Made {
  const filing = inThousands(drawn);
  const rows = bare(filing, (cents) => (cents === null ? "—" : (cents / 100_000_000).toFixed(3)));
  return { body: `${TITLE}<p>(in millions)</p>${rows}`, people: filing.people };
}

/** Commas and spaces in the wrong places of the digits. */
export function brokenDigits(filing: Filing): string {
  const { r } = filing;
  const spoil = r.pick([
    (text: string) => text.replace(",", ", "),
    (text: string) => text.replace(",", " ,"),
    (text: string) => text.replace(",", ",\n"),
    (text: string) => text.replace(",", "<br>,"),
    (text: string) => text.replace(/,(\d)/, "$1,"),
    (text: string) => text.replace(",", ",,"),
    (text: string) => text.replace(/(\d),/, ",$1"),
    (text: string) => `${text}.`,
    (text: string) => `${text},`,
    (text: string) => text.replace(",", ";"),
    (text: string) => text.replaceAll("0", "O"),
    (text: string) => text.replaceAll("1", "l"),
  ]);
  return changed(filing, headers(filing), (row) =>
    row.map((text, at) => (at < 2 || r.chance(0.6) ? text : spoil(text))),
  );
}

/** Words instead of an amount that is included in the total. */
export function wordsForAmount(filing: Filing): string {
  const { r } = filing;
  const words = r.pick([
    "See note (3)",
    "*",
    "(4)",
    "Not yet determined",
    "waived",
    "TBD",
    "Note 5",
    "†",
    "<sup>6</sup>",
  ]);
  return changed(filing, headers(filing), (row) =>
    row.map((text, at) => (at < 3 || at === row.length - 1 || r.chance(0.8) ? text : words)),
  );
}

/** One dash or blank cell spanning several people. */
export function cellOverPeople(filing: Filing): string {
  const count = filing.people.reduce((all, person) => all + person.years.length, 0);
  const at = filing.columns.findIndex((column) =>
    filing.people.every((person) => person.years.every((year) => year.amounts[column] === null)),
  );
  const column = at < 0 ? filing.columns.length : at;
  const head = headers(filing).toSpliced(
    2 + column,
    at < 0 ? 0 : 1,
    at < 0 ? "Bonus Deferred ($)" : (headers(filing)[2 + column] ?? ""),
  );
  let row = 0;
  const rows = filing.people.flatMap((person) =>
    rowsOf(filing, person).map((cells) => {
      const own = at < 0 ? cells : cells.toSpliced(2 + column, 1);
      const made = own.map((text) => `<td>${text}</td>`);
      if (row++ === 0) made.splice(2 + column, 0, `<td rowspan="${count}">—</td>`);
      return `<tr>${made.join("")}</tr>`;
    }),
  );
  return TITLE + table(tr(head, "th"), ...rows);
}

/** Components as rows, a person's years as columns. */
export function transposed(filing: Filing): string {
  const labels = headers(filing).slice(2);
  const tables = filing.people.map((person) => {
    const lines = labels.map((label, at) =>
      tr([label, ...person.years.map((year) => amounts(filing, year)[at] ?? "")]),
    );
    return (
      band(`${nameOf(person)}, ${person.title}`, person.years.length + 1) +
      tr(["", ...person.years.map((year) => String(year.year))], "th") +
      lines.join("\n")
    );
  });
  return TITLE + table(...tables);
}

/** People as columns of one year, components as rows. */
export function peopleAsColumns(filing: Filing): string {
  const labels = headers(filing).slice(2);
  const newest = filing.people.filter((person) => person.years[0]?.year === filing.newest);
  const lines = labels.map((label, at) =>
    tr([
      label,
      ...newest.map((person) =>
        person.years[0] === undefined ? "" : (amounts(filing, person.years[0])[at] ?? ""),
      ),
    ]),
  );
  const years = tr(["Year", ...newest.map(() => String(filing.newest))]);
  return TITLE + table(tr(["", ...newest.map((person) => nameOf(person))], "th"), years, ...lines);
}

/** The rule's letter for each column instead of words. */
export function lettersAlone(filing: Filing): string {
  const letters = headers(filing).map((_, at) => `(${String.fromCharCode(97 + at)})`);
  return TITLE + table(tr(letters, "th"), ...whole(filing));
}

/** A negative change in pension value, printed in brackets and excluded from the total. */
export function negativePension(filing: Filing): string {
  const at = headers(filing).length - 1;
  if (filing.columns.includes("pension_change")) return plain(filing);
  const head = headers(filing).toSpliced(at, 0, "Change in Pension Value ($)");
  return changed(filing, head, (row) => row.toSpliced(at, 0, filing.r.chance(0.3) ? "(12,345)" : "—"));
}
