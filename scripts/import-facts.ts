/**
 * One-off: carries the transcribed rows of `../shared/facts` and the SEC's symbol list of `../shared/edgar` into `data/`.
 * Kept to show how the first files came about: `data/` stands on its own and is edited by later readings, so it is not
 * run again over files that are there.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCents } from "../src/domain/amount.ts";
import { COMPONENTS } from "../src/domain/components.ts";
import { companyPath, writeCompanyFile } from "../src/snapshot/company-file.ts";
import { identifyPeople } from "../src/snapshot/people.ts";
import type {
  CompanyRecord,
  FilingRecord,
  Observation,
  OfficeFlag,
  Problem,
} from "../src/snapshot/record.ts";
import { readSecList, writeSymbolFile } from "../src/snapshot/symbol-file.ts";

type Line = Readonly<Record<string, string>>;
const ROOT = join(import.meta.dir, "..");
const SHARED = join(ROOT, "../shared");

if (existsSync(join(ROOT, "data/companies"))) {
  throw new Error("data/companies is there already: this would undo every reading since. Remove it first.");
}
const filings = Map.groupBy(readCsv(join(SHARED, "facts/filings.csv")), (line) => get(line, "cik"));
const rows = Map.groupBy(readCsv(join(SHARED, "facts/rows.csv")), (line) => get(line, "accession"));
const known = new Map(
  readCsv(join(SHARED, "facts/known-filings.csv")).map((line) => [get(line, "cik"), line]),
);

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(ROOT, "data", path)), { recursive: true });
  writeFileSync(join(ROOT, "data", path), text);
};
for (const cik of new Set([...filings.keys(), ...known.keys()])) {
  const record = companyOf(cik);
  put(companyPath(cik), writeCompanyFile({ ...record, pins: identifyPeople(record).pins }));
}
const list: unknown = JSON.parse(readFileSync(join(SHARED, "edgar/company_tickers_exchange.json"), "utf8"));
put("symbols.tsv", writeSymbolFile(readSecList(list)));

function companyOf(cik: string): CompanyRecord {
  const held = (filings.get(cik) ?? []).toSorted((a, b) =>
    get(a, "filing_date") < get(b, "filing_date") ? -1 : 1,
  );
  const newest = held.at(-1);
  const pending = known.get(cik);
  const heldHere = held.some((line) => line["accession"] === pending?.["accession"]);
  const observations = held.flatMap((line) => {
    const printed = rows.get(get(line, "accession")) ?? [];
    const newestYear = Math.max(...printed.map((row) => Number(get(row, "fiscal_year"))));
    return printed.map((row) => observationOf(row, Number(get(row, "fiscal_year")) < newestYear));
  });
  return {
    cik,
    name: get(newest ?? pending ?? {}, "company_name"),
    fiscalYearEnd: newest === undefined ? null : get(newest, "fiscal_year_end").slice(5),
    symbols: [...new Set([...held.map((line) => get(line, "ticker")), pending?.["ticker"] ?? ""])].filter(
      (s) => s !== "",
    ),
    filings: [
      ...held.map(heldFiling),
      ...(pending === undefined || heldHere ? [] : [pendingFiling(pending)]),
    ],
    observations,
    pins: [],
    offices: [],
    grids: [],
    problems: observations.flatMap(problemsOf),
  };
}

function heldFiling(line: Line): FilingRecord {
  return {
    ...pendingFiling(line),
    form: get(line, "form"),
    periodEnd: get(line, "fiscal_year_end"),
    currency: get(line, "currency"),
    // A shell company, by the mark on its 10-K's cover a smaller reporting company; the others are large accelerated filers.
    regime: get(line, "cik") === "0001418302" ? "scaled" : "full",
    read: "transcribed",
    status: "parsed",
  };
}

function pendingFiling(line: Line): FilingRecord {
  return {
    accession: get(line, "accession"),
    form: null,
    filingDate: get(line, "filing_date"),
    periodEnd: null,
    currency: null,
    regime: null,
    read: null,
    status: "pending",
    symbol: get(line, "ticker") || null,
    url: get(line, "filing_url") || null,
    reason: null,
    sha256: null,
    captions: {},
  };
}

function observationOf(line: Line, older: boolean): Observation {
  const cents = (field: string) => {
    const read = readCents(get(line, field));
    if (read === undefined) throw new Error(`${field} of ${JSON.stringify(line)}`);
    return read;
  };
  const note = get(line, "note");
  const dated =
    /\b(CEO|CFO|PEO|principal executive officer|Executive Chairman|President only|presided|joined)\b/.test(
      note,
    ) && !/does not|outside|other sources/.test(note);
  const flag = (field: string) => (get(line, field) === "" ? null : get(line, field) === "true");
  const total = cents("total_compensation");
  const named = COMPONENTS.filter((field) => field !== "unknown_component").map(
    (field) => [field, cents(field)] as const,
  );
  const unknown = total - named.reduce((sum, [, amount]) => sum + amount, 0);
  const [isPeo, isPfo] = [flag("is_peo"), flag("is_pfo")];
  return {
    accession: get(line, "accession"),
    position: Number(get(line, "position")),
    name: get(line, "executive_name"),
    role: get(line, "executive_role") || null,
    fiscalYear: Number(get(line, "fiscal_year")),
    label: null,
    // The successor registrant's first year (note 1 to its table).
    period:
      get(line, "accession") === "0001140361-26-016758" ? { start: "2025-08-07", end: "2025-12-31" } : null,
    amounts: {
      // The seven named components are all there.
      ...(Object.fromEntries(named) as Record<(typeof COMPONENTS)[number], number>),
      unknown_component: unknown,
      total_compensation: total,
    },
    peo: flagOf(isPeo, dated && !/CFO|joined/.test(note), older, note),
    pfo: flagOf(isPfo, dated && /CFO|joined/.test(note), older, note),
    placeholder: get(line, "placeholder") === "true",
    note: note === "" || note.startsWith("name is verbatim") ? null : note,
    checks: unknown === 0 ? ["sum"] : [],
    cells: null,
  };
}

/** An officer without the office has no evidence of it; today's title beside an older year is weak. */
function flagOf(held: boolean | null, dated: boolean, older: boolean, note: string): OfficeFlag {
  if (held === null) return { held, evidence: "none", because: note };
  if (dated) return { held, evidence: "dated", because: note };
  return { held, evidence: held ? (older ? "weak" : "title") : "none", because: null };
}

