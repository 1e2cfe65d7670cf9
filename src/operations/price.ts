import type { Credits } from "../accounts/credits.ts";
import { insufficientCredits } from "../accounts/books.ts";
import type { Principal } from "../accounts/principal.ts";
import { andThen, type MaybePromise, orElse } from "../domain/maybe-promise.ts";
import { freeReceipt, type OperationDeps, type Receipt } from "./operation.ts";

/** The receipt of callers that are not charged. */
export const UNMETERED: Receipt = Object.freeze({ charged: 0, remaining: null });

/**
 * Returns the charging function. The local operator and anonymous callers have no credits and pay nothing.
 *
 * @param options.unmetered whether charging is turned off for the whole server
 */
export function charging(credits: Credits, options: { unmetered: boolean }): OperationDeps["charge"] {
  return (principal, { costCredits, operation, ticker, requestId }) => {
    if (options.unmetered || principal.kind === "operator" || principal.kind === "anonymous") {
      return UNMETERED;
    }
    return credits.charge({ userId: principal.userId, costCredits, operation, ticker, requestId });
  };
}

/**
 * Returns a function that evaluates a question only for a caller who can pay its full price: whether the answer would
 * have been free is part of what is sold. Credits stay reserved while a question is evaluated, and a caller whose last
 * credits are reserved waits, so that questions asked at once reveal no more than the balance pays for.
 */
export function affordable(deps: Pick<OperationDeps, "charge">) {
  const reserved = new Map<string, { credits: number; waiting: (() => void)[] }>();
  const reserve = (userId: string, credits: number): (() => void) => {
    const held = reserved.get(userId) ?? { credits: 0, waiting: [] };
    held.credits += credits;
    reserved.set(userId, held);
    return () => {
      held.credits -= credits;
      if (held.credits === 0) reserved.delete(userId);
      for (const retry of held.waiting.splice(0)) retry();
    };
  };

  /** Runs `work`, or refuses with `payment_required`. */
  return function whenAffordable<T>(
    principal: Principal,
    price: number,
    requestId: string,
    work: () => MaybePromise<T>,
  ): MaybePromise<T> {
    if (price === 0 || (principal.kind !== "key" && principal.kind !== "token")) return work();
    const { userId } = principal;
    return andThen(freeReceipt(deps, principal, requestId), ({ remaining }) => {
      if (remaining === null) return work();
      const held = reserved.get(userId);
      if (remaining - (held?.credits ?? 0) >= price) return finallyDo(work, reserve(userId, price));
      if (held === undefined) throw insufficientCredits(remaining, price);
      return new Promise<void>((resolve) => held.waiting.push(resolve)).then(() =>
        whenAffordable(principal, price, requestId, work),
      );
    });
  };
}

/** Runs `done` once `work` has ended, however it ended. */
function finallyDo<T>(work: () => MaybePromise<T>, done: () => void): MaybePromise<T> {
  const ended = orElse(work, (error) => {
    done();
    throw error;
  });
  return andThen(ended, (value) => {
    done();
    return value;
  });
}
