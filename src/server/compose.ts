import { AuditLog } from "../accounts/audit.ts";
import { type Credits, FIRST_CREDITS, type OnCharged, sqliteCredits } from "../accounts/credits.ts";
import { SignUp } from "../accounts/sign-up.ts";
import { Keys } from "../accounts/keys.ts";
import { Links } from "../accounts/links.ts";
import { PeerGroups } from "../accounts/peer-groups.ts";
import { Passwords } from "../accounts/passwords.ts";
import { Throttle } from "../accounts/sign-in-throttle.ts";
import { Sessions } from "../accounts/sessions.ts";
import { SignIns } from "../accounts/sign-in.ts";
import { Users } from "../accounts/users.ts";
import type { Program } from "../jobs/program.ts";
import type { LastSelfCheck } from "../jobs/self-check.ts";
import type { Runtime } from "../runtime.ts";
import type { Person } from "../http/session-cookies.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Config } from "../config/settings.ts";
import { createGrants, type Grants } from "../accounts/oauth-state/index.ts";
import { addressMatcher, SOCKET_PEER } from "../http/addresses.ts";
import { createOnDemand, type OnDemandDeps } from "../ingest/on-demand.ts";
import { messageOf, ServiceError } from "../errors.ts";
import type { Log } from "../log.ts";
import { addWindowMetrics, createServerMetrics, type ServerMetrics } from "./metrics.ts";
import { createMailer, createOutbox, type Outbox } from "../jobs/mail.ts";
import { admission, limitCheck, charging, UNMETERED } from "../operations/admit.ts";
import type { OperationDeps } from "../operations/operation.ts";
import { createOperations, type Operations } from "../operations/operations.ts";
import { QUOTAS, type RateLimiter } from "../accounts/rate-limits/limits.ts";
import { openRateLimits } from "../accounts/rate-limits/shared-rate-limits.ts";
import { AddressLimits } from "../accounts/rate-limits/rate-limits.ts";
import { createRasterizer, type Rasterizer } from "../charts/rasterizer.ts";
import { type Analyst, createAnalyst } from "../analysis/analyst.ts";
import { Snapshots } from "../dataset/snapshots.ts";
import { SqliteStore, type StoreOptions } from "../store/open.ts";
import { AdvisoryLock } from "../shared-store/connection.ts";
import { postgresCredits } from "../shared-store/postgres-charges.ts";
import { postgresRateLimits } from "../shared-store/postgres-rate-limits.ts";
import { valkeyRateLimits } from "../shared-store/valkey-rate-limits.ts";
import { PostgresStore } from "../shared-store/postgres-store.ts";
import type { Store } from "../store/store.ts";

/** The components of the program, each built once. */
export interface Services {
  config: Config;
  runtime: Runtime;
  log: Log;
  metrics: ServerMetrics;
  /** Its public methods: tests pass their own. */
  snapshots: Pick<Snapshots, keyof Snapshots>;
  /** Sends mail; null without a mail server. */
  outbox: Outbox | null;
  /** Null for commands that run without a store. */
  accounts: Accounts | null;
  /** Answers questions across all rows. */
  analyst: Analyst;
  /** Renders pictures. */
  rasterizer: Rasterizer;
  /** What changed in each edition. */
  operations: Operations;
  /** Rate limits on pages, documents, forms and OAuth endpoints. */
  addressLimits: AddressLimits;
  /** Whether an address is a proxy whose `X-Forwarded-For` is trusted. */
  trustedProxy(address: string): boolean;
  /** What is wrong with the writable store; null while it works. */
  storeFailure(): string | null;
  /** Problems found by the last self-check; empty if there were none. */
  examined: LastSelfCheck;
  /** Why the last scheduled backup failed; null if it did not. */
  backups: { failure: string | null };
  /** Fetches requested companies that are not loaded; null if on-demand fetching is off. */
  onDemand: OperationDeps["onDemand"];
  /** Where each setting was set; null in tests, which set them in code. */
  origins: LoadedConfig["origins"] | null;
  /** Starts this program as another process; null where that is not possible. */
  program: Program | null;
  /** Releases all resources. */
  close(): Promise<void>;
}

