import type { CredentialFinder, Principal } from "../auth/principal.ts";
import { READ_SCOPE } from "../credentials.ts";
import { ServiceError, type WindowState } from "../errors.ts";
import type { Counted, WindowKind } from "../rate-limits/limits.ts";
import type { RateLimits } from "../rate-limits/rate-limits.ts";
import type { Admit, Caller } from "./operation.ts";

/** What admission needs. */
export interface AdmitDeps {
  credentials: CredentialFinder;
  rateLimits: Pick<RateLimits, "acquire">;
}

/**
 * Steps 1 to 3 of `docs/contract.md`, "Order of refusals". What is refused for want of a good credential meets the address's
 * anonymous window first, so that guessing is slow. While the store does not work a well-formed credential is
 * refused with `unavailable` and counted nowhere.
 */
export function admission({ credentials, rateLimits }: AdmitDeps): Admit {
  const acquire = (kind: WindowKind, who: string, counted: Counted) => rateLimits.acquire(kind, who, counted);
  const refuse = (caller: Caller, error: ServiceError): never => {
    error.details.window = acquire("anon", caller.address, "calls");
    throw error;
  };

  return (caller, need, counted = "calls") => {
    const { presented, address } = caller;
    if (presented.kind === "both") {
      return refuse(caller, new ServiceError("two_credentials", TWO_CREDENTIALS));
    }
    if (presented.kind === "none") {
      if (need === "credential") {
        return refuse(caller, new ServiceError("unauthenticated", NO_CREDENTIAL, { presented: "none" }));
      }
      return { principal: { kind: "anonymous", address }, window: acquire("anon", address, counted) };
    }
    const principal =
      presented.kind === "key"
        ? credentials.findKey(presented.secret, address)
        : credentials.findToken(presented.secret, address);
    if (principal === undefined) {
      const message = presented.kind === "key" ? BAD_KEY : BAD_TOKEN;
      return refuse(caller, new ServiceError("unauthenticated", message, { presented: presented.kind }));
    }
    if (principal.kind === "token" && !principal.scope.split(" ").includes(READ_SCOPE)) {
      return refuse(caller, new ServiceError("insufficient_scope", NARROW_TOKEN, { presented: "token" }));
    }
    return { principal, window: windowFor(principal, (kind, who) => acquire(kind, who, counted)) };
  };
}

const TWO_CREDENTIALS = "Send either Authorization: Bearer or X-API-KEY, not both.";
const NO_CREDENTIAL = "Send an API key in the X-API-KEY header.";
const BAD_KEY = "Invalid API key.";
const BAD_TOKEN = "Invalid access token.";
const NARROW_TOKEN = `The access token lacks the scope ${READ_SCOPE}: connect again.`;

function windowFor(
  principal: Principal,
  acquire: (kind: WindowKind, who: string) => WindowState,
): WindowState | null {
  switch (principal.kind) {
    case "operator":
      return null;
    case "anonymous":
      return acquire("anon", principal.address);
    case "key":
      return acquire("key", principal.keyId);
    case "token":
      return acquire("token", principal.tokenId);
  }
}
