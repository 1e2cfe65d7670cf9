/**
 * Turns everything known about a company into what is served: people, the observation chosen for each executive-year, flags,
 * roles, complete years. Pure: the same record always gives the same result.
 * @see docs/contract.md, "Rows"
 */
import { valueAt } from "../lib/checked-access.ts";
import type { CoveredYear } from "../domain/company.ts";
import { displayName } from "../domain/executive.ts";
import { lastYearEnd } from "../domain/fiscal-year.ts";
import {
  decideFlags,
  termClaims,
  type CompanyOfficers,
  eligibleStatements,
  completesYear,
  type Statement,
} from "./officers.ts";
import { identifyPeople, type People } from "./people.ts";
import { byFilingDate, type CompanyRecord, type FilingRecord, type Pin, type Problem } from "./record.ts";
import { byContract, servedRow, type ServedRow } from "./row-json.ts";

/** What is served for one company. */
export interface Assembled {
  /** In the order of `docs/contract.md`, "Rows". */
  rows: readonly ServedRow[];
  /** Descending. */
  years: readonly CoveredYear[];
  /** The executive id of each observation of the record, in its order. */
  executiveIds: readonly string[];
  pins: readonly Pin[];
  newPins: readonly Pin[];
  /** Problems of the record and of this step, by filing and position. */
  problems: readonly Problem[];
}

/**
 * Assembles the served data of a company.
 * @param asOf only filings filed on or before this day (YYYY-MM-DD) are used; pinned ids stay the same
 */
export function assemble(record: CompanyRecord, asOf?: string): Assembled {
  const people = identifyPeople(record);
  const problems: Problem[] = [...record.problems];
  for (const conflict of people.conflicts) {
    problems.push({ ...conflict, step: "assemble", code: "pinned_separately" });
  }
  const statements = eligibleStatements(record, people.ids, asOf);
  const officers = officersOf(record, people, statements);
  const rows: ServedRow[] = [];
  const years: CoveredYear[] = [];
  const byYear = Map.groupBy(statements, ({ row }) => row.fiscalYear);
  for (const [fiscalYear, ofYear] of [...byYear].sort(([a], [b]) => b - a)) {
    const byPerson = Map.groupBy(ofYear, ({ executiveId }) => executiveId);
    const decisions = decideFlags(fiscalYear, ofYear, byPerson, officers);
    const served = [...byPerson].flatMap(([person, own]) => {
      const decided = decisions.get(person);
      return (decided === undefined ? undefined : servedRow(own, decided, people.names)) ?? [];
    });
    problems.push(...served.flatMap((one) => one.problems));
    rows.push(...served.map(({ row }) => row).sort(byContract));
    if (served.length === 0) continue;
    const collected = served.some(({ row }) => row.filing.read === "collected");
    years.push({ fiscalYear, complete: ofYear.some(completesYear), ...(collected && { collected }) });
  }
  return {
    rows,
    years,
    executiveIds: people.ids,
    pins: people.pins,
    newPins: people.newPins,
    problems: sorted(problems, record.filings),
  };
}

/** The dated terms of office from eligible filings, and the ends of their fiscal years. */
function officersOf(
  record: CompanyRecord,
  people: People,
  statements: readonly Statement[],
): CompanyOfficers {
  const eligible = new Set(statements.map(({ filing }) => filing.accession));
  const pinned = new Map(people.pins.map(({ spelling, executiveId }) => [spelling, executiveId]));
  const terms = termClaims(
    record.offices.filter(({ accession }) => eligible.has(accession)),
    (name) => pinned.get(people.names.get(name) ?? displayName(name)),
    new Set(people.ids),
  );
  const yearEnds = new Map<number, string>();
  for (const { filing, newestPrinted } of statements) {
    if (yearEnds.has(newestPrinted)) continue;
    const end = filing.periodEnd ?? endBeforeFiling(filing, record.fiscalYearEnd);
    if (end !== null) yearEnds.set(newestPrinted, end);
  }
  return { terms, yearEnds };
}

/** The end of the fiscal year before a filing that does not name its own, as few proxy statements do. */
function endBeforeFiling({ filingDate }: FilingRecord, fiscalYearEnd: string | null): string | null {
  return filingDate === null || fiscalYearEnd === null ? null : lastYearEnd(filingDate, fiscalYearEnd);
}

function sorted(problems: readonly Problem[], filings: readonly FilingRecord[]): Problem[] {
  const order = new Map([...filings].sort(byFilingDate).map(({ accession }, index) => [accession, index]));
  return problems
    .map((problem, index) => ({ problem, index }))
    .sort(
      (a, b) =>
        valueAt(order, a.problem.accession) - valueAt(order, b.problem.accession) ||
        (a.problem.position ?? 0) - (b.problem.position ?? 0) ||
        a.index - b.index,
    )
    .map(({ problem }) => problem);
}
