import { hashSecret, newSecret } from "../credentials.ts";
import { and, asc, eq, gt, gte, isNull, lt, notExists, sql } from "drizzle-orm";
import { ServiceError } from "../../errors.ts";
import { oauthClients, oauthRequests } from "../../store/oauth-schema.ts";
import type { StoreDb } from "../../store/store.ts";
import type { RedirectPolicy } from "./redirects.ts";
import type { GrantDeps } from "./tokens.ts";

type ClientRow = typeof oauthClients.$inferSelect;

/** Client authentication at the token endpoint. */
export type AuthMethod = ClientRow["authMethod"];

/** A validated registration. The name is the application's own, sanitized for display; null without one. */
export type ClientMetadata = Pick<
  ClientRow,
  "name" | "redirectUris" | "authMethod" | "grantTypes" | "applicationType"
>;

/** An application that can request access. */
export type Client = ClientMetadata & Pick<ClientRow, "id" | "kind" | "secretHash" | "createdAtMs">;

/** The result of a registration: the client and, for confidential clients, the secret, which is shown once. */
export interface Registration {
  client: Client;
  secret: string | null;
}

const HOUR = 3_600_000;
const SAME_CLIENT_MS = 10 * 60_000;
/** Number of addresses in a /48 that may reach the limit in the same hour. */
const ADDRESSES_PER_SITE = 5;
/** Number of applications protected from removal after requesting access, and for how long. */
const MAX_ASKED = 500;
const ASKED_MS = 10 * 60_000;
/** Number of oldest applications searched for one without a listed callback. */
const EVICTION_SAMPLE = 500;

/** Known applications. */
export class Clients {
  /** When applications last requested access; bounded, so that one visitor cannot protect all of theirs. */
  private readonly askedAtMs = new Map<string, number>();
  /** Removed applications still count towards their address's limit. */
  private evicted: Pick<ClientRow, "id" | "address" | "registrations" | "createdAtMs">[] = [];

  constructor(
    private readonly deps: GrantDeps,
    private readonly redirects: RedirectPolicy,
  ) {}

  find(id: string): Promise<Client | undefined> {
    return this.deps.store.read((db) => db.select().from(oauthClients).where(eq(oauthClients.id, id)).get());
  }

  /**
   * Registers an application. An identical public registration from the same address within ten minutes returns the
   * same client. If there are too many applications without a connection, the oldest is removed; those with only listed
   * callbacks go last. Refuses with `rate_limited`.
   *
   * @param caller.exempt whether the caller is on this computer and the server is unreachable from others:
   * counted, but never refused
   */
  register(metadata: ClientMetadata, caller: { address: string; exempt: boolean }): Promise<Registration> {
    const { store, runtime, limits } = this.deps;
    const { address, exempt } = caller;
    const { authMethod } = metadata;
    const fingerprint = hashSecret(JSON.stringify([address, metadata]), "hex");
    return store.transact(async (db) => {
      const now = runtime.now();
      if (!exempt) {
        await this.refuseAbove(db, limits.registrationsPerHour, rangeOf(address));
        await this.refuseAbove(db, limits.registrationsPerHour * ADDRESSES_PER_SITE, siteRangeOf(address));
      }
      const recent = and(
        eq(oauthClients.fingerprint, fingerprint),
        gt(oauthClients.createdAtMs, now - SAME_CLIENT_MS),
      );
      const same = authMethod === "none" && (await db.select().from(oauthClients).where(recent).get());
      if (same) {
        const again = { registrations: same.registrations + 1 };
        await db.update(oauthClients).set(again).where(eq(oauthClients.id, same.id)).run();
        return { client: same, secret: null };
      }
      await this.makeRoom(db);
      const secret = authMethod === "none" ? null : newSecret("clientSecret", runtime);
      const client: ClientRow = {
        ...metadata,
        id: newSecret("client", runtime),
        kind: "registered",
        secretHash: secret === null ? null : hashSecret(secret, "hex"),
        fingerprint,
        address,
        registrations: 1,
        createdAtMs: now,
        lastGrantAtMs: null,
      };
      await db.insert(oauthClients).values(client).run();
      return { client, secret };
    });
  }

