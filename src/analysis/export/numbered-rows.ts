/**
 * Rows for Parquet, from the columns that questions are answered from: amounts and names stay numbers of different values, which is
 * what Parquet stores. Reading the JSON of each row would take three times as long.
 */
import { AMOUNTS, byAmount, type RowFieldName, type SOURCE_FIELDS } from "../../domain/row-fields.ts";
import { type Columns, PEO, PFO, readColumns, TRAITS_A_CURRENCY } from "../../dataset/columns/columns.ts";
import { type Dataset, MAX_ROWS, rowKey } from "../../dataset/dataset.ts";
import { COLUMNS } from "./columns.ts";
import type { ValueOf } from "./parquet.ts";
import type { FlatRow } from "./rows.ts";

type Name = RowFieldName | `source_${(typeof SOURCE_FIELDS)[number]["name"]}` | "year_complete" | "problems";
type Value = NonNullable<FlatRow[number]>;

interface Filing {
  id: number;
  form: string;
  accession: string;
  filing_date: string | null;
  url: string | null;
}

/** What the columns do not have of a row. */
interface RowLine {
  filing: number;
  role: string | null;
  reported_year: number;
  problems: string | null;
}

/** A row and what belongs to it. */
interface Found {
  row: number;
  year: number;
  company: { cik: string; name: string; ticker: string };
  line: RowLine;
  filing: Filing;
}

/** The values of a row; of amounts, ids and names their numbers in the columns. */
function readers(columns: Columns): Readonly<Record<Name, (found: Found) => Value | null>> {
  const { amounts, traits, executiveId, name, currencies, companyYears } = columns;
  const has =
    (office: number) =>
    ({ row }: Found) =>
      ((traits[row] ?? 0) & office) !== 0;
  return {
    ticker: ({ company }) => company.ticker,
    cik: ({ company }) => company.cik,
    company_name: ({ company }) => company.name,
    fiscal_year: ({ year }) => companyYears.fiscalYear[year] ?? 0,
    reported_year: ({ line }) => line.reported_year,
    period: () => "annual",
    executive_id: ({ row }) => executiveId[row] ?? 0,
    executive_name: ({ row }) => name[row] ?? 0,
    executive_role: ({ line }) => line.role,
    is_peo: has(PEO),
    is_pfo: has(PFO),
    reporting_currency: ({ row }) => currencies[Math.floor((traits[row] ?? 0) / TRAITS_A_CURRENCY)] || null,
    ...byAmount(
      (field) =>
        ({ row }: Found) =>
          amounts[field].rank[row] ?? 0,
    ),
    source_form: ({ filing }) => filing.form,
    source_accession: ({ filing }) => filing.accession,
    source_filing_date: ({ filing }) => filing.filing_date,
    source_filing_url: ({ filing }) => filing.url,
    year_complete: ({ year }) => companyYears.complete[year] === 1,
    problems: ({ line }) => line.problems,
  };
}

/** Rows by their keys, and for each column of numbers what they stand for. Rows of a company should be adjacent. */
export function numberedRows(
  dataset: Dataset,
  keys: ArrayLike<number>,
): { rows: Iterable<FlatRow>; valueOf: ReadonlyMap<string, ValueOf> } {
  const columns = readColumns(dataset);
  const { executiveIds, names, amounts } = columns;
  const valueOf = new Map<string, ValueOf>([
    ["executive_id", (place) => executiveIds.at(place)],
    ["executive_name", (place) => names.at(place)],
    ...AMOUNTS.map((field): [string, ValueOf] => [
      field,
      (rank) => (amounts[field].values[rank] ?? Number.NaN) / 100,
    ]),
  ]);
  // `COLUMNS` has a reader for each of its names.
  const all: Readonly<Record<string, (found: Found) => Value | null>> = readers(columns);
  const inOrder = COLUMNS.map(({ name }) => all[name]).filter((reader) => reader !== undefined);
  if (inOrder.length !== COLUMNS.length) throw new Error("a column has no reader");
  const byCik = new Map(columns.companies.map(({ cik }, at) => [Number(cik), at]));
  const tickers = new Map(
    dataset.all<{ cik: number; ticker: string }>(TICKERS).map(({ cik, ticker }) => [cik, ticker]),
  );
  function* rows(): Generator<FlatRow> {
    let read = -1;
    let company: Found[] = [];
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] ?? 0;
      const cik = Math.floor(key / MAX_ROWS);
      if (cik !== read) company = companyRows(dataset, columns, byCik.get(cik) ?? 0, tickers.get(cik) ?? "");
      read = cik;
      const found = company[key % MAX_ROWS];
      if (found !== undefined) yield inOrder.map((reader) => reader(found));
    }
  }
  return { rows: rows(), valueOf };
}

/** A company's rows by their place. */
function companyRows(dataset: Dataset, columns: Columns, company: number, ticker: string): Found[] {
  const { companies, companyYears, key } = columns;
  const { cik = "", name = "", firstYear = 0, endYear = 0 } = companies[company] ?? {};
  const filings = new Map(
    dataset.all<Filing>(FILINGS, Number(cik)).map((filing): [number, Filing] => [filing.id, filing]),
  );
  const from = Number(cik);
  const lines = dataset.all<RowLine>(LINES, rowKey(from, 0), rowKey(from + 1, 0));
  const facts = { cik, name, ticker };
  const found: Found[] = [];
  for (let year = firstYear; year < endYear; year++) {
    for (let row = companyYears.first[year] ?? 0; row < (companyYears.first[year + 1] ?? 0); row++) {
      const place = (key[row] ?? 0) % MAX_ROWS;
      const line = lines[place];
      const filing = filings.get(line?.filing ?? 0);
      if (line === undefined || filing === undefined) throw new Error(`row ${place} of ${cik} is incomplete`);
      found[place] = { row, year, company: facts, line, filing };
    }
  }
  return found;
}

const TICKERS = "select cik, ticker from companies where row_count > 0";
const FILINGS = "select id, form, accession, filing_date, url from filings where cik = ?";
const LINES = "select filing, role, reported_year, problems from rows where id >= ? and id < ? order by id";
