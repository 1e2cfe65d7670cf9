/**
 * Random input from a seed, in amounts too large for the tests: `bun run fuzz SUBCOMMAND [FLAGS]`. Each subcommand is a
 * file of `scripts/fuzz/` whose header comment lists its flags. Exits 1 if an invariant was violated.
 */
import { runSubcommand } from "./subcommand.ts";

const SUBCOMMANDS = {
  requests: "random and mutated requests against the whole server",
  edge: "hostile requests over real sockets: responses, CPU and memory of a separate server process",
  readers: "clients that never read a long response: memory of a separate server process",
  mcp: "malformed MCP messages",
  analyst: "random calls of the tools across companies, and mutated messages to their endpoint",
  oauth: "mutated registrations, authorization requests and token requests",
  filings: "generated layouts (--layouts N) and damaged filings (--mutations N)",
};

process.exit(await runSubcommand("fuzz", SUBCOMMANDS, process.argv.slice(2)));
