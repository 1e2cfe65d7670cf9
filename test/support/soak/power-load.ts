/**
 * The load that `power.ts` records: `bun test/support/soak/power-load.ts DATA_DIR ACKS CHARGES` charges users, sixteen at a
 * time, one in five for a page, with keys created and revoked in between, and writes a line into ACKS for each write that was reported to be on
 * disk.
 */
import { openSync, writeSync } from "node:fs";
import { sqliteCredits } from "../../../src/accounts/credits.ts";
import { Keys } from "../../../src/accounts/keys.ts";
import { Users } from "../../../src/accounts/users.ts";
import { realRuntime } from "../../../src/runtime.ts";
import { SqliteStore } from "../../../src/store/open.ts";

const [dataDir = "", acks = "", charges = "0"] = process.argv.slice(2);
const runtime = realRuntime();
const store = new SqliteStore({ dataDir, runtime });
const keys = new Keys(store, runtime);
const credits = sqliteCredits(store, runtime);
const users = new Users(store, runtime);
const output = openSync(acks, "a");
const ids = await Promise.all(
  [1, 2, 3, 4].map(async (n) => {
    const { id } = await users.findOrCreate(`power-${n}@example.com`);
    await credits.grant(id, Number(charges));
    return id;
  }),
);
let next = 0;
const caller = async () => {
  while (next < Number(charges)) {
    const n = next++;
    const userId = ids[n % ids.length] ?? "";
    if (n % 50 === 0) {
      const { key } = await keys.create(userId, { name: `k${n}` });
      writeSync(output, `key ${key.id}\n`);
      await keys.revoke(userId, key.id);
      writeSync(output, `revoked ${key.id}\n`);
    }
    const requestId = `r${n}`;
    const page = n % 5 === 0 && {
      operation: "page:history",
      opens: { dataset: "power", subject: requestId, pricedBeside: null },
    };
    const price = { costCredits: 1, operation: "power", ticker: null };
    await credits.charge({ ...price, userId, requestId, ...page });
    writeSync(output, `charge ${requestId}\n`);
    if (page) writeSync(output, `opened ${requestId}\n`);
  }
};
await Promise.all(Array.from({ length: 16 }, (_, n) => Bun.sleep(n).then(caller)));
// As in a power failure: nothing is closed, and the log is not checkpointed.
process.kill(process.pid, "SIGKILL");
