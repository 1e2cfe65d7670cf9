import { openDataset } from "../snapshot/snapshots.ts";
import { command } from "./command.ts";

/** `execcomp tickers` */
export const tickers = command({
  name: "tickers",
  summary: "List the symbols of all companies that have rows.",
  operands: [],
  flags: {},
  settings: [],
  examples: [
    ["tickers", "One symbol a line."],
    ["tickers --json", "As REST answers it."],
  ],
  async run(_given, io) {
    const { dataDir } = io.loaded.config;
    const symbols = openDataset(dataDir).tickers();
    if (io.json) io.printJson({ resource: "executive_compensation", tickers: symbols });
    else io.print(symbols.join("\n"));
    return 0;
  },
});
