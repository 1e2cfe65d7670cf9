import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { nearest } from "./domain/spellings.ts";
import {
  anyText,
  oneOf,
  type ReadAs,
  type ReadText,
  textLike,
  Unreadable,
  wholeNumber,
} from "./domain/text.ts";
import { messageOf, OperatorError } from "./errors.ts";

/** Accepts an empty text, and others that pass a test. */
const emptyOr =
  (isOne: (text: string) => boolean, expected: string): ReadText<string> =>
  (text) =>
    text === "" || isOne(text) ? text : new Unreadable(expected);

function flag(text: string): boolean | Unreadable {
  return text === "true" || text === "false" ? text === "true" : new Unreadable('"true" or "false"');
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function origin(text: string): string | null | Unreadable {
  if (text === "") return null;
  const url = webUrl(text);
  if (url === null) return new Unreadable("an http or https address");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "")
    return new Unreadable("an origin without a path, such as https://pay.example.com");
  return url.origin;
}

function address(text: string): string | null | Unreadable {
  if (text === "") return null;
  return webUrl(text)?.href.replace(/\/$/, "") ?? new Unreadable("a whole http or https address");
}

const contact = emptyOr(
  (text) => /^[\x20-\x7e]{5,200}$/.test(text) && /[^\s@]+@[^\s@]+\.[^\s@]+|[^\s@]+@localhost/.test(text),
  "a name and a mail address, such as Ann Lee ann@example.com",
);

function edgarOrigin(text: string): string | Unreadable {
  const url = webUrl(text);
  const isBare = url?.pathname === "/" && url.search === "";
  return isBare ? url.origin : new Unreadable("an http or https origin without a path");
}

/** The address of a service; undefined unless its user and password can be decoded. */
function serviceUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  try {
    return url !== null && decodeURIComponent(`${url.username} ${url.password}`) !== "" ? url : undefined;
  } catch {
    return undefined;
  }
}

const ENCODED = "with any % in the password written as %25";

const smtpAddress = emptyOr((text) => {
  const { protocol = "", hostname, pathname = "", search } = serviceUrl(text) ?? {};
  return /^smtps?:$/.test(protocol) && hostname !== "" && /^\/?$/.test(pathname) && search === "";
}, `an address such as smtp://user:password@mail.example.com:587, ${ENCODED}`);

function windowServices(text: string): string[] | Unreadable {
  const addresses = list(text);
  const kinds = addresses.map((address) => {
    const { protocol = "", hostname = "", pathname = "" } = serviceUrl(address) ?? {};
    if (hostname === "") return undefined;
    if (/^postgres(ql)?:$/.test(protocol)) return "postgresql";
    return /^(valkeys?|rediss?):$/.test(protocol) && /^(\/\d*)?$/.test(pathname) ? "valkey" : undefined;
  });
  return new Set(kinds).size === kinds.length && !kinds.includes(undefined)
    ? addresses
    : new Unreadable(
        `valkey://:password@localhost:6379, postgres://user@localhost/execcomp, or both with a comma between, ${ENCODED}`,
      );
}

const database = emptyOr((text) => {
  const { protocol = "", pathname = "" } = serviceUrl(text) ?? {};
  return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1;
}, `an address such as postgres://user:password@localhost:5432/execcomp, ${ENCODED}`);

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_DURATION_MS = 21 * 86_400_000;

/** A number with a unit, in milliseconds; at most 21 days, because timers overflow at 24. */
function duration(text: string): number | Unreadable {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? 0);
  if (ms === 0) return new Unreadable("a number of minutes, hours or days, such as 30m, 24h or 7d");
  return ms <= MAX_DURATION_MS ? ms : new Unreadable("21 days at most");
}

/** What a switch declares. */
const SWITCH = { reads: flag, fallback: "false", value: null } as const;

/** What is parsed from a text. */
const parsed = <Value>(reads: ReadText<Value>, fallback: string, value: string, about: string) => ({
  reads,
  fallback,
  value,
  about,
});

