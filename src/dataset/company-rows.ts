/**
 * Reads companies' rows from a snapshot. The rows of a company are one text under its primary ticker (`companyRows` of
 * `schema.ts`), and answers are slices of it.
 */
import { BoundedCache } from "../lib/cache.ts";
import type { AvailableYear, Company, CoveredYear } from "../domain/company.ts";
import { rowHead } from "../domain/row-fields.ts";
import type { Dataset } from "./dataset.ts";
import { YEAR_COLLECTED, YEAR_COMPLETE } from "./row-json.ts";
import type { companyRows as stored, RecordOf } from "./schema.ts";

/** Maximum characters of cached row JSON; a company-year takes about 2 kB. Without, a page of 200 ranked rows takes a third longer. */
const CACHED_CHARACTERS = 16 << 20;

type All = Dataset["all"];

/** The row readers of a dataset. */
interface CompanyRows extends Pick<Dataset, "fiscalYears" | "years" | "yearsOnce" | "rowsJson" | "rowsBody"> {
  /** Keeps what was read of a company: its rows are usually read next. */
  take(line: RecordLine): Company;
}

const BEFORE_ROWS = '{"executive_compensation":[';
const BEHIND_ROWS = "]}";

/** What is read of `company_rows`, in one look-up: more statements cost more than the rest of a cold answer. */
export const RECORD = `select '[' || facts || ',' || years || ']' as about,
  cast('${BEFORE_ROWS}' || json || '${BEHIND_ROWS}' as blob) as body from company_rows c`;

/** A record as `RECORD` reads it. */
export interface RecordLine {
  /** `[company, years]` */
  about: string;
  /** The body of an answer with every row: to be sent as it is. */
  body: Uint8Array<ArrayBuffer>;
}

/** A subquery for the table `rows` with one more column: `tail` is the text of a row without its ticker. */
export const ROWS_WITH_TAIL =
  "(select *, (select cast(substr(json, rows.start + 1, rows.length) as text) from main.company_rows own " +
  "where own.cik = rows.cik) as tail from main.rows)";

interface YearSlice extends CoveredYear {
  /** Offset of the first byte, and of the one after the last. */
  begin: number;
  end: number;
}

/** The row readers of a snapshot. */
export function companyRows(all: All): CompanyRows {
  // Facts, years and rows of a company are usually read in turn. Keeping those of more companies saved nothing measurable.
  let last: HeldCompany | undefined;
  const recordOf = (cik: string) => {
    if (last?.company.cik !== cik) {
      const [line] = all<RecordLine>(`${RECORD} where c.cik = ?`, Number(cik));
      if (line === undefined) return undefined;
      last = parsed(line);
    }
    return last;
  };
  // The separator is unambiguous: quotation marks in values are escaped, and no other object has a ticker.
  const tailsOf = (json: Uint8Array, head: string) =>
    json.length === 0 ? [] : decode(json).slice(head.length).split(`,${head}`);
  const yearsOnce = (cik: string): AvailableYear[] => {
    const record = recordOf(cik);
    if (record === undefined) return [];
    const head = rowHead(record.company.ticker);
    return record.years.map(({ begin, end, ...year }) => {
      return { ...year, rowJson: tailsOf(record.body.subarray(begin, end), head) };
    });
  };
  const rowsJson = (cik: string, ticker: string, requested: readonly number[]) => {
    const record = recordOf(cik);
    if (record === undefined) return [];
    const pieces = joinAdjacent(record.years.filter(({ fiscalYear }) => requested.includes(fiscalYear))).map(
      ({ begin, end }) => record.body.subarray(begin, end),
    );
    const stored = record.company.ticker;
    if (stored === ticker) return pieces;
    const head = rowHead(ticker);
    return pieces.map((piece) => encoder.encode(decode(piece).replaceAll(rowHead(stored), () => head)));
  };
  const cached = new BoundedCache<string, readonly AvailableYear[]>(CACHED_CHARACTERS, (held) =>
    held.reduce((sum, { rowJson }) => sum + rowJson.reduce((size, tail) => size + tail.length, 64), 64),
  );
  return {
    take: (line) => (last = parsed(line)).company,
    fiscalYears: (cik) => recordOf(cik)?.years ?? [],
    years: (cik) => cached.getOrMake(cik, () => yearsOnce(cik)),
    yearsOnce,
    rowsJson,
    rowsBody(cik, ticker, requested) {
      const record = recordOf(cik);
      const isWhole = record?.years.every(({ fiscalYear }) => requested.includes(fiscalYear)) === true;
      if (isWhole && record.company.ticker === ticker) return record.body;
      const pieces = [BEFORE, ...rowsJson(cik, ticker, requested), BEHIND];
      return Bun.concatArrayBuffers(pieces, Infinity, true);
    },
  };
}

const encoder = new TextEncoder();
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const BEFORE = encoder.encode(BEFORE_ROWS);
const BEHIND = encoder.encode(BEHIND_ROWS);

/** A company, its years and its rows. */
interface HeldCompany {
  company: Company;
  years: YearSlice[];
  body: RecordLine["body"];
}

function parsed({ about, body }: RecordLine): HeldCompany {
  // Written by our own writer.
  const [company, years] = JSON.parse(about) as [Company, RecordOf<typeof stored>["years"]];
  let begin = BEFORE.length;
  const slices = years.map(([fiscalYear, bits, length]) => {
    const end = BEFORE.length + length;
    const [complete, collected] = [(bits & YEAR_COMPLETE) !== 0, (bits & YEAR_COLLECTED) !== 0];
    const slice: YearSlice = { fiscalYear, complete, ...(collected && { collected }), begin, end };
    // Skips the comma.
    begin = end + 1;
    return slice;
  });
  return { company, years: slices, body };
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
