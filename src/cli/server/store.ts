import { shellWord } from "../../lib/text.ts";
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { openAccounts } from "../../server/compose.ts";
import { loadConfig, namedWhereSet } from "../../config/load.ts";
import { OperatorError } from "../../errors.ts";
import { copyStore, backUp, restore as restoreStore } from "../../store/backup.ts";
import { storeState, takeServerLock } from "../../store/folder.ts";
import type { Store } from "../../store/store.ts";
import { purge as purgeAccounts } from "../../jobs/purge.ts";
import { byServer, recordOutside, accountsCommand, withAccounts } from "../accounts/accounts.ts";
import { type Io, UsageError, command, sameFolder } from "../command.ts";
import { printAnswer } from "../output.ts";
import { accountFindings, databaseFindings } from "../../jobs/self-check.ts";
import { type Finding, examine, NO_SERVER_RUNS } from "../../store/examine.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { refuseContradictions } from "./contradictions.ts";
import { settingWarnings } from "./setting-warnings.ts";
import { verifySnapshot } from "../../dataset/verify.ts";

/** `execcomp store copy` */
export const copy = command({
  name: "store copy",
  summary: "Copy the accounts between a data folder and PostgreSQL; stop all servers first.",
  details:
    "Copies users, keys (as hashes), balances, the ledger, connected apps, links, peer groups and the audit log into a target\n" +
    "that has not been used. Afterwards every table is compared on both sides: rows, sums and a hash of each must be the\n" +
    "same. Not copied: rate limits, which last a minute; datasets, backups and other files of the data folder; the\n" +
    "key that seals sign-ins in progress, so people who are just connecting an app start again. Source and target are database addresses or data folders; without --from or --to, this data folder\n" +
    "(--data-dir).",
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
  examples: [
    ["store copy --to postgres://execcomp@db.internal/execcomp", "From the data folder to a database."],
    ["store copy --from postgres://execcomp@db.internal/execcomp", "And back, into an empty data folder."],
  ],
  async run({ flags }, io) {
    const { dataDir } = io.loaded.config;
    const places = [placeOf(flags.from ?? dataDir), placeOf(flags.to ?? dataDir)] as const;
    const [from, to] = places;
    if (from.kind === to.kind && from.where === to.where)
      throw new UsageError(
        "Source and target are the same. Specify --from, --to or both as postgres://… or a data folder.",
      );
    if (from.kind === "folder" && storeState(from.where) !== "there")
      throw new OperatorError(
        `There is no store in ${from.where}. Specify another source with --from or --data-dir.`,
      );
    await using opened = new AsyncDisposableStack();
    for (const place of places) if (place.kind === "folder") opened.use(lockOf(place.where));
    const tables = await copyStore(await open(io, from, opened), await open(io, to, opened));
    await printAnswer(io, {}, { tables }, { rows: tables, columns: COLUMNS, none: "No tables." });
    io.note(
      "Not copied: rate limits (they last a minute), and the files of the data folder (dataset, backups).",
    );
  },
});

/** The location of a store: a database address or a data folder. */
interface Place {
  kind: "database" | "folder";
  where: string;
}

function placeOf(given: string): Place {
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
  { head: "Table", cell: ({ table }: { table: string }) => table },
  { head: "Rows", align: "right", cell: ({ rows }: { rows: number }) => String(rows) },
  { head: "SHA-256", rank: 1, cell: ({ sha256 }: { sha256: string }) => sha256.slice(0, 16) },
] as const;

/** `execcomp purge`, which a server starts every hour. */
export const purge = accountsCommand({
  name: "purge",
  summary: "Delete what has expired, and roll up the ledger.",
  settings: ["store", "ledgerRetention", "auditRetention"],
  async run(accounts, _given, io) {
    io.printJson(await purgeAccounts(accounts, io.loaded.config));
  },
});
/** Refuses if the accounts are in a database, which has its own tools. */
function refuseDatabase(io: Io): void {
  if (io.loaded.config.store === "") return;
  throw new OperatorError(
    "The accounts are in PostgreSQL (--store). Back them up with pg_dump --format=custom, and restore them with pg_restore --single-transaction.",
  );
}

/** `execcomp backup` */
export const backup = command({
  name: "backup",
  summary: "Copy the accounts to a file, even while a server runs.",
  details:
    "The copy is a consistent snapshot of the store: users, keys (as hashes), ledger, rate limits, connected apps. The\n" +
    "dataset is not included: it comes with the executable or from `data export`.",
  operands: [{ name: "FILE", about: "The new file; it must not exist yet." }],
  flags: { byServer },
  settings: ["store"],
  examples: [["backup accounts-2026-06-01.sqlite", "Without downtime."]],
  async run({ flags, operands: [file = ""] }, io) {
    refuseDatabase(io);
    backUp(io.loaded.config.dataDir, file);
    const { size: bytes } = Bun.file(file);
    if (!flags.byServer)
      await recordOutside(io, { act: "backup_made", subject: basename(file), after: { bytes } });
    const text = `Backed up to ${file}. Restore it with: execcomp restore ${shellWord(file)}${sameFolder(io.loaded)}`;
    io.confirm({ file, bytes }, text);
  },
});