/** A whole number between two others. */
const whole = ([min, max]: readonly [number, number], fallback: string, value: string, about: string) =>
  parsed(wholeNumber(min, max), fallback, value, about);
const price = (fallback: string, about: string) => whole([0, 1_000_000], fallback, "CREDITS", about);
const rate = (fallback: string, about: string) => whole([1, 100_000_000], fallback, "REQUESTS", about);

/** One of some words. */
const choice = <const Word extends string>(words: readonly Word[], fallback: Word, about: string) =>
  parsed(oneOf(...words), fallback, words.join("|"), about);

/** Callback addresses that Claude, ChatGPT, VS Code and Cursor document. */
const DEFAULT_CALLBACKS = [
  "https://claude.ai/api/mcp/auth_callback",
  "https://claude.com/api/mcp/auth_callback",
  "https://chatgpt.com/connector_platform_oauth_redirect",
  "https://chatgpt.com/connector/oauth/*",
  "https://vscode.dev/redirect",
  "https://insiders.vscode.dev/redirect",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
];

/**
 * All settings. Each can be given as `--the-flag`, as `EXECCOMP_THE_FLAG` or under `the-flag` in the configuration file
 * (TOML), in that order of precedence. Values arrive as text and are parsed by `reads`; without it any text is accepted.
 * Without a `fallback`, a setting is empty.
 */
