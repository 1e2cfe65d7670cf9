/**
 * From everything known of one company to what is served: people, the observation that speaks for each
 * executive-year, flags, roles, complete years. Pure: the same record gives the same answer.
 * @see docs/contract.md, "Rows"
 */
import type { Cents } from "../domain/amount.ts";
import { AMOUNTS, type AmountField } from "../domain/row-fields.ts";
import { displayName } from "../domain/executive.ts";
import {
  decideFlag,
  type Decision,
  fiscalWindow,
  type FlagBasis,
  tieSpans,
  type TiedSpan,
  type Statement,
} from "./offices.ts";
import { identifyPeople, type People } from "./people.ts";
import {
  byFilingDate,
  isDefinitive,
  type CompanyRecord,
  type FilingRecord,
  type Observation,
  type Pin,
  type Problem,
} from "./record.ts";

/** One row as it is served, with the observation that it is made from. */
export interface ServedRow {
  fiscalYear: number;
  reportedYear: number;
  executiveId: string;
  name: string;
  role: string | null;
  isPeo: boolean;
  isPfo: boolean;
  peoBasis: FlagBasis;
  pfoBasis: FlagBasis;
  currency: string | null;
  amounts: Readonly<Record<AmountField, Cents>>;
  observation: Observation;
  filing: FilingRecord;
}

/** What is served of one company. */
export interface Assembled {
  /** In the order of `docs/contract.md`, "Rows". */
  rows: readonly ServedRow[];
  /** Descending. */
  years: readonly { fiscalYear: number; complete: boolean }[];
  /** Id of each of the record's observations, in its order. */
  executiveIds: readonly string[];
  pins: readonly Pin[];
  newPins: readonly Pin[];
  /** The record's problems and those met here, by filing and position. */
  problems: readonly Problem[];
}

interface Seen extends Statement {
  /** The filing prints no amount for this person in any year. */
  blankThroughout: boolean;
}

/**
 * @param asOf only filings filed on or before this day (YYYY-MM-DD) speak; pinned ids stay as they are
 */
export function assemble(record: CompanyRecord, asOf?: string): Assembled {
  const people = identifyPeople(record);
  const problems: Problem[] = [...record.problems];
  for (const conflict of people.conflicts) {
    problems.push({ ...conflict, step: "assemble", code: "pinned_separately" });
  }
  const seen = eligibleObservations(record, people.ids, asOf);
  const offices = officesOf(record, people, seen);
  const years = [...new Set(seen.map(({ row }) => row.fiscalYear))].sort((a, b) => b - a);
  const rows: ServedRow[] = [];
  const complete = new Map<number, boolean>();
  for (const fiscalYear of years) {
    const ofYear = seen.filter(({ row }) => row.fiscalYear === fiscalYear);
    complete.set(
      fiscalYear,
      ofYear.some(({ newestPrinted }) => newestPrinted === fiscalYear),
    );
    const persons = Map.groupBy(ofYear, ({ executiveId }) => executiveId);
    const served = [...persons.values()].flatMap(
      (statements) => serve(statements, ofYear, offices, problems) ?? [],
    );
    rows.push(...served.sort(byContract));
  }
  const held = new Set(rows.map(({ fiscalYear }) => fiscalYear));
  return {
    rows,
    years: years
      .filter((fiscalYear) => held.has(fiscalYear))
      .map((fiscalYear) => ({ fiscalYear, complete: complete.get(fiscalYear) ?? false })),
    executiveIds: people.ids,
    pins: people.pins,
    newPins: people.newPins,
    problems: sorted(problems, record.filings),
  };
}

/** Observations of definitive filings that were read, newest filing first. */
function eligibleObservations(
  record: CompanyRecord,
  ids: readonly string[],
  asOf: string | undefined,
): Seen[] {
  const filings = new Map(
    record.filings
      .filter((filing) => filing.status === "parsed" && isDefinitive(filing.form))
      .filter((filing) => asOf === undefined || (filing.filingDate !== null && filing.filingDate <= asOf))
      .map((filing) => [filing.accession, filing]),
  );
  const newest = new Map<string, number>();
  const withAmounts = new Set<string>();
  record.observations.forEach(({ accession, fiscalYear, placeholder }, index) => {
    newest.set(accession, Math.max(newest.get(accession) ?? 0, fiscalYear));
    if (!placeholder) withAmounts.add(`${accession} ${ids[index] ?? ""}`);
  });
  return record.observations
    .flatMap((row, index) => {
      const filing = filings.get(row.accession);
      if (filing === undefined) return [];
      const executiveId = ids[index] ?? "";
      return [
        {
          row,
          filing,
          executiveId,
          newestPrinted: newest.get(row.accession) ?? 0,
          blankThroughout: !withAmounts.has(`${row.accession} ${executiveId}`),
        },
      ];
    })
    .sort((a, b) => byFilingDate(b.filing, a.filing) || a.row.position - b.row.position);
}

interface Offices {
  spans: readonly TiedSpan[];
  /** Period end of the filing of each year. */
  ends: ReadonlyMap<number, string>;
}

