/**
 * Makes a large dataset: the real rows, each company copied under new CIKs, accessions and symbols; three of four copies have
 * different executive names, since few people work for two companies.
 *
 *     bun run bench dataset FILE [--rows 500000]
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Reference, readReference } from "../../src/dataset/reference-file.ts";
import type { CompanyRecord } from "../../src/dataset/record.ts";
import { assemble } from "../../src/dataset/assemble.ts";
import { writeSnapshot } from "../../src/dataset/writer.ts";
import { companyFiles, readCompany } from "../compile-data.ts";

const ROOT = join(import.meta.dir, "..", "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: "string", default: "500000" } },
});
const [file] = positionals;
if (file === undefined) throw new Error("which file? bun run bench dataset FILE");
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
  // The first copy keeps its symbol: the probe asks for AAPL. No real symbol begins with a digit.
  const own = copy === 0 ? record.symbols[0] : undefined;
  const symbol = own ?? `0${(copy * 1000 + index).toString(36).toUpperCase()}`;
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
    observations: rename(record.observations).map(({ amounts, ...row }) => {
      const more = row.placeholder ? 0 : copy * 100;
      const [salary, total] = [amounts.salary + more, amounts.total_compensation + more];
      return {
        ...row,
        name: nameIn(copy, row.name),
        amounts: { ...amounts, salary, total_compensation: total },
      };
    }),
    pins: record.pins.map(({ executiveId, spelling }) => ({
      executiveId: nameIn(copy, executiveId),
      spelling: nameIn(copy, spelling),
    })),
    offices: rename(record.offices).map((term) => ({ ...term, name: nameIn(copy, term.name) })),
    grids: rename(record.grids),
    problems: rename(record.problems),
  };
}

/** The facts of every copy: those of the original company. Only the first copy is in the index today: it has no 50,000 members. */
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
    members: copied(reference.members)
      .map((member) =>
        member.cik < copyCik(1, 0) ? member : { ...member, added: "1990-01-01", removed: "1991-01-01" },
      )
      .sort(byCik),
    formerSymbols: [],
  };
}

const cpu = () => Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros / 1e6, 0);
/** CPU seconds that making the records took, which is no part of a compile. */
let making = cpu();

function* synthetic(): Generator<CompanyRecord> {
  for (let copy = 0; copy < copyCount; copy++) {
    for (const [index, record] of real.entries()) {
      making -= cpu();
      const company = copyOf(record, copy, index);
      making += cpu();
      yield company;
    }
  }
}

const written = writeSnapshot(file, {
  edition: "2026-01-01",
  listed: [],
  reference: copiedReference(),
  records: synthetic(),
});
console.log({ ...written, bytes: statSync(file).size, makingCpuSeconds: making });