const DECLARED = {
  host: { fallback: "127.0.0.1", value: "ADDRESS", about: "Address to listen on." },
  port: whole([0, 65_535], "8402", "PORT", "Port to listen on; 0 picks a free one."),
  socket: {
    value: "PATH",
    about:
      "Unix socket to listen on instead of a port, for a proxy on this machine, whose X-Forwarded-For is trusted; the socket's group may connect.",
  },
  tlsCert: {
    value: "FILE",
    about: "Certificate chain (PEM) for serving https without a proxy; requires a key. SIGHUP reloads both.",
  },
  tlsKey: { value: "FILE", about: "Private key (PEM) of the certificate." },
  dataDir: {
    value: "DIR",
    about: "Folder for the store and installed snapshots; default the user's data folder.",
  },
  publicUrl: {
    reads: origin,
    value: "URL",
    about: "Origin at which callers reach this server; required unless it is bound to loopback.",
  },
  mcpLegacyUrl: {
    reads: address,
    value: "URL",
    about: "URL of an optional second MCP endpoint, for older clients; its host may differ.",
  },
  requireStore: {
    ...SWITCH,
    about: "Refuse to start if there is no store yet: for a server whose disk may not be mounted.",
  },
  store: {
    reads: database,
    value: "URL",
    about:
      "PostgreSQL 15 or newer for users, keys, credits, connected apps and the audit log, shared by several servers: postgres://USER:PASSWORD@HOST:PORT/DATABASE; without it they are in the data folder.",
    secret: true,
  },
  storeConnections: whole(
    [2, 100],
    "10",
    "N",
    "Maximum connections of this server to the database of --store, besides up to three for rate limits and locks.",
  ),
  contact: {
    reads: contact,
    value: "NAME MAIL",
    about:
      "Contact name and e-mail address, which EDGAR requires with every request; without it nothing is fetched.",
  },
  edgarWwwUrl: parsed(edgarOrigin, "https://www.sec.gov", "URL", "Origin of EDGAR's documents and indexes."),
  edgarDataUrl: parsed(edgarOrigin, "https://data.sec.gov", "URL", "Origin of EDGAR's lists of filings."),
  offline: { ...SWITCH, about: "Open no socket except the listener's." },
  metricsListen: {
    value: "ADDRESS",
    about:
      "Address of a second listener, PORT or ADDRESS:PORT, that serves /metrics for Prometheus; off when empty.",
  },
  ingestEvery: {
    reads: (text) => (text === "" ? null : duration(text)),
    value: "TIME",
    about:
      "How often the server ingests newly filed documents, such as 24h; requires a contact. Off when empty.",
  },
  ingestIndex: {
    reads: oneOf("", "sp500"),
    value: "sp500",
    about: "Scheduled ingests: limit to the members of an index; all filers when empty.",
  },
  ingestTicker: { reads: list, value: "T,…", about: "Scheduled ingests: additional companies, by symbol." },
  backupDir: {
    value: "DIR",
    about: "Folder for scheduled backups of the store, each verified; no backups when empty.",
  },
  backupEvery: parsed(duration, "24h", "TIME", "How often to back up, such as 30m, 24h or 7d."),
  backupKeep: whole(
    [1, 10_000],
    "14",
    "COUNT",
    "Number of scheduled backups to keep; older ones are deleted.",
  ),
  auditRetention: whole(
    [0, 36_500],
    "400",
    "DAYS",
    "Days to keep entries of the audit log; 0 keeps them forever.",
  ),
  ledgerRetention: whole(
    [0, 36_500],
    "0",
    "DAYS",
    "Days after which ledger entries are rolled up by day, with exact sums; 0 keeps every entry forever.",
  ),
  logLevel: choice(
    ["info", "warn", "error"],
    "info",
    "Lowest level that is logged; info includes a line for each request.",
  ),
  trustedProxies: {
    reads: list,
    value: "ADDRESS,…",
    about: "Addresses or networks (CIDR) of the proxies whose X-Forwarded-For is trusted.",
  },
  corsOrigins: {
    reads: list,
    value: "ORIGIN,…",
    about: "Origins whose pages may call the authenticated REST operations from a browser; * for any.",
  },
  priceHistory: price("1", "Price of an answer with any row of an earlier fiscal year."),
  priceQuestion: price(
    "1",
    "Price of an answer across companies (a page of rows, statistics); free if nothing matches.",
  ),
  rateAnonymous: rate("60", "Requests in any 60 seconds for an anonymous client, counted by address."),
  rateKey: rate("600", "Requests in any 60 seconds for an API key or an access token, each."),
  windows: {
    reads: windowServices,
    value: "URL,…",
    about:
      "Service that counts requests for several servers: Valkey or Redis (valkey:, redis:; valkeys:, rediss: over TLS), PostgreSQL (postgres:), or both, the second as a fallback. Without it requests are counted in --store, or by each server separately.",
    secret: true,
  },
  unmetered: { ...SWITCH, about: "Turn charging off." },
  signUp: choice(
    ["open", "invite", "closed"],
    "invite",
    "Who may register: anyone (only while bound to loopback), invited people, or no one.",
  ),
  localPages: choice(
    ["open", "sign-in"],
    "open",
    "Who sees all pages of a server that only its own machine can reach: the local user, or only users who have signed in.",
  ),
  publicRankings: choice(
    ["on", "off"],
    "off",
    "Whether visitors who are not signed in see rankings of the latest fiscal year.",
  ),
  ownerEmail: {
    value: "EMAIL",
    about:
      "E-mail address of the first owner, created at startup if there is none; requires an owner password.",
  },
  ownerPassword: {
    value: "PASSWORD",
    about: "Password of the first owner, used only while there is no owner.",
    secret: true,
  },
  ssoIssuer: {
    reads: address,
    value: "URL",
    about: "Issuer of an OpenID Connect provider for single sign-on; requires a client id.",
  },
  ssoClientId: { value: "ID", about: "Client id of this server at the provider." },
  ssoClientSecret: {
    value: "SECRET",
    about: "Client secret of this server at the provider; empty for a public client.",
    secret: true,
  },
  ssoDomains: {
    reads: list,
    value: "DOMAIN,…",
    about:
      "Domains whose verified addresses may sign in through the provider and get an account; empty: only existing users.",
  },
  ssoName: { fallback: "single sign-on", value: "NAME", about: "Name of the provider on the sign-in page." },
  smtpUrl: {
    reads: smtpAddress,
    value: "URL",
    about:
      "Mail server for invitations and password resets, smtp: (STARTTLS) or smtps:, with user and password; no e-mail when empty.",
    secret: true,
  },
  mailFrom: {
    reads: textLike(/^([^\r\n]*[^\s@]+@[^\s@]+)?>?$/, "a mail address, such as Pay data <pay@example.com>"),
    value: "ADDRESS",
    about: "Sender of that e-mail.",
  },
  purchaseStatus: {
    reads: textLike(/^[a-z_]{1,40}$/, "lower-case letters and underscores"),
    fallback: "coming_soon",
    value: "STATUS",
    about: "The purchase.status of a 402 response.",
  },
  creditsNote: {
    fallback: "Ask the owner of this server for more credits.",
    value: "TEXT",
    about: "What the developer page says about getting more credits.",
  },
  clientCallbacks: {
    reads: list,
    fallback: DEFAULT_CALLBACKS.join(","),
    value: "URL,…",
    about:
      "Callback addresses of applications that users may connect, https or custom scheme; by default those of Claude, ChatGPT, VS Code and Cursor. A * at the end matches one more path segment. Programs on this computer need no entry.",
  },
  clientMetadataDocuments: choice(
    ["auto", "on", "off"],
    "auto",
    "Whether a client_id may be the URL of a metadata document, which is then fetched; auto means on if the public URL is https and --offline is not set.",
  ),
  registrationsPerHour: whole(
    [1, 1_000_000],
    "20",
    "COUNT",
    "Registrations per hour and address; programs on this computer are exempt.",
  ),
  unconnectedApplications: whole(
    [1, 1_000_000],
    "2000",
    "COUNT",
    "Registered applications without a connection to keep; above that, the oldest are deleted.",
  ),
  accessTokenSeconds: whole([60, 86_400], "3600", "SECONDS", "Lifetime of an access token."),
  refreshTokenDays: whole(
    [1, 3650],
    "30",
    "DAYS",
    "Days without use after which an application has to sign in again.",
  ),
} as const satisfies Record<string, Partial<SettingDefinition> & Pick<SettingDefinition, "value" | "about">>;

