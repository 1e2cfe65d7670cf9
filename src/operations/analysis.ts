/**
 * Shared parts of operations across companies: from request to charged answer, and resolving the
 * companies of a selection.
 */
import type { Principal } from "../accounts/principal.ts";
import { type GivenParameters, unreadable } from "../domain/parameters.ts";
import { type Company, COMPANY, NEWER_FILING, normalizeSymbol, symbolOf } from "../domain/company.ts";
import type { Selection } from "../domain/selection.ts";
import { named, orNull } from "../lib/definition.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Coverage } from "../analysis/index.ts";
import { askedYears, type Gap, gapOf } from "../analysis/company-years.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { currentId } from "../dataset/people.ts";
import { ownerOfSymbol } from "../dataset/search.ts";
import { companyMeant, UNDERSTOOD, type Understood, whatNext } from "./company.ts";
import { wholeNames } from "./typed-names.ts";
import type { Endpoint } from "./endpoint.ts";
import { operationHandler, etagOf, type Plan, type PricedBody } from "./answer.ts";
import type { Answer, OperationDeps, OperationRequest, Prices } from "./operation.ts";

export interface AnalysisDeps extends OperationDeps {
  analyst: Analyst;
}

/** A query that was validated against one dataset. */
export interface PreparedQuestion extends Pick<Plan, "priceCredits" | "answer" | "cursorAfter"> {
  /** Distinguishes its answer from those of other queries. */
  identity: string;
}

/** The same with how much matches, of which the answer may be one page: the count alone is sold, too. */
export interface CountedQuestion extends Pick<PreparedQuestion, "identity" | "cursorAfter"> {
  answer(): Promise<Pick<PricedBody, "body" | "rowEvidence"> & { matched: number }>;
}

/** Bytes of answers cached per operation. */
const CACHED_BYTES = 16 << 20;

/**
 * Returns an operation across companies. Answers are cached per query and dataset.
 *
 * @param prepare validates the parameters; refuses with `invalid_parameter`, `stale_cursor`, `unknown_company`
 */
export function analysisOperation(
  deps: OperationDeps,
  endpoint: Pick<Endpoint, "id" | "price">,
  prepare: (given: GivenParameters, dataset: Dataset, principal: Principal) => PreparedQuestion,
): (request: OperationRequest) => Promise<Answer> {
  return operationHandler(deps, endpoint, CACHED_BYTES, ({ parameters }: OperationRequest, principal) => {
    const dataset = deps.snapshots.current();
    const { identity, ...plan } = prepare(parameters, dataset, principal);
    return { ...plan, dataset, etag: etagOf(endpoint.id, dataset, identity) };
  });
}

/** The same; charges the price of its endpoint, and nothing where nothing matches. */
export function pricedOperation(
  deps: AnalysisDeps,
  endpoint: { readonly id: string; readonly price: keyof Prices },
  prepare: (deps: AnalysisDeps, dataset: Dataset, given: GivenParameters) => CountedQuestion,
) {
  const priceCredits = deps.prices[endpoint.price];
  return analysisOperation(deps, endpoint, (given, dataset) => {
    const { answer, ...question } = prepare(deps, dataset, given);
    return {
      ...question,
      priceCredits,
      async answer() {
        const { matched, ...made } = await answer();
        return { ...made, costCredits: matched === 0 ? 0 : priceCredits };
      },
    };
  });
}

/** Unknown names for which a company is suggested: each is a search. */
const MAX_SUGGESTED = 3;

/** Names that are looked up in a request: each is a search. */
const MAX_LOOKED_UP = 10;

/**
 * The companies of a list of symbols and names. A name may have a comma, as `Amazon.com, Inc.` has.
 * @param entries as they were given
 */
export function companiesOf(dataset: Dataset, entries: readonly string[]) {
  const found: { company: Company; symbol: string }[] = [];
  const [understood, notFound]: [Understood[], string[]] = [[], []];
  let lookedUp = 0;
  for (const entry of wholeNames(dataset, entries)) {
    const symbol = normalizeSymbol(entry);
    const own = dataset.findBySymbol(symbol);
    const isPlain = own?.hasRows === true || (own && ownerOfSymbol(dataset, symbol)?.isFormer === false);
    const isName = !isPlain && lookedUp++ < MAX_LOOKED_UP;
    const meant = isName ? companyMeant(dataset, entry) : undefined;
    const company = isName ? meant?.company : own;
    if (company === undefined) notFound.push(symbol);
    else {
      const { understood: as = null } = meant ?? {};
      found.push({ company, symbol: as === null ? symbol : as.ticker });
      if (as !== null) understood.push(as);
    }
  }
  return { found, understood, notFound: [...new Set(notFound)] };
}

