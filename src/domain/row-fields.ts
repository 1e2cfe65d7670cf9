/**
 * The fields of a row: name, type, presentation. The schema of answers, their JSON, snapshot columns, exports,
 * API reference, MCP output schema and the data dictionary in `docs/` are generated from this list. A new field
 * does not compile until `dataset/row-json.ts` computes its value; nothing else depends on positions.
 */
import { type Definition, named, orNull } from "../lib/definition.ts";
import { type AvailableYear, CIK, DATE } from "./company.ts";

/** Kinds of values. Amounts are in units of `reporting_currency`, exact to the cent. */
export type FieldKind = "text" | "whole" | "flag" | "amount" | "date" | "link";

/** One field of a row. */
export interface RowField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  /** Unit of the value, if it has one. */
  readonly unit: "reporting_currency" | null;
  /** The only allowed values; null if unrestricted. */
  readonly values: readonly string[] | null;
  /** Description in the reference and the schemas. */
  readonly about: string;
  /** Column heading for people. */
  readonly label: string;
  /** Heading in a narrow table. */
  readonly shortLabel: string;
}

type Described = Pick<RowField, "about" | "label"> & Partial<Pick<RowField, "shortLabel">>;

function field<const Name extends string, const Kind extends FieldKind, const Nullable extends boolean>(
  name: Name,
  kind: Kind,
  nullable: Nullable,
  described: Described,
) {
  const { label, shortLabel = label } = described;
  return { name, kind, nullable, unit: null, values: null, ...described, shortLabel } as const;
}

function amount<const Name extends string>(name: Name, described: Described) {
  return { ...field(name, "amount", false, described), unit: "reporting_currency" } as const;
}

/** The components of a row's total, in the order of the table's columns; the unreconciled remainder comes last. */
const COMPONENT_FIELDS = [
  amount("salary", { about: "column (c), salary", label: "Salary" }),
  amount("bonus", { about: "column (d), bonus", label: "Bonus" }),
  amount("stock_awards", {
    about: "column (e), grant-date fair value of stock awards",
    label: "Stock awards",
    shortLabel: "Stock",
  }),
  amount("option_awards", {
    about: "column (f), grant-date fair value of option awards",
    label: "Option awards",
    shortLabel: "Options",
  }),
  amount("non_equity_incentive", {
    about: "column (g), non-equity incentive plan compensation",
    label: "Non-equity incentive",
    shortLabel: "Incentive",
  }),
  amount("pension_change", {
    about: "column (h), change in pension value and nonqualified deferred compensation earnings",
    label: "Change in pension value",
    shortLabel: "Pension",
  }),
  amount("other_comp", {
    about: "column (i), all other compensation",
    label: "All other compensation",
    shortLabel: "Other",
  }),
  amount("unknown_component", {
    about:
      "remainder that no column explains, or the filer's own arithmetic error; may be negative; 0 in most rows",
    label: "Difference",
  }),
] as const;

/** All amounts of a row: the components and the printed total. */
const AMOUNT_FIELDS = [
  ...COMPONENT_FIELDS,
  amount("total_compensation", {
    about: "column (j), the total that the filer printed",
    label: "Total",
  }),
] as const;

/** The fields of a row in the order of the contract, without `source`, which comes last. @see docs/contract.md */
export const ROW_FIELDS = [
  field("ticker", "text", false, {
    about: "symbol in the request, in the SEC's spelling; empty for a registrant without one",
    label: "Ticker",
  }),
  field("cik", "text", false, {
    about: "SEC Central Index Key, ten digits",
    label: "CIK",
  }),
  field("company_name", "text", false, {
    about: "name of the registrant",
    label: "Company",
  }),
  field("fiscal_year", "whole", false, {
    about: "fiscal year printed with the row",
    label: "Fiscal year",
  }),
  field("reported_year", "whole", true, {
    about: "newest fiscal year printed in the row's filing",
    label: "Reported year",
  }),
  {
    ...field("period", "text", false, {
      about: "always annual",
      label: "Period",
    }),
    values: ["annual"],
  },
  field("executive_id", "text", false, {
    about: "identifier of the executive, unique within the company",
    label: "Executive id",
  }),
  field("executive_name", "text", false, {
    about: "name in the filer's spelling, without footnote markers and honorifics",
    label: "Executive",
  }),
  field("executive_role", "text", true, {
    about: "position as printed",
    label: "Position",
  }),
  field("is_peo", "flag", false, {
    about: "served as principal executive officer at any time in the fiscal year",
    label: "CEO",
  }),
  field("is_pfo", "flag", false, {
    about: "served as principal financial officer at any time in the fiscal year",
    label: "CFO",
  }),
  field("reporting_currency", "text", true, {
    about: "ISO 4217 code of the amounts",
    label: "Currency",
  }),
  ...AMOUNT_FIELDS,
] as const;

