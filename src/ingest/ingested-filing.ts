/** Converts a parsed document to the records that a snapshot stores. */
import type { OfficerClaim } from "../domain/officer-claims.ts";
import { AMOUNTS } from "../domain/row-fields.ts";
import {
  type CellsOf,
  type FilingRecord,
  type GridLine,
  NOT_READ,
  type Observation,
  type OfficeFlag,
  type OfficeTerm,
  type Problem as StoredProblem,
} from "../dataset/record.ts";
import { isFarBelow, type PeoTag } from "../dataset/peo-tags.ts";
import {
  type Evidence,
  type ParsedFiling,
  type ParsedRow,
  type RefusalReason,
  REFUSALS,
} from "../reader/parsed-filing.ts";

/** A requested filing, and the result of reading it. */
export interface IngestedFiling {
  company: {
    /** Ten digits. */
    cik: string;
    name: string;
    /** MM-DD */
    fiscalYearEnd: string | null;
    symbols: readonly string[];
  };
  filing: FilingRecord;
  /** Why it was refused; `filing.reason` says what was found in it. */
  refusal?: RefusalReason;
  observations: readonly Observation[];
  offices: readonly OfficeTerm[];
  grids: readonly GridLine[];
  problems: readonly StoredProblem[];
  /** Totals of principal executive officers that the document tags, of its own and earlier years. */
  tags: readonly PeoTag[];
}

/** What is known about a filing before its document is read. */
export interface FilingIdentity {
  accession: string;
  form: string | null;
  /** YYYY-MM-DD; null if only the URL is known. */
  filingDate: string | null;
  /** URL on EDGAR; null for a document from a folder without URLs. */
  url: string | null;
}

/** The records of a document that was read, with rows or refused. */
export function ingestedFiling(
  company: IngestedFiling["company"],
  facts: FilingIdentity,
  sha256: string,
  parsed: ParsedFiling,
): IngestedFiling {
  const { accession } = facts;
  const isParsed = parsed.status === "parsed";
  const rows = isParsed ? parsed.rows : [];
  const filing: FilingRecord = {
    ...emptyFiling(facts),
    form: facts.form ?? parsed.facts.form,
    filingDate: facts.filingDate ?? parsed.facts.filingDate,
    // The newest year of the pay-versus-performance table is the one that the filing reports on.
    periodEnd: parsed.facts.fiscalYearEnd ?? parsed.taggedYears[0]?.end ?? null,
    currency: rows[0]?.reporting_currency ?? null,
    regime: isParsed ? parsed.regime : null,
    read: "pipeline",
    status: isParsed ? "parsed" : "refused",
    symbol: parsed.facts.ticker,
    reason: isParsed ? null : refusalOf(parsed),
    sha256,
    captions: headerAbove(rows),
  };
  const ofFiling = parsed.problems.map((problem) => ({
    ...withoutDetail(problem),
    accession,
    position: null,
  }));
  return {
    company: { ...company, name: parsed.facts.companyName ?? company.name },
    filing,
    ...(!isParsed && parsed.reason !== null && { refusal: parsed.reason }),
    observations: rows.map((row) => observationOf(accession, row)),
    offices: isParsed ? parsed.offices.map((claim) => termOf(accession, claim, rows)) : [],
    grids: isParsed ? parsed.tables.flatMap((table) => gridOf(accession, table)) : [],
    problems: [...(isParsed ? ofFiling : []), ...rows.flatMap((row) => problemsOf(accession, row))],
    tags: tagsOf(company.cik, accession, parsed),
  };
}

/** The tagged totals in dollars; a zero is unknown. */
function tagsOf(cik: string, accession: string, { taggedYears }: ParsedFiling): PeoTag[] {
  const inDollars = taggedYears.filter(({ currency }) => currency === "USD");
  return inDollars.flatMap(({ end, peos, othersAverage }) =>
    peos.flatMap(({ name, total }): PeoTag[] => {
      if (total === null || total <= 0) return [];
      const farBelowOthers = isFarBelow(total, othersAverage ?? 0);
      const common = {
        cik,
        frame: "",
        periodEnd: end,
        fiscalYear: null,
        sameAs: null,
        provider: "document",
        accession,
      } as const;
      return [{ ...common, name, cents: total, farBelowOthers }];
    }),
  );
}

