import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Users. A deleted user keeps the row, because the ledger refers to it, but not the e-mail address and password. */
export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    /** Normalized by `normalizeEmail`; `deleted:{id}` once deleted. */
    email: text("email").notNull().unique(),
    /** Argon2id in PHC format; null without a password (created by a command, or single sign-on). */
    passwordHash: text("password_hash"),
    /**
     * When the address was verified: by the operator, a one-time link or the sign-on provider; null
     * after an unverified sign-up.
     */
    provedAtMs: integer("proved_at_ms"),
    role: text("role", { enum: ["owner", "member"] }).notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    disabledAtMs: integer("disabled_at_ms"),
    deletedAtMs: integer("deleted_at_ms"),
  },
  // Finds an owner among a million users.
  (table) => [
    index("users_present")
      .on(table.role)
      .where(sql`deleted_at_ms IS NULL`),
  ],
);

/** The column of the user that a row belongs to. */
export const userId = () =>
  text("user_id")
    .notNull()
    .references(() => users.id);

/** Numbers of undeleted users and of keys, maintained by triggers, so that pages need not count a million rows. */
export const rowCounts = sqliteTable("row_counts", {
  name: text("name", { enum: ["users", "keys"] }).primaryKey(),
  n: integer("n").notNull(),
});

/** Sessions of signed-in browsers, by the SHA-256 of their cookie. */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text("hash").primaryKey(),
    userId: userId(),
    createdAtMs: integer("created_at_ms").notNull(),
    expiresAtMs: integer("expires_at_ms").notNull(),
    lastSeenAtMs: integer("last_seen_at_ms").notNull(),
    address: text("address").notNull(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expiry").on(table.expiresAtMs)],
);

/** One-time links (first owner's set-up, invitation, password reset), by the SHA-256 of their secret. */
export const links = sqliteTable("links", {
  hash: text("hash").primaryKey(),
  kind: text("kind", { enum: ["setup", "invite", "reset"] }).notNull(),
  /** The address it is for; null if its user chooses (set-up). */
  email: text("email"),
  /** Who created it, as in the audit log; null for links older than this column whose creator is not in the log. */
  madeBy: text("made_by"),
  /** What an invited user becomes and is given; null for other links. */
  role: text("role", { enum: ["owner", "member"] }),
  credits: integer("credits"),
  createdAtMs: integer("created_at_ms").notNull(),
  expiresAtMs: integer("expires_at_ms").notNull(),
  usedAtMs: integer("used_at_ms"),
});

/** Failed sign-ins that still slow down the next attempt, by account and address. */
export const signInFailures = sqliteTable(
  "sign_in_failures",
  {
    id: integer("id").primaryKey(),
    /** SHA-256 of the e-mail address entered, so that mistyped input is not stored. */
    account: text("account").notNull(),
    address: text("address").notNull(),
    atMs: integer("at_ms").notNull(),
  },
  (table) => [
    index("sign_in_failures_account").on(table.account, table.atMs),
    index("sign_in_failures_address").on(table.address, table.atMs),
    index("sign_in_failures_time").on(table.atMs),
  ],
);

/** API keys, by the SHA-256 of the key. */
export const keys = sqliteTable(
  "keys",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    name: text("name").notNull(),
    hash: text("hash").notNull().unique(),
    /** The first characters, to distinguish keys in lists. */
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    scope: text("scope").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    /** Also the end of a rotated key's overlap with its successor. */
    expiresAtMs: integer("expires_at_ms"),
    /** When it was revoked: it is refused from then on, even if a clock is wrong. */
    revokedAtMs: integer("revoked_at_ms"),
    /** The key that replaces this one. */
    replacedBy: text("replaced_by"),
    lastUsedAtMs: integer("last_used_at_ms"),
    lastUsedAddress: text("last_used_address"),
  },
  (table) => [
    index("keys_user").on(table.userId, table.createdAtMs),
    index("keys_created").on(table.createdAtMs, table.id),
    index("keys_prefix").on(table.prefix),
    index("keys_name").on(sql`lower(name)`),
  ],
);

/** One row per user with the sum of the ledger. Changed only together with a ledger entry. */
export const balances = sqliteTable(
  "balances",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id),
    balanceCredits: integer("balance_credits").notNull(),
    /** Number of entries; the next one is numbered one higher. */
    entries: integer("entries").notNull(),
    unmetered: integer("unmetered", { mode: "boolean" }).notNull(),
    /** Id of the newest entry, from which each entry links to the previous one; null without entries. */
    newestEntry: integer("newest_entry"),
    /** Credits added by the operator, net of removals. */
    grantedCredits: integer("granted_credits").notNull().default(0),
    /**
     * The UTC day of the newest charge, in days since 1970, and that day's charges; earlier days are in `charged_days`.
     */
    day: integer("day").notNull().default(0),
    dayCredits: integer("day_credits").notNull().default(0),
    dayCharges: integer("day_charges").notNull().default(0),
  },
  (table) => [check("balance_never_below_zero", sql`${table.balanceCredits} >= 0`)],
);

