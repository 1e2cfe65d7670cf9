import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type } from "arktype";
import { nearest } from "./domain/nearest.ts";
import { OperatorError } from "./errors.ts";

const text = type("string");
const port = wholeSetting(0, 65535);
const credits = wholeSetting(0, 1_000_000);
const rate = wholeSetting(1, 100_000_000);
const flag = type("'true' | 'false'").pipe((word) => word === "true");
const list = type("string").pipe((words) =>
  words
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== ""),
);
const origin = type("string").pipe((address, context) => {
  if (address === "") return null;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return context.error("an http or https address");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    return context.error("an origin without a path, such as https://pay.example.com");
  }
  return url.origin;
});
const address = type("string").pipe((words, context) => {
  if (words === "") return null;
  if (!URL.canParse(words) || !/^https?:/.test(words)) return context.error("a whole http or https address");
  return new URL(words).href.replace(/\/$/, "");
});

const contact = type("string").narrow((words, context) => {
  const isOne =
    /^[\x20-\x7e]{5,200}$/.test(words) && /[^\s@]+@[^\s@]+\.[^\s@]+|[^\s@]+@localhost/.test(words);
  return (
    words === "" || isOne || context.mustBe("a name and a mail address, such as Ann Lee ann@example.com")
  );
});
const edgarOrigin = type("string").pipe((words, context) => {
  const url = URL.canParse(words) ? new URL(words) : undefined;
  const bare =
    url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "";
  return bare ? url.origin : context.error("an http or https origin without a path");
});

const smtpAddress = type("string").narrow((words, context) => {
  if (words === "") return true;
  const url = URL.canParse(words) ? new URL(words) : undefined;
  const bare = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  return (
    (bare && /^\/?$/.test(url.pathname) && url.search === "") ||
    context.mustBe("an address such as smtp://user:password@mail.example.com:587")
  );
});

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Milliseconds of a number with a unit, at most three weeks: no timer waits for longer than 24 days. */
const duration = type(/^[1-9]\d{0,5}[mhd]$/)
  .pipe((words) => Number(words.slice(0, -1)) * (UNIT_MS[words.slice(-1) as keyof typeof UNIT_MS] ?? 0))
  .narrow((ms, context) => ms <= 21 * UNIT_MS.d || context.mustBe("21 days at most"))
  .describe("a number of minutes, hours or days, such as 30m, 24h or 7d");

function wholeSetting(min: number, max: number) {
  return type(/^\d{1,9}$/)
    .pipe((digits) => Number(digits))
    .narrow((n, context) => (n >= min && n <= max) || context.mustBe(`a whole number from ${min} to ${max}`))
    .describe(`a whole number from ${min} to ${max}`);
}

/**
 * Every setting once: `--the-flag`, `EXECCOMP_THE_FLAG` and the key `the-flag` of the configuration file
 * (TOML) are the same thing, in that order of weight. Values are text first, read by `schema`.
 */
