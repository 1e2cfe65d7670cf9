import { figure } from "../../charts/frame.ts";
import { stripChart } from "../../charts/strip.ts";
import { AMOUNT_FIELD, AMOUNTS } from "../../domain/row-fields.ts";
import { INDEXES, SECTORS } from "../../domain/selection.ts";
import { type Html, html } from "../../html.ts";
import { MAX_VALUES, type PrintedZeros, type Ranking, sectorName } from "../../operations/page-data.ts";
import { amountClass, companyPath, offices, payTable, rowPath, shownAmounts } from "./parts.ts";

/** Where the filters of a ranking stand in its address. */
export const RANKING_FILTERS = [
  "office",
  "fiscal_year",
  "sector",
  "index",
  "total_compensation_gte",
  "complete_only",
  "one_per_company_year",
  "sort",
  "ticker",
  "executive",
] as const;

/** What a ranking shows. */
export interface RankingView {
  ranking: Ranking;
  /** Values of the amount sorted by, for the strip plot. */
  values: readonly number[];
  given: URLSearchParams;
  /** Fiscal years that the dataset has, newest first. */
  years: readonly number[];
  /** Which nil amounts are printed as a digit. */
  zeros: PrintedZeros;
}

/** Rows across companies, sorted, with their filters as a form. */
export function rankingsMain({ ranking, values, given, years, zeros }: RankingView): Html {
  const { rows, matched } = ranking;
  const by = AMOUNTS.find((name) => name === ranking.question.sort.by);
  return html`<h1>Rankings</h1>
    ${filterForm(given, years)}
    <p>
      ${matched.rows.toLocaleString("en-US")} rows of ${matched.companies.toLocaleString("en-US")}
      companies${yearsTold(ranking)}.
      ${matched.incomplete_company_years > 0 && `${matched.incomplete_company_years} of ${matched.company_years} company-years are partial: executives who left early may be missing.`}
      ${ranking.index !== null && `Of ${ranking.index.members} index members, ${ranking.index.withoutRows} have no rows yet.`}
    </p>
    ${by !== undefined && values.length > 3 && distribution(values, AMOUNT_FIELD[by].label)}
    ${rows.length === 0 ? html`<p>No row matches. Widen the filters.</p>` : table(ranking, given, zeros)}
    <p class="row actions">
      ${ranking.next !== null && html`<a class="button" href="${address(given, { cursor: ranking.next })}">Next rows</a>`}
      ${rows.length > 0 && html`<a class="button" href="/rankings/download?${String(asQuery(given, {}))}">CSV of this page</a>`}
    </p>`;
}

function yearsTold({ fiscalYears }: Ranking): string {
  const years = Object.entries(fiscalYears).toSorted(([a], [b]) => Number(b) - Number(a));
  if (years.length === 0) return "";
  if (years.length === 1) return `, fiscal ${years[0]?.[0] ?? ""}`;
  return `; company-years by fiscal year: ${years.map(([year, count]) => `${year}: ${count}`).join(", ")}`;
}

function filterForm(given: URLSearchParams, years: readonly number[]): Html {
  const option = (name: string, value: string, label: string) =>
    html`<option value="${value}" ${(given.get(name) ?? "") === value && html`selected`}>${label}</option>`;
  return html`<form class="panel row filters" method="get" action="/rankings">
    <label
      >Office
      <select name="office">
        ${option("office", "", "All named executive officers")} ${option("office", "peo", "CEO")}
        ${option("office", "pfo", "CFO")}
      </select>
    </label>
    <label
      >Fiscal year
      <select name="fiscal_year">
        ${option("fiscal_year", "", "Each company's latest")}
        ${years.map((year) => option("fiscal_year", String(year), String(year)))}
      </select>
    </label>
    <label
      >Sector
      <select name="sector">
        ${option("sector", "", "All")}
        ${SECTORS.map((sector) => option("sector", sector, sectorName(sector)))}
      </select>
    </label>
    <label
      >Index
      <select name="index">
        ${option("index", "", "All")}
        ${INDEXES.map((index) => option("index", index, index === "sp500" ? "S&P 500" : index))}
      </select>
    </label>
    <label
      >Total at least
      <input
        name="total_compensation_gte"
        inputmode="numeric"
        maxlength="14"
        value="${given.get("total_compensation_gte") ?? ""}"
      />
    </label>
    <label
      >Sort by
      <select name="sort">
        ${[...AMOUNTS].toReversed().map((name) => option("sort", `-${name}`, `${AMOUNT_FIELD[name].label}, highest first`))}
        ${option("sort", "total_compensation", "Total, lowest first")}
        ${option("sort", "company_name", "Company")}
      </select>
    </label>
    <button class="primary">Show</button>
  </form>`;
}

function distribution(values: readonly number[], label: string): Html {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return figure(
    stripChart({
      id: "distribution",
      title: `${label}: each row of the selection${values.length === MAX_VALUES ? " (the first 1,000)" : ""}`,
      values,
      marks: [
        { label: "25%", value: at(0.25) },
        { label: "median", value: at(0.5) },
        { label: "75%", value: at(0.75) },
      ],
    }),
  );
}

function table({ rows, question: { sort } }: Ranking, given: URLSearchParams, zeros: PrintedZeros): Html {
  // What decides stands first: the rest may scroll out of sight.
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
    heads: ["Executive", "Company", "Year"],
    amounts: html`${sortable}`,
    zeros,
    lead: (row) =>
      html`<th scope="row"><a href="${rowPath(row)}">${row.executive_name}</a>${offices(row)}</th>
        <td><a href="${companyPath(row)}">${row.company_name}</a></td>
        <td>${row.fiscal_year}</td>`,
  });
}

function asQuery(given: URLSearchParams, changed: Readonly<Record<string, string>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of [...RANKING_FILTERS, "cursor"]) {
    const value = changed[name] ?? (name === "cursor" && "sort" in changed ? null : given.get(name));
    if (value !== null && value !== "") query.set(name, value);
  }
  return query;
}

function address(given: URLSearchParams, changed: Readonly<Record<string, string>>): string {
  return `/rankings?${asQuery(given, changed)}`;
}
