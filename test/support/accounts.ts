import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../../src/runtime.ts";
import { AuditLog } from "../../src/accounts/audit.ts";
import { sqliteCredits } from "../../src/accounts/credits.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { Users } from "../../src/accounts/users.ts";
import { admission, charging } from "../../src/operations/admit.ts";
import { Journal } from "../../src/accounts/rate-limits/journal.ts";
import { RateLimits } from "../../src/accounts/rate-limits/rate-limits.ts";
import { type StoreOptions, SqliteStore } from "../../src/store/open.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";

/** A folder that is deleted after the test. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "execcomp-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Users, keys, credits and windows on a real store, without a server. */
export function openAccounts(
  dataDir: string,
  runtime: Runtime = testRuntime(),
  options: Partial<StoreOptions> = {},
) {
  const store = new SqliteStore({ dataDir, runtime, ...options });
  const users = new Users(store, runtime);
  const keys = new Keys(store, runtime);
  const credits = sqliteCredits(store, runtime);
  const rateLimits = new RateLimits(runtime, new Journal(store, runtime));
  const admit = admission({ credentials: { keys, tokens: { find: async () => undefined } }, rateLimits });
  const charge = charging(credits, { unmetered: false });
  const log = new AuditLog(store, runtime);
  return { runtime, store, users, keys, credits, rateLimits, admit, charge, log };
}

/** A test's store with a clock that the test moves. */
export type TestAccounts = ReturnType<typeof openAccounts> & { runtime: TestRuntime };

/** Runs code on a store in its own folder; both are removed afterwards. */
export async function withAccounts<T>(work: (all: TestAccounts) => Promise<T>): Promise<T> {
  using folder = temporaryFolder();
  const runtime = testRuntime();
  const all = { ...openAccounts(folder.path, runtime), runtime };
  try {
    return await work(all);
  } finally {
    await all.store.close();
  }
}
