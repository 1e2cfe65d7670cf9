/**
 * The tables of a snapshot. CIKs are integers, filings are numbered by company and date, amounts are in cents, flags are 0 or
 * 1. Every change here increases `FORMAT` of `open.ts`.
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
  real,
  type SQLiteTable,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";

/** The edition, the content hash and room for a signature over both: one line of fixed length, written into the finished file by `seal.ts`. */
export const seal = sqliteTable("seal", { id: integer().primaryKey(), line: text().notNull() });

/** Metadata of the snapshot: `edition`, `sequence`, `row_shape`, `newest_filing_date`, counts. */
export const meta = sqliteTable("meta", { key: text().primaryKey(), value: text().notNull() });

/** Every registrant on the SEC's ticker list, and every other registrant with a known filing. */
export const companies = sqliteTable("companies", {
  cik: integer().primaryKey(),
  name: text().notNull(),
  /** Primary ticker, empty for a registrant without one. */
  ticker: text().notNull(),
  /** MM-DD */
  fiscalYearEnd: text("fiscal_year_end"),
  /** Number of served rows. */
  rowCount: integer("row_count").notNull(),
  /** The newest known filing, loaded or not. */
  newestFiling: integer("newest_filing"),
  /** The name on the SEC's ticker list; null if it does not contain the company. */
  listedName: text("listed_name"),
  /** Tickers from filings, separated by spaces. */
  filedSymbols: text("filed_symbols").notNull(),
});

/** All tickers that identify a company: those of the SEC's list in its order, then former ones that the list assigns to no one else. */
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

/** All known filings, by company and date. */
export const filings = sqliteTable("filings", {
  id: integer().primaryKey(),
  cik: integer().notNull(),
  accession: text().notNull().unique(),
  form: text(),
  filingDate: text("filing_date"),
  /** The newest fiscal year in its table. */
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
  /** JSON: column headers by `table:column`. */
  captions: text(),
});

/** What each filing says about each executive-year. */
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
  /** Index among the company's rows, newest year first. */
  place: integer().notNull(),
  fiscalYear: integer("fiscal_year").notNull(),
  executiveId: text("executive_id").notNull(),
  name: text().notNull(),
  role: text(),
  filing: integer().notNull(),
  position: integer().notNull(),
  peoBasis: text("peo_ground").notNull(),
  pfoBasis: text("pfo_ground").notNull(),
  reportedYear: integer("reported_year").notNull(),
  isPeo: integer("is_peo").notNull(),
  isPfo: integer("is_pfo").notNull(),
  /** Problem codes in alphabetical order, separated by spaces. */
  problems: text(),
  /** Position of its text (`rowTail`) in the company's `json`: offset of the first byte, and number of bytes. */
  start: integer().notNull(),
  length: integer().notNull(),
});

/** All that an answer for one company needs: one look-up, and the bytes of its rows are sent unchanged. */
export const companyRows = sqliteTable("company_rows", {
  cik: integer().primaryKey(),
  /** JSON of a `Company` without its symbols. */
  facts: text().notNull(),
  /** JSON: `[fiscal year, 1 if complete, offset of the byte after its last row]`, newest first. */
  years: text().notNull(),
  /** JSON of the rows under the primary ticker, in the order of the contract, separated by commas. */
  json: blob({ mode: "buffer" }).notNull(),
});

/** The coverage of each company with a known filing (`coverageOf`): what it is selected and counted by, and all of it. */
export const coverage = sqliteTable("coverage", {
  cik: integer().primaryKey(),
  /** What it is sorted by: its ticker, or `~`, which is after all of them. */
  place: text().notNull(),
  rows: integer().notNull(),
  years: integer().notNull(),
  /** Complete years. */
  complete: integer().notNull(),
  /** Filings that are not loaded; whether the newest is one of them. */
  unloaded: integer().notNull(),
  newestUnloaded: integer("newest_unloaded").notNull(),
  /** Checked rows; those of them whose printed total reconciles. */
  checked: integer().notNull(),
  reconciled: integer().notNull(),
  /** Whether any rows were entered manually. */
  manual: integer().notNull(),
  /** Its name in lower case. */
  name: text().notNull(),
  json: text().notNull(),
});

