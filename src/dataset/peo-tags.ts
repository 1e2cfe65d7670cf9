/**
 * Totals of principal executive officers as filers tag them in inline XBRL (`ecd:PeoTotalCompAmt`): the total of the Summary
 * Compensation Table, repeated in the pay-versus-performance table. A tag never changes a row. Of the other figures of that
 * table only one comparison is kept: whether the total is far below the average of the other officers.
 * Sources and licences: `data/README.md`.
 */
import { eq, getTableColumns } from "drizzle-orm";
import { type Cents, writeCents } from "../domain/amount.ts";
import type { Assembled } from "./assemble.ts";
import type { Dataset } from "./dataset.ts";
import { type CompanyRecord, printedYears, type Problem } from "./record.ts";
import { tableLines } from "./reference-file.ts";
import { peoTags, type RecordOf } from "./schema.ts";

/** Who collected a tag, as named in answers; null for those read from a filing, which is named itself. */
export const TAG_PROVIDERS = {
  document: null,
  proxy: null,
  frames: null,
  "frames-2026-07-05": "TruNorth, from the SEC's XBRL frames of 5 July 2026",
  scorecard: "NM AI Research, ceo-pay-scorecard (CC BY 4.0)",
} as const satisfies Record<PeoTag["provider"], string | null>;

/** A tagged total. */
export type PeoTag = Omit<RecordOf<typeof peoTags>, "place">;

/** Below this share of the other officers' average, a total may be in another scale. */
const FAR_BELOW = 1 / 50;

/** Whether a total is so far below the average of the other officers that its scale is in doubt. */
export function isFarBelow(total: number, average: number): boolean {
  return average > 0 && total < average * FAR_BELOW;
}

/** Reads `data/reference/ceo-pay.tsv`. */
export function readPeoTags(text: string): PeoTag[] {
  return tableLines(text, "data/reference/ceo-pay.tsv").map(
    ([cik = "", frame = "", name = "", total = "", average = "", sameAs = "", provider = ""]) => {
      if (!isProvider(provider)) throw new Error(`data/reference/ceo-pay.tsv: unknown provider ${provider}`);
      const cents = Math.round(Number(total) * 100);
      const farBelowOthers = isFarBelow(Number(total), Number(average));
      const tag = {
        cik,
        frame,
        periodEnd: null,
        fiscalYear: null,
        cents,
        farBelowOthers,
        provider,
        accession: null,
      };
      return { ...tag, name: name || null, sameAs: sameAs || null };
    },
  );
}

/** A line of `data/reference/ceo-totals.tsv`: what a proxy prints and tags for a chief executive and a fiscal year. */
export interface CeoTotal {
  cik: string;
  fiscalYear: number;
  name: string | null;
  /** In units; the average of the other named executive officers is only a check, and null where it is unknown. */
  total: number;
  othersAverage: number | null;
  accession: string;
  filingDate: string;
  document: string;
}

/** Reads `data/reference/ceo-totals.tsv`. */
export function readCeoTotals(text: string): CeoTotal[] {
  return tableLines(text, "data/reference/ceo-totals.tsv").map(
    ([
      cik = "",
      year = "",
      name = "",
      total = "",
      average = "",
      accession = "",
      filingDate = "",
      document = "",
    ]) => ({
      cik,
      accession,
      filingDate,
      document,
      fiscalYear: Number(year),
      name: name || null,
      total: Number(total),
      othersAverage: average === "" ? null : Number(average),
    }),
  );
}

/** A collected total as a tag: of the filing that it stands in, under the filer's own label of the year. */
export function tagOf({ cik, fiscalYear, name, total, othersAverage, accession }: CeoTotal): PeoTag {
  return {
    cik,
    fiscalYear,
    name,
    accession,
    frame: "",
    periodEnd: null,
    cents: Math.round(total * 100),
    farBelowOthers: isFarBelow(total, othersAverage ?? 0),
    sameAs: null,
    provider: "proxy",
  };
}

/** The tags of the companies of a dataset, by CIK. @param cik only of this company, ten digits */
export function readTags(dataset: Pick<Dataset, "read">, cik?: string): PeoTag[] {
  const { place: _place, ...columns } = getTableColumns(peoTags);
  return dataset.read((db) =>
    db
      .select(columns)
      .from(peoTags)
      .where(cik === undefined ? undefined : eq(peoTags.cik, cik))
      .orderBy(peoTags.cik, peoTags.place)
      .all(),
  );
}