  /** Records that the application just requested access, which protects it from removal for ten minutes. */
  noteAsked(id: string): void {
    const { askedAtMs } = this;
    askedAtMs.delete(id);
    askedAtMs.set(id, this.deps.runtime.now());
    for (const [oldest] of askedAtMs) {
      if (askedAtMs.size <= MAX_ASKED) break;
      askedAtMs.delete(oldest);
    }
  }

  /** Stores the client of a metadata document, so that its tokens keep working while the document is unavailable. */
  keepDocument(client: Client, address: string): Promise<void> {
    const { name, redirectUris, authMethod, grantTypes, applicationType } = client;
    const set = { name, redirectUris, authMethod, grantTypes, applicationType };
    return this.deps.store.transact(async (db) => {
      const createdAtMs = this.deps.runtime.now();
      const row = { ...client, fingerprint: "", address, registrations: 0, createdAtMs };
      await db.insert(oauthClients).values(row).onConflictDoUpdate({ target: oauthClients.id, set }).run();
    });
  }

  private async refuseAbove(db: StoreDb, quota: number, { from, to }: AddressRange): Promise<void> {
    const now = this.deps.runtime.now();
    this.evicted = this.evicted.filter(({ createdAtMs }) => createdAtMs > now - HOUR);
    const counted = await db
      .select({
        count: sql<number>`cast(coalesce(sum(${oauthClients.registrations}), 0) as bigint)`,
        oldestMs: sql<number | null>`min(${oauthClients.createdAtMs})`,
      })
      .from(oauthClients)
      .where(
        and(
          eq(oauthClients.kind, "registered"),
          gt(oauthClients.createdAtMs, now - HOUR),
          gte(oauthClients.address, from),
          lt(oauthClients.address, to),
        ),
      )
      .get();
    const { count: stored = 0, oldestMs = null } = counted ?? {};
    const evicted = this.evicted.filter(({ address }) => address >= from && address < to);
    if (evicted.reduce((sum, { registrations }) => sum + registrations, stored) < quota) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(((oldestMs ?? now) + HOUR - now) / 1000));
    throw new ServiceError(
      "rate_limited",
      `${quota} applications were registered from this address within an hour, the maximum. ` +
        `Try again in ${retryAfterSeconds} seconds, or reuse a client_id that was issued before.`,
      { retryAfterSeconds },
    );
  }

  private async makeRoom(db: StoreDb): Promise<void> {
    const { limits, runtime } = this.deps;
    const never = and(eq(oauthClients.kind, "registered"), isNull(oauthClients.lastGrantAtMs));
    if ((await db.$count(oauthClients, never)) < limits.unconnectedApplications) return;
    const pending = db
      .select({ id: oauthRequests.clientId })
      .from(oauthRequests)
      .where(eq(oauthRequests.clientId, oauthClients.id));
    const unasked = await db
      .select()
      .from(oauthClients)
      .where(and(never, notExists(pending)))
      .orderBy(asc(oauthClients.createdAtMs), asc(oauthClients.id))
      .limit(MAX_ASKED + EVICTION_SAMPLE)
      .all();
    const askedBeforeMs = runtime.now() - ASKED_MS;
    const oldest = unasked.filter(
      ({ id }) => (this.askedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) <= askedBeforeMs,
    );
    // Clients whose callbacks are all listed, as hosted assistants have them, are removed only if there are no others.
    const leaving =
      oldest.find(({ redirectUris }) => !redirectUris.every((uri) => this.redirects.isListed(uri))) ??
      oldest[0];
    if (leaving === undefined) return;
    await db.delete(oauthClients).where(eq(oauthClients.id, leaving.id)).run();
    // Only once, because the transaction may be run again.
    if (!this.evicted.some(({ id }) => id === leaving.id)) this.evicted.push(leaving);
  }
}

/** A half-open range of addresses counted together, in text order. */
export interface AddressRange {
  from: string;
  to: string;
}

/** The range of a single address. */
export function rangeOf(address: string): AddressRange {
  return { from: address, to: `${address}\u0001` };
}

/**
 * The range of a site: for IPv6, where addresses count by /64, the /48 that one customer may have; for
 * IPv4 the single address.
 */
export function siteRangeOf(address: string): AddressRange {
  const site = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+:)/i.exec(address)?.[1];
  // `;` is the character after `:`.
  return site === undefined ? rangeOf(address) : { from: site, to: `${site.slice(0, -1)};` };
}
