/** A company's rows with all their details, for pages, exports and the command line. */
import { unitsOf } from "../domain/amount.ts";
import { type AmountField, byAmount, type ExecutiveCompensation, readRows } from "../domain/row-fields.ts";
import type { Office } from "../domain/officer-claims.ts";
import type { AvailableYear } from "../domain/company.ts";
import { assemble } from "./assemble.ts";
import type { FlagBasis, OfficeDecision } from "./officers.ts";
import { type Dataset, MAX_ROWS, rowKeys } from "./dataset.ts";
import { type ObservationLine, observationOf, readFilings, readRecord } from "./record-reader.ts";
import type { CellRef, FilingRecord, GridLine, Observation, Problem } from "./record.ts";
import { reportedOnce } from "./remarks.ts";
import { rowTail, type ServedRow } from "./row-json.ts";

/** A served row with its source. */
export interface RowDetail {
  row: ExecutiveCompensation;
  /** Whether the row's fiscal year is complete. */
  complete: boolean;
  peoBasis: FlagBasis;
  pfoBasis: FlagBasis;
  observation: Observation;
  filing: FilingRecord;
  problems: readonly Problem[];
}

/** The company's served rows in the order of the contract. @param ticker ticker of the returned rows */
export function rowDetails(dataset: Dataset, cik: string, ticker: string): RowDetail[] {
  const filings = readFilings(dataset, cik);
  const problems = problemsOf(dataset, cik, filings);
  const years = dataset.years(cik);
  const complete = new Map(years.map((year) => [year.fiscalYear, year.complete]));
  const rows = years.flatMap(({ rowJson }) => readRows(ticker, rowJson));
  const lines = dataset.all<ObservationLine & { peo_ground: FlagBasis; pfo_ground: FlagBasis }>(
    `select observations.*, peo_ground, pfo_ground
      from rows join observations on observations.id = rows.filing * ${MAX_ROWS} + rows.position
      where rows.id >= ? and rows.id < ? order by rows.id`,
    ...rowKeys(cik),
  );
  return lines.flatMap((line, place) => {
    const [filing, row] = [filings.get(line.filing), rows[place]];
    if (filing === undefined || row === undefined) return [];
    return {
      row,
      complete: complete.get(row.fiscal_year) ?? false,
      peoBasis: line.peo_ground,
      pfoBasis: line.pfo_ground,
      observation: observationOf(line, filing.accession),
      filing,
      problems: problemsIn(problems, filing, line.position),
    };
  });
}

/** What one filing says about an executive-year. Amounts are in units of the filing's currency. */
export interface HistoryEntry {
  filing: FilingRecord;
  position: number;
  name: string;
  role: string | null;
  amounts: Readonly<Record<AmountField, number>>;
  isPeo: boolean | null;
  isPfo: boolean | null;
  placeholder: boolean;
  /** Whether the served row comes from this filing. */
  served: boolean;
  problems: readonly Problem[];
}

/** What each filing printed for the executive-year, by filing date. Empty if none did. */
export function readHistory(
  dataset: Dataset,
  cik: string,
  fiscalYear: number,
  executiveId: string,
): HistoryEntry[] {
  const filings = readFilings(dataset, cik);
  const problems = problemsOf(dataset, cik, filings);
  const lines = dataset.all<ObservationLine & { served: number }>(
    `select observations.*, exists (select 1 from rows where rows.id >= ? and rows.id < ?
        and rows.filing = observations.filing and rows.position = observations.position) served
      from filings join observations
        on observations.id >= filings.id * ${MAX_ROWS} and observations.id < (filings.id + 1) * ${MAX_ROWS}
      where cik = ? and observations.fiscal_year = ? and executive_id = ? order by observations.id`,
    ...rowKeys(cik),
    Number(cik),
    fiscalYear,
    executiveId,
  );
  return lines.flatMap((line) => {
    const filing = filings.get(line.filing);
    if (filing === undefined) return [];
    const { position, name, role, amounts, peo, pfo, placeholder } = observationOf(line, filing.accession);
    return {
      filing,
      position,
      name,
      role,
      amounts: byAmount((field) => unitsOf(amounts[field])),
      isPeo: peo.held,
      isPfo: pfo.held,
      placeholder,
      served: line.served === 1,
      problems: problemsIn(problems, filing, position),
    };
  });
}

/** The years as they would have been served on a date, from the filings filed until then. @param asOf YYYY-MM-DD */
export function yearsAsOf(dataset: Dataset, cik: string, asOf: string): AvailableYear[] {
  const record = readRecord(dataset, cik);
  if (record === undefined) return [];
  const { rows, years } = assemble(record, asOf);
  return years.map(({ fiscalYear, complete }) => ({
    fiscalYear,
    complete,
    rowJson: rows.filter((row) => row.fiscalYear === fiscalYear).map((row) => rowTail(cik, record.name, row)),
  }));
}

/** The source cells of an amount with their column headers, and the stored copy of their table. */
export interface AmountSource {
  filing: FilingRecord;
  observation: Observation;
  cells: readonly { cell: CellRef; caption: string }[];
  grid: readonly GridLine[];
}

/** The source of a field of a served row; undefined if there is no such row. Rows entered manually have no cells. */
export function amountSource(
  dataset: Dataset,
  cik: string,
  fiscalYear: number,
  executiveId: string,
  field: AmountField,
): AmountSource | undefined {
  const found = rowDetails(dataset, cik, "").find(
    ({ row }) => row.fiscal_year === fiscalYear && row.executive_id === executiveId,
  );
  if (found === undefined) return undefined;
  const { filing, observation } = found;
  const cells = (observation.cells?.[field] ?? []).map((cell) => ({
    cell,
    caption: filing.captions[`${cell[0]}:${cell[2]}`] ?? "",
  }));
  const tables = new Set(cells.map(({ cell }) => cell[0]));
  const grid = (readRecord(dataset, cik)?.grids ?? []).filter(
    ({ accession, table }) => accession === filing.accession && tables.has(table),
  );
  return { filing, observation, cells, grid };
}

/** Why a served row has its flag. */
export interface FlagSource {
  row: ServedRow;
  decision: OfficeDecision;
  /** The company's filings by accession. */
  filings: ReadonlyMap<string, FilingRecord>;
}

/** What decided a flag of a served row; undefined if there is no such row. */
export function flagSource(
  dataset: Dataset,
  cik: string,
  fiscalYear: number,
  executiveId: string,
  office: Office,
): FlagSource | undefined {
  const record = readRecord(dataset, cik);
  if (record === undefined) return undefined;
  const row = assemble(record).rows.find(
    (one) => one.fiscalYear === fiscalYear && one.executiveId === executiveId,
  );
  const filings = new Map(record.filings.map((filing) => [filing.accession, filing]));
  return row === undefined ? undefined : { row, decision: row.decisions[office], filings };
}

function problemsIn(problems: readonly Problem[], { accession }: FilingRecord, position: number): Problem[] {
  return reportedOnce(problems.filter((one) => one.accession === accession && one.position === position));
}

function problemsOf(dataset: Dataset, cik: string, filings: ReadonlyMap<number, FilingRecord>): Problem[] {
  return dataset
    .all<{ filing: number; position: number | null; step: string; code: string; message: string }>(
      `select filing, position, step, code, message from problems
        where filing in (select id from filings where cik = ?) order by filing, place`,
      Number(cik),
    )
    .map(({ filing, ...problem }) => ({ accession: filings.get(filing)?.accession ?? "", ...problem }));
}
