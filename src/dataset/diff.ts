/** Compares two datasets company by company. */
import { and, eq, isNotNull } from "drizzle-orm";
import type { Dataset } from "./dataset.ts";
import { recordedCiks } from "./read-records.ts";
import { companies, filings, years } from "./schema.ts";

/** One difference. */
export interface Difference {
  kind: "row" | "filing" | "year" | "company";
  change: "added" | "removed" | "changed";
  cik: string;
  company: string;
  /** A row's year and executive id, a filing's accession number, or a year. */
  key: string;
  /** For `changed`: each field that differs, with both values; null for an absent one. */
  fields: readonly { field: string; before: unknown; after: unknown }[];
}

const PLURAL = { company: "companies", filing: "filings", year: "years", row: "rows" } as const;

/** Number of differences by kind and change. */
export type DiffCounts = Readonly<
  Record<`${(typeof PLURAL)[Difference["kind"]]} ${Difference["change"]}`, number>
>;

/** Yields every difference, by CIK; none if both have the same content hash. */
export function* diffDatasets(before: Dataset, after: Dataset): Generator<Difference> {
  if (before.info.contentHash === after.info.contentHash) return;
  for (const cik of [...new Set([...recordedCiks(before), ...recordedCiks(after)])].sort()) {
    const old = companyParts(before, cik);
    const now = companyParts(after, cik);
    const company = now.name || old.name;
    const about = { cik, company };
    if (old.name === "" || now.name === "") {
      const change = old.name === "" ? "added" : "removed";
      yield { kind: "company", change, ...about, key: company, fields: [] };
    } else if (old.name !== now.name) {
      const fields = [{ field: "name", before: old.name, after: now.name }];
      yield { kind: "company", change: "changed", ...about, key: company, fields };
    }
    for (const kind of ["filing", "year", "row"] as const) {
      for (const { change, key, fields } of differencesIn(old[kind], now[kind]))
        yield { kind, ...about, change, key, fields };
    }
  }
}

/** Counts differences by kind and change. */
export function countDifferences(differences: Iterable<Difference>): DiffCounts {
  const counts: Record<string, number> = {};
  for (const kind of Object.values(PLURAL)) {
    for (const change of ["added", "removed", "changed"]) counts[`${kind} ${change}`] = 0;
  }
  for (const { kind, change } of differences) {
    const name = `${PLURAL[kind]} ${change}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  // Every name of DiffCounts was set to 0 above.
  return counts as DiffCounts;
}

/** The compared fields of a row, filing or year, by name; the fields of a row's `source` are flattened into it. */
export type Fields = Readonly<Record<string, unknown>>;

/** The compared parts of a company. */
export interface CompanyParts {
  /** Empty if it has no known filing. */
  name: string;
  /** By accession. */
  filing: ReadonlyMap<string, Fields>;
  /** By fiscal year. */
  year: ReadonlyMap<string, Fields>;
  /** By fiscal year and `executive_id`. */
  row: ReadonlyMap<string, Fields>;
}

/** What is compared of a filing, under the names that differences have. */
const COMPARED = {
  accession: filings.accession,
  form: filings.form,
  filing_date: filings.filingDate,
  fiscal_year: filings.fiscalYear,
  status: filings.status,
  read: filings.read,
  row_count: filings.rowCount,
  url: filings.url,
  reason: filings.reason,
};

/** Reads the parts of a company to compare. @param cik ten digits */
function companyParts(dataset: Pick<Dataset, "read" | "years">, cik: string): CompanyParts {
  const company = dataset.read((db) =>
    db
      .select({ name: companies.name })
      .from(companies)
      .where(and(eq(companies.cik, cik), isNotNull(companies.newestFiling)))
      .get(),
  );
  const known = dataset.read((db) =>
    db.select(COMPARED).from(filings).where(eq(filings.cik, cik)).orderBy(filings.id).all(),
  );
  const held = dataset.read((db) => db.select().from(years).where(eq(years.cik, cik)).all());
  const rows = dataset.years(cik).flatMap(({ rowJson }) => rowJson.map(flat));
  return {
    name: company?.name ?? "",
    filing: new Map(known.map((line) => [line.accession, line])),
    year: new Map(
      held.map((line) => [
        String(line.fiscalYear),
        { fiscal_year: line.fiscalYear, complete: line.complete ? 1 : 0 },
      ]),
    ),
    row: new Map(rows.map((row) => [`${row.fiscal_year} ${row.executive_id}`, row])),
  };
}

function flat(tail: string): Fields {
  // A tail is the end of a JSON object, written by `row-json.ts`.
  const { source, ...row } = JSON.parse(`{${tail}`) as Record<string, unknown>;
  return { ...row, ...(typeof source === "object" && source !== null ? source : {}) };
}

/** A difference with both complete values; null where the part is absent. */
export interface PartDifference extends Pick<Difference, "change" | "key" | "fields"> {
  before: Fields | null;
  after: Fields | null;
}

/** Yields the differences between two maps of parts. */
function* differencesIn(
  before: ReadonlyMap<string, Fields>,
  after: ReadonlyMap<string, Fields>,
): Generator<PartDifference> {
  for (const [key, old] of before) {
    const now = after.get(key);
    if (now === undefined) {
      yield { change: "removed", key, fields: [], before: old, after: null };
      continue;
    }
    const fields = Object.keys({ ...old, ...now })
      .filter((field) => old[field] !== now[field])
      .map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }));
    if (fields.length > 0) yield { change: "changed", key, fields, before: old, after: now };
  }
  for (const [key, now] of after)
    if (!before.has(key)) yield { change: "added", key, fields: [], before: null, after: now };
}
