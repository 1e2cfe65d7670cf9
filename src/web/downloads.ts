/** Addresses and contents of downloads, and the data behind charts. */
import { byAmount, type ExecutiveCompensation as Row } from "../domain/row-fields.ts";
import { type Html, html } from "../lib/html.ts";
import { type DownloadFormat, type FileColumn, fileOf, type FlatRow } from "../operations/rows.ts";
import type { PageVisit } from "./page-visit.ts";

/** An address with some parameters changed; empty ones are left out. */
export function withQuery(
  path: string,
  given: URLSearchParams | string,
  changed: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(given);
  for (const [name, value] of Object.entries(changed)) query.set(name, value);
  for (const [name, value] of Array.from(query)) if (value === "") query.delete(name);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The menu of downloads: the rows in both formats, and the chart. @param more behind the names of the formats */
export function downloadMenu(
  path: string,
  query: URLSearchParams | string,
  { more = "", chart = false }: { more?: string; chart?: Html | false } = {},
): Html {
  const file = (format: string) => withQuery(path, query, { format, cursor: "" });
  return html`<details class="fold">
    <summary>Download ▾</summary>
    <div class="menu-list small">
      <p>Table${more}</p>
      <a class="button" href="${file("csv")}">CSV</a>
      <a class="button" href="${file("xlsx")}">Excel (XLSX)</a>
      ${
        chart !== false &&
        html`<p>Chart</p>
          ${chart}`
      }
    </div>
  </details>`;
}

/** The amounts of a row, among the columns of the data behind a chart. */
export const ROW_AMOUNTS = byAmount((name) => (row: Row) => row[name]);

/** The data behind a chart. @param columns what each says of an item, by its name */
export function dataOf<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => FlatRow[number]>>,
): FlatRow[] {
  return [Object.keys(columns), ...items.map((item) => Object.values(columns).map((of) => of(item)))];
}

/** A column of a download that is no export of rows: as in `FileColumn`, and its value of an item. */
export type DownloadColumn<Item> = readonly [
  ...of: readonly [name: string, kind: FileColumn["kind"], width: number, about: string],
  valueOf: (item: Item) => FlatRow[number],
];

/** Items as a file, a line each. @param sheet the name of a workbook's sheet */
export function fileOfItems<Item>(
  { dataset }: PageVisit,
  items: readonly Item[],
  columns: readonly DownloadColumn<Item>[],
  format: DownloadFormat,
  sheet: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const lines = items.map((item) => columns.map(([, , , , valueOf]) => valueOf(item)));
  const heads = columns.map(([name, kind, width, about]) => ({ name, kind, width, about }));
  return fileOf(dataset, lines, format, heads, sheet);
}
