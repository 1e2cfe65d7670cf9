/** Reads records back from a snapshot: an ingest builds the next one from them. */
import { valueAt } from "../lib/checked-access.ts";
import { and, eq, getTableColumns, gte, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { byAmount } from "../domain/row-fields.ts";
import { type Dataset, MAX_ROWS } from "./dataset.ts";
import type { CompanyRecord, FilingRecord, Observation } from "./record.ts";
import type { RecordOf } from "./schema.ts";
import * as schema from "./schema.ts";

/** CIKs of companies with a known filing, ascending. */
export function recordedCiks(dataset: Dataset): string[] {
  const { cik, newestFiling } = schema.companies;
  return dataset
    .read((db) => db.select({ cik }).from(schema.companies).where(isNotNull(newestFiling)).orderBy(cik).all())
    .map((company) => company.cik);
}

/** Yields all records by CIK. */
export function* readRecords(dataset: Dataset): Generator<CompanyRecord> {
  for (const cik of recordedCiks(dataset)) {
    const record = readRecord(dataset, cik);
    if (record !== undefined) yield record;
  }
}

/** Joins filings with their observations, by the keys that a filing's number gives them. */
export const OF_FILING = and(
  gte(schema.observations.id, sql`${schema.filings.id} * ${sql.raw(String(MAX_ROWS))}`),
  lt(schema.observations.id, sql`(${schema.filings.id} + 1) * ${sql.raw(String(MAX_ROWS))}`),
);

/** The record of a company; undefined if only its tickers are known. */
export function readRecord(dataset: Pick<Dataset, "read">, cik: string): CompanyRecord | undefined {
  const { companies, executives } = schema;
  const company = dataset.read((db) =>
    db
      .select()
      .from(companies)
      .where(and(eq(companies.cik, cik), isNotNull(companies.newestFiling)))
      .get(),
  );
  if (company === undefined) return undefined;
  const filings = readFilings(dataset, cik);
  const accessionOf = (filing: number) => valueAt(filings, filing).accession;
  const ids = [...filings.keys()];
  return {
    cik,
    name: company.name,
    fiscalYearEnd: company.fiscalYearEnd,
    symbols: company.filedSymbols,
    filings: [...filings.values()],
    observations: readObservations(dataset, cik).map((line) => observationOf(line, accessionOf(line.filing))),
    pins: dataset.read((db) =>
      db
        .select({ executiveId: executives.executiveId, spelling: executives.spelling })
        .from(executives)
        .where(eq(executives.cik, cik))
        .orderBy(executives.executiveId, executives.spelling)
        .all(),
    ),
    ...readOfFilings(dataset, ids, accessionOf),
  };
}

/** The observations of a company, by filing and position. */
function readObservations(dataset: Pick<Dataset, "read">, cik: string) {
  const { filings, observations } = schema;
  return dataset.read((db) =>
    db
      .select(getTableColumns(observations))
      .from(filings)
      .innerJoin(observations, OF_FILING)
      .where(eq(filings.cik, cik))
      .orderBy(observations.id)
      .all(),
  );
}

/** What else belongs to filings. @param ids their numbers */
function readOfFilings(
  dataset: Pick<Dataset, "read">,
  ids: readonly number[],
  accessionOf: (filing: number) => string,
): Pick<CompanyRecord, "offices" | "grids" | "problems"> {
  const { grids, offices, problems } = schema;
  const terms = dataset.read((db) =>
    db
      .select()
      .from(offices)
      .where(inArray(offices.filing, [...ids]))
      .orderBy(offices.filing, offices.place)
      .all(),
  );
  const lines = dataset.read((db) =>
    db
      .select()
      .from(grids)
      .where(inArray(grids.filing, [...ids]))
      .orderBy(grids.filing, grids.table, grids.row)
      .all(),
  );
  const found = dataset.read((db) =>
    db
      .select()
      .from(problems)
      .where(and(eq(problems.assembled, false), inArray(problems.filing, [...ids])))
      .orderBy(problems.filing, problems.place)
      .all(),
  );
  return {
    offices: terms.map(({ filing, place: _place, ...term }) => ({ accession: accessionOf(filing), ...term })),
    grids: lines.map(({ filing, id: _id, ...line }) => ({ accession: accessionOf(filing), ...line })),
    problems: found.map(({ filing, place: _place, assembled: _assembled, ...problem }) => {
      return { accession: accessionOf(filing), ...problem };
    }),
  };
}

/** A company's filings by id, in order of date. */
export function readFilings(dataset: Pick<Dataset, "read">, cik: string): Map<number, FilingRecord> {
  const { filings } = schema;
  const lines = dataset.read((db) =>
    db.select().from(filings).where(eq(filings.cik, cik)).orderBy(filings.id).all(),
  );
  return new Map(
    lines.map(({ id, cik: _cik, rowCount: _count, captions, ...filing }) => [
      id,
      {
        ...filing,
        captions: captions ?? {},
        // The rows of all others tell.
        fiscalYear: filing.read === "collected" ? filing.fiscalYear : null,
      },
    ]),
  );
}

/** Converts a record of the table `observations`. */
export function observationOf(line: RecordOf<typeof schema.observations>, accession: string): Observation {
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