/** The fields of `source`: the filing that the row is served from. */
export const SOURCE_FIELDS = [
  field("form", "text", false, {
    about: "EDGAR's form type of the filing, exactly, such as DEF 14A",
    label: "Form",
  }),
  field("accession", "text", false, {
    about: "accession number of the filing, such as 0001308179-26-000008",
    label: "Accession number",
  }),
  field("filing_date", "date", true, {
    about: "date on which it was filed, as YYYY-MM-DD",
    label: "Filed",
  }),
  field("filing_url", "link", true, {
    about: "address of the document itself on sec.gov",
    label: "Filing",
  }),
] as const;

interface KindValues {
  text: string;
  whole: number;
  flag: boolean;
  amount: number;
  date: string;
  link: string;
}

/** The type of a field's value in an answer. */
type ValueOf<Field extends RowField> =
  | (Field["values"] extends readonly (infer Value)[] ? Value : KindValues[Field["kind"]])
  | (Field["nullable"] extends true ? null : never);

type ValuesOf<Fields extends readonly RowField[]> = {
  [Name in Fields[number]["name"]]: ValueOf<Extract<Fields[number], { name: Name }>>;
};

/** The source of a row. @see docs/contract.md */
export type CompensationSource = ValuesOf<typeof SOURCE_FIELDS>;

/** The values of a row, without `source`. */
export type RowValues = ValuesOf<typeof ROW_FIELDS>;

/** One executive in one fiscal year, as served. */
export type ExecutiveCompensation = RowValues & { source: CompensationSource };

/** Name of a field of a row, without `source`. */
export type RowFieldName = (typeof ROW_FIELDS)[number]["name"];

/** One of the eight amounts that add up to `total_compensation`. */
export type Component = (typeof COMPONENT_FIELDS)[number]["name"];

/** One of a row's nine amounts. */
export type AmountField = (typeof AMOUNT_FIELDS)[number]["name"];

/** Names of the components. */
export const COMPONENTS: readonly Component[] = COMPONENT_FIELDS.map(({ name }) => name);

/** Components with a column in the table: all except the unreconciled remainder. */
export type PrintedComponent = Exclude<Component, "unknown_component">;
/** All of them, in column order. */
export const PRINTED_COMPONENTS: readonly PrintedComponent[] = COMPONENTS.filter(
  (name) => name !== "unknown_component",
);

/** Names of the amounts, the total last. */
export const AMOUNTS: readonly AmountField[] = AMOUNT_FIELDS.map(({ name }) => name);

/** Builds a record with an entry for each amount, in table order. */
export function byAmount<Value>(valueOf: (field: AmountField) => Value): Record<AmountField, Value> {
  // AMOUNTS contains every AmountField.
  return Object.fromEntries(AMOUNTS.map((name) => [name, valueOf(name)])) as Record<AmountField, Value>;
}

/** The amount fields by name. AMOUNT_FIELDS contains every one. */
export const AMOUNT_FIELD = Object.fromEntries(AMOUNT_FIELDS.map((one) => [one.name, one])) as Readonly<
  Record<AmountField, RowField>
>;

/** A column of a table of rows: a field of the row, or of `source` with a prefixed name. */
export interface RowColumn extends RowField {
  /** The column's value in a row. */
  valueIn(row: ExecutiveCompensation): string | number | boolean | null;
}

