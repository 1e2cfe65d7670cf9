/** Full verification of a snapshot: its bytes, SQLite's own structure, and that its rows follow from its observations. */
import { assemble } from "./assemble.ts";
import { DAMAGED_EXECUTABLE, embeddedBytes, INSIDE } from "./embedded.ts";
import { installedPath, readInstalled } from "./installed.ts";
import { findViolations } from "./invariants.ts";
import { GO_BACK, openBytes, openFile, type OpenSnapshot, requireWhole, SnapshotError } from "./open.ts";
import { ROWS_WITH_TAIL } from "./company-rows.ts";
import { type Dataset, rowKeys } from "./dataset.ts";
import { datasetOf } from "./read-snapshot.ts";
import { readRecords } from "./read-records.ts";
import { rowTail } from "./row-json.ts";
import { checkSeal } from "./seal.ts";
import { requireInstalled } from "./snapshots.ts";

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
  if (path !== undefined) return consistent(path, datasetOf(openVerified(path), "installed"));
  const { current } = readInstalled(dataDir);
  if (current !== null) {
    const file = installedPath(dataDir, current);
    const snapshot = requireInstalled(file, current, openVerified(file, GO_BACK));
    return consistent(file, datasetOf(snapshot, "installed"));
  }
  const bytes = embeddedBytes();
  const found = checkSeal(bytes);
  if (found === undefined || found.actualHash !== found.seal.contentHash)
    throw new SnapshotError("damaged", DAMAGED_EXECUTABLE);
  return consistent(`the snapshot ${INSIDE}`, datasetOf(openBytes(INSIDE, bytes), "embedded"));
}

function openVerified(path: string, advice?: string): OpenSnapshot {
  // Opened first: messages about a newer format or a truncated file are clearer than a different hash.
  openFile(path).database.close();
  requireWhole(path, advice);
  return openFile(path);
}

function consistent(name: string, dataset: Dataset): Verified {
  const [first, ...more] = dataset.all<{ integrity_check: string }>("pragma integrity_check");
  if (first?.integrity_check === "ok" && more.length === 0) return { name, dataset };
  throw new SnapshotError(
    "damaged",
    `${name} is sealed but SQLite finds it inconsistent: ${first?.integrity_check ?? "no answer"}. Build it again.`,
  );
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
    const rederived = assembled.rows.map((row) => rowTail(record.cik, record.name, row));
    assembled.rows.forEach(({ fiscalYear, executiveId }, index) => {
      const row = `${record.cik} ${executiveId} ${fiscalYear}`;
      if (rederived[index] !== rowJson[index])
        found.push(`${row}: the served row differs from what its filings give`);
    });
    if (rowJson.length !== rederived.length)
      found.push(`${record.cik}: serves ${rowJson.length} rows; its filings give ${rederived.length}`);
    if (tailsByPlace(dataset, record.cik).join() !== rowJson.join())
      found.push(`${record.cik}: the stored positions of its rows do not match their text`);
  }
  return found;
}

/** The texts of a company's rows, read one by one by their stored positions; SQL by hand, as questions read them. */
function tailsByPlace(dataset: Dataset, cik: string): string[] {
  const sql = `select tail from ${ROWS_WITH_TAIL} r where r.id >= ? and r.id < ? order by r.id`;
  return dataset.all<{ tail: string }>(sql, ...rowKeys(cik)).map(({ tail }) => tail);
}
