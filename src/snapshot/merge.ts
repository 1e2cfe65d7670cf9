/**
 * Adds what was read of one filing to a company's record: the one way in for the pipeline, whether it writes a snapshot
 * (`execcomp ingest`) or a file of `data/` (`scripts/import-filings.ts`). Other filings' observations are never touched.
 */
import { AMOUNTS } from "../domain/compensation.ts";
import { displayName, executiveId } from "../domain/executive.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  type GridLine,
  type Observation,
  type OfficeFlag,
  type OfficeSpan,
  type Problem,
} from "./record.ts";

/** Everything that one filing says; a pending, refused or failed one has no observations. */
export interface Reading {
  filing: FilingRecord;
  observations: readonly Observation[];
  offices: readonly OfficeSpan[];
  grids: readonly GridLine[];
  problems: readonly Problem[];
}

/** What is known of a registrant besides its filings. */
export interface CompanyFacts {
  cik: string;
  name: string;
  fiscalYearEnd: string | null;
  symbols: readonly string[];
}

/** A company of which nothing was read yet. */
export function emptyRecord(facts: CompanyFacts): CompanyRecord {
  return { ...facts, filings: [], observations: [], pins: [], offices: [], grids: [], problems: [] };
}

/**
 * The record with the reading in it. A filing that was read before by the pipeline is read anew, whole. One that was
 * transcribed by eye keeps its rows and gains the cells: both readings are of the same document, and where they differ
 * a problem `readings_differ` names both sides while the transcribed amount stands.
 * A filing that is merely known, refused or failed never replaces one that was read.
 */
export function addReading(record: CompanyRecord, reading: Reading): CompanyRecord {
  const { accession } = reading.filing;
  const before = record.filings.find((filing) => filing.accession === accession);
  if (before?.status === "parsed" && reading.filing.status !== "parsed") return record;
  const held = record.observations.filter((row) => row.accession === accession);
  const merged =
    before?.read === "transcribed" && held.length > 0 ? mergeReadings(held, before, reading) : reading;
  const others = <Of extends { accession: string }>(list: readonly Of[]) =>
    list.filter((one) => one.accession !== accession);
  const keptProblems =
    merged === reading
      ? []
      : record.problems.filter((one) => one.accession === accession && one.step === "transcribe");
  return {
    ...record,
    ...newestFacts(record, merged.filing),
    filings: [...others(record.filings), merged.filing].sort(byFilingDate),
    observations: [...others(record.observations), ...merged.observations],
    offices: [...others(record.offices), ...merged.offices],
    grids: [...others(record.grids), ...merged.grids],
    problems: [...others(record.problems), ...keptProblems, ...merged.problems],
  };
}

/** A newer filing's symbol and fiscal year end stand for the company; the record's name is set by whoever knows it. */
function newestFacts(
  record: CompanyRecord,
  filing: FilingRecord,
): Pick<CompanyRecord, "symbols" | "fiscalYearEnd"> {
  const newest = record.filings.every((other) => byFilingDate(other, filing) <= 0);
  const symbols = filing.symbol === null ? record.symbols : [...new Set([...record.symbols, filing.symbol])];
  return {
    symbols,
    fiscalYearEnd:
      filing.periodEnd !== null && (newest || record.fiscalYearEnd === null)
        ? filing.periodEnd.slice(5)
        : record.fiscalYearEnd,
  };
}

/** Two readings of one document: the eye's rows, with the pipeline's cells, checks and evidence. */
function mergeReadings(held: readonly Observation[], before: FilingRecord, reading: Reading): Reading {
  const { accession } = reading.filing;
  const problems: Problem[] = [];
  const differ = (position: number, message: string) =>
    problems.push({ accession, position, step: "merge", code: "readings_differ", message });
  const keyOf = ({ name, fiscalYear }: Observation) => `${executiveId(displayName(name))} ${fiscalYear}`;
  const read = new Map(reading.observations.map((row) => [keyOf(row), row]));
  const placeOf = new Map<number, number>();
  const observations = held.map((row) => {
    const other = read.get(keyOf(row));
    if (other === undefined) {
      differ(row.position, `${row.name} ${row.fiscalYear} was transcribed, and not found by the pipeline`);
      return row;
    }
    read.delete(keyOf(row));
    placeOf.set(other.position, row.position);
    const fields = AMOUNTS.filter((field) => row.amounts[field] !== other.amounts[field]);
    for (const field of fields) {
      differ(
        row.position,
        `${field}: transcribed ${row.amounts[field] / 100}, read by the pipeline ${other.amounts[field] / 100}`,
      );
    }
    return {
      ...row,
      label: other.label ?? row.label,
      period: row.period ?? other.period,
      peo: strongerFlag(row.peo, other.peo),
      pfo: strongerFlag(row.pfo, other.pfo),
      checks: [...new Set([...row.checks, ...other.checks, ...(fields.length === 0 ? ["read_twice"] : [])])],
      cells: other.cells,
    };
  });
  for (const row of read.values()) {
    problems.push({
      accession,
      position: null,
      step: "merge",
      code: "readings_differ",
      message: `${row.name} ${row.fiscalYear} was read by the pipeline in row ${row.position}, and not transcribed`,
    });
  }
  const moved = reading.problems.flatMap((problem) => {
    if (problem.position === null) return [problem];
    const position = placeOf.get(problem.position);
    return position === undefined ? [] : [{ ...problem, position }];
  });
  return {
    ...reading,
    filing: {
      ...before,
      ...reading.filing,
      form: before.form ?? reading.filing.form,
      filingDate: before.filingDate ?? reading.filing.filingDate,
      periodEnd: before.periodEnd ?? reading.filing.periodEnd,
      symbol: before.symbol ?? reading.filing.symbol,
      url: before.url ?? reading.filing.url,
    },
    observations,
    problems: [...moved, ...problems],
  };
}

/** A flag that was decided by eye stands against the pipeline's, unless only the latter has a date or tag for it. */
function strongerFlag(eye: OfficeFlag, pipeline: OfficeFlag): OfficeFlag {
  if (eye.held === pipeline.held)
    return eye.evidence === "dated" || pipeline.evidence === "none" ? eye : pipeline;
  if (eye.held === null) return pipeline;
  return eye;
}
