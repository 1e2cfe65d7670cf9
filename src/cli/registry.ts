import type { Command } from "./command.ts";

/**
 * All commands by name, in the order of the help page. Each is loaded when needed, so that no command slows down the start of
 * another.
 */
const REGISTRY: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./server/serve.ts")).serve,
  show: async () => (await import("./questions/show.ts")).show,
  find: async () => (await import("./questions/find.ts")).find,
  query: async () => (await import("./questions/query.ts")).query,
  stats: async () => (await import("./questions/stats.ts")).stats,
  "ceo-pay": async () => (await import("./questions/stats.ts")).ceoPay,
  compare: async () => (await import("./questions/query.ts")).compare,
  sql: async () => (await import("./questions/sql.ts")).sql,
  get: async () => (await import("./questions/get.ts")).get,
  mcp: async () => (await import("./server/mcp.ts")).mcp,
  "data info": async () => (await import("./dataset/data.ts")).info,
  "data verify": async () => (await import("./dataset/data.ts")).verify,
  "data install": async () => (await import("./dataset/data.ts")).install,
  "data rollback": async () => (await import("./dataset/data.ts")).rollback,
  "data export": async () => (await import("./dataset/data-export.ts")).exportCommand,
  "data diff": async () => (await import("./dataset/data.ts")).diff,
  coverage: async () => (await import("./dataset/coverage.ts")).coverage,
  parse: async () => (await import("./filings/parse.ts")).parse,
  explain: async () => (await import("./dataset/explain.ts")).explain,
  ingest: async () => (await import("./filings/ingest.ts")).ingest,
  "keys create": async () => (await import("./accounts/keys.ts")).create,
  "keys list": async () => (await import("./accounts/keys.ts")).list,
  "keys revoke": async () => (await import("./accounts/keys.ts")).revoke,
  "keys rotate": async () => (await import("./accounts/keys.ts")).rotate,
  "users create": async () => (await import("./accounts/users.ts")).create,
  "users list": async () => (await import("./accounts/users.ts")).list,
  "users invite": async () => (await import("./accounts/users.ts")).invite,
  "users role": async () => (await import("./accounts/users.ts")).role,
  "users reset-password": async () => (await import("./accounts/users.ts")).resetPassword,
  "users disable": async () => (await import("./accounts/users.ts")).disable,
  "users enable": async () => (await import("./accounts/users.ts")).enable,
  "users delete": async () => (await import("./accounts/users.ts")).remove,
  "credits show": async () => (await import("./accounts/credits.ts")).show,
  "credits grant": async () => (await import("./accounts/credits.ts")).grant,
  "credits ledger": async () => (await import("./accounts/credits.ts")).ledger,
  "credits unmetered": async () => (await import("./accounts/credits.ts")).unmetered,
  audit: async () => (await import("./accounts/audit.ts")).audit,
  backup: async () => (await import("./server/store.ts")).backup,
  restore: async () => (await import("./server/store.ts")).restore,
  "store copy": async () => (await import("./server/store.ts")).copy,
  doctor: async () => (await import("./server/store.ts")).doctor,
  "config print": async () => (await import("./help.ts")).print,
  completions: async () => (await import("./completions.ts")).completions,
  version: async () => (await import("./version.ts")).version,
  help: async () => (await import("./help.ts")).helpFor({ names: COMMAND_NAMES, load: loadCommand }),
};

/** Internal commands: not listed in help or completions. */
const INTERNAL: typeof REGISTRY = {
  complete: async () =>
    (await import("./completions.ts")).completeFor({ names: COMMAND_NAMES, load: loadCommand }),
  welcome: async () => (await import("./questions/find.ts")).welcome,
  purge: async () => (await import("./server/store.ts")).purge,
  "sql-process": async () => (await import("./questions/sql-process.ts")).sqlProcess,
};

/** Names of all commands. */
// REGISTRY is a constant of this file, so its keys are exactly the names.
export const COMMAND_NAMES = Object.keys(REGISTRY);

/** Whether it is an internal command. */
export function isInternal(name: string): boolean {
  return Object.hasOwn(INTERNAL, name);
}

/** Run on a terminal without any arguments. */
export const TERMINAL_COMMAND = "welcome";

/** Alternative spellings of commands. */
export const ALIASES: Readonly<Record<string, string>> = {
  "--version": "version",
  "-v": "version",
  "-V": "version",
  "--help": "help",
  "-h": "help",
};

/** Names of commands in the API and in other programs, for suggestions. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  companies: "find",
  history: "explain",
  openapi: "get",
  rankings: "query",
  search: "find",
  server: "serve",
  start: "serve",
  statistics: "stats",
  tickers: "coverage",
};

/** Loads a command. @throws Error if there is none of that name, as callers check it first */
export async function loadCommand(name: string): Promise<Command> {
  const load = REGISTRY[name] ?? INTERNAL[name];
  if (load === undefined) throw new Error(`no command "${name}" in the registry`);
  return load();
}
