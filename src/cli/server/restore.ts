import { basename } from "node:path";
import { restore as restoreStore } from "../../store/backup.ts";
import { recordOutside } from "../accounts/accounts.ts";
import { refuseDatabase } from "./backup.ts";
import { command } from "../command.ts";

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
