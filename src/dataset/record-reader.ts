/** Reads records back from a snapshot: an ingest builds the next one from them. */
import { byAmount } from "../domain/row-fields.ts";
import { type Dataset, MAX_ROWS, padCik } from "./dataset.ts";
import type { CompanyRecord, FilingRecord, Observation } from "./record.ts";
import { type Line, readLines } from "./schema.ts";
import * as schema from "./schema.ts";

/** CIKs of companies with a known filing, ascending. */
export function recordedCiks(dataset: Dataset): string[] {
  return dataset
    .all<{ cik: number }>("select cik from companies where newest_filing is not null order by cik")
    .map(({ cik }) => padCik(cik));
}

/** Yields all records by CIK. */
export function* readRecords(dataset: Dataset): Generator<CompanyRecord> {
  for (const cik of recordedCiks(dataset)) {
    const record = readRecord(dataset, cik);
    if (record !== undefined) yield record;
  }
}

/** Observations by the keys that their filing's number gives them. */
export const FILINGS_WITH_OBSERVATIONS = `filings join observations
  on observations.id >= filings.id * ${MAX_ROWS} and observations.id < (filings.id + 1) * ${MAX_ROWS}`;

/** The record of a company; undefined if only its tickers are known. */
export function readRecord(dataset: Pick<Dataset, "all">, cik: string): CompanyRecord | undefined {
  const number = Number(cik);
  const source = "companies where cik = ? and newest_filing is not null";
  const [company] = readLines(dataset, schema.companies, source, number);
  if (company === undefined) return undefined;
  const filings = readFilings(dataset, cik);
  const accessionOf = (filing: number) => filings.get(filing)?.accession ?? "";
  const mine = "filing in (select id from filings where cik = ?)";
  const observations = `${FILINGS_WITH_OBSERVATIONS} where cik = ? order by observations.id`;
  return {
    cik,
    name: company.name,
    fiscalYearEnd: company.fiscalYearEnd,
    symbols: company.filedSymbols,
    filings: [...filings.values()],
    observations: readLines(dataset, schema.observations, observations, number).map((line) =>
      observationOf(line, accessionOf(line.filing)),
    ),
    pins: readLines(
      dataset,
      schema.executives,
      "executives where cik = ? order by executive_id, spelling",
      number,
    ).map(({ cik: _cik, ...pin }) => pin),
    offices: readLines(dataset, schema.offices, `offices where ${mine} order by filing, place`, number).map(
      ({ filing, place: _place, ...term }) => ({ accession: accessionOf(filing), ...term }),
    ),
    grids: readLines(dataset, schema.grids, `grids where ${mine} order by filing, ordinal, row`, number).map(
      ({ filing, id: _id, ...line }) => ({ accession: accessionOf(filing), ...line }),
    ),
    problems: readLines(
      dataset,
      schema.problems,
      `problems where assembled = 0 and ${mine} order by filing, place`,
      number,
    ).map(({ filing, place: _place, assembled: _assembled, ...problem }) => {
      return { accession: accessionOf(filing), ...problem };
    }),
  };
}

/** A company's filings by id, in order of date. */
export function readFilings(dataset: Pick<Dataset, "all">, cik: string): Map<number, FilingRecord> {
  const lines = readLines(dataset, schema.filings, "filings where cik = ? order by id", Number(cik));
  return new Map(
    lines.map(({ id, cik: _cik, rowCount: _count, ...filing }) => [
      id,
      // The rows of all others tell.
      { ...filing, fiscalYear: filing.read === "collected" ? filing.fiscalYear : null },
    ]),
  );
}

/** Converts a record of the table `observations`. */
export function observationOf(line: Line<typeof schema.observations>, accession: string): Observation {
  const { position, name, role, fiscalYear, label, placeholder, note, checks, cells } = line;
  const { periodStart: start, periodEnd: end } = line;
  return {
    accession,
    position,
    name,
    role,
    fiscalYear,
    label,
    period: start === null || end === null ? null : { start, end },
    amounts: byAmount((field) => line[field]),
    peo: { held: line.isPeo, evidence: line.peoEvidence, because: line.peoBecause },
    pfo: { held: line.isPfo, evidence: line.pfoEvidence, because: line.pfoBecause },
    placeholder,
    note,
    checks,
    cells,
  };
}
