import { deriveSecret, hashSecret, isWellFormed, newSecret } from "../credentials.ts";
import { and, eq, gt, gte, isNull, lt, lte } from "drizzle-orm";
import type { Runtime } from "../../runtime.ts";
import { ServiceError } from "../../errors.ts";
import { oauthCodes, oauthRequests } from "../../store/oauth-schema.ts";
import { actorIn, recordAuditEvent } from "../../store/audit.ts";
import type { StoreDb } from "../../store/store.ts";
import { describeRedirect } from "./redirects.ts";
import { type AddressRange, rangeOf, siteRangeOf } from "./clients.ts";
import type { GrantDeps } from "./tokens.ts";

type RequestRow = typeof oauthRequests.$inferSelect;

/**
 * A validated authorization request. `redirectUri` is as requested, including the port, since the token request must
 * repeat it exactly; `issuer` received the request, and is returned as `iss`.
 */
export type AuthorizationRequest = Pick<
  RequestRow,
  "clientId" | "clientName" | "redirectUri" | "state" | "codeChallenge" | "resource" | "scope" | "issuer"
>;

/** The result of a decision; repeated unchanged for the same browser until the code is used. */
export type Decision =
  | { kind: "approved"; request: AuthorizationRequest; code: string }
  | { kind: "denied"; request: AuthorizationRequest }
  /** The code has been redeemed or has expired, so it cannot be sent again. */
  | { kind: "spent"; request: AuthorizationRequest; redeemed: boolean }
  | { kind: "unknown" };

/** The person who decides, and their browser. */
export interface Decider {
  browser: string;
  userId: string;
  address: string | null;
  userAgent: string | null;
}

/** Lifetime of an undecided request. */
const REQUEST_MS = 10 * 60_000;
const MAX_OPEN_PER_ADDRESS = 200;
const MAX_OPEN_PER_SITE = 1000;
/** 15 MB at 3 kB each. */
const MAX_KEPT = 5000;

/** Authorization requests awaiting a decision. @see test/contract/protocols.md, 3.6 */
export class Requests {
  constructor(private readonly deps: GrantDeps) {}

  /**
   * Stores a signed-in person's request for ten minutes, and deletes expired ones.
   *
   * @param transaction the id the browser carried the request under; a new one by default
   * @returns the transaction id, which only this browser learns
   * @throws ServiceError `rate_limited` if there are too many from the address, its /48 or in total
   */
  open(
    request: AuthorizationRequest,
    { browser, address }: { browser: string; address: string },
    transaction = newSecret("request", this.deps.runtime),
  ): Promise<string> {
    const { store, runtime } = this.deps;
    return store.transact(async (db) => {
      const now = runtime.now();
      await db.delete(oauthRequests).where(lte(oauthRequests.expiresAtMs, now)).run();
      await this.refuseTooMany(db, address, now);
      const hash = hashSecret(transaction, "hex");
      const browserHash = hashSecret(browser, "hex");
      const row = { ...request, hash, browserHash, address, createdAtMs: now, expiresAtMs: now + REQUEST_MS };
      // The browser may open the page that stores what it carried twice at once.
      await db.insert(oauthRequests).values(row).onConflictDoNothing().run();
      return transaction;
    });
  }

  /** This browser's request with that transaction id, if it is pending or was just decided. */
  find(transaction: string, browser: string): Promise<AuthorizationRequest | undefined> {
    return this.deps.store.read((db) => this.rowOf(db, transaction, browser));
  }

  /** Decides once; later decisions, whatever they are, return the result of the first. */
  decide(transaction: string, decider: Decider, approve: boolean): Promise<Decision> {
    const { store, runtime, lifetimes } = this.deps;
    const { browser, userId } = decider;
    // The code is derived from secrets of this browser, so that a double click can return it again although only its
    // hash is stored.
    const code = deriveSecret("code", transaction, browser);
    return store.transact(async (db): Promise<Decision> => {
      const now = runtime.now();
      let request = await this.rowOf(db, transaction, browser);
      if (request === undefined || (request.decidedBy !== null && request.decidedBy !== userId))
        return { kind: "unknown" };
      const decision = request.decision ?? (approve ? "approved" : "denied");
      if (request.decision === null) {
        const decided = { decision, decidedBy: userId };
        const which = eq(oauthRequests.hash, request.hash);
        request = await db.update(oauthRequests).set(decided).where(which).returning().get();
        if (decision === "approved") {
          const { clientName, redirectUri } = request;
          const after = { name: clientName, redirects_to: describeRedirect(redirectUri) };
          const actor = actorIn(decider, userId);
          await recordAuditEvent(db, now, actor, { act: "app_connected", userId, after });
          const { hash: requestHash, ...rest } = request;
          const hash = hashSecret(code, "hex");
          const expiresAtMs = now + lifetimes.codeSeconds * 1000;
          const issued = { ...rest, hash, requestHash, userId, createdAtMs: now, expiresAtMs, failures: 0 };
          await db.insert(oauthCodes).values(issued).run();
        }
      }
      if (decision === "denied") return { kind: "denied", request };
      const which = eq(oauthCodes.hash, hashSecret(code, "hex"));
      const issued = await db.select().from(oauthCodes).where(which).get();
      if (issued === undefined || issued.usedAtMs !== null || issued.expiresAtMs <= now) {
        return { kind: "spent", request, redeemed: issued !== undefined && issued.usedAtMs !== null };
      }
      return { kind: "approved", request, code };
    });
  }

