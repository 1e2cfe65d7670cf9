/** Invariants of a company, checked before a snapshot is written. Each violation names its row, so that it can be found in `data/`. */
import { isCents, writeCents } from "../domain/amount.ts";
import { displayName } from "../domain/executive.ts";
import { AMOUNTS, COMPONENTS } from "../domain/row-fields.ts";
import { MAX_ROWS } from "./dataset.ts";
import type { Assembled } from "./assemble.ts";
import { byContract, type ServedRow } from "./row-json.ts";
import { isDefinitive, type CompanyRecord, type FilingRecord, type Observation } from "./record.ts";

/** Forms that contain the table (`docs/reading-filings.md`, "Forms"). */
const FORM =
  /^(?:DEF 14A(?:\/A)?|DEF[CRM]14A|DEF[CRM] ?14A|DEF 14C|DEFR14C|PRE ?[A-Z]? ?14[AC]|PRE[CRM]14[AC]|10-K(?:\/A)?|10-KT(?:\/A)?|10-K405|S-1(?:\/A)?|S-4(?:\/A)?|424B[1-8]|20-F(?:\/A)?|40-F(?:\/A)?|N-CSR|485BPOS|8-K(?:\/A)?)$/;
/** Item 402's current table applies to fiscal years ending on or after 15 December 2006. */
const FIRST_YEAR = 2006;

/** The invariants that the company violates; empty if it may be written. */
export function findViolations(record: CompanyRecord, assembled: Assembled): string[] {
  const printed = Map.groupBy(record.observations, ({ accession }) => accession);
  return [
    ...companyViolations(record),
    ...record.filings.flatMap((filing) => [
      ...filingViolations(record, filing, printed.get(filing.accession) ?? []),
    ]),
    ...observationViolations(record, assembled),
    ...pinViolations(record, assembled),
    ...servedViolations(record, assembled),
  ];
}

function* companyViolations({ cik, name }: CompanyRecord): Generator<string> {
  if (!/^\d{10}$/.test(cik) || /^0+$/.test(cik)) yield `company "${cik}": a CIK has ten digits`;
  if (name.trim() === "") yield `company ${cik}: no name`;
}

function* filingViolations(
  record: CompanyRecord,
  filing: FilingRecord,
  rows: readonly Observation[],
): Generator<string> {
  const place = `${record.cik} filing ${filing.accession}`;
  if (!/^\d{10}-\d{2}-\d{6}$/.test(filing.accession)) yield `${place}: not an accession number`;
  const dates = { "filing date": filing.filingDate, "period end": filing.periodEnd };
  for (const [what, date] of Object.entries(dates))
    if (date !== null && !isDate(date)) yield `${place}: ${what} "${date}" is not a date`;
  if (filing.status === "parsed" && filing.form !== null && !FORM.test(filing.form))
    yield `${place}: form "${filing.form}" is not known to contain the table`;
  const folder = `https://www.sec.gov/Archives/edgar/data/${Number(record.cik)}/${filing.accession.replaceAll("-", "")}`;
  if (filing.url !== null && !filing.url.startsWith(`${folder}/`))
    yield `${place}: address ${filing.url} is not in the filing's folder ${folder}/`;
  if (filing.status === "parsed") {
    if (filing.form === null) yield `${place}: was read but has no form`;
    if (filing.read === null) yield `${place}: was read but does not say how`;
    if (rows.length === 0) yield `${place}: was read but has no rows`;
    if (!/^[A-Z]{3}$/.test(filing.currency ?? ""))
      yield `${place}: currency "${filing.currency}" is not an ISO 4217 code`;
  } else if (rows.length > 0) yield `${place}: is ${filing.status} but has ${rows.length} rows`;
  if ((filing.status === "refused" || filing.status === "failed") && filing.reason === null)
    yield `${place}: is ${filing.status} without a reason`;
}

function* observationViolations(record: CompanyRecord, assembled: Assembled): Generator<string> {
  const filings = new Map(record.filings.map((filing) => [filing.accession, filing]));
  const positions = new Set<string>();
  const personYears = new Map<string, Observation>();
  for (const [index, row] of record.observations.entries()) {
    const place = () => placeOf(record, row);
    const filing = filings.get(row.accession);
    if (filing === undefined)
      yield `${place()}: its filing ${row.accession} is not among the company's filings`;
    const position = `${row.accession} ${row.position}`;
    if (positions.has(position)) yield `${place()}: position ${row.position} is used twice`;
    positions.add(position);
    const person = `${row.accession} ${row.fiscalYear} ${assembled.executiveIds[index]}`;
    const twin = personYears.get(person);
    if (twin !== undefined && displayName(twin.name) !== displayName(row.name))
      yield `${place()}: row ${twin.position} of the filing has the same person and year`;
    personYears.set(person, row);
    yield* amountViolations(record, row);
    const latest = Number((filing?.filingDate ?? "9998").slice(0, 4)) + 1;
    if (!Number.isInteger(row.fiscalYear) || row.fiscalYear < FIRST_YEAR || row.fiscalYear > latest)
      yield `${place()}: fiscal year ${row.fiscalYear} is not between ${FIRST_YEAR} and ${latest}`;
    if (
      row.period !== null &&
      !(isDate(row.period.start) && isDate(row.period.end) && row.period.start < row.period.end)
    )
      yield `${place()}: ${row.period.start} to ${row.period.end} is not a valid period`;
  }
  for (const problem of record.problems) {
    if (!filings.has(problem.accession))
      yield `${record.cik} problem ${problem.code}: its filing ${problem.accession} is not among the company's filings`;
    else if (problem.position !== null && !positions.has(`${problem.accession} ${problem.position}`))
      yield `${record.cik} problem ${problem.code}: row ${problem.position} of ${problem.accession} does not exist`;
  }
}

