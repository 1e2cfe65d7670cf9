/** Compares two snapshot files and lists what was added and changed, as reported to callers. */
import type { Database } from "bun:sqlite";
import { SOURCE_FIELDS } from "../../domain/row-fields.ts";
import { padCik } from "../dataset.ts";
import { type CompanyParts, companyParts, differencesIn, type Fields, type PartDifference } from "../diff.ts";
import { openToReadThrough } from "../open.ts";
import { datasetOf } from "../reader.ts";

/** One change: a filing that was loaded or removed, or an executive's row for a fiscal year. */
export interface Change {
  kind: "filing" | "executive_year";
  change: "added" | "changed" | "removed";
  cik: number;
  /** Primary ticker, empty for a registrant without one. */
  ticker: string;
  company: string;
  /** For a filing, the newest in its table. */
  fiscalYear: number | null;
  /** Whether that fiscal year is complete after the change; null if none of its rows is left. */
  complete: boolean | null;
  /** Null for a filing; the same applies to the next fields. */
  executiveId: string | null;
  executiveName: string | null;
  /** For a changed row, the names of the changed fields; `source` if it comes from another filing. */
  fields: readonly string[];
  totalBefore: number | null;
  totalAfter: number | null;
  currency: string | null;
  /** Of the filing, or of the row's source; for a removed row, of its former source. */
  form: string;
  accession: string;
  filingDate: string | null;
  url: string | null;
}

/** Yields all changes between two snapshot files, by CIK; a company's filings come before its rows. @throws SnapshotError */
export function* compareSnapshots(before: string, after: string): Generator<Change> {
  const old = openToReadThrough(before);
  const now = openToReadThrough(after);
  try {
    const [oldDataset, dataset] = [datasetOf(old, "installed"), datasetOf(now, "installed")];
    for (const number of changedCompanies(now.database, before)) {
      const cik = padCik(number);
      const ticker = (dataset.findByCik(cik) ?? oldDataset.findByCik(cik))?.ticker ?? "";
      yield* changesOf({ cik: number, ticker }, companyParts(oldDataset, cik), companyParts(dataset, cik));
    }
  } finally {
    old.database.close();
    now.database.close();
  }
}

/** The companies with a changed text of rows or filing status; SQLite compares them, so what is equal need not be parsed. */
function changedCompanies(database: Database, before: string): number[] {
  const uri = `file:${encodeURI(before).replace(/[?#]/g, encodeURIComponent)}?immutable=1`;
  database.query("attach database ? as old").run(uri);
  const found = database
    .query<{ cik: number }, []>(
      `select n.cik from main.company_rows n left join old.company_rows o on o.cik = n.cik where o.json is not n.json
        union select o.cik from old.company_rows o left join main.company_rows n on n.cik = o.cik where n.cik is null
        union select n.cik from main.filings n left join old.filings o on o.accession = n.accession
          where o.status is not n.status
        union select o.cik from old.filings o left join main.filings n on n.accession = o.accession
          where n.status is not o.status
        order by 1`,
    )
    .all();
  database.run("detach database old");
  return found.map(({ cik }) => cik);
}

/** Yields the changes of one company: its filings come before its rows. */
export function* changesOf(
  { cik, ticker }: Pick<Change, "cik" | "ticker">,
  old: CompanyParts,
  now: CompanyParts,
): Generator<Change> {
  const company = { cik, ticker, company: now.name || old.name };
  for (const difference of differencesIn(old.filing, now.filing)) {
    const change = filingChange(difference, now);
    if (change !== null) yield { ...company, ...change };
  }
  for (const difference of differencesIn(old.row, now.row))
    yield { ...company, ...rowChange(difference, now) };
}

type ChangeOf = Omit<Change, "cik" | "ticker" | "company">;

/** The change of a filing; null if it is loaded in both snapshots or in neither. */
function filingChange({ key, before, after }: PartDifference, now: CompanyParts): ChangeOf | null {
  const isLoaded = after?.["status"] === "parsed";
  if (isLoaded === (before?.["status"] === "parsed")) return null;
  const filing = (isLoaded ? after : before) ?? {};
  const fiscalYear = numberIn(filing, "fiscal_year");
  return {
    kind: "filing",
    change: isLoaded ? "added" : "removed",
    fiscalYear,
    complete: completeIn(now, fiscalYear),
    executiveId: null,
    executiveName: null,
    fields: [],
    totalBefore: null,
    totalAfter: null,
    currency: null,
    form: textIn(filing, "form") ?? "",
    accession: key,
    filingDate: textIn(filing, "filing_date"),
    url: textIn(filing, "url"),
  };
}

function rowChange({ change, fields, before, after }: PartDifference, now: CompanyParts): ChangeOf {
  const row = after ?? before ?? {};
  const fiscalYear = numberIn(row, "fiscal_year");
  return {
    kind: "executive_year",
    change,
    fiscalYear,
    complete: completeIn(now, fiscalYear),
    executiveId: textIn(row, "executive_id"),
    executiveName: textIn(row, "executive_name"),
    fields: [...new Set(fields.map(({ field }) => (SOURCES.has(field) ? "source" : field)))],
    totalBefore: before && numberIn(before, "total_compensation"),
    totalAfter: after && numberIn(after, "total_compensation"),
    currency: textIn(row, "reporting_currency"),
    form: textIn(row, "form") ?? "",
    accession: textIn(row, "accession") ?? "",
    filingDate: textIn(row, "filing_date"),
    url: textIn(row, "filing_url"),
  };
}

const SOURCES: ReadonlySet<string> = new Set(SOURCE_FIELDS.map(({ name }) => name));

function completeIn({ year }: CompanyParts, fiscalYear: number | null): boolean | null {
  const found = year.get(String(fiscalYear));
  return found === undefined ? null : found["complete"] === 1;
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === "string" ? value : null;
}

function numberIn(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" ? value : null;
}
