import type { Random } from "../layouts/random.ts";
import { changeText, visibleText } from "./markup.ts";
import type { Sample } from "./sample.ts";

/** Whose pay is in a table that is not the Summary Compensation Table. */
export const FOREIGN = ["directors", "consultants", "subsidiary", "another view"] as const;
export type Foreign = (typeof FOREIGN)[number];

/** What a filer writes above such a table; the first word of each says how it is set: a heading or a sentence. */
const HEADINGS: Readonly<Record<Foreign, readonly string[]>> = {
  directors: [
    "Director Compensation",
    "Compensation of Directors",
    "DIRECTOR COMPENSATION TABLE",
    "Board of Directors",
    "The following table shows what our non-employee directors earned during the fiscal year.",
    "Non-Employee Director Fees",
    "Members of the board who are not officers received the amounts below.",
  ],
  consultants: [
    "Compensation of Consultants",
    "Payments to Consultants and Advisors",
    "Other Highly Compensated Employees",
    "The following table sets forth amounts paid to our consultants, none of whom is an executive officer.",
    "The persons below are not executive officers of the Company.",
  ],
  subsidiary: [
    "Compensation of the Executive Officers of Lakeside National Bank",
    "Officers of Our Subsidiary",
    "Lakeside National Bank",
    "The following table presents the compensation of the officers of our wholly owned subsidiary.",
    "Subsidiary Officer Compensation Table",
    "Summary Compensation of Lakeside National Bank, our subsidiary",
  ],
  "another view": [
    "Realized Pay",
    "Realized Compensation Table",
    "Supplemental Compensation Table",
    "Annualized Compensation",
    "The following table restates the amounts above as annual equivalents.",
    "The table below shows the compensation actually received and is not a substitute for the table above.",
    "Compensation as the Committee Views It",
    "Pro Forma Compensation",
  ],
};

/** Every wording for one kind of table. */
export function headingsOf(kind: Foreign): readonly string[] {
  return HEADINGS[kind];
}

/** A wording as a filer sets it: a heading in bold or capitals, a sentence as a paragraph. */
export function headingHtml(words: string, r: Random): string {
  if (words === "") return "";
  if (words.endsWith(".")) return `<p style="margin-top:6pt">${words}</p>`;
  return r.pick([
    `<p align="center"><b>${words}</b></p>`,
    `<div style="text-align:center;font-weight:bold">${words}</div>`,
    `<p><u>${words}</u></p>`,
    `<div><span style="font-size:10pt"><b>${words.toUpperCase()}</b></span></div>`,
    `<h3>${words}</h3>`,
  ]);
}

const GIVEN = ["Alonzo", "Beatrix", "Cormac", "Delphine", "Evander", "Fenella", "Gideon", "Honora"];
const FAMILY = [
  "Zellweger",
  "Quimby",
  "Oxenford",
  "Trevelyan",
  "Wexcombe",
  "Ravensworth",
  "Pettibone",
  "Yalding",
];
const NO_NAME = /^(?:mr|ms|mrs|dr|jr|sr|ii|iii|iv|cpa|md|phd|esq|de|la|van|von|der|le|di|da|del)$/i;

/** The parts of names that distinguish people, in lower case, each with its replacement. */
function otherWords(people: readonly string[], keep: "nothing" | "family names"): Map<string, string> {
  const words = new Map<string, string>();
  people.forEach((name, at) => {
    const parts = name.split(/[^\p{L}]+/u).filter((part) => part.length > 1 && !NO_NAME.test(part));
    parts.forEach((part, index) => {
      const pool = index === parts.length - 1 ? FAMILY : GIVEN;
      const other = pool[(at + index) % pool.length];
      if (keep === "family names" && index === parts.length - 1) return;
      if (!words.has(part.toLowerCase()) && other !== undefined) words.set(part.toLowerCase(), other);
    });
  });
  return words;
}

