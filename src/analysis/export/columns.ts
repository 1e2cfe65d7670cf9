/** The columns of exported tables (of served rows, in our own names or ExecuComp's, and of the documented views), and their rows. */
import { elementAt } from "../../lib/checked-access.ts";
import { shiftDays, shiftYears } from "../../domain/fiscal-year.ts";
import { type AmountField, EVIDENCE_ABOUT, type FieldKind, ROW_COLUMNS } from "../../domain/row-fields.ts";
import { type ViewColumn, COMPENSATION, selected, type View } from "../sql/views.ts";
import type { Database } from "bun:sqlite";
import { type Dataset, MAX_ROWS, rowKey } from "../../dataset/dataset.ts";

/** A row of the view `compensation` as SQLite returns it, with the `period_end` of its filing and the `last_day` of its year. */
export type TableRow = Readonly<Record<string, string | number | null>>;

/** The type of a column: a kind of field, an amount in thousands, or an amount as another type of Parquet. */
export type ColumnKind = FieldKind | "thousands" | "double" | "cents";

/** A column of an exported table. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** In a workbook, in characters. */
  readonly width: number;
  /** Its description, for the dictionary. */
  readonly about: string;
  /** Its value, where it is not the one of that name. */
  readonly valueIn?: (row: TableRow) => string | number | null;
}

/** @param of the field, or what a row has */
const text = (
  name: string,
  width: number,
  about: string,
  of: string | ((row: TableRow) => string | null),
) => {
  const valueIn = typeof of === "string" ? (row: TableRow) => row[of] ?? null : of;
  return { name, kind: "text", nullable: true, width, about, valueIn } as const;
};

/** Width of a column of each kind. */
const WIDTHS: Readonly<Record<FieldKind, number>> = {
  text: 18,
  whole: 11,
  flag: 9,
  amount: 17,
  date: 13,
  link: 40,
};

/** Columns whose text needs more. */
const WIDER: Readonly<Record<string, number>> = {
  company_name: 32,
  executive_name: 26,
  executive_role: 48,
  source_accession: 23,
};

/** The columns, in order. */
export const COLUMNS: readonly ExportColumn[] = [
  ...ROW_COLUMNS.map(({ name, kind, nullable, about }) => ({
    name,
    kind,
    nullable,
    width: WIDER[name] ?? WIDTHS[kind],
    about,
  })),
  {
    name: "year_complete",
    kind: "flag",
    nullable: false,
    width: 9,
    about:
      "false: executives are missing or may be: that year's proxy statement has not been read, or only its chief executive is here",
  },
  text("problems", 18, "problem codes of the row (docs/data-dictionary.md), separated by spaces", "problems"),
  text("evidence", 10, EVIDENCE_ABOUT, "evidence"),
];

