import { hashSecret, newSecret } from "./credentials.ts";
import { and, asc, desc, eq, gt, isNull, lte, ne, or } from "drizzle-orm";
import { DAY_MS } from "../domain/fiscal-year.ts";
import type { Runtime } from "../runtime.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { links, users } from "../store/schema.ts";
import { type Actor, recordAuditEvent } from "../store/audit.ts";

/** Lifetimes of one-time links by purpose, in ms. */
const LINK_MS = { setup: 7 * DAY_MS, invite: 7 * DAY_MS, reset: DAY_MS } as const;

/** Pending invitations in a list; nobody reads more. */
const MAX_PENDING = 200;

/** The purpose of a one-time link. */
export type LinkKind = keyof typeof LINK_MS;

/** A valid link. */
export interface Link {
  kind: LinkKind;
  /** The address it is for; null if its user chooses one (set-up). */
  email: string | null;
  expiresAtMs: number;
  invited: Invited | null;
}

/** What an invited user becomes and is given. */
export interface Invited {
  role: "owner" | "member";
  credits: number;
}

/** An invitation that has not been accepted. */
export interface Invitation extends Invited {
  email: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** One-time links. The store has only their hashes. */
export class Links {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "secret">,
  ) {}

  /**
   * Creates a link; an earlier one for the same purpose and person becomes invalid. Inside a
   * transaction. @returns its secret
   */
  async create(
    tx: StoreDb,
    kind: LinkKind,
    email: string | null,
    { actor: madeBy }: Pick<Actor, "actor">,
    invited: Invited | null = null,
  ): Promise<string> {
    const nowMs = this.runtime.now();
    const secret = newSecret("link", this.runtime);
    const same = email === null ? isNull(links.email) : eq(links.email, email);
    await tx.delete(links).where(lte(links.expiresAtMs, nowMs)).run();
    await tx
      .delete(links)
      .where(and(eq(links.kind, kind), same))
      .run();
    const hash = hashSecret(secret, "base64");
    const { role = null, credits = null } = invited ?? {};
    const row = {
      hash,
      kind,
      email,
      madeBy,
      role,
      credits,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + LINK_MS[kind],
    };
    await tx.insert(links).values(row).run();
    return secret;
  }

  /** Looks up a link without using it; undefined if unknown, used or expired. */
  find(secret: string): Promise<Link | undefined> {
    return this.store.read((db) => this.findIn(db, secret));
  }

  /** Invitations that can still be accepted, newest first. */
  pending(): Promise<readonly Invitation[]> {
    return this.store.read(async (db) => {
      const open = and(
        eq(links.kind, "invite"),
        isNull(links.usedAtMs),
        gt(links.expiresAtMs, this.runtime.now()),
      );
      const rows = await db
        .select()
        .from(links)
        .where(open)
        .orderBy(desc(links.createdAtMs), asc(links.email))
        .limit(MAX_PENDING)
        .all();
      return rows.map(({ email, role, credits, createdAtMs, expiresAtMs }) => ({
        email: email ?? "",
        role: role ?? "member",
        credits: credits ?? 0,
        createdAtMs,
        expiresAtMs,
      }));
    });
  }

  /** Deletes the open invitation of an address. Inside a transaction. @returns whether there was one */
  async withdraw(tx: StoreDb, email: string): Promise<boolean> {
    const open = and(eq(links.kind, "invite"), eq(links.email, email), isNull(links.usedAtMs));
    return (await tx.delete(links).where(open).returning({ hash: links.hash }).get()) !== undefined;
  }

  /** Uses a link; undefined if unknown, used, expired or for another purpose. Inside a transaction. */
  async redeem(tx: StoreDb, kind: LinkKind, secret: string): Promise<Link | undefined> {
    const link = await this.findIn(tx, secret);
    if (link?.kind !== kind) return undefined;
    const used = { usedAtMs: this.runtime.now() };
    const which = eq(links.hash, hashSecret(secret, "base64"));
    await tx.update(links).set(used).where(which).run();
    return link;
  }

  /** Whether a link of this kind was created for an address since a time. Inside a transaction. */
  async madeSince(tx: StoreDb, kind: LinkKind, email: string, sinceMs: number): Promise<boolean> {
    const which = and(eq(links.kind, kind), eq(links.email, email), gt(links.createdAtMs, sinceMs));
    return (await tx.select({ hash: links.hash }).from(links).where(which).get()) !== undefined;
  }

  private async findIn(db: StoreDb, secret: string): Promise<Link | undefined> {
    const holds = and(
      eq(links.hash, hashSecret(secret, "base64")),
      isNull(links.usedAtMs),
      gt(links.expiresAtMs, this.runtime.now()),
    );
    const row = await db.select().from(links).where(holds).get();
    if (row === undefined) return undefined;
    const { kind, email, expiresAtMs, role, credits } = row;
    return { kind, email, expiresAtMs, invited: role === null ? null : { role, credits: credits ?? 0 } };
  }
}

/**
 * Revokes the open links that a user created, and those to the user's own account, so that someone who is removed
 * cannot return through either. Inside the transaction of the removal, each with its entry in the audit log.
 */
export async function endLinksOf(
  tx: StoreDb,
  nowMs: number,
  actor: Actor,
  { id, email }: Pick<typeof users.$inferSelect, "id" | "email">,
): Promise<void> {
  const open = and(ne(links.kind, "setup"), isNull(links.usedAtMs), gt(links.expiresAtMs, nowMs));
  const theirs = and(open, or(eq(links.madeBy, id), eq(links.email, email)));
  const of = and(eq(users.email, links.email), isNull(users.deletedAtMs));
  const ended = await tx
    .select({ kind: links.kind, email: links.email, userId: users.id })
    .from(links)
    .leftJoin(users, of)
    .where(theirs)
    .orderBy(asc(links.createdAtMs), asc(links.kind), asc(links.email))
    .all();
  // The form's number and version belong to the removal's own entry.
  const { actor: who, address, userAgent } = actor;
  for (const { kind, email: subject, userId } of ended) {
    const event =
      kind === "invite"
        ? ({ act: "invitation_withdrawn", subject } as const)
        : ({ act: "reset_link_withdrawn", userId } as const);
    await recordAuditEvent(tx, nowMs, { actor: who, address, userAgent, form: null }, event);
  }
  await tx.delete(links).where(theirs).run();
}
