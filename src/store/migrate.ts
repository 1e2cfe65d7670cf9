import type { Database } from "bun:sqlite";
import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../errors.ts";
import { shellWord } from "../lib/text.ts";
import { restoreInto } from "./faults.ts";
import journal from "./migrations/meta/_journal.json";
import { sqlFiles } from "./sql-files.ts" with { type: "macro" };

const TABLE =
  "CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)";

/**
 * Migrates the schema in one immediate transaction, so that two processes that start together run in sequence.
 * Drizzle's migrator uses a plain BEGIN, with which the second fails.
 *
 * @param isServed whether another process serves the store, in a version that its next one would refuse
 * @returns the tags of the applied migrations
 * @throws OperatorError when the store was written by a newer version, or is served
 */
export function migrate(client: Database, isServed = () => false): readonly string[] {
  const steps = migrations();
  const newest = steps.at(-1)?.atMs ?? 0;
  const before = appliedUpTo(client);
  if (before === newest) return [];
  if (before > 0 && before < newest) {
    if (isServed())
      throw new OperatorError(
        `A server of an older version runs on ${dirname(client.filename)}. Restart it with this version, which migrates the store, or use its own.`,
      );
    keepCopy(client, steps.find(({ atMs }) => atMs > before)?.tag ?? "");
  }
  client.run("BEGIN IMMEDIATE");
  try {
    client.run(TABLE);
    const appliedMs = appliedUpTo(client);
    if (appliedMs > newest) {
      throw new OperatorError(newerStore(client.filename));
    }
    const pending = steps.filter(({ atMs }) => atMs > appliedMs);
    for (const { statements, hash, atMs } of pending) {
      for (const statement of statements) client.run(statement);
      client.query("INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)").run(hash, atMs);
    }
    client.run("COMMIT");
    return pending.map(({ tag }) => tag);
  } catch (error) {
    if (client.inTransaction) client.run("ROLLBACK");
    throw error;
  }
}

/** What to do about a store that a newer version has migrated, with the copy that this version can read. */
export function newerStore(path: string): string {
  const [copy] = copiesOf(path).toReversed();
  const back =
    copy === undefined
      ? `restore a backup made with this one (${restoreInto(dirname(path))})`
      : `return to the copy that was made before, without what was written since: ${restoreInto(dirname(path), shellWord(join(dirname(path), copy)))}`;
  return `The store ${path} was written by a newer version of execcomp. Run that version, or ${back}`;
}

/** The copies of a store made before it was migrated, oldest first. */
function copiesOf(path: string): string[] {
  const name = `${basename(path)}.before-0`;
  return readdirSync(dirname(path))
    .filter((one) => one.startsWith(name))
    .toSorted();
}

/** Copies the store next to itself before migrating, and deletes older such copies. */
function keepCopy(client: Database, tag: string): void {
  const copy = `${client.filename}.before-${tag}`;
  const folder = dirname(client.filename);
  const old = copiesOf(client.filename);
  rmSync(copy, { force: true });
  closeSync(openSync(copy, "wx", 0o600));
  try {
    client.query("VACUUM INTO ?").run(copy);
  } catch (error) {
    // When two processes start together, the other one has made the copy and migrated.
    rmSync(copy, { force: true });
    throw error;
  }
  for (const name of old) if (join(folder, name) !== copy) rmSync(join(folder, name), { force: true });
}

/** Time of the latest migration in the store; 0 if it is empty. */
export function appliedUpTo(client: Database): number {
  const table = client.query("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get();
  if (table === null) return 0;
  const row = client
    .query<{ at: number | null }, []>("SELECT max(created_at) AS at FROM __drizzle_migrations")
    .get();
  return row?.at ?? 0;
}

/**
 * The migrations of the store. To add one:
 *
 * 1. Describe the tables in `schema.ts` (or in a separate file, exported from there).
 * 2. `bunx drizzle-kit generate --dialect sqlite --schema 'src/store/{schema,oauth-schema,audit}.ts' --out src/store/migrations --name WHAT`
 *    writes `NNNN_WHAT.sql`, a line in `meta/_journal.json` and `meta/NNNN_snapshot.json`, which
 *    replaces the previous one (a migration of data alone has none). What drizzle cannot express
 *    (triggers, WITHOUT ROWID) is added to the SQL by hand, statements separated by `--> statement-breakpoint`.
 *
 * `test/store/migrations.test.ts` fails while something is missing.
 * Never edit a migration that has landed: stores that ran it would differ from new ones.
 */
const TEXTS = sqlFiles("store/migrations");

/** A migration. */
export interface Migration {
  tag: string;
  /** Creation time, which defines the order and is recorded in `__drizzle_migrations`. */
  atMs: number;
  statements: readonly string[];
  /** SHA-256 of the SQL text, hexadecimal. */
  hash: string;
}

/** All migrations, oldest first. */
export function migrations(): readonly Migration[] {
  return journal.entries.map(({ tag, when }) => {
    const text = TEXTS[tag];
    if (text === undefined) throw new Error(`no src/store/migrations/${tag}.sql`);
    const statements = text.split("--> statement-breakpoint");
    return { tag, atMs: when, statements, hash: Bun.CryptoHasher.hash("sha256", text, "hex") };
  });
}
