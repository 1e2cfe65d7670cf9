import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** People who may hold keys. A deleted user keeps its row (the ledger refers to it) but neither e-mail nor password. */
export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  /** Normalised by `normalizeEmail`; `deleted:{id}` once deleted. */
  email: text("email").notNull().unique(),
  /** Argon2id in PHC form; null while the user has none (made by a command, or signs in elsewhere). */
  passwordHash: text("password_hash"),
  /**
   * When the address was shown to be the user's: by the operator, a one-time link or a provider's word; null after a
   * sign-up that nobody checked.
   */
  provedAtMs: integer("proved_at_ms"),
  role: text("role", { enum: ["owner", "member"] }).notNull(),
  createdAtMs: integer("created_at_ms").notNull(),
  disabledAtMs: integer("disabled_at_ms"),
  deletedAtMs: integer("deleted_at_ms"),
});

/** Signed-in browsers, by the SHA-256 of their cookie. */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text("hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    createdAtMs: integer("created_at_ms").notNull(),
    expiresAtMs: integer("expires_at_ms").notNull(),
    lastSeenAtMs: integer("last_seen_at_ms").notNull(),
    address: text("address").notNull(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expiry").on(table.expiresAtMs)],
);

/** One-time links (set-up of the first owner, invitation, password reset), by the SHA-256 of their secret. */
export const links = sqliteTable("links", {
  hash: text("hash").primaryKey(),
  kind: text("kind", { enum: ["setup", "invite", "reset"] }).notNull(),
  /** Who may use it; null when the user of the link chooses (set-up). */
  email: text("email"),
  createdAtMs: integer("created_at_ms").notNull(),
  expiresAtMs: integer("expires_at_ms").notNull(),
  usedAtMs: integer("used_at_ms"),
});

/** Failed sign-ins that still slow the next one down, by account and address. */
export const signInFailures = sqliteTable(
  "sign_in_failures",
  {
    id: integer("id").primaryKey(),
    /** SHA-256 of the e-mail asked for: what people mistype into the field is not ours to keep. */
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
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    hash: text("hash").notNull().unique(),
    /** The first characters, to tell keys apart in lists. */
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    scope: text("scope").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    expiresAtMs: integer("expires_at_ms"),
    /** From then on it is refused; lies ahead while a rotated key overlaps its successor. */
    revokedAtMs: integer("revoked_at_ms"),
    /** The key that replaces this one. */
    replacedBy: text("replaced_by"),
    lastUsedAtMs: integer("last_used_at_ms"),
    lastUsedAddress: text("last_used_address"),
  },
  (table) => [
    index("keys_user").on(table.userId, table.createdAtMs),
    index("keys_created").on(table.createdAtMs),
  ],
);

/** One line a user: what the ledger adds up to. Changed only together with a ledger entry. */
export const balances = sqliteTable(
  "balances",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id),
    balanceCredits: integer("balance_credits").notNull(),
    /** Entries so far; the next one has this number plus one. */
    entries: integer("entries").notNull(),
    unmetered: integer("unmetered", { mode: "boolean" }).notNull(),
    /** The newest entry's id, from which each entry leads to the one before; null while there is none. */
    newestEntry: integer("newest_entry"),
    /** What the operator has added in all, less what was removed. */
    grantedCredits: integer("granted_credits").notNull().default(0),
    /** The UTC day of the newest charge, in days since 1970, and that day's charges so far; earlier days are in `charged_days`. */
    day: integer("day").notNull().default(0),
    dayCredits: integer("day_credits").notNull().default(0),
    dayCharges: integer("day_charges").notNull().default(0),
  },
  (table) => [check("balance_never_below_zero", sql`${table.balanceCredits} >= 0`)],
);

/**
 * What happened to a balance. Append-only: triggers refuse UPDATE and DELETE. In the order of writing, so that the charges
 * of a commit go to one page whoever they are of; a user's entries are found from `balances` backwards.
 */
export const ledger = sqliteTable(
  "ledger",
  {
    id: integer("id").primaryKey(),
    userId: text("user_id").notNull(),
    /** 1, 2, 3, … for each user without a gap, so that a lost entry shows. */
    entry: integer("entry").notNull(),
    /** The id of the same user's entry before; null for the first. */
    previous: integer("previous"),
    atMs: integer("at_ms").notNull(),
    kind: text("kind", { enum: ["given", "charged", "granted"] }).notNull(),
    /** Signed: charges are negative. The sum over a user's entries is the balance. */
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
 * Old entries of a user rolled up by UTC day: each line names the range of entries that it replaces. Append-only; the
 * ledger lets an entry go only when a line here has it in its range (triggers, written into the migration by hand).
 */
export const rolledLedger = sqliteTable(
  "rolled_ledger",
  {
    userId: text("user_id").notNull(),
    firstEntry: integer("first_entry").notNull(),
    lastEntry: integer("last_entry").notNull(),
    /** What the id of the last entry was: the entry that follows has it as `previous`. */
    lastId: integer("last_id").notNull(),
    /** The id of the entry before the first; null where that was the user's first. */
    previous: integer("previous"),
    /** Days since 1970. */
    day: integer("day").notNull(),
    /** Sums of the amounts of those kinds, signed as in the ledger. */
    grantedCredits: integer("granted_credits").notNull(),
    chargedCredits: integer("charged_credits").notNull(),
    balanceAfterCredits: integer("balance_after_credits").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.firstEntry] }),
    uniqueIndex("rolled_ledger_last").on(table.lastId),
  ],
);

/** What a user was charged on a UTC day that is over: the chart of use never adds up a ledger. */
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

/** What people opened on pages by paying for it, on the dataset of that time. */
export const pageOpenings = sqliteTable(
  "page_openings",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** Content hash of the dataset. */
    dataset: text("dataset").notNull(),
    subject: text("subject").notNull(),
    atMs: integer("at_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.dataset, table.subject] })],
);

/** Named lists of companies that people keep. */
export const peerGroups = sqliteTable(
  "peer_groups",
  {
    id: text("id").primaryKey(),
    /** Null: the local operator's. */
    userId: text("user_id").references(() => users.id),
    name: text("name").notNull(),
    /** CIKs of ten digits in the owner's order, separated by spaces. */
    companies: text("companies").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    changedAtMs: integer("changed_at_ms").notNull(),
  },
  (table) => [index("peer_groups_user").on(table.userId)],
);

/** Requests counted for rate limits, one line a commit; lines older than the window are removed as new ones come. */
export const windowHits = sqliteTable("window_hits", {
  /** Of the lines that stand there the highest is the newest: it never goes, so no number comes twice. */
  id: integer("id").primaryKey(),
  /** The process that wrote it: another one on the same store adds these to its own windows. */
  writer: text("writer").notNull(),
  /** The wall clock when it was written. */
  atMs: integer("at_ms").notNull(),
  /** JSON: window id to ages in ms at that moment. */
  hits: text("hits").notNull(),
});
