import { openDataset } from "../../dataset/snapshots.ts";
import { command } from "../command.ts";

/** `execcomp tickers` */
export const tickers = command({
  name: "tickers",
  summary: "List the symbols of all covered companies.",
  operands: [],
  flags: {},
  settings: [],
  examples: [
    ["tickers", "One symbol per line."],
    ["tickers --json", "As the REST API returns it."],
  ],
  async run(_given, io) {
    const { dataDir } = io.loaded.config;
    const symbols = openDataset(dataDir).tickers();
    if (io.json) io.printJson({ resource: "executive_compensation", tickers: symbols });
    else io.print(symbols.join("\n"));
    return 0;
  },
});
