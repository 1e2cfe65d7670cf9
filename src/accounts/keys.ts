import { hashSecret, isTestKey, newSecret, READ_SCOPE, SECRETS } from "./credentials.ts";
import { and, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Runtime } from "../runtime.ts";
import { invalid } from "../errors.ts";
import { type Act, type Actor, type AuditEvent, OPERATOR, recordAuditEvent } from "../store/audit.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { keys, users } from "../store/schema.ts";
import { giveFirstCredits } from "./credits.ts";
import { type Holders, type StoredCredential, StoredHolders } from "./principal.ts";
import { endOf, isLarge } from "./users.ts";

type KeyRow = typeof keys.$inferSelect;

/** An API key, without the secret, which is shown once and not stored. */
export type Key = Omit<KeyRow, "hash">;

/** A key in a list across users. */
export interface ListedKey extends Key {
  email: string;
}

/** Position of the last key of a page; the next page continues before it. */
export interface KeyPlace {
  createdAtMs: number;
  id: string;
}

/** A new key, with its secret, which is shown only now. */
export interface NewKey {
  secret: string;
  key: Key;
}

/** How long the old key keeps working after a rotation, in ms. */
export const OVERLAPS_MS = {
  none: 0,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
} as const;

/** Maximum length of a key's name, in characters. */
const MAX_NAME_LENGTH = 100;

/** Maximum number of active keys per user. */
const MAX_KEYS = 100;

/** Keys as credentials of requests. In the look-up, a join takes three times as long (and EXISTS is turned into one). */
const CREDENTIAL: StoredCredential = {
  secret: "key",
  find:
    `SELECT 'key' AS kind, k.id AS "keyId", k.user_id AS "userId", k.id AS "usedId", k.expires_at_ms AS "endsAtMs",` +
    ` k.last_used_at_ms AS "usedAtMs" FROM keys k WHERE k.hash = ? AND k.revoked_at_ms IS NULL` +
    " AND (SELECT 1 FROM users u WHERE u.id = k.user_id AND u.disabled_at_ms IS NULL AND u.deleted_at_ms IS NULL) = 1",
  write: (tx, keyId, { atMs, address }) =>
    tx.rows("UPDATE keys SET last_used_at_ms = ?, last_used_address = ? WHERE id = ?", atMs, address, keyId),
};