/** The parts that work on the writable store. */
export type Accounts = ReturnType<typeof openAccounts>;

const DAY_SECONDS = 86_400;

/**
 * Opens the configured store: a database, or the file in the data folder.
 * @returns also its credits, and the key that seals requests that pass through the browser, the same on all its servers
 */
function openConfiguredStore(
  config: Config,
  runtime: Runtime,
  options: Omit<AccountsOptions, "passwords">,
): { store: Store; credits: Credits; sealKey: () => Uint8Array } {
  const { onCharged } = options;
  if (config.store !== "") {
    const { store: url, storeConnections: max } = config;
    const store = new PostgresStore({ ...options, url, max, runtime });
    return { store, credits: postgresCredits(store, runtime, onCharged), sealKey: () => store.sharedSecret };
  }
  const store = new SqliteStore({ dataDir: config.dataDir, runtime, ...options });
  const key = runtime.secret(32);
  return { store, credits: sqliteCredits(store, runtime, onCharged), sealKey: () => key };
}

type AccountsOptions = Pick<StoreOptions, "unusable" | "lock" | "onFailure" | "onCommit"> & {
  onCharged?: OnCharged;
  onShortage?: (sentence: string) => void;
  /** Tests pass a cheaper hasher. */
  passwords?: Passwords;
};

/** Opens the writable store that is configured. @throws OperatorError naming the next step */
export function openAccounts(config: Config, runtime: Runtime, options: AccountsOptions = {}) {
  const { passwords = new Passwords(), ...storeOptions } = options;
  const { store, credits, sealKey } = openConfiguredStore(config, runtime, storeOptions);
  const users = new Users(store, runtime);
  const sessions = new Sessions(store, runtime);
  const throttle = new Throttle(store, runtime);
  const links = new Links(store, runtime);
  const domains = config.ssoDomains.map((domain) => domain.toLowerCase());
  const { signUp } = config;
  const entry = { store, runtime, users, passwords, sessions, links, throttle, signUp, domains };
  const grants = openGrants(config, runtime, store, sealKey);
  users.onAccessEnded((tx, userId) => grants.connections.endAll(tx, userId, "cut_off"));
  return {
    store,
    users,
    keys: new Keys(store, runtime),
    credits,
    sessions,
    links,
    signIns: new SignIns(entry),
    /** Set-up, sign-up, invitations, new passwords. */
    signUps: new SignUp(entry),
    /** Connected applications and their tokens. */
    grants,
    peerGroups: new PeerGroups(store, runtime),
    throttle,
    audit: new AuditLog(store, runtime),
    /** The person a session cookie identifies; undefined once the session has ended. */
    async findPerson(secret: string): Promise<Person | undefined> {
      const session = await sessions.find(secret);
      if (session === undefined) return undefined;
      const { user, createdAtMs } = session;
      const { id: userId, email } = user;
      return { userId, email, isOwner: user.role === "owner", signedInAtMs: createdAtMs };
    },
    /** A user's balance, and the free credits a first connection would add. */
    async creditsOf(userId: string) {
      const { balance, unmetered, given } = await credits.summary(userId);
      return {
        balance,
        unmetered: unmetered || config.unmetered,
        freeCredits: given > 0 ? 0 : FIRST_CREDITS,
      };
    },
  };
}

/** An application exchanges its code in seconds; half of the ten minutes that RFC 6749, 4.1.2 allows. */
const CODE_SECONDS = 300;
/** Consent is asked for again twice a year, even of an application in daily use. */
const CONNECTION_DAYS = 180;

function openGrants(config: Config, runtime: Runtime, store: Store, sealKey: () => Uint8Array): Grants {
  const { accessTokenSeconds, refreshTokenDays, clientCallbacks, clientMetadataDocuments } = config;
  const wanted =
    clientMetadataDocuments === "on" ||
    (clientMetadataDocuments === "auto" && config.publicUrl?.startsWith("https:") === true);
  return createGrants({
    store,
    runtime,
    sealKey,
    lifetimes: {
      codeSeconds: CODE_SECONDS,
      accessTokenSeconds,
      refreshIdleSeconds: refreshTokenDays * DAY_SECONDS,
      grantSeconds: CONNECTION_DAYS * DAY_SECONDS,
    },
    limits: config,
    allowedRedirects: clientCallbacks,
    // `--offline` is a guarantee: it overrides other settings.
    readDocuments: wanted && !config.offline,
  });
}

