/**
 * The columns of ExecuComp's annual compensation table (ANNCOMP) that our rows can fill, for programs that expect these names.
 * Amounts are in thousands, as in ExecuComp. Columns that ExecuComp does not have follow under our lower-case names.
 */
import { shiftDays, shiftYears } from "../../domain/fiscal-year.ts";
import type { AmountField, ExecutiveCompensation } from "../../domain/row-fields.ts";
import { COLUMNS, type ExportColumn, type Line } from "./flat.ts";

const text = (
  name: string,
  width: number,
  about: string,
  valueOf: (row: ExecutiveCompensation) => string | null,
): ExportColumn => ({ name, kind: "text", nullable: true, width, about, valueIn: ({ row }) => valueOf(row) });

const thousands = (name: string, field: AmountField, about: string): ExportColumn => ({
  name,
  kind: "thousands",
  nullable: false,
  width: 17,
  about: `${about}, in thousands`,
  valueIn: ({ row }) => row[field] / 1000,
});

const KEPT = [
  "fiscal_year",
  "executive_id",
  "reporting_currency",
  "source_form",
  "source_accession",
  "source_filing_date",
  "source_filing_url",
  "year_complete",
  "problems",
];

/** The columns, in order. */
export const EXECUCOMP_COLUMNS: readonly ExportColumn[] = [
  text("CIK", 12, "SEC Central Index Key, ten digits (GVKEY is not known)", (row) => row.cik),
  text("TICKER", 10, "primary symbol", (row) => row.ticker),
  text("CONAME", 32, "company_name", (row) => row.company_name),
  {
    name: "YEAR",
    kind: "whole",
    nullable: true,
    width: 8,
    about:
      "Compustat's year: a fiscal year that ends from January to May belongs to the previous calendar year (up to a week into a month counts as the month before)",
    valueIn: compustatYear,
  },
  text("EXEC_FULLNAME", 26, "executive_name", (row) => row.executive_name),
  text("TITLEANN", 48, "executive_role", (row) => row.executive_role),
  text(
    "CEOANN",
    8,
    "CEO for is_peo: at any time in the year, whereas ExecuComp requires most of it",
    (row) => (row.is_peo ? "CEO" : null),
  ),
  text("CFOANN", 8, "CFO for is_pfo, likewise", (row) => (row.is_pfo ? "CFO" : null)),
  thousands("SALARY", "salary", "salary"),
  thousands("BONUS", "bonus", "bonus"),
  thousands("STOCK_AWARDS", "stock_awards", "stock_awards as printed: grant-date fair value"),
  thousands("OPTION_AWARDS", "option_awards", "option_awards, likewise"),
  thousands("NONEQ_INCENT", "non_equity_incentive", "non_equity_incentive"),
  thousands("PENSION_CHG", "pension_change", "pension_change"),
  thousands("OTHCOMP", "other_comp", "other_comp"),
  thousands("TOTAL_SEC", "total_compensation", "total_compensation"),
  thousands("unknown_component", "unknown_component", "amount that could not be attributed to a column"),
  ...KEPT.flatMap((name) => COLUMNS.filter((column) => column.name === name)).map((column) => ({
    ...column,
    about: `${column.about}; not in ExecuComp`,
  })),
];

/** A year of 52 or 53 weeks may end a few days into the next month. */
const MAX_EXTRA_DAYS = 7;

function compustatYear({ row, periodEnd }: Line): number | null {
  if (periodEnd === null || row.reported_year === null) return null;
  const end = shiftDays(shiftYears(periodEnd, row.fiscal_year - row.reported_year), -MAX_EXTRA_DAYS);
  const year = Number(end.slice(0, 4));
  return Number(end.slice(5, 7)) < 6 ? year - 1 : year;
}
