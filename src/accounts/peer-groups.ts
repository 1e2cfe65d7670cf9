import { and, asc, count, eq, isNull, type SQL } from "drizzle-orm";
import { MAX_COMPANIES } from "../domain/selection.ts";
import { ServiceError } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import type { MaybePromise } from "../domain/maybe-promise.ts";
import type { Store } from "../store/store.ts";
import { result, type StoreDb, type Work } from "../store/work.ts";
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
}

/** The editable part of a group. */
export type PeerGroupContent = Omit<PeerGroup, "id">;

type Row = typeof peerGroups.$inferSelect;

/** People's peer groups, visible only to their owners. */
export class PeerGroups {
  constructor(
    private readonly store: Store,
    private readonly runtime: Pick<Runtime, "now" | "id">,
  ) {}

  /** An owner's groups, by name. */
  list(owner: GroupOwner): MaybePromise<PeerGroup[]> {
    return this.store.read(function* (db) {
      const byName = [asc(peerGroups.name), asc(peerGroups.id)];
      const rows = yield* result(
        db
          .select()
          .from(peerGroups)
          .where(ownedBy(owner))
          .orderBy(...byName)
          .all(),
      );
      return rows.map(toGroup);
    });
  }

  /** A group of this owner; undefined if it does not exist or is another's. */
  find(owner: GroupOwner, id: string): MaybePromise<PeerGroup | undefined> {
    return this.store.read(function* (db) {
      const mine = and(ownedBy(owner), eq(peerGroups.id, id));
      const row = yield* result(db.select().from(peerGroups).where(mine).get());
      return row === undefined ? undefined : toGroup(row);
    });
  }

  /** Creates a group. @returns its id. Refuses with `invalid_parameter`: a name in use, too many groups or companies */
  create(owner: GroupOwner, content: PeerGroupContent): Promise<string> {
    const { name, companies } = readContent(content);
    const { runtime } = this;
    return this.store.transact(function* (tx) {
      const kept = yield* result(tx.select({ n: count() }).from(peerGroups).where(ownedBy(owner)).get());
      if ((kept?.n ?? 0) >= MAX_GROUPS) {
        throw new ServiceError("invalid_parameter", `You have ${MAX_GROUPS} groups, which is the maximum.`);
      }
      yield* refuseNameInUse(tx, owner, name, null);
      const nowMs = runtime.now();
      const id = runtime.id();
      const row = { id, userId: owner, name, companies, createdAtMs: nowMs, changedAtMs: nowMs };
      yield* result(tx.insert(peerGroups).values(row).run());
      return id;
    });
  }

  /** Changes the name and companies of this owner's group, if it exists. Refuses like `create`. */
  change(owner: GroupOwner, id: string, content: PeerGroupContent): Promise<void> {
    const { name, companies } = readContent(content);
    const { runtime } = this;
    return this.store.transact(function* (tx) {
      yield* refuseNameInUse(tx, owner, name, id);
      const changed = { name, companies, changedAtMs: runtime.now() };
      const mine = and(ownedBy(owner), eq(peerGroups.id, id));
      yield* result(tx.update(peerGroups).set(changed).where(mine).run());
    });
  }

  /** Deletes this owner's group, if it exists. */
  delete(owner: GroupOwner, id: string): Promise<void> {
    return this.store.transact(function* (tx) {
      const mine = and(ownedBy(owner), eq(peerGroups.id, id));
      yield* result(tx.delete(peerGroups).where(mine).run());
    });
  }
}

function ownedBy(owner: GroupOwner): SQL {
  return owner === null ? isNull(peerGroups.userId) : eq(peerGroups.userId, owner);
}

function readContent({ name: given, ciks }: PeerGroupContent): { name: string; companies: string } {
  const name = given.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  if (name === "" || name.length > MAX_GROUP_NAME) {
    throw new ServiceError(
      "invalid_parameter",
      `Give the group a name of 1 to ${MAX_GROUP_NAME} characters.`,
    );
  }
  if (ciks.length === 0) throw new ServiceError("invalid_parameter", "Name at least one company.");
  if (ciks.length > MAX_COMPANIES) {
    throw new ServiceError(
      "invalid_parameter",
      `A group has at most ${MAX_COMPANIES} companies; ${ciks.length} were given.`,
    );
  }
  return { name, companies: ciks.join(" ") };
}

function* refuseNameInUse(tx: StoreDb, owner: GroupOwner, name: string, except: string | null): Work<void> {
  const named = and(ownedBy(owner), eq(peerGroups.name, name));
  const existing = yield* result(tx.select({ id: peerGroups.id }).from(peerGroups).where(named).get());
  if (existing !== undefined && existing.id !== except) {
    throw new ServiceError("invalid_parameter", `You already have a group named “${name}”.`);
  }
}

function toGroup({ id, name, companies }: Row): PeerGroup {
  return { id, name, ciks: companies.split(" ") };
}
