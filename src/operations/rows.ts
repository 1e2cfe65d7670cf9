/** Single rows and fiscal years of one company, for pages. Access control is up to the pages. */
import type { AvailableYear } from "../domain/company.ts";
import { type ExecutiveCompensation, readRows, ROW_COLUMNS } from "../domain/row-fields.ts";
import { currentId } from "../dataset/people.ts";
import { rowCells } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { PageCompany } from "./companies.ts";
import {
  COLUMNS,
  type ExportColumn,
  companyKeys,
  type FlatRow,
  flatRows,
} from "../analysis/export/columns.ts";
import { csvLines } from "../lib/csv.ts";
import { encode } from "./operation.ts";
import { totalOnlyCells } from "./total-only.ts";

/** A company's fiscal year on a page. */
export interface PageYear {
  fiscalYear: number;
  complete: boolean;
  rows: ExecutiveCompensation[];
}

/** The rows of a company's years, newest first. */
export function yearsOf(
  { ticker }: Pick<PageCompany, "ticker">,
  years: readonly AvailableYear[],
): PageYear[] {
  return years.map(({ fiscalYear, complete, rowJson }) => ({
    fiscalYear,
    complete,
    rows: readRows(ticker, rowJson),
  }));
}

/** A row by year and executive, under a symbol. */
export function findRow(
  dataset: Dataset,
  { cik, ticker }: Pick<ExecutiveCompensation, "cik" | "ticker">,
  fiscalYear: number,
  executiveId: string,
): ExecutiveCompensation | undefined {
  const year = dataset.years(cik).find((one) => one.fiscalYear === fiscalYear);
  const tail =
    year && (rowJsonOf(year, executiveId) ?? rowJsonOf(year, currentId(dataset, executiveId, cik)));
  return tail === undefined ? undefined : readRows(ticker, [tail])[0];
}

/** The row of the same executive in the fiscal year before. */
export function rowBefore(dataset: Dataset, row: ExecutiveCompensation): ExecutiveCompensation | undefined {
  return findRow(dataset, row, row.fiscal_year - 1, row.executive_id);
}

/** Finds the row of the principal executive officer with a total in a company's fiscal year. */
export function rowsOfOfficers(dataset: Dataset) {
  return (of: { cik: string; ticker: string; fiscal_year: number | null; peo_total: number | null }) => {
    const year = dataset.years(of.cik).find(({ fiscalYear }) => fiscalYear === of.fiscal_year);
    const rows = year === undefined ? [] : readRows(of.ticker, year.rowJson);
    return rows.find((row) => row.is_peo && row.total_compensation === of.peo_total);
  };
}

/** Whether the fiscal year of a row is partial: its own filing is not loaded. */
export function isPartialYear(dataset: Dataset, { cik, fiscal_year: of }: ExecutiveCompensation): boolean {
  return dataset.years(cik).some(({ fiscalYear, complete }) => fiscalYear === of && !complete);
}

/** The stored row of an executive in a company's year. */
export function rowJsonOf({ rowJson }: AvailableYear, executiveId: string): string | undefined {
  const marked = `"executive_id":${JSON.stringify(executiveId)}`;
  return rowJson.find((one) => one.includes(marked));
}

const decoder = new TextDecoder();

/** The rows of an answer. */
export function decodeRows(json: Uint8Array): ExecutiveCompensation[] {
  // The snapshot was compiled from rows of this type, and is verified by its content hash.
  return JSON.parse(`[${decoder.decode(json)}]`) as ExecutiveCompensation[];
}

export type { FlatRow };

/** Download formats and their media types. */
export const DOWNLOADS = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;
/** A download format. */
export type DownloadFormat = keyof typeof DOWNLOADS;

/** The rows of a company, for all fiscal years or the latest. */
export function companyDownload(
  dataset: Dataset,
  { company, ticker }: PageCompany,
  years: "all" | "latest",
  format: DownloadFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  // Under the ticker that was asked for, which is the first column.
  const rows = Array.from(
    flatRows(dataset, COLUMNS, companyKeys(dataset, company.cik)),
    ([, ...others]): FlatRow => [ticker, ...others],
  );
  const yearAt = COLUMNS.findIndex(({ name }) => name === "fiscal_year");
  const latest = dataset.years(company.cik)[0]?.fiscalYear;
  return fileOf(dataset, years === "all" ? rows : rows.filter((row) => row[yearAt] === latest), format);
}

/** The rows of a ranking as a file. @param only those of which nothing but the total is known, as the filer tagged it */
export function rankingDownload(
  dataset: Dataset,
  rows: readonly ExecutiveCompensation[],
  format: DownloadFormat,
  only: ReadonlySet<ExecutiveCompensation> = new Set(),
): Promise<Uint8Array<ArrayBuffer>> {
  const cells = rowCells(
    dataset,
    rows.map(({ cik }) => cik),
  );
  const lines = rows.map((row): FlatRow => {
    if (only.has(row)) return [...totalOnlyCells(row), null, null, "tagged"];
    const year = dataset.years(row.cik).find(({ fiscalYear }) => fiscalYear === row.fiscal_year);
    return [
      ...ROW_COLUMNS.map(({ valueIn }) => valueIn(row)),
      year?.complete ?? false,
      null,
      cells.evidence(row),
    ];
  });
  return fileOf(dataset, lines, format);
}

/** The requested download format; CSV by default, undefined if unknown. */
export function readFormat(named: string | null): DownloadFormat | undefined {
  return Object.keys(DOWNLOADS).find((name): name is DownloadFormat => name === (named ?? "csv"));
}

/** A column of a table that is no export of rows. */
export type FileColumn = Pick<ExportColumn, "name" | "kind" | "width" | "about">;

/** Lines of cells below their columns as a file. @param sheet the name of a workbook's sheet */
export async function fileOf(
  { info }: Dataset,
  lines: readonly FlatRow[],
  format: DownloadFormat,
  columns: readonly FileColumn[] = COLUMNS,
  sheet?: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "csv") return csvFile([columns.map(({ name }) => name), ...lines]);
  // Loaded with the first workbook.
  const { workbookOf } = await import("../analysis/export/xlsx.ts");
  return workbookOf(info, lines, columns, sheet);
}

/** Lines of cells as CSV, for a person: with the mark by which Excel knows UTF-8. @see RFC 4180 */
export function csvFile(lines: readonly FlatRow[]): Uint8Array<ArrayBuffer> {
  return encode(`${BYTE_ORDER_MARK}${csvLines(lines).join("\r\n")}\r\n`);
}

/** Without it Excel shows `Loweâ€™s`. Programs get none: the command line and REST write plain UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";