/** Whether a word names a provider. */
function isProvider(word: string): word is PeoTag["provider"] {
  return Object.hasOwn(TAG_PROVIDERS, word);
}

/** The first and last day on which the fiscal year of a tag may end, YYYY-MM-DD. A label alone says little. */
export function windowOf({
  frame,
  periodEnd,
  fiscalYear,
}: Pick<PeoTag, "frame" | "periodEnd" | "fiscalYear">): [string, string] {
  if (periodEnd !== null) return [periodEnd, periodEnd];
  if (fiscalYear !== null) return [`${fiscalYear}-01-01`, `${fiscalYear + 1}-12-31`];
  const year = Number(frame.slice(-4));
  return frame.startsWith("CY") ? [`${year}-07-01`, `${year + 1}-06-30`] : [`${year}-01-01`, `${year}-12-31`];
}

type ServedRow = Assembled["rows"][number];

/** The result of comparing a tagged total with the rows of that year. */
export type PeoTagCheck =
  | { kind: "agrees"; row: ServedRow }
  /** The same digits in thousands or millions on either side: an error in the tag, not in the row. */
  | { kind: "scaled"; row: ServedRow }
  | { kind: "differs"; row: ServedRow }
  /** No row of that year comes from its own filing. */
  | { kind: "absent" };

const SCALES = [1000, 1_000_000] as const;

/** Compares a company's rows with a tagged total. If several people were PEO in the year, any of them may match. */
export function checkPeoTag(record: CompanyRecord, { rows }: Assembled, tag: PeoTag): PeoTagCheck {
  const printed = printedYears(record);
  const [first, last] = windowOf(tag);
  const ofYear = rows.filter(
    ({ isPeo, fiscalYear, filing: { accession, periodEnd } }) =>
      isPeo &&
      // Only the newest year of a filing ends with the filing's period.
      printed.get(accession) === fiscalYear &&
      periodEnd !== null &&
      periodEnd >= first &&
      periodEnd <= last,
  );
  const [row] = ofYear;
  if (row === undefined) return { kind: "absent" };
  const having = (fits: (total: Cents) => boolean) =>
    ofYear.find(({ amounts }) => fits(amounts.total_compensation));
  const same = having((total) => isSameTotal(total, tag.cents));
  if (same !== undefined) return { kind: "agrees", row: same };
  const isScaled = (one: Cents, other: Cents) =>
    SCALES.some((scale) => Math.abs(one - other * scale) < 100 * scale);
  const scaled = having((total) => isScaled(total, tag.cents) || isScaled(tag.cents, total));
  return scaled === undefined ? { kind: "differs", row } : { kind: "scaled", row: scaled };
}

/** Whether two totals are equal but for rounding: tags are in whole units, and some filers' own sums are one off. */
export function isSameTotal(one: Cents, other: Cents): boolean {
  return Math.abs(one - other) <= 100;
}

/** Whether a tag is the total rounded: two filers tag 25,400,000 and 11,287,000 for what their tables print to the dollar. */
export function isRounded(tagged: Cents, total: Cents): boolean {
  return ROUND.some((unit) => tagged % unit === 0 && Math.abs(tagged - total) * 2 <= unit);
}
const ROUND = [1_000_00, 100_000_00] as const;

/** The problems of rows that differ from tagged totals; a total of a later proxy is compared in `ceo-pay.ts`. */
export function peoTagProblems(
  record: CompanyRecord,
  assembled: Assembled,
  tags: readonly PeoTag[],
): Problem[] {
  return tags.flatMap((tag) => {
    const check = checkPeoTag(record, assembled, tag);
    if (tag.provider === "proxy" || check.kind !== "differs") return [];
    const { observation, amounts } = check.row;
    const [here, there] = [writeCents(amounts.total_compensation), writeCents(tag.cents)];
    const message = `total_compensation ${here}; the filer's tag for the PEO of that year says ${there}`;
    const { accession, position } = observation;
    return [{ accession, position, step: "assemble", code: "peo_total_differs", message }];
  });
}
