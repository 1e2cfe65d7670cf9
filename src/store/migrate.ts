import type { Database } from "bun:sqlite";
import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../errors.ts";
import { migrations } from "./migrations/index.ts";

const TABLE =
  "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)";

/**
 * Migrates the schema in one immediate transaction, so that two processes that start together run in sequence.
 * Drizzle's migrator uses a plain BEGIN, with which the second fails.
 *
 * @returns the tags of the applied migrations
 * @throws OperatorError when the store was written by a newer version
 */
export function migrate(client: Database): readonly string[] {
  const steps = migrations();
  const newest = steps.at(-1)?.atMs ?? 0;
  const before = appliedUpTo(client);
  if (before === newest) return [];
  if (before > 0 && before < newest) keepCopy(client, steps.find(({ atMs }) => atMs > before)?.tag ?? "");
  client.run("BEGIN IMMEDIATE");
  try {
    client.run(TABLE);
    const done = appliedUpTo(client);
    if (done > newest) {
      throw new OperatorError(
        `The store ${client.filename} was written by a newer version of execcomp. Run that version, or restore a backup made with this one (execcomp restore FILE).`,
      );
    }
    const due = steps.filter(({ atMs }) => atMs > done);
    for (const { statements, hash, atMs } of due) {
      for (const statement of statements) client.run(statement);
      client.query("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, atMs);
    }
    client.run("COMMIT");
    return due.map(({ tag }) => tag);
  } catch (error) {
    if (client.inTransaction) client.run("ROLLBACK");
    throw error;
  }
}

/** Copies the store next to itself before migrating, and deletes older such copies. */
function keepCopy(client: Database, tag: string): void {
  const copy = `${client.filename}.before-${tag}`;
  const folder = dirname(client.filename);
  const old = readdirSync(folder).filter((name) => name.startsWith(`${basename(client.filename)}.before-0`));
  rmSync(copy, { force: true });
  closeSync(openSync(copy, "wx", 0o600));
  try {
    client.query("VACUUM INTO ?").run(copy);
  } catch (error) {
    // When two processes start together, the other one has migrated and kept the copy.
    rmSync(copy, { force: true });
    throw error;
  }
  for (const name of old) if (join(folder, name) !== copy) rmSync(join(folder, name), { force: true });
}

/** Time of the latest migration in the store; 0 if it is empty. */
export function appliedUpTo(client: Database): number {
  const known = client.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get();
  if (known === null) return 0;
  const row = client
    .query<{ at: number | null }, []>("SELECT max(created_at) AS at FROM __drizzle_migrations")
    .get();
  return row?.at ?? 0;
}
