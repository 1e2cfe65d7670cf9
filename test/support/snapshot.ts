import { join } from "node:path";
import { openFile } from "../../src/snapshot/open.ts";
import { type Dataset, datasetOf } from "../../src/snapshot/reader.ts";
import type { CompanyRecord } from "../../src/snapshot/record.ts";
import { writeSnapshot } from "../../src/snapshot/writer.ts";
import { testRecord } from "./record.ts";

/** Writes a snapshot of the records (one test company when none is given). Returns its path. */
export function writeTestSnapshot(
  folder: string,
  name: string,
  records?: CompanyRecord[],
  edition = "2026-01-01",
): string {
  const path = join(folder, name);
  writeSnapshot(path, {
    edition,
    listed: [
      { cik: "0000000042", name: "ACME CORP", symbols: [{ symbol: "ACME", exchange: "NYSE" }] },
      { cik: "0000000099", name: "LISTED ONLY", symbols: [{ symbol: "LIST", exchange: null }] },
    ],
    records: records ?? [testRecord()],
  });
  return path;
}

/** The dataset in a snapshot file. */
export function datasetIn(path: string): Dataset {
  return datasetOf(openFile(path), "installed");
}