/** Resolves the companies that a selection names. Refuses with `unknown_company` if it names some but none is known. */
export function nameCompanies<
  Named extends Pick<Selection, "tickers" | "ciks"> & { executiveId?: string | null },
>(dataset: Dataset, selection: Named) {
  const { tickers, ...rest } = selection;
  const { found, understood, notFound } = companiesOf(dataset, tickers);
  const askedAs = new Map<string, string>();
  for (const { company, symbol } of found) askedAs.getOrInsert(company.cik, symbol);
  const ciks = new Set(askedAs.keys());
  for (const cik of selection.ciks) {
    if (dataset.findByCik(cik) === undefined) notFound.push(cik);
    else ciks.add(cik);
  }
  const onlyNamed = tickers.length + selection.ciks.length > 0;
  if (onlyNamed && ciks.size === 0) {
    const hint = whatNext(dataset, notFound.slice(0, MAX_SUGGESTED));
    const shown = notFound.slice(0, 5).join(", ") + (notFound.length > 5 ? ", …" : "");
    throw new ServiceError("unknown_company", `No company matches ${shown}.${hint}`);
  }
  return {
    /** The selection with the CIKs of all; `onlyNamed`: whether it is limited to them. */
    resolved: {
      ...rest,
      ciks: [...ciks].sort(),
      onlyNamed,
      ...(typeof rest.executiveId === "string" && {
        executiveId: currentId(dataset, rest.executiveId, null),
      }),
    },
    /** Symbols and CIKs that match no company, normalized. */
    notFound,
    /** The requested symbol by CIK. */
    askedAs,
    /** The answer's `understood`: which company each name was resolved to. Empty if no names were given. */
    told: understood.length === 0 ? {} : { understood },
  };
}

/** A count. */
export const COUNT = "number.integer >= 0";

/** A requested company, person or year that the answer lacks, and why. */
export const GAP = named("Gap", {
  ...COMPANY,
  "executive_id?": ["string", "@", "the person who was asked for; absent if a company was"],
  "executive_name?": "string",
  asked: [
    orNull({ from: orNull("number.integer"), to: orNull("number.integer") }),
    "@",
    "fiscal years asked for; null for the latest",
  ],
  held: [["number.integer", "[]"], "@", "fiscal years that are known"],
  reason: ["===", "not_loaded", "no_rows", "no_match", "doubtful"],
  newer_filing: NEWER_FILING,
});

/** Members of every answer across companies. */
export const COVERAGE = {
  fiscal_years: [{ "[string]": COUNT }, "@", "company-years that matched, by fiscal year"],
  "index_members?": [COUNT, "@", "members of the requested index; absent without one"],
  not_found: [["string", "[]"], "@", "unknown symbols, CIKs and names of people"],
  "understood?": [
    [UNDERSTOOD, "[]"],
    "@",
    "the company that each name was resolved to; absent if no names were given",
  ],
  "next_step?": ["string", "@", "what to ask instead, if nothing matched"],
} as const;

/** Counts of the rows that matched. */
export const MATCHED_ROWS = {
  rows: COUNT,
  companies: COUNT,
  company_years: COUNT,
  incomplete_company_years: COUNT,
} as const;

/** Members of every answer across companies that is made of rows. */
export const ROW_COVERAGE = {
  matched: MATCHED_ROWS,
  ...COVERAGE,
  stale_companies: [
    COUNT,
    "@",
    "companies left out without a year filter: their latest year ended more than three years ago",
  ],
  "index_members_without_rows?": [COUNT, "@", "members of the index without rows"],
  gaps: [[GAP, "[]"], "@", "named companies, people and years that are missing, and why"],
} as const;

