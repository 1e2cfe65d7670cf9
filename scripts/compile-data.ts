/**
 * Compiles `data/` into `data/snapshot.sqlite`, the dataset of the executable. The same files produce the same bytes; a
 * row that violates an invariant of the contract stops the compile and is named.
 *
 *     bun scripts/compile-data.ts                 compile
 *     bun scripts/compile-data.ts --if-stale      compile unless the snapshot is newer than every input
 *     bun scripts/compile-data.ts --pin           first assign ids to new spellings and write them into the company files
 *     bun scripts/compile-data.ts --out FILE --data DIR
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { unproved } from "./proof.ts";
import { companyPath, readCompanyFile, writeCompanyFile } from "./company-file.ts";
import { identifyPeople } from "../src/dataset/people.ts";
import { type CeoTotal, type PeoTag, readCeoTotals, readPeoTags, tagOf } from "../src/dataset/peo-tags.ts";
import { NO_REFERENCE, readReference, readSymbolFile, tableLines } from "../src/dataset/reference-file.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  NO_RECORD,
  NOT_READ,
} from "../src/dataset/record.ts";
import { InvariantError, writeSnapshot, type Written } from "../src/dataset/writer.ts";

const ROOT = join(import.meta.dir, "..");

/** The company files of the data folder, by CIK. */
export function companyFiles(dataDir: string): string[] {
  const top = join(dataDir, "companies");
  return readdirSync(top)
    .flatMap((folder) => readdirSync(join(top, folder)).map((name) => join(top, folder, name)))
    .filter((path) => path.endsWith(".jsonl"))
    .sort((a, b) => (a.slice(-16) < b.slice(-16) ? -1 : 1));
}

/** Reads one company file and checks that it is in the right place. @throws Error naming the file */
export function readCompany(dataDir: string, path: string): CompanyRecord {
  const record = readCompanyFile(readFileSync(path, "utf8"), relative(ROOT, path));
  if (join(dataDir, companyPath(record.cik)) !== path) {
    throw new Error(
      `${relative(ROOT, path)}: holds ${record.cik}, whose place is ${companyPath(record.cik)}`,
    );
  }
  return record;
}

/**
 * Compiles a data folder.
 * @throws InvariantError, or Error naming file and line if a file cannot be read or a spelling has no pinned id
 */
export function compileData(dataDir: string, out: string): Written {
  const edition = readFileSync(join(dataDir, "edition.txt"), "utf8").trim();
  const listed = readSymbolFile(readFileSync(join(dataDir, "symbols.tsv"), "utf8"), "data/symbols.tsv");
  const folder = join(dataDir, "reference");
  const reference = existsSync(folder) ? readReference(folder) : NO_REFERENCE;
  const names = new Map([...reference.registrants, ...listed].map(({ cik, name }) => [cik, name]));
  const records = withNewestProxies(dataDir, names, pinnedRecords(dataDir));
  return writeSnapshot(out, { edition, listed, reference, peoTags: peoTagsOf(dataDir), records });
}

/** Adds the filings that `data/reference` knows to the records, as pending ones; by CIK, as the records are. */
function* withNewestProxies(
  dataDir: string,
  names: ReadonlyMap<string, string>,
  records: Iterable<CompanyRecord>,
): Generator<CompanyRecord> {
  const path = join(dataDir, "reference/newest-proxies.tsv");
  const lines = existsSync(path)
    ? tableLines(readFileSync(path, "utf8"), "data/reference/newest-proxies.tsv")
    : [];
  const listed = lines.map(([cik = "", accession = "", document = "", filingDate = ""]) => {
    return { cik, accession, document, filingDate };
  });
  const known = new Map<string, Map<string, FilingRecord>>();
  for (const { cik, accession, document, filingDate } of [...listed, ...ceoTotalsOf(dataDir)]) {
    const folder = `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/`;
    const filing = { ...NOT_READ, form: null, accession, filingDate, url: `${folder}${document}` };
    known.getOrInsertComputed(cik, () => new Map()).getOrInsert(accession, filing);
  }
  const merged = (record: CompanyRecord): CompanyRecord => {
    const filings = new Map(known.get(record.cik));
    known.delete(record.cik);
    for (const filing of record.filings) filings.set(filing.accession, filing);
    return { ...record, filings: [...filings.values()].sort(byFilingDate) };
  };
  const ciks = [...known.keys()].sort();
  let at = 0;
  const until = function* (next: string) {
    for (let cik = ciks[at]; cik !== undefined && cik < next; cik = ciks[++at])
      if (known.has(cik)) yield merged({ ...NO_RECORD, cik, name: names.get(cik) ?? "" });
  };
  for (const record of records) {
    yield* until(record.cik);
    yield merged(record);
  }
  yield* until("9".repeat(11));
}