/** Who is admitted, and what they are charged. */
type AccessPolicy = Pick<Operations, "admit" | "charge" | "checkLimits"> & {
  /** Counts requests across several servers; null if nothing is shared. */
  sharedLimits?: RateLimiter | null;
  close?(): void;
};

/** Admits every request as the local operator, without rate limits or charges. Needs no store. */
function operatorAccess(): AccessPolicy {
  return {
    admit: async () => ({ principal: { kind: "operator" }, window: null }),
    checkLimits: async () => undefined,
    charge: async () => UNMETERED,
  };
}

/** Admits valid credentials, and anonymous callers where none are required; counts and charges requests. */
function meteredAccess(
  { store, keys, credits, grants }: Accounts,
  config: Config,
  runtime: Runtime,
  log: Log,
  metrics: ServerMetrics,
): AccessPolicy {
  const { rateAnonymous: anon, rateKey: key, windows } = config;
  // A shared store also counts requests: as the fallback, or where no faster service is configured.
  const hasDatabase = windows.some((url) => url.startsWith("postgres"));
  const urls = config.store === "" || hasDatabase ? windows : [...windows, config.store];
  const services = urls.map((url) =>
    url.startsWith("postgres") ? postgresRateLimits(url) : valkeyRateLimits(url),
  );
  const settings = { quotas: { ...QUOTAS, anon, key, token: key }, services };
  const rateLimits = openRateLimits(
    settings,
    runtime,
    store instanceof SqliteStore ? store : null,
    (service, error) => {
      if (error === null) return log.info("windows_back", { service });
      countLoss(service);
      log.error("windows_lost", {
        service,
        message: `${messageOf(error)}. Until it is back, ${[...rateLimits.up].find(([, isUp]) => isUp)?.[0] ?? "this server alone"} counts requests.`,
      });
    },
  );
  const countLoss = addWindowMetrics(metrics.registry, () => rateLimits.up);
  const access = { credentials: { keys, tokens: grants.access }, rateLimits };
  const admit = admission(access);
  const checkLimits = limitCheck(access);
  const refuse = (refused: unknown): never => {
    const limit = refused instanceof ServiceError && refused.kind === "rate_limited";
    if (limit) metrics.rateLimited(refused.details.window?.name ?? "anon");
    throw refused;
  };
  /** Runs an access check and counts its rate-limit refusals. */
  const observed = <T>(check: () => Promise<T>): Promise<T> => check().catch(refuse);
  return {
    sharedLimits: rateLimits.up.size > 0 ? rateLimits : null,
    close: () => rateLimits.close(),
    admit: (caller, need, counted) => observed(() => admit(caller, need, counted)),
    checkLimits: (caller, need) => observed(() => checkLimits(caller, need)),
    charge: charging(credits, config),
  };
}

/**
 * Opens the configured dataset and store, and builds all components on them.
 *
 * @param who `anyone` meters requests against the store; `operator` serves the local operator and opens no store
 * @param options the data folder's lock and the password hasher
 * @throws OperatorError naming the next step
 */
export function openServices(
  config: Config,
  runtime: Runtime,
  log: Log,
  who: "anyone" | "operator",
  options: Pick<AccountsOptions, "lock" | "passwords"> = {},
): Services {
  const metrics = createServerMetrics();
  const snapshots = new Snapshots({
    dataDir: config.dataDir,
    monotonic: runtime.monotonic,
    who: who === "anyone" ? "server" : "command",
    onSwap: ({ contentHash, edition, rows }) => log.info("snapshot", { contentHash, edition, rows }),
    onFault: (error) => log.error("snapshot_unreadable", { message: error.message }),
  });
  if (who === "operator") {
    return compose(config, runtime, log, { snapshots, accounts: null, onDemand: null, metrics });
  }
  const accounts = openAccounts(config, runtime, {
    unusable: "serve-without",
    ...options,
    onFailure: (sentence) =>
      sentence === null ? log.info("store_recovered") : log.error("store_failed", { message: sentence }),
    onShortage: (message) => log.warn("store_connections", { message }),
    onCommit: metrics.committed,
    onCharged: metrics.charged,
  });
  const onDemand = openOnDemand(config, runtime, log, metrics);
  return compose(config, runtime, log, { snapshots, accounts, onDemand, metrics });
}

