/**
 * Reads companies' rows from a snapshot. The rows of a company are one text under its primary ticker (`companyRows` of
 * `schema.ts`), and answers are slices of it.
 */
import { BoundedCache } from "../domain/cache.ts";
import type { AvailableYear, FiscalYear } from "../domain/company.ts";
import { rowHead } from "../domain/row-fields.ts";
import type { Dataset } from "./dataset.ts";

/** Maximum characters of cached row JSON; a company-year takes about 2 kB. */
const CACHED_CHARACTERS = 16 << 20;

type All = Dataset["all"];

/** The row readers of a dataset. */
interface CompanyRows extends Pick<Dataset, "fiscalYears" | "years" | "yearsOnce" | "rowsJson"> {
  /** Takes the record of a company that was read with other facts about it: its rows are usually read next. */
  take(cik: string, record: RowsRecord): void;
}

/** A record of `company_rows`. */
export interface RowsRecord {
  years: string;
  json: Uint8Array;
}

/** A subquery for the table `rows` with one more column: `tail` is the text of a row without its ticker. */
export const ROWS_WITH_TAIL =
  "(select *, (select cast(substr(json, rows.start + 1, rows.length) as text) from main.company_rows own " +
  "where own.cik = rows.cik) as tail from main.rows)";

interface YearSlice extends FiscalYear {
  /** Offset of the first byte, and of the one after the last. */
  begin: number;
  end: number;
}

/** The row readers of a snapshot. @param tickerOf the primary ticker of a CIK */
export function companyRows(all: All, tickerOf: (cik: string) => string): CompanyRows {
  // Facts, years and rows of a company are usually read in turn. Keeping those of more companies saved nothing measurable.
  let last = parsed("", NO_ROWS);
  const recordOf = (cik: string) => {
    if (last.cik === cik) return last;
    const [line] = all<RowsRecord>("select years, json from company_rows where cik = ?", Number(cik));
    return (last = parsed(cik, line ?? NO_ROWS));
  };
  const fiscalYears = (cik: string) => recordOf(cik).years;
  // The separator is unambiguous: quotation marks in values are escaped, and no other object has a ticker.
  const tailsOf = (json: Uint8Array, head: string) =>
    json.length === 0 ? [] : decode(json).slice(head.length).split(`,${head}`);
  const yearsOnce = (cik: string): AvailableYear[] => {
    const head = rowHead(tickerOf(cik));
    const { json } = recordOf(cik);
    return fiscalYears(cik).map(({ fiscalYear, complete, begin, end }) => {
      return { fiscalYear, complete, rowJson: tailsOf(json.subarray(begin, end), head) };
    });
  };
  const cached = new BoundedCache<string, readonly AvailableYear[]>(CACHED_CHARACTERS, (held) =>
    held.reduce((sum, { rowJson }) => sum + rowJson.reduce((size, tail) => size + tail.length, 64), 64),
  );
  return {
    take: (cik, record) => void (last = parsed(cik, record)),
    fiscalYears,
    years: (cik) => cached.getOrMake(cik, () => yearsOnce(cik)),
    yearsOnce,
    rowsJson(cik, ticker, requested) {
      const held = fiscalYears(cik);
      const { json } = recordOf(cik);
      const pieces = joinAdjacent(held.filter(({ fiscalYear }) => requested.includes(fiscalYear))).map(
        ({ begin, end }) => json.subarray(begin, end),
      );
      const stored = tickerOf(cik);
      if (stored === ticker) return pieces;
      const head = rowHead(ticker);
      return pieces.map((piece) => encoder.encode(decode(piece).replaceAll(rowHead(stored), () => head)));
    },
  };
}

const encoder = new TextEncoder();
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const NO_ROWS: RowsRecord = { years: "[]", json: new Uint8Array(0) };

function parsed(cik: string, { years, json }: RowsRecord) {
  return { cik, json, years: yearSlices(years) };
}

/** Parses the year offsets. @param text from `companyJson` of `row-json.ts` */
function yearSlices(text: string): YearSlice[] {
  let begin = 0;
  // Written by our own writer.
  return (JSON.parse(text) as [number, number, number][]).map(([fiscalYear, complete, end]) => {
    const slice = { fiscalYear, complete: complete === 1, begin, end };
    // Skips the comma.
    begin = end + 1;
    return slice;
  });
}

/** Joins adjacent years into one slice; every slice but the first starts with the comma before it. */
function joinAdjacent(years: readonly YearSlice[]): { begin: number; end: number }[] {
  const found: { begin: number; end: number }[] = [];
  for (const { begin, end } of years) {
    const before = found.at(-1);
    if (before === undefined) found.push({ begin, end });
    else if (before.end + 1 === begin) before.end = end;
    else found.push({ begin: begin - 1, end });
  }
  return found;
}
