import { backUp } from "../store/backup.ts";
import { command } from "./command.ts";

/** `execcomp backup` */
export const backup = command({
  name: "backup",
  summary: "Write a copy of the accounts to a file, also while a server runs.",
  details:
    "The copy is the store at one moment: users, keys (as hashes), ledger, windows, connected applications. The data\n" +
    "snapshot is not in it: it comes with the executable, or from `data export`.",
  operands: [{ name: "FILE", about: "Where to; it must not be there yet." }],
  flags: {},
  settings: [],
  examples: [["backup accounts-2026-06-01.sqlite", "Nothing has to stop for it."]],
  async run({ operands: [file = ""] }, io) {
    backUp(io.loaded.config.dataDir, file);
    if (io.json) io.printJson({ file, bytes: Bun.file(file).size });
    else io.note(`Backed up to ${file}. Bring it back with: execcomp restore ${file}`);
    return 0;
  },
});
