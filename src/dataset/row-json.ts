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

/** What is written before each value, in the order of `ROW_FIELDS`, and the value. */
const FIELDS: readonly { before: string; kind: FieldKind; valueOf(stored: Stored): Value }[] = [
  ...ROW_FIELDS.flatMap(({ name, kind }) =>
    name === "ticker" ? [] : [{ before: `"${name}":`, kind, valueOf: VALUES[name] }],
  ),
  ...SOURCE_FIELDS.map(({ name, kind }) => ({ before: `"${name}":`, kind, valueOf: SOURCE_VALUES[name] })),
].map(({ before, ...field }, at) => ({
  ...field,
  before: at === 0 ? before : at === ROW_FIELDS.length - 1 ? `,"source":{${before}` : `,${before}`,
}));

type Value = string | number | boolean | null;

function write(kind: FieldKind, value: Value): string {
  if (kind === "amount") return writeCents(Number(value));
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The row's JSON after `{"ticker":"…",`. */
export function rowTail(cik: string, companyName: string, row: ServedRow): string {
  const stored = { cik, companyName, row };
  let text = "";
  for (const { before, kind, valueOf } of FIELDS) text += before + write(kind, valueOf(stored));
  return `${text}}}`;
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
  const text = rows.map(({ tail }) => head + tail).join(",");
  const json = Buffer.from(text);
  // Measuring every tail takes as long as writing it; most companies have ASCII only.
  const bytesOf = json.length === text.length ? (part: string) => part.length : Buffer.byteLength;
  const placed: CompanyJson<Row>["placed"] = [];
  const ends = new Map<number, number>();
  const between = bytesOf(`,${head}`);
  let start = between - 1;
  for (const row of rows) {
    const length = bytesOf(row.tail);
    placed.push({ row, start, length });
    ends.set(row.fiscalYear, start + length);
    start += length + between;
  }
  return {
    json,
    years: years.map(({ fiscalYear, complete }) => [fiscalYear, complete ? 1 : 0, ends.get(fiscalYear) ?? 0]),
    placed,
  };
}
