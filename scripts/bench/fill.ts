/**
 * Fills a store with users, keys and ledger entries that add up, for benches and for trying the program on a large
 * store: `bun scripts/bench/fill.ts DATA_DIR KEYS ENTRIES`. The store must be empty.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { hashSecret, newSecret } from "../../src/accounts/credentials.ts";
import { realRuntime } from "../../src/runtime.ts";
import { STORE_FILE } from "../../src/store/folder.ts";
import { SqliteStore } from "../../src/store/open.ts";

/** Credits that each user is granted. */
const GRANTED = 10_000_000;

/** Keys of one user, unless told otherwise. */
export const KEYS_A_USER = 10;

/**
 * Writes `keys` keys, ten per user, and `entries` ledger entries spread over the users, in one transaction.
 * @param some how many secrets to return
 * @param days over how many days until now the entries are spread; 0 for the beginning of 1970
 * @returns the secrets of some of the keys, spread over all
 */
export async function fillStore(
  dataDir: string,
  keys: number,
  entries: number,
  some = 1000,
  keysEach = KEYS_A_USER,
  days = 0,
): Promise<string[]> {
  const runtime = realRuntime();
  await new SqliteStore({ dataDir, runtime }).close();
  const client = new Database(join(dataDir, STORE_FILE), { readwrite: true });
  const user = client.query("INSERT INTO users (id, email, role, created_at_ms) VALUES (?, ?, 'member', 0)");
  const key = client.query(
    "INSERT INTO keys (id, user_id, name, hash, prefix, last_four, scope, created_at_ms) VALUES (?, ?, 'bench', ?, ?, ?, 'executive-compensation:read', 0)",
  );
  const balance = client.query(
    "INSERT INTO balances (user_id, balance_credits, entries, unmetered, newest_entry, granted_credits, day_credits, day_charges) VALUES (?, ?, ?, 0, ?, ?, ?, ?)",
  );
  const entry = client.query(
    "INSERT INTO ledger (id, user_id, entry, previous, at_ms, kind, amount_credits, balance_after_credits, operation, ticker, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'getExecutiveCompensation', 'AAPL', ?)",
  );
  const secrets: string[] = [];
  const users = Math.max(1, Math.ceil(keys / keysEach));
  const each = Math.floor(entries / users);
  // Entries of all users interleaved, as in reality.
  let id = 0;
  const ids = Array.from({ length: users }, () => runtime.id());
  const newest = Array.from<number | null>({ length: users }).fill(null);
  const atMs = (n: number) =>
    days === 0 ? n : Math.floor(runtime.now() - (1 - n / each) * days * 86_400_000);
  client.transaction(() => {
    for (let n = 1; n <= each; n++) {
      for (const [at, userId] of ids.entries()) {
        const what =
          n === 1 ? ["granted", GRANTED, GRANTED, null] : ["charged", -1, GRANTED - (n - 1), runtime.id()];
        entry.run(++id, userId, n, newest[at] ?? null, atMs(n), ...what);
        newest[at] = id;
      }
    }
    for (const [at, userId] of ids.entries()) {
      user.run(userId, `bench-${at}@example.com`);
      const charges = Math.max(0, each - 1);
      const granted = each > 0 ? GRANTED : 0;
      balance.run(userId, granted - charges, each, newest[at] ?? null, granted, charges, charges);
      for (let n = 0; n < keysEach && at * keysEach + n < keys; n++) {
        const secret = newSecret("key", runtime);
        key.run(runtime.id(), userId, hashSecret(secret, "base64"), secret.slice(0, 12), secret.slice(-4));
        if ((at * keysEach + n) % Math.max(1, Math.floor(keys / some)) === 0) secrets.push(secret);
      }
    }
  })();
  client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  client.close();
  return secrets;
}

if (import.meta.main) {
  const [dataDir = "", keys = "100000", entries = "1000000"] = process.argv.slice(2);
  const [secret] = await fillStore(dataDir, Number(keys), Number(entries));
  console.log(secret);
}
