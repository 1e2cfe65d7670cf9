/**
 * The tables of a snapshot. CIKs are integers, filings are numbered by company and date, amounts are in cents, flags are 0 or
 * 1. Every change here increases `FORMAT` of `open.ts`.
 */
import { getTableColumns } from "drizzle-orm";
import {
  customType,
  getTableConfig,
  integer,
  primaryKey,
  type SQLiteTable,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import type { SQLQueryBindings } from "bun:sqlite";
import type { Company } from "../domain/company.ts";
import type { EvidenceKind, Office } from "../domain/officer-claims.ts";
import { byAmount } from "../domain/row-fields.ts";
import { padCik } from "./dataset.ts";
import type { FlagBasis } from "./officers.ts";
import type { CellsOf, FilingRecord, FilingStatus, GridLine, HowRead, Regime } from "./record.ts";

/** A record of a table: every column by name, so that none is forgotten or mixed up. */
export type RecordOf<Of extends SQLiteTable> = Of["$inferSelect"];

/** A CIK: ten digits here, a number in the file. */
const cik = customType<{ data: string; driverData: number }>({
  dataType: () => "integer",
  toDriver: Number,
  fromDriver: padCik,
});
/** Words, separated by spaces. */
const words = customType<{ data: readonly string[]; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => value.join(" "),
  fromDriver: (value) => value.match(/\S+/g) ?? [],
});
const blob = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" });
const flag = (name: string) => integer(name, { mode: "boolean" });
const json = <Value>(name: string) => text(name, { mode: "json" }).$type<Value>();

/** Why a total is left out of rankings and statistics. */
export interface Doubt {
  code: "sources_differ" | "scale" | "counted_elsewhere";
  message: string;
}

/** A total that a newer proxy prints for a year whose own filing is served. */
export interface Restatement {
  cents: number;
  accession: string;
  filingDate: string;
}

/** The edition, the content hash and room for a signature over both: one line of fixed length, written into the finished file by `seal.ts`. */
export const seal = sqliteTable("seal", {
  id: integer("id").primaryKey(),
  line: text("line").notNull(),
});

/** Metadata of the snapshot: `edition`, `sequence`, `row_shape`, `newest_filing_date`, counts. */
export const meta = sqliteTable("meta", {
  key: text("key").primaryKey(),
  value: text("value").notNull(),
});

/** Every registrant on the SEC's ticker list, and every other registrant with a known filing. */
export const companies = sqliteTable("companies", {
  cik: cik("cik").primaryKey(),
  name: text("name").notNull(),
  /** Primary ticker, empty for a registrant without one. */
  ticker: text("ticker").notNull(),
  /** MM-DD */
  fiscalYearEnd: text("fiscal_year_end"),
  /** Number of served rows. */
  rowCount: integer("row_count").notNull(),
  /** The newest known filing, loaded or not. */
  newestFiling: integer("newest_filing"),
  /** The name on the SEC's ticker list; null if it does not contain the company. */
  listedName: text("listed_name"),
  /** Tickers from filings. */
  filedSymbols: words("filed_symbols").notNull(),
});

/** All tickers that identify a company: those of the SEC's list in its order, then former ones that the list assigns to no one else. */
export const symbols = sqliteTable(
  "symbols",
  {
    symbol: text("symbol").notNull(),
    cik: cik("cik").notNull(),
    place: integer("place").notNull(),
    exchange: text("exchange"),
    former: flag("former").notNull(),
  },
  (table) => [primaryKey({ columns: [table.symbol] })],
);

/** All known filings, by company and date. */
export const filings = sqliteTable("filings", {
  id: integer("id").primaryKey(),
  cik: cik("cik").notNull(),
  accession: text("accession").notNull().unique(),
  form: text("form"),
  filingDate: text("filing_date"),
  /** The newest fiscal year in its table. */
  fiscalYear: integer("fiscal_year"),
  periodEnd: text("period_end"),
  currency: text("currency"),
  regime: text("regime").$type<Regime>(),
  read: text("read").$type<HowRead>(),
  status: text("status").$type<FilingStatus>().notNull(),
  rowCount: integer("row_count").notNull(),
  symbol: text("symbol"),
  url: text("url"),
  sha256: text("sha256"),
  reason: text("reason"),
  /** Column headers by `table:column`. */
  captions: json<FilingRecord["captions"]>("captions"),
});

