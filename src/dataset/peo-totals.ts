/**
 * A check against an outside source: the principal executive officer's total for a company's newest year, as tagged in the
 * proxy itself. Matched by the end of the fiscal year, never by its label. A difference is reported as a problem and changes
 * no amount.
 * Source: NM AI Research, ceo-pay-scorecard, CC BY 4.0, DOI 10.5281/zenodo.21445815 (`data/README.md`).
 */
import { type Cents, writeCents } from "../domain/amount.ts";
import type { Assembled } from "./assemble.ts";
import type { CompanyRecord, Problem } from "./record.ts";
import { tableLines } from "./reference-file.ts";

/** A tagged total. */
export interface TaggedTotal {
  /** The calendar year in which the fiscal year ended. */
  periodEndYear: number;
  cents: Cents;
}

/** Tagged totals by CIK. */
export type PeoTotals = ReadonlyMap<string, TaggedTotal>;

type ServedRow = Assembled["rows"][number];

/** The result of comparing a tagged total with the rows of that year. */
export type PeoTotalCheck =
  | { kind: "agrees"; row: ServedRow }
  /** The same digits in thousands or millions on either side: an error in the tag, not in the row. */
  | { kind: "scaled"; row: ServedRow }
  | { kind: "differs"; row: ServedRow; tagged: TaggedTotal }
  /** There is no tag, or no row of that year comes from its own filing. */
  | { kind: "absent" };

/** Reads the tagged totals of `data/reference/peo-totals-sp500.tsv`. A zero is a placeholder and is skipped. */
export function readPeoTotals(text: string): PeoTotals {
  return new Map(
    tableLines(text, "data/reference/peo-totals-sp500.tsv").flatMap(([cik = "", year = "", total = ""]) =>
      Number(total) > 0 ? [[cik, { periodEndYear: Number(year), cents: Number(total) * 100 }] as const] : [],
    ),
  );
}

/** Compares a company's rows with its tagged total. If several people were PEO in the year, any of them may match. */
export function checkPeoTotal(
  record: CompanyRecord,
  { rows }: Assembled,
  tagged: TaggedTotal | undefined,
): PeoTotalCheck {
  if (tagged === undefined) return { kind: "absent" };
  const printed = new Map<string, number>();
  for (const { accession, fiscalYear } of record.observations) {
    printed.set(accession, Math.max(printed.get(accession) ?? 0, fiscalYear));
  }
  const ofYear = rows.filter(
    ({ isPeo, fiscalYear, filing }) =>
      isPeo &&
      // Only the newest year of a filing ends with the filing's period.
      printed.get(filing.accession) === fiscalYear &&
      Number(filing.periodEnd?.slice(0, 4)) === tagged.periodEndYear,
  );
  const [first] = ofYear;
  if (first === undefined) return { kind: "absent" };
  const having = (fits: (total: Cents) => boolean) =>
    ofYear.find(({ amounts }) => fits(amounts.total_compensation));
  // Tags are in whole units of the currency.
  const same = having((total) => Math.abs(total - tagged.cents) < 100);
  if (same !== undefined) return { kind: "agrees", row: same };
  const scaled = having((total) =>
    SCALES.some(
      (scale) =>
        Math.abs(total - tagged.cents * scale) < 100 * scale ||
        Math.abs(total * scale - tagged.cents) < 100 * scale,
    ),
  );
  return scaled === undefined ? { kind: "differs", row: first, tagged } : { kind: "scaled", row: scaled };
}

const SCALES = [1000, 1_000_000] as const;

/** The problem of a row that differs from a tagged total. */
export function peoTotalProblems(
  record: CompanyRecord,
  assembled: Assembled,
  tagged: TaggedTotal | undefined,
): Problem[] {
  const check = checkPeoTotal(record, assembled, tagged);
  if (check.kind !== "differs") return [];
  const { observation, amounts } = check.row;
  const [here, there] = [writeCents(amounts.total_compensation), writeCents(check.tagged.cents)];
  const message = `total_compensation ${here}; the proxy's tag for the PEO of that year says ${there}`;
  const { accession, position } = observation;
  return [{ accession, position, step: "assemble", code: "peo_total_differs", message }];
}
