/** Merges parsed filings into a company's record. Pure: the result does not depend on the order of the filings. */
import { valueAt } from "../lib/checked-access.ts";
import { AMOUNTS } from "../domain/row-fields.ts";
import { assemble } from "../dataset/assemble.ts";
import type { DatasetProblem } from "../dataset/remarks.ts";
import { findViolations } from "../dataset/invariants.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  NO_RECORD,
  type Observation,
  type Problem,
} from "../dataset/record.ts";
import { type IngestedFiling, NO_CONTENT } from "./ingested-filing.ts";

/**
 * Adds parsed filings to a company's record. Filings never overwrite each other; a filing that is read again replaces its own
 * earlier result, but rows entered manually are kept if the two differ.
 *
 * @param base the existing record; undefined for a new company
 * @returns the record, whether it differs from before, and the filings left out: their rows would violate an invariant, so they
 *   are stored as `failed`
 */
export function merge(base: CompanyRecord | undefined, filings: readonly IngestedFiling[]) {
  const [first] = filings;
  if (first === undefined) throw new Error("no filings to merge");
  const ordered = filings.toSorted((a, b) => byFilingDate(a.filing, b.filing));
  let record = introduce(base, first.company);
  const left: { accession: string; why: string }[] = [];
  for (const ingested of ordered) {
    const added = pinned(add(record, ingested));
    const broken = violationsOf(added);
    if (broken.length === 0) {
      record = added;
      continue;
    }
    const { accession, status } = ingested.filing;
    const why = broken.slice(0, 3).join("; ");
    left.push({ accession, why });
    if (status !== "parsed") continue;
    const failed = add(record, asFailed(ingested, `the rows read violate an invariant of the data: ${why}`));
    if (violationsOf(failed).length === 0) record = failed;
  }
  return { record, changed: base === undefined || !Bun.deepEquals(record, base), left };
}

function introduce(base: CompanyRecord | undefined, company: IngestedFiling["company"]): CompanyRecord {
  if (base === undefined) return { ...NO_RECORD, ...company };
  const symbols = [...new Set([...base.symbols, ...company.symbols])];
  return {
    ...base,
    name: base.name === "" ? company.name : base.name,
    fiscalYearEnd: base.fiscalYearEnd ?? company.fiscalYearEnd,
    symbols: symbols.length === base.symbols.length ? base.symbols : symbols,
  };
}

/** Pins all ids of the record, so that later readings cannot change them. */
function pinned(record: CompanyRecord): CompanyRecord {
  const { newPins, pins } = assemble(record);
  return newPins.length === 0 ? record : { ...record, pins };
}

function violationsOf(record: CompanyRecord): string[] {
  return findViolations(record, assemble(record));
}

function add(record: CompanyRecord, ingested: IngestedFiling): CompanyRecord {
  const { accession } = ingested.filing;
  const existing = record.filings.find((filing) => filing.accession === accession);
  if (existing === undefined) return put(record, ingested);
  const existingRows = record.observations.filter((row) => row.accession === accession);
  // A failed reading does not remove what was read before.
  if (existingRows.length > 0 && ingested.filing.status !== "parsed")
    return existing.read === "collected" ? withUnread(record, ingested.filing) : record;
  if (existing.status !== "pending" && ingested.filing.status === "pending") return record;
  const metadata = {
    form: ingested.filing.form ?? existing.form,
    filingDate: ingested.filing.filingDate ?? existing.filingDate,
    url: ingested.filing.url ?? existing.url,
    symbol: ingested.filing.symbol ?? existing.symbol,
    periodEnd: ingested.filing.periodEnd ?? existing.periodEnd,
  };
  const completed = { ...ingested, filing: { ...ingested.filing, ...metadata } };
  // Nothing of collected rows is left beside the document.
  if (existing.read === "collected") return put(without(record, accession), completed);
  if (existing.read === "pipeline" || existingRows.length === 0) {
    const problems = [...completed.problems, ...changesOf(record, existing, completed)];
    const observations = completed.observations.map((row) => withRemarks(row, existingRows));
    return put(without(record, accession), { ...completed, observations, problems });
  }
  const differences = compare(existingRows, ingested.observations);
  if (differences.length === 0) {
    const seen = existingRows.map((row) => withProvenance(row, ingested.observations));
    const { sha256, captions } = ingested.filing;
    const filing: FilingRecord = { ...existing, read: "both", sha256, captions };
    const typed = record.problems.filter((one) => one.accession === accession && one.step === "transcribe");
    const problems = [...typed, ...placedAs(existingRows, ingested)];
    return put(without(record, accession), { ...ingested, filing, observations: seen, problems });
  }
  const isReported = record.problems.some(
    (one) => one.accession === accession && one.code === "reading_differs",
  );
  if (isReported) return record;
  const message = `the pipeline reads this filing differently; the manual entry stays: ${differences.slice(0, 5).join("; ")}`;
  const problem = { accession, position: null, step: "merge", code: "reading_differs", message };
  return { ...record, problems: [...record.problems, problem] };
}