/** What each filing says about each executive-year. */
export const observations = sqliteTable("observations", {
  /** `observationKey` */
  id: integer("id").primaryKey(),
  filing: integer("filing").notNull(),
  position: integer("position").notNull(),
  executiveId: text("executive_id").notNull(),
  name: text("name").notNull(),
  role: text("role"),
  fiscalYear: integer("fiscal_year").notNull(),
  label: text("label"),
  periodStart: text("period_start"),
  periodEnd: text("period_end"),
  /** Cents. */
  ...byAmount((field) => integer(field).notNull()),
  isPeo: flag("is_peo"),
  peoEvidence: text("peo_evidence").$type<EvidenceKind>().notNull(),
  peoBecause: text("peo_because"),
  isPfo: flag("is_pfo"),
  pfoEvidence: text("pfo_evidence").$type<EvidenceKind>().notNull(),
  pfoBecause: text("pfo_because"),
  placeholder: flag("placeholder").notNull(),
  note: text("note"),
  checks: words("checks").notNull(),
  /** Cells by field. */
  cells: json<CellsOf>("cells"),
});

/** The served rows, in the order of the contract. */
export const rows = sqliteTable("rows", {
  /** `rowKey` */
  id: integer("id").primaryKey(),
  cik: cik("cik").notNull(),
  /** Index among the company's rows, newest year first. */
  place: integer("place").notNull(),
  fiscalYear: integer("fiscal_year").notNull(),
  executiveId: text("executive_id").notNull(),
  name: text("name").notNull(),
  role: text("role"),
  filing: integer("filing").notNull(),
  position: integer("position").notNull(),
  peoBasis: text("peo_ground").$type<FlagBasis>().notNull(),
  pfoBasis: text("pfo_ground").$type<FlagBasis>().notNull(),
  reportedYear: integer("reported_year").notNull(),
  isPeo: flag("is_peo").notNull(),
  isPfo: flag("is_pfo").notNull(),
  /** Problem codes in alphabetical order. */
  problems: words("problems"),
  /** Position of its text (`rowTail`) in the company's `json`: offset of the first byte, and number of bytes. */
  start: integer("start").notNull(),
  length: integer("length").notNull(),
});

/** All that an answer for one company needs: one look-up, and the bytes of its rows are sent unchanged. */
export const companyRows = sqliteTable("company_rows", {
  cik: cik("cik").primaryKey(),
  facts: json<Company>("facts").notNull(),
  /** `[fiscal year, bits, offset of the byte after its last row]` (`CompanyJson`), newest first. */
  years: json<[number, number, number][]>("years").notNull(),
  /** JSON of the rows under the primary ticker, in the order of the contract, separated by commas. */
  json: blob("json").notNull(),
});

/** The coverage of each company with a known filing (`coverageOf`): what it is selected and counted by, and all of it. */
export const coverage = sqliteTable("coverage", {
  cik: cik("cik").primaryKey(),
  /** What it is sorted by: its ticker, or `~`, which is after all of them. */
  place: text("place").notNull(),
  rows: integer("rows").notNull(),
  years: integer("years").notNull(),
  /** Complete years. */
  complete: integer("complete").notNull(),
  /** Filings that are not loaded; whether the newest is one of them. */
  unloaded: integer("unloaded").notNull(),
  newestUnloaded: flag("newest_unloaded").notNull(),
  /** Checked rows; those of them whose printed total reconciles. */
  checked: integer("checked").notNull(),
  reconciled: integer("reconciled").notNull(),
  /** Whether any rows were entered manually. */
  manual: flag("manual").notNull(),
  /** Whether any rows were collected. */
  collected: flag("collected").notNull(),
  /** Its name in lower case. */
  name: text("name").notNull(),
  json: text("json").notNull(),
});