/** The records of a filing that exists but was not read. */
export function unreadFiling(
  company: IngestedFiling["company"],
  facts: FilingIdentity,
  status: "pending" | "failed",
  reason: string | null,
): IngestedFiling {
  const filing = { ...emptyFiling(facts), status, reason };
  return { company, filing, ...NO_CONTENT };
}

/** The result for a document from which nothing was read. */
export const NO_CONTENT = { observations: [], offices: [], grids: [], problems: [], tags: [] };

function emptyFiling({ accession, form, filingDate, url }: FilingIdentity): FilingRecord {
  return { ...NOT_READ, accession, form, filingDate, url };
}

function refusalOf({ reason, reasonDetail }: ParsedFiling): string {
  return reasonDetail ?? (reason === null ? "no reason given" : REFUSALS[reason]);
}

function observationOf(accession: string, row: ParsedRow): Observation {
  return {
    accession,
    position: row.position,
    name: row.executive_name,
    role: row.executive_role,
    fiscalYear: row.fiscal_year,
    label: row.yearLabel === String(row.fiscal_year) ? null : row.yearLabel,
    period: row.period,
    amounts: row.amounts,
    peo: flagOf(row.is_peo, row.peoEvidence),
    pfo: flagOf(row.is_pfo, row.pfoEvidence),
    placeholder: row.placeholder || row.blank,
    note: null,
    checks: row.checks.flatMap(({ check, agrees }) => (agrees === true ? [check] : [])),
    cells: cellsOf(row),
  };
}

function flagOf(held: boolean, { kind, text }: Evidence): OfficeFlag {
  return { held, evidence: kind, because: text === "" ? null : text };
}

function termOf(accession: string, claim: OfficerClaim, rows: readonly ParsedRow[]): OfficeTerm {
  const { person, office, from, to, quote } = claim;
  const name = rows.find((row) => row.executive_id === person)?.executive_name ?? "";
  const dates = { start: from?.earliest ?? null, end: to?.latest ?? null };
  return { accession, name, office, ...dates, evidence: "dated", because: quote };
}

/** The source table without its empty cells. */
function gridOf(accession: string, { table, rows, headerRows }: ParsedFiling["tables"][number]): GridLine[] {
  const captions = new Set(headerRows);
  return rows.flatMap((cells, row) =>
    cells.length === 0 ? [] : [{ accession, table, row, caption: captions.has(row), cells }],
  );
}

function cellsOf({ cells }: ParsedRow): CellsOf | null {
  const entries = AMOUNTS.flatMap((field) => {
    const refs = cells[field];
    if (refs === undefined || refs.length === 0) return [];
    return [[field, refs.map(({ table, row, column, raw }) => [table, row, column, raw])]];
  });
  // Built from AMOUNTS, which are exactly its keys.
  return entries.length === 0 ? null : (Object.fromEntries(entries) as CellsOf);
}

function headerAbove(rows: readonly ParsedRow[]): Record<string, string> {
  const refs = rows.flatMap((row) => AMOUNTS.flatMap((field) => row.cells[field] ?? []));
  const captions = refs.map(({ table, column, caption }) => [`${table}:${column}`, caption.join(" / ")]);
  return Object.fromEntries(captions);
}

function problemsOf(accession: string, row: ParsedRow): StoredProblem[] {
  const { position } = row;
  const met: StoredProblem[] = row.problems.map((problem) => ({
    ...withoutDetail(problem),
    accession,
    position,
  }));
  if (row.unknownReason !== null && met.every(({ step }) => step === "offices")) {
    const message = "an amount could not be attributed to a component of Item 402(c)";
    met.push({ accession, position, step: "reconcile", code: row.unknownReason, message });
  }
  return met;
}

function withoutDetail({ step, code, message }: ParsedFiling["problems"][number]) {
  return { step, code, message };
}