function* pinnedRecords(dataDir: string): Generator<CompanyRecord> {
  const missing: string[] = [];
  const failed: string[] = [];
  const totals = Map.groupBy(ceoTotalsOf(dataDir), ({ cik }) => cik);
  for (const path of companyFiles(dataDir)) {
    const record = readCompany(dataDir, path);
    for (const { spelling, executiveId } of identifyPeople(record).newPins) {
      missing.push(`${record.cik} ${record.name}: "${spelling}" (would be ${executiveId})`);
    }
    failed.push(...unproved(record, totals.get(record.cik) ?? []));
    yield record;
  }
  if (failed.length > 0) throw new InvariantError(failed);
  if (missing.length > 0) {
    throw new InvariantError(
      missing.map((line) => `${line} has no pinned id; give it one with: bun scripts/compile-data.ts --pin`),
    );
  }
}

/** Writes the ids of new spellings into the company files. Returns the number of ids assigned. */
function pinNames(dataDir: string): number {
  let given = 0;
  for (const path of companyFiles(dataDir)) {
    const record = readCompany(dataDir, path);
    const { pins, newPins } = identifyPeople(record);
    given += newPins.length;
    if (newPins.length > 0) writeFileSync(path, writeCompanyFile({ ...record, pins }));
  }
  return given;
}

/** Totals of principal executive officers: as proxies print them under the filer's label, and as tagged, if the folder has them. */
export function peoTagsOf(dataDir: string): PeoTag[] {
  const path = join(dataDir, "reference/ceo-pay.tsv");
  const tagged = existsSync(path) ? readPeoTags(readFileSync(path, "utf8")) : [];
  return [...ceoTotalsOf(dataDir).map(tagOf), ...tagged];
}

/** The totals that proxies print for up to five years, if the folder has them. */
export function ceoTotalsOf(dataDir: string): CeoTotal[] {
  const path = join(dataDir, "reference/ceo-totals.tsv");
  return existsSync(path) ? readCeoTotals(readFileSync(path, "utf8")) : [];
}

/** Compresses the list of known proxies, which is shipped next to the snapshot, not in it. @returns its bytes */
function packKnownProxies(dataDir: string, out: string): number {
  const text = readFileSync(join(dataDir, "reference/known-proxies.tsv"));
  tableLines(text.toString("utf8"), "data/reference/known-proxies.tsv");
  const packed = Bun.zstdCompressSync(text, { level: 19 });
  writeFileSync(out, packed);
  return packed.length;
}

/** Whether the snapshot is newer than the data and the code that compiles it. */
function isFresh(dataDir: string, out: string): boolean {
  if (!existsSync(out) || !existsSync(join(dataDir, "known-proxies.zst"))) return false;
  const writtenMs = statSync(out).mtimeMs;
  const folders = [join(ROOT, "src/dataset"), join(ROOT, "src/domain"), join(dataDir, "reference")];
  const inputs = [
    ...companyFiles(dataDir),
    join(dataDir, "symbols.tsv"),
    join(dataDir, "edition.txt"),
    join(import.meta.dir, "company-file.ts"),
    ...folders.filter(existsSync).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))),
  ];
  return inputs.every((path) => statSync(path).mtimeMs <= writtenMs);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      "if-stale": { type: "boolean", default: false },
      pin: { type: "boolean", default: false },
      data: { type: "string", default: join(ROOT, "data") },
      out: { type: "string" },
    },
  });
  const out = values.out ?? join(values.data, "snapshot.sqlite");
  try {
    if (values.pin) console.log(`${pinNames(values.data)} spellings pinned`);
    if (values["if-stale"] && isFresh(values.data, out)) process.exit(0);
    if (values.out === undefined) packKnownProxies(values.data, join(values.data, "known-proxies.zst"));
    const { companiesWithRows, filings, observations, rows, contentHash } = compileData(values.data, out);
    console.log(
      `${relative(process.cwd(), out)}: ${rows} rows of ${companiesWithRows} companies, from ${observations} observations and ${filings} filings, ${contentHash.slice(0, 16)}`,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