/** The fiscal years with rows. */
export const years = sqliteTable(
  "years",
  {
    cik: cik("cik").notNull(),
    fiscalYear: integer("fiscal_year").notNull(),
    complete: flag("complete").notNull(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.fiscalYear] })],
);

/** Pinned ids: the person of every spelling. */
export const executives = sqliteTable(
  "executives",
  {
    cik: cik("cik").notNull(),
    executiveId: text("executive_id").notNull(),
    spelling: text("spelling").notNull(),
  },
  (table) => [primaryKey({ columns: [table.cik, table.spelling] })],
);

/** Ids that a spelling of a person gives and nobody of the company has: old ones in links still find the person. */
export const formerIds = sqliteTable(
  "former_ids",
  {
    alias: text("alias").notNull(),
    cik: cik("cik").notNull(),
    executiveId: text("executive_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.alias, table.cik] })],
);

/** Terms of office dated by filings. */
export const offices = sqliteTable(
  "offices",
  {
    filing: integer("filing").notNull(),
    place: integer("place").notNull(),
    office: text("office").$type<Office>().notNull(),
    name: text("name").notNull(),
    start: text("start"),
    end: text("end"),
    evidence: text("evidence").$type<EvidenceKind>().notNull(),
    because: text("because").notNull(),
  },
  (table) => [primaryKey({ columns: [table.filing, table.place] })],
);

/** Copies of source tables, one record for each grid row. SQLite assigns the ids. */
export const grids = sqliteTable("grids", {
  id: integer("id").primaryKey().$type<number | null>(),
  filing: integer("filing").notNull(),
  table: integer("ordinal").notNull(),
  row: integer("row").notNull(),
  caption: flag("caption").notNull(),
  cells: json<GridLine["cells"]>("cells").notNull(),
});

/** Problems with filings and rows. */
export const problems = sqliteTable(
  "problems",
  {
    filing: integer("filing").notNull(),
    place: integer("place").notNull(),
    position: integer("position"),
    /** Whether it was found while assembling (and is recomputed with every snapshot), not while reading (and is kept with the filing). */
    assembled: flag("assembled").notNull(),
    step: text("step").notNull(),
    code: text("code").notNull(),
    message: text("message").notNull(),
  },
  (table) => [primaryKey({ columns: [table.filing, table.place] })],
);

/** Facts about registrants from `data/reference`. */
export const registrants = sqliteTable("registrants", {
  cik: cik("cik").primaryKey(),
  /** Four digits. */
  sic: text("sic"),
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
  {
    sic: text("sic").notNull(),
    description: text("description").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sic] })],
);

