import { restore as restoreStore } from "../store/backup.ts";
import { command } from "./command.ts";

/** `execcomp restore` */
export const restore = command({
  name: "restore",
  summary: "Put a backup in the place of the accounts; no server may run on them.",
  details: "The backup is checked first. What was there is kept beside it, under a name with the time.",
  operands: [{ name: "FILE", about: "A file that `backup` wrote." }],
  flags: {},
  settings: [],
  examples: [["restore accounts-2026-06-01.sqlite", "Refused while a server holds the data folder."]],
  async run({ operands: [file = ""] }, io) {
    const kept = await restoreStore(io.loaded.config.dataDir, file, io.runtime.now());
    if (io.json) io.printJson({ restored: file, kept });
    else io.note(`Restored ${file}.${kept === null ? "" : ` What was there is kept as ${kept}.`}`);
    return 0;
  },
});
