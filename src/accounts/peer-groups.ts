import { and, asc, eq, isNull, type SQL } from "drizzle-orm";
import { MAX_COMPANIES } from "../domain/selection.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { type Actor, OPERATOR, recordAuditEvent } from "../store/audit.ts";
import type { Store, StoreDb } from "../store/store.ts";
import { peerGroups } from "../store/schema.ts";

/** Maximum number of peer groups per owner. */
export const MAX_GROUPS = 50;

/** Maximum length of a peer group's name, in characters. */
export const MAX_GROUP_NAME = 60;

/** The owner of a group: a user's id, or null for the local operator. */
export type GroupOwner = string | null;

/** A named list of companies. */
export interface PeerGroup {
  id: string;
  name: string;
  /** Ten-digit CIKs, in the owner's order. */
  ciks: readonly string[];
  /** Differs after every change. */
  version: string;
}

/** The editable part of a group. */
export type PeerGroupContent = Pick<PeerGroup, "name" | "ciks">;

type PeerGroupRow = typeof peerGroups.$inferSelect;

/** People's peer groups, visible only to their owners: the audit log has their ids, not their names. */
export class PeerGroups {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "id">,
  ) {}

  /** An owner's groups, by name. */
  list(owner: GroupOwner): Promise<PeerGroup[]> {
    return this.store.read(async (db) => {
      const rows = await db
        .select()
        .from(peerGroups)
        .where(ownedBy(owner))
        .orderBy(asc(peerGroups.name), asc(peerGroups.id))
        .all();
      return rows.map(toGroup);
    });
  }

  /** A group of this owner; undefined if it does not exist or is another's. */
  find(owner: GroupOwner, id: string): Promise<PeerGroup | undefined> {
    return this.store.read(async (db) => {
      const mine = and(ownedBy(owner), eq(peerGroups.id, id));
      const row = await db.select().from(peerGroups).where(mine).get();
      return row === undefined ? undefined : toGroup(row);
    });
  }

  /** Creates a group. @returns its id. Refuses with `invalid_parameter`: a name in use, too many groups or companies */
  create(owner: GroupOwner, content: PeerGroupContent, actor: Actor = OPERATOR): Promise<string> {
    const { name, companies } = readContent(content);
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const id = this.runtime.id();
      await recordAuditEvent(tx, nowMs, actor, { act: "group_created", userId: owner, subject: id });
      if ((await tx.$count(peerGroups, ownedBy(owner))) >= MAX_GROUPS) {
        throw invalid(`You have ${MAX_GROUPS} groups, which is the maximum.`);
      }
      await refuseNameInUse(tx, owner, name, null);
      const row = { id, userId: owner, name, companies, createdAtMs: nowMs, changedAtMs: nowMs };
      await tx.insert(peerGroups).values(row).run();
      return id;
    });
  }

  /**
   * Changes the name and companies of this owner's group, if it exists. Refuses like `create`, and with `conflict` if it
   * is not the version that was edited any more.
   */
  change(
    owner: GroupOwner,
    id: string,
    content: PeerGroupContent,
    { version, actor = OPERATOR }: { version?: string | undefined; actor?: Actor } = {},
  ): Promise<void> {
    const { name, companies } = readContent(content);
    return this.store.transact(async (tx) => {
      const nowMs = this.runtime.now();
      const changed = { name, companies, changedAtMs: nowMs };
      const mine = and(ownedBy(owner), eq(peerGroups.id, id));
      const present = await tx.select().from(peerGroups).where(mine).get();
      if (present === undefined) return;
      // First, to distinguish a form sent twice from one that is out of date.
      await recordAuditEvent(tx, nowMs, actor, { act: "group_changed", userId: owner, subject: id });
      if (version !== undefined && version !== toGroup(present).version) {
        throw new ServiceError(
          "conflict",
          `This group has changed since you opened it. It is now “${present.name}” with the companies below; your version is still in the form. Save it again to replace the other one.`,
        );
      }
      await refuseNameInUse(tx, owner, name, id);
      await tx.update(peerGroups).set(changed).where(mine).run();
    });
  }

  /** Deletes this owner's group, if it exists. */
  delete(owner: GroupOwner, id: string, actor: Actor = OPERATOR): Promise<void> {
    return this.store.transact(async (tx) => {
      const mine = and(ownedBy(owner), eq(peerGroups.id, id));
      const deleted = await tx.delete(peerGroups).where(mine).returning({ id: peerGroups.id }).get();
      if (deleted === undefined) return;
      const event = { act: "group_deleted", userId: owner, subject: id } as const;
      await recordAuditEvent(tx, this.runtime.now(), actor, event);
    });
  }
}

function ownedBy(owner: GroupOwner): SQL {
  return owner === null ? isNull(peerGroups.userId) : eq(peerGroups.userId, owner);
}

function readContent({ name: given, ciks }: PeerGroupContent): { name: string; companies: string } {
  const name = given.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  if (name === "" || name.length > MAX_GROUP_NAME) {
    throw invalid(`Give the group a name of 1 to ${MAX_GROUP_NAME} characters.`);
  }
  if (ciks.length === 0) throw invalid("Name at least one company.");
  if (ciks.length > MAX_COMPANIES) {
    throw invalid(`A group has at most ${MAX_COMPANIES} companies; ${ciks.length} were given.`);
  }
  return { name, companies: ciks.join(" ") };
}

async function refuseNameInUse(
  tx: StoreDb,
  owner: GroupOwner,
  name: string,
  except: string | null,
): Promise<void> {
  const named = and(ownedBy(owner), eq(peerGroups.name, name));
  const existing = await tx.select({ id: peerGroups.id }).from(peerGroups).where(named).get();
  if (existing !== undefined && existing.id !== except) {
    throw invalid(`You already have a group named “${name}”.`);
  }
}

function toGroup({ id, name, companies }: PeerGroupRow): PeerGroup {
  const version = Bun.hash(`${name}\n${companies}`).toString(36);
  return { id, name, ciks: companies.split(" "), version };
}
