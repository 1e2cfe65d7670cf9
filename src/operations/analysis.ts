/**
 * Shared parts of operations across companies: from request to charged answer, and resolving the
 * companies of a selection.
 */
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import type { Principal } from "../accounts/principal.ts";
import { BoundedCache } from "../domain/cache.ts";
import { type GivenParameters, unreadable } from "../domain/parameters.ts";
import type { Selection } from "../domain/selection.ts";
import { ServiceError } from "../errors.ts";
import type { Analyst } from "../analysis/analyst.ts";
import type { Coverage } from "../analysis/index.ts";
import { askedYears, type Gap, gapOf } from "../analysis/gaps.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { suggestions } from "./company.ts";
import { fingerprint } from "./answer.ts";
import { affordable } from "./price.ts";
import {
  type Answer,
  EMPTY,
  encode,
  etagMatches,
  freeReceipt,
  type OperationDeps,
  type OperationRequest,
  whenAdmitted,
  withCharge,
} from "./operation.ts";

export interface AnalysisDeps extends OperationDeps {
  analyst: Analyst;
}

/** A response body and its cost. */
export interface PricedBody {
  json: string | Uint8Array<ArrayBuffer>;
  costCredits: number;
}

/** A query that was validated against one dataset. */
export interface PreparedQuestion {
  /** Distinguishes its answer from those of other queries. */
  identity: string;
  /** The most that the answer can cost. A caller who cannot pay it learns nothing. */
  priceCredits: number;
  answer(): MaybePromise<PricedBody>;
}

/** Bytes of answers cached per operation. */
const CACHED_BYTES = 16 << 20;
/** Estimated bytes of a cache entry besides the answer and its key. */
const ENTRY_BYTES = 256;
const NONE: readonly number[] = Object.freeze([]);

/**
 * Returns an operation across companies: admit, validate, answer, charge. Refuses with every kind of
 * `docs/contract.md`, "Order of refusals". Answers are cached per query and dataset.
 *
 * @param prepare validates the parameters; refuses with `invalid_parameter`, `stale_cursor`, `unknown_company`
 */
export function analysisOperation(
  deps: OperationDeps,
  operation: string,
  prepare: (given: GivenParameters, dataset: Dataset, principal: Principal) => PreparedQuestion,
): (request: OperationRequest) => MaybePromise<Answer> {
  const bodies = new BoundedCache<string, { body: Uint8Array<ArrayBuffer>; costCredits: number }>(
    CACHED_BYTES,
    // Arbitrary queries often have a nearly empty answer, so the key counts too.
    ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  );
  const whenAffordable = affordable(deps);
  return (request) =>
    whenAdmitted(deps, request, ({ principal, window }) => {
      const dataset = deps.snapshots.current();
      const question = prepare(request.parameters, dataset, principal);
      const etag = `"${dataset.info.contentHash.slice(0, 16)}-${operation}-${fingerprint(question.identity)}"`;
      const { requestId } = request.caller;
      const common = {
        etag,
        dataset: dataset.info,
        principal,
        window,
        incompleteYears: NONE,
        newerFiling: null,
      };
      if (etagMatches(request.ifNoneMatch, etag)) {
        return withCharge(
          { ...common, notModified: true, body: EMPTY },
          freeReceipt(deps, principal, requestId),
        );
      }
      const charged = ({ body, costCredits }: { body: Uint8Array<ArrayBuffer>; costCredits: number }) => {
        const reason = { costCredits, operation, ticker: null, requestId };
        return withCharge({ ...common, notModified: false, body }, deps.charge(principal, reason));
      };
      const key = `${dataset.info.contentHash} ${question.identity}`;
      return whenAffordable(principal, question.priceCredits, requestId, () => {
        const known = bodies.get(key);
        if (known !== undefined) return charged(known);
        return andThen(question.answer(), ({ json, costCredits }) =>
          charged(
            bodies.getOrMake(key, () => ({
              body: typeof json === "string" ? encode(json) : json,
              costCredits,
            })),
          ),
        );
      });
    });
}

/** The companies of a selection, resolved. */
export interface NamedCompanies<Named> {
  /** The selection with the CIKs of all; `onlyNamed`: whether it is limited to them. */
  resolved: Omit<Named, "tickers"> & { ciks: readonly string[]; onlyNamed: boolean };
  /** Symbols and CIKs that match no company, normalized. */
  notFound: string[];
  /** The requested symbol by CIK. */
  askedAs: ReadonlyMap<string, string>;
}

/** Unknown names for which a company is suggested: each is a search. */
const MAX_SUGGESTED = 3;

