/** A served row as the JSON that answers carry, made once when the snapshot is written. */
import { writeCents } from "../domain/amount.ts";
import {
  type AmountField,
  byAmount,
  type CompensationSource,
  type FieldKind,
  ROW_FIELDS,
  type RowFieldName,
  type RowValues,
  SOURCE_FIELDS,
} from "../domain/row-fields.ts";
import type { ServedRow } from "./served-row.ts";

interface Stored {
  cik: string;
  companyName: string;
  row: ServedRow;
}

type ValueOf<Values> = { readonly [Name in keyof Values]: (stored: Stored) => Values[Name] };

/** Fields whose value is no amount and is stored: the ticker is the one that was asked for. */
type TextField = Exclude<RowFieldName, AmountField | "ticker">;

/** Where each field comes from; a new one does not compile until it stands here. */
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
  // In cents, as they are kept.
  ...byAmount(
    (name) =>
      ({ row }: Stored) =>
        row.amounts[name],
  ),
};

const SOURCE_VALUES: ValueOf<CompensationSource> = {
  // A filing that is served has a form (invariants.ts).
  form: ({ row }) => row.filing.form ?? "",
  accession: ({ row }) => row.filing.accession,
  filing_date: ({ row }) => row.filing.filingDate,
  filing_url: ({ row }) => row.filing.url,
};

function write(kind: FieldKind, value: string | number | boolean | null): string {
  return kind === "amount" ? writeCents(Number(value)) : JSON.stringify(value);
}

/** The row's JSON from after `{"ticker":"…",` to its end, in the order of `ROW_FIELDS`. */
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
