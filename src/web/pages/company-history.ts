/** A company's pay over the years: charts, the table behind them, and who joined or left. */
import { figure } from "../../charts/frame.ts";
import { lineChart } from "../../charts/lines.ts";
import { payMixChart } from "../../charts/pay-mix.ts";
import { formatAmount } from "../../domain/amount.ts";
import type { ExecutiveCompensation } from "../../domain/row-fields.ts";
import { type Html, html } from "../../html.ts";
import {
  isShortPeriod,
  type PageCompany,
  type PageYear,
  type PrintedZeros,
  type RemarksOf,
} from "../../operations/page-data.ts";
import {
  amountCells,
  amountHeads,
  notDrawn,
  PARTIAL_FOOTNOTE,
  shownAmounts,
  withTable,
  yearIn,
} from "./parts.ts";

/** The officer of a year; if there are several, the one with the highest total. */
export function officerOf({ rows }: PageYear, office: "CEO" | "CFO"): ExecutiveCompensation | undefined {
  return rows
    .filter((row) => (office === "CEO" ? row.is_peo : row.is_pfo))
    .toSorted((a, b) => b.total_compensation - a.total_compensation)[0];
}

/** What the history of a company shows. */
interface HistoryView {
  found: PageCompany;
  /** Newest first. */
  years: readonly PageYear[];
  zeros: PrintedZeros;
  remarks: RemarksOf;
}

/** Pay over the years. */
export function history({ found: { company }, years, zeros, remarks }: HistoryView): Html {
  const oldestFirst = years.toReversed();
  const officers = (office: "CEO" | "CFO") =>
    oldestFirst.flatMap((year) => {
      const row = officerOf(year, office);
      return row === undefined ? [] : [{ year, row }];
    });
  const ceos = officers("CEO");
  const currency = years[0]?.rows[0]?.reporting_currency ?? null;
  const isDrawn = ({ row }: { row: ExecutiveCompensation }) => row.reporting_currency === currency;
  const mix = payMixChart({
    id: "mix",
    title: `CEO pay of ${company.name} by component, ${currency ?? ""}`,
    bars: ceos.filter(isDrawn).map(({ year, row }) => ({
      label: `${year.fiscalYear}${year.complete ? "" : "*"}`,
      amounts: row,
      total: row.total_compensation,
    })),
  });
  const totals = lineChart({
    id: "totals",
    title: `CEO and CFO total of ${company.name}, ${currency ?? ""}`,
    series: (["CEO", "CFO"] as const).map((office) => ({
      label: office,
      amounts: new Map(
        officers(office)
          .filter(isDrawn)
          .map(({ year, row }) => [year.fiscalYear, row.total_compensation]),
      ),
    })),
  });
  const isPaid = ceos.some(({ row }) => row.total_compensation !== 0);
  return html`<h2 id="years">Pay over the years</h2>
    ${
      ceos.length > 0 &&
      withTable(
        html`${isPaid ? figure(mix) : html`<p>The CEO's total is zero in every year.</p>`} ${figure(totals)}
        ${notDrawn(
          [...ceos, ...officers("CFO")].map(({ row }) => row),
          currency,
        )}`,
        ceoTable(
          ceos.map(({ row }) => row),
          currency,
          { zeros, remarks },
        ),
      )
    }
    ${years.some(({ complete }) => !complete) && html`<p class="soft">${PARTIAL_FOOTNOTE}</p>`}
    ${tableChanges(years)}`;
}

function ceoTable(
  rows: readonly ExecutiveCompensation[],
  currency: string | null,
  { zeros, remarks }: Pick<HistoryView, "zeros" | "remarks">,
): Html {
  const shown = shownAmounts(rows);
  return html`<table class="pay">
    <thead>
      <tr>
        <th scope="col">Fiscal year</th>
        <th scope="col">CEO</th>
        ${amountHeads(shown)}
        <th scope="col" class="number">Change</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row, index) =>
          html`<tr>
            <th scope="row">${yearIn(row, currency)}</th>
            <td>${row.executive_name}</td>
            ${amountCells(row, shown, zeros)}
            <td class="number">${changeOf(row, rows[index - 1], remarks)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The change from the year before, if that year is present and both are whole years: `+12%`. */
export function changeOf(
  row: ExecutiveCompensation,
  before: ExecutiveCompensation | undefined,
  remarks: RemarksOf,
): string {
  if (
    before === undefined ||
    before.fiscal_year !== row.fiscal_year - 1 ||
    before.reporting_currency !== row.reporting_currency ||
    before.total_compensation <= 0 ||
    [row, before].some((one) => isShortPeriod(remarks(one)))
  )
    return "";
  const percent = (row.total_compensation / before.total_compensation - 1) * 100;
  const size = Math.abs(percent);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${size < 10 ? size.toFixed(1) : formatAmount(Math.round(size))}%`;
}

/** Who joined and left the table between consecutive complete years. */
function tableChanges(years: readonly PageYear[]): Html | false {
  const lines = years.flatMap((year, index) => {
    const before = years[index + 1];
    if (
      before === undefined ||
      !year.complete ||
      !before.complete ||
      before.fiscalYear !== year.fiscalYear - 1
    )
      return [];
    const idsOf = ({ rows }: PageYear) => new Set(rows.map(({ executive_id: id }) => id));
    const [now, then] = [idsOf(year), idsOf(before)];
    const joined = year.rows.filter(({ executive_id: id }) => !then.has(id));
    const left = before.rows.filter(({ executive_id: id }) => !now.has(id));
    return joined.length + left.length === 0 ? [] : [{ year, joined, left }];
  });
  if (lines.length === 0) return false;
  const names = (rows: readonly ExecutiveCompensation[]) =>
    rows.map(({ executive_name: name }) => name).join(", ");
  return html`<h2>Changes in the table</h2>
    <ul>
      ${lines.map(
        ({ year, joined, left }) =>
          html`<li>
            ${year.fiscalYear}:
            ${joined.length > 0 && `joined ${names(joined)}`}${joined.length > 0 && left.length > 0 && "; "}${left.length > 0 && `left ${names(left)}`}
          </li>`,
      )}
    </ul>`;
}
