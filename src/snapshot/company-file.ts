/**
 * The text form of a company in `data/companies`: blocks of tab-separated lines under a `[block]` line and a line of
 * column names. One line an observation, blocks and lines in a fixed order, so that a change reads as a change.
 * `readCompanyFile(writeCompanyFile(record))` is the record.
 */
import { EVIDENCE } from "../domain/officer-claims.ts";
import { readCents, writeCents } from "../domain/amount.ts";
import { AMOUNTS, type AmountField, byAmount } from "../domain/row-fields.ts";
import {
  byFilingDate,
  type CellsOf,
  type CompanyRecord,
  type FilingRecord,
  type GridLine,
  HOW_READ,
  type Observation,
  type OfficeFlag,
  type OfficeTerm,
  type Pin,
  type Problem,
} from "./record.ts";

const COLUMNS = {
  company: ["cik", "name", "fiscal_year_end", "symbols"],
  filings: [
    "accession",
    "form",
    "filing_date",
    "period_end",
    "currency",
    "regime",
    "read",
    "status",
    "rows",
    "symbol",
    "url",
    "sha256",
    "reason",
  ],
  executives: ["executive_id", "spelling"],
  rows: [
    "position",
    "fiscal_year",
    "executive_name",
    "executive_role",
    ...AMOUNTS,
    "peo",
    "peo_because",
    "pfo",
    "pfo_because",
    "placeholder",
    "label",
    "period",
    "checks",
    "note",
  ],
  captions: ["column", "caption"],
  cells: ["position", "cells"],
  offices: ["office", "name", "start", "end", "evidence", "because"],
  grid: ["table", "row", "caption", "cells"],
  problems: ["position", "step", "code", "message"],
} as const;

type Block = keyof typeof COLUMNS;

/** Where a company's file stands below the data folder: a hundred folders by the last two digits of the CIK. */
export function companyPath(cik: string): string {
  return `companies/${cik.slice(-2)}/${cik}.txt`;
}

/** The file's text. Filings, observations and pins are put in order; what is equal gives equal bytes. */
export function writeCompanyFile(record: CompanyRecord): string {
  const filings = [...record.filings].sort(byFilingDate);
  const out: string[] = [];
  const block = (name: Block, accession: string | null, lines: readonly (readonly string[])[]) => {
    if (lines.length === 0) return;
    out.push(`[${accession === null ? name : `${name} ${accession}`}]`, COLUMNS[name].join("\t"));
    for (const line of lines) out.push(line.map(cleanField).join("\t"));
    out.push("");
  };
  block("company", null, [
    [record.cik, record.name, record.fiscalYearEnd ?? "", [...record.symbols].sort().join(" ")],
  ]);
  block(
    "filings",
    null,
    filings.map((filing) => [
      filing.accession,
      filing.form ?? "",
      filing.filingDate ?? "",
      filing.periodEnd ?? "",
      filing.currency ?? "",
      filing.regime ?? "",
      filing.read ?? "",
      filing.status,
      String(record.observations.filter(({ accession }) => accession === filing.accession).length),
      filing.symbol ?? "",
      filing.url ?? "",
      filing.sha256 ?? "",
      filing.reason ?? "",
    ]),
  );
  block("executives", null, record.pins.map((pin) => [pin.executiveId, pin.spelling]).sort(byText));
  for (const { accession, captions } of filings) {
    const rows = record.observations
      .filter((row) => row.accession === accession)
      .sort((a, b) => a.position - b.position);
    block("rows", accession, rows.map(writeRow));
    block("captions", accession, Object.entries(captions).sort(byText));
    block(
      "cells",
      accession,
      rows.flatMap((row) => (row.cells === null ? [] : [[String(row.position), JSON.stringify(row.cells)]])),
    );
    block(
      "offices",
      accession,
      record.offices
        .filter((span) => span.accession === accession)
        .map((span) => [
          span.office,
          span.name,
          span.start ?? "",
          span.end ?? "",
          span.evidence,
          span.because,
        ]),
    );
    block(
      "grid",
      accession,
      record.grids
        .filter((line) => line.accession === accession)
        .sort((a, b) => a.table - b.table || a.row - b.row)
        .map((line) => [
          String(line.table),
          String(line.row),
          line.caption ? "yes" : "",
          JSON.stringify(line.cells),
        ]),
    );
    const problems = record.problems.filter((problem) => problem.accession === accession);
    block(
      "problems",
      accession,
      problems.map((p) => [p.position === null ? "" : String(p.position), p.step, p.code, p.message]),
    );
  }
  return out.join("\n");
}

