/** A company's rows with all their details, for pages, exports and the command line. */
import { and, eq, getTableColumns, gte, inArray, lt, sql } from "drizzle-orm";
import { unitsOf } from "../domain/amount.ts";
import { type AmountField, byAmount } from "../domain/row-fields.ts";
import type { Office } from "../domain/officer-claims.ts";
import type { AvailableYear } from "../domain/company.ts";
import { assemble } from "./assemble.ts";
import type { OfficeDecision } from "./officers.ts";
import { type Dataset, MAX_ROWS, rowKeys } from "./dataset.ts";
import { OF_FILING, observationOf, readFilings, readRecord } from "./read-records.ts";
import type { CellRef, FilingRecord, GridLine, Observation, Problem } from "./record.ts";
import { reportedOnce } from "./remarks.ts";
import { rowTail, type ServedRow } from "./row-json.ts";
import type { RecordOf } from "./schema.ts";
import * as schema from "./schema.ts";

/** What one filing says about an executive-year. Amounts are in units of the filing's currency. */
export interface HistoryEntry extends Pick<
  RecordOf<typeof schema.observations>,
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
  const problems = dataset.read((db) =>
    db
      .select()
      .from(schema.problems)
      .where(inArray(schema.problems.filing, [...filings.keys()]))
      .orderBy(schema.problems.filing, schema.problems.place)
      .all(),
  );
  const lines = readLines(dataset, cik, fiscalYear, executiveId);
  return lines.flatMap(({ line, served }) => {
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
      served: served !== null,
      problems: reportedOnce(
        problems.filter((one) => one.filing === line.filing && one.position === position),
      ),
    };
  });
}

/** What filings say about an executive-year, in their order, and the row that is served from it. */
function readLines(dataset: Dataset, cik: string, fiscalYear: number, executiveId: string) {
  const { filings, observations, rows } = schema;
  const [from, to] = rowKeys(cik);
  return dataset.read((db) =>
    db
      .select({ line: observations, served: rows.id })
      .from(filings)
      .innerJoin(observations, OF_FILING)
      .leftJoin(
        rows,
        and(
          gte(rows.id, from),
          lt(rows.id, to),
          eq(rows.filing, observations.filing),
          eq(rows.position, observations.position),
        ),
      )
      .where(
        and(
          eq(filings.cik, cik),
          eq(observations.fiscalYear, fiscalYear),
          eq(observations.executiveId, executiveId),
        ),
      )
      .orderBy(observations.id)
      .all(),
  );
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
  const { grids, observations, rows } = schema;
  const [from, to] = rowKeys(cik);
  const line = dataset.read((db) =>
    db
      .select(getTableColumns(observations))
      .from(rows)
      .innerJoin(
        observations,
        eq(observations.id, sql`${rows.filing} * ${sql.raw(String(MAX_ROWS))} + ${rows.position}`),
      )
      .where(
        and(
          gte(rows.id, from),
          lt(rows.id, to),
          eq(rows.fiscalYear, fiscalYear),
          eq(rows.executiveId, executiveId),
        ),
      )
      .get(),
  );
  const filing = line && readFilings(dataset, cik).get(line.filing);
  if (line === undefined || filing === undefined) return undefined;
  const observation = observationOf(line, filing.accession);
  const cells = (observation.cells?.[field] ?? []).map((cell) => ({
    cell,
    caption: filing.captions[`${cell[0]}:${cell[2]}`] ?? "",
  }));
  const tables = new Set(cells.map(({ cell }) => cell[0]));
  const grid = dataset.read((db) =>
    db.select().from(grids).where(eq(grids.filing, line.filing)).orderBy(grids.table, grids.row).all(),
  );
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