/** The definition of a setting. */
export interface SettingDefinition {
  reads: ReadText<unknown>;
  /** Text used when the setting is not given. */
  fallback: string;
  /** Placeholder for the value in help texts; null for a switch. */
  value: string | null;
  /** One sentence, for help and the generated table in docs. */
  about: string;
  /** Whether `config print` masks it. */
  secret?: true;
}

/** The name of a setting in code: `dataDir` for `--data-dir`. */
export type SettingName = keyof typeof DECLARED;

/** The names of all settings, in table order. */
// Object.keys is typed as string[]; the keys of this constant are exactly the setting names.
export const SETTING_NAMES = Object.keys(DECLARED) as SettingName[];

/** All settings by name, complete. */
// Made from SETTING_NAMES.
export const SETTINGS: Readonly<Record<SettingName, SettingDefinition>> = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, { reads: anyText, fallback: "", ...DECLARED[name] }]),
) as Record<SettingName, SettingDefinition>;

/** The settings in force, parsed and validated. */
export type Config = {
  [Name in SettingName]: (typeof DECLARED)[Name] extends { reads: infer Reads extends ReadText<unknown> }
    ? ReadAs<Reads>
    : string;
};

/** Where a setting's value came from. */
export type SettingOrigin = "flag" | "environment" | "file" | "default";

/** A configuration with the origin and text of each setting, for `config print`. */
export interface LoadedConfig {
  config: Config;
  origins: Readonly<Record<SettingName, Given>>;
  /** The texts of the command's own flags, by name. */
  own: Readonly<Record<string, string | undefined>>;
}

interface Given {
  origin: SettingOrigin;
  text: string;
}

/**
 * A command's own flags. Like settings, they may be set in the environment, or in the file in a table
 * named after the command.
 */
export interface OwnFlags {
  command: string;
  /** Names of all commands that may have a table in the file. */
  commands: readonly string[];
  /** Names of the command's flags, in camelCase. */
  flags: readonly string[];
}

/** `dataDir` as `data-dir`. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * `dataDir` as `EXECCOMP_DATA_DIR`.
 * @param command whose own flag it is: `years` of `show` is `EXECCOMP_SHOW_YEARS`, so that it leaves other commands
 *   alone; only the API key is the same for all
 */
