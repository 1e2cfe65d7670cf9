import { hashSecret, newSecret } from "../credentials.ts";
import { and, asc, count, eq, gt, gte, isNull, lt, notExists, sql } from "drizzle-orm";
import type { Runtime } from "../../runtime.ts";
import { ServiceError } from "../../errors.ts";
import { oauthClients, oauthRequests } from "../../store/oauth.ts";
import { memoizePerDb, type Store, type StoreDb } from "../../store/store.ts";

/** Client authentication at the token endpoint. */
export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post";

/** A validated registration. */
export interface ClientMetadata {
  /** The application's own name, sanitized for display; null without one. */
  name: string | null;
  redirectUris: readonly string[];
  authMethod: AuthMethod;
  grantTypes: readonly string[];
  applicationType: string | null;
}

/** An application that can request access. */
export interface Client extends ClientMetadata {
  id: string;
  kind: "registered" | "document";
  secretHash: string | null;
  createdAtMs: number;
}

/** The result of a registration: the client and, for confidential clients, the secret, which is shown once. */
export interface Registration {
  client: Client;
  secret: string | null;
}

/** Limits on registrations. */
export interface RegistrationLimits {
  /** Successful registrations per address in any hour. */
  registrationsPerHour: number;
  /** Maximum number of applications without a connection; beyond it, the oldest are removed. */
  unconnectedApplications: number;
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

/** What registrations need. */
export interface ClientDeps {
  store: Store;
  runtime: Runtime;
  limits: RegistrationLimits;
  /** Whether a URI is on the list of callbacks. */
  isListed(redirectUri: string): boolean;
}

type Row = typeof oauthClients.$inferSelect;

/** Known applications. */
export class Clients {
  private readonly asked: RecentlyAsked;
  private readonly byId = memoizePerDb((db) =>
    db
      .select()
      .from(oauthClients)
      .where(eq(oauthClients.id, sql.placeholder("id")))
      .prepare(),
  );
  /** Removed applications still count towards their address's limit. */
  private evicted: Pick<Row, "id" | "address" | "registrations" | "createdAtMs">[] = [];

  constructor(private readonly deps: ClientDeps) {
    this.asked = new RecentlyAsked(deps.runtime);
  }

  find(id: string): Promise<Client | undefined> {
    return this.deps.store.read(async (db) => {
      const row = await this.byId(db).get({ id });
      return row === undefined ? undefined : clientOf(row);
    });
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
    const { name, redirectUris, authMethod, grantTypes, applicationType } = metadata;
    const fingerprint = hashSecret(
      JSON.stringify([address, name, redirectUris, authMethod, grantTypes, applicationType]),
      "hex",
    );
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
        return { client: clientOf(same), secret: null };
      }
      await this.makeRoom(db);
      const secret = authMethod === "none" ? null : newSecret("clientSecret", runtime);
      const row: Row = {
        ...columnsOf(metadata),
        id: newSecret("client", runtime),
        kind: "registered",
        secretHash: secret === null ? null : hashSecret(secret, "hex"),
        fingerprint,
        address,
        registrations: 1,
        createdAtMs: now,
        lastGrantAtMs: null,
      };
      await db.insert(oauthClients).values(row).run();
      return { client: clientOf(row), secret };
    });
  }

  /** Records that the application just requested access, which protects it from removal for ten minutes. */
  noteAsked(id: string): void {
    this.asked.add(id);
  }

  /** Stores the contents of a metadata document, so that the client's tokens keep working while it is unavailable. */
  keepDocument(id: string, metadata: ClientMetadata, address: string): Promise<Client> {
    const { store, runtime } = this.deps;
    return store.transact(async (db) => {
      const columns = columnsOf(metadata);
      const row: Row = {
        ...columns,
        id,
        kind: "document",
        secretHash: null,
        fingerprint: "",
        address,
        registrations: 0,
        createdAtMs: runtime.now(),
        lastGrantAtMs: null,
      };
      const replaced = { target: oauthClients.id, set: columns };
      await db.insert(oauthClients).values(row).onConflictDoUpdate(replaced).run();
      return clientOf(row);
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
    const gone = this.evicted.filter(({ address }) => address >= from && address < to);
    if (gone.reduce((sum, { registrations }) => sum + registrations, stored) < quota) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(((oldestMs ?? now) + HOUR - now) / 1000));
    throw new ServiceError(
      "rate_limited",
      `${quota} applications were registered from this address within an hour, the maximum. ` +
        `Try again in ${retryAfterSeconds} seconds, or reuse a client_id that was issued before.`,
      { retryAfterSeconds },
    );
  }

  private async makeRoom(db: StoreDb): Promise<void> {
    const { limits, isListed } = this.deps;
    const never = and(eq(oauthClients.kind, "registered"), isNull(oauthClients.lastGrantAtMs));
    const kept = await db.select({ n: count() }).from(oauthClients).where(never).get();
    if ((kept?.n ?? 0) < limits.unconnectedApplications) return;
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
    const oldest = unasked.filter(({ id }) => !this.asked.has(id));
    // Clients whose callbacks are all listed, as hosted assistants have them, are removed only if there are no others.
    const leaving = oldest.find((row) => !clientOf(row).redirectUris.every(isListed)) ?? oldest[0];
    if (leaving === undefined) return;
    await db.delete(oauthClients).where(eq(oauthClients.id, leaving.id)).run();
    // Only once, because the transaction may be run again.
    if (!this.evicted.some(({ id }) => id === leaving.id)) this.evicted.push(leaving);
  }
}

/** Applications that recently requested access; bounded, so that one visitor cannot protect all of theirs. */
class RecentlyAsked {
  private readonly atMs = new Map<string, number>();

  constructor(private readonly runtime: Pick<Runtime, "now">) {}

  add(id: string): void {
    this.atMs.delete(id);
    this.atMs.set(id, this.runtime.now());
    for (const [oldest] of this.atMs) {
      if (this.atMs.size <= MAX_ASKED) break;
      this.atMs.delete(oldest);
    }
  }

  has(id: string): boolean {
    const at = this.atMs.get(id);
    return at !== undefined && this.runtime.now() - at < ASKED_MS;
  }
}

/** The metadata as stored, which `clientOf` reads. */
function columnsOf({ redirectUris, grantTypes, ...columns }: ClientMetadata) {
  return {
    ...columns,
    redirectUris: JSON.stringify(redirectUris),
    grantTypes: JSON.stringify(grantTypes),
  };
}

function clientOf(row: Row): Client {
  const { id, kind, name, authMethod, secretHash, applicationType, createdAtMs } = row;
  // Both columns are written by this file as lists of strings.
  const redirectUris = JSON.parse(row.redirectUris) as string[];
  const grantTypes = JSON.parse(row.grantTypes) as string[];
  return { id, kind, name, redirectUris, authMethod, grantTypes, applicationType, secretHash, createdAtMs };
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
