/** Rows as an Excel workbook: typed cells, a fixed header, links to the filings. */
import { valueAt } from "../../lib/checked-access.ts";
import type { Blob } from "node:buffer";
import type Stream from "node:stream";
import writeXlsxFile, { type Feature, type Row } from "write-excel-file/node";
import { OperatorError } from "../../errors.ts";
import { editionName } from "../../domain/edition.ts";
import { escapeXml } from "../../lib/text.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type ColumnKind, COLUMNS, type ExportColumn, type FlatRow } from "./columns.ts";

/** A workbook is built in memory, a few kilobytes per row; beyond this, other formats are better suited. */
const MAX_ROWS = 100_000;
/** Excel does not open sheets with more links. */
const MAX_LINKS = 65_000;

/**
 * A workbook of rows of a dataset, in the order of the columns.
 * @throws OperatorError if there are more than `MAX_ROWS` rows
 */
export async function workbookOf(
  info: Pick<Dataset["info"], "edition" | "sequence" | "contentHash">,
  rows: Iterable<FlatRow>,
  columns: readonly Pick<ExportColumn, "name" | "kind" | "width" | "about">[] = COLUMNS,
  sheet = "Executive compensation",
): Promise<Uint8Array<ArrayBuffer>> {
  const links: (string | null)[] = [];
  const linkAt = columns.findIndex(({ kind }) => kind === "link");
  const data: Row[] = [
    columns.map(({ name }) => ({ value: name, type: String, fontWeight: "bold" as const })),
  ];
  for (const row of rows) {
    if (links.length === MAX_ROWS)
      throw new OperatorError(
        `More than ${MAX_ROWS.toLocaleString("en-US")} rows are too many for a workbook. Export csv or parquet instead.`,
      );
    const link = row[linkAt];
    links.push(typeof link === "string" ? link : null);
    data.push(columns.map(({ kind }, at) => cellOf(kind, row[at] ?? null)));
  }
  const about: Row[] = [
    ["edition", editionName(info)],
    ["content hash", info.contentHash],
    ["rows", links.length],
    ...columns.map(({ name, kind, about: says }) => [
      name,
      kind === "amount" ? `${says}; in units of reporting_currency` : says,
    ]),
  ].map((line) => line.map((value) => ({ value, type: typeof value === "number" ? Number : String })));
  const widths = columns.map(({ width }) => ({ width }));
  const workbook = writeXlsxFile(
    [
      { data, sheet, stickyRowsCount: 1, stickyColumnsCount: 1, columns: widths },
      { data: about, sheet: "About", columns: [{ width: 24 }, { width: 100 }] },
    ],
    { features: [linked(links, linkAt), NORMAL] },
  );
  return withoutTimes(new Uint8Array(await workbook.toBuffer()));
}

/** The first day that a zip file can state. */
const FIRST_DAY = (1 << 5) | 1;

/**
 * A zip file whose entries all have the same date, so that the same rows give the same bytes.
 * @see APPNOTE.TXT of PKWARE, 4.3.7, 4.3.12 and 4.3.16
 */
function withoutTimes(zip: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  let end = zip.length - 22;
  while (view.getUint32(end, true) !== 0x06054b50) end--;
  let entry = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    // The times of modification, in the directory and before the content.
    for (const at of [entry + 12, view.getUint32(entry + 42, true) + 10])
      view.setUint32(at, FIRST_DAY << 16, true);
    // Behind its name, extra field and comment.
    entry += [28, 30, 32].reduce((sum, at) => sum + view.getUint16(entry + at, true), 46);
  }
  return zip;
}

function cellOf(kind: ColumnKind, value: string | number | boolean | null): Row[number] {
  if (value === null) return null;
  if (typeof value === "boolean") return { value, type: Boolean };
  if (typeof value === "number") return { value, type: Number, format: numberFormat(kind, value) };
  if (kind === "date") return { value: new Date(`${value}T00:00:00Z`), type: Date, format: "yyyy-mm-dd" };
  if (kind === "link") return { value, type: String, textColor: "#0563c1" };
  return { value, type: String };
}

function numberFormat(kind: ColumnKind, value: number): string {
  if (kind === "thousands") return "#,##0.000##";
  if (kind !== "amount") return Number.isInteger(value) ? "0" : "0.000";
  return Number.isInteger(value) ? "#,##0" : "#,##0.00";
}

/** The default style, without which other programs warn that they supply their own. @see ECMA-376, 18.8.7 and 18.8.9 */
const NORMAL: Feature<Stream | Buffer | Blob> = {
  files: {
    transform: {
      "xl/styles.xml": {
        transform: (xml) =>
          xml
            .replace(
              "<cellXfs",
              '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0"/></cellStyleXfs><cellXfs',
            )
            .replace(
              "</cellXfs>",
              '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
            ),
      },
    },
  },
};

/** Turns the cells of a column of the first sheet into links. @param links by row, starting below the header */
function linked(links: readonly (string | null)[], column: number): Feature<Stream | Buffer | Blob> {
  const targets = [...new Set(links.filter((link) => link !== null))];
  const ids = new Map(targets.map((target, at) => [target, `rId-filing-${at + 1}`]));
  const letter = columnLetter(column);
  return {
    files: {
      transform: {
        "xl/worksheets/sheet{id}.xml": {
          transform(xml, _options, { sheetIndex }) {
            if (sheetIndex !== 0 || targets.length === 0) return xml;
            const cells = links.flatMap((link, at) =>
              link === null ? [] : [`<hyperlink ref="${letter}${at + 2}" r:id="${valueAt(ids, link)}"/>`],
            );
            return xml.replace(
              "</sheetData>",
              `</sheetData><hyperlinks>${cells.slice(0, MAX_LINKS).join("")}</hyperlinks>`,
            );
          },
        },
        "xl/worksheets/_rels/sheet{id}.xml.rels": {
          insert: (_options, { sheetIndex }) =>
            sheetIndex === 0
              ? targets.map((target) => relationship(valueAt(ids, target), target)).join("")
              : undefined,
        },
      },
    },
  };
}

function relationship(id: string, target: string): string {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink";
  return `<Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}" TargetMode="External"/>`;
}

/** `A` for 0, `AA` for 26. */
function columnLetter(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : columnLetter(Math.floor(at / 26) - 1) + last;
}