/** Dated times in office of the filings that speak, newest filing first, and when their fiscal years end. */
function officesOf(record: CompanyRecord, people: People, seen: readonly Seen[]): Offices {
  const speaking = new Map(seen.map(({ filing }) => [filing.accession, filing]));
  const pinned = new Map(people.pins.map(({ spelling, executiveId }) => [spelling, executiveId]));
  const spans = tieSpans(
    record.offices
      .filter(({ accession }) => speaking.has(accession))
      .toSorted((a, b) => rankOf(speaking, b) - rankOf(speaking, a)),
    (name) => pinned.get(displayName(name)),
    new Set(people.ids),
  );
  const ends = new Map<number, string>();
  for (const { filing, newestPrinted } of seen) {
    if (filing.periodEnd !== null && !ends.has(newestPrinted)) ends.set(newestPrinted, filing.periodEnd);
  }
  return { spans, ends };
}

function rankOf(filings: ReadonlyMap<string, FilingRecord>, { accession }: { accession: string }): number {
  return [...filings.values()].sort(byFilingDate).findIndex((filing) => filing.accession === accession);
}

/**
 * The served row of one person in one year, or none for a placeholder.
 * @param words what filings say on this person in this year, newest first
 * @param ofYear what they say on everybody in this year, newest first
 */
function serve(
  statements: readonly Seen[],
  ofYear: readonly Seen[],
  { spans, ends }: Offices,
  problems: Problem[],
): ServedRow | undefined {
  const spoken = statements.filter(({ row: word }) => !word.placeholder);
  const newest = spoken.filter(({ filing: from }) => from === spoken[0]?.filing);
  // Where one filing prints a year twice (a transition period beside it), the whole year speaks.
  const chosen = newest.find(({ row: word }) => word.period === null) ?? newest[0] ?? statements[0];
  if (chosen === undefined) return undefined;
  const { row, filing } = chosen;
  const met: Problem[] = [];
  const meet = (code: string, message: string) =>
    met.push({ accession: row.accession, position: row.position, step: "assemble", code, message });
  const window = fiscalWindow(row.fiscalYear, ends);
  const peo = decideFlag("peo", statements, chosen, ofYear, spans, window);
  const pfo = decideFlag("pfo", statements, chosen, ofYear, spans, window);
  if (row.placeholder && !servedThoughBlank(chosen, peo, pfo)) return undefined;
  for (const [name, flag] of [
    ["is_peo", peo],
    ["is_pfo", pfo],
  ] as const) {
    if (flag.basis === "undecided") meet("undecided_flag", `${name}: no filing decides it; false is served`);
    if (flag.conflict !== undefined) meet("flag_conflict", `${name}: ${flag.conflict}`);
  }
  for (const { row: older, filing: from } of statements) {
    if (older === row || older.placeholder) continue;
    const changed = AMOUNTS.filter((field) => older.amounts[field] !== row.amounts[field]);
    if (changed.length === 0) continue;
    const sides = changed.map(
      (field) => `${field} ${older.amounts[field] / 100} → ${row.amounts[field] / 100}`,
    );
    if (from === filing)
      meet("printed_twice", `printed in row ${older.position} too, otherwise: ${sides.join(", ")}`);
    else
      meet("restated", `printed otherwise in ${from.accession} of ${from.filingDate}: ${sides.join(", ")}`);
  }
  if (row.period !== null) {
    meet("partial_period", `covers ${row.period.start} to ${row.period.end}, not a whole year`);
  }
  problems.push(...met);
  const own = statements.find(
    ({ newestPrinted, row: word }) => newestPrinted === word.fiscalYear && word.role !== null,
  );
  return {
    fiscalYear: row.fiscalYear,
    reportedYear: chosen.newestPrinted,
    executiveId: chosen.executiveId,
    name: displayName(row.name),
    role: own?.row.role ?? row.role,
    isPeo: peo.value,
    isPfo: pfo.value,
    peoBasis: peo.basis,
    pfoBasis: pfo.basis,
    currency: filing.currency,
    amounts: row.amounts,
    observation: row,
    filing,
  };
}

/**
 * A year printed without any amount is a true zero of a PEO or PFO (Tesla's dashes for Elon Musk). Today's office beside
 * an older blank year is not enough for that, unless the same table is blank for the person's newest year too:
 * whoever joined since has such years as well.
 */
function servedThoughBlank(chosen: Seen, ...offices: readonly Decision[]): boolean {
  return offices.some(({ value, basis }) => value && (basis !== "todays_office" || chosen.blankThroughout));
}

/** `docs/contract.md`, "Rows": PEOs first, then PFOs, then total descending, then id ascending; years are put in order before. */
export function byContract(a: ServedRow, b: ServedRow): number {
  if (a.fiscalYear !== b.fiscalYear) return b.fiscalYear - a.fiscalYear;
  if (a.isPeo !== b.isPeo) return a.isPeo ? -1 : 1;
  if (a.isPfo !== b.isPfo) return a.isPfo ? -1 : 1;
  const total = b.amounts.total_compensation - a.amounts.total_compensation;
  if (total !== 0) return total;
  return a.executiveId < b.executiveId ? -1 : a.executiveId > b.executiveId ? 1 : 0;
}

function sorted(problems: readonly Problem[], filings: readonly FilingRecord[]): Problem[] {
  const order = new Map([...filings].sort(byFilingDate).map(({ accession }, index) => [accession, index]));
  return problems
    .map((problem, index) => ({ problem, index }))
    .sort(
      (a, b) =>
        (order.get(a.problem.accession) ?? 0) - (order.get(b.problem.accession) ?? 0) ||
        (a.problem.position ?? 0) - (b.problem.position ?? 0) ||
        a.index - b.index,
    )
    .map(({ problem }) => problem);
}
