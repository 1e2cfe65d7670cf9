import { figure } from "../../charts/frame.ts";
import { stripChart } from "../../charts/strip.ts";
import type { PeerGroup } from "../../accounts/peer-groups.ts";
import { formatAmount } from "../../domain/amount.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../domain/row-fields.ts";
import { INDEXES, SECTORS, SELECTION_PARAMETERS } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import {
  type GroupStatistics,
  MAX_VALUES,
  type PrintedZeros,
  type Ranking,
  type RemarksOf,
  sectorName,
} from "../../operations/page-data.ts";
import type { RequestedCompanies } from "../company-lists.ts";
import { unknownNote } from "./groups.ts";
import { amountClass, companyLine, offices, payTable, rowNotes, rowPath, shownAmounts } from "./parts.ts";

/** Filters that the form has a field for. */
const FIELDS = ["office", "fiscal_year", "sector", "index", "group", "total_compensation_gte", "sort"];

/** Filters of the query operation that the form has no field for; they can be written into the address. */
const FURTHER = SELECTION_PARAMETERS.map(({ name }) => name).filter((name) => !FIELDS.includes(name));

/** All filters of a ranking, as named in its address. */
export const RANKING_FILTERS: readonly string[] = [...FIELDS, "companies", ...FURTHER];

/** Data of the rankings page. */
export interface RankingView {
  ranking: Ranking;
  /** The list or peer group that it is narrowed to. */
  companies: RequestedCompanies | null;
  /** Peer groups that the viewer can choose from. */
  groups: readonly PeerGroup[];
  /** Over the whole selection; undefined where it is not sorted by an amount or no rows match. */
  figures: GroupStatistics | undefined;
  /** Values of the sort amount, for the strip plot. */
  values: readonly number[];
  given: URLSearchParams;
  /** Fiscal years that the dataset has, newest first. */
  years: readonly number[];
  /** Which zero amounts the filing prints as a digit. */
  zeros: PrintedZeros;
  /** Which rows cover less than a year. */
  remarks: RemarksOf;
}

/** Rows across companies, sorted, with their filters as a form. */
export function rankingsMain(view: RankingView): Html {
  const { ranking, companies, values, figures, given } = view;
  const { rows, matched } = ranking;
  const by = AMOUNTS.find((name) => name === ranking.question.sort.by);
  const file = (format: string) => `/rankings/download?${asQuery(given, { format, cursor: "" })}`;
  return html`<h1>Rankings</h1>
    ${filterForm(view)} ${companies !== null && narrowedTo(companies, given)} ${furtherFilters(given)}
    <p>
      ${matched.rows.toLocaleString("en-US")} ${matched.rows === 1 ? "row" : "rows"} from
      ${matched.companies.toLocaleString("en-US")}
      ${matched.companies === 1 ? "company" : "companies"}${yearsText(ranking)}.
      ${matched.incomplete_company_years > 0 && `${matched.incomplete_company_years} of ${matched.company_years} company-years are partial: executives who left early may be missing.`}
      ${ranking.index !== null && `Of ${ranking.index.members} index members, ${ranking.index.withoutRows} have no rows yet.`}
    </p>
    ${rows.length === 0 ? html`<p>No rows match. Broaden the filters.</p>` : table(view)}
    <p class="row actions">
      ${ranking.next !== null && html`<a class="button" href="${address(given, { cursor: ranking.next })}">Next page</a>`}
      ${
        rows.length > 0 &&
        html`<a class="button" href="${file("csv")}">CSV</a>
          <a class="button" href="${file("xlsx")}">XLSX</a>
          <span class="soft">Downloads contain the first 1,000 rows of this selection.</span>`
      }
    </p>
    ${by !== undefined && figures !== undefined && distribution(values, figures, AMOUNT_FIELD[by].label)}`;
}

/** A note on which companies a list or peer group narrows the ranking to. */
function narrowedTo({ group, found, unknown }: RequestedCompanies, given: URLSearchParams): Html {
  const all = asQuery(given, { companies: "", group: "", cursor: "" });
  const names = found.map(({ company }) => company.name);
  const listed =
    names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  return html`<p class="note">
      ${group ? html`Peer group <a href="/groups/${group.id}">${group.name}</a>: ` : "Companies in this link: "}
      ${listed}${listed.endsWith(".") ? "" : "."} <a href="/rankings?${String(all)}">All companies</a>
    </p>
    ${unknownNote(unknown)}`;
}

/** Filters worded for people. */
const IN_WORDS: Readonly<Record<string, string>> = {
  "complete_only true": "complete fiscal years only",
  "one_per_company_year true": "one row per company and fiscal year",
};

/** A note on active filters that the form does not show. */
function furtherFilters(given: URLSearchParams): Html | false {
  const active = FURTHER.map((name) => [name, given.get(name) ?? ""] as const).filter(
    ([, value]) => value !== "",
  );
  const texts = active.map(([name, value]) => IN_WORDS[`${name} ${value}`] ?? `${name} ${value}`);
  const without = Object.fromEntries(active.map(([name]) => [name, ""]));
  return (
    texts.length > 0 &&
    html`<p class="note">
      Also filtered: ${texts.join(", ")}. <a href="${address(given, { ...without, cursor: "" })}">Remove</a>
    </p>`
  );
}

function yearsText({ fiscalYears }: Ranking): string {
  const years = Object.entries(fiscalYears).toSorted(([a], [b]) => Number(b) - Number(a));
  if (years.length === 0) return "";
  if (years.length === 1) return `, fiscal ${years[0]?.[0] ?? ""}`;
  return `; company-years by fiscal year: ${years.map(([year, count]) => `${year}: ${count}`).join(", ")}`;
}