/** `execcomp restore` */
export const restore = command({
  name: "restore",
  summary: "Replace the accounts with a backup; stop the server first.",
  details: "The backup is checked first. The replaced file is kept, with the time in its name.",
  operands: [{ name: "FILE", about: "A file written by `backup`." }],
  settings: ["store"],
  examples: [["restore accounts-2026-06-01.sqlite", "Refused while a server uses the data folder."]],
  async run({ operands: [file = ""] }, io) {
    refuseDatabase(io);
    const previous = await restoreStore(io.loaded.config.dataDir, file, io.runtime.now());
    await recordOutside(io, { act: "store_restored", subject: basename(file) });
    const replaced = previous === null ? "" : ` The replaced file is kept as ${previous}.`;
    io.confirm({ restored: file, kept: previous }, `Restored ${file}.${replaced}`);
  },
});

/** `execcomp doctor` */
export const doctor = command({
  name: "doctor",
  summary: "Check files, permissions, schema, ledger and clock, and say what to do.",
  details: "Changes nothing. Exits with 1 if something is broken; with 0 if there are only warnings.",
  flags: {
    since: {
      value: "ENTRY",
      reads: readEntry,
      about:
        "Check the ledger only after this entry, and skip the file of a large store, as a server does every hour.",
    },
  },
  settings: ["store"],
  examples: [["doctor", "Run this first when something is wrong."]],
  async run({ flags }, io) {
    const { store, dataDir } = io.loaded.config;
    const { since = null } = flags;
    // Opening the dataset would create a folder that is not there, such as a misspelled one.
    const { findings: ofDataset, editionMs } = existsSync(dataDir)
      ? checkDataset(io)
      : { findings: [], editionMs: 0 };
    const examined =
      store === "" ? examine(dataDir, io.runtime.now(), { isRecentOnly: since !== null, editionMs }) : [];
    // In a store that is missing, damaged or of another version there is nothing to read.
    const isSound = ["schema", "soundness"].every((name) =>
      examined.some(({ check, status }) => check === name && status === "ok"),
    );
    const isServed = !examined.some(({ message }) => message === NO_SERVER_RUNS);
    const found = await (store !== ""
      ? withAccounts(io, (accounts) => databaseFindings(accounts, () => accounts.store.failure, since))
      : isSound
        ? withAccounts(io, (accounts) => accountFindings(accounts, since, isServed, sameFolder(io.loaded)))
        : { findings: [], newestEntry: null });
    // A server's hourly check is not about settings, with which the server has started.
    const ofSettings = since === null && existsSync(dataDir) ? checkSettings(io) : [];
    const findings = [...examined, ...found.findings, ...ofDataset, ...ofSettings];
    const ok = findings.every(({ status }) => status !== "broken");
    io.answer(
      { ok, findings, newestEntry: found.newestEntry ?? undefined },
      findings.map(({ check, status, message }) => `${MARKS[status]} ${check}: ${message}`),
      " ".repeat(9),
    );
    return ok ? 0 : 1;
  },
});

function readEntry(flag: string, text: string): number {
  const entry = Number(text);
  if (Number.isSafeInteger(entry)) return entry;
  throw new UsageError(`Cannot read ${flag} ${JSON.stringify(text)}: expected the number of an entry.`);
}

const MARKS = { ok: "ok      ", warning: "warning ", broken: "BROKEN  " } as const;

/** Settings from the environment or the file with which no server starts, and those that can never match or work. */
function checkSettings({ loaded, runtime }: Io): Finding[] {
  try {
    refuseContradictions(loaded.config);
    const warnings = settingWarnings(loaded, openDataset(loaded.config.dataDir), runtime.now());
    return warnings.map((message) => ({ check: "settings", status: "warning", message }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message } = namedWhereSet(error, loaded);
    return [{ check: "settings", status: "broken", message }];
  }
}

/** Verifies every byte of the dataset that a server on this folder would use. @returns also the day of its edition */
function checkDataset(io: Io): { findings: readonly Finding[]; editionMs: number } {
  const { dataDir } = io.loaded.config;
  try {
    const { name } = verifySnapshot(dataDir);
    const editionMs = Date.parse(openDataset(dataDir).info.edition);
    const message = `Every byte of ${name} matches its seal.`;
    return { findings: [{ check: "dataset", status: "ok", message }], editionMs };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { findings: [{ check: "dataset", status: "broken", message: error.message }], editionMs: 0 };
  }
}
