/** Everything that can be checked of a snapshot that opens: its bytes, SQLite's own structure, and that its rows follow from its observations. */
import { assemble } from "./assemble.ts";
import { embeddedBytes } from "./embedded.ts";
import { installedPath, readInstalled } from "./installed.ts";
import { findViolations } from "./invariants.ts";
import { openBytes, openFile, requireWhole, SnapshotError } from "./open.ts";
import { rowsOfFormat } from "./company-rows.ts";
import { type Dataset, rowKey } from "./dataset.ts";
import { datasetOf } from "./reader.ts";
import { readRecords } from "./record-reader.ts";
import { rowTail } from "./row-json.ts";
import { checkBytes } from "./seal.ts";

/** A snapshot of which every byte is as it was sealed. */
export interface Verified {
  /** What was checked: a path, or words for the embedded one. */
  name: string;
  dataset: Dataset;
}

/**
 * Checks every byte of the file against its seal and opens it; without a path, of the snapshot in use.
 * @throws SnapshotError when anything is not as it was written
 */
export function verifySnapshot(dataDir: string, path?: string): Verified {
  const { current } = readInstalled(dataDir);
  const file = path ?? (current === null ? undefined : installedPath(dataDir, current));
  if (file === undefined) return verifyEmbedded();
  // The header's word on a newer format or a cut file is clearer than a hash that differs.
  openFile(file).database.close();
  const contentHash = requireWhole(file);
  if (path === undefined && contentHash !== current?.contentHash) {
    throw new SnapshotError(
      "damaged",
      `${file} is whole, but not the snapshot that was installed. Run \`execcomp data rollback\`, or install it again.`,
    );
  }
  return checked(file, datasetOf(openFile(file), "installed"));
}

function verifyEmbedded(): Verified {
  const name = "the snapshot inside this executable";
  const bytes = embeddedBytes();
  const found = checkBytes(bytes);
  if (found === undefined || found.actualHash !== found.seal.contentHash) {
    throw new SnapshotError("damaged", `${name} is damaged. Fetch execcomp again.`);
  }
  return checked(name, datasetOf(openBytes(name, bytes), "embedded"));
}

function checked(name: string, dataset: Dataset): Verified {
  const [first, ...more] = dataset.all<{ integrity_check: string }>("pragma integrity_check");
  if (first?.integrity_check !== "ok" || more.length > 0) {
    throw new SnapshotError(
      "damaged",
      `${name} is sealed, but SQLite finds it inconsistent: ${first?.integrity_check ?? "no answer"}. Build it again.`,
    );
  }
  return { name, dataset };
}

/**
 * Derives every row again from the observations and compares: each difference, and each violation of an invariant,
 * in a sentence that names the row. Empty when all is well. Takes about a second per 20,000 rows.
 */
export function rederive(dataset: Dataset): string[] {
  const found: string[] = [];
  for (const record of readRecords(dataset)) {
    const assembled = assemble(record);
    found.push(...findViolations(record, assembled));
    const held = dataset.years(record.cik);
    const years = assembled.years.map(
      ({ fiscalYear, complete }) => `${fiscalYear}${complete ? "" : " incomplete"}`,
    );
    const heldYears = held.map(({ fiscalYear, complete }) => `${fiscalYear}${complete ? "" : " incomplete"}`);
    if (years.join() !== heldYears.join()) {
      found.push(
        `${record.cik}: serves the years ${heldYears.join(", ")}; its filings give ${years.join(", ")}`,
      );
    }
    const rowJson = held.flatMap((year) => year.rowJson);
    const made = assembled.rows.map((row) => rowTail(record.cik, record.name, row));
    assembled.rows.forEach(({ fiscalYear, executiveId }, index) => {
      if (made[index] !== rowJson[index]) {
        found.push(`${record.cik} ${executiveId} ${fiscalYear}: the row served is not what its filings give`);
      }
    });
    if (rowJson.length !== made.length) {
      found.push(`${record.cik}: serves ${rowJson.length} rows; its filings give ${made.length}`);
    }
    if (tailsByPlace(dataset, record.cik).join() !== rowJson.join()) {
      found.push(`${record.cik}: the places of its rows are not those of their text`);
    }
  }
  return found;
}

/** The texts of a company's rows as whoever wants single ones finds them. */
function tailsByPlace(dataset: Dataset, cik: string): string[] {
  return dataset
    .all<{ tail: string }>(
      `select tail from ${rowsOfFormat(dataset.info.format)} r where r.id >= ? and r.id < ? order by r.id`,
      rowKey(Number(cik), 0),
      rowKey(Number(cik) + 1, 0),
    )
    .map(({ tail }) => tail);
}