/** API keys: creation, look-up, rotation and revocation. */
export class Keys implements Holders<"key"> {
  private readonly holders: StoredHolders<"key">;

  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "id" | "secret">,
  ) {
    this.holders = new StoredHolders(store, runtime, CREDENTIAL);
  }

  find(secret: string, address: string): ReturnType<Holders<"key">["find"]> {
    return this.holders.find(secret, address);
  }

  /**
   * Creates a key; a user's first key also gives the first credits, in the same transaction. Refuses an invalid name or
   * expiry with `invalid_parameter`.
   * @param options.isTest whether it is a test key, which is never charged
   */
  create(
    userId: string,
    options: { name: string; expiresAtMs?: number | null; isTest?: boolean },
    actor: Actor = OPERATOR,
  ): Promise<NewKey> {
    const { isTest = false, expiresAtMs: endsAtMs = null } = options;
    const created = makeKey(this.runtime, userId, readKeyName(options.name), endsAtMs, isTest);
    return this.store.transact(async (tx) => {
      const { name, prefix, expiresAtMs } = created.row;
      const expires = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
      const after = { name, prefix, expires };
      await recordAuditEvent(tx, this.runtime.now(), actor, keyEvent("key_created", created.row, { after }));
      return await insertKey(tx, created);
    });
  }

  /** A user's keys, newest first; all users' keys if no user is given. */
  list(userId?: string): Promise<readonly Key[]> {
    return this.store.read(async (db) => {
      const rows = await db
        .select()
        .from(keys)
        .where(userId === undefined ? undefined : eq(keys.userId, userId))
        .orderBy(desc(keys.createdAtMs), desc(keys.id))
        .all();
      return rows.map(withoutHash);
    });
  }

  /**
   * A page of all users' keys, newest first.
   * @param options.text text to find in name, prefix, id or the user's e-mail, ignoring case; empty for all. In a
   * large table the text must be a prefix, and the first thousand matches of each kind are found
   * @param options.before end of the previous page
   */
  page(options: {
    text: string;
    before: KeyPlace | undefined;
    limit: number;
  }): Promise<readonly ListedKey[]> {
    const { before, limit } = options;
    const text = options.text.trim();
    const older = before && sql`(${keys.createdAtMs}, ${keys.id}) < (${before.createdAtMs}, ${before.id})`;
    return this.store.read(async (db) => {
      const has = (await isLarge(db, "keys")) ? beginningWith(text) : containing(text.toLowerCase());
      const rows = await db
        .select({ key: keys, email: users.email })
        .from(keys)
        .innerJoin(users, eq(users.id, keys.userId))
        .where(and(older, text === "" ? undefined : has))
        .orderBy(desc(keys.createdAtMs), desc(keys.id))
        .limit(limit)
        .all();
      return rows.map(({ key, email }) => ({ ...withoutHash(key), email }));
    });
  }

  /**
   * Replaces a key by a new one with the same name and expiry; the old one expires after the overlap. Refuses with
   * `invalid_parameter` if the key is not this user's, no longer works or was replaced before.
   *
   * @param userId the key's required owner; null for the operator
   */
  rotate(
    userId: string | null,
    keyId: string,
    overlap: keyof typeof OVERLAPS_MS,
    actor: Actor = OPERATOR,
  ): Promise<NewKey> {
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const old = await requireKey(tx, userId, keyId);
      if (hasEnded(old, nowMs)) {
        throw invalid(`Key ${keyId} has expired or was revoked: create a new one instead.`);
      }
      if (old.replacedBy !== null) {
        throw invalid(`Key ${keyId} was replaced already: rotate its successor.`);
      }
      const created = makeKey(this.runtime, old.userId, old.name, old.expiresAtMs, isTestKey(old.prefix));
      const before = { name: old.name, prefix: old.prefix };
      const after = { id: created.row.id, prefix: created.row.prefix, overlap };
      await recordAuditEvent(tx, nowMs, actor, keyEvent("key_rotated", old, { before, after }));
      const endMs = Math.min(nowMs + OVERLAPS_MS[overlap], old.expiresAtMs ?? Number.POSITIVE_INFINITY);
      const replaced = overlap === "none" ? { revokedAtMs: nowMs } : { expiresAtMs: endMs };
      await tx
        .update(keys)
        .set({ ...replaced, replacedBy: created.row.id })
        .where(eq(keys.id, keyId))
        .run();
      return await insertKey(tx, created);
    });
  }

  /** Renames a key. Refuses with `invalid_parameter` if the key is not this user's, or the name is invalid. */
  rename(userId: string | null, keyId: string, name: string, actor: Actor = OPERATOR): Promise<Key> {
    const newName = readKeyName(name);
    return this.store.transact(async (tx) => {
      const row = await requireKey(tx, userId, keyId);
      const details = { before: { name: row.name }, after: { name: newName } };
      await recordAuditEvent(tx, this.runtime.now(), actor, keyEvent("key_renamed", row, details));
      await tx.update(keys).set({ name: newName }).where(eq(keys.id, keyId)).run();
      return withoutHash({ ...row, name: newName });
    });
  }

  /**
   * Revokes a key immediately; has no effect on one that is already revoked. Refuses with `invalid_parameter` if the
   * key does not exist or is not this user's.
   *
   * @param userId the key's required owner; null for the operator, who may revoke any
   */
  revoke(userId: string | null, keyId: string, actor: Actor = OPERATOR): Promise<Key> {
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const row = await requireKey(tx, userId, keyId);
      if (row.revokedAtMs !== null) return withoutHash(row);
      const before = { name: row.name, prefix: row.prefix };
      await recordAuditEvent(tx, nowMs, actor, keyEvent("key_revoked", row, { before }));
      await tx.update(keys).set({ revokedAtMs: nowMs }).where(eq(keys.id, keyId)).run();
      return withoutHash({ ...row, revokedAtMs: nowMs });
    });
  }
}

const containing = (word: string): SQL | undefined =>
  or(
    ...[keys.name, keys.prefix, keys.id, users.email].map((part) => sql`instr(lower(${part}), ${word}) > 0`),
  );

