import { openDataset } from "../../dataset/snapshots.ts";
import { command } from "../command.ts";
import { OUTPUT_FLAGS, printAnswer } from "../output.ts";

/** `execcomp tickers` */
export const tickers = command({
  name: "tickers",
  summary: "List the symbols of all covered companies.",
  operands: [],
  flags: OUTPUT_FLAGS,
  settings: [],
  examples: [
    ["tickers", "One symbol per line."],
    ["tickers --json", "As the REST API returns it."],
  ],
  async run({ flags }, io) {
    const { dataDir } = io.loaded.config;
    const symbols = openDataset(dataDir).tickers();
    await printAnswer(
      io,
      flags,
      { resource: "executive_compensation", tickers: symbols },
      {
        rows: symbols.map((ticker) => ({ ticker })),
        columns: [{ head: "ticker", align: "left", rank: 0, cell: ({ ticker }) => ticker }],
        none: "No companies.",
        texts: { table: () => symbols.join("\n") },
      },
    );
    return 0;
  },
});
