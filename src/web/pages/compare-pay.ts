/** What is compared of each company: the row of an office or the sum of all, of chief executives the total that every page says. */
import { unitsOf, centsOf } from "../../domain/amount.ts";
import { byAmount, type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type RemarksOf, shortMark } from "../../dataset/remarks.ts";
import type { CeoPayJson } from "../../operations/ceo-pay.ts";
import type { PageCompany } from "../../operations/companies.ts";
import type { PageYear } from "../../operations/rows.ts";
import { totalOnlyRow } from "../../operations/total-only.ts";
import { html } from "../../lib/html.ts";
import type { PaidRequest } from "../paid-page.ts";
import { heldBy } from "../parts/offices.ts";
import { readCeoTotals, tagMark } from "./ceo-totals.ts";

/** Labels of the choices of whose pay is compared. */
export const COMPARED = { ceo: "CEO", cfo: "CFO", all: "All named executive officers, sum" } as const;
/** One of those choices. */
export type Compared = keyof typeof COMPARED;
/** The office of a choice; none for all. */
export const OFFICE = { ceo: "CEO", cfo: "CFO", all: "" } as const;

/** A company of a comparison with its years, newest first. */
export interface CompanyYears {
  found: PageCompany;
  years: readonly PageYear[];
}

/** A year of a company as it is compared. */
interface ComparedYear extends PageYear {
  /** Of those whose pay is compared, highest total first. */
  held: Row[];
  /** What is drawn: the first of them, or the sum of all. */
  row: Row | undefined;
  /** The row of CFO or CEO, whichever is not compared. */
  other: Row | undefined;
  /** Whether it covers less than twelve months. */
  isShort: boolean;
  /** The year with its marks: `2025◐‡`. */
  note: string;
}

/** A company with the years that are compared, and the totals of its chief executives, both newest first. */
export interface ComparedCompany {
  found: PageCompany;
  years: ComparedYear[];
  totals: CeoPayJson[];
  /** The total that the page is about; undefined for other offices, and where none is known or it is in doubt. */
  total: CeoPayJson | undefined;
}

/** What is drawn of a company: a bar, a column, a line. */
export interface ComparedPay extends ComparedYear {
  found: PageCompany;
  row: Row;
  /** The total where nothing else is known; else null. */
  only: CeoPayJson | null;
  /** Whether its total counts as the company's: not where it stands beside a newer one, or that is in doubt. */
  isTotal: boolean;
}

/** How a comparison is asked. */
interface ComparedHow {
  who: Compared;
  /** Null for each company's latest. */
  year: number | null;
  currency: string;
  remarks: RemarksOf;
}

/** The companies that report in the currency, with what is compared of them. */
export async function readCompared(
  requested: PaidRequest,
  companies: readonly CompanyYears[],
  how: ComparedHow,
): Promise<ComparedCompany[]> {
  const { who, year, currency } = how;
  const isOfTotals = who === "ceo" && currency !== "" && companies.length > 0;
  const filters = {
    cik: companies.map(({ found }) => found.company.cik).join(","),
    reporting_currency: currency,
  };
  const read = (years: Record<string, string>) =>
    isOfTotals
      ? readCeoTotals(
          requested,
          { ...filters, ...years },
          { count: MAX_TOTALS, sort: { by: "fiscal_year", descending: true } },
        )
      : [];
  const [all, latest] = await Promise.all([
    read({ fiscal_year_gte: "0" }),
    read(year === null ? {} : { fiscal_year: String(year) }),
  ]);
  return companies.map(({ found, years }) => {
    const isIts = ({ cik }: CeoPayJson) => cik === found.company.cik;
    return {
      found,
      years: years.flatMap((one) => comparedYear(one, how)),
      totals: all.filter(isIts),
      total: latest.find(isIts),
    };
  });
}

/** More than companies have years. */
const MAX_TOTALS = 2000;