/** Former names of registrants. */
export const formerNames = sqliteTable(
  "former_names",
  {
    cik: cik("cik").notNull(),
    place: integer("place").notNull(),
    name: text("name").notNull(),
    usedFrom: text("used_from"),
    usedUntil: text("used_until"),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** Registrants whose company files under another CIK now. */
export const successors = sqliteTable("successors", {
  cik: cik("cik").primaryKey(),
  successor: cik("successor").notNull(),
  /** YYYY-MM-DD */
  since: text("since"),
});

/** Index memberships, one record for each ticker and membership. */
export const indexMembers = sqliteTable(
  "index_members",
  {
    cik: cik("cik").notNull(),
    place: integer("place").notNull(),
    indexName: text("index_name").notNull(),
    symbol: text("symbol").notNull(),
    name: text("name").notNull(),
    sector: text("sector").notNull(),
    added: text("added").notNull(),
    /** Whether `added` is the day of joining, not only the earliest known day. */
    addedKnown: flag("added_known").notNull(),
    /** The first day it was not a member; null for a current member. */
    removed: text("removed"),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** Typed arrays, by name: what questions across companies need (`columns/`). */
export const blobs = sqliteTable("blobs", {
  id: integer("id").primaryKey(),
  name: text("name").notNull().unique(),
  data: blob("data").notNull(),
});

/** Totals of principal executive officers as filers tag them (`peo-tags.ts`). */
export const peoTags = sqliteTable(
  "peo_tags",
  {
    cik: cik("cik").notNull(),
    place: integer("place").notNull(),
    /** Empty where the period's end is known. */
    frame: text("frame").notNull(),
    periodEnd: text("period_end"),
    /** The filer's own label of the year, where that is what is known of it. */
    fiscalYear: integer("fiscal_year"),
    name: text("name"),
    cents: integer("total").notNull(),
    farBelowOthers: flag("far_below_others").notNull(),
    /** CIK. */
    sameAs: cik("same_as"),
    provider: text("provider")
      .$type<"document" | "proxy" | "frames" | "frames-2026-07-05" | "scorecard">()
      .notNull(),
    accession: text("accession"),
  },
  (table) => [primaryKey({ columns: [table.cik, table.place] })],
);

/** What each principal executive officer was paid (`ceo-pay.ts`): follows from rows and tags. */
export const ceoPay = sqliteTable("ceo_pay", {
  /** `rowKey`: by company, then by the last day of the year. */
  id: integer("id").primaryKey(),
  cik: cik("cik").notNull(),
  fiscalYear: integer("fiscal_year").notNull(),
  labelInferred: flag("label_inferred").notNull(),
  periodEnd: text("period_end"),
  lastDay: text("last_day").notNull(),
  isLatest: flag("is_latest").notNull(),
  peoName: text("peo_name"),
  executiveId: text("executive_id"),
  cents: integer("total").notNull(),
  currency: text("currency").notNull(),
  basis: text("basis").$type<"row" | "tag">().notNull(),
  confirmedByTag: flag("confirmed_by_tag").notNull(),
  /** What a newer proxy prints for the row's officer and year instead. */
  restated: json<Restatement>("restated"),
  doubts: json<Doubt[]>("doubts"),
  /** Their messages as one text. */
  doubt: text("doubt"),
  /** Of the row's filing, or of the tag's, which may be unknown. */
  accession: text("accession"),
  provider: text("provider"),
});

/**
 * All tables, in the order in which a compacted file has them. What questions over all companies read comes first: only the
 * beginning of a file of gigabytes is mapped (`openFile`), and each page behind it costs a system call.
 */
export const TABLES: readonly SQLiteTable[] = [
  seal,
  meta,
  blobs,
  companies,
  symbols,
  coverage,
  years,
  registrants,
  sicCodes,
  formerNames,
  successors,
  indexMembers,
  peoTags,
  ceoPay,
  filings,
  companyRows,
  rows,
  executives,
  formerIds,
  offices,
  problems,
  observations,
  grids,
];

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
    "create index coverage_by on coverage (place, cik, rows, years, complete, unloaded, newest_unloaded, checked, reconciled, manual, collected)",
  ];
}

/** The statement that creates an empty table. */
function tableStatement(table: SQLiteTable): string {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const lines = columns.map((column) => {
    const bound = column.primary ? " primary key" : column.notNull ? " not null" : "";
    return `"${column.name}" ${column.getSQLType()}${bound}${column.isUnique ? " unique" : ""}`;
  });
  for (const key of primaryKeys)
    lines.push(`primary key (${key.columns.map((column) => `"${column.name}"`).join(", ")})`);
  const hasRowid = columns.some((column) => column.primary && column.getSQLType() === "integer");
  return `create table ${name} (${lines.join(", ")}) strict${hasRowid ? "" : ", without rowid"}`;
}

/**
 * The statement that inserts a record into a table, and a function that puts a record's values in its order. By hand: drizzle
 * builds and prepares an insert anew for every record, and a compile has 75,000 of them.
 */
export function insertOf<Of extends SQLiteTable>(table: Of) {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  const places = columns.map(() => "?").join(", ");
  return {
    statement: `insert into ${getTableConfig(table).name} (${names}) values (${places})`,
    valuesOf: (record: RecordOf<Of>) =>
      columns.map(([here, column]) => {
        const value = record[here];
        // What the driver takes: SQLite's own types.
        return value === null ? null : (column.mapToDriverValue(value) as SQLQueryBindings);
      }),
  };
}
