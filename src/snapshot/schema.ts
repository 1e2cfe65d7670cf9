/**
 * The tables of a snapshot. CIKs are integers, filings are numbered by company and date, amounts are cents, flags 0 or 1.
 * `FORMAT` of `open.ts` goes up with every change here.
 */
import { byAmount } from "../domain/row-fields.ts";
import { EVIDENCE } from "../domain/officer-claims.ts";
import { HOW_READ } from "./record.ts";
import { getTableColumns, getTableName } from "drizzle-orm";
import {
  blob,
  getTableConfig,
  integer,
  primaryKey,
  type SQLiteTable,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";

/** The content hash and room for a signature over it; one line of fixed length, written into the finished file by `seal.ts`. */
export const seal = sqliteTable("seal", { id: integer().primaryKey(), line: text().notNull() });

/** Facts on the snapshot itself: `edition`, `newest_filing_date`, counts. */
export const meta = sqliteTable("meta", { key: text().primaryKey(), value: text().notNull() });

/** Every registrant of the SEC's symbol list, and every other of which a filing is known. */
export const companies = sqliteTable("companies", {
  cik: integer().primaryKey(),
  name: text().notNull(),
  /** Primary symbol, empty for a registrant without one. */
  ticker: text().notNull(),
  /** MM-DD */
  fiscalYearEnd: text("fiscal_year_end"),
  /** Served rows. */
  rowCount: integer("row_count").notNull(),
  /** The newest filing known, held or not. */
  newestFiling: integer("newest_filing"),
  /** Name in the SEC's symbol list, null where it does not have the company. */
  listedName: text("listed_name"),
  /** Symbols that filings give, joined by spaces. */
  filedSymbols: text("filed_symbols").notNull(),
});

/** Every symbol that finds a company: those of the SEC's list in its order, then former ones that the list gives to nobody else. */
export const symbols = sqliteTable(
  "symbols",
  {
    symbol: text().notNull(),
    cik: integer().notNull(),
    place: integer().notNull(),
    exchange: text(),
    former: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.symbol] })],
);

/** Every filing known, by company and date. */
export const filings = sqliteTable("filings", {
  id: integer().primaryKey(),
  cik: integer().notNull(),
  accession: text().notNull().unique(),
  form: text(),
  filingDate: text("filing_date"),
  /** Newest fiscal year that its table prints. */
  fiscalYear: integer("fiscal_year"),
  periodEnd: text("period_end"),
  currency: text(),
  regime: text({ enum: ["full", "scaled"] }),
  read: text({ enum: HOW_READ }),
  status: text({ enum: ["pending", "parsed", "refused", "failed"] }).notNull(),
  rowCount: integer("row_count").notNull(),
  symbol: text(),
  url: text(),
  sha256: text(),
  reason: text(),
  /** JSON: caption path by `table:column`. */
  captions: text(),
});

/** Every filing's word on an executive-year. */
export const observations = sqliteTable("observations", {
  /** `observationKey` */
  id: integer().primaryKey(),
  filing: integer().notNull(),
  position: integer().notNull(),
  executiveId: text("executive_id").notNull(),
  name: text().notNull(),
  role: text(),
  fiscalYear: integer("fiscal_year").notNull(),
  label: text(),
  periodStart: text("period_start"),
  periodEnd: text("period_end"),
  /** Cents. */
  ...byAmount((name) => integer(name).notNull()),
  isPeo: integer("is_peo"),
  peoEvidence: text("peo_evidence", { enum: EVIDENCE }).notNull(),
  peoBecause: text("peo_because"),
  isPfo: integer("is_pfo"),
  pfoEvidence: text("pfo_evidence", { enum: EVIDENCE }).notNull(),
  pfoBecause: text("pfo_because"),
  placeholder: integer().notNull(),
  note: text(),
  checks: text().notNull(),
  /** JSON: cells by field. */
  cells: text(),
});

/** The served rows, in the order of the contract. */
export const rows = sqliteTable("rows", {
  /** `rowKey` */
  id: integer().primaryKey(),
  cik: integer().notNull(),
  /** Place among the company's rows, newest year first. */
  place: integer().notNull(),
  fiscalYear: integer("fiscal_year").notNull(),
  executiveId: text("executive_id").notNull(),
  filing: integer().notNull(),
  position: integer().notNull(),
  peoBasis: text("peo_ground").notNull(),
  pfoBasis: text("pfo_ground").notNull(),
  reportedYear: integer("reported_year").notNull(),
  isPeo: integer("is_peo").notNull(),
  isPfo: integer("is_pfo").notNull(),
  /** Where its text (`rowTail`) stands in the company's `json`: the place of its first byte, from 0, and how many there are. */
  start: integer().notNull(),
  length: integer().notNull(),
});

/**
 * What answers are made of, a line a company with rows. Since format 3: one look-up, and its bytes are sent as they are.
 * Before, each row had its text in a column `tail`.
 */
export const companyRows = sqliteTable("company_rows", {
  cik: integer().primaryKey(),
  /** JSON: `[fiscal year, 1 where complete, place of the byte behind its last row]`, newest first. */
  years: text().notNull(),
  /** JSON of the rows under the primary symbol, in the order of the contract, with a comma between two. */
  json: blob({ mode: "buffer" }).notNull(),
});

/** The fiscal years that have rows. */
export const years = sqliteTable(
  "years",
  {
    cik: integer().notNull(),
    fiscalYear: integer("fiscal_year").notNull(),
    complete: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.fiscalYear] })],
);

