/** The table `ceo_pay` as numeric columns: what questions select, order and count by. Its texts are read for one page. */
import { elementAt, int32At, valueAt } from "../../lib/checked-access.ts";
import { Numbering } from "../arrays.ts";
import { isMemberOn } from "../company-facts.ts";
import type { Dataset } from "../dataset.ts";

/** The records in the order of the table: by CIK, then by the last day of the year. */
export interface CeoPayColumns {
  /** Of the table. */
  key: Float64Array;
  /** Index in `Columns.companies`. */
  company: Int32Array;
  fiscalYear: Int32Array;
  /** Several people may have been paid for one. */
  companyYear: Int32Array;
  /** In cents. */
  total: Float64Array;
  /** Index in `currencies`. */
  currency: Int32Array;
  currencies: readonly string[];
  /** `LATEST` and the others below, added. */
  traits: Uint8Array;
}

/** Of the company's latest year. */
export const LATEST = 1;
/** As tagged by the filer. */
export const TAGGED = 2;
export const DOUBTFUL = 4;
/** Its year ended too long before the edition to be compared with others. */
export const STALE = 8;
/** The company was a member of the S&P 500 on the last day of the year. */
export const MEMBER = 16;

/** Builds the columns; about 1 µs a record, by SQL by hand as those of rows. @param oldest the last day of the oldest year that is not stale */
export function buildCeoPay(
  dataset: Pick<Dataset, "all">,
  companies: readonly { cik: string; stays: Parameters<typeof isMemberOn>[0] }[],
  oldest: string,
): CeoPayColumns {
  const lines = dataset.all<{
    id: number;
    cik: number;
    fiscal_year: number;
    last_day: string;
    total: number;
    currency: string;
    traits: number;
  }>(
    `select id, cik, fiscal_year, last_day, total, currency,
      is_latest * ${LATEST} + (basis = 'tag') * ${TAGGED} + (doubts is not null) * ${DOUBTFUL} as traits
      from ceo_pay order by id`,
  );
  const places = new Map(companies.map(({ cik }, at) => [Number(cik), at]));
  const currencies = new Numbering();
  const company = Int32Array.from(lines, ({ cik }) => valueAt(places, cik));
  let years = -1;
  return {
    key: Float64Array.from(lines, ({ id }) => id),
    company,
    fiscalYear: Int32Array.from(lines, (line) => line.fiscal_year),
    companyYear: Int32Array.from(lines, ({ cik, last_day: day }, at) => {
      const before = lines[at - 1];
      return before?.cik === cik && before.last_day === day ? years : ++years;
    }),
    total: Float64Array.from(lines, ({ total }) => total),
    currency: Int32Array.from(lines, ({ currency }) => currencies.of(currency)),
    currencies: currencies.words,
    traits: Uint8Array.from(lines, ({ last_day: day, traits }, at) => {
      const stays = elementAt(companies, int32At(company, at)).stays;
      return traits + (day < oldest ? STALE : 0) + (isMemberOn(stays, day) ? MEMBER : 0);
    }),
  };
}
