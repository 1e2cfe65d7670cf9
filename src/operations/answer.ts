/**
 * From what an operation decided to the answer: entity tag, body, charge. A body is made of a dataset and a selection and
 * of nothing else, and the tag, under which it is also cached, is made of the whole of both: whatever changes a body
 * changes its tag.
 */
import type { MaybePromise } from "../domain/maybe-promise.ts";
import { BoundedCache } from "../domain/cache.ts";
import type { Dataset } from "../snapshot/dataset.ts";
import {
  type Admission,
  type Answer,
  EMPTY,
  type OperationDeps,
  type OperationRequest,
  etagMatches,
  freeReceipt,
  withCharge,
} from "./operation.ts";

/** Everything that a body is made of besides the dataset. */
export type CompanySelection = Readonly<Record<string, string | number | readonly number[]>>;

/** What is to be answered, decided once for a query and a dataset. */
export interface Plan<Selected extends CompanySelection> extends Pick<
  Answer,
  "incompleteYears" | "newerFiling"
> {
  dataset: Dataset;
  selection: Selected;
  etag: string;
  /** What the answer costs, and the company as the ledger names it; null where nobody is metered. */
  price: { costCredits: number; ticker: string | null } | null;
}

/** How an operation answers. */
export interface AnsweringOptions<Selected extends CompanySelection> {
  /** Its id: in the ledger, and in the tag. */
  operation: string;
  /** Bytes of bodies kept in memory. */
  cachedBytes: number;
  /** The JSON of the body. */
  render(dataset: Dataset, selection: Selected): Uint8Array<ArrayBuffer>;
}

/** The last step of an operation: what was planned, answered and charged. */
export function answering<Selected extends CompanySelection>(
  deps: Pick<OperationDeps, "charge">,
  { operation, cachedBytes, render }: AnsweringOptions<Selected>,
) {
  const bodies = new BoundedCache<string, Uint8Array<ArrayBuffer>>(cachedBytes, (body) => body.length);

  return {
    etagOf: (dataset: Dataset, selection: Selected): string => etagOf(operation, dataset, selection),

    answer(
      request: Pick<OperationRequest, "caller" | "ifNoneMatch" | "method">,
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
      const costCredits = request.method === "HEAD" ? 0 : price.costCredits;
      const reason = { costCredits, operation, ticker: price.ticker, requestId };
      return withCharge(answer, deps.charge(principal, reason));
    },
  };
}

/** A strong tag of the dataset and of every member of the selection; no two selections share one. */
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
