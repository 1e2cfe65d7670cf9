import type { Command } from "./command.ts";

/**
 * All commands by name, in the order of the help page. Each is loaded when needed, so that no command slows down the start of
 * another.
 */
export const REGISTRY: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  show: async () => (await import("./show.ts")).show,
  find: async () => (await import("./find.ts")).find,
  query: async () => (await import("./query.ts")).query,
  stats: async () => (await import("./stats.ts")).stats,
  compare: async () => (await import("./query.ts")).compare,
  sql: async () => (await import("./sql.ts")).sql,
  get: async () => (await import("./get.ts")).get,
  tickers: async () => (await import("./tickers.ts")).tickers,
  mcp: async () => (await import("./mcp.ts")).mcp,
  "data info": async () => (await import("./data.ts")).info,
  "data verify": async () => (await import("./data.ts")).verify,
  "data install": async () => (await import("./data.ts")).install,
  "data rollback": async () => (await import("./data.ts")).rollback,
  "data export": async () => (await import("./data-export.ts")).exportCommand,
  "data publish": async () => (await import("./published.ts")).publish,
  "data follow": async () => (await import("./published.ts")).follow,
  "data changes": async () => (await import("./changes.ts")).changes,
  "data diff": async () => (await import("./data.ts")).diff,
  coverage: async () => (await import("./coverage.ts")).coverage,
  history: async () => (await import("./history.ts")).history,
  parse: async () => (await import("./parse.ts")).parse,
  explain: async () => (await import("./explain.ts")).explain,
  ingest: async () => (await import("./ingest.ts")).ingest,
  "keys create": async () => (await import("./keys.ts")).create,
  "keys list": async () => (await import("./keys.ts")).list,
  "keys revoke": async () => (await import("./keys.ts")).revoke,
  "keys rotate": async () => (await import("./keys.ts")).rotate,
  "keys rename": async () => (await import("./keys.ts")).rename,
  "users create": async () => (await import("./users.ts")).create,
  "users list": async () => (await import("./users.ts")).list,
  "users invite": async () => (await import("./users.ts")).invite,
  "users reset-password": async () => (await import("./users.ts")).resetPassword,
  "users disable": async () => (await import("./users.ts")).disable,
  "users enable": async () => (await import("./users.ts")).enable,
  "users delete": async () => (await import("./users.ts")).remove,
  "credits show": async () => (await import("./credits.ts")).show,
  "credits grant": async () => (await import("./credits.ts")).grant,
  "credits ledger": async () => (await import("./credits.ts")).ledger,
  "credits unmetered": async () => (await import("./credits.ts")).unmetered,
  "credits check": async () => (await import("./credits.ts")).check,
  audit: async () => (await import("./audit.ts")).audit,
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./restore.ts")).restore,
  "store copy": async () => (await import("./store.ts")).copy,
  doctor: async () => (await import("./doctor.ts")).doctor,
  "config print": async () => (await import("./config.ts")).print,
  openapi: async () => (await import("./openapi.ts")).openapi,
  update: async () => (await import("./update.ts")).update,
  completions: async () =>
    (await import("./completions.ts")).completionsFor({ names: COMMAND_NAMES, load: loadCommand }),
  version: async () => (await import("./version.ts")).version,
  help: async () => (await import("./help.ts")).helpFor({ names: COMMAND_NAMES, load: loadCommand }),
};

/** Internal commands: not listed in help or completions. */
const INTERNAL: typeof REGISTRY = {
  welcome: async () => (await import("./welcome.ts")).welcome,
  "record-changes": async () => (await import("./changes.ts")).recordCommand,
  "serve-worker": async () => (await import("./serve-worker.ts")).serveWorker,
  "sql-process": async () => (await import("./sql-process.ts")).sqlProcess,
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

/** Run when no command is given. */
export const DEFAULT_COMMAND = "serve";

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
  rankings: "query",
  search: "find",
  server: "serve",
  start: "serve",
  statistics: "stats",
};

/** Loads a command. @throws Error if there is none of that name, as callers check it first */
export async function loadCommand(name: string): Promise<Command> {
  const load = REGISTRY[name] ?? INTERNAL[name];
  if (load === undefined) throw new Error(`no command "${name}" in the registry`);
  return load();
}