export function variableOf(name: string, command = ""): string {
  const owner = name === "key" ? "" : command;
  return ["EXECCOMP", ...owner.split(" "), ...flagOf(name).split("-")]
    .filter((word) => word !== "")
    .join("_")
    .replaceAll("-", "_")
    .toUpperCase();
}

/** Variables of ours that are no setting. @param own those of flags that are known too */
export function unknownVariables(
  own: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const settings = SETTING_NAMES.map((name) => variableOf(name));
  const expected = new Set(["EXECCOMP_CONFIG", ENDS_WITH_STDIN, ...settings, ...own]);
  // Kubernetes sets such variables for every service, ours too if it is called execcomp.
  const isService = /^EXECCOMP_(?:SERVICE|PORT_\d+_(?:TCP|UDP))(?:_|$)/;
  return Object.keys(environment).filter(
    (name) => name.startsWith("EXECCOMP_") && !expected.has(name) && !isService.test(name),
  );
}

/**
 * Loads the configuration from flags, environment, file and defaults, in that order.
 *
 * @param texts settings and own flags given on the command line, by name
 * @param file path of a TOML file (`--config`, else `EXECCOMP_CONFIG`); none if undefined
 * @param command the command being run, for its own flags
 * @throws OperatorError naming the setting, its value, where it was given and what was expected
 */
export function loadConfig(
  texts: Readonly<Record<string, string | undefined>> = {},
  file?: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  command: OwnFlags = { command: "", commands: [], flags: [] },
): LoadedConfig {
  const path = file ?? environment["EXECCOMP_CONFIG"] ?? "";
  const tables = path === "" ? { settings: {}, own: {} } : readFile(path, command);
  const given = (name: string, variable: string, table: Texts): Given | undefined => {
    const places = { flag: texts[name], environment: environment[variable], file: table[flagOf(name)] };
    for (const [origin, text] of Object.entries(places))
      // The keys are those above.
      if (text !== undefined) return { origin: origin as keyof typeof places, text };
    return undefined;
  };
  const settings = SETTING_NAMES.map((name) => {
    const fallback = { origin: "default", text: SETTINGS[name].fallback } as const;
    return [name, given(name, variableOf(name), tables.settings) ?? fallback] as const;
  });
  const config = Object.fromEntries(settings.map(([name, one]) => [name, readSetting(name, one)]));
  config["dataDir"] ||= userDataDir(environment);
  const own = command.flags.map((name) => [
    name,
    given(name, variableOf(name, command.command), tables.own)?.text,
  ]);
  // Both records were built from SETTING_NAMES, each value by its own parser.
  return {
    config: config as Config,
    origins: Object.fromEntries(settings) as LoadedConfig["origins"],
    own: Object.fromEntries(own),
  };
}

/** Set for the processes that a server starts: they end when their standard input does, and with it when the server ends. */
const ENDS_WITH_STDIN = "EXECCOMP_ENDS_WITH_STDIN";

/** The environment for a process that must not outlive this one. */
export function dependentEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  return { ...environment, [ENDS_WITH_STDIN]: "1" };
}

/** Whether this process must not outlive the one that started it. */
export function endsWithStdin(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  return environment[ENDS_WITH_STDIN] === "1";
}

