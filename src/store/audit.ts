import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ServiceError } from "../errors.ts";
import { users } from "./schema.ts";
import type { StoreDb } from "./store.ts";

/** The actions in the audit log, with their labels. */
export const ACTS = {
  signed_in: "Signed in",
  sign_in_failed: "Sign-in failed",
  signed_out: "Signed out",
  signed_out_everywhere: "Signed out everywhere",
  user_created: "User created",
  user_registered: "User registered",
  user_invited: "User invited",
  invitation_withdrawn: "Invitation withdrawn",
  invitation_accepted: "Invitation accepted",
  reset_link_created: "Reset link created",
  reset_link_withdrawn: "Reset link withdrawn",
  password_changed: "Password changed",
  user_disabled: "User disabled",
  user_enabled: "User enabled",
  user_deleted: "User deleted",
  role_changed: "Role changed",
  user_unmetered: "Charging switched off",
  user_metered: "Charging switched on",
  credits_given: "Free credits received",
  credits_granted: "Credits granted",
  key_created: "Key created",
  key_renamed: "Key renamed",
  key_rotated: "Key rotated",
  key_revoked: "Key revoked",
  app_connected: "App connected",
  app_disconnected: "App disconnected",
  group_created: "Peer group created",
  group_changed: "Peer group changed",
  group_deleted: "Peer group deleted",
  dataset_installed: "Dataset installed",
  dataset_rolled_back: "Dataset rolled back",
  dataset_exported: "Dataset exported",
  ingest_started: "Ingest started",
  ingest_stopped: "Ingest stopped",
  backup_made: "Backup made",
  backup_downloaded: "Backup downloaded",
  store_restored: "Backup restored",
  audit_exported: "Audit log exported",
  usage_exported: "Usage exported",
  mail_tested: "Test mail sent",
  audit_expired: "Old audit entries deleted",
  ledger_rolled_up: "Old ledger entries rolled up",
} as const satisfies Readonly<Record<string, string>>;

/** An action. */
export type Act = keyof typeof ACTS;

/** The names of all actions. */
// Object.keys is typed as string[]; the keys of this constant are exactly the names.
export const ACT_NAMES = Object.keys(ACTS) as [Act, ...Act[]];

/**
 * The audit log. Append-only: hand-written triggers in the migration refuse every UPDATE, and every DELETE except of
 * entries older than the cutoff of an `audit_expired` entry, so nothing is deleted without a record. People appear by
 * id, so deleted users stay anonymous.
 */
export const audit = sqliteTable(
  "audit",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    atMs: integer("at_ms").notNull(),
    /**
     * A user's id; `operator` for the command line, `server` for the server itself, `visitor` for anyone not signed in.
     */
    actor: text("actor").notNull(),
    address: text("address"),
    userAgent: text("user_agent"),
    act: text("act", { enum: ACT_NAMES }).notNull(),
    /** The user whose account is affected. */
    userId: text("user_id"),
    /** The subject, if it is not the account: a key's id, an invited address, a content hash. */
    subject: text("subject"),
    /** JSON of the values before and after; never contains secrets. */
    before: text("before"),
    after: text("after"),
    /** The form's number, so that submitting a form twice has one effect. */
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

/** The actor of an action, with address and client. */
export interface Actor {
  /** As in the `audit` table. */
  actor: string;
  address: string | null;
  userAgent: string | null;
  /** The number of the submitted form; null without one. */
  form: string | null;
  /** The newest change of the account (`newestChange`) that the form was made from: it is refused after a newer one. */
  seen?: number;
  /** Whether only an owner may do it: it is refused if the actor no longer is one. */
  asOwner?: boolean;
}

/** Anyone who can run commands on this machine. */
export const OPERATOR: Actor = { actor: "operator", address: null, userAgent: null, form: null };

/** The server on its own initiative. */
export const SERVER: Actor = { ...OPERATOR, actor: "server" };

/** A person, or a visitor, in a browser. */
export function actorIn({ address, userAgent }: Pick<Actor, "address" | "userAgent">, actor: string): Actor {
  return { actor, address, userAgent, form: null };
}

/** An audit entry, without time and actor. */
export interface AuditEvent {
  act: Act;
  /** The user whose account is affected. */
  userId?: string | null;
  subject?: string | null;
  before?: Details | undefined;
  after?: Details | undefined;
}

type Details = Readonly<Record<string, string | number | boolean | null>>;

/** Acts on an account that a page with its forms shows. */
const ACCOUNT_CHANGES: Act[] = [
  "user_disabled",
  "user_enabled",
  "user_deleted",
  "role_changed",
  "user_unmetered",
  "user_metered",
  "credits_granted",
];

/** The id of the newest entry that changed an account; 0 without one. */
export async function newestChange(db: StoreDb, userId: string): Promise<number> {
  const which = and(eq(audit.userId, userId), inArray(audit.act, ACCOUNT_CHANGES));
  const newest = db.select({ id: audit.id }).from(audit).where(which).orderBy(desc(audit.id)).limit(1);
  return (await newest.get())?.id ?? 0;
}

async function isActiveOwner(tx: StoreDb, id: string): Promise<boolean> {
  const owner = and(eq(users.id, id), eq(users.role, "owner"), isNull(users.disabledAtMs));
  return (await tx.select({ id: users.id }).from(users).where(owner).get()) !== undefined;
}

/** A form was submitted again: its work was done the first time, and is not repeated. */
export class RepeatedForm extends ServiceError {
  constructor() {
    super("invalid_parameter", "This form was submitted twice. It was processed once.");
  }
}

/** A complete secret, which may have been pasted as a name; the prefixes shown in lists are shorter. */
const SECRET = /xc_[a-z]+_[0-9A-Za-z_]{12,}/g;

function withoutSecrets(text: string): string {
  return text.includes("xc_") ? text.replaceAll(SECRET, "xc_…") : text;
}

/** Maximum length of a stored user agent. */
const MAX_USER_AGENT = 200;

/**
 * Writes an audit entry in the transaction of the action itself, so that either both are durable or neither.
 * @throws RepeatedForm when the form was submitted before, `conflict` when the account was changed since it was made,
 * and `forbidden` when the actor was an owner when the request began and no longer is; all roll back the
 * transaction's own work
 */
export async function recordAuditEvent(
  tx: StoreDb,
  nowMs: number,
  { actor, address, userAgent, form, seen, asOwner = false }: Actor,
  event: AuditEvent,
): Promise<void> {
  // A request takes as long as its body.
  if (asOwner && !(await isActiveOwner(tx, actor)))
    throw new ServiceError("forbidden", "Only an owner of this server can do this.");
  if (form !== null) {
    const sent = await tx.select({ id: audit.id }).from(audit).where(eq(audit.form, form)).get();
    if (sent !== undefined) throw new RepeatedForm();
  }
  const { act, userId = null, subject = null, before, after } = event;
  if (seen !== undefined && userId !== null && (await newestChange(tx, userId)) > seen) {
    throw new ServiceError(
      "conflict",
      "Somebody changed this account after you opened the page, so nothing was done. The page now shows the account as it is, and the audit log says who changed it. Submit the form again if you still want to.",
    );
  }
  await tx
    .insert(audit)
    .values({
      atMs: nowMs,
      actor,
      address,
      userAgent: userAgent === null ? null : withoutSecrets(userAgent.slice(0, MAX_USER_AGENT)),
      act,
      userId,
      subject,
      before: before === undefined ? null : withoutSecrets(JSON.stringify(before)),
      after: after === undefined ? null : withoutSecrets(JSON.stringify(after)),
      form,
    })
    .run();
}
