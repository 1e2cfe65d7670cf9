/** Documents that assistants can search and fetch: a company, one of its fiscal years, or an executive. */
import type { Company } from "../../domain/company.ts";
import { formatAmount } from "../../domain/amount.ts";
import { AMOUNT_FIELD, COMPONENTS, type ExecutiveCompensation } from "../../domain/row-fields.ts";
import { ServiceError } from "../../errors.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import type { Remark } from "../../dataset/remarks.ts";
import { type PageYear, yearsOf } from "../rows.ts";

/** The subject of a document; surfaces build its URL from it. */
export interface DocumentSubject {
  id: string;
  title: string;
  cik: string;
  /** Empty for a registrant without a symbol. */
  ticker: string;
  /** Null for a company; the newest year for an executive. */
  fiscal_year: number | null;
  executive_id: string | null;
  /** The filing of the newest row. */
  filing_url: string;
}

/** A parsed document id. */
export type DocumentId =
  | { kind: "company"; cik: string }
  | { kind: "year"; cik: string; fiscalYear: number }
  | { kind: "executive"; cik: string; executiveId: string };

const FORMS = 'expected "company:CIK", "year:CIK:2025" or "executive:CIK:executive-id", as in search results';

/** Parses a document id. Refuses with `invalid_parameter`. */
export function readDocumentId(text: string): DocumentId {
  const [, kind, digits = "", rest] =
    /^(company|year|executive):(\d{1,10})(?::(.{1,100}))?$/.exec(text.trim()) ?? [];
  const cik = digits.padStart(10, "0");
  if (kind === "company" && rest === undefined) return { kind, cik };
  if (kind === "year" && /^\d{4}$/.test(rest ?? "")) return { kind, cik, fiscalYear: Number(rest) };
  if (kind === "executive" && /^[a-z0-9-]+$/.test(rest ?? "")) return { kind, cik, executiveId: rest ?? "" };
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  throw new ServiceError("invalid_parameter", `Cannot read id ${shown}: ${FORMS}.`);
}

/** The years of a company, newest first. */
export function documentYears(dataset: Dataset, company: Company): PageYear[] {
  return yearsOf(company, dataset.years(company.cik));
}

/** The subject of a company document. */
export function companySubject(company: Company, years: readonly PageYear[]): DocumentSubject {
  const title = `${nameOf(company)}: ${company.hasRows ? "executive compensation" : "no rows loaded"}`;
  return subjectOf(company, `company:${company.cik}`, title, years[0]?.rows[0]);
}

/** The subject of a fiscal-year document. */
export function yearSubject(company: Company, { fiscalYear, rows }: PageYear): DocumentSubject {
  const title = `${nameOf(company)}, fiscal ${fiscalYear}: executive compensation`;
  const id = `year:${company.cik}:${fiscalYear}`;
  return { ...subjectOf(company, id, title, rows[0]), fiscal_year: fiscalYear };
}

/** The subject of an executive document. @param newest the executive's newest row */
export function executiveSubject(company: Company, newest: ExecutiveCompensation): DocumentSubject {
  const { executive_id: executiveId, executive_name: name, fiscal_year: fiscalYear } = newest;
  const title = `${name}, ${nameOf(company)}: compensation by fiscal year`;
  const subject = subjectOf(company, `executive:${company.cik}:${executiveId}`, title, newest);
  return { ...subject, fiscal_year: fiscalYear, executive_id: executiveId };
}

function subjectOf(
  { cik, ticker }: Company,
  id: string,
  title: string,
  newest: ExecutiveCompensation | undefined,
): DocumentSubject {
  const filing = filingOf(cik, newest);
  return { id, title, cik, ticker, fiscal_year: null, executive_id: null, filing_url: filing };
}

/** `Apple Inc. (AAPL)` */
export function nameOf({ name, ticker, cik }: Company): string {
  return `${name} (${ticker === "" ? `CIK ${cik}` : ticker})`;
}

/**
 * URL of a row's filing: the document or, if its address is unknown, the filing's folder on EDGAR; without a row, the
 * company's filing list.
 */
function filingOf(cik: string, row: ExecutiveCompensation | undefined): string {
  if (row === undefined) return `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}`;
  const { accession, filing_url: url } = row.source;
  return url ?? `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}/`;
}

/** A row in one line: lead, role, office, total and every nonzero component. */
export function rowLine(row: ExecutiveCompensation, lead: string, remarks: readonly Remark[]): string {
  const role = row.executive_role === null ? "" : `, ${row.executive_role}`;
  const offices = [row.is_peo && "CEO", row.is_pfo && "CFO"].filter((office) => office !== false);
  const office = offices.length === 0 ? "" : ` [${offices.join(", ")}]`;
  const parts = COMPONENTS.filter((name) => row[name] !== 0).map(
    (name) => `${AMOUNT_FIELD[name].label.toLowerCase()} ${formatAmount(row[name])}`,
  );
  const currency = row.reporting_currency ?? "currency unknown";
  const found = remarks.map(({ message }) => `. ${message.replace(/\.$/, "")}`).join("");
  const mix = parts.length === 0 ? "" : ` (${parts.join("; ")})`;
  return `- ${lead}${role}${office}: total ${formatAmount(row.total_compensation)} ${currency}${mix}${found}`;
}

/** One line for each filing that the rows come from. */
export function sourceLines(rows: readonly ExecutiveCompensation[]): string[] {
  const filings = new Map(rows.map((row) => [row.source.accession, row]));
  return [...filings.values()].map((row) => {
    const { form, accession, filing_date: day } = row.source;
    return `Source: ${form} ${accession}${day === null ? "" : `, filed ${day}`}: ${filingOf(row.cik, row)}`;
  });
}

/** The note on years that may lack executives. */
export function partialLine(years: readonly PageYear[]): string[] {
  const partial = years.filter(({ complete }) => !complete).map(({ fiscalYear }) => fiscalYear);
  if (partial.length === 0) return [];
  return [
    `Incomplete: ${partial.join(", ")}. That year's proxy statement is not loaded; executives who left before the next one are missing. Say so when you use it.`,
  ];
}
