import type { Company } from "../../domain/company.ts";
import { type ParameterInfo, singleParameters } from "../../domain/parameters.ts";
import { ServiceError } from "../../errors.ts";
import { readCompanyFacts } from "../../dataset/company-facts.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { type RemarksOf, rowRemarks } from "../../dataset/remarks.ts";
import { readCeoPay } from "../../dataset/ceo-pay.ts";
import { type AnalysisDeps, analysisOperation, type PreparedQuestion } from "../analysis.ts";
import { noRows, requireCompany } from "../company.ts";
import {
  companySubject,
  type DocumentId,
  type DocumentSubject,
  documentYears,
  executiveSubject,
  nameOf,
  partialLine,
  readDocumentId,
  rowLine,
  sourceLines,
  yearSubject,
} from "./document.ts";
import type { PageYear } from "../rows.ts";

/** A fetched document. */
export interface FetchedDocument extends DocumentSubject {
  /** Lines of plain text. */
  text: string;
  metadata: Readonly<Record<string, string>>;
}

/** A document and the fiscal years of its rows. */
interface MadeDocument {
  document: FetchedDocument;
  years: readonly number[];
}

/** The parameters of the fetch operation. */
export const FETCH_PARAMETERS: readonly ParameterInfo[] = [
  { name: "id", about: "id from a search result", schema: { type: "string" } },
];

/** Limit for a text that a result contains twice: as JSON, and as JSON within a JSON string. */
const MAX_TWICE = 50_000;

const UNITS =
  "Amounts are in units of the currency; stock and option awards are grant-date fair values. The total is as printed by the filer.";

/**
 * Fetches a document by id. Costs `priceLatest` if all its rows are of the latest fiscal year, else `priceHistory`.
 * Refuses with `invalid_parameter`, `unknown_company`, `unavailable`.
 * @see docs/contract.md, "MCP for analysts"
 */
export function fetchOperation(deps: AnalysisDeps) {
  return analysisOperation(deps, "fetch", (given, dataset) => {
    const asked = singleParameters(given, FETCH_PARAMETERS).get("id") ?? "";
    const id = readDocumentId(asked);
    const known = dataset.findByCik(id.cik);
    if (id.kind === "company" && known?.hasRows === false) return withoutRows(dataset, known);
    const company = requireCompany(dataset, { cik: id.cik }, { kind: "operator" }, null);
    const { priceHistory, priceLatest } = deps.prices;
    return {
      identity: JSON.stringify(id),
      priceCredits: reachesHistory(dataset, id) ? Math.max(priceHistory, priceLatest) : priceLatest,
      answer() {
        const { document, hasHistory } = documentOf(dataset, company, id);
        return { json: JSON.stringify(document), costCredits: hasHistory ? priceHistory : priceLatest };
      },
    };
  });
}

/** The document of a company without rows: why, and what else is known. Free. */
function withoutRows(dataset: Dataset, company: Company): PreparedQuestion {
  const totals = readCeoPay(dataset, company.cik).map(({ fiscalYear }) => fiscalYear);
  const lines = [
    noRows(company),
    totals.length === 0
      ? "No total of its CEO is known either."
      : `The total of its CEO is known from the filer's own tags: query_ceo_pay, fiscal ${totals.join(", ")}.`,
  ];
  const document: FetchedDocument = {
    ...companySubject(company, []),
    ...textOf(lines),
    metadata: metadataOf(company, undefined),
  };
  return {
    identity: JSON.stringify(document.id),
    priceCredits: 0,
    answer: () => ({ json: JSON.stringify(document), costCredits: 0 }),
  };
}

/** Whether the document may have rows of an earlier year, judged by the fiscal years loaded alone. */
function reachesHistory(dataset: Dataset, id: DocumentId): boolean {
  if (id.kind !== "year") return id.kind === "executive";
  const [latest, ...earlier] = dataset.fiscalYears(id.cik);
  return id.fiscalYear !== latest?.fiscalYear && earlier.some((year) => year.fiscalYear === id.fiscalYear);
}

function documentOf(
  dataset: Dataset,
  company: Company,
  id: DocumentId,
): { document: FetchedDocument; hasHistory: boolean } {
  const years = documentYears(dataset, company);
  const remarks = rowRemarks(dataset, [company.cik]);
  const made = (): MadeDocument => {
    if (id.kind === "company") return companyDocument(dataset, company, years, remarks);
    if (id.kind === "year") return yearDocument(company, years, id.fiscalYear, remarks);
    return executiveDocument(company, years, id.executiveId, remarks);
  };
  const { document, years: told } = made();
  return { document, hasHistory: told.some((year) => year !== years[0]?.fiscalYear) };
}