function* amountViolations(record: CompanyRecord, row: Observation): Generator<string> {
  const place = () => placeOf(record, row);
  const broken = AMOUNTS.filter((field) => !isCents(row.amounts[field]));
  if (broken.length > 0) {
    yield `${place()}: ${broken.join(", ")} not a whole number of cents`;
    return;
  }
  const sum = COMPONENTS.reduce((total, field) => total + row.amounts[field], 0);
  if (sum !== row.amounts.total_compensation)
    yield `${place()}: the eight components add up to ${writeCents(sum)}, the total is ${writeCents(row.amounts.total_compensation)}`;
  const explained = record.problems.some(
    ({ accession, position, step }) =>
      accession === row.accession && position === row.position && step !== "offices",
  );
  if (row.amounts.unknown_component !== 0 && !explained)
    yield `${place()}: unknown_component is ${writeCents(row.amounts.unknown_component)} without a problem that explains it`;
  if (!(row.position > 0 && row.position < MAX_ROWS))
    yield `${place()}: the position in the table is not between 1 and ${MAX_ROWS - 1}`;
  if (row.placeholder && AMOUNTS.some((field) => row.amounts[field] !== 0))
    yield `${place()}: is a placeholder but has amounts`;
}

function* pinViolations(record: CompanyRecord, assembled: Assembled): Generator<string> {
  const spellings = new Map<string, string>();
  for (const { executiveId, spelling } of record.pins) {
    const other = spellings.get(spelling);
    if (other !== undefined)
      yield `${record.cik} executive "${spelling}": pinned to both ${other} and ${executiveId}`;
    spellings.set(spelling, executiveId);
  }
  for (const { executiveId, spelling } of assembled.pins) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(executiveId))
      yield `${record.cik} executive "${spelling}": "${executiveId}" is not a valid id`;
  }
}

function* servedViolations(record: CompanyRecord, { rows, years }: Assembled): Generator<string> {
  const seen = new Set<string>();
  if (rows.length >= MAX_ROWS)
    yield `company ${record.cik}: ${rows.length} rows exceed the maximum of a snapshot`;
  for (const [index, row] of rows.entries()) {
    const place = () => `${placeOf(record, row.observation)} (${row.executiveId})`;
    const key = `${row.fiscalYear} ${row.executiveId}`;
    if (seen.has(key)) yield `${place()}: the id is served twice in ${row.fiscalYear}`;
    seen.add(key);
    const before = rows[index - 1];
    if (before !== undefined && byContract(before, row) >= 0)
      yield `${place()}: is not in the order of the contract`;
    if (row.observation.placeholder && !row.isPeo && !row.isPfo)
      yield `${place()}: is a placeholder for a person who was neither PEO nor PFO`;
    if (
      !record.filings.includes(row.filing) ||
      row.filing.status !== "parsed" ||
      !isDefinitive(row.filing.form)
    )
      yield `${place()}: is served from ${row.filing.accession}, which is not a definitive filing that was read`;
    if (row.name === "") yield `${place()}: nothing is left of the name "${row.observation.name}"`;
    if (row.reportedYear < row.fiscalYear)
      yield `${place()}: reported in ${row.reportedYear}, before its year`;
    for (const accession of newerStatements(record, row))
      yield `${place()}: is served from ${row.filing.accession} although ${accession} is newer`;
  }
  for (const { fiscalYear, complete } of years) {
    const ofYear = rows.filter((row) => row.fiscalYear === fiscalYear);
    if (complete && !ofYear.some(({ isPeo }) => isPeo))
      yield `${record.cik} ${record.name} ${fiscalYear}: a complete year without a principal executive officer`;
    const held = ofYear.some(
      ({ reportedYear, filing }) => reportedYear === fiscalYear && filing.read !== "collected",
    );
    if (held && !complete)
      yield `${record.cik} ${fiscalYear}: its filing is loaded, but the year is not complete`;
  }
}

/** Definitive filings newer than the row's that print the same name and year with amounts. */
function newerStatements(record: CompanyRecord, row: ServedRow): string[] {
  return record.observations
    .filter(
      ({ name, fiscalYear, placeholder }) =>
        fiscalYear === row.fiscalYear && !placeholder && name === row.observation.name,
    )
    .flatMap(({ accession }) => record.filings.find((filing) => filing.accession === accession) ?? [])
    .filter(
      ({ form, status, filingDate, read }) =>
        isDefinitive(form) &&
        status === "parsed" &&
        (read !== "collected" || row.filing.read === "collected") &&
        (filingDate ?? "") > (row.filing.filingDate ?? ""),
    )
    .map(({ accession }) => accession);
}

function placeOf(record: CompanyRecord, row: Observation): string {
  return `${record.cik} ${record.name}, ${row.accession} row ${row.position}, "${row.name}" ${row.fiscalYear}`;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
