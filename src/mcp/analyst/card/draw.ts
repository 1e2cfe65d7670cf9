/**
 * Renders the card as HTML from a tool's result. It runs in the host's browser, in a sandboxed frame, and trusts no
 * input: values are validated, and everything except our own markup is escaped.
 */
import { BY_FAMILY, figure, legendList, shortAmount } from "../../../charts/frame.ts";
import { lineChart, type Series } from "../../../charts/plots.ts";
import { AMOUNT_FIELD, type Component, COMPONENTS } from "../../../domain/row-fields.ts";
import { type Html, html } from "../../../lib/html.ts";

/** The fields of a row that the card uses. */
interface CardRow {
  company: string;
  ticker: string;
  year: number;
  person: string;
  name: string;
  isCeo: boolean;
  currency: string;
  total: number;
  amounts: Record<Component, number>;
  filing: { label: string; url: string | null };
}

/** Maximum number of lines, which no company reaches in ten years; people with the most years come first. */
const MAX_LINES = 40;
const MAX_ROWS = 1000;
/** The only site that may be linked to. */
const FILINGS = "https://www.sec.gov/";

/** Renders a result of `get_executive_compensation`. @param result as passed by the host */
export function drawCard(result: unknown): string {
  const rows = rowsOf(result);
  const [first] = rows;
  const notes = notesOf(result);
  if (first === undefined) {
    return html`<p>No rows.</p>
      ${notes.map((note) => html`<p class="note">${note}</p>`)}`.text;
  }
  const name = first.ticker === "" ? first.company : `${first.company} (${first.ticker})`;
  const [drawn, others] = [true, false].map((isDrawn) =>
    rows.filter(({ currency }) => (currency === first.currency) === isDrawn),
  );
  return html`<h1>${name}</h1>
    ${charts(drawn ?? [], first.currency)} ${notDrawn(others ?? [])}
    ${notes.map((note) => html`<p class="note">${note}</p>`)} ${filings(rows)}`.text;
}

/** Amounts of different currencies are never drawn on one scale. */
function notDrawn(rows: readonly CardRow[]): Html | false {
  const years = [...new Set(rows.map(({ year, currency }) => `${year} (${currency})`))].join(", ");
  return (
    years !== "" &&
    html`<p class="note">Not in the charts because of a different currency: fiscal ${years}.</p>`
  );
}

function charts(rows: readonly CardRow[], currency: string): Html[] {
  const years = [...new Set(rows.map(({ year }) => year))].sort((a, b) => a - b);
  const [only, ...more] = years;
  if (only === undefined) return [];
  if (more.length === 0) {
    const people = rows.map((row) => ({ ...row, label: row.name }));
    return [payBars(`Pay in fiscal ${only}, ${currency}`, people)];
  }
  const ceos = years.flatMap((year) => {
    const ofYear = rows.filter((row) => row.year === year && row.isCeo);
    const highest = ofYear.toSorted((a, b) => b.total - a.total)[0];
    return highest === undefined ? [] : [{ ...highest, label: String(year) }];
  });
  const series = linesOf(rows);
  return [
    ...(ceos.length === 0 ? [] : [payBars(`CEO pay by component, ${currency}`, ceos)]),
    ...(series.length === 0
      ? []
      : [figure(lineChart({ id: "totals", title: `Total pay, ${currency}`, series }))]),
  ];
}

/** Pay by component, a line for each person or year: there is room for any number of them in a frame of any width. */
function payBars(
  title: string,
  bars: readonly (Pick<CardRow, "amounts" | "total"> & { label: string })[],
): Html {
  const shown = BY_FAMILY.filter((name) => bars.some(({ amounts }) => amounts[name] > 0));
  const lengthOf = ({ amounts }: Pick<CardRow, "amounts">, names: readonly Component[]) =>
    names.reduce((sum, name) => sum + Math.max(0, amounts[name]), 0);
  const most = Math.max(1, ...bars.map((bar) => lengthOf(bar, shown)));
  const percent = (amount: number) => ((amount / most) * 100).toFixed(2);
  const line = (bar: (typeof bars)[number]) =>
    html`<li>
      <span>${bar.label}</span><b>${shortAmount(bar.total)}</b
      ><svg aria-hidden="true">
        ${shown.map(
          (name, at) =>
            html`<rect
              class="pay-${name}"
              x="${percent(lengthOf(bar, shown.slice(0, at)))}%"
              width="${percent(lengthOf(bar, [name]))}%"
              height="100%"
            >
              <title>${AMOUNT_FIELD[name].label}: ${shortAmount(bar.amounts[name])}</title>
            </rect>`,
        )}
      </svg>
    </li>`;
  const legend = shown.map((name) => ({ colour: `pay-${name}`, label: AMOUNT_FIELD[name].shortLabel }));
  return html`<figure class="plot">
    <figcaption>${title}</figcaption>
    ${legendList(legend)}
    <ul class="bars">
      ${bars.map(line)}
    </ul>
  </figure>`;
}

