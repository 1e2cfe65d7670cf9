/**
 * The documented views of a snapshot: plain typed columns with the same names as in answers, amounts in units of the
 * currency, dates as YYYY-MM-DD, flags as 1 and 0. The underlying tables (`schema.ts`) may change; the views do not.
 */
import type { Database } from "bun:sqlite";
import {
  AMOUNTS,
  byAmount,
  EVIDENCE_ABOUT,
  type FieldKind,
  ROW_FIELDS,
  type RowFieldName,
  SOURCE_FIELDS,
} from "../../domain/row-fields.ts";
import { INDEXES, SECTORS } from "../../domain/selection.ts";
import { FILING_STATUSES } from "../../dataset/record.ts";
import { EVIDENCE_SQL } from "../../dataset/company-facts.ts";
import { MAX_ROWS } from "../../dataset/dataset.ts";

/** A column of a view. */
export interface ViewColumn {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly about: string;
  /** Its value in terms of the view's `from`. */
  readonly sql: string;
}

/** A view. */
export interface View {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly ViewColumn[];
  /** Its `from` clause. */
  readonly from: string;
}

const column = (name: string, kind: FieldKind, sql: string, about: string): ViewColumn => ({
  name,
  kind,
  nullable: false,
  about,
  sql,
});
const nullable = (...of: Parameters<typeof column>): ViewColumn => ({ ...column(...of), nullable: true });
const text = (name: string, sql: string, about: string) => column(name, "text", sql, about);
const textOrNull = (name: string, sql: string, about: string) => nullable(name, "text", sql, about);
const cikOf = (table: string) => text("cik", `printf('%010d', ${table}.cik)`, "CIK, ten digits");
const oneOf = (values: readonly string[]) =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values);
const amountsOf = (table: string): ViewColumn[] =>
  AMOUNTS.map((name) =>
    column(
      name,
      "amount",
      `${table}.${name} / 100.0`,
      name === "unknown_component" ? "what no column explains" : "as printed",
    ),
  );

/** SQL of each row field; the amounts are those of the served observation. */
const ROW_SQL: Readonly<Record<RowFieldName, string>> = {
  ticker: "c.ticker",
  cik: "printf('%010d', r.cik)",
  company_name: "c.name",
  fiscal_year: "r.fiscal_year",
  period: "'annual'",
  executive_id: "r.executive_id",
  executive_name: "r.name",
  executive_role: "r.role",
  reported_year: "r.reported_year",
  is_peo: "r.is_peo",
  is_pfo: "r.is_pfo",
  reporting_currency: "f.currency",
  ...byAmount((name) => `o.${name} / 100.0`),
};
const SOURCE_SQL = {
  form: "f.form",
  accession: "f.accession",
  filing_date: "f.filing_date",
  filing_url: "f.url",
};

/** The served rows, with the columns of exports. */
export const COMPENSATION: View = {
  name: "compensation",
  about:
    "The served rows: one executive in one fiscal year, from the newest definitive filing that prints it.",
  columns: [
    ...ROW_FIELDS.map((one) => {
      return { ...one, about: one.name === "ticker" ? "primary symbol" : one.about, sql: ROW_SQL[one.name] };
    }),
    ...SOURCE_FIELDS.map((one) => ({ ...one, name: `source_${one.name}`, sql: SOURCE_SQL[one.name] })),
    column(
      "year_complete",
      "flag",
      "y.complete",
      "whether no executive is missing: that year's filing has been read, or the tagged average confirms it",
    ),
    textOrNull(
      "problems",
      "r.problems",
      "problem codes of the row, in alphabetical order, separated by spaces",
    ),
    text("evidence", EVIDENCE_SQL, EVIDENCE_ABOUT),
  ],
  from: `main.rows r join main.companies c on c.cik = r.cik join main.filings f on f.id = r.filing
     join main.observations o on o.id = r.filing * ${MAX_ROWS} + r.position
     join main.years y on y.cik = r.cik and y.fiscal_year = r.fiscal_year`,
};

