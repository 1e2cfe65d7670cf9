/**
 * Measures the built executable: `bun run build && bun run bench NAME [FLAGS]`. A benchmark, not a test: nothing here passes or fails.
 *
 * Comparisons are ratios of alternating runs on the same machine, in CPU time: absolute figures say more about the machine. The
 * benches are programs in `scripts/bench/`; the comment at the head of each lists its flags.
 */
import { runSubcommand } from "./subcommand.ts";

const BENCHES = {
  all: "the table of docs/performance.md",
  rows: "what a request costs, for every kind of caller; beside a bare server, or another executable or commit",
  start: "the start up to the first answer, memory and stalls of an idle server",
  growth: "what grows with rows, users and ledger entries; beside DuckDB, Hono and Fastify",
  disk: "what callers feel of a disk with slow flushes",
  stores: "the store in the data folder beside one to three servers on PostgreSQL and Redis",
  reading: "the reader beside the tokenizer of its library",
  dataset: "makes a dataset of half a million rows",
};

process.exit(await runSubcommand("bench", BENCHES, process.argv.slice(2)));
