/**
 * The tables of a snapshot. CIKs are integers, filings are numbered by company and date, amounts are in cents, flags are 0 or
 * 1. Every change here increases `FORMAT` of `open.ts`.
 */
import type { Company } from "../domain/company.ts";
import type { EvidenceKind, Office } from "../domain/officer-claims.ts";
import { byAmount } from "../domain/row-fields.ts";
import { type Dataset, padCik } from "./dataset.ts";
import type { FlagBasis } from "./officers.ts";
import type { CellsOf, FilingRecord, FilingStatus, GridLine, HowRead, Regime } from "./record.ts";

/** What SQLite stores. */
type Value = string | number | null | Uint8Array;

/** A column: its type, and how a value here becomes one there and back. */
interface Column<Here> {
  sql: string;
  /** By default the name here, with `_` and a small letter for each capital one. */
  name?: string;
  inKey?: boolean;
  write(value: Here): Value;
  read(value: Value): Here;
}

function stored<Here extends Value>(sql: string): Column<Here> {
  // Tables are strict: what is read was written by the same column.
  return { sql, write: (value) => value, read: (value) => value as Here };
}

const textOf = <Word extends string>(): Column<Word> => stored("text not null");
const text = textOf<string>();
const integer = stored<number>("integer not null");
const blob = stored<Uint8Array>("blob not null");
const key = stored<number>("integer primary key");
const flag: Column<boolean> = { ...integer, write: Number, read: (value) => value === 1 };
const cik: Column<string> = { ...integer, write: Number, read: (value) => padCik(Number(value)) };
const cikKey: Column<string> = { ...cik, sql: key.sql };
/** Words, separated by spaces. */
const words: Column<readonly string[]> = {
  ...text,
  write: (value) => value.join(" "),
  read: (value) => String(value).match(/\S+/g) ?? [],
};

function json<Here>(): Column<Here> {
  // Written from the same type.
  return { ...text, write: JSON.stringify, read: (value) => JSON.parse(String(value)) as Here };
}

function optional<Here>(column: Column<Here>): Column<Here | null> {
  return {
    ...column,
    sql: column.sql.replace(" not null", ""),
    write: (value) => (value === null ? null : column.write(value)),
    read: (value) => (value === null ? null : column.read(value)),
  };
}

/** A column that has null for an empty value. */
function orNull<Here extends string | object>(column: Column<Here>, empty: Here): Column<Here> {
  const { read, write, ...nullable } = optional(column);
  return {
    ...nullable,
    write: (value) => write(Object.keys(value).length === 0 ? null : value),
    read: (value) => read(value) ?? empty,
  };
}

const inKey = <Here>(column: Column<Here>): Column<Here> => ({ ...column, inKey: true });
const named = <Here>(name: string, column: Column<Here>): Column<Here> => ({ ...column, name });

type Columns = Readonly<Record<string, Column<unknown>>>;

/** A table by the names of its columns here. */
export interface Table<Of extends Columns = Columns> {
  name: string;
  columns: Of;
  /** The same in order, with the names in SQLite. */
  all: readonly (Column<unknown> & { here: string; name: string })[];
  /** All of them, to be selected under their names here. */
  selected: string;
}

/** A record of a table: every column by name, so that none is forgotten or mixed up. */
export type Line<Of extends Table> = {
  -readonly [Name in keyof Of["columns"]]: Of["columns"][Name] extends Column<infer Here> ? Here : never;
};

function table<const Of extends Columns>(name: string, columns: Of): Table<Of> {
  const all = Object.entries(columns).map(([here, column]) => {
    const inSnakeCase = here.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
    return { ...column, here, name: `"${column.name ?? inSnakeCase}"` };
  });
  const selected = all.map((column) => `${name}.${column.name} as "${column.here}"`).join(", ");
  return { name, columns, all, selected };
}

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
export const seal = table("seal", { id: key, line: text });

/** Metadata of the snapshot: `edition`, `sequence`, `row_shape`, `newest_filing_date`, counts. */
export const meta = table("meta", { key: stored<string>("text primary key"), value: text });

/** Every registrant on the SEC's ticker list, and every other registrant with a known filing. */
export const companies = table("companies", {
  cik: cikKey,
  name: text,
  /** Primary ticker, empty for a registrant without one. */
  ticker: text,
  /** MM-DD */
  fiscalYearEnd: optional(text),
  /** Number of served rows. */
  rowCount: integer,
  /** The newest known filing, loaded or not. */
  newestFiling: optional(integer),
  /** The name on the SEC's ticker list; null if it does not contain the company. */
  listedName: optional(text),
  /** Tickers from filings. */
  filedSymbols: words,
});

/** All tickers that identify a company: those of the SEC's list in its order, then former ones that the list assigns to no one else. */
export const symbols = table("symbols", {
  symbol: inKey(text),
  cik,
  place: integer,
  exchange: optional(text),
  former: flag,
});

