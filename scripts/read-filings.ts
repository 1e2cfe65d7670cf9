/**
 * Reads the real filings beside the checkout that have rows, an accession and a CIK into `data/`, with the cell of
 * every amount.
 *
 *     bun scripts/read-filings.ts [--filings DIR] [--dry]
 *
 * If a filing's rows were entered manually before, the two are compared row by row. A filing whose amounts, years or
 * names differ is left unchanged, and the differences are printed for review; the script then exits 1. Reading the same
 * documents again changes nothing.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { AMOUNTS } from "../src/domain/row-fields.ts";
import { parseFiling } from "../src/reader/pipeline.ts";
import { merge } from "../src/ingest/merge.ts";
import { ingestedFiling, type IngestedFiling } from "../src/ingest/ingested-filing.ts";
import { companyPath } from "../src/dataset/company-file/format.ts";
import { readCompanyFile } from "../src/dataset/company-file/read.ts";
import { writeCompanyFile } from "../src/dataset/company-file/write.ts";
import type { CompanyRecord, Observation, OfficeFlag } from "../src/dataset/record.ts";

const ROOT = join(import.meta.dir, "..");

/** One line of `manifest.csv`. */
interface Entry {
  readonly file: string;
  readonly cik: string;
  readonly ticker: string;
  readonly company: string;
  readonly form: string;
  readonly accession: string;
  readonly filed: string;
  readonly expect: string;
}

function manifest(dir: string): Entry[] {
  const [, ...lines] = readFileSync(join(dir, "manifest.csv"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
      (match) => match[1] ?? match[2] ?? "",
    );
    const [
      file = "",
      cik = "",
      ticker = "",
      company = "",
      form = "",
      accession = "",
      filed = "",
      expect = "",
    ] = cells;
    return { file, cik, ticker, company, form, accession, filed, expect };
  });
}

/**
 * The differences between the rows entered manually and those read, except flags, which depend on other filings too.
 */
function differences(typed: readonly Observation[], read: readonly Observation[]): string[] {
  const out: string[] = [];
  const key = (row: Observation): string => `${row.name} ${row.fiscalYear}`;
  const byKey = new Map(read.map((row) => [key(row), row]));
  for (const row of typed) {
    const other = byKey.get(key(row));
    byKey.delete(key(row));
    if (other === undefined) {
      out.push(`${key(row)}: not read`);
      continue;
    }
    for (const field of AMOUNTS) {
      if (row.amounts[field] !== other.amounts[field])
        out.push(
          `${key(row)} ${field}: typed ${row.amounts[field] / 100}, read ${other.amounts[field] / 100}`,
        );
    }
    if (row.role !== other.role)
      out.push(`${key(row)} role: typed "${row.role ?? ""}", read "${other.role ?? ""}"`);
    // A year without amounts is a row for the holder of an office in it (Tesla's dashes), and a placeholder for others.
    const idle = other.placeholder && other.peo.held !== true && other.pfo.held !== true;
    if (row.placeholder !== idle) out.push(`${key(row)} placeholder: typed ${row.placeholder}, read ${idle}`);
  }
  for (const name of byKey.keys()) out.push(`${name}: read, but not typed`);
  return out;
}

function flagDifferences(typed: readonly Observation[], read: readonly Observation[]): string[] {
  return typed.flatMap((row) => {
    const other = read.find((one) => one.name === row.name && one.fiscalYear === row.fiscalYear);
    if (other === undefined) return [];
    return (["peo", "pfo"] as const).flatMap((office) =>
      row[office].held === null || row[office].held === other[office].held
        ? []
        : [
            `${row.name} ${row.fiscalYear} ${office}: typed ${row[office].held}, read ${other[office].held} (${other[office].because ?? ""})`,
          ],
    );
  });
}

/** What could not be decided manually stays open if the pipeline has no evidence either. */
function undecided(typed: OfficeFlag, read: OfficeFlag): OfficeFlag {
  return typed.held === null && read.evidence === "none" ? typed : read;
}