/** What is compared of a year: nothing, where it has no rows in the currency. */
function comparedYear(year: PageYear, { currency, who, remarks }: ComparedHow): ComparedYear[] {
  const rows = year.rows.filter((row) => (row.reporting_currency ?? "") === currency);
  if (rows.length === 0) return [];
  const held = heldBy(rows, OFFICE[who]);
  const short = shortMark(remarks, held);
  return [
    {
      ...year,
      rows,
      held,
      row: sumOf(held, who),
      other: heldBy(rows, who === "ceo" ? "CFO" : "CEO")[0],
      isShort: short !== "",
      note: `${year.fiscalYear}${year.complete ? "" : "◐"}${short}`,
    },
  ];
}

/** One row for an office; the sum of all rows for `all`. */
function sumOf(rows: readonly Row[], who: Compared): Row | undefined {
  const [first] = rows;
  if (first === undefined || who !== "all") return first;
  const sums = byAmount((name) => rows.reduce((sum, row) => sum + centsOf(row[name]), 0));
  return { ...first, ...byAmount((name) => unitsOf(sums[name])) };
}

/**
 * What is drawn of a company in a comparison of a year, or of each company's latest. Where only a newer total is known, or that of
 * another person, the latest row stands beside it.
 */
export function shownOf(company: ComparedCompany, { who, year }: Pick<ComparedHow, "who" | "year">) {
  const { years, total } = company;
  const latest = years.find(({ fiscalYear }) => year === null || fiscalYear === year);
  const main = payIn(company, total?.fiscal_year ?? latest?.fiscalYear ?? 0, total);
  if (main === undefined) return [];
  // One in doubt is no company's total.
  const shown = [{ ...main, isTotal: who !== "ceo" || total !== undefined }];
  const beside = main.only === null || latest?.row === undefined ? undefined : latest;
  return beside?.row === undefined
    ? shown
    : [...shown, { ...beside, row: beside.row, found: company.found, only: null, isTotal: false }];
}

/** What is drawn of each year of a company, newest first. */
export function everyYearOf(company: ComparedCompany): ComparedPay[] {
  const { years, totals } = company;
  const known = [...years.map(({ fiscalYear }) => fiscalYear), ...totals.map((one) => one.fiscal_year)];
  return [...new Set(known)]
    .toSorted((a, b) => b - a)
    .flatMap(
      (year) =>
        payIn(
          company,
          year,
          totals.find((one) => one.fiscal_year === year),
        ) ?? [],
    );
}

/** The pay of a fiscal year: that of its row, or a total that is not the row's. */
function payIn(
  { found, years }: ComparedCompany,
  fiscalYear: number,
  total: CeoPayJson | undefined,
): ComparedPay | undefined {
  const year = years.find((one) => one.fiscalYear === fiscalYear);
  const row = year?.row;
  if (total !== undefined && row?.total_compensation !== total.peo_total) {
    const only = { ...totalOnlyRow(total), ticker: found.ticker };
    const none = { rows: [], held: [only], other: undefined, isShort: false, complete: true };
    return { ...none, found, fiscalYear, row: only, only: total, isTotal: true, note: String(fiscalYear) };
  }
  return year === undefined || row === undefined
    ? undefined
    : { ...year, found, row, only: null, isTotal: true };
}

/** The marks of the totals of which nothing else is known, by their rows. */
export function onlyTotals(pay: readonly ComparedPay[]) {
  const marks = new Map(
    pay.flatMap(({ row, only }) => {
      const dated = only && html`${tagMark(only)} <span class="soft roomy">${row.source.filing_date}</span>`;
      return dated === null ? [] : [[row, dated] as const];
    }),
  );
  return (row: Row) => marks.get(row);
}

/** Companies in the order of their totals, highest first, each with what stands beside it. */
export function byTotal(pay: readonly ComparedPay[]): ComparedPay[] {
  const companies = [...Map.groupBy(pay, ({ found }) => found.company.cik).values()];
  const totalOf = ([first]: readonly ComparedPay[]) => first?.row.total_compensation ?? 0;
  return companies.toSorted((a, b) => totalOf(b) - totalOf(a)).flat();
}