/** All known filings, by company and date. */
export const filings = table("filings", {
  id: key,
  cik,
  accession: stored<string>("text not null unique"),
  form: optional(text),
  filingDate: optional(text),
  /** The newest fiscal year in its table. */
  fiscalYear: optional(integer),
  periodEnd: optional(text),
  currency: optional(text),
  regime: optional(textOf<Regime>()),
  read: optional(textOf<HowRead>()),
  status: textOf<FilingStatus>(),
  rowCount: integer,
  symbol: optional(text),
  url: optional(text),
  sha256: optional(text),
  reason: optional(text),
  /** Column headers by `table:column`. */
  captions: orNull(json<FilingRecord["captions"]>(), {}),
});

/** What each filing says about each executive-year. */
export const observations = table("observations", {
  /** `observationKey` */
  id: key,
  filing: integer,
  position: integer,
  executiveId: text,
  name: text,
  role: optional(text),
  fiscalYear: integer,
  label: optional(text),
  periodStart: optional(text),
  periodEnd: optional(text),
  /** Cents. */
  ...byAmount(() => integer),
  isPeo: optional(flag),
  peoEvidence: textOf<EvidenceKind>(),
  peoBecause: optional(text),
  isPfo: optional(flag),
  pfoEvidence: textOf<EvidenceKind>(),
  pfoBecause: optional(text),
  placeholder: flag,
  note: optional(text),
  checks: words,
  /** Cells by field. */
  cells: optional(json<CellsOf>()),
});

/** The served rows, in the order of the contract. */
export const rows = table("rows", {
  /** `rowKey` */
  id: key,
  cik,
  /** Index among the company's rows, newest year first. */
  place: integer,
  fiscalYear: integer,
  executiveId: text,
  name: text,
  role: optional(text),
  filing: integer,
  position: integer,
  peoBasis: named("peo_ground", textOf<FlagBasis>()),
  pfoBasis: named("pfo_ground", textOf<FlagBasis>()),
  reportedYear: integer,
  isPeo: flag,
  isPfo: flag,
  /** Problem codes in alphabetical order. */
  problems: orNull(words, []),
  /** Position of its text (`rowTail`) in the company's `json`: offset of the first byte, and number of bytes. */
  start: integer,
  length: integer,
});

/** All that an answer for one company needs: one look-up, and the bytes of its rows are sent unchanged. */
export const companyRows = table("company_rows", {
  cik: cikKey,
  facts: json<Company>(),
  /** `[fiscal year, bits, offset of the byte after its last row]` (`CompanyJson`), newest first. */
  years: json<[number, number, number][]>(),
  /** JSON of the rows under the primary ticker, in the order of the contract, separated by commas. */
  json: blob,
});

/** The coverage of each company with a known filing (`coverageOf`): what it is selected and counted by, and all of it. */
export const coverage = table("coverage", {
  cik: cikKey,
  /** What it is sorted by: its ticker, or `~`, which is after all of them. */
  place: text,
  rows: integer,
  years: integer,
  /** Complete years. */
  complete: integer,
  /** Filings that are not loaded; whether the newest is one of them. */
  unloaded: integer,
  newestUnloaded: flag,
  /** Checked rows; those of them whose printed total reconciles. */
  checked: integer,
  reconciled: integer,
  /** Whether any rows were entered manually. */
  manual: flag,
  /** Whether any rows were collected. */
  collected: flag,
  /** Its name in lower case. */
  name: text,
  json: text,
});

/** The fiscal years with rows. */
export const years = table("years", {
  cik: inKey(cik),
  fiscalYear: inKey(integer),
  complete: flag,
});

/** Pinned ids: the person of every spelling. */
export const executives = table("executives", {
  cik: inKey(cik),
  executiveId: text,
  spelling: inKey(text),
});

/** Ids that a spelling of a person gives and nobody of the company has: old ones in links still find the person. */
export const formerIds = table("former_ids", { alias: inKey(text), cik: inKey(cik), executiveId: text });

/** Terms of office dated by filings. */
export const offices = table("offices", {
  filing: inKey(integer),
  place: inKey(integer),
  office: textOf<Office>(),
  name: text,
  start: optional(text),
  end: optional(text),
  evidence: textOf<EvidenceKind>(),
  because: text,
});

/** Copies of source tables, one record for each grid row. SQLite assigns the ids. */
export const grids = table("grids", {
  id: stored<number | null>("integer primary key"),
  filing: integer,
  table: named("ordinal", integer),
  row: integer,
  caption: flag,
  cells: json<GridLine["cells"]>(),
});

/** Problems with filings and rows. */
export const problems = table("problems", {
  filing: inKey(integer),
  place: inKey(integer),
  position: optional(integer),
  /** Whether it was found while assembling (and is recomputed with every snapshot), not while reading (and is kept with the filing). */
  assembled: flag,
  step: text,
  code: text,
  message: text,
});

/** Facts about registrants from `data/reference`. */
export const registrants = table("registrants", {
  cik: cikKey,
  /** Four digits. */
  sic: optional(text),
  /** The SEC's own text, parts separated by `; `. */
  filerCategory: optional(text),
  /** MM-DD, as EDGAR has it. */
  fiscalYearEnd: optional(text),
  /** EDGAR's codes. */
  stateOfIncorporation: optional(text),
  businessState: optional(text),
});

