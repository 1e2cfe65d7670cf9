import { eq, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ServiceError } from "../errors.ts";
import { result, type StoreDb, type Work } from "./work.ts";

/** Everything that the audit log tells of: the act, and what it is called where people read it. */
export const ACTS = {
  signed_in: "Signed in",
  sign_in_failed: "Sign-in failed",
  signed_out: "Signed out",
  signed_out_everywhere: "Signed out everywhere",
  user_created: "User created",
  user_registered: "User registered",
  user_invited: "User invited",
  invitation_accepted: "Invitation accepted",
  reset_link_created: "Reset link created",
  password_changed: "Password changed",
  user_disabled: "User disabled",
  user_enabled: "User enabled",
  user_deleted: "User deleted",
  user_unmetered: "Charging switched off",
  user_metered: "Charging switched on",
  credits_granted: "Credits granted",
  key_created: "Key created",
  key_renamed: "Key renamed",
  key_rotated: "Key rotated",
  key_revoked: "Key revoked",
  app_connected: "App connected",
  app_disconnected: "App disconnected",
  dataset_installed: "Dataset installed",
  dataset_rolled_back: "Dataset rolled back",
  ingest_started: "Ingest started",
  ingest_stopped: "Ingest stopped",
  backup_made: "Backup made",
  backup_downloaded: "Backup downloaded",
  store_restored: "Backup restored",
  audit_exported: "Audit log exported",
  audit_expired: "Old audit entries deleted",
  ledger_rolled_up: "Old ledger entries rolled up",
} as const satisfies Readonly<Record<string, string>>;

/** One of them. */
export type Act = keyof typeof ACTS;

/** The names of all acts. */
// ACTS is a constant of this file: its keys are exactly the names.
export const ACT_NAMES = Object.keys(ACTS) as [Act, ...Act[]];

/**
 * What was done, by whom. Append-only: triggers (written into the migration by hand) refuse every UPDATE, and every
 * DELETE but of entries that are older than an `audit_expired` entry says: nothing goes without an entry that tells of
 * it. People stand in it by their id, so that who is deleted is a number here too.
 */
export const audit = sqliteTable(
  "audit",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    atMs: integer("at_ms").notNull(),
    /** A user's id; `operator` at the command line, `server` by itself, `visitor` for somebody not signed in. */
    actor: text("actor").notNull(),
    address: text("address"),
    userAgent: text("user_agent"),
    act: text("act", { enum: ACT_NAMES }).notNull(),
    /** Whose account it was about. */
    userId: text("user_id"),
    /** What it was about, where that is not the account: a key's id, an invited address, a content hash. */
    subject: text("subject"),
    /** JSON: what was so before and after; never a secret. */
    before: text("before"),
    after: text("after"),
    /** What a form was sent with, so that the same form sent twice does its work once. */
    form: text("form"),
  },
  (table) => [
    index("audit_time").on(table.atMs),
    index("audit_act").on(table.act, table.atMs),
    index("audit_actor").on(table.actor, table.atMs),
    index("audit_user").on(table.userId, table.atMs),
    uniqueIndex("audit_form")
      .on(table.form)
      .where(sql`form IS NOT NULL`),
  ],
);

/** Who acts, from where, with what. */
export interface Actor {
  /** As in the table. */
  actor: string;
  address: string | null;
  userAgent: string | null;
  /** The number of the form that was sent; null where there was none. */
  form: string | null;
}

/** Whoever may run commands on this machine. */
export const OPERATOR: Actor = { actor: "operator", address: null, userAgent: null, form: null };

/** The server, unasked. */
export const SERVER: Actor = { ...OPERATOR, actor: "server" };

/** What an entry says besides when and by whom. */
export interface Deed {
  act: Act;
  /** Whose account it is about. */
  userId?: string | null;
  subject?: string | null;
  before?: Details;
  after?: Details;
}

type Details = Readonly<Record<string, string | number | boolean | null>>;

/** A form that was sent twice: its work was done the first time, and nothing was done now. */
export class RepeatedForm extends ServiceError {
  constructor() {
    super("invalid_parameter", "This form was sent twice. It was carried out once.");
  }
}

/** A whole secret of ours, which somebody may have given as a name; what lists show of a key is shorter. */
const SECRET = /xc_[a-z]+_[0-9A-Za-z_]{12,}/g;

function withoutSecrets(text: string): string {
  return text.includes("xc_") ? text.replaceAll(SECRET, "xc_…") : text;
}

/** Longest text of another program's that is kept. */
const MAX_USER_AGENT = 200;

/**
 * Writes what is done into the log, in the transaction that does it: both are on disk, or neither.
 * @throws RepeatedForm when the form was sent before; the transaction's own work is undone
 */
export function* recordDeed(
  tx: StoreDb,
  nowMs: number,
  { actor, address, userAgent, form }: Actor,
  deed: Deed,
): Work<void> {
  if (form !== null) {
    const sent = yield* result(tx.select({ id: audit.id }).from(audit).where(eq(audit.form, form)).get());
    if (sent !== undefined) throw new RepeatedForm();
  }
  const { act, before, after } = deed;
  yield* result(
    tx
      .insert(audit)
      .values({
        atMs: nowMs,
        actor,
        address,
        userAgent: userAgent === null ? null : withoutSecrets(userAgent.slice(0, MAX_USER_AGENT)),
        act,
        userId: deed.userId ?? null,
        subject: deed.subject ?? null,
        before: before === undefined ? null : withoutSecrets(JSON.stringify(before)),
        after: after === undefined ? null : withoutSecrets(JSON.stringify(after)),
        form,
      })
      .run(),
  );
}
