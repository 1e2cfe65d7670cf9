/**
 * External test suites and clients against our server: `bun run conformance SUBCOMMAND [FLAGS]`. Each subcommand is a
 * file of `scripts/conformance/` whose header comment lists its flags. All of them accept `--executable FILE`.
 */
import { runSubcommand } from "./subcommand.ts";

const SUBCOMMANDS = {
  mcp: "the official MCP conformance suite, both protocol revisions",
  oauth: "the suite's authorization scenarios",
  openapi: "requests that Schemathesis generates from the OpenAPI document",
  clients: "real MCP clients, from SDKs to desktop programs",
};

process.exit(await runSubcommand("conformance", SUBCOMMANDS, process.argv.slice(2)));