function linesOf(rows: readonly CardRow[]): Series[] {
  return (
    [...Map.groupBy(rows, ({ person }) => person).values()]
      // Who has one year is a point.
      .sort((a, b) => b.length - a.length || sumOf(b) - sumOf(a))
      .slice(0, MAX_LINES)
      .map((own) => ({
        label: own[0]?.name ?? "",
        amounts: new Map(own.map(({ year, total }) => [year, total])),
      }))
  );
}

function sumOf(rows: readonly CardRow[]): number {
  return rows.reduce((sum, { total }) => sum + total, 0);
}

function filings(rows: readonly CardRow[]): Html {
  const urls = new Map(rows.map(({ filing }) => [filing.label, filing.url]));
  return html`<p class="note">
    From
    ${[...urls].map(
      ([label, url], at) =>
        html`${at > 0 && ", "}${url === null ? label : html`<a href="${url}" target="_blank" rel="noreferrer">${label}</a>`}`,
    )}.
    Stock and option awards are grant-date fair values.
  </p>`;
}

/** The members of a message, or of a part of it. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value has members. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function rowsOf(result: unknown): CardRow[] {
  const structured = isObject(result) ? result["structuredContent"] : undefined;
  const listed = isObject(structured) ? structured["executive_compensation"] : undefined;
  if (!Array.isArray(listed)) return [];
  const read = listed.slice(0, MAX_ROWS).filter(isObject).map(rowOf);
  // The axis has a position for each year, so implausible years are dropped.
  return read.filter(({ year }) => Number.isInteger(year) && year > 1900 && year < 2200);
}

function rowOf(row: Members): CardRow {
  const source = isObject(row["source"]) ? row["source"] : {};
  const url = text(source["filing_url"]);
  const form = `${text(source["form"])} ${text(source["filing_date"])}`.trim();
  return {
    company: text(row["company_name"]),
    ticker: text(row["ticker"]),
    year: number(row["fiscal_year"]),
    person: text(row["executive_id"]),
    name: text(row["executive_name"]),
    isCeo: row["is_peo"] === true,
    currency: text(row["reporting_currency"]) || "currency unknown",
    total: number(row["total_compensation"]),
    // An entry for every component.
    amounts: Object.fromEntries(COMPONENTS.map((name) => [name, number(row[name])])) as Record<
      Component,
      number
    >,
    filing: { label: form === "" ? "a filing" : form, url: url.startsWith(FILINGS) ? url : null },
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Prefix of the server's note on incomplete years, which is reworded for people. */
const INCOMPLETE = "Incomplete fiscal years: ";

/** The notes in a result: all texts except the first, which repeats the rows. */
function notesOf(result: unknown): string[] {
  const content = isObject(result) ? result["content"] : undefined;
  if (!Array.isArray(content)) return [];
  const isError = isObject(result) && result["isError"] === true;
  const texts = content.map((item: unknown) => (isObject(item) ? item["text"] : undefined));
  return texts
    .slice(isError ? 0 : 1, 8)
    .filter((one) => typeof one === "string")
    .map((one) => (one.startsWith(INCOMPLETE) ? partial(one) : one.slice(0, 2000)));
}

function partial(note: string): string {
  const years = /^[\d, ]{4,200}/.exec(note.slice(INCOMPLETE.length))?.[0] ?? "";
  return `Partial: ${years}. That year's proxy statement has not been read; executives who left before the next one are missing.`;
}