/** The values that a filter offers, each with its label. */
type Choices = readonly (readonly [value: string, label: string])[];

const OFFICES: Choices = [
  ["", "All named executive officers"],
  ["peo", "CEO"],
  ["pfo", "CFO"],
];

const SORTS: Choices = [
  ...[...AMOUNTS]
    .toReversed()
    .map((name) => [`-${name}`, `${AMOUNT_FIELD[name].label}, highest first`] as const),
  ["total_compensation", "Total, lowest first"],
  ["company_name", "Company"],
];

function filterForm({ given, years, groups }: RankingView): Html {
  const select = (label: string, name: string, choices: Choices) =>
    html`<label
      >${label}
      <select name="${name}">
        ${choices.map(
          ([value, words]) =>
            html`<option value="${value}" ${(given.get(name) ?? "") === value && html`selected`}>
              ${words}
            </option>`,
        )}
      </select>
    </label>`;
  const all = ["", "All"] as const;
  const sectors = SECTORS.map((sector) => [sector, sectorName(sector)] as const);
  const indexes = INDEXES.map((index) => [index, index === "sp500" ? "S&P 500" : index] as const);
  const fiscalYears = years.map((year) => [String(year), String(year)] as const);
  const peerGroups = groups.map(({ id, name }) => [id, name] as const);
  return html`<form class="panel row filters" method="get" action="/rankings">
    ${select("Office", "office", OFFICES)}
    ${select("Fiscal year", "fiscal_year", [["", "Each company's latest"], ...fiscalYears])}
    ${select("Sector", "sector", [all, ...sectors])} ${select("Index", "index", [all, ...indexes])}
    ${groups.length > 0 && select("Peer group", "group", [["", "All companies"], ...peerGroups])}
    ${["companies", ...FURTHER].map((name) => {
      const value = given.get(name) ?? "";
      return value !== "" && html`<input type="hidden" name="${name}" value="${value}" />`;
    })}
    <label
      >Total at least
      <input
        name="total_compensation_gte"
        inputmode="numeric"
        maxlength="20"
        value="${given.get("total_compensation_gte") ?? ""}"
      />
    </label>
    ${select("Sort by", "sort", SORTS)}
    <button class="primary">Show</button>
  </form>`;
}

/** The columns of the statistics table: field and header. */
const FIGURES = [
  ["min", "Lowest"],
  ["p10", "10%"],
  ["p25", "25%"],
  ["median", "Median"],
  ["mean", "Mean"],
  ["p75", "75%"],
  ["p90", "90%"],
  ["max", "Highest"],
] as const;

/** Every value on one line, and the statistics of the whole selection as the API returns them. */
function distribution(values: readonly number[], figures: GroupStatistics, label: string): Html {
  const { p25, median, p75 } = figures;
  const plot = figure(
    stripChart({
      id: "distribution",
      title: `${label}: each row of the selection${values.length === MAX_VALUES ? " (the first 1,000)" : ""}`,
      values,
      marks: [
        { label: "25%", value: p25 },
        { label: "median", value: median },
        { label: "75%", value: p75 },
      ],
    }),
  );
  return html`<h2>Statistics of this selection</h2>
    ${values.length > 3 && plot}
    <div class="scroll">
      <table class="figures">
        <caption>
          ${label} of ${figures.rows.toLocaleString("en-US")} rows; percentiles as in Excel's PERCENTILE.INC
        </caption>
        <thead>
          <tr>
            ${FIGURES.map(([, head]) => html`<th scope="col" class="number">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          <tr>
            ${FIGURES.map(([name]) => html`<td class="number">${formatAmount(figures[name])}</td>`)}
          </tr>
        </tbody>
      </table>
    </div>`;
}

function table({ ranking, given, zeros, remarks }: RankingView): Html {
  const { rows, question } = ranking;
  const { sort, offset } = question;
  // The total comes first: the rest may scroll out of sight.
  const last = (name: string) => Number(name === "total_compensation");
  const shown = shownAmounts(rows).toSorted((a, b) => last(b) - last(a));
  const sortable = shown.map((name) => {
    const isSorted = sort.descending && sort.by === name;
    return html`<th scope="col" class="${amountClass(name)}" ${isSorted && html`aria-sort="descending"`}>
      <a href="${address(given, { sort: `-${name}` })}" title="Sort by ${AMOUNT_FIELD[name].label}"
        >${AMOUNT_FIELD[name].shortLabel}</a
      >
    </th>`;
  });
  return payTable(rows, shown, {
    caption: `Amounts in ${rows[0]?.reporting_currency ?? ""}`,
    heads: ["Executive", "Year"],
    amounts: html`${sortable}`,
    zeros,
    lead: (row) =>
      html`<th scope="row" class="ranked">
          <span class="rank">${offset + rows.indexOf(row) + 1}</span
          ><a href="${rowPath(row)}">${row.executive_name}</a>${offices(row)} ${companyLine(row)}
          ${rowNotes(row, { zeros, remarks })}
        </th>
        <td>${row.fiscal_year}</td>`,
  });
}

function asQuery(given: URLSearchParams, changed: Readonly<Record<string, string>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of [...RANKING_FILTERS, "cursor", "format"]) {
    const value = changed[name] ?? (name === "cursor" && "sort" in changed ? null : given.get(name));
    if (value !== null && value !== "") query.set(name, value);
  }
  return query;
}

function address(given: URLSearchParams, changed: Readonly<Record<string, string>>): string {
  return `/rankings?${asQuery(given, changed)}`;
}