export const SETTINGS = {
  host: { schema: text, fallback: "127.0.0.1", value: "ADDRESS", about: "Address to listen on." },
  port: { schema: port, fallback: "8402", value: "PORT", about: "Port to listen on; 0 for a free one." },
  socket: {
    schema: text,
    fallback: "",
    value: "PATH",
    about:
      "Unix socket to listen on in place of a port, for a proxy on this machine, whose X-Forwarded-For is believed; its group may connect.",
  },
  tlsCert: {
    schema: text,
    fallback: "",
    value: "FILE",
    about:
      "Certificate chain (PEM) to serve https with, where no proxy does; needs a key too. SIGHUP reads both again.",
  },
  tlsKey: {
    schema: text,
    fallback: "",
    value: "FILE",
    about: "Private key (PEM) of the certificate.",
  },
  dataDir: {
    schema: text,
    fallback: "",
    value: "DIR",
    about: "Folder of the writable database and of installed snapshots; by default the user's data folder.",
  },
  publicUrl: {
    schema: origin,
    fallback: "",
    value: "URL",
    about: "Origin under which callers reach this server; needed when it is bound to anything but loopback.",
  },
  mcpLegacyUrl: {
    schema: address,
    fallback: "",
    value: "URL",
    about: "URL of an optional second MCP endpoint, for older clients; its host may differ.",
  },
  requireStore: {
    schema: flag,
    fallback: "false",
    value: null,
    about: "Refuses to start where there is no store yet: for a server whose disk may not be mounted.",
  },
  contact: {
    schema: contact,
    fallback: "",
    value: "NAME MAIL",
    about: "Name and mail address, which EDGAR requires with every request; without it nothing is fetched.",
  },
  edgarWwwUrl: {
    schema: edgarOrigin,
    fallback: "https://www.sec.gov",
    value: "URL",
    about: "Origin of EDGAR's documents and indexes.",
  },
  edgarDataUrl: {
    schema: edgarOrigin,
    fallback: "https://data.sec.gov",
    value: "URL",
    about: "Origin of EDGAR's lists of filings.",
  },
  offline: {
    schema: flag,
    fallback: "false",
    value: null,
    about: "Guarantees that only the listener opens a socket.",
  },
  metricsListen: {
    schema: text,
    fallback: "",
    value: "ADDRESS",
    about:
      "Address of a second listener, PORT or ADDRESS:PORT, that serves /metrics for Prometheus; off when empty.",
  },
  otlpEndpoint: {
    schema: address,
    fallback: "",
    value: "URL",
    about: "OpenTelemetry collector (OTLP over HTTP) that traces and metrics are sent to; off when empty.",
  },
  otlpHeaders: {
    schema: type(
      /^([!#$%&'*+.^`|~\w-]+=[\x20-\x2b\x2d-\x7e]*(,[!#$%&'*+.^`|~\w-]+=[\x20-\x2b\x2d-\x7e]*)*)?$/,
    ).describe("NAME=VALUE pairs with commas between"),
    fallback: "",
    value: "NAME=VALUE,…",
    about: "Headers sent to it, such as its key.",
    secret: true,
  },
  otlpTracePercent: {
    schema: wholeSetting(0, 100),
    fallback: "10",
    value: "PERCENT",
    about: "Share of requests that are traced; a request with a traceparent follows what that says.",
  },
  updateUrl: {
    schema: address,
    fallback: "",
    value: "URL",
    about: "Address of a release's latest.json that `update --check` asks; nothing else ever does.",
  },
  backupDir: {
    schema: text,
    fallback: "",
    value: "DIR",
    about: "Folder that the server backs the store up to by itself, each copy checked; none when empty.",
  },
  backupEvery: {
    schema: duration,
    fallback: "24h",
    value: "TIME",
    about: "How often, such as 30m, 24h or 7d.",
  },
  backupKeep: {
    schema: wholeSetting(1, 10_000),
    fallback: "14",
    value: "COUNT",
    about: "How many of the server's own backups are kept; older ones are deleted.",
  },
  auditRetention: {
    schema: wholeSetting(0, 36_500),
    fallback: "400",
    value: "DAYS",
    about: "Days that entries of the audit log are kept; 0 keeps them for good.",
  },
  logLevel: {
    schema: type("'info' | 'warn' | 'error'"),
    fallback: "info",
    value: "info|warn|error",
    about: "What the log leaves out: everything less grave than this; info has a line for each request.",
  },
  logFormat: {
    schema: type("'auto' | 'json' | 'logfmt'"),
    fallback: "auto",
    value: "auto|json|logfmt",
    about: "How the log is written; auto is logfmt for people at a terminal, else JSON.",
  },
  trustedProxies: {
    schema: list,
    fallback: "",
    value: "ADDRESS,…",
    about: "Addresses or networks (CIDR) of the proxies whose X-Forwarded-For is trusted.",
  },
  corsOrigins: {
    schema: list,
    fallback: "",
    value: "ORIGIN,…",
    about: "Origins whose pages may call the keyed REST operations from a browser; * for any.",
  },
  securityContact: {
    schema: type(/^((mailto:|https:\/\/)[\x21-\x7e]{3,200})?$/).describe("a mailto: or https: address"),
    fallback: "",
    value: "URI",
    about: "Where to report a vulnerability (mailto: or https:), published at /.well-known/security.txt.",
  },
  priceTickers: { schema: credits, fallback: "0", value: "CREDITS", about: "Price of the list of tickers." },
  priceLatest: {
    schema: credits,
    fallback: "0",
    value: "CREDITS",
    about: "Price of an answer with rows of the latest fiscal year only, or with none.",
  },
  priceHistory: {
    schema: credits,
    fallback: "1",
    value: "CREDITS",
    about: "Price of an answer with any row of an earlier fiscal year.",
  },
  priceQuery: {
    schema: credits,
    fallback: "1",
    value: "CREDITS",
    about: "Price of a page of rows across companies; a page of a query that matches nothing is free.",
  },
  priceStatistics: {
    schema: credits,
    fallback: "1",
    value: "CREDITS",
    about: "Price of statistics across companies; free where nothing matches.",
  },
  priceCompanies: {
    schema: credits,
    fallback: "0",
    value: "CREDITS",
    about: "Price of a search for companies.",
  },
  rateAnonymous: {
    schema: rate,
    fallback: "60",
    value: "REQUESTS",
    about: "Requests in any 60 seconds for an anonymous client, by its address.",
  },
  rateKey: {
    schema: rate,
    fallback: "600",
    value: "REQUESTS",
    about: "Requests in any 60 seconds for an API key.",
  },
  rateToken: {
    schema: rate,
    fallback: "600",
    value: "REQUESTS",
    about: "Requests in any 60 seconds for an access token.",
  },
  unmetered: { schema: flag, fallback: "false", value: null, about: "Turns charging off." },
  signUp: {
    schema: type("'open' | 'invite' | 'closed'"),
    fallback: "invite",
    value: "open|invite|closed",
    about: "Who may register: anybody (only while bound to loopback), invited people, or nobody.",
  },
  localPages: {
    schema: type("'open' | 'sign-in'"),
    fallback: "open",
    value: "open|sign-in",
    about:
      "Who sees every page on a server that only its own machine can reach: its local user, or people who have signed in.",
  },
  publicRankings: {
    schema: type("'on' | 'off'"),
    fallback: "off",
    value: "on|off",
    about: "Whether visitors who have not signed in see rankings of the latest fiscal year.",
  },
  ownerEmail: {
    schema: text,
    fallback: "",
    value: "EMAIL",
    about: "E-mail of the first owner, created at start if there is none; needs an owner password.",
  },
  ownerPassword: {
    schema: text,
    fallback: "",
    value: "PASSWORD",
    about: "Password of the first owner, used only while there is none.",
    secret: true,
  },
  ssoIssuer: {
    schema: address,
    fallback: "",
    value: "URL",
    about: "Issuer of an OpenID Connect provider through which people may sign in; needs a client id.",
  },
  ssoClientId: {
    schema: text,
    fallback: "",
    value: "ID",
    about: "Client id of this server at the provider.",
  },
  ssoClientSecret: {
    schema: text,
    fallback: "",
    value: "SECRET",
    about: "Client secret of this server at the provider; empty for a public client.",
    secret: true,
  },
  ssoDomains: {
    schema: list,
    fallback: "",
    value: "DOMAIN,…",
    about:
      "Domains whose verified addresses may sign in through the provider and get an account; empty: only existing users.",
  },
  ssoName: {
    schema: text,
    fallback: "single sign-on",
    value: "NAME",
    about: "Name of the provider on the sign-in page.",
  },
  smtpUrl: {
    schema: smtpAddress,
    fallback: "",
    value: "URL",
    about:
      "Mail server for invitations and new passwords, smtp: (STARTTLS) or smtps:, with user and password; no mail when empty.",
    secret: true,
  },
  mailFrom: {
    schema: type(/^([^\r\n]*[^\s@]+@[^\s@]+)?>?$/).describe(
      "a mail address, such as Pay data <pay@example.com>",
    ),
    fallback: "",
    value: "ADDRESS",
    about: "Sender of that mail.",
  },
  purchaseStatus: {
    schema: type("/^[a-z_]{1,40}$/").describe("lower-case letters and underscores"),
    fallback: "coming_soon",
    value: "STATUS",
    about: "The purchase.status of a 402 answer.",
  },
  creditsNote: {
    schema: text,
    fallback: "Ask the owner of this server for more credits.",
    value: "TEXT",
    about: "What the developer page says about getting more credits.",
  },
  hostedClientCallback1: {
    schema: list,
    fallback: "https://claude.ai/api/mcp/auth_callback,https://claude.com/api/mcp/auth_callback",
    value: "URL,…",
    about: "Callback addresses of the first hosted assistant; Claude's by default.",
  },
  hostedClientCallback2: {
    schema: list,
    fallback: "https://chatgpt.com/connector_platform_oauth_redirect,https://chatgpt.com/connector/oauth/*",
    value: "URL,…",
    about:
      "Callback addresses of the second hosted assistant; ChatGPT's by default. A * at the end stands for one more segment.",
  },
  clientCallbacks: {
    schema: list,
    fallback:
      "https://vscode.dev/redirect,https://insiders.vscode.dev/redirect,https://www.cursor.com/agents/mcp/oauth/callback,cursor://anysphere.cursor-mcp/oauth/callback",
    value: "URL,…",
    about:
      "Callback addresses of other applications, https or custom scheme; VS Code and Cursor by default. Programs on this computer need none.",
  },
  clientMetadataDocuments: {
    schema: type("'auto' | 'on' | 'off'"),
    fallback: "auto",
    value: "auto|on|off",
    about:
      "Whether a client_id may be the URL of a metadata document, which is then fetched; auto is on when the public URL is https and --offline is not set.",
  },
  registrationsPerHour: {
    schema: wholeSetting(1, 1_000_000),
    fallback: "20",
    value: "COUNT",
    about: "Applications that one address may register per hour; programs on this computer are exempt.",
  },
  unconnectedApplications: {
    schema: wholeSetting(1, 1_000_000),
    fallback: "2000",
    value: "COUNT",
    about: "Registered applications without a connection that are kept; past that, the oldest make room.",
  },
  authorizationCodeSeconds: {
    schema: wholeSetting(10, 600),
    fallback: "300",
    value: "SECONDS",
    about: "Lifetime of an authorization code.",
  },
  accessTokenSeconds: {
    schema: wholeSetting(60, 86_400),
    fallback: "3600",
    value: "SECONDS",
    about: "Lifetime of an access token.",
  },
  refreshTokenDays: {
    schema: wholeSetting(1, 3650),
    fallback: "30",
    value: "DAYS",
    about: "Days without use after which an application has to sign in again.",
  },
  connectionDays: {
    schema: wholeSetting(1, 3650),
    fallback: "180",
    value: "DAYS",
    about: "Days after which an application has to sign in again in any case.",
  },
} as const satisfies Record<string, SettingDefinition>;

/** One setting as it stands in `SETTINGS`. */
export interface SettingDefinition {
  schema: (text: string) => unknown;
  /** Text read when nothing is given. */
  fallback: string;
  /** What stands behind the flag in help texts; null for a switch. */
  value: string | null;
  /** One sentence for help and for the generated table in docs. */
  about: string;
  /** Masked by `config print`. */
  secret?: true;
}

/** The name of a setting inside: `dataDir` for `--data-dir`. */
export type SettingName = keyof typeof SETTINGS;

/** What is in force, read and checked. */
export type Config = { [Name in SettingName]: Read<(typeof SETTINGS)[Name]["schema"]> };
type Read<S> = S extends { infer: infer Value } ? Value : never;

/** Where the value of a setting came from. */
export type SettingOrigin = "flag" | "environment" | "file" | "default";

/** A configuration with the origin and the text of every setting, for `config print`. */
export interface LoadedConfig {
  config: Config;
  origins: Readonly<Record<SettingName, { origin: SettingOrigin; text: string }>>;
  /** Flags of the command itself that the environment or its table in the file gave, by name. */
  own: Readonly<Record<string, { origin: "environment" | "file"; text: string }>>;
}

/** What a service manager says to a process that it starts. @see sd_notify(3), sd_watchdog_enabled(3) */
export interface Supervision {
  /** Where it hears how the process is; a path, or `@` and an abstract name. */
  notifySocket: string | null;
  /** It ends a process that has said nothing for so long. */
  watchdogMs: number | null;
}

/** Reads what the service manager put into the environment. */
export function readSupervision(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Supervision {
  const notifySocket = environment["NOTIFY_SOCKET"];
  const watchdogMs = Number(environment["WATCHDOG_USEC"]) / 1000;
  return {
    notifySocket: notifySocket === undefined || !/^[/@]/.test(notifySocket) ? null : notifySocket,
    watchdogMs: watchdogMs > 0 ? watchdogMs : null,
  };
}

/** A command's own flags: like settings they may stand in the environment, and in the file in a table named after it. */
export interface OwnFlags {
  command: string;
  /** Every table that a file may have. */
  commands: readonly string[];
  /** Names of the command's flags, in camelCase. */
  flags: readonly string[];
}

/** `dataDir` as `data-dir`. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `dataDir` as `EXECCOMP_DATA_DIR`. */
export function variableOf(name: string): string {
  return `EXECCOMP_${flagOf(name).replaceAll("-", "_").toUpperCase()}`;
}

/** The names of all settings, in the order of the table. */
// SETTINGS is a constant of this file: its keys are exactly the names.
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/**
 * Reads the configuration: flags, then the environment, then the file, then the defaults.
 *
 * @param flags settings given on the command line, by name, as text
 * @param file path of a TOML file (`--config`, else `EXECCOMP_CONFIG`); undefined reads none
 * @param command the command that asks, for its own flags
 * @throws OperatorError naming the setting, its value, where it was given and what was expected
 */
export function loadConfig(
  flags: Partial<Record<SettingName, string>> = {},
  file?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  command: OwnFlags = { command: "", commands: [], flags: [] },
): LoadedConfig {
  const path = file ?? environment["EXECCOMP_CONFIG"];
  const { settings: fromFile, own: ownFromFile } =
    path === undefined || path === "" ? { settings: {}, own: {} } : readFile(path, command);
  const given = (name: SettingName): { origin: SettingOrigin; text: string } => {
    const flagText = flags[name];
    if (flagText !== undefined) return { origin: "flag", text: flagText };
    const variable = environment[variableOf(name)];
    if (variable !== undefined) return { origin: "environment", text: variable };
    const line = fromFile[flagOf(name)];
    if (line !== undefined) return { origin: "file", text: line };
    return { origin: "default", text: SETTINGS[name].fallback };
  };
  const origins = Object.fromEntries(SETTING_NAMES.map((name) => [name, given(name)]));
  const config = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, readSetting(name, origins[name]?.text ?? "", origins[name]?.origin)]),
  );
  config["dataDir"] ||= userDataDir(environment);
  const own: Record<string, { origin: "environment" | "file"; text: string }> = {};
  for (const name of command.flags) {
    const variable = environment[variableOf(name)];
    const line = ownFromFile[flagOf(name)];
    if (variable !== undefined) own[name] = { origin: "environment", text: variable };
    else if (line !== undefined) own[name] = { origin: "file", text: line };
  }
  // Both records were made from SETTING_NAMES, and every value by its own schema.
  return { config: config as Config, origins: origins as LoadedConfig["origins"], own };
}