/** Resolves the companies that a selection names. Refuses with `unknown_company` if it names some but none is known. */
export function nameCompanies<Named extends Pick<Selection, "tickers" | "ciks">>(
  dataset: Dataset,
  selection: Named,
): NamedCompanies<Named> {
  const { tickers, ...rest } = selection;
  const notFound: string[] = [];
  const ciks = new Set<string>();
  const askedAs = new Map<string, string>();
  for (const ticker of tickers) {
    const company = dataset.findBySymbol(ticker);
    if (company === undefined) notFound.push(ticker);
    else {
      ciks.add(company.cik);
      if (!askedAs.has(company.cik)) askedAs.set(company.cik, ticker);
    }
  }
  for (const cik of selection.ciks) {
    if (dataset.findByCik(cik) === undefined) notFound.push(cik);
    else ciks.add(cik);
  }
  const onlyNamed = tickers.length + selection.ciks.length > 0;
  if (onlyNamed && ciks.size === 0) {
    const hint = suggestions(dataset, notFound.slice(0, MAX_SUGGESTED));
    const shown = notFound.slice(0, 5).join(", ") + (notFound.length > 5 ? ", …" : "");
    throw new ServiceError("unknown_company", `No company matches ${shown}.${hint}`);
  }
  return { resolved: { ...rest, ciks: [...ciks].sort(), onlyNamed }, notFound, askedAs };
}

/** The counts included in every answer over a selection, and what is missing. */
export function countsOf(
  dataset: Dataset,
  { years, ciks }: Pick<Selection, "years" | "ciks">,
  { matched, fiscalYears, index, stale, named }: Coverage,
): Record<string, unknown> {
  const asked = askedYears(years);
  const gaps =
    named === null
      ? []
      : ciks.flatMap((cik) => {
          const held = dataset.fiscalYears(cik).map(({ fiscalYear }) => fiscalYear);
          return gapOf(dataset, cik, { asked, held, isMatched: named.has(cik) }) ?? [];
        });
  return {
    matched,
    fiscal_years: fiscalYears,
    stale_companies: stale,
    gaps,
    ...(index === null
      ? {}
      : { index_members: index.members, index_members_without_rows: index.withoutRows }),
  };
}

export type { Gap };

/** Years as a range, `2013 to 2026`, or as a list if there are gaps. @param years ascending */
export function yearsText(years: readonly number[]): string {
  const [first] = years;
  const last = years.at(-1);
  if (first === undefined || last === undefined) return "none";
  if (first === last) return String(first);
  return last - first + 1 === years.length ? `${first} to ${last}` : years.join(", ");
}

/** `MSFT: 2023 to 2025 loaded, 2019 to 2022 not loaded (newer filing 0001193125-26-000025)` */
export function gapText(
  { ticker, cik, reason, asked, held, newer_filing: newer }: Gap,
  isCeoPay = false,
): string {
  const from = asked?.from ?? held.at(-1) ?? 0;
  const last = asked?.to ?? held[0] ?? from;
  const years = Array.from({ length: Math.max(0, Math.min(last - from + 1, 100)) }, (_, at) => from + at);
  const text = {
    no_rows: isCeoPay ? "no total is known" : "none of its filings is loaded",
    not_loaded: `${yearsText(held.toReversed())} loaded, ${yearsText(years.filter((year) => !held.includes(year)))} not loaded`,
    no_match: isCeoPay ? "none of its totals matches" : "none of its rows matches",
    doubtful: "its total is doubtful",
  }[reason];
  return `${ticker || `CIK ${cik}`}: ${text}${newer === null ? "" : ` (newer filing ${newer.accession})`}`;
}

const FORM = /^([0-9a-f]{16})\.([0-9a-z]{1,13})\.(\d{1,9})$/;

/**
 * A cursor to the next page, bound to the dataset and the query.
 * @param identity distinguishes the query from others, without cursor and page size
 */
export function writeCursor(dataset: Dataset, identity: string, offset: number): string {
  return cursorOf(dataset.info.contentHash.slice(0, 16), identity, offset);
}

/**
 * A cursor into a previous answer, bound to that answer's dataset: after a swap it is stale, as intended.
 * @param etag of the answer
 */
export function cursorBehind({ etag }: Pick<Answer, "etag">, identity: string, offset: number): string {
  return cursorOf(etag.slice(1, 17), identity, offset);
}

/** The offset of a validated cursor; 0 without one. */
export function offsetOf(cursor: string | null): number {
  return cursor === null ? 0 : Number(Buffer.from(cursor, "base64url").toString("latin1").split(".")[2]);
}

function cursorOf(edition: string, identity: string, offset: number): string {
  return Buffer.from(`${edition}.${Bun.hash(identity).toString(36)}.${offset}`).toString("base64url");
}

/**
 * The offset of a cursor; 0 without one. Refuses with `invalid_parameter` if it is not a cursor of this query,
 * `stale_cursor` if it is from another dataset.
 */
export function readCursor(dataset: Dataset, identity: string, cursor: string | null): number {
  if (cursor === null) return 0;
  const [, edition, question, offset] = FORM.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (edition === undefined || question === undefined || offset === undefined) {
    throw unreadable("cursor", cursor, "the next_cursor of the previous page");
  }
  if (edition !== dataset.info.contentHash.slice(0, 16)) {
    throw new ServiceError(
      "stale_cursor",
      "The dataset has changed since this cursor was issued. Request the first page again.",
    );
  }
  if (question !== Bun.hash(identity).toString(36)) {
    throw new ServiceError(
      "invalid_parameter",
      "Cannot read cursor: it belongs to another selection or sort order. Send the same parameters as for the previous page.",
    );
  }
  return Number(offset);
}
