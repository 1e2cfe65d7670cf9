import type { Keys } from "./keys.ts";
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import type { Access } from "./oauth/access.ts";

/** The credentials of a request, before any look-up. */
export type Presented =
  { kind: "none" } | { kind: "key"; secret: string } | { kind: "token"; secret: string } | { kind: "both" };

/** The authenticated caller. */
export type Principal =
  | { kind: "operator" }
  | { kind: "anonymous"; address: string }
  | { kind: "key"; keyId: string; userId: string }
  | { kind: "token"; tokenId: string; userId: string; clientId: string; scope: string };

/** Looks up credentials. Both functions return undefined for any invalid credential, whatever the reason. */
export interface CredentialFinder {
  /** @param address where the key is used from */
  findKey(secret: string, address: string): MaybePromise<(Principal & { kind: "key" }) | undefined>;
  findToken(secret: string): MaybePromise<(Principal & { kind: "token" }) | undefined>;
}

/**
 * Finds API keys and access tokens. All our tokens have the same audience: the MCP endpoint, under any of its names.
 */
export function credentialFinder(keys: Pick<Keys, "find">, access: Pick<Access, "find">): CredentialFinder {
  return {
    findKey: (secret, address) =>
      andThen(
        keys.find(secret, address),
        (holder) => holder && { kind: "key", keyId: holder.keyId, userId: holder.userId },
      ),
    findToken: (secret) =>
      andThen(access.find(secret), (holder) => {
        if (holder === undefined) return undefined;
        const { tokenId, userId, clientId, scope } = holder;
        return { kind: "token", tokenId, userId, clientId, scope };
      }),
  };
}