/** By index: among a million keys, the same answer by `instr` takes over a second. */
function beginningWith(text: string): SQL {
  const word = text.toLowerCase();
  const some = (from: SQL) => sql`SELECT id FROM (SELECT k.id FROM keys k ${from} LIMIT 1000) AS found`;
  return sql`${keys.id} IN (
    SELECT id FROM keys WHERE id = ${word}
    UNION ${some(sql`WHERE k.prefix >= ${text} AND k.prefix < ${endOf(text)}`)}
    UNION ${some(sql`WHERE lower(k.name) >= ${word} AND lower(k.name) < ${endOf(word)}`)}
    UNION ${some(sql`JOIN users u ON u.id = k.user_id WHERE u.email >= ${word} AND u.email < ${endOf(word)}`)})`;
}

function keyEvent(
  act: Act,
  { id, userId }: KeyRow,
  details: Pick<AuditEvent, "before" | "after">,
): AuditEvent {
  return { act, userId, subject: id, ...details };
}

function makeKey(
  runtime: Pick<Runtime, "now" | "id" | "secret">,
  userId: string,
  name: string,
  expiresAtMs: number | null,
  isTest: boolean,
): { secret: string; row: KeyRow } {
  const nowMs = runtime.now();
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw invalid("The expiry is in the past: choose a later time.");
  }
  const kind = isTest ? "testKey" : "key";
  const secret = newSecret(kind, runtime);
  const row = {
    id: runtime.id(),
    userId,
    name,
    hash: hashSecret(secret, "base64"),
    prefix: secret.slice(0, SECRETS[kind].prefix.length + 4),
    lastFour: secret.slice(-4),
    scope: READ_SCOPE,
    createdAtMs: nowMs,
    expiresAtMs,
    revokedAtMs: null,
    replacedBy: null,
    lastUsedAtMs: null,
    lastUsedAddress: null,
  };
  return { secret, row };
}

async function insertKey(tx: StoreDb, { secret, row }: ReturnType<typeof makeKey>): Promise<NewKey> {
  const nowMs = row.createdAtMs;
  const live = and(
    eq(keys.userId, row.userId),
    isNull(keys.revokedAtMs),
    or(isNull(keys.expiresAtMs), gt(keys.expiresAtMs, nowMs)),
  );
  if ((await tx.$count(keys, live)) >= MAX_KEYS) {
    throw invalid(`A user may have ${MAX_KEYS} keys: revoke one first.`);
  }
  await tx.insert(keys).values(row).run();
  await giveFirstCredits(tx, row.userId, nowMs);
  return { secret, key: withoutHash(row) };
}

/** Revokes all keys of a user immediately. Inside a transaction. */
export async function revokeAllKeys(tx: StoreDb, userId: string, nowMs: number): Promise<void> {
  const live = and(eq(keys.userId, userId), isNull(keys.revokedAtMs));
  await tx.update(keys).set({ revokedAtMs: nowMs }).where(live).run();
}

/** Whether a key no longer works. A revoked one does not, even if the clock is wrong. */
export function hasEnded(
  { expiresAtMs, revokedAtMs }: Pick<Key, "expiresAtMs" | "revokedAtMs">,
  nowMs: number,
) {
  return revokedAtMs !== null || (expiresAtMs !== null && expiresAtMs <= nowMs);
}

/** When a key stops or stopped working; infinity if never. */
export function endsAt({ expiresAtMs, revokedAtMs }: Pick<Key, "expiresAtMs" | "revokedAtMs">): number {
  return Math.min(expiresAtMs ?? Number.POSITIVE_INFINITY, revokedAtMs ?? Number.POSITIVE_INFINITY);
}

async function requireKey(tx: StoreDb, userId: string | null, keyId: string): Promise<KeyRow> {
  const row = await tx.select().from(keys).where(eq(keys.id, keyId)).get();
  if (row !== undefined && (userId === null || row.userId === userId)) return row;
  throw invalid(`No such key: ${JSON.stringify(keyId)}. Give its id, as execcomp keys list shows it.`);
}

/** Normalizes a key's name. Refuses with `invalid_parameter`. */
export function readKeyName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== "" && trimmed.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw invalid(
    `Cannot name a key ${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))}: expected 1 to ${MAX_NAME_LENGTH} printable characters.`,
  );
}

function withoutHash({ hash: _hash, ...key }: KeyRow): Key {
  return key;
}
