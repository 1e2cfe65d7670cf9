import type { ReservedSQL } from "bun";
import { messageOf, OperatorError, whatToCheck } from "../errors.ts";
import { connectionPool, placeOf } from "./connection.ts";
import { sqlFiles } from "../store/sql-files.ts" with { type: "macro" };

/** The oldest supported version. Older ones may work but are not tested. */
const MIN_VERSION = 15;

/**
 * Advisory lock that makes servers which start together migrate in sequence. The number is arbitrary, but
 * unique within the database.
 */
const LOCK = 0x65786563;

/**
 * Migrates the schema in one transaction, one server at a time.
 *
 * @param place the database, for messages
 * @param fresh generates the shared secret if there is none yet
 * @returns the secret shared by all servers on this database
 * @throws OperatorError for a PostgreSQL that is too old, and for a store written by a newer version
 */
export async function migratePostgres(
  connection: ReservedSQL,
  place: string,
  fresh: () => string,
): Promise<string> {
  const rows = (text: string, values: unknown[] = []): Promise<unknown[][]> =>
    connection.unsafe(text, values).values();
  await requireServer(connection, place);
  await connection.unsafe("BEGIN");
  try {
    await rows("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await applySteps(connection, place);
    const insert = "INSERT INTO shared_secrets (name, value) VALUES ('seal', $1) ON CONFLICT DO NOTHING";
    await rows(insert, [fresh()]);
    const [[secret] = []] = await rows("SELECT value FROM shared_secrets WHERE name = 'seal'");
    await connection.unsafe("COMMIT");
    return String(secret);
  } catch (error) {
    await connection.unsafe("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Connects to a database as a start would, and changes nothing. @throws OperatorError if a server could not use it */
export async function checkPostgres(url: string, setting = "--store"): Promise<void> {
  const place = placeOf(url);
  const pool = connectionPool(url, 1);
  try {
    await requireServer(pool, place);
    if (await hasMigrations(pool)) await appliedNames(pool, place);
    else await requireOwner(pool, place);
  } catch (error) {
    throw error instanceof OperatorError
      ? error
      : new OperatorError(
          `${place} cannot be used: ${messageOf(error)}. ${whatToCheck(error, setting, "the database")}`,
        );
  } finally {
    await pool.close({ timeout: 0 });
  }
}

async function requireServer(connection: Pick<ReservedSQL, "unsafe">, place: string): Promise<void> {
  const settings = "SELECT current_setting('server_version_num')::int, current_setting('server_encoding')";
  const [[version, encoding] = []] = await connection.unsafe(settings).values();
  if (Number(version) < MIN_VERSION * 10_000) {
    throw new OperatorError(`${place} is older than PostgreSQL ${MIN_VERSION}. Upgrade it.`);
  }
  if (encoding !== "UTF8") {
    throw new OperatorError(
      `${place} has the encoding ${String(encoding)}. Create the database with: createdb --encoding=UTF8 --template=template0 NAME`,
    );
  }
}

/** Requires that tables can be created. */
async function requireOwner(connection: Pick<ReservedSQL, "unsafe">, place: string): Promise<void> {
  const asked = "SELECT has_schema_privilege(current_schema(), 'CREATE'), current_user, current_database()";
  const [[may, user, database] = []] = await connection.unsafe(asked).values();
  if (may === true) return;
  throw new OperatorError(
    `${String(user)} may not create tables in ${place}. Make it the owner: ALTER DATABASE ${String(database)} OWNER TO ${String(user)}`,
  );
}

async function hasMigrations(connection: Pick<ReservedSQL, "unsafe">): Promise<boolean> {
  const [[table] = []] = await connection.unsafe("SELECT to_regclass('execcomp_migrations')::text").values();
  return table !== null;
}

/** The migrations that were applied. @throws OperatorError if there are some that this version does not know */
async function appliedNames(
  connection: Pick<ReservedSQL, "unsafe">,
  place: string,
): Promise<ReadonlySet<string>> {
  const applied: unknown[][] = await connection
    .unsafe("SELECT name FROM execcomp_migrations ORDER BY name")
    .values();
  const names = new Set(applied.map(([name]) => String(name)));
  const newer = [...names].filter((name) => !(name in STEPS));
  if (newer.length === 0) return names;
  throw new OperatorError(
    `${place} was written by a newer version of execcomp (${newer.join(", ")}). Run that version, or restore the dump that you made before upgrading.`,
  );
}

async function applySteps(connection: ReservedSQL, place: string): Promise<void> {
  if (!(await hasMigrations(connection))) {
    await requireOwner(connection, place);
    await connection.unsafe(
      'CREATE TABLE execcomp_migrations (name text COLLATE "C" NOT NULL PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
  }
  const names = await appliedNames(connection, place);
  for (const [name, text] of Object.entries(STEPS)) {
    if (names.has(name)) continue;
    await connection.unsafe(text);
    const hash = Bun.CryptoHasher.hash("sha256", text, "hex");
    const insert = "INSERT INTO execcomp_migrations (name, sha256) VALUES ($1, $2)";
    await connection.unsafe(insert, [name, hash]).values();
  }
}

/**
 * The migrations of the store in PostgreSQL by name, oldest first. A change to `../store/schema.ts` and its neighbours
 * needs one here as well as in `../store/migrations/`: `test/shared-store/schema.test.ts` fails while the columns differ. Never
 * edit one that has landed.
 */
const STEPS = sqlFiles("shared-store/migrations");
