import { loadConfig } from "../config.ts";
import { openAccounts } from "../compose.ts";
import { OperatorError } from "../errors.ts";
import { copyStore } from "../store/copy.ts";
import { storeState } from "../store/folder.ts";
import { takeServerLock } from "../store/lock.ts";
import type { Store } from "../store/store.ts";
import { command, type Io } from "./command.ts";
import { textTable } from "./text-table.ts";

const PLACES = ["folder", "database"] as const;

/** `execcomp store copy` */
export const copy = command({
  name: "store copy",
  summary: "Copy the accounts between the data folder and PostgreSQL; stop the servers first.",
  details:
    "Users, keys (as hashes), balances, the ledger, connected apps, links, peer groups and the audit log, into a target\n" +
    "that nobody has used. Afterwards every table is read on both sides: rows, sums and a hash of each must be the\n" +
    "same. --data-dir names the folder, --store (better: EXECCOMP_STORE) the database.",
  operands: [],
  flags: {
    to: {
      value: PLACES.join("|"),
      choices: PLACES,
      about: "Where to; the other one is read.",
      required: true,
    },
  },
  settings: ["store"],
  examples: [["store copy --to database", "From the data folder to the database that EXECCOMP_STORE names."]],
  async run({ flags }, io) {
    const { dataDir, store: address } = io.loaded.config;
    if (address === "") throw new OperatorError("Name the database: set EXECCOMP_STORE, or --store.");
    const lock = takeServerLock(dataDir);
    if (lock === null)
      throw new OperatorError(`A server runs on ${dataDir}. Stop it, and all on the database.`);
    const opened: Store[] = [];
    try {
      if (flags.to === "database" && storeState(dataDir) !== "there") {
        throw new OperatorError(`There is no store in ${dataDir} (--data-dir).`);
      }
      const database = await openPlace(io, address);
      opened.push(database);
      const folder = await openPlace(io, "");
      opened.push(folder);
      const [from, to] = flags.to === "database" ? [folder, database] : [database, folder];
      const tables = await copyStore(from, to);
      if (io.json) io.printJson({ tables });
      else io.print(textTable(COLUMNS, tables, io.columns).trimEnd());
      return 0;
    } finally {
      for (const store of opened) await store.close();
      lock.release();
    }
  },
});

/** The store of an address; empty for the data folder. @throws OperatorError where it cannot be used */
async function openPlace(io: Io, address: string): Promise<Store> {
  const settings = { dataDir: io.loaded.config.dataDir, store: address };
  const { store } = openAccounts(loadConfig(settings, undefined, {}).config, io.runtime);
  await store.ready();
  if (store.failure === null) return store;
  await store.close();
  throw new OperatorError(store.failure);
}

const COLUMNS = [
  { head: "TABLE", align: "left", rank: 0, cell: ({ table }: { table: string }) => table },
  { head: "ROWS", align: "right", rank: 0, cell: ({ rows }: { rows: number }) => String(rows) },
  { head: "SHA-256", align: "left", rank: 1, cell: ({ sha256 }: { sha256: string }) => sha256.slice(0, 16) },
] as const;
