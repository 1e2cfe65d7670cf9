/** Formats a company's file. */
import { writeCents } from "../../src/domain/amount.ts";
import { AMOUNTS } from "../../src/domain/row-fields.ts";
import {
  byFilingDate,
  type CompanyRecord,
  type FilingRecord,
  type Observation,
  type OfficeFlag,
} from "../../src/dataset/record.ts";
import { type Block, COLUMNS } from "./format.ts";

/** The fields of the lines of a block. */
type Lines = readonly (readonly string[])[];

/** The text of the file. Filings, observations and pins are sorted, so equal records give equal bytes. */
export function writeCompanyFile(record: CompanyRecord): string {
  const filings = [...record.filings].sort(byFilingDate);
  const { cik, name, fiscalYearEnd, symbols } = record;
  const pins = record.pins.map((pin) => [pin.executiveId, pin.spelling]).sort(byText);
  return [
    ...block("company", null, [[cik, name, fiscalYearEnd ?? "", [...symbols].sort().join(" ")]]),
    ...block(
      "filings",
      null,
      filings.map((filing) => writeFiling(filing, rowsOf(record, filing).length)),
    ),
    ...block("executives", null, pins),
    ...filings.flatMap((filing) => blocksOf(record, filing)),
  ].join("\n");
}

function block(name: Block, accession: string | null, lines: Lines): string[] {
  if (lines.length === 0) return [];
  const head = `[${accession === null ? name : `${name} ${accession}`}]`;
  return [head, COLUMNS[name].join("\t"), ...lines.map((line) => line.map(cleanField).join("\t")), ""];
}

/** The blocks of one filing. */
function blocksOf(record: CompanyRecord, filing: FilingRecord): string[] {
  const { accession, captions } = filing;
  const ofFiling = (one: { accession: string }) => one.accession === accession;
  const rows = rowsOf(record, filing).sort((a, b) => a.position - b.position);
  const cells = rows.flatMap((row) =>
    row.cells === null ? [] : [[String(row.position), JSON.stringify(row.cells)]],
  );
  const offices = record.offices
    .filter(ofFiling)
    .map((span) => [span.office, span.name, span.start ?? "", span.end ?? "", span.evidence, span.because]);
  const grid = record.grids
    .filter(ofFiling)
    .sort((a, b) => a.table - b.table || a.row - b.row)
    .map((line) => [
      String(line.table),
      String(line.row),
      line.caption ? "yes" : "",
      JSON.stringify(line.cells),
    ]);
  const problems = record.problems
    .filter(ofFiling)
    .map((p) => [p.position === null ? "" : String(p.position), p.step, p.code, p.message]);
  return [
    ...block("rows", accession, rows.map(writeRow)),
    ...block("captions", accession, Object.entries(captions).sort(byText)),
    ...block("cells", accession, cells),
    ...block("offices", accession, offices),
    ...block("grid", accession, grid),
    ...block("problems", accession, problems),
  ];
}

function rowsOf(record: CompanyRecord, { accession }: FilingRecord): Observation[] {
  return record.observations.filter((row) => row.accession === accession);
}

function writeFiling(filing: FilingRecord, rows: number): string[] {
  return [
    filing.accession,
    filing.form ?? "",
    filing.filingDate ?? "",
    filing.periodEnd ?? "",
    filing.currency ?? "",
    filing.regime ?? "",
    filing.read ?? "",
    filing.status,
    String(rows),
    filing.symbol ?? "",
    filing.url ?? "",
    filing.sha256 ?? "",
    filing.reason ?? "",
  ];
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

/** `yes`, `no` or `?`, followed by the evidence. */
function writeFlag({ held, evidence }: OfficeFlag): string {
  return `${held === null ? "?" : held ? "yes" : "no"} ${evidence}`;
}

function byText(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a.join("\t"), b.join("\t")];
  return left < right ? -1 : left > right ? 1 : 0;
}

function cleanField(text: string): string {
  return text.replace(/[\t\n\r]+/g, " ");
}
