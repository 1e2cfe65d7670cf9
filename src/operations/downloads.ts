/** Rows as downloadable files, with the columns of the exports. */
import { type ExecutiveCompensation, ROW_COLUMNS } from "../domain/row-fields.ts";
import { COLUMNS, type ExportColumn } from "../analysis/export/columns.ts";
import { companyKeys, type FlatRow, flatRows } from "../analysis/export/rows.ts";
import { csvLines } from "../domain/text.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { PageCompany } from "./companies.ts";

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

/** The rows of a ranking as a file. */
export function rankingDownload(
  dataset: Dataset,
  rows: readonly ExecutiveCompensation[],
  format: DownloadFormat,
): Promise<Uint8Array<ArrayBuffer>> {
  const lines = rows.map((row): FlatRow => {
    const year = dataset.years(row.cik).find(({ fiscalYear }) => fiscalYear === row.fiscal_year);
    return [...ROW_COLUMNS.map(({ valueIn }) => valueIn(row)), year?.complete ?? false, null];
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

/** Lines of cells as CSV. @see RFC 4180 */
export function csvFile(lines: readonly FlatRow[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${csvLines(lines).join("\r\n")}\r\n`);
}
