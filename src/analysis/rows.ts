/** The JSON of the rows of a page. */
import { rowHead } from "../domain/row-text.ts";
import { ROWS_WITH_TAIL } from "../dataset/company-rows.ts";
import type { Dataset } from "../dataset/dataset.ts";

/**
 * Rows by `rowKey` as JSON texts joined by commas, in the order of the keys.
 * @param askedAs the ticker each company was requested by, keyed by CIK
 */
export function rowsByKey(
  dataset: Dataset,
  keys: readonly number[],
  askedAs: ReadonlyMap<string, string>,
): string {
  const lines = dataset.all<{ id: number; cik: string; ticker: string; tail: string }>(
    `select r.id, printf('%010d', r.cik) as cik, c.ticker, r.tail from json_each(?) k
      join ${ROWS_WITH_TAIL} r on r.id = k.value join companies c on c.cik = r.cik`,
    JSON.stringify(keys),
  );
  const byKey = new Map(lines.map((line) => [line.id, line]));
  return keys
    .flatMap((key) => {
      const line = byKey.get(key);
      if (line === undefined) return [];
      const ticker = askedAs.get(line.cik) ?? line.ticker;
      return [rowHead(ticker) + line.tail];
    })
    .join(",");
}