/** The fiscal years with rows. */
export const years = sqliteTable(
  "years",
  {
    cik: integer().notNull(),
    fiscalYear: integer("fiscal_year").notNull(),
    complete: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.fiscalYear] })],
);

/** Pinned ids: the person of every spelling. */
export const executives = sqliteTable(
  "executives",
  {
    cik: integer().notNull(),
    executiveId: text("executive_id").notNull(),
    spelling: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.spelling] })],
);

/** Terms of office dated by filings. */
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

/** Copies of source tables, one record for each grid row: JSON of `[column, text]` pairs. */
export const grids = sqliteTable("grids", {
  id: integer().primaryKey(),
  filing: integer().notNull(),
  ordinal: integer().notNull(),
  row: integer().notNull(),
  caption: integer().notNull(),
  cells: text().notNull(),
});

/** Problems with filings and rows. */
export const problems = sqliteTable(
  "problems",
  {
    filing: integer().notNull(),
    place: integer().notNull(),
    position: integer(),
    /** 0: found while reading (kept with the filing); 1: found while assembling (recomputed with every snapshot). */
    assembled: integer().notNull(),
    step: text().notNull(),
    code: text().notNull(),
    message: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.filing, table.place] })],
);

/** Facts about registrants from `data/reference`. */
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

/** Descriptions of SIC codes. */
export const sicCodes = sqliteTable(
  "sic_codes",
  { sic: text().notNull(), description: text().notNull() },
  (table) => [primaryKey({ columns: [table.sic] })],
);

/** Former names of registrants. */
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

