import { openDataset } from "../../dataset/snapshots.ts";
import { command } from "../command.ts";

/** Example queries. */
const QUESTIONS = [
  ["show apple", "a company, by symbol or name"],
  ["find facebook", "by former names, too"],
  ["query --office pfo --fiscal-year 2024", "the highest-paid CFOs"],
  ["stats --office peo --group-by sector", "medians, percentiles"],
  ["compare AAPL MSFT GOOGL", "CEOs side by side"],
  ['sql "SELECT …"', "anything else"],
  ["explain AAPL 2025 tim-cook salary", "the cell an amount is from"],
  ["coverage", "what is loaded"],
] as const;

const SERVING = [
  ["serve", "REST, MCP and pages"],
  ["mcp", "for an assistant here"],
  ["help", "all commands and flags"],
] as const;

/** Shown when `execcomp` is typed on a terminal without arguments. */
export const welcome = command({
  name: "welcome",
  summary: "Say what can be asked.",
  operands: [],
  flags: {},
  settings: [],
  examples: [],
  async run(_given, io) {
    const { rows, companiesWithRows, edition } = openDataset(io.loaded.config.dataDir).info;
    const linesOf = (lines: readonly (readonly [string, string])[]) =>
      lines.map(([line, about]) => `  execcomp ${line.padEnd(40)}${about}`);
    io.print(
      [
        "What public companies paid their named executive officers, from their filings:",
        `${rows.toLocaleString("en-US")} rows from ${companiesWithRows.toLocaleString("en-US")} companies, edition ${edition}.`,
        "",
        "Ask:",
        ...linesOf(QUESTIONS),
        "",
        "Or:",
        ...linesOf(SERVING),
      ].join("\n"),
    );
    return 0;
  },
});
