/** Runs in the process that owns the store: answers the workers' requests. */
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import { type Admission, freeReceipt, type Receipt } from "../operations/operation.ts";
import type { Operations } from "../operations/operations.ts";
import { type Admitted, type DecisionRequest, type Outcome, sentError, type ToWorker } from "./messages.ts";

/** The operations that decide. */
export type Access = Pick<Operations, "admit" | "charge" | "checkLimits">;

/**
 * Answers the requests of one worker. Immediate decisions are returned in one message; charges, which become durable
 * together, in another.
 */
export function createDecisions(access: Access, send: (message: ToWorker) => void) {
  let outcomes: [number, Outcome][] = [];
  const flush = () => {
    if (outcomes.length > 0) send({ kind: "outcomes", outcomes });
    outcomes = [];
  };
  const later = (id: number, outcome: Outcome) => {
    outcomes.push([id, outcome]);
    if (outcomes.length === 1) setImmediate(flush);
  };
  return (requests: readonly DecisionRequest[]): void => {
    for (const request of requests) {
      const [id] = request;
      try {
        const decided = decide(access, request);
        if (decided instanceof Promise) {
          decided.then(
            (value) => later(id, value),
            (thrown: unknown) => later(id, sentError(thrown)),
          );
        } else outcomes.push([id, decided]);
      } catch (thrown) {
        outcomes.push([id, sentError(thrown)]);
      }
    }
    flush();
  };
}

function decide(access: Access, request: DecisionRequest): MaybePromise<Outcome> {
  switch (request[1]) {
    case "admit":
      return andThen(access.admit(request[2], request[3], request[4]), (admission) => {
        const value: Admitted = { admission, free: freeReceiptOf(access, admission, request[2].requestId) };
        return { value };
      });
    case "charge":
      return valueOf(access.charge(request[2], request[3]));
    case "checkLimits": {
      const sent = (refused: unknown) => ({ value: refused === undefined ? {} : sentError(refused) });
      const refused = access.checkLimits(request[2], request[3]);
      return refused instanceof Promise ? refused.then(sent) : sent(refused);
    }
  }
}

/** The receipt of a free answer, if it is in memory: it saves the worker a request. */
function freeReceiptOf(access: Access, { principal }: Admission, requestId: string): Receipt | null {
  if (principal.kind === "anonymous") return null;
  try {
    const receipt = freeReceipt(access, principal, requestId);
    return receipt instanceof Promise ? null : receipt;
  } catch {
    // The store is down; a request for the receipt will report that.
    return null;
  }
}

function valueOf(value: MaybePromise<unknown>): MaybePromise<Outcome> {
  return value instanceof Promise ? value.then((there) => ({ value: there })) : { value };
}