/**
 * The company that a file of `data/companies` holds.
 * @param place what to call the file in messages
 * @throws Error that names file, line and value where it is not what `writeCompanyFile` writes
 */
export function readCompanyFile(text: string, place: string): CompanyRecord {
  const company = { cik: "", name: "", fiscalYearEnd: null as string | null, symbols: [] as string[] };
  const filings: (FilingRecord & { captions: Record<string, string> })[] = [];
  const counts = new Map<string, number>();
  const observations: (Observation & { cells: CellsOf | null })[] = [];
  const pins: Pin[] = [];
  const offices: OfficeTerm[] = [];
  const grids: GridLine[] = [];
  const problems: Problem[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const head = /^\[([a-z]+)(?: (\d{10}-\d{2}-\d{6}))?\]$/.exec(line);
    const name = head?.[1] ?? "";
    const accession = head?.[2] ?? "";
    if (!isBlock(name))
      throw fault(place, at, `"${line}" is no block; expected [${Object.keys(COLUMNS).join("], [")}]`);
    const columns = COLUMNS[name].join("\t");
    if (lines[++at] !== columns)
      throw fault(place, at, `the columns of [${name}] are ${columns.replaceAll("\t", ", ")}`);
    for (at++; at < lines.length && lines[at] !== ""; at++) {
      const values = (lines[at] ?? "").split("\t");
      if (values.length !== COLUMNS[name].length) {
        throw fault(place, at, `${values.length} fields, expected ${COLUMNS[name].length}`);
      }
      const fields = new Fields(COLUMNS[name], values, (message) => fault(place, at, message));
      switch (name) {
        case "company":
          company.cik = fields.matching("cik", /^\d{10}$/);
          company.name = fields.matching("name", /\S/);
          company.fiscalYearEnd = fields.orNull("fiscal_year_end", /^\d\d-\d\d$/);
          company.symbols = fields
            .text("symbols")
            .split(" ")
            .filter((symbol) => symbol !== "");
          break;
        case "filings": {
          const filing = readFiling(fields);
          counts.set(filing.accession, fields.whole("rows"));
          filings.push(filing);
          break;
        }
        case "executives":
          pins.push({
            executiveId: fields.matching("executive_id", ID),
            spelling: fields.matching("spelling", /\S/),
          });
          break;
        case "rows":
          observations.push(readRow(accession, fields));
          break;
        case "captions": {
          const filing = filings.find((one) => one.accession === accession);
          if (filing === undefined)
            throw fault(place, at, `captions of ${accession}, which is not among the filings`);
          filing.captions[fields.text("column")] = fields.text("caption");
          break;
        }
        case "cells": {
          const position = fields.whole("position");
          const row = observations.find((one) => one.accession === accession && one.position === position);
          if (row === undefined)
            throw fault(place, at, `cells of row ${position} of ${accession}, which is not there`);
          row.cells = fields.json<CellsOf>("cells");
          break;
        }
        case "offices":
          offices.push({
            accession,
            office: fields.oneOf("office", ["peo", "pfo"]) ?? fields.refuse("office"),
            name: fields.matching("name", /\S/),
            start: fields.orNull("start", DATE),
            end: fields.orNull("end", DATE),
            evidence: fields.oneOf("evidence", EVIDENCE) ?? fields.refuse("evidence"),
            because: fields.text("because"),
          });
          break;
        case "grid":
          grids.push({
            accession,
            table: fields.whole("table"),
            row: fields.whole("row"),
            caption: fields.matching("caption", /^(yes)?$/) === "yes",
            cells: fields.json<GridLine["cells"]>("cells"),
          });
          break;
        case "problems":
          problems.push({
            accession,
            position: fields.text("position") === "" ? null : fields.whole("position"),
            step: fields.text("step"),
            code: fields.matching("code", /^[a-z][a-z0-9_]*$/),
            message: fields.text("message"),
          });
          break;
      }
    }
  }
  if (company.cik === "") throw fault(place, 0, "no [company] block");
  for (const [accession, expected] of counts) {
    const held = observations.filter((row) => row.accession === accession).length;
    if (held !== expected)
      throw fault(place, 0, `filing ${accession} names ${expected} rows, ${held} are there`);
  }
  return { ...company, filings, observations, pins, offices, grids, problems };
}

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function isBlock(name: string): name is Block {
  return Object.hasOwn(COLUMNS, name);
}

