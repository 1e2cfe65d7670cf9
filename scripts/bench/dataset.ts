/**
 * Compares a large dataset with the small one: build, size, opening, and reading one company's rows from a cold and a
 * warm dataset. The rows are the real ones, each company copied under new CIKs, accessions and symbols; three of four
 * copies have different executive names, since few people work for two companies.
 *
 *     bun run bench dataset [--rows 500000] [--keep FILE]
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBytes, openFile } from "../../src/dataset/open.ts";
import type { Dataset } from "../../src/dataset/dataset.ts";
import { datasetOf } from "../../src/dataset/reader.ts";
import { type Reference, readReference } from "../../src/dataset/reference-file.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { checkFile } from "../../src/dataset/seal.ts";
import { assemble } from "../../src/dataset/assemble.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { companyFiles, readCompany } from "../compile-data.ts";

const ROOT = join(import.meta.dir, "..", "..");
const { values } = parseArgs({
  options: { rows: { type: "string", default: "500000" }, keep: { type: "string" } },
});
const DATA = join(ROOT, "data");
const real = companyFiles(DATA)
  .map((path) => readCompany(DATA, path))
  .filter(({ observations }) => observations.length > 0);
const rowsOnce = real.reduce((sum, record) => sum + assemble(record).rows.length, 0);
const copyCount = Math.ceil(Number(values.rows) / rowsOnce);

const copyCik = (copy: number, index: number) => String(1_000_000_000 + copy * 1000 + index);

/** Another person's name: the last long word with two more letters. Every fourth copy keeps the names. */
function nameIn(copy: number, name: string): string {
  if (copy % 4 === 0) return name;
  const letter = (place: number) => String.fromCharCode(97 + (place % 26));
  return name.replace(/(\p{L}{3,})(?!.*\p{L}{3})/u, `$1${letter(Math.floor(copy / 26))}${letter(copy)}`);
}

/** The company under its copy's CIK, with the same shape and amounts. */
function copyOf(record: CompanyRecord, copy: number, index: number): CompanyRecord {
  const cik = copyCik(copy, index);
  const renamed = new Map(
    record.filings.map(({ accession }, place) => [
      accession,
      `${cik}-${accession.slice(11, 13)}-${String(place + 1).padStart(6, "0")}`,
    ]),
  );
  const rename = <Of extends { accession: string }>(list: readonly Of[]) =>
    list.map((one) => ({ ...one, accession: renamed.get(one.accession) ?? "" }));
  const symbol = `${(copy * 1000 + index).toString(36).toUpperCase()}X`;
  return {
    ...record,
    cik,
    name: `${record.name} ${copy}`,
    symbols: [symbol],
    filings: rename(record.filings).map((filing) => ({
      ...filing,
      symbol,
      url:
        filing.url === null
          ? null
          : `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${filing.accession.replaceAll("-", "")}/proxy.htm`,
    })),
    // A few dollars more in every copy, so that amounts are as distinct as in reality.
    observations: rename(record.observations).map((row) => ({
      ...row,
      name: nameIn(copy, row.name),
      amounts: row.placeholder
        ? row.amounts
        : {
            ...row.amounts,
            salary: row.amounts.salary + copy * 100,
            total_compensation: row.amounts.total_compensation + copy * 100,
          },
    })),
    pins: record.pins.map(({ executiveId, spelling }) => ({
      executiveId: nameIn(copy, executiveId),
      spelling: nameIn(copy, spelling),
    })),
    offices: rename(record.offices).map((term) => ({ ...term, name: nameIn(copy, term.name) })),
    grids: rename(record.grids),
    problems: rename(record.problems),
  };
}