/** A flag with a value that cannot be read: wrong usage, where the same in a file or the environment is a refusal. */
export class FlagError extends OperatorError {}

function readSetting(name: SettingName, given: string, origin: SettingOrigin = "default"): unknown {
  const value: unknown = SETTINGS[name].schema(given);
  if (!(value instanceof type.errors)) return value;
  const where = {
    flag: `--${flagOf(name)}`,
    environment: variableOf(name),
    file: flagOf(name),
    default: name,
  }[origin];
  const message = `Cannot read ${where} ${JSON.stringify(given)}: expected ${value[0]?.expected ?? "something else"}.`;
  throw origin === "flag" ? new FlagError(message) : new OperatorError(message);
}

function readFile(
  path: string,
  command: OwnFlags,
): { settings: Record<string, string>; own: Record<string, string> } {
  let parsed: Record<string, unknown>;
  try {
    // Bun's parser gives a plain object for any TOML document.
    parsed = Bun.TOML.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    throw new OperatorError(`Cannot read the configuration file ${path}: ${String(cause)}.`);
  }
  const known = SETTING_NAMES.map(flagOf);
  const settings: Record<string, string> = {};
  const own: Record<string, string> = {};
  for (const [key, value] of Object.entries(parsed)) {
    if (isTable(value)) {
      requireKnown(`table ${JSON.stringify(key)}`, key, command.commands, path);
      if (key !== command.command) continue;
      for (const [flag, text] of Object.entries(value)) {
        requireKnown(`flag ${JSON.stringify(flag)} of "${key}"`, flag, command.flags.map(flagOf), path);
        own[flag] = textOf(text);
      }
    } else {
      requireKnown(`setting ${JSON.stringify(key)}`, key, known, path);
      settings[key] = textOf(value);
    }
  }
  return { settings, own };
}