function fault(place: string, at: number, message: string): Error {
  return new Error(`${place}:${at + 1}: ${message}`);
}

function byText(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a.join("\t"), b.join("\t")];
  return left < right ? -1 : left > right ? 1 : 0;
}

function cleanField(text: string): string {
  return text.replace(/[\t\n\r]+/g, " ");
}

function writeRow(row: Observation): string[] {
  return [
    String(row.position),
    String(row.fiscalYear),
    row.name,
    row.role ?? "",
    ...AMOUNTS.map((field) => writeCents(row.amounts[field])),
    writeFlag(row.peo),
    row.peo.because ?? "",
    writeFlag(row.pfo),
    row.pfo.because ?? "",
    row.placeholder ? "yes" : "",
    row.label ?? "",
    row.period === null ? "" : `${row.period.start}..${row.period.end}`,
    row.checks.join(" "),
    row.note ?? "",
  ];
}

/** `yes`, `no` or `?`, and the evidence. */
function writeFlag({ held, evidence }: OfficeFlag): string {
  return `${held === null ? "?" : held ? "yes" : "no"} ${evidence}`;
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
    checks: fields
      .text("checks")
      .split(" ")
      .filter((check) => check !== ""),
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

const DATE = /^\d{4}-\d\d-\d\d$/;

/** The fields of one line, each read as what it must be. */
class Fields {
  constructor(
    private readonly columns: readonly string[],
    private readonly values: readonly string[],
    private readonly fault: (message: string) => Error,
  ) {}

  text(column: string): string {
    return this.values[this.columns.indexOf(column)] ?? "";
  }

  refuse(column: string): never {
    throw this.fault(`cannot read ${column} "${this.text(column)}"`);
  }

  matching(column: string, shape: RegExp): string {
    const text = this.text(column);
    return shape.test(text) ? text : this.refuse(column);
  }

  orNull(column: string, shape: RegExp): string | null {
    return this.text(column) === "" ? null : this.matching(column, shape);
  }

  oneOf<const Value extends string>(column: string, values: readonly Value[]): Value | null {
    if (this.text(column) === "") return null;
    return values.find((value) => value === this.text(column)) ?? this.refuse(column);
  }

  whole(column: string): number {
    return Number(this.matching(column, /^\d{1,9}$/));
  }

  amounts(): Record<AmountField, number> {
    return byAmount((field) => readCents(this.text(field)) ?? this.refuse(field));
  }

  flag(column: "peo" | "pfo"): OfficeFlag {
    const [word = "", kind = ""] = this.matching(column, /^(yes|no|\?) [a-z]+$/).split(" ");
    return {
      held: word === "?" ? null : word === "yes",
      evidence: EVIDENCE.find((one) => one === kind) ?? this.refuse(column),
      because: this.text(`${column}_because`) || null,
    };
  }

  json<Shape>(column: string): Shape {
    try {
      // The caller names the shape that writeCompanyFile writes in this column.
      return JSON.parse(this.text(column)) as Shape;
    } catch {
      return this.refuse(column);
    }
  }
}
