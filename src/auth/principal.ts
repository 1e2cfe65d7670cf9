import type { Keys } from "../accounts/keys.ts";
import { andThen, type MaybePromise } from "../domain/maybe-promise.ts";
import type { Access } from "../grants/access.ts";

/** What a request carries, before anything is looked up. */
export type Presented =
  { kind: "none" } | { kind: "key"; secret: string } | { kind: "token"; secret: string } | { kind: "both" };

/** Who calls, once it is decided. */
export type Principal =
  | { kind: "operator" }
  | { kind: "anonymous"; address: string }
  | { kind: "key"; keyId: string; userId: string }
  | { kind: "token"; tokenId: string; userId: string; clientId: string; scope: string };

/** Looks up what a caller presented. Both give undefined for anything that is no good, whatever the reason. */
export interface CredentialFinder {
  /** @param address where it is used from */
  findKey(secret: string, address: string): MaybePromise<(Principal & { kind: "key" }) | undefined>;
  findToken(secret: string): MaybePromise<(Principal & { kind: "token" }) | undefined>;
}

/**
 * The finder over API keys and access tokens. All tokens of ours have one audience: the MCP endpoint by any of its names.
 */
export function credentialFinder(keys: Pick<Keys, "find">, access: Access): CredentialFinder {
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
