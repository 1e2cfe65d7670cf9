/** The JSON of a served row as it appears in answers, made once when the snapshot is written. */
import { writeCents } from "../domain/amount.ts";
import {
  type AmountField,
  byAmount,
  type CompensationSource,
  type FieldKind,
  ROW_FIELDS,
  type RowFieldName,
  rowHead,
  type RowValues,
  SOURCE_FIELDS,
} from "../domain/row-fields.ts";
import type { FiscalYear } from "../domain/company.ts";
import type { ServedRow } from "./served-row.ts";

interface Stored {
  cik: string;
  companyName: string;
  row: ServedRow;
}

type ValueOf<Values> = { readonly [Name in keyof Values]: (stored: Stored) => Values[Name] };

/** The stored fields that are not amounts; the ticker depends on the request. */
type TextField = Exclude<RowFieldName, AmountField | "ticker">;

/** The source of each field; a new field does not compile until it is added here. */
const VALUES: ValueOf<Pick<RowValues, TextField>> & ValueOf<Record<AmountField, number>> = {
  cik: ({ cik }) => cik,
  company_name: ({ companyName }) => companyName,
  fiscal_year: ({ row }) => row.fiscalYear,
  reported_year: ({ row }) => row.reportedYear,
  period: () => "annual",
  executive_id: ({ row }) => row.executiveId,
  executive_name: ({ row }) => row.name,
  executive_role: ({ row }) => row.role,
  is_peo: ({ row }) => row.isPeo,
  is_pfo: ({ row }) => row.isPfo,
  reporting_currency: ({ row }) => row.currency,
  // Stored in cents.
  ...byAmount(
    (name) =>
      ({ row }: Stored) =>
        row.amounts[name],
  ),
};

const SOURCE_VALUES: ValueOf<CompensationSource> = {
  // A served filing always has a form (`invariants.ts`).
  form: ({ row }) => row.filing.form ?? "",
  accession: ({ row }) => row.filing.accession,
  filing_date: ({ row }) => row.filing.filingDate,
  filing_url: ({ row }) => row.filing.url,
};

function write(kind: FieldKind, value: string | number | boolean | null): string {
  return kind === "amount" ? writeCents(Number(value)) : JSON.stringify(value);
}

/** The row's JSON after `{"ticker":"…",`, in the order of `ROW_FIELDS`. */
export function rowTail(cik: string, companyName: string, row: ServedRow): string {
  const stored = { cik, companyName, row };
  const fields = ROW_FIELDS.flatMap(({ name, kind }) =>
    name === "ticker" ? [] : [`"${name}":${write(kind, VALUES[name](stored))}`],
  );
  const source = SOURCE_FIELDS.map(
    ({ name, kind }) => `"${name}":${write(kind, SOURCE_VALUES[name](stored))}`,
  );
  return `${fields.join(",")},"source":{${source.join(",")}}}`;
}

/** Identifies the shape of a served row: the names and kinds of its fields, in their order. */
export const ROW_SHAPE = new Bun.CryptoHasher("sha256")
  .update([...ROW_FIELDS, ...SOURCE_FIELDS].map(({ name, kind }) => `${name} ${kind}`).join("\n"))
  .digest("hex")
  .slice(0, 16);

/** The rows of a company as a single text (`companyRows` of `schema.ts`). */
export interface CompanyJson<Row> {
  json: Buffer;
  /** `[fiscal year, 1 if complete, offset of the byte after its last row]`, in the order of the rows. */
  years: [number, number, number][];
  /** Each row with the position of its tail. */
  placed: { row: Row; start: number; length: number }[];
}

/**
 * Joins the rows of a company into one text.
 *
 * @param ticker its primary ticker
 * @param rows in the order of the contract
 * @param years the fiscal years of the rows
 */
export function companyJson<Row extends { fiscalYear: number; tail: string }>(
  ticker: string,
  rows: readonly Row[],
  years: readonly FiscalYear[],
): CompanyJson<Row> {
  const head = rowHead(ticker);
  const placed: CompanyJson<Row>["placed"] = [];
  const ends = new Map<number, number>();
  let start = Buffer.byteLength(head);
  for (const row of rows) {
    const length = Buffer.byteLength(row.tail);
    placed.push({ row, start, length });
    ends.set(row.fiscalYear, start + length);
    start += length + Buffer.byteLength(`,${head}`);
  }
  return {
    json: Buffer.from(rows.map(({ tail }) => head + tail).join(",")),
    years: years.map(({ fiscalYear, complete }) => [fiscalYear, complete ? 1 : 0, ends.get(fiscalYear) ?? 0]),
    placed,
  };
}