/** The counts included in every answer over a selection, and what is missing. */
export function countsOf(
  dataset: Dataset,
  { years, ciks }: Pick<Selection, "years" | "ciks">,
  { matched, fiscalYears, index, stale, named, withoutCfo }: Coverage,
) {
  const span = askedYears(years);
  const gaps =
    named === null
      ? []
      : ciks.flatMap((cik) => {
          const held = dataset.fiscalYears(cik).map(({ fiscalYear }) => fiscalYear);
          return gapOf(dataset, cik, { span, held, isMatched: named.has(cik) }) ?? [];
        });
  return {
    matched,
    fiscal_years: fiscalYears,
    stale_companies: stale,
    gaps,
    ...(index === null
      ? {}
      : { index_members: index.members, index_members_without_rows: index.withoutRows }),
    ...(withoutCfo === undefined ? {} : { companies_without_cfo: withoutCfo }),
  };
}

/** Years as a range, `2013 to 2026`, or as a list if there are gaps. @param years ascending */
export function yearsText(years: readonly number[]): string {
  const [first] = years;
  const last = years.at(-1);
  if (first === undefined || last === undefined) return "none";
  if (first === last) return String(first);
  return last - first + 1 === years.length ? `${first} to ${last}` : years.join(", ");
}

/** `MSFT: 2023 to 2025 known, 2019 to 2022 not in this dataset (newer filing 0001193125-26-000025)` */
export function gapText(gap: Gap, isCeoPay = false): string {
  const { reason, asked: span, held, newer_filing: newer, executive_name: person } = gap;
  const from = span?.from ?? Math.min(held.at(-1) ?? 0, span?.to ?? Infinity);
  const last = span?.to ?? Math.max(held[0] ?? from, from);
  const years = Array.from({ length: Math.max(0, Math.min(last - from + 1, 100)) }, (_, at) => from + at);
  if (person !== undefined) {
    const missing =
      reason === "not_loaded" ? `; ${symbolOf(gap)} ${yearsText(years)} is not in this dataset` : "";
    return `${person} has rows for ${yearsText(held.toReversed())} at ${symbolOf(gap)}${missing}`;
  }
  const text = {
    no_rows: isCeoPay ? "no total is known" : "none of its filings has been read",
    not_loaded: `${yearsText(held.toReversed())} known, ${yearsText(years.filter((year) => !held.includes(year)))} not in this dataset`,
    no_match: isCeoPay ? "none of its totals matches" : "none of its rows matches",
    doubtful: "its total is doubtful",
  }[reason];
  return `${symbolOf(gap)}: ${text}${newer === null ? "" : ` (newer filing ${newer.accession})`}`;
}

const CURSOR = /^([0-9a-f]{16})\.([0-9a-z]{1,13})\.(\d{1,9})$/;

/**
 * A cursor into an answer, bound to its dataset: after a swap it is stale, as intended.
 * @param identity distinguishes the query from others, without cursor and page size
 */
export function cursorTo(
  { contentHash }: Pick<Dataset["info"], "contentHash">,
  identity: string,
  offset: number,
): string {
  const text = `${contentHash.slice(0, 16)}.${Bun.hash(identity).toString(36)}.${offset}`;
  return Buffer.from(text).toString("base64url");
}

/** Where a page begins, and the cursors behind it. Refuses as `readCursor` does. */
export function readPage(dataset: Dataset, identity: string, cursor: string | undefined) {
  const offset = readCursor(dataset, identity, cursor);
  const cursorAfter = (sent: number) => cursorTo(dataset.info, identity, offset + sent);
  return {
    offset,
    cursorAfter,
    /** The cursor behind the page; null after the last. @param total number of all items */
    next: (count: number, total: number) =>
      count === 0 || offset + count >= total ? null : cursorAfter(count),
  };
}

/**
 * The offset of a cursor; 0 without one. Refuses with `invalid_parameter` if it is not a cursor of this query,
 * `stale_cursor` if it is from another dataset.
 */
export function readCursor(dataset: Dataset, identity: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, edition, question, offset] =
    CURSOR.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (edition === undefined || question === undefined || offset === undefined)
    throw unreadable("cursor", cursor, "the next_cursor of the previous page");
  if (edition !== dataset.info.contentHash.slice(0, 16))
    throw new ServiceError(
      "stale_cursor",
      "The dataset has changed since this cursor was issued. Request the first page again.",
    );
  if (question !== Bun.hash(identity).toString(36))
    throw invalid(
      "Cannot read cursor: it belongs to another selection or sort order. Send the same parameters as for the previous page.",
    );
  return Number(offset);
}