/** The columns of a table of rows: the fields in the order of the contract, followed by those of `source`. */
export const ROW_COLUMNS: readonly RowColumn[] = [
  ...ROW_FIELDS.map((one): RowColumn => ({ ...one, valueIn: (row) => row[one.name] })),
  ...SOURCE_FIELDS.map((one): RowColumn => ({
    ...one,
    name: `source_${one.name}`,
    valueIn: (row) => row.source[one.name],
  })),
];

/**
 * The evidence for a row: its amounts are linked to the cells of the filing's table; it was typed from the filing; or it was collected
 * by others, and only its total is confirmed by what the filer tagged.
 */
export const ROW_EVIDENCE = ["linked", "typed", "collected"] as const;
/** A kind of evidence for a row. */
export type RowEvidence = (typeof ROW_EVIDENCE)[number];
/** The same in files of pages, which have totals without a row too. */
export const FILE_EVIDENCE = [...ROW_EVIDENCE, "tagged"] as const;
/** The column in the data dictionary. */
export const EVIDENCE_ABOUT =
  "linked (to cells), typed (from the filing), collected (components not checked); in files of pages also tagged: a CEO's total alone";

/** The sentence about collected rows, the same everywhere. */
export const COLLECTED =
  "collected from the filing by the S&P 500 Executive Compensation Tracker; the total of the chief executive and, in a complete " +
  "year, the average of the others equal the filer's own tags; components not checked against the document";

/** The beginning of a row, up to where the stored text starts. */
export function rowHead(ticker: string): string {
  return `{"ticker":${JSON.stringify(ticker)},`;
}

/** Parses stored rows, with the requested symbol. */
export function readRows(ticker: string, rowJson: readonly string[]): ExecutiveCompensation[] {
  const head = rowHead(ticker);
  // The snapshot was compiled from rows of this type, and is verified by its content hash.
  return rowJson.map((tail) => JSON.parse(head + tail) as ExecutiveCompensation);
}

/** The rows of several years as comma-separated JSON, with the requested symbol. */
export function rowsOf(ticker: string, years: readonly AvailableYear[]): string {
  const head = rowHead(ticker);
  return years.flatMap(({ rowJson }) => rowJson.map((tail) => head + tail)).join(",");
}

/** Figures derived from a row, and for a change from the same executive's row of the fiscal year before, in the order of the contract. */
export const MEASURES = ["total_change", "total_change_percent", "cash_share", "equity_share"] as const;
/** The name of a measure. */
export type Measure = (typeof MEASURES)[number];

/** How a measure is stored: as a whole number of `1 / unit`, so that sums and comparisons are exact. */
export const MEASURE_UNIT: Readonly<Record<Measure, number>> = {
  total_change: 100,
  total_change_percent: 10_000,
  cash_share: 1_000_000,
  equity_share: 1_000_000,
};

/** What each measure means. */
export const MEASURE_ABOUT: Readonly<Record<Measure, string>> = {
  total_change:
    "total minus the same executive's total of the fiscal year before; both full years, one currency",
  total_change_percent: "the same in percent of the total of the year before",
  cash_share: "salary, bonus and non-equity incentive as a share of the total, from 0 to 1",
  equity_share: "stock and option awards as a share of the total, from 0 to 1",
};

/** Whether a word names a measure. */
export function isMeasure(word: string): word is Measure {
  return MEASURES.some((name) => name === word);
}

const DEFINITIONS: Readonly<Record<FieldKind, Definition>> = {
  text: "string",
  whole: "number.integer",
  flag: "boolean",
  amount: "number",
  date: DATE,
  link: "string",
};

function definitionOf({ name, kind, nullable, values, about }: RowField): Definition {
  const value = values === null ? DEFINITIONS[kind] : ["===", ...values];
  const own = name === "cik" ? CIK : value;
  return [nullable ? orNull(own) : own, "@", about];
}

/** Members of fields, with what they are. */
function membersOf(fields: readonly RowField[]): Readonly<Record<string, Definition>> {
  return Object.fromEntries(fields.map((field) => [field.name, definitionOf(field)]));
}

/** A row in an answer. */
export const ROW = named("ExecutiveCompensation", {
  ...membersOf(ROW_FIELDS),
  source: named("CompensationSource", membersOf(SOURCE_FIELDS)),
});

/** The rows of an answer. */
export const ROWS = { executive_compensation: [ROW, "[]"] } as const;