const COMPANIES: View = {
  name: "companies",
  about: "All known registrants, with or without rows.",
  columns: [
    cikOf("c"),
    text("ticker", "c.ticker", "primary symbol; empty for a registrant without one"),
    text("company_name", "c.name", "name of the registrant"),
    textOrNull("fiscal_year_end", "coalesce(c.fiscal_year_end, g.fiscal_year_end)", "MM-DD"),
    textOrNull("sic", "g.sic", "SIC code, four digits"),
    textOrNull("sic_description", "nullif(s.description, '')", "description of the SIC code"),
    textOrNull(
      "sector",
      "(select m.sector from index_members m where m.cik = c.cik order by coalesce(removed, '9999') desc, added desc limit 1)",
      `S&P 500 sector of current and former members: ${SECTORS.join(", ")}`,
    ),
    textOrNull("filer_category", "g.filer_category", "the SEC's text, parts separated by `; `"),
    textOrNull("state_of_incorporation", "g.state_of_incorporation", "EDGAR's code"),
    textOrNull("business_state", "g.business_state", "EDGAR's code"),
    textOrNull(
      "former_names",
      "(select group_concat(name, '; ') from (select name from former_names n where n.cik = c.cik order by place))",
      "in chronological order, separated by `; `",
    ),
    column("rows", "whole", "c.row_count", "served rows"),
    nullable(
      "latest_fiscal_year",
      "whole",
      "(select max(fiscal_year) from main.years y where y.cik = c.cik)",
      "the latest fiscal year with rows",
    ),
  ],
  from: "main.companies c left join registrants g on g.cik = c.cik left join sic_codes s on s.sic = g.sic",
};

const FILINGS: View = {
  name: "filings",
  about: "All known filings, read or not.",
  columns: [
    text("accession", "f.accession", "accession number"),
    cikOf("f"),
    textOrNull("form", "f.form", "EDGAR's form type"),
    nullable("filing_date", "date", "f.filing_date", "filing date"),
    nullable("period_end", "date", "f.period_end", "end of the fiscal year that it reports on"),
    nullable("fiscal_year", "whole", "f.fiscal_year", "newest fiscal year in its table"),
    textOrNull("reporting_currency", "f.currency", "ISO 4217 code of its amounts"),
    text("status", "f.status", oneOf(FILING_STATUSES)),
    textOrNull("reason", "f.reason", "why it was refused or failed"),
    textOrNull(
      "read",
      "f.read",
      "transcribed (typed from the document), pipeline (read from its cells), both, or collected (by others)",
    ),
    column("rows", "whole", "f.row_count", "observations read from it"),
    nullable("filing_url", "link", "f.url", "URL of the document"),
  ],
  from: "main.filings f",
};

const OBSERVATIONS: View = {
  name: "observations",
  about: "What each filing prints for each executive and fiscal year, served or not.",
  columns: [
    text("accession", "f.accession", "the filing"),
    cikOf("f"),
    column("position", "whole", "o.position", "position in the filing's table, from 1"),
    text("executive_id", "o.executive_id", "identifier of the executive, unique within the company"),
    text("executive_name", "o.name", "name as printed"),
    textOrNull("executive_role", "o.role", "position as printed"),
    column("fiscal_year", "whole", "o.fiscal_year", "fiscal year"),
    nullable("period_start", "date", "o.period_start", "first day of a period shorter than a year"),
    nullable("period_end", "date", "o.period_end", "its last day"),
    textOrNull("reporting_currency", "f.currency", "ISO 4217 code of the amounts"),
    ...amountsOf("o"),
    nullable("is_peo", "flag", "o.is_peo", "principal executive officer; null where the filing does not say"),
    nullable("is_pfo", "flag", "o.is_pfo", "principal financial officer; null where the filing does not say"),
    column("placeholder", "flag", "o.placeholder", "the year is printed without any amount"),
    column(
      "served",
      "flag",
      `exists (select 1 from main.rows r where r.id >= f.cik * ${MAX_ROWS} and r.id < (f.cik + 1) * ${MAX_ROWS}
        and r.filing = o.filing and r.position = o.position)`,
      "whether a row of `compensation` is made from it",
    ),
  ],
  from: "main.observations o join main.filings f on f.id = o.filing",
};

