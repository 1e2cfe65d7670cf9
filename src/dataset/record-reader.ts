/** Reads records back from a snapshot: an ingest builds the next one from them. */
import { byAmount } from "../domain/row-fields.ts";
import { type Dataset, MAX_ROWS, padCik } from "./dataset.ts";
import type { CellsOf, CompanyRecord, FilingRecord, GridLine, ListedCompany, Observation } from "./record.ts";
import type * as schema from "./schema.ts";
import type { Stored } from "./schema.ts";

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

/** The record of a company; undefined if only its tickers are known. */
export function readRecord(dataset: Pick<Dataset, "all">, cik: string): CompanyRecord | undefined {
  const number = Number(cik);
  const [facts] = dataset.all<{ name: string; fiscal_year_end: string | null; filed_symbols: string }>(
    "select name, fiscal_year_end, filed_symbols from companies where cik = ? and newest_filing is not null",
    number,
  );
  if (facts === undefined) return undefined;
  const filings = readFilings(dataset, cik);
  const of = "filing in (select id from filings where cik = ?)";
  const accession = (filing: number) => filings.get(filing)?.accession ?? "";
  return {
    cik,
    name: facts.name,
    fiscalYearEnd: facts.fiscal_year_end,
    symbols: facts.filed_symbols.split(" ").filter((symbol) => symbol !== ""),
    filings: [...filings.values()],
    observations: dataset
      .all<ObservationLine>(
        `select observations.* from filings join observations
          on observations.id >= filings.id * ${MAX_ROWS} and observations.id < (filings.id + 1) * ${MAX_ROWS}
          where cik = ? order by observations.id`,
        number,
      )
      .map((line) => observationOf(line, accession(line.filing))),
    pins: dataset
      .all<{ executive_id: string; spelling: string }>(
        "select executive_id, spelling from executives where cik = ? order by executive_id, spelling",
        number,
      )
      .map(({ executive_id: executiveId, spelling }) => ({ executiveId, spelling })),
    offices: dataset
      .all<Omit<Stored<typeof schema.offices>, "place">>(
        `select filing, office, name, start, "end", evidence, because from offices where ${of} order by filing, place`,
        number,
      )
      .map(({ filing, ...span }) => ({ accession: accession(filing), ...span })),
    grids: dataset
      .all<Stored<typeof schema.grids>>(
        `select * from grids where ${of} order by filing, ordinal, row`,
        number,
      )
      .map(({ filing, ordinal, row, caption, cells }) => ({
        accession: accession(filing),
        table: ordinal,
        row,
        caption: caption === 1,
        // Written by `writer.ts` from a `GridLine`.
        cells: JSON.parse(cells) as GridLine["cells"],
      })),
    problems: dataset
      .all<Omit<Stored<typeof schema.problems>, "place" | "assembled">>(
        `select filing, position, step, code, message from problems where assembled = 0 and ${of} order by filing, place`,
        number,
      )
      .map(({ filing, ...problem }) => ({ accession: accession(filing), ...problem })),
  };
}

/** The SEC's ticker list as stored in the snapshot. */
export function readListed(dataset: Dataset): ListedCompany[] {
  const lines = dataset.all<{ cik: number; listed_name: string; symbol: string; exchange: string | null }>(
    `select cik, listed_name, symbol, exchange from companies join symbols using (cik)
      where listed_name is not null and former = 0 order by cik, place`,
  );
  return [...Map.groupBy(lines, ({ cik }) => cik)].map(([cik, symbols]) => ({
    cik: padCik(cik),
    name: symbols[0]?.listed_name ?? "",
    symbols: symbols.map(({ symbol, exchange }) => ({ symbol, exchange })),
  }));
}

/** A company's filings by id, in order of date. */
export function readFilings(dataset: Pick<Dataset, "all">, cik: string): Map<number, FilingRecord> {
  const lines = dataset.all<Stored<typeof schema.filings>>(
    "select * from filings where cik = ? order by id",
    Number(cik),
  );
  return new Map(
    lines.map((line) => [
      line.id,
      {
        accession: line.accession,
        form: line.form,
        filingDate: line.filing_date,
        periodEnd: line.period_end,
        currency: line.currency,
        regime: line.regime,
        read: line.read,
        status: line.status,
        symbol: line.symbol,
        url: line.url,
        reason: line.reason,
        sha256: line.sha256,
        // Written by `writer.ts` from a `FilingRecord`.
        captions: line.captions === null ? {} : (JSON.parse(line.captions) as Record<string, string>),
      },
    ]),
  );
}

/** A record of the table `observations`. */
export type ObservationLine = Stored<typeof schema.observations>;

/** Converts a database record to an observation. */
export function observationOf(line: ObservationLine, accession: string): Observation {
  const held = (flag: number | null) => (flag === null ? null : flag === 1);
  return {
    accession,
    position: line.position,
    name: line.name,
    role: line.role,
    fiscalYear: line.fiscal_year,
    label: line.label,
    period:
      line.period_start === null || line.period_end === null
        ? null
        : { start: line.period_start, end: line.period_end },
    amounts: byAmount((field) => line[field]),
    peo: { held: held(line.is_peo), evidence: line.peo_evidence, because: line.peo_because },
    pfo: { held: held(line.is_pfo), evidence: line.pfo_evidence, because: line.pfo_because },
    placeholder: line.placeholder === 1,
    note: line.note,
    checks: line.checks.split(" ").filter((check) => check !== ""),
    // Written by `writer.ts` from an `Observation`.
    cells: line.cells === null ? null : (JSON.parse(line.cells) as CellsOf),
  };
}
