/** Answers a request by a plan: entity tag, body, charge. The tag is the body's cache key, too. */
import type { Principal } from "../accounts/principal.ts";
import { BoundedCache } from "../lib/cache.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  type Answer,
  etagMatches,
  freeReceipt,
  type OperationDeps,
  type OperationRequest,
  type Receipt,
  whenAdmitted,
} from "./operation.ts";
import { affordable } from "./admit.ts";

/** A body and its cost. */
export interface PricedBody {
  body: Uint8Array<ArrayBuffer>;
  costCredits: number;
  rowEvidence?: Answer["rowEvidence"];
}

/** How a request will be answered. */
export interface Plan extends Partial<
  Pick<Answer, "incompleteYears" | "yearsLeftOut" | "newerFiling" | "cursorAfter">
> {
  dataset: Dataset;
  /** Covers everything that the body depends on: whatever changes a body changes its tag. */
  etag: string;
  /** The company as the ledger names it; absent for answers across companies. */
  ticker?: string;
  /**
   * The most that the answer can cost, if the price depends on the answer: a caller who cannot pay it learns nothing.
   * Absent if the plan determines the price.
   */
  priceCredits?: number;
  answer(): Promise<PricedBody> | PricedBody;
}

/** Estimated bytes of a cache entry besides the body and its key. */
const ENTRY_BYTES = 256;
const EMPTY = new Uint8Array(0);
const NONE: readonly number[] = Object.freeze([]);

/**
 * Returns an operation: admits the caller, plans, answers, charges. Refuses with every kind of `docs/contract.md`, "Order
 * of refusals", in that order. Charges only once the answer exists, and answers only once the charge is on disk.
 *
 * @param endpoint its id, for the ledger, and its price
 * @param cachedBytes bytes of bodies cached
 * @param planOf validates the request and makes its plan
 */
export function operationHandler<Request extends Omit<OperationRequest, "parameters">>(
  deps: OperationDeps,
  { id: operation, price }: Pick<Endpoint, "id" | "price">,
  cachedBytes: number,
  planOf: (request: Request, principal: Principal) => Plan,
): (request: Request) => Promise<Answer> {
  const bodies = new BoundedCache<string, PricedBody>(
    cachedBytes,
    ({ body }, etag) => body.length + etag.length + ENTRY_BYTES,
  );
  const whenAffordable = affordable(deps);
  const make = async (plan: Plan): Promise<PricedBody> => {
    const made = await plan.answer();
    return bodies.getOrMake(plan.etag, () => made);
  };
  return (request) =>
    whenAdmitted(deps, request, async ({ principal, window }) => {
      const plan = planOf(request, principal);
      const { dataset, etag, ticker = null, priceCredits = 0 } = plan;
      const { requestId } = request.caller;
      const answered = (
        body: PricedBody["body"],
        rowEvidence: PricedBody["rowEvidence"],
        receipt: Receipt,
      ): Answer => ({
        notModified: body === EMPTY,
        body,
        rowEvidence: rowEvidence ?? null,
        etag,
        dataset: dataset.info,
        incompleteYears: plan.incompleteYears ?? NONE,
        yearsLeftOut: plan.yearsLeftOut ?? 0,
        newerFiling: plan.newerFiling ?? null,
        cursorAfter: plan.cursorAfter,
        principal,
        window,
        receipt,
      });
      if (etagMatches(request.ifNoneMatch, etag))
        return answered(EMPTY, null, await freeReceipt(deps, principal, requestId));
      return await whenAffordable(principal, priceCredits, requestId, async () => {
        const { costCredits, body, rowEvidence } = bodies.get(etag) ?? (await make(plan));
        const receipt = await deps.charge(principal, { costCredits, price, operation, ticker, requestId });
        return answered(body, rowEvidence, receipt);
      });
    });
}

/**
 * A strong tag of an answer.
 * @param identity everything that the body depends on besides the operation and the dataset
 */
export function etagOf(operation: string, { info }: Pick<Dataset, "info">, identity: string): string {
  return `"${info.contentHash.slice(0, 16)}-${operation}-${fingerprint(identity)}"`;
}

/**
 * A 22-character hash of a text, for entity tags and cache keys. Callers choose the texts, and a collision would show
 * one caller another's answer, so the hash is collision-resistant.
 */
export function fingerprint(text: string): string {
  return Bun.SHA256.hash(text, "base64url").slice(0, 22);
}
