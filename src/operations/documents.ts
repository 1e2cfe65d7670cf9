import { type Company, labelOf } from "../domain/company.ts";
import { readQuery, textUpTo, unreadable } from "../domain/parameters.ts";
import { ServiceError } from "../errors.ts";
import { currentId } from "../dataset/people.ts";
import { readCompanyFacts } from "../dataset/company-facts.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type Remark, type RemarksOf, rowRemarks } from "../dataset/remarks.ts";
import { readCeoPay } from "../dataset/ceo-pay-records.ts";
import { type AnalysisDeps, analysisOperation, type PreparedQuestion } from "./analysis.ts";
import { encode } from "./operation.ts";
import { noRows, requireCompany } from "./company.ts";
import { type PageYear, yearsOf } from "./rows.ts";
import { formatAmount } from "../domain/amount.ts";
import { compareTexts } from "../lib/text.ts";
import { AMOUNT_FIELD, COMPONENTS, type ExecutiveCompensation } from "../domain/row-fields.ts";

/** A fetched document. */
export interface FetchedDocument extends DocumentSubject {
  /** Lines of plain text. */
  text: string;
  metadata: Readonly<Record<string, string>>;
}

/** A document in lines, and its rows. */
interface MadeDocument {
  subject: DocumentSubject;
  lines: readonly string[];
  metadata: FetchedDocument["metadata"];
  rows: readonly ExecutiveCompensation[];
}

/** The parameters of the fetch operation. */
const MAX_ID = 200;

export const FETCH_PARAMETERS = [
  { name: "id", about: "id from a search result", ...textUpTo(MAX_ID, "the id of a search result") },
] as const;

/** Limit for a text that a result contains twice: as JSON, and as JSON within a JSON string. */
const MAX_TWICE = 50_000;

const UNITS =
  "Amounts are in units of the currency; stock and option awards are grant-date fair values. The total is as printed by the filer.";

/**
 * Fetches a document by id. Costs `priceHistory` if it has rows of earlier fiscal years.
 * Refuses with `invalid_parameter`, `unknown_company`, `unavailable`.
 * @see docs/contract.md, "MCP for analysts"
 */
export function fetchOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, { id: "fetch", price: "priceHistory" }, (given, dataset) => {
    const { id: text = "" } = readQuery(given, FETCH_PARAMETERS);
    const id = readDocumentId(text);
    const candidate = dataset.findByCik(id.cik);
    if (id.kind === "company" && candidate?.hasRows === false) return withoutRows(dataset, candidate);
    const company = requireCompany(dataset, { cik: id.cik }, { kind: "operator" }, null);
    const { priceHistory } = deps.prices;
    return {
      identity: JSON.stringify(id),
      priceCredits: reachesHistory(dataset, id) ? priceHistory : 0,
      answer() {
        const years = documentYears(dataset, company);
        const document = documentOf(
          { company, years, remarks: rowRemarks(dataset, [company.cik]) },
          id,
          dataset,
        );
        const hasHistory = document.rows.some((row) => row.fiscal_year !== years[0]?.fiscalYear);
        return { body: bodyOf(document), costCredits: hasHistory ? priceHistory : 0 };
      },
    };
  });
}

function bodyOf({ subject, lines, metadata }: Omit<MadeDocument, "rows">): Uint8Array<ArrayBuffer> {
  const document: FetchedDocument = { ...subject, ...textOf(lines), metadata };
  return encode(JSON.stringify(document));
}

/** The document of a company without rows: why, and what else is known. Free. */
function withoutRows(dataset: Dataset, company: Company): PreparedQuestion {
  const totals = readCeoPay(dataset, company.cik).map(({ fiscalYear }) => fiscalYear);
  const lines = [
    noRows(dataset, company),
    totals.length === 0
      ? "No total of its CEO is known either."
      : `The total of its CEO is known from the filer's own tags: query_ceo_pay, fiscal ${totals.join(", ")}.`,
  ];
  const subject = companySubject(company, []);
  const body = bodyOf({ subject, lines, metadata: metadataOf(company) });
  return {
    identity: JSON.stringify(subject.id),
    answer: () => ({ body, costCredits: 0 }),
  };
}

