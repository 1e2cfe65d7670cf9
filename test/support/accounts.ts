import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ambient } from "../../src/ambient.ts";
import { Credits } from "../../src/accounts/credits.ts";
import { Keys } from "../../src/accounts/keys.ts";
import { Users } from "../../src/accounts/users.ts";
import { credentialFinder } from "../../src/auth/principal.ts";
import { admission } from "../../src/operations/admit.ts";
import { charging } from "../../src/operations/price.ts";
import { Journal } from "../../src/rates/journal.ts";
import { Windows } from "../../src/rates/windows.ts";
import { type StoreOptions, openStore } from "../../src/store/open.ts";
import { testAmbient } from "./ambient.ts";

/** A folder that is gone when the test is over. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "execcomp-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Users, keys, credits and windows on a real store, without a server. */
export function openAccounts(
  dataDir: string,
  ambient: Ambient = testAmbient(),
  options: Partial<StoreOptions> = {},
) {
  const store = openStore({ dataDir, ambient, ...options });
  const users = new Users(store, ambient);
  const keys = new Keys(store, ambient);
  const credits = new Credits(store, ambient);
  const windows = new Windows(ambient, new Journal(store, ambient));
  const admit = admission({ credentials: credentialFinder(keys, { find: () => undefined }), windows });
  const charge = charging(credits, { unmetered: false });
  return { ambient, store, users, keys, credits, windows, admit, charge };
}