/** Index memberships, one record for each ticker and membership. */
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
    /** 0 if `added` is only the earliest known day. */
    addedKnown: integer("added_known").notNull(),
    /** The first day it was not a member; null for a current member. */
    removed: text(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** Typed arrays, by name: what questions across companies need (`columns/`). */
export const laidOut = sqliteTable("laid_out", {
  id: integer().primaryKey(),
  name: text().notNull().unique(),
  data: blob({ mode: "buffer" }).notNull(),
});

/** The editions that this one was made from, oldest first, and last this one (`changes/chain.ts`). */
export const editions = sqliteTable("editions", {
  seq: integer().primaryKey(),
  /** Empty for this edition, whose hash is in the seal. */
  contentHash: text("content_hash").notNull(),
  /** `editionName` */
  edition: text().notNull(),
  /** ISO time. */
  recordedAt: text("recorded_at").notNull(),
});

/** What each of these editions changed; nothing of the first. */
export const changes = sqliteTable("changes", {
  id: integer().primaryKey(),
  seq: integer().notNull(),
  /** Its number among the changes of its edition, from 1. */
  place: integer().notNull(),
  cik: integer().notNull(),
  ticker: text().notNull(),
  company: text().notNull(),
  kind: text({ enum: ["filing", "executive_year"] }).notNull(),
  change: text({ enum: ["added", "changed", "removed"] }).notNull(),
  fiscalYear: integer("fiscal_year"),
  complete: integer(),
  executiveId: text("executive_id"),
  executiveName: text("executive_name"),
  /** Names of the changed fields, separated by spaces. */
  fields: text().notNull(),
  /** Currency units. */
  totalBefore: real("total_before"),
  totalAfter: real("total_after"),
  currency: text(),
  form: text().notNull(),
  accession: text().notNull(),
  filingDate: text("filing_date"),
  url: text(),
});
/** Totals of principal executive officers as filers tag them (`peo-tags.ts`). */
export const peoTags = sqliteTable(
  "peo_tags",
  {
    cik: integer().notNull(),
    place: integer().notNull(),
    /** Empty where the period's end is known. */
    frame: text().notNull(),
    periodEnd: text("period_end"),
    name: text(),
    /** Cents. */
    total: integer().notNull(),
    farBelowOthers: integer("far_below_others").notNull(),
    /** CIK. */
    sameAs: integer("same_as"),
    provider: text().notNull(),
    accession: text(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** What each principal executive officer was paid (`ceo-pay.ts`): follows from rows and tags. */
export const ceoPay = sqliteTable("ceo_pay", {
  /** `rowKey`: by company, then by the last day of the year. */
  id: integer().primaryKey(),
  cik: integer().notNull(),
  fiscalYear: integer("fiscal_year").notNull(),
  labelInferred: integer("label_inferred").notNull(),
  periodEnd: text("period_end"),
  lastDay: text("last_day").notNull(),
  isLatest: integer("is_latest").notNull(),
  peoName: text("peo_name"),
  executiveId: text("executive_id"),
  /** Cents. */
  total: integer().notNull(),
  currency: text().notNull(),
  basis: text({ enum: ["row", "tag"] }).notNull(),
  confirmedByTag: integer("confirmed_by_tag").notNull(),
  /** JSON of `Doubt`s, and their messages as one text; null if there are none. */
  doubts: text(),
  doubt: text(),
  /** Of the row's filing, or of the tag's, which may be unknown. */
  accession: text(),
  provider: text(),
});

/**
 * All tables, in the order in which a compacted file has them. What questions over all companies read comes first: only the
 * beginning of a file of gigabytes is mapped (`openFile`), and each page behind it costs a system call.
 */
export const TABLES: readonly SQLiteTable[] = [
  seal,
  meta,
  laidOut,
  companies,
  symbols,
  coverage,
  years,
  registrants,
  sicCodes,
  formerNames,
  indexMembers,
  peoTags,
  ceoPay,
  editions,
  changes,
  filings,
  companyRows,
  rows,
  executives,
  offices,
  problems,
  observations,
  grids,
];

const CHANGES_OF = "create index changes_of on changes (seq, cik)";

/**
 * Statements that create the empty tables. Tables of short records are stored in key order (`WITHOUT ROWID`). Long records
 * have an integer key instead: their text would fill the inner pages of the key-ordered tree, and reading one company among
 * 30,000 would cost 2.6 times as much as one among a hundred.
 */
export function tableStatements(): string[] {
  return [
    ...TABLES.map((table) => tableStatement(table)),
    "create index filings_of on filings (cik, id)",
    "create index grids_of on grids (filing)",
    "create index symbols_of on symbols (cik, place)",
    "create index coverage_by on coverage (place, cik, rows, years, complete, unloaded, newest_unloaded, checked, reconciled, manual)",
    CHANGES_OF,
  ];
}

/** Statements that create the tables of a chain of editions, for a file that has nothing else. */
export function chainStatements(): string[] {
  return [tableStatement(editions), tableStatement(changes), CHANGES_OF];
}

/** The statement that creates an empty table. */
function tableStatement(table: SQLiteTable): string {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns.map((column) => `"${column.name}"`).join(", ");
  const lines = columns.map(
    (column) =>
      `"${column.name}" ${column.getSQLType()}${column.notNull && !column.primary ? " not null" : ""}${column.primary ? " primary key" : ""}${column.isUnique ? " unique" : ""}`,
  );
  if (key !== undefined) lines.push(`primary key (${key})`);
  const rowid = columns.some((column) => column.primary && column.getSQLType() === "integer");
  return `create table ${name} (${lines.join(", ")}) strict${rowid ? "" : ", without rowid"}`;
}

/**
 * A record of a table: every column by name, so that none is forgotten or mixed up. A null `id` is assigned by SQLite.
 */
export type Line<Table extends SQLiteTable> = {
  readonly [Column in keyof Table["$inferSelect"]]:
    Table["$inferSelect"][Column] | (Column extends "id" ? null : never);
};

/** A record of a table as SQLite returns it, by the names of its columns. */
export type Stored<Table extends SQLiteTable> = {
  [
    Key in keyof Table["_"]["columns"] as Table["_"]["columns"][Key]["_"]["name"]
  ]: Table["_"]["columns"][Key]["_"]["notNull"] extends true
    ? Table["_"]["columns"][Key]["_"]["data"]
    : Table["_"]["columns"][Key]["_"]["data"] | null;
};

/** The statement that inserts a record into a table, and a function that puts a record's values in its order. */
export function insertOf<Table extends SQLiteTable>(
  table: Table,
): { statement: string; valuesOf: (line: Line<Table>) => (string | number | null | Uint8Array)[] } {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const statement = `insert into ${getTableName(table)} (${names}) values (${columns.map(() => "?").join(", ")})`;
  return {
    statement,
    // The tables contain only text, integers and bytes, and `Line` has every column.
    valuesOf: (line) =>
      columns.map(([key]) => line[key as keyof Line<Table>] as string | number | null | Uint8Array),
  };
}