function requireKnown(what: string, key: string, known: readonly string[], path: string): void {
  if (known.includes(key)) return;
  const meant = nearest(key, known);
  throw new OperatorError(
    `Unknown ${what} in ${path}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}

function userDataDir(environment: Readonly<Record<string, string | undefined>>): string {
  const home = userHome();
  if (process.platform === "win32")
    return join(environment["LOCALAPPDATA"] ?? home ?? "C:\\ProgramData", "execcomp");
  if (process.platform === "darwin" && home !== null)
    return join(home, "Library", "Application Support", "execcomp");
  const data = environment["XDG_DATA_HOME"] ?? (home === null ? "/var/lib" : join(home, ".local", "share"));
  return join(data, "execcomp");
}

/** Null for a user without a home folder, as in a container or a service of systemd. */
function userHome(): string | null {
  try {
    return homedir() || null;
  } catch {
    // No HOME, and no entry in the list of users.
    return null;
  }
}

/** Variables by which the runtime inside the executable would do more than we say: a debugger that listens, flags of its own. */
const RUNTIME_VARIABLES = ["BUN_INSPECT", "BUN_INSPECT_CONNECT_TO", "BUN_INSPECT_NOTIFY", "BUN_OPTIONS"];

/**
 * @throws OperatorError when a variable is set that opens the process to others, or changes how it runs
 */
export function refuseRuntimeVariables(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const found = RUNTIME_VARIABLES.filter((name) => (environment[name] ?? "") !== "");
  if (found.length === 0) return;
  throw new OperatorError(
    `${found.join(" and ")} would change how this program runs, or let others look into it. Unset it, then try again.`,
  );
}