/** Facts about the company, its latest year, and the ids of its other documents. */
function companyDocument(
  dataset: Dataset,
  company: Company,
  years: readonly PageYear[],
  remarks: RemarksOf,
): MadeDocument {
  const facts = readCompanyFacts(dataset, company.cik);
  const [latest, ...earlier] = years;
  const people = new Map(
    years.flatMap(({ rows }) => rows.map((row) => [row.executive_id, row.executive_name] as const)).reverse(),
  );
  const formerly = facts.formerNames.map(({ name }) => name);
  const lines = [
    `${nameOf(company)}, CIK ${company.cik}`,
    ...(facts.sicDescription === null ? [] : [`Industry: ${facts.sicDescription} (SIC ${facts.sic})`]),
    ...(facts.sector === null ? [] : [`Sector: ${facts.sector}`]),
    ...(formerly.length === 0 ? [] : [`Formerly ${formerly.join(", ")}`]),
    ...(latest === undefined ? [] : ["", ...yearLines(latest, remarks)]),
    "",
    ...earlier.map(
      ({ fiscalYear, complete }) =>
        `Fiscal ${fiscalYear}${complete ? "" : " (incomplete)"}: year:${company.cik}:${fiscalYear}`,
    ),
    ...[...people].map(([executiveId, name]) => `${name}: executive:${company.cik}:${executiveId}`),
    UNITS,
  ];
  return {
    document: { ...companySubject(company, years), ...textOf(lines), metadata: metadataOf(company, latest) },
    years: latest === undefined ? [] : [latest.fiscalYear],
  };
}

function yearDocument(
  company: Company,
  years: readonly PageYear[],
  fiscalYear: number,
  remarks: RemarksOf,
): MadeDocument {
  const year = years.find((one) => one.fiscalYear === fiscalYear);
  if (year === undefined) {
    const available = years.map((one) => one.fiscalYear).join(", ");
    throw new ServiceError(
      "unknown_company",
      `No fiscal year ${fiscalYear} of ${nameOf(company)}. Available: ${available}.`,
    );
  }
  const lines = [`${nameOf(company)}, CIK ${company.cik}`, ...yearLines(year, remarks), UNITS];
  return {
    document: { ...yearSubject(company, year), ...textOf(lines), metadata: metadataOf(company, year) },
    years: [fiscalYear],
  };
}

function executiveDocument(
  company: Company,
  years: readonly PageYear[],
  executiveId: string,
  remarks: RemarksOf,
): MadeDocument {
  const held = years
    .map((year) => ({ ...year, rows: year.rows.filter((row) => row.executive_id === executiveId) }))
    .filter(({ rows }) => rows.length > 0);
  const rows = held.flatMap((year) => year.rows);
  const [newest] = rows;
  if (newest === undefined) {
    const known = [...new Set(years.flatMap((year) => year.rows.map((row) => row.executive_id)))];
    throw new ServiceError(
      "unknown_company",
      `No executive ${JSON.stringify(executiveId)} of ${nameOf(company)}. Known: ${known.slice(0, 40).join(", ")}.`,
    );
  }
  const lines = [
    `${newest.executive_name}, ${nameOf(company)}`,
    ...rows.map((row) => rowLine(row, `Fiscal ${row.fiscal_year}`, remarks(row))),
    ...sourceLines(rows),
    UNITS,
  ];
  return {
    document: {
      ...executiveSubject(company, newest),
      ...textOf(lines),
      metadata: {
        ...metadataOf(company, undefined),
        executive_name: newest.executive_name,
        fiscal_years: held.map(({ fiscalYear }) => fiscalYear).join(", "),
      },
    },
    years: held.map(({ fiscalYear }) => fiscalYear),
  };
}

function yearLines(year: PageYear, remarks: RemarksOf): string[] {
  return [
    `Fiscal ${year.fiscalYear}, Summary Compensation Table:`,
    ...year.rows.map((row) => rowLine(row, row.executive_name, remarks(row))),
    ...partialLine([year]),
    ...sourceLines(year.rows),
  ];
}

function metadataOf({ cik, ticker, name }: Company, year: PageYear | undefined): Record<string, string> {
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
