/** Explains why a person is or is not flagged as PEO or PFO of a year, for `execcomp explain`. */
import type { OfficerClaim } from "../../domain/officer-claims.ts";
import type { FlagSource } from "../../dataset/detail.ts";
import type { Remark } from "../../dataset/remarks.ts";
import type { FlagBasis } from "../../dataset/officers.ts";
import { filingJson, filingLines } from "./explain-filing.ts";

/** The flags that can be explained. */
export const FLAGS = { is_peo: "peo", is_pfo: "pfo" } as const;
/** `is_peo` or `is_pfo`. */
export type FlagField = keyof typeof FLAGS;

const OFFICE = { is_peo: "principal executive officer", is_pfo: "principal financial officer" } as const;

const BASIS: Readonly<Record<FlagBasis, string>> = {
  dated: "decided by a date or a tag",
  filing_of_year: "decided by the title in that year's filing",
  not_in_filing_of_year: "today's title is overruled by another officer of that year",
  todays_office: "decided by today's title in a row of an older year (weak)",
  undecided: "no filing says, so false is served",
};

/** The flag with its basis and the claims that decided it, as JSON. */
export function flagJson(
  field: FlagField,
  { decision, row, filings }: FlagSource,
  remarks: readonly Remark[],
): object {
  return {
    field,
    value: decision.value,
    basis: decision.basis,
    filing: filingJson(row.filing),
    problems: remarks,
    claims: decision.claims.map(({ person, held, from, to, basis, quote, accession }) => {
      const filing = filings.get(accession);
      return {
        executive_id: person,
        held,
        from: from?.earliest ?? null,
        to: to?.latest ?? null,
        basis,
        quote,
        filing: filing === undefined ? null : filingJson(filing),
      };
    }),
    conflict: decision.conflict,
  };
}

/** The same as text. */
export function* flagLines(
  field: FlagField,
  { decision, row, filings }: FlagSource,
  remarks: readonly Remark[],
): Generator<string> {
  const verb = decision.value ? "was" : "was not";
  yield `${field} of ${row.name}, ${row.fiscalYear}: ${decision.value} (${verb} ${OFFICE[field]})`;
  yield `basis: ${BASIS[decision.basis]}`;
  for (const { message } of remarks) yield message;
  for (const claim of decision.claims) {
    yield "";
    yield claimLine(claim);
    if (claim.quote !== "") yield `  "${claim.quote}"`;
    const filing = filings.get(claim.accession);
    if (filing !== undefined) for (const line of filingLines(filing)) yield `  ${line}`;
  }
  if (decision.conflict !== null) {
    yield "";
    yield `Filings disagree: ${decision.conflict}`;
  }
}

function claimLine({ person, held, from, to, basis }: OfficerClaim): string {
  const time =
    from === null && to === null
      ? ""
      : ` from ${from?.earliest ?? "an open date"} to ${to?.latest ?? "an open date"}`;
  return `${basis}: ${person} ${held ? "held the office" : "did not hold the office"}${time}`;
}
