import type { Runtime } from "../runtime.ts";
import { GenerationCache, type Store, type StoreDb, WriteBehind } from "../store/store.ts";
import { hashSecret, isTestKey, isWellFormed } from "./credentials.ts";

/** The credentials of a request, before any look-up. */
export type Presented =
  { kind: "none" } | { kind: "key"; secret: string } | { kind: "token"; secret: string } | { kind: "both" };

/** The authenticated caller. */
export type Principal =
  | { kind: "operator" }
  | { kind: "anonymous"; address: string }
  | { kind: "key"; keyId: string; userId: string; isTest?: boolean }
  | { kind: "token"; tokenId: string; userId: string; clientId: string; scope: string };

/** Looks up one kind of credential. */
export interface Holders<Kind extends Principal["kind"]> {
  /**
   * The holder of a credential; undefined if it is unknown, expired or revoked, or its user is disabled, without
   * distinction. A wrong checksum is rejected without reading the store. Records the use. Refuses with `unavailable`
   * while the store is down.
   *
   * @param address where it is used from
   */
  find(secret: string, address: string): Promise<(Principal & { kind: Kind }) | undefined>;
}

/** Looks up the credentials of requests. Our tokens all have the same audience: the MCP endpoint, under any name. */
export interface CredentialFinder {
  keys: Holders<"key">;
  tokens: Holders<"token">;
}

/** The last use of a credential. */
export interface Use {
  atMs: number;
  address: string;
}

/** A kind of credential in the store. */
export interface StoredCredential {
  secret: "key" | "accessToken";
  /**
   * The columns of its principal, and those of `Holder`, by the hash of the secret. Plain SQL, prepared: it runs for each
   * request whose credential is not cached (`first-use` in `bench rows`), as `write` does after it.
   */
  find: string;
  /** Writes the last use of the credential `usedId`. */
  write(tx: StoreDb, usedId: string, use: Use): PromiseLike<unknown>;
}

interface Holder {
  usedId: string;
  /** Null if never. */
  endsAtMs: number | null;
  usedAtMs: number | null;
}

/** Number of holders cached, per kind: 10 to 15 MB. */
const MAX_CACHED = 50_000;

/** Minimum interval between writes of a credential's last use. */
const USE_EVERY_MS = 60_000;

/** Maximum number of uses written per commit, which takes about 2 ms: charges in the same commit wait for it. */
const MAX_USES_A_COMMIT = 500;

/** Holders of credentials in the store, cached until account data changes. */
export class StoredHolders<Kind extends "key" | "token"> implements Holders<Kind> {
  private readonly holders = new GenerationCache<Principal & { kind: Kind } & Holder>(MAX_CACHED);
  private readonly uses = new WriteBehind<string, Use>();
  /** Whether the last commit left uses for the next one. */
  private hasMoreUses = false;

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now">,
    private readonly credential: StoredCredential,
  ) {
    store.onEveryCommit({
      size: () => this.uses.size,
      write: (tx) => this.writeUses(tx),
      settled: (error) => {
        this.uses.settled(error);
        if (error === null && this.hasMoreUses) this.store.scheduleCommit();
      },
    });
  }

  async find(secret: string, address = ""): Promise<(Principal & { kind: Kind }) | undefined> {
    const { credential } = this;
    const hash = hashSecret(secret, credential.secret === "key" ? "base64" : "hex");
    const generation = this.store.generation();
    const cached = this.holders.get(hash, generation);
    if (cached !== undefined) return this.use(cached, address);
    const kind = credential.secret === "key" && isTestKey(secret) ? "testKey" : credential.secret;
    if (!isWellFormed(kind, secret)) return undefined;
    type HolderPrincipal = Principal & { kind: Kind } & Holder;
    const [holder] = await this.store.rows<HolderPrincipal>(credential.find, hash);
    if (holder === undefined) return undefined;
    const found = kind === "testKey" ? { ...holder, isTest: true } : holder;
    this.holders.set(hash, found, generation);
    return this.use(found, address);
  }

  private use<Result extends Holder>(holder: Result, address: string): Result | undefined {
    const nowMs = this.runtime.now();
    if (holder.endsAtMs !== null && holder.endsAtMs <= nowMs) return undefined;
    const { usedAtMs } = holder;
    if (usedAtMs === null || nowMs - usedAtMs >= USE_EVERY_MS || nowMs < usedAtMs) {
      holder.usedAtMs = nowMs;
      this.uses.set(holder.usedId, { atMs: nowMs, address });
      this.store.commitSoon();
    }
    return holder;
  }

  private async writeUses(tx: StoreDb): Promise<void> {
    this.hasMoreUses = false;
    if (this.uses.size === 0) return;
    for (const [id, use] of this.uses.take(MAX_USES_A_COMMIT)) await this.credential.write(tx, id, use);
    this.hasMoreUses = this.uses.size > 0;
  }
}
