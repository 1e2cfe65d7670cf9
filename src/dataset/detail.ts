/** A company's rows with all their details, for pages, exports and the command line. */
import { unitsOf } from "../domain/amount.ts";
import { type AmountField, byAmount } from "../domain/row-fields.ts";
import type { Office } from "../domain/officer-claims.ts";
import type { AvailableYear } from "../domain/company.ts";
import { assemble } from "./assemble.ts";
import type { OfficeDecision } from "./officers.ts";
import { type Dataset, MAX_ROWS, rowKeys } from "./dataset.ts";
import { FILINGS_WITH_OBSERVATIONS, observationOf, readFilings, readRecord } from "./record-reader.ts";
import type { CellRef, FilingRecord, GridLine, Observation, Problem } from "./record.ts";
import { reportedOnce } from "./remarks.ts";
import { rowTail, type ServedRow } from "./row-json.ts";
import { type Line, lineOf, readLines, type Stored } from "./schema.ts";
import * as schema from "./schema.ts";

/** What one filing says about an executive-year. Amounts are in units of the filing's currency. */
export interface HistoryEntry extends Pick<
  Line<typeof schema.observations>,
  "position" | "name" | "role" | "isPeo" | "isPfo" | "placeholder"
> {
  filing: FilingRecord;
  amounts: Readonly<Record<AmountField, number>>;
  /** Whether the served row comes from this filing. */
  served: boolean;
  problems: readonly Pick<Problem, "step" | "code" | "message">[];
}

/** What each filing printed for the executive-year, by filing date. Empty if none did. */
export function readHistory(
  dataset: Dataset,
  cik: string,
  fiscalYear: number,
  executiveId: string,
): HistoryEntry[] {
  const filings = readFilings(dataset, cik);
  const problems = readLines(
    dataset,
    schema.problems,
    "problems where filing in (select id from filings where cik = ?) order by filing, place",
    Number(cik),
  );
  const lines = dataset.all<Stored<typeof schema.observations> & { served: number }>(
    `select ${schema.observations.selected}, exists (select 1 from rows where rows.id >= ? and rows.id < ?
        and rows.filing = observations.filing and rows.position = observations.position) served
      from ${FILINGS_WITH_OBSERVATIONS} where cik = ? and observations.fiscal_year = ? and executive_id = ? order by observations.id`,
    ...rowKeys(cik),
    Number(cik),
    fiscalYear,
    executiveId,
  );
  return lines.flatMap(({ served, ...found }) => {
    const line = lineOf(schema.observations, found);
    const filing = filings.get(line.filing);
    if (filing === undefined) return [];
    const { position, name, role, isPeo, isPfo, placeholder } = line;
    return {
      filing,
      position,
      name,
      role,
      amounts: byAmount((field) => unitsOf(line[field])),
      isPeo,
      isPfo,
      placeholder,
      served: served === 1,
      problems: reportedOnce(
        problems.filter((one) => one.filing === line.filing && one.position === position),
      ),
    };
  });
}

/** The years as they would have been served on a date, from the filings filed until then. @param asOf YYYY-MM-DD */
export function yearsAsOf(dataset: Dataset, cik: string, asOf: string): AvailableYear[] {
  const record = readRecord(dataset, cik);
  if (record === undefined) return [];
  const { rows, years } = assemble(record, asOf);
  return years.map((year) => ({
    ...year,
    rowJson: rows
      .filter((row) => row.fiscalYear === year.fiscalYear)
      .map((row) => rowTail(cik, record.name, row)),
  }));
}

/** The source cells of an amount with their column headers, and the stored copy of their table. */
export interface AmountSource {
  filing: FilingRecord;
  observation: Observation;
  cells: readonly { cell: CellRef; caption: string }[];
  grid: readonly Omit<GridLine, "accession">[];
}

/** The source of a field of a served row; undefined if there is no such row. Rows entered manually have no cells. */
export function amountSource(
  dataset: Dataset,
  cik: string,
  fiscalYear: number,
  executiveId: string,
  field: AmountField,
): AmountSource | undefined {
  const [line] = readLines(
    dataset,
    schema.observations,
    `rows join observations on observations.id = rows.filing * ${MAX_ROWS} + rows.position
      where rows.id >= ? and rows.id < ? and rows.fiscal_year = ? and rows.executive_id = ?`,
    ...rowKeys(cik),
    fiscalYear,
    executiveId,
  );
  const filing = line && readFilings(dataset, cik).get(line.filing);
  if (line === undefined || filing === undefined) return undefined;
  const observation = observationOf(line, filing.accession);
  const cells = (observation.cells?.[field] ?? []).map((cell) => ({
    cell,
    caption: filing.captions[`${cell[0]}:${cell[2]}`] ?? "",
  }));
  const tables = new Set(cells.map(({ cell }) => cell[0]));
  const grid = readLines(dataset, schema.grids, "grids where filing = ? order by ordinal, row", line.filing);
  return { filing, observation, cells, grid: grid.filter(({ table }) => tables.has(table)) };
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
