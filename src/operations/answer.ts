/**
 * Builds an answer from a plan: entity tag, body, charge. The body depends only on dataset and selection, and the tag,
 * also its cache key, covers both completely: whatever changes a body changes its tag.
 */
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { Dataset } from "../dataset/dataset.ts";
import {
  type Admission,
  type Answer,
  EMPTY,
  etagMatches,
  freeReceipt,
  type OperationDeps,
  type OperationRequest,
  withCharge,
} from "./operation.ts";

/** Everything a body depends on besides the dataset. */
export type CompanySelection = Readonly<Record<string, string | number | readonly number[]>>;

/** What to answer for a query on a dataset. */
export interface Plan<Selected extends CompanySelection> extends Pick<
  Answer,
  "incompleteYears" | "newerFiling"
> {
  dataset: Dataset;
  selection: Selected;
  etag: string;
  /** The cost, and the company as the ledger names it; null for unmetered operations. */
  price: { costCredits: number; ticker: string | null } | null;
}

/** The operation-specific part of answering. */
export interface AnsweringOptions<Selected extends CompanySelection> {
  /** The operation's id, for the ledger and the tag. */
  operation: string;
  /** Bytes of bodies cached. */
  cachedBytes: number;
  /** Renders the body as JSON. */
  render(dataset: Dataset, selection: Selected): Uint8Array<ArrayBuffer>;
}

/** Returns the last step of an operation: rendering, caching and charging. */
export function answering<Selected extends CompanySelection>(
  deps: Pick<OperationDeps, "charge">,
  { operation, cachedBytes, render }: AnsweringOptions<Selected>,
) {
  const bodies = new BoundedCache<string, Uint8Array<ArrayBuffer>>(cachedBytes, (body) => body.length);

  return {
    etagOf: (dataset: Dataset, selection: Selected): string => etagOf(operation, dataset, selection),

    answer(
      request: Pick<OperationRequest, "caller" | "ifNoneMatch">,
      { principal, window }: Admission,
      { dataset, selection, etag, price, incompleteYears, newerFiling }: Plan<Selected>,
    ): MaybePromise<Answer> {
      const { requestId } = request.caller;
      const notModified = etagMatches(request.ifNoneMatch, etag);
      const body = notModified ? EMPTY : bodies.getOrMake(etag, () => render(dataset, selection));
      const answer = {
        etag,
        dataset: dataset.info,
        principal,
        window,
        incompleteYears,
        newerFiling,
        notModified,
        body,
      };
      if (price === null) return withCharge(answer, null);
      if (notModified) return withCharge(answer, freeReceipt(deps, principal, requestId));
      return withCharge(answer, deps.charge(principal, { ...price, operation, requestId }));
    },
  };
}

/** A strong tag of the dataset and every member of the selection; unique per selection. */
export function etagOf(
  operation: string,
  { info }: Pick<Dataset, "info">,
  selection: CompanySelection,
): string {
  const members = Object.entries(selection).map(([, value]) =>
    typeof value === "string" ? encodeURIComponent(value).replaceAll("~", "%7E") : [value].flat().join("."),
  );
  return `"${[info.contentHash.slice(0, 16), operation, ...members].join("~")}"`;
}

/**
 * A 22-character hash of a text, for entity tags and cache keys. Callers choose the texts, and a collision would show
 * one caller another's answer, so the hash is collision-resistant.
 */
export function fingerprint(text: string): string {
  return Bun.SHA256.hash(text, "base64url").slice(0, 22);
}