function problemsOf(row: Observation): Problem[] {
  const problem = (code: string, message: string): Problem => ({
    accession: row.accession,
    position: row.position,
    step: "transcribe",
    code,
    message,
  });
  const found: Problem[] = [];
  const off = row.amounts.unknown_component / 100;
  if (off !== 0) {
    found.push(
      problem(
        "filer_arithmetic",
        `the filing prints a total of ${row.amounts.total_compensation / 100}, which is ${Math.abs(off)} ${off > 0 ? "above" : "below"} the sum of its components`,
      ),
    );
  }
  const note = row.note ?? "";
  if (/outside knowledge|other sources|does not|is not stated|not spelled out/.test(note))
    found.push(problem("outside_knowledge", note));
  if (/full stop/.test(note)) found.push(problem("misprint", note));
  return found;
}

function get(line: Line, column: string): string {
  const value = line[column];
  if (value === undefined) throw new Error(`no column ${column}`);
  return value;
}

/** Comma-separated values with quotes, the first line naming the columns. */
function readCsv(path: string): Line[] {
  const cells = [...readFileSync(path, "utf8").matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)];
  const table: string[][] = [[]];
  for (const [whole, quoted, plain = "", end] of cells) {
    if (whole === "") break;
    table.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ",") table.push([]);
  }
  const [head = [], ...lines] = table.filter((line) => line.length > 1);
  return lines.map((line) => Object.fromEntries(head.map((column, index) => [column, line[index] ?? ""])));
}
