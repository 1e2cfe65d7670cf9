import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { expect } from "bun:test";
import { openAccounts } from "../../src/server/compose.ts";
import { loadConfig } from "../../src/config/load.ts";
import { temporaryFolder } from "../support/accounts.ts";
import { cheapPasswords } from "../support/passwords.ts";
import { type TestRuntime, testRuntime } from "../support/runtime.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { emptyWorld, outcomeOf, randomStep, type World } from "./history.ts";

/** An empty store. */
export function open(settings: { dataDir: string; store?: string }): World {
  const runtime = quietRuntime();
  const domains = { ssoDomains: "example.com" };
  const { config } = loadConfig({ ...domains, ...settings }, undefined, {});
  return emptyWorld(openAccounts(config, runtime, { passwords: cheapPasswords() }), runtime);
}

/** One whose ids and secrets do not depend on PostgreSQL's retries, which draw a byte for their pause. */
function quietRuntime(): TestRuntime {
  const runtime = testRuntime();
  return { ...runtime, secret: (bytes) => (bytes === 1 ? new Uint8Array(1) : runtime.secret(bytes)) };
}

/** Plays one history in SQLite and in an empty PostgreSQL, and compares every answer and every row. */
export async function expectSameHistory(url: string, seed: number, steps: number): Promise<void> {
  using folder = temporaryFolder();
  const worlds = [open({ dataDir: folder.path }), open({ dataDir: folder.path, store: url })];
  const random = seededRandom(seed);
  const kinds = new Set<string>();
  for (let at = 0; at < steps; at += 1) {
    const step = randomStep(random);
    const outcomes = [];
    for (const world of worlds) outcomes.push(await outcomeOf(step, world));
    expect({ at, outcome: outcomes[1] }).toEqual({ at, outcome: outcomes[0] });
    kinds.add(JSON.stringify(outcomes[0]).slice(0, 10));
  }
  // Both answers and refusals occurred.
  expect(kinds.size).toBe(2);
  const path = worlds[0]?.accounts.store.path ?? "";
  for (const { accounts } of worlds) await accounts.store.close();
  expect(await rowsOfPostgres(url)).toEqual(rowsOfSqlite(path));
}

type Tables = Record<string, unknown[]>;

/** Columns recorded at another moment, salted, or numbered with what was refused in between. */
const OWN = /^(last_used|last_seen_at_ms|password_hash)/;
const NUMBERED = /^(id|previous|newest_entry|last_id)$/;

/** Tables that only one of them has. */
const WITHOUT =
  /^(window_hits|sqlite_|__drizzle|execcomp_migrations|execcomp_windows|recent_commits|shared_secrets)/;

function rowsOfSqlite(path: string): Tables {
  using client = new Database(path, { readonly: true });
  const names = client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all();
  return Object.fromEntries(
    names
      .map(({ name }) => name)
      .filter((name) => !WITHOUT.test(name))
      .map((name) => [name, sorted(client.query(`SELECT * FROM ${name}`).all())]),
  );
}

async function rowsOfPostgres(url: string): Promise<Tables> {
  await using sql = new SQL(url, { bigint: true, max: 1 });
  const names: { name: string }[] = await sql`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  const tables: Tables = {};
  for (const { name } of names) {
    if (!WITHOUT.test(name)) tables[name] = sorted(await sql.unsafe(`SELECT * FROM ${name}`));
  }
  return tables;
}

/** Each row as one text, in a fixed order: last uses are recorded at different moments. */
function sorted(rows: readonly unknown[]): unknown[] {
  const text = (row: unknown) =>
    JSON.stringify(
      Object.entries(row as Record<string, unknown>)
        .filter(([name, value]) => !OWN.test(name) && (typeof value === "string" || !NUMBERED.test(name)))
        .map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value])
        .toSorted(([one], [other]) => String(one).localeCompare(String(other))),
    );
  return rows.map(text).toSorted();
}
