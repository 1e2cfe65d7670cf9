import { resolve } from "node:path";
import { openAccounts } from "../../server/compose.ts";
import { loadConfig } from "../../config.ts";
import { OperatorError } from "../../errors.ts";
import { copyStore } from "../../store/copy.ts";
import { storeState } from "../../store/folder.ts";
import { takeServerLock } from "../../store/folder.ts";
import type { Store } from "../../store/store.ts";
import { purge as purgeAccounts } from "../../operate/purge.ts";
import { withAccounts } from "../accounts/accounts.ts";
import { command, type Io, UsageError } from "../command.ts";
import { printAnswer } from "../output.ts";

/** `execcomp store copy` */
export const copy = command({
  name: "store copy",
  summary: "Copy the accounts between a data folder and PostgreSQL; stop all servers first.",
  details:
    "Users, keys (as hashes), balances, the ledger, connected apps, links, peer groups and the audit log, into a target\n" +
    "that has not been used. Afterwards every table is compared on both sides: rows, sums and a hash of each must be the\n" +
    "same. Not copied: rate limits, which last a minute; datasets, backups and other files of the data folder; the\n" +
    "key that seals sign-ins in progress, so people who are just connecting an app start again. Source and target are database addresses or data folders; without --from or --to, this data folder\n" +
    "(--data-dir).",
  operands: [],
  flags: {
    from: {
      value: "postgres://…|FOLDER",
      about: "Source; default this data folder. If it has a password, use EXECCOMP_STORE_COPY_FROM instead.",
      secret: true,
    },
    to: {
      value: "postgres://…|FOLDER",
      about: "Target; default this data folder. If it has a password, use EXECCOMP_STORE_COPY_TO instead.",
      secret: true,
    },
  },
  settings: [],
  examples: [
    ["store copy --to postgres://execcomp@db.internal/execcomp", "From the data folder to a database."],
    ["store copy --from postgres://execcomp@db.internal/execcomp", "And back, into an empty data folder."],
  ],
  async run({ flags }, io) {
    const { dataDir } = io.loaded.config;
    const places = [placeOf(flags.from, dataDir), placeOf(flags.to, dataDir)] as const;
    const [from, to] = places;
    if (from.kind === to.kind && from.where === to.where) {
      throw new UsageError(
        "Source and target are the same. Specify --from, --to or both as postgres://… or a data folder.",
      );
    }
    if (from.kind === "folder" && storeState(from.where) !== "there") {
      throw new OperatorError(
        `There is no store in ${from.where}. Specify another source with --from or --data-dir.`,
      );
    }
    await using opened = new AsyncDisposableStack();
    for (const place of places) if (place.kind === "folder") opened.use(lockOf(place.where));
    const tables = await copyStore(await open(io, from, opened), await open(io, to, opened));
    await printAnswer(io, {}, { tables }, { rows: tables, columns: COLUMNS, none: "No tables." });
    io.note(
      "Not copied: rate limits (they last a minute), and the files of the data folder (dataset, backups).",
    );
    return 0;
  },
});

/** The location of a store: a database address or a data folder. */
interface Place {
  kind: "database" | "folder";
  where: string;
}

function placeOf(given: string | undefined, dataDir: string): Place {
  if (given === undefined) return { kind: "folder", where: resolve(dataDir) };
  const isAddress = given.includes("://");
  return isAddress ? { kind: "database", where: given } : { kind: "folder", where: resolve(given) };
}

/** @throws OperatorError if a server is using the folder */
function lockOf(folder: string): Disposable {
  const lock = takeServerLock(folder);
  if (lock === null)
    throw new OperatorError(
      `A server is running on ${folder}. Stop it, and all servers that use the database.`,
    );
  return { [Symbol.dispose]: () => lock.release() };
}

/** Opens the store of a location, to be closed with the others. @throws OperatorError if it cannot be used */
async function open(io: Io, { kind, where }: Place, opened: AsyncDisposableStack): Promise<Store> {
  const { dataDir } = io.loaded.config;
  const settings = kind === "folder" ? { dataDir: where } : { dataDir, store: where };
  const { store } = openAccounts(loadConfig(settings, undefined, {}).config, io.runtime);
  opened.defer(() => store.close());
  await store.ready();
  if (store.failure !== null) throw new OperatorError(store.failure);
  return store;
}

const COLUMNS = [
  { head: "Table", align: "left", rank: 0, cell: ({ table }: { table: string }) => table },
  { head: "Rows", align: "right", rank: 0, cell: ({ rows }: { rows: number }) => String(rows) },
  { head: "SHA-256", align: "left", rank: 1, cell: ({ sha256 }: { sha256: string }) => sha256.slice(0, 16) },
] as const;

/** `execcomp purge`, which a server starts every hour. */
export const purge = command({
  name: "purge",
  summary: "Delete what has expired, and roll up the ledger.",
  operands: [],
  flags: {},
  settings: ["store", "ledgerRetention", "auditRetention"],
  examples: [],
  run: (_given, io) =>
    withAccounts(io, async (accounts) => {
      io.printJson(await purgeAccounts(accounts, io.loaded.config));
      return 0;
    }),
});
