/** Every setting: its flag, variable, file key, help and documentation come from this table. */
import { anyText, oneOf, type ReadAs, type ReadText, textLike, wholeNumber } from "../lib/text.ts";
import {
  address,
  contact,
  database,
  domains,
  duration,
  edgarOrigin,
  flag,
  list,
  origin,
  origins,
  path,
  smtpAddress,
  windowServices,
} from "./readers.ts";

/** What a switch declares. */
const SWITCH = { reads: flag, fallback: "false", value: null } as const;

/** A setting that is parsed from text. */
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
    reads: path,
    value: "PATH",
    about:
      "Unix socket to listen on instead of a port, for a proxy on this machine, whose X-Forwarded-For is trusted; the socket's group may connect.",
  },
  tlsCert: {
    reads: path,
    value: "FILE",
    about: "Certificate chain (PEM) for serving https without a proxy; requires a key. SIGHUP reloads both.",
  },
  tlsKey: { reads: path, value: "FILE", about: "Private key (PEM) of the certificate." },
  dataDir: {
    reads: path,
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
    reads: path,
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
    reads: origins,
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
    reads: domains,
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

/** The settings by subject, for help. */
export const SETTING_GROUPS: Readonly<Record<string, readonly SettingName[]>> = {
  Address: [
    "host",
    "port",
    "socket",
    "tlsCert",
    "tlsKey",
    "publicUrl",
    "mcpLegacyUrl",
    "trustedProxies",
    "corsOrigins",
  ],
  "Files and store": [
    "dataDir",
    "requireStore",
    "store",
    "storeConnections",
    "backupDir",
    "backupEvery",
    "backupKeep",
    "auditRetention",
    "ledgerRetention",
  ],
  EDGAR: ["contact", "offline", "ingestEvery", "ingestIndex", "ingestTicker", "edgarWwwUrl", "edgarDataUrl"],
  "Log and metrics": ["logLevel", "metricsListen"],
  "Prices and limits": [
    "priceHistory",
    "priceQuestion",
    "unmetered",
    "rateAnonymous",
    "rateKey",
    "windows",
    "purchaseStatus",
    "creditsNote",
  ],
  "Accounts and pages": [
    "signUp",
    "localPages",
    "publicRankings",
    "ownerEmail",
    "ownerPassword",
    "ssoIssuer",
    "ssoClientId",
    "ssoClientSecret",
    "ssoDomains",
    "ssoName",
    "smtpUrl",
    "mailFrom",
  ],
  "Connected applications": [
    "clientCallbacks",
    "clientMetadataDocuments",
    "registrationsPerHour",
    "unconnectedApplications",
    "accessTokenSeconds",
    "refreshTokenDays",
  ],
};

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
