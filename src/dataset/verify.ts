/** Full verification of a snapshot: its bytes, SQLite's own structure, and that its rows follow from its observations. */
import { assemble } from "./assemble.ts";
import { embeddedBytes } from "./embedded.ts";
import { installedPath, readInstalled } from "./installed.ts";
import { findViolations } from "./invariants.ts";
import { GO_BACK, openBytes, openFile, requireWhole, SnapshotError } from "./open.ts";
import { ROWS_WITH_TAIL } from "./company-rows.ts";
import { type Dataset, rowKeys } from "./dataset.ts";
import { datasetOf } from "./reader.ts";
import { readRecords } from "./record-reader.ts";
import { rowTail } from "./row-json.ts";
import { checkBytes } from "./seal.ts";

/** A snapshot whose bytes were verified. */
export interface Verified {
  /** How to refer to it: its path, or a description of the embedded one. */
  name: string;
  dataset: Dataset;
}

/**
 * Verifies every byte of a file against its seal and opens it. @param path the snapshot in use by default
 * @throws SnapshotError if it is damaged
 */
export function verifySnapshot(dataDir: string, path?: string): Verified {
  const { current } = readInstalled(dataDir);
  const file = path ?? (current === null ? undefined : installedPath(dataDir, current));
  if (file === undefined) return verifyEmbedded();
  // Opened first: messages about a newer format or a truncated file are clearer than a different hash.
  openFile(file).database.close();
  const contentHash = requireWhole(file, path === undefined ? GO_BACK : undefined);
  if (path === undefined && contentHash !== current?.contentHash) {
    throw new SnapshotError(
      "damaged",
      `${file} is intact but not the snapshot that was installed. Run \`execcomp data rollback\`, or install it again.`,
    );
  }
  return checked(file, datasetOf(openFile(file), "installed"));
}

function verifyEmbedded(): Verified {
  const name = "the snapshot inside this executable";
  const bytes = embeddedBytes();
  const found = checkBytes(bytes);
  if (found === undefined || found.actualHash !== found.seal.contentHash) {
    throw new SnapshotError("damaged", `${name} is damaged. Download execcomp again.`);
  }
  return checked(name, datasetOf(openBytes(name, bytes), "embedded"));
}

function checked(name: string, dataset: Dataset): Verified {
  const [first, ...more] = dataset.all<{ integrity_check: string }>("pragma integrity_check");
  if (first?.integrity_check !== "ok" || more.length > 0) {
    throw new SnapshotError(
      "damaged",
      `${name} is sealed but SQLite finds it inconsistent: ${first?.integrity_check ?? "no answer"}. Build it again.`,
    );
  }
  return { name, dataset };
}

/**
 * Derives every row again from the observations and compares. Returns a sentence for each difference and each violated
 * invariant, naming the row; empty if there are none. Takes about a second per 20,000 rows.
 */
export function rederive(dataset: Dataset): string[] {
  const found: string[] = [];
  for (const record of readRecords(dataset)) {
    const assembled = assemble(record);
    found.push(...findViolations(record, assembled));
    const held = dataset.years(record.cik);
    const [years, heldYears] = [assembled.years, held].map((list) =>
      list.map(({ fiscalYear, complete }) => `${fiscalYear}${complete ? "" : " incomplete"}`).join(", "),
    );
    if (years !== heldYears)
      found.push(`${record.cik}: serves the years ${heldYears}; its filings give ${years}`);
    const rowJson = held.flatMap((year) => year.rowJson);
    const made = assembled.rows.map((row) => rowTail(record.cik, record.name, row));
    assembled.rows.forEach(({ fiscalYear, executiveId }, index) => {
      const row = `${record.cik} ${executiveId} ${fiscalYear}`;
      if (made[index] !== rowJson[index])
        found.push(`${row}: the served row differs from what its filings give`);
    });
    if (rowJson.length !== made.length) {
      found.push(`${record.cik}: serves ${rowJson.length} rows; its filings give ${made.length}`);
    }
    if (tailsByPlace(dataset, record.cik).join() !== rowJson.join()) {
      found.push(`${record.cik}: the stored positions of its rows do not match their text`);
    }
  }
  return found;
}

/** The texts of a company's rows, read one by one by their stored positions. */
function tailsByPlace(dataset: Dataset, cik: string): string[] {
  const sql = `select tail from ${ROWS_WITH_TAIL} r where r.id >= ? and r.id < ? order by r.id`;
  return dataset.all<{ tail: string }>(sql, ...rowKeys(cik)).map(({ tail }) => tail);
}
