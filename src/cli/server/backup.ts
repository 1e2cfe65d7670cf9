import { basename } from "node:path";
import { OperatorError } from "../../errors.ts";
import { backUp, restore as restoreStore } from "../../store/backup.ts";
import { byServer, recordOutside } from "../accounts/accounts.ts";
import { command, type Io, sameFolder } from "../command.ts";

/** Refuses if the accounts are in a database, which has tools of its own. */
export function refuseDatabase(io: Io): void {
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
    const after = { bytes: Bun.file(file).size };
    if (!flags.byServer) await recordOutside(io, { act: "backup_made", subject: basename(file), after });
    if (io.json) io.printJson({ file, bytes: Bun.file(file).size });
    else io.note(`Backed up to ${file}. Restore it with: execcomp restore ${file}${sameFolder(io.loaded)}`);
    return 0;
  },
});

/** `execcomp restore` */
export const restore = command({
  name: "restore",
  summary: "Replace the accounts with a backup; stop the server first.",
  details: "The backup is checked first. The replaced file is kept, with the time in its name.",
  operands: [{ name: "FILE", about: "A file written by `backup`." }],
  flags: {},
  settings: ["store"],
  examples: [["restore accounts-2026-06-01.sqlite", "Refused while a server uses the data folder."]],
  async run({ operands: [file = ""] }, io) {
    refuseDatabase(io);
    const kept = await restoreStore(io.loaded.config.dataDir, file, io.runtime.now());
    await recordOutside(io, { act: "store_restored", subject: basename(file) });
    if (io.json) io.printJson({ restored: file, kept });
    else io.note(`Restored ${file}.${kept === null ? "" : ` The replaced file is kept as ${kept}.`}`);
    return 0;
  },
});
