/** What changed from one dataset to another: served rows, filings and complete years. Companies are compared one at a time. */
import type { Dataset } from "./dataset.ts";
import { recordedCiks } from "./record-reader.ts";

/** One difference. `before` and `after` are null where the thing is not there. */
export interface Difference {
  kind: "row" | "filing" | "year" | "company";
  change: "added" | "removed" | "changed";
  cik: string;
  company: string;
  /** The row's year and id, the filing's accession, the year. */
  key: string;
  /** For a changed one: each field that differs, with both values. */
  fields: readonly { field: string; before: unknown; after: unknown }[];
}

const PLURAL = { company: "companies", filing: "filings", year: "years", row: "rows" } as const;

/** Counts over all differences, by what changed how. */
export type DiffCounts = Readonly<
  Record<`${(typeof PLURAL)[Difference["kind"]]} ${Difference["change"]}`, number>
>;

/** Every difference, by CIK. Nothing when both have the same content hash. */
export function* diffDatasets(before: Dataset, after: Dataset): Generator<Difference> {
  if (before.info.contentHash === after.info.contentHash) return;
  for (const cik of [...new Set([...recordedCiks(before), ...recordedCiks(after)])].sort()) {
    const old = companyParts(before, cik);
    const now = companyParts(after, cik);
    const company = now.name || old.name;
    const known = { cik, company };
    if (old.name === "" || now.name === "") {
      const change = old.name === "" ? "added" : "removed";
      yield { kind: "company", change, ...known, key: company, fields: [] };
    } else if (old.name !== now.name) {
      yield {
        kind: "company",
        change: "changed",
        ...known,
        key: company,
        fields: [{ field: "name", before: old.name, after: now.name }],
      };
    }
    for (const kind of ["filing", "year", "row"] as const) {
      for (const { change, key, fields } of differencesIn(old[kind], now[kind]))
        yield { kind, ...known, change, key, fields };
    }
  }
}

/** How many there are of each. */
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

/** A row, a filing or a year as it is compared, by the names of its fields; those of a row's `source` stand among them. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is compared of a company. */
export interface CompanyParts {
  /** Empty where no filing is known. */
  name: string;
  /** By accession. */
  filing: ReadonlyMap<string, Fields>;
  /** By fiscal year. */
  year: ReadonlyMap<string, Fields>;
  /** By fiscal year and `executive_id`. */
  row: ReadonlyMap<string, Fields>;
}

/** What is compared of a company. @param cik ten digits */
export function companyParts(dataset: Pick<Dataset, "all" | "years">, cik: string): CompanyParts {
  const number = Number(cik);
  const [company] = dataset.all<{ name: string }>(
    "select name from companies where cik = ? and newest_filing is not null",
    number,
  );
  const filings = dataset.all<{ accession: string }>(
    "select accession, form, filing_date, fiscal_year, status, read, row_count, url, reason from filings where cik = ? order by id",
    number,
  );
  const years = dataset.all<{ fiscal_year: number }>(
    "select fiscal_year, complete from years where cik = ?",
    number,
  );
  const rows = dataset.years(cik).flatMap(({ rowJson }) => rowJson.map(flat));
  return {
    name: company?.name ?? "",
    filing: new Map(filings.map((line) => [line.accession, { ...line }])),
    year: new Map(years.map((line) => [String(line.fiscal_year), { ...line }])),
    row: new Map(rows.map((row) => [`${row.fiscal_year} ${row.executive_id}`, row])),
  };
}

function flat(tail: string): Fields {
  // A tail is the end of an object, made by row-json.ts.
  const { source, ...row } = JSON.parse(`{${tail}`) as Record<string, unknown>;
  return { ...row, ...(typeof source === "object" && source !== null ? source : {}) };
}

/** A difference with the whole of what differs: null where the thing is not there. */
export interface PartDifference extends Pick<Difference, "change" | "key" | "fields"> {
  before: Fields | null;
  after: Fields | null;
}

/** What differs between two maps of parts. */
export function* differencesIn(
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
