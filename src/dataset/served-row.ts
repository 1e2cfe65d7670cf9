/** Makes the served row of a person and year, and its problems. */
import { displayName } from "../domain/executive.ts";
import type { Cents } from "../domain/amount.ts";
import { AMOUNTS, type AmountField } from "../domain/row-fields.ts";
import {
  type OfficeDecision,
  type Decisions,
  type FlagBasis,
  isOfYear,
  servedStatement,
  type Statement,
} from "./officers.ts";
import type { FilingRecord, Observation, Problem } from "./record.ts";
import type { DatasetProblem } from "./remarks.ts";

/** A served row, with the observation it is made from. */
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
  /** What decided the flags. */
  decisions: Decisions;
  currency: string | null;
  amounts: Readonly<Record<AmountField, Cents>>;
  observation: Observation;
  filing: FilingRecord;
}

/**
 * The served row of one person in one year with its problems, or undefined for a placeholder.
 * @param statements the filings' rows for this person and year, newest filing first
 * @param names the name to serve for each printed one
 */
export function servedRow(
  statements: readonly Statement[],
  decisions: Decisions,
  names: ReadonlyMap<string, string>,
): { row: ServedRow; problems: Problem[] } | undefined {
  const chosen = servedStatement(statements);
  if (chosen === undefined) return undefined;
  const { row, filing } = chosen;
  const { peo, pfo } = decisions;
  if (row.placeholder && !servedThoughBlank(chosen, peo, pfo)) return undefined;
  const role = statements.find((statement) => isOfYear(statement) && statement.row.role !== null)?.row.role;
  return {
    row: {
      fiscalYear: row.fiscalYear,
      reportedYear: chosen.newestPrinted,
      executiveId: chosen.executiveId,
      name: names.get(row.name) ?? displayName(row.name),
      role: role ?? row.role,
      isPeo: peo.value,
      isPfo: pfo.value,
      peoBasis: peo.basis,
      pfoBasis: pfo.basis,
      decisions,
      currency: filing.currency,
      amounts: row.amounts,
      observation: row,
      filing,
    },
    problems: [...problemsOf(chosen, statements, decisions)].map(([code, message]) => ({
      accession: row.accession,
      position: row.position,
      step: "assemble",
      code,
      message,
    })),
  };
}

/**
 * A year printed without any amount is a true zero for a PEO or PFO (Tesla's dashes for Elon Musk). Today's office in an
 * older blank year is not enough, unless the same table is blank for the person's newest year too: people who joined later
 * also have blank earlier years.
 */
function servedThoughBlank(chosen: Statement, ...offices: readonly OfficeDecision[]): boolean {
  return offices.some(({ value, basis }) => value && (basis !== "todays_office" || chosen.blankThroughout));
}

function* problemsOf(
  chosen: Statement,
  statements: readonly Statement[],
  { peo, pfo }: Decisions,
): Generator<[code: DatasetProblem, message: string]> {
  for (const [name, flag] of [
    ["is_peo", peo],
    ["is_pfo", pfo],
  ] as const) {
    if (flag.basis === "undecided")
      yield ["undecided_flag", `${name}: no filing decides it; false is served`];
    if (flag.conflict !== null) yield ["flag_conflict", `${name}: ${flag.conflict}`];
  }
  const { row, filing } = chosen;
  for (const { row: older, filing: from } of statements) {
    if (older === row || older.placeholder) continue;
    const changed = AMOUNTS.filter((field) => older.amounts[field] !== row.amounts[field])
      .map((field) => `${field} ${older.amounts[field] / 100} → ${row.amounts[field] / 100}`)
      .join(", ");
    if (changed === "") continue;
    if (from === filing)
      yield ["printed_twice", `printed in row ${older.position} too, otherwise: ${changed}`];
    else yield ["restated", `printed otherwise in ${from.accession} of ${from.filingDate}: ${changed}`];
  }
  if (row.period !== null)
    yield ["partial_period", `covers ${row.period.start} to ${row.period.end}, not a whole year`];
}

/** Sorts rows as in `docs/contract.md`, "Rows": newest year first, then PEOs, PFOs, descending total and ascending id. */
export function byContract(a: ServedRow, b: ServedRow): number {
  if (a.fiscalYear !== b.fiscalYear) return b.fiscalYear - a.fiscalYear;
  if (a.isPeo !== b.isPeo) return a.isPeo ? -1 : 1;
  if (a.isPfo !== b.isPfo) return a.isPfo ? -1 : 1;
  const total = b.amounts.total_compensation - a.amounts.total_compensation;
  if (total !== 0) return total;
  return a.executiveId < b.executiveId ? -1 : a.executiveId > b.executiveId ? 1 : 0;
}