/**
 * Changes to balances. Append-only: triggers refuse UPDATE and DELETE. Ordered by time of writing, so that all charges
 * of a commit share a page; a user's entries are found backwards from `balances`.
 */
export const ledger = sqliteTable(
  "ledger",
  {
    id: integer("id").primaryKey(),
    userId: text("user_id").notNull(),
    /** Numbered 1, 2, 3, … per user, so that a lost entry leaves a gap. */
    entry: integer("entry").notNull(),
    /** Id of the user's previous entry; null for the first. */
    previous: integer("previous"),
    atMs: integer("at_ms").notNull(),
    kind: text("kind", { enum: ["given", "charged", "granted"] }).notNull(),
    /** Negative for charges. The sum of a user's entries is the balance. */
    amountCredits: integer("amount_credits").notNull(),
    balanceAfterCredits: integer("balance_after_credits").notNull(),
    operation: text("operation"),
    ticker: text("ticker"),
    requestId: text("request_id"),
  },
  (table) => [
    uniqueIndex("ledger_given_once")
      .on(table.userId)
      .where(sql`kind = 'given'`),
    check("entry_follows_one", sql`(${table.entry} = 1) = (${table.previous} IS NULL)`),
  ],
);

/**
 * Old entries rolled up per user and UTC day; each row replaces a range of entries. Append-only; hand-written triggers
 * in the migration let the ledger delete only entries within the range of a row here.
 */
export const rolledLedger = sqliteTable(
  "rolled_ledger",
  {
    userId: text("user_id").notNull(),
    firstEntry: integer("first_entry").notNull(),
    lastEntry: integer("last_entry").notNull(),
    /** Id of the last entry replaced, which is the following entry's `previous`. */
    lastId: integer("last_id").notNull(),
    /** Id of the entry before the first; null if that was the user's first. */
    previous: integer("previous"),
    /** Days since 1970. */
    day: integer("day").notNull(),
    /** Sums by kind, signed as in the ledger. */
    grantedCredits: integer("granted_credits").notNull(),
    chargedCredits: integer("charged_credits").notNull(),
    balanceAfterCredits: integer("balance_after_credits").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.firstEntry] }),
    uniqueIndex("rolled_ledger_last").on(table.lastId),
  ],
);

/** A user's charges on a completed UTC day, so that usage charts need not sum the ledger. */
export const chargedDays = sqliteTable(
  "charged_days",
  {
    userId: text("user_id").notNull(),
    /** Days since 1970. */
    day: integer("day").notNull(),
    credits: integer("credits").notNull(),
    charges: integer("charges").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);

/** Records people paid to open on pages, by dataset. */
export const pageOpenings = sqliteTable(
  "page_openings",
  {
    userId: userId(),
    /** Content hash of the dataset. */
    dataset: text("dataset").notNull(),
    subject: text("subject").notNull(),
    atMs: integer("at_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.dataset, table.subject] })],
);

/** People's named lists of companies. */
export const peerGroups = sqliteTable(
  "peer_groups",
  {
    id: text("id").primaryKey(),
    /** Null for the local operator. */
    userId: text("user_id").references(() => users.id),
    name: text("name").notNull(),
    /** Ten-digit CIKs in the owner's order, separated by spaces. */
    companies: text("companies").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    changedAtMs: integer("changed_at_ms").notNull(),
  },
  (table) => [index("peer_groups_user").on(table.userId)],
);

/**
 * Requests counted for rate limits, one row per commit; rows older than the window are removed as new ones are added.
 */
export const windowHits = sqliteTable("window_hits", {
  /** The newest row is never removed, so numbers are not reused. */
  id: integer("id").primaryKey(),
  /** The process that wrote it; other processes on the store add these requests to their own windows. */
  writer: text("writer").notNull(),
  /** Wall clock time of writing. */
  atMs: integer("at_ms").notNull(),
  /** JSON: window id to ages in ms at that time. */
  hits: text("hits").notNull(),
});

/**
 * Links users to OpenID Connect identities: issuer and subject are stable, while an e-mail address can be reassigned.
 */
export const identities = sqliteTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: userId(),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identities_user").on(table.userId),
  ],
);
