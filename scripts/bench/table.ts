/** The table that `all.ts` prints: the measurements, the figures they are read from, and their targets. */

/** The target of a figure. */
interface Aim {
  text: string;
  holds(value: number): boolean;
}

/** One line of the table. */
export interface Line {
  what: string;
  /** The names under which benches pass on figures (`figures.ts`). */
  figures: readonly { name: string; digits?: number; unit?: string }[];
  aim: Aim;
  /** The section of docs/performance.md that breaks the figure down. */
  budget: string;
}

const atLeast = (least: number): Aim => ({ text: `${least}`, holds: (value) => value >= least });
const atMost = (most: number, unit: string): Aim => ({
  text: `${most} ${unit}`,
  holds: (value) => value <= most,
});

const BUDGETS = "[budgets](#missed-targets-in-microseconds)";
const MEMORY = "[start and memory](#start-and-memory)";

/** The lines in the order of the table. */
export const TABLE: readonly Line[] = [
  {
    what: "keyed, latest year, relative to a bare server",
    figures: [{ name: "keyed 64" }],
    aim: atLeast(0.74),
    budget: BUDGETS,
  },
  {
    what: "facts, relative to a bare server",
    figures: [{ name: "facts 64" }],
    aim: atLeast(0.7),
    budget: BUDGETS,
  },
  {
    what: "charged, one user, 64 connections, relative to a bare server",
    figures: [{ name: "charged 64" }],
    aim: atLeast(0.55),
    budget: BUDGETS,
  },
  {
    what: "charged, one connection, relative to a bare server",
    figures: [{ name: "charged 1" }],
    aim: atLeast(0.3),
    budget: BUDGETS,
  },
  {
    what: "charged, 1,000 users relative to one",
    figures: [{ name: "charged-1000-users 64", unit: " ×" }],
    aim: atMost(1.2, "×"),
    budget: BUDGETS,
  },
  {
    what: "first use of a key, relative to a key in use",
    figures: [{ name: "first-use 64", unit: " ×" }],
    aim: atMost(1.5, "×"),
    budget: BUDGETS,
  },
  {
    what: "10,000 keys in use, relative to one",
    figures: [{ name: "keys-10000 64", unit: " ×" }],
    aim: atMost(1.1, "×"),
    budget: BUDGETS,
  },
  {
    what: "p50 of facts alongside 500 charges a second while each flush takes 10 ms, relative to p50 alone",
    figures: [{ name: "slow disk p50", unit: " ×" }],
    aim: atMost(1.2, "×"),
    budget: BUDGETS,
  },
  {
    what: "charges a second on that disk, 256 connections",
    figures: [{ name: "slow disk charges 256", digits: 0 }],
    aim: atLeast(5000),
    budget: BUDGETS,
  },
  {
    what: "MCP `tools/call`, latest year, relative to a bare server: 2025 revisions; 2026-07-28",
    figures: [{ name: "mcp 64" }, { name: "mcp-modern 64" }],
    aim: atLeast(0.37),
    budget: BUDGETS,
  },
  {
    what: "MCP `tools/call`, latest year, relative to REST: 2025 revisions; 2026-07-28",
    figures: [{ name: "mcp latest year, anonymous, legacy" }, { name: "mcp latest year, anonymous, modern" }],
    aim: atLeast(0.7),
    budget: BUDGETS,
  },
  {
    what: "MCP `tools/call`, four years, charged, relative to REST: 2025 revisions; 2026-07-28",
    figures: [{ name: "mcp four years, charged, legacy" }, { name: "mcp four years, charged, modern" }],
    aim: atLeast(0.7),
    budget: BUDGETS,
  },
  {
    what: "start to the first answer, used data folder, median",
    figures: [{ name: "start", digits: 0, unit: " ms" }],
    aim: atMost(45, "ms"),
    budget: MEMORY,
  },
  {
    what: "memory at idle, resident",
    figures: [{ name: "idle", digits: 0, unit: " MB" }],
    aim: atMost(60, "MB"),
    budget: MEMORY,
  },
  {
    what: "longest stall of the answering thread after the start, without requests; the first `tools/list`",
    figures: [
      { name: "stall", digits: 1, unit: " ms" },
      { name: "first tools/list", digits: 1, unit: " ms" },
    ],
    aim: atMost(5, "ms"),
    budget: MEMORY,
  },
  {
    what: "cold company, 500,500 rows, relative to one of a hundred warm ones",
    figures: [{ name: "cold company", unit: " ×" }],
    aim: atMost(1.5, "×"),
    budget: MEMORY,
  },
  {
    what: "`/coverage` of 500,500 rows, once it is built",
    figures: [{ name: "coverage", unit: " ms" }],
    aim: atMost(0.1, "ms"),
    budget: MEMORY,
  },
  {
    what: "private memory after wide queries over 500,500 rows",
    figures: [{ name: "wide queries", digits: 0, unit: " MB" }],
    aim: atMost(200, "MB"),
    budget: MEMORY,
  },
  {
    what: "CSV export of 500,500 rows, peak resident memory",
    figures: [{ name: "export csv", digits: 0, unit: " MB" }],
    aim: atMost(150, "MB"),
    budget: MEMORY,
  },
  {
    what: "reading filings that yield rows, relative to the tokenizer",
    figures: [{ name: "reading" }],
    aim: atLeast(0.5),
    budget: "[reading](#reading-filings)",
  },
];
