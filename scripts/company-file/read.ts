/** Parses a company's file. */
import { EVIDENCE } from "../../src/domain/officer-claims.ts";
import {
  type CellsOf,
  type CompanyRecord,
  type FilingRecord,
  type GridLine,
  HOW_READ,
  type Observation,
  type OfficeTerm,
  type Pin,
  type Problem,
} from "../../src/dataset/record.ts";
import { Fields } from "./fields.ts";
import { type Block, COLUMNS, isBlock } from "./format.ts";

/** The parsed part of a file. */
interface Draft {
  company: { cik: string; name: string; fiscalYearEnd: string | null; symbols: string[] };
  filings: (FilingRecord & { captions: Record<string, string> })[];
  /** Number of rows stated by each filing's line, by accession number. */
  counts: Map<string, number>;
  observations: (Observation & { cells: CellsOf | null })[];
  pins: Pin[];
  offices: OfficeTerm[];
  grids: GridLine[];
  problems: Problem[];
}

/**
 * Parses a file of `data/companies`.
 * @param place the file's name for messages
 * @throws Error with file, line and value if the text is not in the format of `writeCompanyFile`
 */
export function readCompanyFile(text: string, place: string): CompanyRecord {
  const draft: Draft = {
    company: { cik: "", name: "", fiscalYearEnd: null, symbols: [] },
    filings: [],
    counts: new Map(),
    observations: [],
    pins: [],
    offices: [],
    grids: [],
    problems: [],
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== "") at = readBlock(draft, lines, at, place);
  }
  const { company, counts, ...read } = draft;
  if (company.cik === "") throw fault(place, 0, "no [company] block");
  for (const [accession, expected] of counts) {
    const found = read.observations.filter((row) => row.accession === accession).length;
    if (found !== expected)
      throw fault(place, 0, `filing ${accession} states ${expected} rows but has ${found}`);
  }
  return { ...company, ...read };
}

/** Parses the block that starts at a line. @returns the index of the line that ends it */
function readBlock(draft: Draft, lines: readonly string[], start: number, place: string): number {
  const line = lines[start] ?? "";
  const head = /^\[([a-z]+)(?: (\d{10}-\d{2}-\d{6}))?\]$/.exec(line);
  const name = head?.[1] ?? "";
  const accession = head?.[2] ?? "";
  if (!isBlock(name))
    throw fault(place, start, `"${line}" is not a block; expected [${Object.keys(COLUMNS).join("], [")}]`);
  const columns = COLUMNS[name].join("\t");
  if (lines[start + 1] !== columns)
    throw fault(place, start + 1, `the columns of [${name}] are ${columns.replaceAll("\t", ", ")}`);
  let at = start + 2;
  for (; at < lines.length && lines[at] !== ""; at++) {
    const values = (lines[at] ?? "").split("\t");
    if (values.length !== COLUMNS[name].length) {
      throw fault(place, at, `${values.length} fields, expected ${COLUMNS[name].length}`);
    }
    const refuse = (message: string) => fault(place, at, message);
    BLOCKS[name](draft, new Fields(COLUMNS[name], values, refuse), accession, refuse);
  }
  return at;
}

/** How to parse a line of each block. */
const BLOCKS: Readonly<
  Record<Block, (draft: Draft, fields: Fields, accession: string, refuse: (message: string) => Error) => void>
> = {
  company({ company }, fields) {
    company.cik = fields.matching("cik", /^\d{10}$/);
    company.name = fields.matching("name", /\S/);
    company.fiscalYearEnd = fields.orNull("fiscal_year_end", /^\d\d-\d\d$/);
    company.symbols = fields.words("symbols");
  },
  filings({ filings, counts }, fields) {
    const filing = readFiling(fields);
    counts.set(filing.accession, fields.whole("rows"));
    filings.push(filing);
  },
  executives({ pins }, fields) {
    pins.push({
      executiveId: fields.matching("executive_id", ID),
      spelling: fields.matching("spelling", /\S/),
    });
  },
  rows: ({ observations }, fields, accession) => void observations.push(readRow(accession, fields)),
  captions({ filings }, fields, accession, refuse) {
    const filing = filings.find((one) => one.accession === accession);
    if (filing === undefined) throw refuse(`captions of ${accession}, which is not among the filings`);
    filing.captions[fields.text("column")] = fields.text("caption");
  },
  cells({ observations }, fields, accession, refuse) {
    const position = fields.whole("position");
    const row = observations.find((one) => one.accession === accession && one.position === position);
    if (row === undefined) throw refuse(`cells of row ${position} of ${accession}, which does not exist`);
    row.cells = fields.json<CellsOf>("cells");
  },
  offices({ offices }, fields, accession) {
    offices.push({
      accession,
      office: fields.oneOf("office", ["peo", "pfo"]) ?? fields.refuse("office"),
      name: fields.matching("name", /\S/),
      start: fields.orNull("start", DATE),
      end: fields.orNull("end", DATE),
      evidence: fields.oneOf("evidence", EVIDENCE) ?? fields.refuse("evidence"),
      because: fields.text("because"),
    });
  },
  grid({ grids }, fields, accession) {
    grids.push({
      accession,
      table: fields.whole("table"),
      row: fields.whole("row"),
      caption: fields.matching("caption", /^(yes)?$/) === "yes",
      cells: fields.json<GridLine["cells"]>("cells"),
    });
  },
  problems({ problems }, fields, accession) {
    problems.push({
      accession,
      position: fields.text("position") === "" ? null : fields.whole("position"),
      step: fields.text("step"),
      code: fields.matching("code", /^[a-z][a-z0-9_]*$/),
      message: fields.text("message"),
    });
  },
};

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

function fault(place: string, at: number, message: string): Error {
  return new Error(`${place}:${at + 1}: ${message}`);
}

function readRow(accession: string, fields: Fields): Observation {
  const period = fields.orNull("period", /^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/);
  return {
    accession,
    position: fields.whole("position"),
    name: fields.matching("executive_name", /\S/),
    role: fields.text("executive_role") || null,
    fiscalYear: fields.whole("fiscal_year"),
    label: fields.text("label") || null,
    period: period === null ? null : { start: period.slice(0, 10), end: period.slice(12) },
    amounts: fields.amounts(),
    peo: fields.flag("peo"),
    pfo: fields.flag("pfo"),
    placeholder: fields.matching("placeholder", /^(yes)?$/) === "yes",
    note: fields.text("note") || null,
    checks: fields.words("checks"),
    cells: null,
  };
}

function readFiling(fields: Fields): FilingRecord & { captions: Record<string, string> } {
  return {
    accession: fields.matching("accession", /^\d{10}-\d{2}-\d{6}$/),
    form: fields.text("form") || null,
    filingDate: fields.orNull("filing_date", DATE),
    periodEnd: fields.orNull("period_end", DATE),
    currency: fields.orNull("currency", /^[A-Z]{3}$/),
    regime: fields.oneOf("regime", ["full", "scaled"]),
    read: fields.oneOf("read", HOW_READ),
    status: fields.oneOf("status", ["pending", "parsed", "refused", "failed"]) ?? fields.refuse("status"),
    symbol: fields.text("symbol") || null,
    url: fields.orNull("url", /^https:\/\/www\.sec\.gov\/Archives\//),
    sha256: fields.orNull("sha256", /^[0-9a-f]{64}$/),
    reason: fields.text("reason") || null,
    captions: {},
  };
}