/** The facts of every copy: those of the original company. */
function copiedReference(): Reference {
  const reference = readReference(join(DATA, "reference"));
  const copies = new Map(
    real.map((record, index) => [
      record.cik,
      Array.from({ length: copyCount }, (_, copy) => copyCik(copy, index)),
    ]),
  );
  const copied = <Of extends { cik: string }>(list: readonly Of[]) =>
    list.flatMap((one) => (copies.get(one.cik) ?? []).map((cik) => ({ ...one, cik })));
  const byCik = (a: { cik: string }, b: { cik: string }) => (a.cik < b.cik ? -1 : a.cik > b.cik ? 1 : 0);
  return {
    ...reference,
    registrants: copied(reference.registrants).sort(byCik),
    formerNames: copied(reference.formerNames).sort(byCik),
    members: copied(reference.members).sort(byCik),
    formerSymbols: [],
  };
}

function* synthetic(): Generator<CompanyRecord> {
  for (let copy = 0; copy < copyCount; copy++) {
    for (const [index, record] of real.entries()) yield copyOf(record, copy, index);
  }
}

const folder = mkdtempSync(join(tmpdir(), "execcomp-bench-"));
try {
  const large = values.keep ?? join(folder, "large.sqlite");
  const small = join(folder, "small.sqlite");
  const began = performance.now();
  const written = writeSnapshot(large, {
    edition: "2026-01-01",
    listed: [],
    reference: copiedReference(),
    records: synthetic(),
  });
  const seconds = (performance.now() - began) / 1000;
  writeSnapshot(small, { edition: "2026-01-01", listed: [], records: real.values() });
  const size = statSync(large).size;
  console.log(
    `rows            ${written.rows} of ${written.companiesWithRows} companies, ${written.observations} observations`,
  );
  console.log(`build           ${seconds.toFixed(1)} s, ${Math.round(written.rows / seconds)} rows a second`);
  console.log(
    `size            ${(size / 1e6).toFixed(1)} MB, ${Math.round(size / written.rows)} bytes a row`,
  );
  const hashed = performance.now();
  checkFile(large);
  console.log(`hash            ${(performance.now() - hashed).toFixed(0)} ms`);
  const opened = best(5, () => datasetOf(openFile(large), "installed").tickers);
  const openedSmall = best(5, () => datasetOf(openBytes("small", readFileSync(small)), "embedded").tickers);
  console.log(`open            ${opened.toFixed(2)} ms (small, in memory: ${openedSmall.toFixed(2)} ms)`);
  const datasets = {
    large: datasetOf(openFile(large), "installed"),
    small: datasetOf(openFile(small), "installed"),
  };
  for (const [what, spread] of [
    ["the same hundred companies over and over", 100],
    ["different companies each time, their pages not yet in this process", Infinity],
  ] as const) {
    const costs = { large: Infinity, small: Infinity };
    for (let round = 0; round < 6; round++) {
      costs.large = Math.min(costs.large, queryCost(datasets.large, round, spread));
      costs.small = Math.min(costs.small, queryCost(datasets.small, round, spread));
    }
    console.log(
      `a company's rows from SQLite, no cache of ours, ${what}: large ${costs.large.toFixed(1)} us, small ${costs.small.toFixed(1)} us, ratio ${(costs.large / costs.small).toFixed(2)}`,
    );
  }
  console.log(`resident        ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB after all this`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Microseconds to read one company's rows with one prepared statement, bypassing the cache of `Dataset`. */
function queryCost(dataset: Dataset, round: number, spread: number): number {
  const ciks = dataset
    .all<{ cik: number }>("select cik from companies where row_count > 0 order by cik")
    .map(({ cik }) => cik);
  const step = Math.max(1, Math.floor(ciks.length / spread));
  const asked = Array.from({ length: 2000 }, (_, index) => {
    const place = spread === Infinity ? (index + round * 2000) * 7919 : ((index * 37) % spread) * step;
    return ciks[place % ciks.length] ?? 0;
  });
  const began = performance.now();
  let rowJson = 0;
  for (const cik of asked) {
    rowJson += dataset.all("select years, json from company_rows where cik = ?", cik).length;
  }
  const cost = ((performance.now() - began) * 1000) / asked.length;
  if (rowJson < asked.length) throw new Error("companies without rows were requested");
  return cost;
}

function best(rounds: number, work: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}