/** The company's record with the filing as the pipeline reads it; remarks from the manual entry are kept. */
function withReading(base: CompanyRecord | undefined, reading: IngestedFiling): CompanyRecord {
  const { accession } = reading.filing;
  const held = base?.filings.find((filing) => filing.accession === accession);
  const typed = base?.observations.filter((row) => row.accession === accession) ?? [];
  const observations = reading.observations.map((row) => {
    const before = typed.find((one) => one.name === row.name && one.fiscalYear === row.fiscalYear);
    if (before === undefined) return row;
    const peo = undecided(before.peo, row.peo);
    const pfo = undecided(before.pfo, row.pfo);
    return { ...row, peo, pfo, note: before.note, placeholder: before.placeholder };
  });
  const bare =
    base === undefined
      ? undefined
      : {
          ...base,
          filings: base.filings.map((filing) =>
            filing.accession === accession ? { ...filing, read: null, status: "pending" as const } : filing,
          ),
          observations: base.observations.filter((row) => row.accession !== accession),
          offices: base.offices.filter((span) => span.accession !== accession),
          grids: base.grids.filter((line) => line.accession !== accession),
          problems: base.problems.filter(
            (problem) => problem.accession !== accession || problem.code === "outside_knowledge",
          ),
        };
  const { record, left } = merge(bare, [
    {
      ...reading,
      observations,
      filing: { ...reading.filing, periodEnd: held?.periodEnd ?? reading.filing.periodEnd },
    },
  ]);
  if (left.length > 0) throw new Error(`${accession}: ${left[0]?.why ?? ""}`);
  return record;
}

function main(): number {
  const { values } = parseArgs({
    options: { filings: { type: "string" }, dry: { type: "boolean", default: false } },
  });
  const dir = values.filings ?? join(ROOT, "../shared/filings");
  if (!existsSync(dir)) {
    console.error(`No filings at ${dir}: give the folder with --filings DIR`);
    return 1;
  }
  let open = 0;
  for (const entry of manifest(dir).filter(
    ({ expect, accession, cik }) => expect === "rows" && accession !== "" && cik !== "",
  )) {
    const bytes = readFileSync(join(dir, entry.file));
    const path = join(ROOT, "data", companyPath(entry.cik));
    const base = existsSync(path) ? readCompanyFile(readFileSync(path, "utf8"), path) : undefined;
    const held = base?.filings.find((filing) => filing.accession === entry.accession);
    const known = {
      form: entry.form,
      accession: entry.accession,
      cik: entry.cik,
      companyName: base?.name ?? entry.company,
      filingDate: entry.filed,
    };
    const parsed = parseFiling(bytes, known);
    const company = {
      cik: entry.cik,
      name: entry.company,
      fiscalYearEnd: base?.fiscalYearEnd ?? null,
      symbols: entry.ticker === "" ? [] : [entry.ticker],
    };
    const facts = {
      accession: entry.accession,
      form: entry.form,
      filingDate: entry.filed,
      url: held?.url ?? null,
    };
    const reading = ingestedFiling(company, facts, createHash("sha256").update(bytes).digest("hex"), parsed);
    const typed = base?.observations.filter((row) => row.accession === entry.accession) ?? [];
    const differ =
      parsed.status === "refused"
        ? [`refused: ${parsed.reason ?? ""}`]
        : typed.length === 0
          ? []
          : differences(typed, reading.observations);
    console.log(
      `${entry.accession} ${entry.company}: ${reading.observations.length} rows read, ${typed.length} typed before, ${differ.length} differences`,
    );
    for (const line of [...differ, ...flagDifferences(typed, reading.observations)]) console.log(`  ${line}`);
    open += differ.length;
    if (differ.length > 0 || values.dry) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, writeCompanyFile(withReading(base, reading)));
  }
  return open === 0 ? 0 : 1;
}

process.exitCode = main();
