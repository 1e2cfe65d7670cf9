/** Runs in a worker: admission and charging, decided by the process that owns the store. */
import type { Principal } from "../accounts/principal.ts";
import type { OnDemand, Receipt } from "../operations/operation.ts";
import { UNMETERED } from "../operations/price.ts";
import type { Operations } from "../operations/operations.ts";
import {
  type Admitted,
  type DecisionRequest,
  type FromWorker,
  type Outcome,
  receivedError,
  receivedRefusal,
  type ToWorker,
} from "./messages.ts";

/** The owner's operations, as available in a worker. */
export interface OwnerAccess extends Pick<Operations, "admit" | "charge" | "checkLimits"> {
  onDemand: OnDemand;
  /** Handles a message from the owner. */
  receive(message: ToWorker): void;
}

/** Number of companies whose fetch status is cached. */
const MAX_FETCHING = 5000;
/** The refusal for the first request for a company in this worker. */
const FIRST_ASKED = {
  retryAfterSeconds: 2,
  message: "Its newest filing is being looked up. Try again in 2 seconds.",
};

/** Creates the worker's side; all requests of one turn of the event loop share a message. */
export function createOwnerAccess(send: (message: FromWorker) => void): OwnerAccess {
  const waiting = new Map<number, (outcome: Outcome) => void>();
  const fetching = new Map<string, ReturnType<OnDemand["request"]>>();
  let requests: DecisionRequest[] = [];
  const freeReceipts = new WeakMap<Principal, Receipt>();
  let made = 0;
  const flush = () => {
    send({ kind: "decide", requests });
    requests = [];
  };
  const ask = <T>(request: (id: number) => DecisionRequest): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const id = ++made;
    waiting.set(id, (outcome) => {
      if ("refused" in outcome || "failed" in outcome) reject(receivedError(outcome));
      // The owner answers with the result of its function of the same name.
      else resolve(outcome.value as T);
    });
    requests.push(request(id));
    if (requests.length === 1) setImmediate(flush);
    return promise;
  };
  return {
    async admit(caller, need, counted = "calls") {
      const { admission, free } = await ask<Admitted>((id) => [id, "admit", caller, need, counted]);
      if (free !== null) freeReceipts.set(admission.principal, free);
      return admission;
    },
    checkLimits: async (caller, need) => {
      const refused = await ask<Outcome>((id) => [id, "checkLimits", caller, need]);
      // The owner answers this with a refusal or nothing.
      return "refused" in refused ? receivedRefusal(refused.refused) : undefined;
    },
    charge(principal, reason) {
      if (principal.kind === "anonymous") return UNMETERED;
      const free = reason.costCredits === 0 ? freeReceipts.get(principal) : undefined;
      return free ?? ask<Receipt>((id) => [id, "charge", principal, reason]);
    },
    onDemand: {
      request({ cik }, mayStart) {
        send({ kind: "wanted", cik, mayStart });
        return fetching.get(cik) ?? (mayStart && !fetching.has(cik) ? FIRST_ASKED : null);
      },
    },
    receive(message) {
      if (message.kind === "fetching") {
        if (fetching.size >= MAX_FETCHING) fetching.clear();
        fetching.set(message.cik, message.refusal);
      }
      if (message.kind !== "outcomes") return;
      for (const [id, outcome] of message.outcomes) {
        waiting.get(id)?.(outcome);
        waiting.delete(id);
      }
    },
  };
}