/** Whether the document may have rows of an earlier year, judged by the fiscal years loaded alone. */
function reachesHistory(dataset: Dataset, id: DocumentId): boolean {
  if (id.kind !== "year") return id.kind === "executive";
  const [latest, ...earlier] = dataset.fiscalYears(id.cik);
  return id.fiscalYear !== latest?.fiscalYear && earlier.some((year) => year.fiscalYear === id.fiscalYear);
}

/** What documents are about. */
interface Held {
  company: Company;
  /** Newest first. */
  years: readonly PageYear[];
  remarks: RemarksOf;
}

function documentOf(held: Held, id: DocumentId, dataset: Dataset): MadeDocument {
  if (id.kind === "company") return companyDocument(held, dataset);
  return id.kind === "year"
    ? yearDocument(held, id.fiscalYear)
    : executiveDocument(held, currentId(dataset, id.executiveId, id.cik));
}

/** Facts about the company, its latest year, and the ids of its other documents. */
function companyDocument({ company, years, remarks }: Held, dataset: Dataset): MadeDocument {
  const facts = readCompanyFacts(dataset, company.cik);
  const [latest, ...earlier] = years;
  const people = new Map(
    years.flatMap(({ rows }) => rows.map((row) => [row.executive_id, row.executive_name] as const)).reverse(),
  );
  const formerly = facts.formerNames.map(({ name }) => name);
  const lines = [
    `${labelOf(company)}, CIK ${company.cik}`,
    ...(facts.sicDescription === null ? [] : [`Industry: ${facts.sicDescription} (SIC ${facts.sic})`]),
    ...(facts.sector === null ? [] : [`Sector: ${facts.sector}`]),
    ...(formerly.length === 0 ? [] : [`Formerly ${formerly.join(", ")}`]),
    ...(latest === undefined ? [] : ["", ...yearLines(latest, remarks)]),
    "",
    ...earlier.map(
      ({ fiscalYear, complete }) =>
        `Fiscal ${fiscalYear}${complete ? "" : " (incomplete)"}: year:${company.cik}:${fiscalYear}`,
    ),
    // By name: the order of a year's rows tells whose total is higher, and earlier years are not part of this document.
    ...[...people]
      .sort(([, a], [, b]) => compareTexts(a, b))
      .map(([executiveId, name]) => `${name}: executive:${company.cik}:${executiveId}`),
    UNITS,
  ];
  return {
    subject: companySubject(company, years),
    lines,
    metadata: metadataOf(company, latest),
    rows: latest?.rows ?? [],
  };
}

function yearDocument({ company, years, remarks }: Held, fiscalYear: number): MadeDocument {
  const year = years.find((one) => one.fiscalYear === fiscalYear);
  if (year === undefined) {
    const available = years.map((one) => one.fiscalYear).join(", ");
    throw new ServiceError(
      "unknown_company",
      `No fiscal year ${fiscalYear} of ${labelOf(company)}. Available: ${available}.`,
    );
  }
  const lines = [`${labelOf(company)}, CIK ${company.cik}`, ...yearLines(year, remarks), UNITS];
  return { subject: yearSubject(company, year), lines, metadata: metadataOf(company, year), rows: year.rows };
}

function executiveDocument({ company, years, remarks }: Held, executiveId: string): MadeDocument {
  const rows = years.flatMap((year) => year.rows.filter((row) => row.executive_id === executiveId));
  const [newest] = rows;
  if (newest === undefined) {
    const ids = [...new Set(years.flatMap((year) => year.rows.map((row) => row.executive_id)))].sort();
    throw new ServiceError(
      "unknown_company",
      `No executive ${JSON.stringify(executiveId)} of ${labelOf(company)}. Known: ${ids.slice(0, 40).join(", ")}.`,
    );
  }
  const lines = [
    `${newest.executive_name}, ${labelOf(company)}`,
    ...rows.map((row) => rowLine(row, `Fiscal ${row.fiscal_year}`, remarks(row))),
    ...sourceLines(rows),
    UNITS,
  ];
  const metadata = {
    ...metadataOf(company),
    executive_name: newest.executive_name,
    fiscal_years: [...new Set(rows.map((row) => row.fiscal_year))].join(", "),
  };
  return { subject: executiveSubject(company, newest), lines, metadata, rows };
}