/** Descriptions of SIC codes. */
export const sicCodes = table("sic_codes", { sic: inKey(text), description: text });

/** Former names of registrants. */
export const formerNames = table("former_names", {
  cik: inKey(cik),
  place: inKey(integer),
  name: text,
  usedFrom: optional(text),
  usedUntil: optional(text),
});

/** Registrants whose company files under another CIK now. */
export const successors = table("successors", {
  cik: cikKey,
  successor: cik,
  /** YYYY-MM-DD */
  since: optional(text),
});

/** Index memberships, one record for each ticker and membership. */
export const indexMembers = table("index_members", {
  cik: inKey(cik),
  place: inKey(integer),
  indexName: text,
  symbol: text,
  name: text,
  sector: text,
  added: text,
  /** Whether `added` is the day of joining, not only the earliest known day. */
  addedKnown: flag,
  /** The first day it was not a member; null for a current member. */
  removed: optional(text),
});

/** Typed arrays, by name: what questions across companies need (`columns/`). */
export const laidOut = table("laid_out", {
  id: key,
  name: stored<string>("text not null unique"),
  data: blob,
});

/** Totals of principal executive officers as filers tag them (`peo-tags.ts`). */
export const peoTags = table("peo_tags", {
  cik: inKey(cik),
  place: inKey(integer),
  /** Empty where the period's end is known. */
  frame: text,
  periodEnd: optional(text),
  /** The filer's own label of the year, where that is what is known of it. */
  fiscalYear: optional(integer),
  name: optional(text),
  cents: named("total", integer),
  farBelowOthers: flag,
  /** CIK. */
  sameAs: optional(cik),
  provider: textOf<"document" | "proxy" | "frames" | "frames-2026-07-05" | "scorecard">(),
  accession: optional(text),
});

/** What each principal executive officer was paid (`ceo-pay.ts`): follows from rows and tags. */
export const ceoPay = table("ceo_pay", {
  /** `rowKey`: by company, then by the last day of the year. */
  id: key,
  cik,
  fiscalYear: integer,
  labelInferred: flag,
  periodEnd: optional(text),
  lastDay: text,
  isLatest: flag,
  peoName: optional(text),
  executiveId: optional(text),
  cents: named("total", integer),
  currency: text,
  basis: textOf<"row" | "tag">(),
  confirmedByTag: flag,
  /** What a newer proxy prints for the row's officer and year instead. */
  restated: optional(json<Restatement>()),
  doubts: orNull(json<Doubt[]>(), []),
  /** Their messages as one text. */
  doubt: orNull(text, ""),
  /** Of the row's filing, or of the tag's, which may be unknown. */
  accession: optional(text),
  provider: optional(text),
});

/**
 * All tables, in the order in which a compacted file has them. What questions over all companies read comes first: only the
 * beginning of a file of gigabytes is mapped (`openFile`), and each page behind it costs a system call.
 */
export const TABLES: readonly Table[] = [
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
function tableStatement({ name, all }: Table): string {
  const lines = all.map((column) => `${column.name} ${column.sql}`);
  const ofKey = all.filter(({ inKey: isPart }) => isPart).map((column) => column.name);
  if (ofKey.length > 0) lines.push(`primary key (${ofKey.join(", ")})`);
  const rowid = all.some(({ sql }) => sql === key.sql);
  return `create table ${name} (${lines.join(", ")}) strict${rowid ? "" : ", without rowid"}`;
}

/** The statement that inserts a record into a table, and a function that puts a record's values in its order. */
export function insertOf<Of extends Table>({
  name,
  all,
}: Of): { statement: string; valuesOf: (line: Line<Of>) => Value[] } {
  const names = all.map((column) => column.name).join(", ");
  return {
    statement: `insert into ${name} (${names}) values (${all.map(() => "?").join(", ")})`,
    // `Line` has every column.
    valuesOf: (line) => all.map(({ here, write }) => write(line[here as keyof Line<Of>])),
  };
}

/** What SQLite returned for the selected columns, perhaps among others. */
export type Stored<Of extends Table> = Readonly<Record<keyof Of["columns"], Value>>;

/** The record in what SQLite returned. */
export function lineOf<Of extends Table>({ all }: Of, found: Stored<Of>): Line<Of> {
  const line: Record<string, unknown> = {};
  for (const { here, read } of all) line[here] = read(found[here] ?? null);
  // Every column of the table.
  return line as Line<Of>;
}

/** The records of a table. @param from the table, with what is joined and the conditions */
export function readLines<Of extends Table>(
  dataset: Pick<Dataset, "all">,
  of: Of,
  from: string,
  ...values: (string | number)[]
): Line<Of>[] {
  return dataset
    .all<Stored<Of>>(`select ${of.selected} from ${from}`, ...values)
    .map((found) => lineOf(of, found));
}