/** The text of a setting with secrets, and passwords in URLs, masked. */
function shownSetting(name: SettingName, text: string): string {
  return SETTINGS[name].secret && text !== ""
    ? "********"
    : text
        .replace(/\/\/[^/@\s]*@/, "//********@")
        .replace(/^([a-z][a-z0-9+.-]*:\/\/[^?#\s]*\?)[^#\s]+/i, "$1********");
}

/** A setting in force, for people: its value with secrets masked, and where it was set. */
export interface ShownSetting {
  /** Without the dashes. */
  flag: string;
  variable: string;
  value: unknown;
  origin: SettingOrigin;
  about: string;
}

/** Every setting, in table order. */
export function shownSettings(config: Config, origins: LoadedConfig["origins"] | null): ShownSetting[] {
  return SETTING_NAMES.map((name) => {
    const read = config[name];
    const shown = (text: string) => shownSetting(name, text);
    const { origin, text: given } = origins?.[name] ?? { origin: "default" as const, text: String(read) };
    // A duration is `5m`, not its milliseconds.
    const plain = typeof read === "number" && String(read) !== given ? given : read;
    const value = Array.isArray(read) ? read.map(shown) : typeof read === "string" ? shown(read) : plain;
    return { flag: flagOf(name), variable: variableOf(name), value, origin, about: SETTINGS[name].about };
  });
}

/** A flag with an invalid value: wrong usage. The same value in a file or the environment is an `OperatorError`. */
export class FlagError extends OperatorError {}

function readSetting(name: SettingName, { origin, text }: Given): unknown {
  const { reads, secret } = SETTINGS[name];
  const value: unknown = reads(secret === true ? withoutLineEnd(text) : text);
  if (!(value instanceof Unreadable)) return value;
  const where = {
    flag: `--${flagOf(name)}`,
    environment: variableOf(name),
    file: flagOf(name),
    default: name,
  }[origin];
  const message = `Cannot read ${where} ${JSON.stringify(shownSetting(name, text))}: expected ${value.expected}.`;
  throw origin === "flag" ? new FlagError(message) : new OperatorError(message);
}

/** A secret without the line end of the file that it was read from, as in `KEY=$(<file; echo)` or an environment file. */
export function withoutLineEnd(secret: string): string {
  return secret.replace(/[\r\n]+$/, "");
}

/** Texts by the names of their flags, without the dashes. */
type Texts = Record<string, string>;

function readFile(path: string, command: OwnFlags): { settings: Texts; own: Texts } {
  let parsed: Record<string, unknown>;
  try {
    // Bun's parser returns a plain object for any TOML document.
    parsed = Bun.TOML.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    throw new OperatorError(`Cannot read the configuration file ${path}: ${messageOf(cause)}.`);
  }
  const flags = SETTING_NAMES.map(flagOf);
  const tables: { settings: Texts; own: Texts } = { settings: {}, own: {} };
  for (const [key, value] of Object.entries(parsed)) {
    if (isTable(value)) {
      requireKnown(`table ${JSON.stringify(key)}`, key, command.commands, path);
      if (key !== command.command) continue;
      for (const [flag, text] of Object.entries(value)) {
        requireKnown(`flag ${JSON.stringify(flag)} of "${key}"`, flag, command.flags.map(flagOf), path);
        tables.own[flag] = String(text);
      }
    } else {
      requireKnown(`setting ${JSON.stringify(key)}`, key, flags, path);
      tables.settings[key] = String(value);
    }
  }
  return tables;
}

function requireKnown(what: string, key: string, names: readonly string[], path: string): void {
  if (names.includes(key)) return;
  const meant = nearest(key, names);
  throw new OperatorError(
    `Unknown ${what} in ${path}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

/** Null for a user without a home folder, as in containers and systemd services. */
function userHome(): string | null {
  try {
    return homedir() || null;
  } catch {
    // No HOME, and no entry in the user database.
    return null;
  }
}

/** Whether a terminal may be sent marks such as bold. @see https://no-color.org */
export function wantsColor(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

/** A program that shows text page by page. */
export interface PagerCommand {
  command: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** The user's pager: `PAGER`, by default `less` set up as git does; null if it is empty or `cat`. */
export function pagerOf(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PagerCommand | null {
  const pager = environment["PAGER"] ?? "command -v less >/dev/null || exec cat; exec less";
  if (pager === "" || pager === "cat" || process.platform === "win32") return null;
  return { command: ["sh", "-c", pager], environment: { LESS: "FRX", LESSCHARSET: "utf-8", ...environment } };
}

/** Variables that change how Bun runs inside the executable: an open debugger, additional flags. */
const RUNTIME_VARIABLES = ["BUN_INSPECT", "BUN_INSPECT_CONNECT_TO", "BUN_INSPECT_NOTIFY", "BUN_OPTIONS"];

/**
 * Refuses to start under Bun's own variables.
 * @throws OperatorError when a variable would open the process to others or change how it runs
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
