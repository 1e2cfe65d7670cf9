/**
 * The text format of a company in `data/companies`: JSON lines, each an object `{"KIND":{…}}`, in a fixed order and without what is
 * null, so that a diff shows what changed. Amounts are in units of the currency, as printed.
 * `readCompanyFile(writeCompanyFile(record))` returns an equal record.
 */
import { type } from "arktype";
import { byFilingDate, type CompanyRecord, HOW_READ } from "../src/dataset/record.ts";
import { readCents, unitsOf } from "../src/domain/amount.ts";
import { EVIDENCE } from "../src/domain/officer-claims.ts";
import { byAmount } from "../src/domain/row-fields.ts";

const nullable = (shape: RegExp) => type(shape).or("null").default(null);
const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TEXT = "string | null = null";
const evidence = type.enumerated(...EVIDENCE);
const amount = type("number").pipe(
  (units, context) => readCents(String(units)) ?? context.error("an amount with at most two decimals"),
);
const flag = type({ "+": "reject", held: "boolean | null = null", evidence, because: TEXT });
const position = "number.integer >= 1";
const index = "number.integer >= 0";

/** One line; `rows` beside a filing is the number of its rows, by which a lost one is noticed. */
const Line = type({
  "+": "reject",
  "company?": {
    "+": "reject",
    cik: /^\d{10}$/,
    name: /\S/,
    fiscalYearEnd: nullable(/^\d\d-\d\d$/),
    symbols: "string[]",
  },
  "filing?": {
    "+": "reject",
    accession: ACCESSION,
    form: TEXT,
    filingDate: nullable(DATE),
    periodEnd: nullable(DATE),
    currency: nullable(/^[A-Z]{3}$/),
    fiscalYear: "number.integer | null = null",
    regime: "'full' | 'scaled' | null = null",
    read: type.enumerated(...HOW_READ, null).default(null),
    status: "'pending' | 'parsed' | 'refused' | 'failed'",
    symbol: TEXT,
    url: nullable(/^https:\/\/www\.sec\.gov\/Archives\//),
    reason: TEXT,
    sha256: nullable(/^[0-9a-f]{64}$/),
    captions: "Record<string, string>",
  },
  "rows?": index,
  "executive?": { "+": "reject", executiveId: /^[a-z0-9]+(-[a-z0-9]+)*$/, spelling: /\S/ },
  "row?": {
    "+": "reject",
    accession: ACCESSION,
    position,
    fiscalYear: "number.integer",
    name: /\S/,
    role: TEXT,
    amounts: type({ "+": "reject", ...byAmount(() => amount) }),
    peo: flag,
    pfo: flag,
    placeholder: "boolean",
    label: TEXT,
    period: type({ "+": "reject", start: DATE, end: DATE }).or("null").default(null),
    checks: "string[]",
    note: TEXT,
    cells: type({ "[string]": type([index, index, index, "string"]).array() })
      .or("null")
      .default(null),
  },
  "office?": {
    "+": "reject",
    accession: ACCESSION,
    office: "'peo' | 'pfo'",
    name: /\S/,
    start: nullable(DATE),
    end: nullable(DATE),
    evidence,
    because: "string",
  },
  "grid?": {
    "+": "reject",
    accession: ACCESSION,
    table: index,
    row: index,
    caption: "boolean",
    cells: type([index, "string"]).array(),
  },
  "problem?": {
    "+": "reject",
    accession: ACCESSION,
    position: `(${position}) | null = null`,
    step: "string",
    code: /^[a-z][a-z0-9_]*$/,
    message: "string",
  },
});
const LineText = type("string.json.parse").to(Line);

/** The path of a company's file in the data folder: a hundred subfolders by the last two digits of the CIK. */
export function companyPath(cik: string): string {
  return `companies/${cik.slice(-2)}/${cik}.jsonl`;
}

/**
 * Parses a file of `data/companies`.
 * @param place the file's name for messages
 * @throws Error with file, line and value if a line is none of these
 */
export function readCompanyFile(text: string, place: string): CompanyRecord {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line, at) => {
      const read = LineText(line);
      if (read instanceof type.errors) throw new Error(`${place}:${at + 1}: ${read.summary}`);
      return read;
    });
  const [company] = lines.flatMap((line) => line.company ?? []);
  if (company === undefined) throw new Error(`${place}: no company`);
  const observations = lines.flatMap(({ row }) => row ?? []);
  const filings = lines.flatMap(({ filing, rows = 0 }) => {
    const found = observations.filter((row) => row.accession === filing?.accession).length;
    if (found === rows) return filing ?? [];
    throw new Error(`${place}: filing ${filing?.accession} states ${rows} rows but has ${found}`);
  });
  return {
    ...company,
    filings,
    observations,
    pins: lines.flatMap(({ executive }) => executive ?? []),
    offices: lines.flatMap(({ office }) => office ?? []),
    grids: lines.flatMap(({ grid }) => grid ?? []),
    problems: lines.flatMap(({ problem }) => problem ?? []),
  };
}

/** The text of the file. Filings, observations and pins are sorted. */
export function writeCompanyFile(record: CompanyRecord): string {
  const { cik, name, fiscalYearEnd } = record;
  const filings = record.filings.toSorted(byFilingDate);
  const lines = [
    { company: { cik, name, fiscalYearEnd, symbols: record.symbols.toSorted() } },
    ...filings.map((filing) => ({
      filing,
      rows: record.observations.filter((row) => row.accession === filing.accession).length,
    })),
    ...record.pins.toSorted((a, b) => (pinText(a) < pinText(b) ? -1 : 1)).map((executive) => ({ executive })),
    ...filings.flatMap((filing) => linesOf(record, filing.accession)),
  ];
  return lines.map((line) => `${JSON.stringify(line, (_, value) => value ?? undefined)}\n`).join("");
}

const pinText = (pin: CompanyRecord["pins"][number]) => `${pin.executiveId}\t${pin.spelling}`;

/** The lines that belong to one filing. */
function linesOf(record: CompanyRecord, accession: string): object[] {
  const own = <Of extends { accession: string }>(list: readonly Of[]) =>
    list.filter((one) => one.accession === accession);
  return [
    ...own(record.observations)
      .sort((a, b) => a.position - b.position)
      .map((row) => ({ row: { ...row, amounts: byAmount((field) => unitsOf(row.amounts[field])) } })),
    ...own(record.offices).map((office) => ({ office })),
    ...own(record.grids)
      .sort((a, b) => a.table - b.table || a.row - b.row)
      .map((grid) => ({ grid })),
    ...own(record.problems).map((problem) => ({ problem })),
  ];
}