const INDEX_MEMBERSHIP: View = {
  name: "index_membership",
  about: "S&P 500 memberships, one per symbol: count distinct CIKs to count companies.",
  columns: [
    text("index_name", "m.index_name", oneOf(INDEXES)),
    cikOf("m"),
    text("symbol", "m.symbol", "symbol at that time"),
    text("company_name", "m.name", "name at that time"),
    text("sector", "m.sector", "as in `companies`"),
    column("added", "date", "m.added", "first day"),
    column("added_known", "flag", "m.added_known", "0: `added` is only the earliest known day"),
    nullable("removed", "date", "m.removed", "first day it was not a member; null for a current member"),
  ],
  from: "index_members m",
};

/** The view of CEO pay, whose columns exports have too. */
export const CEO_PAY: View = {
  name: "ceo_pay",
  about:
    "What CEOs were paid: the served row where there is one, else the total as the filer tagged it; one line per person and year.",
  columns: [
    text("ticker", "c.ticker", "primary symbol; empty for a registrant without one"),
    cikOf("p"),
    text("company_name", "c.name", "name of the registrant"),
    column("fiscal_year", "whole", "p.fiscal_year", "fiscal year"),
    column(
      "label_inferred",
      "flag",
      "p.label_inferred",
      "1: only the calendar year in which it ends is known",
    ),
    nullable("period_end", "date", "p.period_end", "its last day, where a filing or tag states it"),
    column("is_latest", "flag", "p.is_latest", "whether it is the company's latest known year"),
    textOrNull("peo_name", "p.peo_name", "the principal executive officer"),
    column("peo_total", "amount", "p.total / 100.0", "total compensation, in units of reporting_currency"),
    text("reporting_currency", "p.currency", "ISO 4217 code of the total"),
    text("basis", "p.basis", "row: the filing's table; tag: the total alone, as a proxy prints and tags it"),
    column("confirmed_by_tag", "flag", "p.confirmed_by_tag", "whether another witness states the same total"),
    nullable(
      "restated_total",
      "amount",
      "json_extract(p.restated, '$.cents') / 100.0",
      "what a newer proxy prints for the officer and year instead",
    ),
    nullable(
      "restated_date",
      "date",
      "json_extract(p.restated, '$.filingDate')",
      "filing date of that proxy",
    ),
    textOrNull("doubts", "p.doubt", "why the total is left out of rankings and statistics"),
    textOrNull("provider", "p.provider", "who collected the tag, if its filing is not known"),
    textOrNull("source_accession", "p.accession", "the filing"),
    nullable("source_filing_url", "link", "f.url", "URL of the document"),
  ],
  from: `main.ceo_pay p join main.companies c on c.cik = p.cik
    left join main.filings f on f.accession = p.accession`,
};

/** The views, in the order of the documentation. */
export const VIEWS: readonly View[] = [
  COMPENSATION,
  COMPANIES,
  FILINGS,
  OBSERVATIONS,
  INDEX_MEMBERSHIP,
  CEO_PAY,
];

/**
 * Creates the views for this connection only. They have the names of tables and hide them, so the connection must not be used
 * for anything else.
 */
export function createViews(database: Database): void {
  for (const { name, columns, from } of VIEWS)
    database.run(`create temp view "${name}" as select ${selected(columns)} from ${from}`);
}

/** The columns of a view as SQL. */
export function selected(columns: View["columns"]): string {
  return columns.map(({ name, sql }) => `${sql} as "${name}"`).join(", ");
}