/** Retry delay for a caller whose company is being fetched by another server. */
const ELSEWHERE_MS = 5000;

/**
 * Returns on-demand fetching if a contact is configured and the server is not offline; otherwise null, and nothing
 * leaves the machine. The fetching code is loaded with the first company, so it costs nothing at startup.
 */
function openOnDemand(
  config: Config,
  runtime: Runtime,
  log: Log,
  metrics: ServerMetrics,
): OperationDeps["onDemand"] {
  if (config.offline || config.contact === "") return null;
  const counted: Runtime = {
    ...runtime,
    fetch(input, init) {
      const answer = runtime.fetch(input, init);
      answer.then(
        ({ status }) => metrics.edgarAnswered(status),
        () => metrics.edgarAnswered("failed"),
      );
      return answer;
    },
  };
  let work: OnDemandDeps["work"] | undefined;
  // EDGAR's limit applies to the requester, not to each of our servers.
  const lock = config.store === "" ? null : new AdvisoryLock(config.store, "execcomp: fetch on demand");
  return createOnDemand({
    now: runtime.now,
    async work(company) {
      log.info("on_demand_started", { cik: company.cik });
      work ??= (await import("../ingest/on-demand-fetch.ts")).onDemandFetch(config, counted);
      const fetching = work;
      if (lock === null) return fetching(company);
      const outcome = await lock.run(() => fetching(company));
      return outcome ?? { kind: "elsewhere", retryAtMs: runtime.now() + ELSEWHERE_MS };
    },
    onEnd({ cik }, outcome) {
      metrics.onDemandEnded(outcome.kind);
      log.info("on_demand_ended", { cik, outcome: outcome.kind, why: "why" in outcome ? outcome.why : null });
    },
  });
}

/** Matches proxies whose `X-Forwarded-For` is trusted: those configured, and any peer that can open the Unix socket. */
function trustedProxies({ trustedProxies: named }: Config): (address: string) => boolean {
  const isNamed = addressMatcher(named);
  return (address) => address === SOCKET_PEER || isNamed(address);
}

/** Builds all components from the configuration and the opened resources. */
export function compose(
  config: Config,
  runtime: Runtime,
  log: Log,
  open: {
    snapshots: Services["snapshots"];
    accounts: Accounts | null;
    onDemand: OperationDeps["onDemand"];
    metrics?: ServerMetrics;
  },
  access?: AccessPolicy,
): Services {
  const { snapshots, accounts, onDemand, metrics = createServerMetrics() } = open;
  const accessPolicy =
    access ?? (accounts === null ? operatorAccess() : meteredAccess(accounts, config, runtime, log, metrics));
  const deps: OperationDeps = { ...accessPolicy, snapshots, onDemand, prices: config };
  const analyst = createAnalyst();
  const rasterizer = createRasterizer();
  const mailer = createMailer(config);
  return {
    config,
    runtime,
    log,
    metrics,
    snapshots,
    outbox: mailer && createOutbox(mailer, log),
    accounts,
    analyst,
    rasterizer,
    operations: createOperations({ ...deps, analyst }, accessPolicy.checkLimits),
    addressLimits: new AddressLimits(runtime, accessPolicy.sharedLimits ?? null),
    trustedProxy: trustedProxies(config),
    storeFailure: () => accounts?.store.failure ?? null,
    examined: { broken: [], findings: [], atMs: null },
    backups: { failure: null },
    onDemand,
    origins: null,
    program: null,
    async close() {
      analyst.close();
      accessPolicy.close?.();
      rasterizer.close();
      await accounts?.store.close();
    },
  };
}