function yearLines(year: PageYear, remarks: RemarksOf): string[] {
  return [
    `Fiscal ${year.fiscalYear}, Summary Compensation Table:`,
    ...year.rows.map((row) => rowLine(row, row.executive_name, remarks(row))),
    ...(year.complete ? [] : [partialLine(year)]),
    ...sourceLines(year.rows),
  ];
}

function metadataOf({ cik, ticker, name }: Company, year?: PageYear): Record<string, string> {
  return {
    company_name: name,
    ticker,
    cik,
    ...(year === undefined ? {} : { fiscal_year: String(year.fiscalYear), complete: String(year.complete) }),
  };
}

/** Longest line: one line always fits, whatever a filing says. */
const MAX_LINE = 3_000;

/** The lines within the limit, with a note on how many are omitted. */
export function textOf(whole: readonly string[]): { text: string } {
  const lines = whole.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line));
  let length = 0;
  const fitting = lines.findIndex((line) => (length += lengthTwice(line)) > MAX_TWICE);
  if (fitting < 0) return { text: lines.join("\n") };
  const shown = lines.slice(0, fitting);
  return { text: [...shown, `(${lines.length - fitting} more lines omitted.)`].join("\n") };
}

function lengthTwice(line: string): number {
  const once = JSON.stringify(`${line}\n`);
  return once.length + JSON.stringify(once).length;
}

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

const FORMS = '"company:CIK", "year:CIK:2025" or "executive:CIK:executive-id", as in search results';

/** Parses a document id. Refuses with `invalid_parameter`. */
export function readDocumentId(text: string): DocumentId {
  const [, kind, digits = "", rest] =
    /^(company|year|executive):(\d{1,10})(?::(.{1,100}))?$/.exec(text.trim()) ?? [];
  const cik = digits.padStart(10, "0");
  if (kind === "company" && rest === undefined) return { kind, cik };
  if (kind === "year" && /^\d{4}$/.test(rest ?? "")) return { kind, cik, fiscalYear: Number(rest) };
  if (kind === "executive" && /^[a-z0-9-]+$/.test(rest ?? "")) return { kind, cik, executiveId: rest ?? "" };
  throw unreadable("id", text, FORMS);
}

/** The years of a company, newest first. */
export function documentYears(dataset: Dataset, company: Company): PageYear[] {
  return yearsOf(company, dataset.years(company.cik));
}

/** The subject of a company document. */
export function companySubject(company: Company, years: readonly PageYear[]): DocumentSubject {
  const title = `${labelOf(company)}: ${company.hasRows ? "executive compensation" : "no rows yet"}`;
  return subjectOf(company, `company:${company.cik}`, title, years[0]?.rows[0]);
}

/** The subject of a fiscal-year document. */
export function yearSubject(company: Company, { fiscalYear, rows }: PageYear): DocumentSubject {
  const title = `${labelOf(company)}, fiscal ${fiscalYear}: executive compensation`;
  const id = `year:${company.cik}:${fiscalYear}`;
  return { ...subjectOf(company, id, title, rows[0]), fiscal_year: fiscalYear };
}

/** The subject of an executive document. @param newest the executive's newest row */
export function executiveSubject(company: Company, newest: ExecutiveCompensation): DocumentSubject {
  const { executive_id: executiveId, executive_name: name, fiscal_year: fiscalYear } = newest;
  const title = `${name}, ${labelOf(company)}: compensation by fiscal year`;
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
function rowLine(row: ExecutiveCompensation, lead: string, remarks: readonly Remark[]): string {
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
function sourceLines(rows: readonly ExecutiveCompensation[]): string[] {
  const filings = new Map(rows.map((row) => [row.source.accession, row]));
  return [...filings.values()].map((row) => {
    const { form, accession, filing_date: day } = row.source;
    return `Source: ${form} ${accession}${day === null ? "" : `, filed ${day}`}: ${filingOf(row.cik, row)}`;
  });
}

/** The note on a year that may lack executives. */
function partialLine({ fiscalYear }: PageYear): string {
  return `Incomplete: ${fiscalYear}. That year's proxy statement has not been read; executives who left before the next one are missing. Say so when you use it.`;
}
