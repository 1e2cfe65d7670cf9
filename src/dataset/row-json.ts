/**
 * The served row of a person and year, with its problems, and its JSON as it appears in answers, made once when the snapshot is
 * written.
 */
import { valueAt } from "../lib/checked-access.ts";
import { writeCents, type Cents } from "../domain/amount.ts";
import {
  type AmountField,
  byAmount,
  COLLECTED,
  type CompensationSource,
  type FieldKind,
  ROW_FIELDS,
  type RowFieldName,
  rowHead,
  type RowValues,
  SOURCE_FIELDS,
  AMOUNTS,
} from "../domain/row-fields.ts";
import type { CoveredYear } from "../domain/company.ts";
import { displayName } from "../domain/executive.ts";
import { compareTexts } from "../lib/text.ts";
import {
  type OfficeDecision,
  type Decisions,
  type FlagBasis,
  isOfYear,
  servedStatement,
  type Statement,
} from "./officers.ts";
import type { FilingRecord, Observation, Problem } from "./record.ts";
import { type DatasetProblem, NO_FILING_DECIDES, TITLES_NOT_COLLECTED } from "./remarks.ts";

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

/** Bits of a year: no executive is missing; it has a collected row. */
export const YEAR_COMPLETE = 1;
export const YEAR_COLLECTED = 2;

/** The rows of a company as a single text (`companyRows` of `schema.ts`). */
export interface CompanyJson<Row> {
  json: Buffer;
  /** `[fiscal year, YEAR_COMPLETE + YEAR_COLLECTED, offset of the byte after its last row]`, in the order of the rows. */
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
  years: readonly CoveredYear[],
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
    years: years.map(({ fiscalYear, complete, collected }) => [
      fiscalYear,
      (complete ? YEAR_COMPLETE : 0) + (collected === true ? YEAR_COLLECTED : 0),
      valueAt(ends, fiscalYear),
    ]),
    placed,
  };
}

/** A served row, with the observation it is made from. */
export interface ServedRow {
  fiscalYear: number;
  reportedYear: number;
  executiveId: string;
  name: string;
  role: string | null;
  isPeo: boolean;
  isPfo: boolean;
  peoBasis: FlagBasis;
  pfoBasis: FlagBasis;
  /** What decided the flags. */
  decisions: Decisions;
  currency: string | null;
  amounts: Readonly<Record<AmountField, Cents>>;
  observation: Observation;
  filing: FilingRecord;
}

/**
 * The served row of one person in one year with its problems, or undefined for a placeholder.
 * @param statements the filings' rows for this person and year, newest filing first
 * @param names the name to serve for each printed one
 */
export function servedRow(
  statements: readonly Statement[],
  decisions: Decisions,
  names: ReadonlyMap<string, string>,
): { row: ServedRow; problems: Problem[] } | undefined {
  const chosen = servedStatement(statements);
  if (chosen === undefined) return undefined;
  const { row, filing } = chosen;
  const { peo, pfo } = decisions;
  if (row.placeholder && !servedThoughBlank(chosen, peo, pfo)) return undefined;
  const role = statements.find((statement) => isOfYear(statement) && statement.row.role !== null)?.row.role;
  return {
    row: {
      fiscalYear: row.fiscalYear,
      reportedYear: chosen.newestPrinted,
      executiveId: chosen.executiveId,
      name: names.get(row.name) ?? displayName(row.name),
      role: role ?? row.role,
      isPeo: peo.value,
      isPfo: pfo.value,
      peoBasis: peo.basis,
      pfoBasis: pfo.basis,
      decisions,
      currency: filing.currency,
      amounts: row.amounts,
      observation: row,
      filing,
    },
    problems: [...problemsOf(chosen, statements, decisions)].map(([code, message]) => ({
      accession: row.accession,
      position: row.position,
      step: "assemble",
      code,
      message,
    })),
  };
}

/**
 * A year printed without any amount is a true zero for a PEO or PFO (Tesla's dashes for Elon Musk). Today's office in an
 * older blank year is not enough, unless the same table is blank for the person's newest year too: people who joined later
 * also have blank earlier years.
 */
function servedThoughBlank(chosen: Statement, ...offices: readonly OfficeDecision[]): boolean {
  return offices.some(({ value, basis }) => value && (basis !== "todays_office" || chosen.blankThroughout));
}

function* problemsOf(
  chosen: Statement,
  statements: readonly Statement[],
  { peo, pfo }: Decisions,
): Generator<[code: DatasetProblem | "peo_unclear" | "pfo_unclear", message: string]> {
  const isCollected = chosen.filing.read === "collected";
  if (isCollected) yield ["components_unchecked", COLLECTED];
  for (const [name, flag] of [
    ["is_peo", peo],
    ["is_pfo", pfo],
  ] as const) {
    if (flag.basis === "undecided" && isCollected)
      yield [name === "is_pfo" ? "pfo_unclear" : "peo_unclear", `${name}: ${TITLES_NOT_COLLECTED}`];
    else if (flag.basis === "undecided") yield ["undecided_flag", `${name}: ${NO_FILING_DECIDES}`];
    if (flag.conflict !== null) yield ["flag_conflict", `${name}: ${flag.conflict}`];
  }
  const { row, filing } = chosen;
  for (const { row: older, filing: from } of statements) {
    if (older === row || older.placeholder) continue;
    const changed = AMOUNTS.filter((field) => older.amounts[field] !== row.amounts[field])
      .map((field) => `${field} ${older.amounts[field] / 100} → ${row.amounts[field] / 100}`)
      .join(", ");
    if (changed === "") continue;
    if (from === filing)
      yield ["printed_twice", `printed in row ${older.position} too, otherwise: ${changed}`];
    else yield ["restated", `printed otherwise in ${from.accession} of ${from.filingDate}: ${changed}`];
  }
  if (row.period !== null)
    yield ["partial_period", `covers ${row.period.start} to ${row.period.end}, not a whole year`];
}

/** Sorts rows as in `docs/contract.md`, "Rows": newest year first, then PEOs, PFOs, descending total and ascending id. */
export function byContract(a: ServedRow, b: ServedRow): number {
  return (
    b.fiscalYear - a.fiscalYear ||
    Number(b.isPeo) - Number(a.isPeo) ||
    Number(b.isPfo) - Number(a.isPfo) ||
    b.amounts.total_compensation - a.amounts.total_compensation ||
    compareTexts(a.executiveId, b.executiveId)
  );
}