function sameCase(word: string, like: string): string {
  return like === like.toUpperCase() ? word.toUpperCase() : word;
}

/** The markup of the true tables, without a title inside them. */
export function trueTables(sample: Sample): string {
  const tables = sample.tables.map(([start, end]) => sample.text.slice(start, end)).join("\n");
  return changeText(tables, (text) => text.replace(/summary\s+compensation(?:\s+table)?/gi, ""));
}

/** Replaces the true names, all of them or only the given ones. */
export function renamePeople(
  html: string,
  people: readonly string[],
  keep: "nothing" | "family names" = "nothing",
): string {
  const words = otherWords(people, keep);
  return changeText(html, (text) =>
    text.replace(/\p{L}+/gu, (word) => {
      const other = words.get(word.toLowerCase());
      return other === undefined || word === word.toLowerCase() ? word : sameCase(other, word);
    }),
  );
}

/** Amounts that differ from the true ones and still add up: each is doubled. Years and footnotes stay. */
export function doubled(text: string): string {
  return text.replace(/\d{1,3}(?:,\d{3})+|(?<![\d,.])(?!(?:19|20)\d\d(?!\d))\d{3,7}(?![\d,])/g, (digits) => {
    const value = 2 * Number(digits.replaceAll(",", ""));
    return digits.includes(",") ? value.toLocaleString("en-US") : String(value);
  });
}

/**
 * The true table repeated, including column headers, with other people or (for another view) the same people and
 * other amounts. Null if a name was not found in the markup, or if the amounts stay the same.
 */
export function foreignTable(sample: Sample, kind: Foreign, r: Random): string | null {
  const whole = trueTables(sample);
  if (kind === "another view") {
    const view = changeText(whole, doubled);
    return view === whole ? null : view;
  }
  const renamed = renamePeople(whole, sample.people);
  const words = otherWords(sample.people, "nothing");
  const seen = visibleText(renamed).toLowerCase();
  const left = sample.people.filter((name) => {
    const family = name.split(/[^\p{L}]+/u).findLast((part) => words.has(part.toLowerCase()));
    return family === undefined || new RegExp(`\\b${family.toLowerCase()}\\b`).test(seen);
  });
  if (left.length > 0 || renamed === whole) return null;
  return r.chance(0.5) ? changeText(renamed, doubled) : renamed;
}

const OFFICES: Readonly<Record<Foreign, string>> = {
  directors: "Director",
  consultants: "Consultant",
  subsidiary: "President, Lakeside National Bank",
  "another view": "Chief Executive Officer",
};

const HEAD = [
  "Name and Principal Position",
  "Year",
  "Salary ($)",
  "Bonus ($)",
  "Stock Awards ($)",
  "Option Awards ($)",
  "Non-Equity Incentive Plan Compensation ($)",
  "All Other Compensation ($)",
  "Total ($)",
];

/** A table with the rule's columns in plain markup, with three people whose offices say who they are. */
export function plainForeignTable(sample: Sample, kind: Foreign, r: Random): string {
  const year = Math.max(...sample.rows.map((row) => row.fiscal_year));
  const strangers = ["Alonzo Quimby", "Beatrix Oxenford", "Cormac Trevelyan"];
  const rows = (kind === "another view" ? sample.people : strangers).map((name) => {
    const [salary, stock, other] = [r.int(10_000, 90_000), r.int(10_000, 90_000), r.int(1_000, 9_000)];
    const amounts = [salary, stock, other, salary + stock + other].map((value) =>
      value.toLocaleString("en-US"),
    );
    const [first, second, third, total] = amounts;
    return [`${name}<br>${OFFICES[kind]}`, String(year), first, "—", second, "—", "—", third, total];
  });
  const line = (cells: readonly (string | undefined)[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell ?? ""}</td>`).join("")}</tr>`;
  return `<table border="0">${[HEAD, ...rows].map(line).join("\n")}</table>`;
}
