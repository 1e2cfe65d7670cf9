/** Rows as JSON, in pieces, so that memory use does not depend on the size of the dataset. */
import { rowHead } from "../../domain/row-text.ts";
import type { Dataset, DatasetInfo } from "../../dataset/dataset.ts";
import type { View } from "../sql/views.ts";
import { batches, type ExportColumn, type FlatRow } from "./flat.ts";
import { viewColumn } from "./view.ts";

/** A row as a line of JSON. */
export function jsonLine(columns: readonly ExportColumn[], row: FlatRow): string {
  return `${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))}\n`;
}

/** The beginning of a document: metadata of the dataset, and the name of the list of rows. */
function headOf(
  { edition, contentHash }: Pick<DatasetInfo, "edition" | "contentHash">,
  rows: number,
  name: string,
) {
  return `{"edition":${JSON.stringify(edition)},"content_hash":"${contentHash}","rows":${rows},"${name}":[`;
}

/** One JSON document: metadata of the dataset, then the rows as in REST answers, each with `year_complete`. */
export function* compensationJson(dataset: Dataset): Generator<string> {
  yield headOf(dataset.info, dataset.info.rows, "executive_compensation");
  const companies = dataset.all<{ cik: string; ticker: string }>(
    "select printf('%010d', cik) as cik, ticker from companies where row_count > 0 order by cik",
  );
  let first = true;
  for (const { cik, ticker } of companies) {
    const head = rowHead(ticker);
    // A tail is the row's JSON after the ticker, up to and including its closing brace.
    const rows = dataset
      .years(cik)
      .flatMap(({ complete, rowJson }) =>
        rowJson.map((tail) => `\n${head}${tail.slice(0, -1)},"year_complete":${complete}}`),
      );
    yield `${first ? "" : ","}${rows.join()}`;
    first = false;
  }
  yield "\n]}\n";
}

/** The same of the rows of a view, each with every column. */
export function* viewJson(
  info: DatasetInfo,
  count: number,
  rows: Iterable<FlatRow>,
  { name, columns }: View,
): Generator<string> {
  const exported = columns.map(viewColumn);
  yield headOf(info, count, name);
  let first = true;
  for (const batch of batches(rows)) {
    yield `${first ? "" : ","}${batch.map((row) => `\n${jsonLine(exported, row).trimEnd()}`).join()}`;
    first = false;
  }
  yield "\n]}\n";
}
