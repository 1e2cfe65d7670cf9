import { and, eq, gt, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { oauthClients, oauthGrants } from "../store/oauth.ts";
import type { Store, StoreDb } from "../store/open.ts";
import { hashSecret, mintSecret } from "./secrets.ts";

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
  /** Answered with success in any 24 hours in all. */
  registrationsPerDay: number;
}

/** The applications that are known. */
export interface Clients {
  find(id: string): Client | undefined;
  /**
   * Registers an application. An identical public registration of the same address within ten minutes gets the same client.
   *
   * @param exempt whether the caller is on this very computer and nobody else can be: counted, never refused
   * @throws ServiceError `rate_limited`
   */
  register(metadata: ClientMetadata, caller: { address: string; exempt: boolean }): Promise<Registration>;
  /** Keeps what a metadata document last said, so that its tokens work while the document is out of reach. */
  keepDocument(id: string, metadata: ClientMetadata, address: string): Promise<Client>;
  /** Removes clients without a grant after a day, and those whose last grant is gone after 90; inside a commit. */
  purge(db: StoreDb): number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SAME_CLIENT_MS = 10 * 60_000;

/** The clients of a store. */
export function createClients(deps: { store: Store; runtime: Runtime; limits: RegistrationLimits }): Clients {
  const { store, runtime, limits } = deps;
  const byId = store.once((db) =>
    db
      .select()
      .from(oauthClients)
      .where(eq(oauthClients.id, sql.placeholder("id")))
      .prepare(),
  );

  const answered = (
    db: StoreDb,
    sinceMs: number,
    address?: string,
  ): { count: number; oldestMs: number | null } => {
    const mine = address === undefined ? undefined : eq(oauthClients.address, address);
    const row = db
      .select({
        count: sql<number>`coalesce(sum(${oauthClients.registrations}), 0)`,
        oldestMs: sql<number | null>`min(${oauthClients.createdAtMs})`,
      })
      .from(oauthClients)
      .where(and(eq(oauthClients.kind, "registered"), gt(oauthClients.createdAtMs, sinceMs), mine))
      .get();
    return row ?? { count: 0, oldestMs: null };
  };

  const refuseAbove = (db: StoreDb, quota: number, windowMs: number, address?: string) => {
    const now = runtime.now();
    const { count, oldestMs } = answered(db, now - windowMs, address);
    if (count < quota) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(((oldestMs ?? now) + windowMs - now) / 1000));
    const whose = address === undefined ? "in all" : "from this address";
    throw new ServiceError(
      "rate_limited",
      `${quota} applications were registered ${whose} within ${windowMs / HOUR} hours, which is the limit. ` +
        `Try again in ${retryAfterSeconds} seconds, or reuse a client_id that was issued before.`,
      { retryAfterSeconds },
    );
  };

  return {
    find(id) {
      const row = store.read(() => byId().get({ id }));
      return row === undefined ? undefined : clientOf(row);
    },

    register(metadata, { address, exempt }) {
      const { name, redirectUris, authMethod, grantTypes, applicationType } = metadata;
      const fingerprint = hashSecret(
        JSON.stringify([address, name, redirectUris, authMethod, grantTypes, applicationType]),
      );
      return store.transact((db) => {
        const now = runtime.now();
        if (!exempt) {
          refuseAbove(db, limits.registrationsPerHour, HOUR, address);
          refuseAbove(db, limits.registrationsPerDay, DAY);
        }
        const same =
          authMethod === "none" &&
          db
            .select()
            .from(oauthClients)
            .where(
              and(
                eq(oauthClients.fingerprint, fingerprint),
                gt(oauthClients.createdAtMs, now - SAME_CLIENT_MS),
              ),
            )
            .get();
        if (same) {
          db.update(oauthClients)
            .set({ registrations: same.registrations + 1 })
            .where(eq(oauthClients.id, same.id))
            .run();
          return { client: clientOf(same), secret: null };
        }
        const secret = authMethod === "none" ? null : mintSecret(runtime, "clientSecret");
        const row: typeof oauthClients.$inferSelect = {
          id: mintSecret(runtime, "client"),
          kind: "registered",
          name,
          redirectUris: JSON.stringify(redirectUris),
          authMethod,
          secretHash: secret === null ? null : hashSecret(secret),
          grantTypes: JSON.stringify(grantTypes),
          applicationType,
          fingerprint,
          address,
          registrations: 1,
          createdAtMs: now,
          lastGrantAtMs: null,
        };
        db.insert(oauthClients).values(row).run();
        return { client: clientOf(row), secret };
      });
    },

    keepDocument(id, metadata, address) {
      return store.transact((db) => {
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
        db.insert(oauthClients).values(row).onConflictDoUpdate({ target: oauthClients.id, set: said }).run();
        return clientOf(row);
      });
    },

    purge(db) {
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
      return db.delete(oauthClients).where(stale).returning({ id: oauthClients.id }).all().length;
    },
  };
}

function clientOf(row: typeof oauthClients.$inferSelect): Client {
  const { id, kind, name, authMethod, secretHash, applicationType, createdAtMs } = row;
  // Both columns were written by this file from lists of strings.
  const redirectUris = JSON.parse(row.redirectUris) as string[];
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
