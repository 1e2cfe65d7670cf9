/** Files made from the stored JSON of rows, and from the columns, are those made from their values, whatever the rows say. */
import { expect, test } from "bun:test";
import { COLUMNS, allKeys } from "../../../src/analysis/export/columns.ts";
import { exportedRows } from "../../../src/analysis/export/pieces.ts";
import { tempFolder } from "../../support/folder.ts";
import { readParquet } from "../../support/parquet.ts";
import { testFiling, testRecord, testRow } from "../../support/record.ts";
import { copyCompiledData, datasetIn, writeTestSnapshot } from "../../support/snapshot.ts";

const folder = tempFolder();

const ROLES = [
  null,
  "Chair, President and CEO",
  'The "Boss"',
  "C:\\temp",
  '"source":{"form":"X"}',
  ',"source":{"form":null},',
  "=1+1",
  "-1",
  "+1",
  "@home",
  "null",
  ',null,"a":null',
  "two\nlines",
  "tab\there",
  "\t=1+1",
  "\r@home",
  '"',
  "\\",
  "é – 中 😀",
  "{}",
];

/** Every role and amounts of every kind; in one filing of which neither date nor URL is known. */
const hostile = testRecord({
  name: "A & B, Inc.",
  filings: [testFiling({ symbol: null, url: null, filingDate: null })],
  problems: [
    {
      accession: "0000000001-25-000001",
      position: 4,
      step: "transcribe",
      code: "filer_arithmetic",
      message: "x",
    },
  ],
  observations: ROLES.map((role, at) =>
    testRow(
      {
        position: at + 1,
        name: `Person Number${String.fromCharCode(97 + at)}`,
        role,
        peo: { held: at === 0, evidence: "title", because: null },
      },
      { salary: 10 ** (at % 15), bonus: at, unknown_component: at === 3 ? -5 : 0 },
    ),
  ),
});

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces));
}

test.each([
  ["hostile rows", () => writeTestSnapshot(folder, "hostile.sqlite", [hostile])],
  ["all rows of the data", () => copyCompiledData(`${folder}/all.sqlite`)],
])("%s", async (_, path) => {
  const dataset = datasetIn(path());
  const keys = allKeys(dataset).toReversed();
  expect(keys.length).toBeGreaterThanOrEqual(ROLES.length);
  for (const format of ["csv", "jsonl", "parquet"] as const) {
    const quick = await bytesOf(exportedRows(dataset, keys, format, COLUMNS));
    // Equal columns that are not ours, so that every value is read and written.
    const plain = await bytesOf(exportedRows(dataset, keys, format, [...COLUMNS]));
    expect(quick.equals(plain)).toBe(true);
    if (format !== "parquet") expect(quick.toString().split("\n").length).toBeGreaterThan(keys.length);
    else expect(await readParquet(quick)).toHaveLength(keys.length);
  }
});
