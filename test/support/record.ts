import { AMOUNTS, type AmountField } from "../../src/domain/row-fields.ts";
import type { CompanyRecord, FilingRecord, Observation, OfficeFlag } from "../../src/dataset/record.ts";

/**
 * A company with one filing, 0000000001-25-000001 for fiscal 2024, with a PEO and a PFO; parts of it can be replaced.
 */
export function testRecord(parts: Partial<CompanyRecord> = {}): CompanyRecord {
  return {
    cik: "0000000042",
    name: "Acme Corp",
    fiscalYearEnd: "12-31",
    symbols: ["ACME"],
    filings: [testFiling()],
    observations: [
      testRow({ name: "Ada Byrne", peo: OFFICE, role: "Chief Executive Officer" }),
      testRow(
        { position: 2, name: "Ben Cole", pfo: OFFICE, role: "Chief Financial Officer" },
        { salary: 50 },
      ),
    ],
    pins: [],
    offices: [],
    grids: [],
    problems: [],
    ...parts,
  };
}

/** Evidence: the title in the filing of that year. */
export const OFFICE: OfficeFlag = { held: true, evidence: "title", because: null };
/** No evidence. */
export const NO_OFFICE: OfficeFlag = { held: false, evidence: "none", because: null };

/** A dated statement about an office. */
export function dated(held: boolean): OfficeFlag {
  return { held, evidence: "dated", because: held ? "CEO from May 1" : "CEO only from January 1" };
}

/** Accession 0000000001-YY-00000N of a filing of March 20YY, for the year before. */
export function testFiling(parts: Partial<FilingRecord> & { year?: number } = {}): FilingRecord {
  const { year = 2025, ...rest } = parts;
  const accession = rest.accession ?? `0000000001-${String(year).slice(2)}-000001`;
  return {
    accession,
    form: "DEF 14A",
    filingDate: `${year}-03-15`,
    periodEnd: `${year - 1}-12-31`,
    fiscalYear: null,
    currency: "USD",
    regime: "full",
    read: "transcribed",
    status: "parsed",
    symbol: "ACME",
    url: `https://www.sec.gov/Archives/edgar/data/42/${accession.replaceAll("-", "")}/proxy.htm`,
    reason: null,
    sha256: null,
    captions: {},
    ...rest,
  };
}

/** A row of the first test filing; amounts in cents, the total their sum unless given. */
export function testRow(
  parts: Partial<Observation> = {},
  amounts: Partial<Record<AmountField, number>> = { salary: 100 },
): Observation {
  return {
    accession: "0000000001-25-000001",
    position: 1,
    name: "Ada Byrne",
    role: null,
    fiscalYear: 2024,
    label: null,
    period: null,
    amounts: testAmounts(amounts),
    peo: NO_OFFICE,
    pfo: NO_OFFICE,
    placeholder: false,
    note: null,
    checks: [],
    cells: null,
    ...parts,
  };
}

/** Cents by field, default zero; the total is their sum unless given. */
export function testAmounts(amounts: Partial<Record<AmountField, number>>): Record<AmountField, number> {
  const sum = AMOUNTS.reduce(
    (total, field) => total + (field === "total_compensation" ? 0 : (amounts[field] ?? 0)),
    0,
  );
  const entries = AMOUNTS.map((field) => [
    field,
    amounts[field] ?? (field === "total_compensation" ? sum : 0),
  ]);
  // Every field of AMOUNTS is among the entries.
  return Object.fromEntries(entries) as Record<AmountField, number>;
}
