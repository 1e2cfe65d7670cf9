/** What a snapshot holds of a company, given back as it was handed to the writer. */
import { AMOUNTS, type AmountField } from "../domain/compensation.ts";
import type { Dataset } from "./reader.ts";
import type { CellsOf, CompanyRecord, FilingRecord, FlagEvidence, Observation, Problem } from "./record.ts";

interface FilingLine {
  id: number;
  accession: string;
  form: string | null;
  filing_date: string | null;
  period_end: string | null;
  currency: string | null;
  regime: FilingRecord["regime"];
  read: FilingRecord["read"];
  status: FilingRecord["status"];
  symbol: string | null;
  url: string | null;
  sha256: string | null;
  reason: string | null;
  captions: string | null;
}

type ObservationLine = Record<AmountField, number> & {
  accession: string;
  position: number;
  name: string;
  role: string | null;
  fiscal_year: number;
  label: string | null;
  period_start: string | null;
  period_end: string | null;
  is_peo: number | null;
  is_pfo: number | null;
  peo_evidence: FlagEvidence;
  pfo_evidence: FlagEvidence;
  placeholder: number;
  note: string | null;
  checks: string;
  cells: string | null;
};

/**
 * Everything that the snapshot knows of a company; undefined for one of which it knows no filing.
 *
 * @param cik ten digits
 */
export function readRecord(dataset: Pick<Dataset, "all">, cik: string): CompanyRecord | undefined {
  const { all } = dataset;
  const number = Number(cik);
  const [company] = all<{ name: string; fiscal_year_end: string | null }>(
    "select name, fiscal_year_end from companies where cik = ?",
    number,
  );
  const filings = all<FilingLine>("select * from filings where cik = ? order by id", number);
  if (company === undefined || filings.length === 0) return undefined;
  const ofFilings = "from filings f join";
  return {
    cik,
    name: company.name,
    fiscalYearEnd: company.fiscal_year_end,
    symbols: all<{ symbol: string }>(
      "select symbol from symbols where cik = ? and former = 1 order by symbol",
      number,
    ).map(({ symbol }) => symbol),
    filings: filings.map(filingOf),
    observations: all<ObservationLine>(
      `select o.*, f.accession ${ofFilings} observations o on o.filing = f.id where f.cik = ? order by f.id, o.position`,
      number,
    ).map(observationOf),
    pins: all<{ executive_id: string; spelling: string }>(
      "select executive_id, spelling from executives where cik = ? order by executive_id, spelling",
      number,
    ).map(({ executive_id: executiveId, spelling }) => ({ executiveId, spelling })),
    problems: all<Problem>(
      `select f.accession, p.position, p.step, p.code, p.message ${ofFilings} problems p on p.filing = f.id
       where f.cik = ? and p.assembled = 0 order by f.id, p.place`,
      number,
    ),
  };
}

function filingOf(line: FilingLine): FilingRecord {
  const { accession, form, currency, regime, read, status, symbol, url, reason, sha256 } = line;
  return {
    accession,
    form,
    filingDate: line.filing_date,
    periodEnd: line.period_end,
    currency,
    regime,
    read,
    status,
    symbol,
    url,
    reason,
    sha256,
    // Written by the writer from such a record.
    captions: line.captions === null ? {} : (JSON.parse(line.captions) as Record<string, string>),
  };
}

function observationOf(line: ObservationLine): Observation {
  const { accession, position, name, role, label, note } = line;
  const [start, end] = [line.period_start, line.period_end];
  return {
    accession,
    position,
    name,
    role,
    fiscalYear: line.fiscal_year,
    label,
    period: start === null || end === null ? null : { start, end },
    // Every field of AMOUNTS is a column of the table.
    amounts: Object.fromEntries(AMOUNTS.map((field) => [field, line[field]])) as Observation["amounts"],
    isPeo: line.is_peo === null ? null : line.is_peo === 1,
    isPfo: line.is_pfo === null ? null : line.is_pfo === 1,
    peoEvidence: line.peo_evidence,
    pfoEvidence: line.pfo_evidence,
    placeholder: line.placeholder === 1,
    note,
    checks: line.checks.split(" ").filter((check) => check !== ""),
    // Written by the writer from a CellsOf.
    cells: line.cells === null ? null : (JSON.parse(line.cells) as CellsOf),
  };
}