const thousands = (name: string, field: AmountField, about: string): ExportColumn => ({
  name,
  kind: "thousands",
  nullable: false,
  width: 17,
  about: `${about}, in thousands`,
  valueIn: (row) => Number(row[field]) / 1000,
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
  "evidence",
];

/**
 * The columns of ExecuComp's annual compensation table (ANNCOMP) that our rows can fill, for programs that expect these names.
 * Amounts are in thousands, as in ExecuComp. Columns that ExecuComp does not have follow under our lower-case names.
 */
export const EXECUCOMP_COLUMNS: readonly ExportColumn[] = [
  text("CIK", 12, "SEC Central Index Key, ten digits (GVKEY is not known)", "cik"),
  text("TICKER", 10, "primary symbol", "ticker"),
  text("CONAME", 32, "company_name", "company_name"),
  {
    name: "YEAR",
    kind: "whole",
    nullable: true,
    width: 8,
    about:
      "Compustat's year: a fiscal year that ends from January to May belongs to the previous calendar year (up to a week into a month counts as the month before)",
    valueIn: compustatYear,
  },
  text("EXEC_FULLNAME", 26, "executive_name", "executive_name"),
  text("TITLEANN", 48, "executive_role", "executive_role"),
  text(
    "CEOANN",
    8,
    "CEO for is_peo: at any time in the year, whereas ExecuComp requires most of it",
    (row) => (row["is_peo"] === 1 ? "CEO" : null),
  ),
  text("CFOANN", 8, "CFO for is_pfo, likewise", (row) => (row["is_pfo"] === 1 ? "CFO" : null)),
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

function compustatYear(row: TableRow): number | null {
  const last = lastDayIn(row);
  if (last === null) return null;
  const end = shiftDays(last, -MAX_EXTRA_DAYS);
  const year = Number(end.slice(0, 4));
  return Number(end.slice(5, 7)) < 6 ? year - 1 : year;
}

/** The last day of a row's year: as its filing reports, else that of the CEO's total. */
function lastDayIn(row: TableRow): string | null {
  const { period_end: reported, last_day: known } = row;
  const years = Number(row["fiscal_year"]) - Number(row["reported_year"]);
  if (typeof reported === "string" && row["reported_year"] !== null) return shiftYears(reported, years);
  return typeof known === "string" ? known : null;
}

/** Names of the column sets: our own, and that of ExecuComp's annual compensation table. */
export const COLUMN_SETS = ["standard", "execucomp"] as const;
/** One of `COLUMN_SETS`. */
export type ColumnSet = (typeof COLUMN_SETS)[number];

/** The columns of a set, in order. */
export function columnsOf(set: ColumnSet): readonly ExportColumn[] {
  return set === "execucomp" ? EXECUCOMP_COLUMNS : COLUMNS;
}

/** A column of a view as one of an export. */
export function viewColumn({ name, kind, nullable, about }: ViewColumn): ExportColumn {
  return { name, kind, nullable, about, width: WIDTHS[kind] };
}

/** Parquet's type of amounts: exact decimals, floating-point numbers, or whole cents in columns named `…_cents`. */
export const AMOUNT_TYPES = ["decimal", "double", "cents"] as const;
export type AmountType = (typeof AMOUNT_TYPES)[number];

/** A column with amounts of this type. */
export function amountsAs(type: AmountType, column: ExportColumn): ExportColumn {
  if (type === "decimal" || (column.kind !== "amount" && column.kind !== "thousands")) return column;
  if (type === "double") return { ...column, kind: "double" };
  return { ...column, kind: "cents", name: `${column.name}_cents` };
}

/** The values of one row, in the order of the columns. */
export type FlatRow = readonly (string | number | boolean | null)[];

/** The keys of all served rows, by CIK, then in the order of the contract. */
export function allKeys(dataset: Dataset): number[] {
  return dataset.all<{ id: number }>("select id from rows order by id").map(({ id }) => id);
}

/** The keys of a company's rows. @param cik ten digits */
export function companyKeys(dataset: Dataset, cik: string): number[] {
  const rows = dataset.yearsOnce(cik).reduce((sum, { rowJson }) => sum + rowJson.length, 0);
  return Array.from({ length: rows }, (_, place) => rowKey(Number(cik), place));
}

/** @param rowsOf the rows of a company, by their place */
function* byKey<Row>(keys: ArrayLike<number>, rowsOf: (cik: number) => readonly Row[]): Generator<Row> {
  let read = -1;
  let company: readonly Row[] = [];
  for (let at = 0; at < keys.length; at++) {
    const key = elementAt(keys, at);
    const cik = Math.floor(key / MAX_ROWS);
    if (cik !== read) company = rowsOf(cik);
    read = cik;
    const row = company[key % MAX_ROWS];
    if (row !== undefined) yield row;
  }
}

/** Served rows, all of them by default, from the tables: reading their JSON takes three times as long. */
export function flatRows(
  dataset: Dataset,
  columns: readonly ExportColumn[] = COLUMNS,
  keys: ArrayLike<number> = allKeys(dataset),
): Generator<FlatRow> {
  return byKey(keys, (cik) => {
    const rows: FlatRow[] = [];
    for (const line of dataset.all<TableRow>(COMPANY_ROWS, rowKey(cik, 0), rowKey(cik + 1, 0)))
      rows[Number(line["place"])] = flatLine(line, columns);
    return rows;
  });
}

/** SQL by hand: an export reads each company by it, and its columns are those of the view. */
const COMPANY_ROWS = `select r.place, f.period_end, ${selected(COMPENSATION.columns)},
    (select last_day from ceo_pay p where p.id >= ?1 and p.id < ?2 and p.fiscal_year = r.fiscal_year and p.label_inferred = 0) as last_day
  from ${COMPENSATION.from} where r.id >= ?1 and r.id < ?2`;

/** The rows of a view. @param database a snapshot with its views */
export function* viewRows(database: Database, { name, columns }: View): Generator<FlatRow> {
  const lines = database.query<TableRow, []>(`select * from "${name}"`).iterate();
  for (const line of lines) yield flatLine(line, columns);
}

function flatLine(
  line: TableRow,
  columns: readonly Pick<ExportColumn, "name" | "kind" | "valueIn">[],
): FlatRow {
  return columns.map(({ name, kind, valueIn }) => {
    if (valueIn !== undefined) return valueIn(line);
    const value = line[name] ?? null;
    return kind === "flag" && value !== null ? value === 1 : value;
  });
}
