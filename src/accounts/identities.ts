import { and, eq } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { ServiceError } from "../errors.ts";
import { recordAuditEvent } from "../store/audit.ts";
import { identities, users } from "../store/schema.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { revokeAllKeys } from "./keys.ts";
import { type Browser, endSessions, type NewSession, type Sessions } from "./sessions.ts";
import { normalizeEmail, insertUser, toUser, type Users } from "./users.ts";

/** Verified claims of a provider about a person. */
export interface Claims {
  issuer: string;
  subject: string;
  /** Null if the provider sent none, or has not verified it. */
  verifiedEmail: string | null;
}

/** Dependencies of single sign-on. */
export interface IdentityDeps {
  store: Store;
  runtime: Pick<Runtime, "now" | "id">;
  sessions: Sessions;
  users: Pick<Users, "endAccess">;
  /** Domains whose addresses may create an account, in lower case; if empty, only existing users can sign in. */
  domains: readonly string[];
}

/**
 * Signs in a person whom a provider has authenticated. People are identified by issuer and subject; on the first
 * sign-in, by the verified e-mail of an existing account, which is then linked. With allowed domains, a missing account
 * is created. Refuses with `forbidden` and a message for the person.
 *
 * @param browser where the person signs in; its previous session ends
 */
export function signInByIdentity(deps: IdentityDeps, claims: Claims, browser: Browser): Promise<NewSession> {
  return deps.store.transact(async (tx) => {
    const row = (await linked(tx, claims)) ?? (await link(deps, tx, claims, browser));
    if (row.disabledAtMs !== null || row.deletedAtMs !== null) {
      throw new ServiceError("forbidden", "This account is disabled. Ask the owner of this server.");
    }
    return await deps.sessions.open(tx, toUser(row), browser, "provider");
  });
}

type UserRow = typeof users.$inferSelect;

async function linked(tx: StoreDb, { issuer, subject }: Claims): Promise<UserRow | undefined> {
  const found = await tx
    .select()
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
    .get();
  return found?.users;
}

async function link(deps: IdentityDeps, tx: StoreDb, claims: Claims, browser: Browser): Promise<UserRow> {
  const { runtime, domains } = deps;
  const email = requireEmail(claims.verifiedEmail, domains);
  const there = await tx.select().from(users).where(eq(users.email, email)).get();
  if (there === undefined && domains.length === 0) {
    throw new ServiceError(
      "forbidden",
      `No account for ${email}. Ask the owner of this server for an invitation.`,
    );
  }
  const user = { email, passwordHash: null, role: "member", proved: true } as const;
  const row = there ?? (await insertUser(tx, runtime, user)).row;
  if (there === undefined) {
    const { address, userAgent } = browser;
    const self = { actor: row.id, address, userAgent, form: null };
    const after = { role: row.role, with: "provider" };
    await recordAuditEvent(tx, runtime.now(), self, { act: "user_registered", userId: row.id, after });
  }
  const { issuer, subject } = claims;
  const other = await tx
    .select()
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.userId, row.id)))
    .get();
  // The provider has reassigned the address; the account remains linked to the earlier identity.
  if (other !== undefined) {
    throw new ServiceError(
      "forbidden",
      `${email} is linked to another account of this provider. Ask the owner of this server.`,
    );
  }
  await tx.insert(identities).values({ issuer, subject, userId: row.id, createdAtMs: runtime.now() }).run();
  if (row.provedAtMs === null) await revokeUnverified(deps, tx, row.id);
  return row;
}

/**
 * Revokes what an unverified sign-up created: someone else may have registered the address and waited for its owner.
 * Ends its password, sessions, connected applications and keys.
 */
async function revokeUnverified(
  { runtime, users: people }: IdentityDeps,
  tx: StoreDb,
  userId: string,
): Promise<void> {
  const nowMs = runtime.now();
  const proved = { passwordHash: null, provedAtMs: nowMs };
  await tx.update(users).set(proved).where(eq(users.id, userId)).run();
  await endSessions(tx, userId);
  await people.endAccess(tx, userId);
  await revokeAllKeys(tx, userId, nowMs);
}

function requireEmail(verified: string | null, domains: readonly string[]): string {
  if (verified === null) {
    throw new ServiceError("forbidden", "The provider sent no verified e-mail address.");
  }
  const email = normalizeEmail(verified);
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (domains.length > 0 && !domains.includes(domain)) {
    throw new ServiceError("forbidden", `Addresses at ${domain} may not sign in.`);
  }
  return email;
}