/** Pinned ids: whose every spelling is. */
export const executives = sqliteTable(
  "executives",
  {
    cik: integer().notNull(),
    executiveId: text("executive_id").notNull(),
    spelling: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.spelling] })],
);

/** Times in office that filings date. */
export const offices = sqliteTable(
  "offices",
  {
    filing: integer().notNull(),
    place: integer().notNull(),
    office: text({ enum: ["peo", "pfo"] }).notNull(),
    name: text().notNull(),
    start: text(),
    end: text(),
    evidence: text({ enum: EVIDENCE }).notNull(),
    because: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.filing, table.place] })],
);

/** Copies of the tables that were read, a line a grid row: JSON of `[column, text]` pairs. */
export const grids = sqliteTable("grids", {
  id: integer().primaryKey(),
  filing: integer().notNull(),
  ordinal: integer().notNull(),
  row: integer().notNull(),
  caption: integer().notNull(),
  cells: text().notNull(),
});

/** What was met with a filing or with one of its rows. */
export const problems = sqliteTable(
  "problems",
  {
    filing: integer().notNull(),
    place: integer().notNull(),
    position: integer(),
    /** Met while reading (kept with the filing) or while choosing rows (made anew with every snapshot). */
    assembled: integer().notNull(),
    step: text().notNull(),
    code: text().notNull(),
    message: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.filing, table.place] })],
);

/** Facts of registrants besides their filings (`data/reference`). Since format 2. */
export const registrants = sqliteTable("registrants", {
  cik: integer().primaryKey(),
  /** Four digits. */
  sic: text(),
  /** The SEC's own text, parts separated by `; `. */
  filerCategory: text("filer_category"),
  /** MM-DD, as EDGAR has it. */
  fiscalYearEnd: text("fiscal_year_end"),
  /** EDGAR's codes. */
  stateOfIncorporation: text("state_of_incorporation"),
  businessState: text("business_state"),
});

/** What the SIC codes mean. Since format 2. */
export const sicCodes = sqliteTable(
  "sic_codes",
  { sic: text().notNull(), description: text().notNull() },
  (table) => [primaryKey({ columns: [table.sic] })],
);

/** Names that registrants had. Since format 2. */
export const formerNames = sqliteTable(
  "former_names",
  {
    cik: integer().notNull(),
    place: integer().notNull(),
    name: text().notNull(),
    usedFrom: text("used_from"),
    usedUntil: text("used_until"),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** Stays in an index, a line a symbol and stay. Since format 2. */
export const indexMembers = sqliteTable(
  "index_members",
  {
    cik: integer().notNull(),
    place: integer().notNull(),
    indexName: text("index_name").notNull(),
    symbol: text().notNull(),
    name: text().notNull(),
    sector: text().notNull(),
    added: text().notNull(),
    /** 0: `added` is only the first day known. */
    addedKnown: integer("added_known").notNull(),
    /** The first day on which it was no member; null for a current one. */
    removed: text(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** What format 2 has and format 1 has not: these tables can be added to an older snapshot as they are. */
export const REFERENCE_TABLES: readonly SQLiteTable[] = [registrants, sicCodes, formerNames, indexMembers];

/** The tables in the order in which they are made. */
export const TABLES: readonly SQLiteTable[] = [
  seal,
  meta,
  companies,
  symbols,
  filings,
  observations,
  rows,
  companyRows,
  years,
  executives,
  offices,
  grids,
  problems,
  ...REFERENCE_TABLES,
];

/** Statements that make the empty tables. Tables of short lines are kept in the order of their key (`WITHOUT ROWID`). Long lines are kept by number: their text
 * would fill the inner pages of such a tree, and one company among 30,000 would cost 2.6 times one among a hundred. */
export function tableStatements(): string[] {
  return [
    ...TABLES.map((table) => tableStatement(table)),
    "create index filings_of on filings (cik, id)",
    "create index grids_of on grids (filing)",
    "create index symbols_of on symbols (cik, place)",
  ];
}

/** The statement that makes one empty table. @param where `temp` for one that only its connection sees */
export function tableStatement(table: SQLiteTable, where: "main" | "temp" = "main"): string {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns.map((column) => `"${column.name}"`).join(", ");
  const lines = columns.map(
    (column) =>
      `"${column.name}" ${column.getSQLType()}${column.notNull && !column.primary ? " not null" : ""}${column.primary ? " primary key" : ""}${column.isUnique ? " unique" : ""}`,
  );
  if (key !== undefined) lines.push(`primary key (${key})`);
  const rowid = columns.some((column) => column.primary && column.getSQLType() === "integer");
  return `create ${where === "temp" ? "temp " : ""}table ${name} (${lines.join(", ")}) strict${rowid ? "" : ", without rowid"}`;
}

/**
 * A line of a table: every column by name, so that none is forgotten and none takes another's place. An `id` of null is
 * numbered by SQLite.
 */
export type Line<Table extends SQLiteTable> = {
  readonly [Column in keyof Table["$inferSelect"]]:
    Table["$inferSelect"][Column] | (Column extends "id" ? null : never);
};

/** The statement that puts one line into a table, and the line's values in the order that it wants. */
export function insertOf<Table extends SQLiteTable>(
  table: Table,
): { statement: string; valuesOf: (line: Line<Table>) => (string | number | null | Uint8Array)[] } {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const statement = `insert into ${getTableName(table)} (${names}) values (${columns.map(() => "?").join(", ")})`;
  return {
    statement,
    // The tables hold texts, integers and bytes only, and `Line` has every column.
    valuesOf: (line) =>
      columns.map(([key]) => line[key as keyof Line<Table>] as string | number | null | Uint8Array),
  };
}