/** Collected rows whose document cannot be read, so that it is not asked for again with all that is pending. */
function withUnread(record: CompanyRecord, { accession, status, reason }: FilingRecord): CompanyRecord {
  if (status === "pending") return record;
  const code: DatasetProblem = "document_unread";
  const others = record.problems.filter((one) => one.accession !== accession || one.code !== code);
  const message = `the document was ${status === "refused" ? "refused" : "not readable"}: ${reason ?? "no reason"}`;
  return { ...record, problems: [...others, { accession, position: null, step: "merge", code, message }] };
}

/** Kept merge problems of a filing, with a new one if its document has changed. */
function changesOf(record: CompanyRecord, existing: FilingRecord, { filing }: IngestedFiling): Problem[] {
  const { accession } = filing;
  const before = record.problems.filter((one) => one.accession === accession && one.step === "merge");
  if (existing.sha256 === null || filing.sha256 === null || existing.sha256 === filing.sha256) return before;
  const message = `EDGAR's document changed: ${existing.sha256.slice(0, 16)} was read before, ${filing.sha256.slice(0, 16)} now`;
  return [...before, { accession, position: null, step: "merge", code: "document_changed", message }];
}

function put(record: CompanyRecord, ingested: IngestedFiling): CompanyRecord {
  const { filing, observations, offices, grids, problems } = ingested;
  const filings = [...record.filings, filing].sort(byFilingDate);
  const place = new Map(filings.map(({ accession }, at) => [accession, at]));
  const byFiling = (a: { accession: string }, b: typeof a) =>
    valueAt(place, a.accession) - valueAt(place, b.accession);
  const order = (a: { accession: string; position: number | null }, b: typeof a) =>
    byFiling(a, b) || (a.position ?? 0) - (b.position ?? 0);
  return {
    ...record,
    filings,
    observations: [...record.observations, ...observations].sort(order),
    offices: [...record.offices, ...offices].sort(byFiling),
    grids: [...record.grids, ...grids].sort(byFiling),
    problems: [...record.problems, ...problems].sort(order),
  };
}

function without(record: CompanyRecord, accession: string): CompanyRecord {
  const others = (one: { accession: string }) => one.accession !== accession;
  return {
    ...record,
    filings: record.filings.filter(others),
    observations: record.observations.filter(others),
    offices: record.offices.filter(others),
    grids: record.grids.filter(others),
    problems: record.problems.filter(others),
  };
}

function asFailed(ingested: IngestedFiling, reason: string): IngestedFiling {
  const filing = { ...ingested.filing, status: "failed" as const, reason, currency: null, captions: {} };
  return { ...ingested, filing, ...NO_CONTENT, tags: ingested.tags };
}

/** Lists the differences between manual and read rows of a filing: different amounts, and rows that only one of them has. */
function compare(typed: readonly Observation[], read: readonly Observation[]): string[] {
  const found: string[] = [];
  for (const row of typed) {
    const twin = twinOf(row, read);
    if (twin === undefined) found.push(`${row.name} ${row.fiscalYear} was not read`);
    else {
      const fields = AMOUNTS.filter((field) => twin.amounts[field] !== row.amounts[field]);
      if (fields.length > 0) found.push(`${row.name} ${row.fiscalYear}: ${fields.join(", ")}`);
    }
  }
  const more = read.filter((row) => twinOf(row, typed) === undefined);
  return [...found, ...more.map((row) => `${row.name} ${row.fiscalYear} is not in the manual entry`)];
}

function twinOf(row: Observation, among: readonly Observation[]): Observation | undefined {
  const ofYear = among.filter(({ fiscalYear }) => fiscalYear === row.fiscalYear);
  const samePlace = ofYear.find(({ position }) => position === row.position);
  return samePlace ?? ofYear.find(({ name }) => name === row.name);
}

/** Keeps the remarks and the placeholder decision of an earlier row with the same amounts. */
function withRemarks(row: Observation, existing: readonly Observation[]): Observation {
  const twin = twinOf(row, existing);
  if (twin === undefined || !AMOUNTS.every((field) => twin.amounts[field] === row.amounts[field])) return row;
  return { ...row, note: row.note ?? twin.note, placeholder: twin.placeholder };
}

/** The manually entered row, with facts that only the reader supplies: cells, label, checks, and a date for an office. */
function withProvenance(row: Observation, read: readonly Observation[]): Observation {
  const twin = twinOf(row, read);
  if (twin === undefined) return row;
  return {
    ...row,
    label: twin.label ?? row.label,
    peo: dated(row.peo, twin.peo),
    pfo: dated(row.pfo, twin.pfo),
    checks: [...new Set([...twin.checks, "read_twice"])],
    cells: twin.cells,
  };
}

/** The manual decision on an office, with the reader's date or tag if that agrees. */
function dated(typed: Observation["peo"], read: Observation["peo"]): Observation["peo"] {
  const better = read.evidence === "dated" || read.evidence === "tag";
  return typed.held === read.held && typed.evidence !== "dated" && better ? read : typed;
}

/** The reader's problems, at the positions of the manual rows. */
function placedAs(
  typed: readonly Observation[],
  { observations, problems }: IngestedFiling,
): IngestedFiling["problems"] {
  return problems.flatMap((problem) => {
    if (problem.position === null) return [problem];
    const read = observations.find(({ position }) => position === problem.position);
    const twin = read && twinOf(read, typed);
    return twin === undefined ? [] : [{ ...problem, position: twin.position }];
  });
}