  private async rowOf(db: StoreDb, transaction: string, browser: string) {
    if (!isWellFormed("request", transaction)) return undefined;
    const which = and(
      eq(oauthRequests.hash, hashSecret(transaction, "hex")),
      eq(oauthRequests.browserHash, hashSecret(browser, "hex")),
      gt(oauthRequests.expiresAtMs, this.deps.runtime.now()),
    );
    return await db.select().from(oauthRequests).where(which).get();
  }

  private async refuseTooMany(db: StoreDb, address: string, now: number): Promise<void> {
    const open = ({ from, to }: AddressRange) =>
      db.$count(
        oauthRequests,
        and(
          gte(oauthRequests.address, from),
          lt(oauthRequests.address, to),
          gt(oauthRequests.expiresAtMs, now),
          isNull(oauthRequests.decision),
        ),
      );
    const isFull =
      (await open(rangeOf(address))) >= MAX_OPEN_PER_ADDRESS ||
      (await open(siteRangeOf(address))) >= MAX_OPEN_PER_SITE ||
      (await db.$count(oauthRequests)) >= MAX_KEPT;
    if (!isFull) return;
    throw new ServiceError("rate_limited", "Too many pending requests. Answer one, or wait ten minutes.", {
      retryAfterSeconds: REQUEST_MS / 1000,
    });
  }
}

/** An authorization request that the browser carries, because no one has signed in there yet. */
export interface CarriedRequest {
  transaction: string;
  /** The query as sent by the client, to be validated again. */
  query: string;
  expiresAtMs: number;
}

/** Loaded on first use (docs/decisions/executable.md). */
const crypto = () => process.getBuiltinModule("node:crypto");

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Authorization requests kept outside the store, so that anonymous visitors cannot fill it: encrypted texts that a
 * browser carries and can neither read nor change. @see NIST SP 800-38D
 */
export class CarriedRequests {
  /** @param key 32 bytes, shared by all servers; what another key sealed does not open, and starts over */
  constructor(
    private readonly runtime: Pick<Runtime, "now" | "secret">,
    private readonly key: () => Uint8Array,
  ) {}

  /** Seals a request for ten minutes, bound to this browser. */
  seal(query: string, browser: string): CarriedRequest & { sealed: string } {
    const transaction = newSecret("request", this.runtime);
    const expiresAtMs = this.runtime.now() + REQUEST_MS;
    const nonce = this.runtime.secret(NONCE_BYTES);
    const cipher = crypto().createCipheriv("aes-256-gcm", this.key(), nonce).setAAD(Buffer.from(browser));
    const text = cipher.update(`${transaction} ${expiresAtMs} ${query}`, "utf8");
    const sealed = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString("base64url");
    return { transaction, query, expiresAtMs, sealed };
  }

  /** The sealed request; undefined if it has expired or belongs to another browser. */
  open(sealed: string, browser: string): CarriedRequest | undefined {
    const text = this.decrypt(Buffer.from(sealed, "base64url"), browser);
    const [, transaction = "", until, query = ""] = /^(\w+) (\d+) (.*)$/s.exec(text) ?? [];
    const expiresAtMs = Number(until);
    const isOpen = isWellFormed("request", transaction) && expiresAtMs > this.runtime.now();
    return isOpen ? { transaction, query, expiresAtMs } : undefined;
  }

  /** Empty if it was not sealed here for the same browser. */
  private decrypt(bytes: Buffer, browser: string): string {
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return "";
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = crypto().createDecipheriv("aes-256-gcm", this.key(), nonce);
    decipher.setAAD(Buffer.from(browser)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8");
      return text + decipher.final("utf8");
    } catch {
      return "";
    }
  }
}
