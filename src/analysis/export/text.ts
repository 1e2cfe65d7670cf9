/** Rows as CSV and JSON, written in pieces, so that memory use does not depend on the size of the dataset. */
import { csvHead, csvRow } from "../../domain/text.ts";
import { rowHead } from "../../domain/row-text.ts";
import { ExportSink } from "./sink.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type ExportColumn, type FlatRow, flatRows } from "./flat.ts";

/** CSV with a header line, UTF-8. @see RFC 4180 */
export function writeCsv(dataset: Dataset, columns: readonly ExportColumn[], sink: ExportSink): void {
  sink.write(`${csvHead(columns.map(({ name }) => name))}\r\n`);
  for (const row of flatRows(dataset, columns)) sink.write(`${csvRow(row)}\r\n`);
}

/** One JSON object per line, each with every column. */
export function writeJsonLines(dataset: Dataset, columns: readonly ExportColumn[], sink: ExportSink): void {
  for (const row of flatRows(dataset, columns)) sink.write(jsonLine(columns, row));
}

/** A row as a line of JSON. */
export function jsonLine(columns: readonly ExportColumn[], row: FlatRow): string {
  return `${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))}\n`;
}

/** One JSON document: metadata of the dataset, then the rows as in REST answers, each with `year_complete`. */
export function writeJson(dataset: Dataset, sink: ExportSink): void {
  const { edition, contentHash, rows } = dataset.info;
  sink.write(
    `{"edition":${JSON.stringify(edition)},"content_hash":"${contentHash}","rows":${rows},"executive_compensation":[`,
  );
  const companies = dataset.all<{ cik: string; ticker: string }>(
    "select printf('%010d', cik) as cik, ticker from companies where row_count > 0 order by cik",
  );
  let first = true;
  for (const { cik, ticker } of companies) {
    const head = rowHead(ticker);
    for (const { complete, rowJson } of dataset.years(cik)) {
      for (const tail of rowJson) {
        // A tail is the row's JSON after the ticker, up to and including its closing brace.
        sink.write(`${first ? "" : ","}\n${head}${tail.slice(0, -1)},"year_complete":${complete}}`);
        first = false;
      }
    }
  }
  sink.write("\n]}\n");
}
