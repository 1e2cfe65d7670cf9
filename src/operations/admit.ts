import type { CredentialFinder, Principal } from "../accounts/principal.ts";
import { READ_SCOPE } from "../accounts/credentials.ts";
import { ServiceError } from "../errors.ts";
import type { RateLimiter, WindowKind } from "../accounts/rate-limits/limits.ts";
import {
  type Admit,
  type Caller,
  type CheckLimits,
  freeReceipt,
  type OperationDeps,
  type Receipt,
} from "./operation.ts";
import type { Credits } from "../accounts/credits.ts";
import { needsLiveKey } from "./test-keys.ts";
import { insufficientCredits } from "../accounts/charges.ts";

interface AccessDeps<Limits extends keyof RateLimiter> {
  credentials: CredentialFinder;
  rateLimits: Pick<RateLimiter, Limits>;
}

/**
 * Steps 1 to 3 of `docs/contract.md`, "Order of refusals". Requests refused for a missing or invalid credential count
 * in the address's anonymous window, which slows down guessing. While the store is down, well-formed credentials are
 * refused with `unavailable` and not counted.
 */
export function admission({ credentials, rateLimits }: AccessDeps<"acquire">): Admit {
  return async (caller, need, counted = "calls") => {
    let principal: Principal;
    try {
      principal = await identify(credentials, caller, need);
    } catch (refused) {
      if (isOfCredential(refused))
        refused.details.window = await rateLimits.acquire("anon", caller.address, "calls");
      throw refused;
    }
    const holder = windowHolder(principal);
    const window = holder === null ? null : await rateLimits.acquire(...holder, counted);
    noteCaller(caller, principal);
    return { principal, window };
  };
}

/** Notes an admitted caller in the request's context, for its log line. */
function noteCaller({ context }: Caller, principal: Principal): void {
  if (context === undefined) return;
  if (principal.kind === "key") context.caller = { kind: "key", id: principal.keyId };
  else if (principal.kind === "token") context.caller = { kind: "user", id: principal.userId };
}

/** Checks a caller's limits before the request body is read. */
export function limitCheck({ credentials, rateLimits }: AccessDeps<"refusalOf">): CheckLimits {
  return async (caller, need) => {
    let principal: Principal;
    try {
      principal = await identify(credentials, caller, need);
    } catch (refused) {
      if (!isOfCredential(refused)) throw refused;
      // They always count in the window of calls.
      const full = rateLimits.refusalOf("anon", caller.address, "calls");
      if (full !== undefined) throw full;
      return undefined;
    }
    const holder = windowHolder(principal);
    if (holder === null) return undefined;
    const full = rateLimits.refusalOf(...holder, "calls");
    if (full !== undefined && rateLimits.refusalOf(...holder, "handshakes") !== undefined) throw full;
    return full;
  };
}

/** Whether a request was refused for its credential: missing, wrong or one too many. */
function isOfCredential(refused: unknown): refused is ServiceError {
  return (
    refused instanceof ServiceError &&
    ["two_credentials", "unauthenticated", "insufficient_scope"].includes(refused.kind)
  );
}

/** Who calls. Refuses the credential that was presented or is missing. */
async function identify(
  { keys, tokens }: CredentialFinder,
  { presented, address }: Caller,
  need: "credential" | "any",
): Promise<Principal> {
  if (presented.kind === "both") throw new ServiceError("two_credentials", TWO_CREDENTIALS);
  if (presented.kind === "none") {
    if (need === "any") return { kind: "anonymous", address };
    throw new ServiceError("unauthenticated", NO_CREDENTIAL, { presented: "none" });
  }
  const finder = presented.kind === "key" ? keys : tokens;
  const principal: Principal | undefined = await finder.find(presented.secret, address);
  if (principal === undefined) {
    const message = presented.kind === "key" ? BAD_KEY : BAD_TOKEN;
    throw new ServiceError("unauthenticated", message, { presented: presented.kind });
  }
  if (principal.kind === "token" && !principal.scope.split(" ").includes(READ_SCOPE))
    throw new ServiceError("insufficient_scope", NARROW_TOKEN, { presented: "token" });
  return principal;
}

const TWO_CREDENTIALS = "Send either Authorization: Bearer or X-API-KEY, not both.";
const NO_CREDENTIAL = "Send an API key in the X-API-KEY header. Create one at /developer.";
const BAD_KEY = "Invalid API key. Create one at /developer.";
const BAD_TOKEN = "Invalid access token.";
const NARROW_TOKEN = `The access token lacks the scope ${READ_SCOPE}: connect again.`;

/** Window kind and holder for a principal; null if requests are not counted. */
function windowHolder(principal: Principal): readonly [WindowKind, string] | null {
  switch (principal.kind) {
    case "operator":
      return null;
    case "anonymous":
      return ["anon", principal.address];
    case "key":
      return ["key", principal.keyId];
    case "token":
      return ["token", principal.tokenId];
  }
}

/** The receipt of callers that are not charged. */
export const UNMETERED: Receipt = Object.freeze({ charged: 0, remaining: null });

/**
 * Returns the charging function. The local operator and anonymous callers have no credits and pay nothing.
 *
 * @param options.unmetered whether charging is turned off for the whole server
 */
export function charging(credits: Credits, options: { unmetered: boolean }): OperationDeps["charge"] {
  return async (principal, { costCredits, price, ...reason }) => {
    if (options.unmetered || principal.kind === "operator" || principal.kind === "anonymous") {
      return UNMETERED;
    }
    if (principal.kind === "key" && principal.isTest === true) {
      if (costCredits > 0 && price === "priceHistory") throw needsLiveKey("An earlier fiscal year");
      return UNMETERED;
    }
    return credits.charge({ userId: principal.userId, costCredits, ...reason });
  };
}

/**
 * Returns a function that evaluates a question only for a caller who can pay its full price: whether the answer would
 * have been free is part of what is sold. Credits stay reserved while a question is evaluated, and a caller whose last
 * credits are reserved waits, so that questions asked at once reveal no more than the balance pays for.
 */
export function affordable(deps: Pick<OperationDeps, "charge">) {
  const reserving = reservations();

  /** Runs `work`, or refuses with `payment_required`. */
  return function whenAffordable<T>(
    principal: Principal,
    price: number,
    requestId: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const isMetered = principal.kind === "key" || principal.kind === "token";
    if (price === 0 || !isMetered) return work();
    return reserving(principal.userId, price, () => freeReceipt(deps, principal, requestId), work);
  };
}

/** Returns the function that reserves a user's credits while something is evaluated. */
export function reservations() {
  const reserved = new Map<string, { credits: number; waiting: (() => void)[] }>();
  const reserve = (userId: string, credits: number): (() => void) => {
    const held = reserved.getOrInsertComputed(userId, () => ({ credits: 0, waiting: [] }));
    held.credits += credits;
    return () => {
      held.credits -= credits;
      if (held.credits === 0) reserved.delete(userId);
      for (const retry of held.waiting.splice(0)) retry();
    };
  };

  /** Runs `work` with the price reserved, or refuses with `payment_required`. */
  return async function reserving<T>(
    userId: string,
    price: number,
    balanceOf: () => Promise<Pick<Receipt, "remaining">>,
    work: () => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const { remaining } = await balanceOf();
      if (remaining === null) return work();
      const held = reserved.get(userId);
      if (remaining - (held?.credits ?? 0) >= price) {
        const release = reserve(userId, price);
        try {
          return await work();
        } finally {
          release();
        }
      }
      if (held === undefined) throw insufficientCredits(remaining, price);
      await new Promise<void>((resolve) => void held.waiting.push(resolve));
    }
  };
}
