import { hashSecret, newSecret } from "../credentials.ts";
import { and, asc, count, eq, gt, gte, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { oauthClients, oauthGrants, oauthRequests } from "../store/oauth.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { keptPer, result, type StoreDb, type Work } from "../store/work.ts";
import { type AddressRange, rangeOf, siteRangeOf } from "./address-range.ts";

/** How a client proves itself at the token endpoint. */
export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post";

/** What an application registers, read and checked. */
export interface ClientMetadata {
  /** As the application calls itself, made harmless to show; null when it gave none. */
  name: string | null;
  redirectUris: readonly string[];
  authMethod: AuthMethod;
  grantTypes: readonly string[];
  applicationType: string | null;
}

/** An application that may ask people for access. */
export interface Client extends ClientMetadata {
  id: string;
  kind: "registered" | "document";
  secretHash: string | null;
  createdAtMs: number;
}

/** What a registration answers: the client, and its secret where it has one, which is told once. */
export interface Registration {
  client: Client;
  secret: string | null;
}

/** How many registrations are taken. */
export interface RegistrationLimits {
  /** Answered with success in any hour for one address. */
  registrationsPerHour: number;
  /** Applications without a connection that are kept; beyond them the oldest make room. */
  unconnectedApplications: number;
}

/** The applications that are known. */
export interface Clients {
  find(id: string): MaybePromise<Client | undefined>;
  /**
   * Registers an application. An identical public registration of the same address within ten minutes gets the same client.
   * Where too many are kept that nobody ever connected, the oldest of them goes, those with a listed callback last.
   *
   * @param exempt whether the caller is on this very computer and nobody else can be: counted, never refused
   * @throws ServiceError `rate_limited`
   */
  register(metadata: ClientMetadata, caller: { address: string; exempt: boolean }): Promise<Registration>;
  /** Notes that a person was brought by this application just now: it makes no room for others for ten minutes. */
  noteAsked(id: string): void;
  /** Keeps what a metadata document last said, so that its tokens work while the document is out of reach. */
  keepDocument(id: string, metadata: ClientMetadata, address: string): Promise<Client>;
  /** Removes clients without a grant after a day, and those whose last grant is gone after 90; inside a commit. */
  purge(db: StoreDb): Work<number>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SAME_CLIENT_MS = 10 * 60_000;
/** As many addresses of a /48 may register at their limit in the same hour. */
const ADDRESSES_PER_SITE = 5;
/** Applications that brought somebody lately and so make no room, and how long that lasts. */
const MAX_ASKED = 500;
const ASKED_MS = 10 * 60_000;
/** Oldest applications looked through for one without a listed callback. */
const EVICTION_SAMPLE = 500;

/** The clients of a store. */
// oxlint-disable-next-line max-lines-per-function -- its methods share the statements and who was evicted
export function createClients(deps: {
  store: Store;
  runtime: Runtime;
  limits: RegistrationLimits;
  /** Whether an address is one of the listed callbacks. */
  isListed(redirectUri: string): boolean;
}): Clients {
  const { store, runtime, limits } = deps;
  const asked = new RecentlyAsked(runtime);
  const byId = keptPer((db) =>
    db
      .select()
      .from(oauthClients)
      .where(eq(oauthClients.id, sql.placeholder("id")))
      .prepare(),
  );

  // Those that made room count on for the address that registered them.
  let evicted: { id: string; address: string; registrations: number; createdAtMs: number }[] = [];
  const refuseAbove = function* (db: StoreDb, quota: number, { from, to }: AddressRange): Work<void> {
    const now = runtime.now();
    evicted = evicted.filter(({ createdAtMs }) => createdAtMs > now - HOUR);
    const counted = yield* result(
      db
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
        .get(),
    );
    const { count: stored = 0, oldestMs = null } = counted ?? {};
    const made =
      stored +
      evicted
        .filter(({ address }) => address >= from && address < to)
        .reduce((sum, { registrations }) => sum + registrations, 0);
    if (made < quota) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(((oldestMs ?? now) + HOUR - now) / 1000));
    throw new ServiceError(
      "rate_limited",
      `${quota} applications were registered from this address within an hour, the maximum. ` +
        `Try again in ${retryAfterSeconds} seconds, or reuse a client_id that was issued before.`,
      { retryAfterSeconds },
    );
  };

  const makeRoom = function* (db: StoreDb): Work<void> {
    const never = and(eq(oauthClients.kind, "registered"), isNull(oauthClients.lastGrantAtMs));
    const kept = yield* result(db.select({ n: count() }).from(oauthClients).where(never).get());
    if ((kept?.n ?? 0) < limits.unconnectedApplications) return;
    const pending = db
      .select({ id: oauthRequests.clientId })
      .from(oauthRequests)
      .where(eq(oauthRequests.clientId, oauthClients.id));
    const unasked = yield* result(
      db
        .select()
        .from(oauthClients)
        .where(and(never, notExists(pending)))
        .orderBy(asc(oauthClients.createdAtMs), asc(oauthClients.id))
        .limit(MAX_ASKED + EVICTION_SAMPLE)
        .all(),
    );
    const oldest = unasked.filter(({ id }) => !asked.has(id));
    // Only those of hosted assistants, which nobody can copy a whole list of, stay as long as others can go.
    const leaving =
      oldest.find(({ redirectUris }) => !urisOf(redirectUris).every(deps.isListed)) ?? oldest[0];
    if (leaving === undefined) return;
    yield* result(db.delete(oauthClients).where(eq(oauthClients.id, leaving.id)).run());
    // Once, though the transaction may be run again.
    if (!evicted.some(({ id }) => id === leaving.id)) evicted.push(leaving);
  };

  return {
    find(id) {
      return store.read(function* (db) {
        const row = yield* result(byId(db).get({ id }));
        return row === undefined ? undefined : clientOf(row);
      });
    },

    register(metadata, { address, exempt }) {
      const { name, redirectUris, authMethod, grantTypes, applicationType } = metadata;
      const fingerprint = hashSecret(
        JSON.stringify([address, name, redirectUris, authMethod, grantTypes, applicationType]),
        "hex",
      );
      return store.transact(function* (db) {
        const now = runtime.now();
        if (!exempt) {
          yield* refuseAbove(db, limits.registrationsPerHour, rangeOf(address));
          yield* refuseAbove(db, limits.registrationsPerHour * ADDRESSES_PER_SITE, siteRangeOf(address));
        }
        const recent = and(
          eq(oauthClients.fingerprint, fingerprint),
          gt(oauthClients.createdAtMs, now - SAME_CLIENT_MS),
        );
        const same =
          authMethod === "none" && (yield* result(db.select().from(oauthClients).where(recent).get()));
        if (same) {
          yield* result(
            db
              .update(oauthClients)
              .set({ registrations: same.registrations + 1 })
              .where(eq(oauthClients.id, same.id))
              .run(),
          );
          return { client: clientOf(same), secret: null };
        }
        yield* makeRoom(db);
        const secret = authMethod === "none" ? null : newSecret("clientSecret", runtime);
        const row: typeof oauthClients.$inferSelect = {
          id: newSecret("client", runtime),
          kind: "registered",
          name,
          redirectUris: JSON.stringify(redirectUris),
          authMethod,
          secretHash: secret === null ? null : hashSecret(secret, "hex"),
          grantTypes: JSON.stringify(grantTypes),
          applicationType,
          fingerprint,
          address,
          registrations: 1,
          createdAtMs: now,
          lastGrantAtMs: null,
        };
        yield* result(db.insert(oauthClients).values(row).run());
        return { client: clientOf(row), secret };
      });
    },

    noteAsked: (id) => asked.add(id),

    keepDocument(id, metadata, address) {
      return store.transact(function* (db) {
        const said = {
          name: metadata.name,
          redirectUris: JSON.stringify(metadata.redirectUris),
          authMethod: metadata.authMethod,
          grantTypes: JSON.stringify(metadata.grantTypes),
          applicationType: metadata.applicationType,
        };
        const row: typeof oauthClients.$inferSelect = {
          ...said,
          id,
          kind: "document",
          secretHash: null,
          fingerprint: "",
          address,
          registrations: 0,
          createdAtMs: runtime.now(),
          lastGrantAtMs: null,
        };
        yield* result(
          db
            .insert(oauthClients)
            .values(row)
            .onConflictDoUpdate({ target: oauthClients.id, set: said })
            .run(),
        );
        return clientOf(row);
      });
    },

    *purge(db) {
      const now = runtime.now();
      const stale = and(
        or(
          and(isNull(oauthClients.lastGrantAtMs), lt(oauthClients.createdAtMs, now - DAY)),
          lt(oauthClients.lastGrantAtMs, now - 90 * DAY),
        ),
        notExists(
          db
            .select({ id: oauthGrants.id })
            .from(oauthGrants)
            .where(
              and(
                eq(oauthGrants.clientId, oauthClients.id),
                isNull(oauthGrants.revokedAtMs),
                gt(oauthGrants.expiresAtMs, now),
              ),
            ),
        ),
      );
      const gone = yield* result(
        db.delete(oauthClients).where(stale).returning({ id: oauthClients.id }).all(),
      );
      return gone.length;
    },
  };
}

function urisOf(json: string): string[] {
  // Written by this file from a list of strings.
  return JSON.parse(json) as string[];
}

/** The applications that brought somebody lately; bounded, so that nobody can save all of their own. */
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

function clientOf(row: typeof oauthClients.$inferSelect): Client {
  const { id, kind, name, authMethod, secretHash, applicationType, createdAtMs } = row;
  // Both columns were written by this file from lists of strings.
  const redirectUris = urisOf(row.redirectUris);
  const grantTypes = JSON.parse(row.grantTypes) as string[];
  return {
    id,
    kind,
    name,
    redirectUris,
    authMethod,
    grantTypes,
    applicationType,
    secretHash,
    createdAtMs,
  };
}
