import { type InheritedSocket, listen, type Listener, onDemand, serverBehind, startServer } from "../app.ts";
import { type Services, openServices } from "../compose.ts";
import { OperatorError } from "../errors.ts";
import type { Log } from "../log.ts";
import { bufferedLog, logOptions } from "./buffered-log.ts";
import { createServerUrls, isLoopback, isReachableByOthers } from "../base-urls.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";
import { prepareFolder, storeState } from "../store/folder.ts";
import { FolderInUseError, type HeldFolder, holdFolder } from "../store/lock.ts";
import { command, type Io, UsageError, sameFolder } from "./command.ts";
import type { Pool } from "../processes/pool.ts";
import type { OwnersListener } from "./serve-workers.ts";
import type { Supervisor } from "./supervisor.ts";
import { checkServe, refuseProcesses } from "./check-serve.ts";
import { firstOwner, tellFirstOwner } from "./first-owner.ts";
import { type Jobs, startJobs, UNLOCKED } from "./serve-jobs.ts";
import { takeOver } from "./take-over.ts";

/** `execcomp serve`, and what runs when no command is named. */
export const serve = command({
  name: "serve",
  summary: "Serve REST, MCP and web pages over HTTP. The default command when there is no terminal.",
  details:
    "Prints `ready http://localhost:PORT` on standard output once it answers and, until the server has an owner, a\n" +
    "one-time link to set one up. The log goes to standard error, one JSON line per event. On SIGTERM, requests in\n" +
    "flight get up to eight seconds to finish.",
  operands: [],
  flags: {
    check: {
      about: "Only check whether a server could start: settings, data folder and dataset.",
    },
    takeOver: {
      about: "Replace the server that runs on this data folder without failing a request; requires --socket.",
    },
  },
  settings: "all",
  examples: [
    ["serve", "On http://localhost:8402, for this machine only."],
    ["serve --port 0 --data-dir /tmp/execcomp", "On a free port, with a separate data folder."],
    [
      "serve --socket /run/execcomp/http.sock --public-url https://pay.example.com",
      "Behind a proxy on this machine.",
    ],
    ["serve --host 0.0.0.0 --public-url https://pay.example.com", "Behind a reverse proxy."],
  ],
  async run({ flags }, io) {
    const log = bufferedLog(io.runtime, logOptions(io), (lines) => io.note(lines));
    const supervisor = await io.supervisor();
    const inherited = await inheritedSocket(supervisor, io.loaded, flags.takeOver);
    const config = inherited === null ? io.loaded.config : behind(inherited, io.loaded.config);
    refuseOpenSignUp(config);
    refuseIngests(config);
    refuseWindows(config);
    refuseProcesses(config, inherited !== null);
    refuseDatabase(config);
    if (flags.takeOver && config.socket === "")
      throw new UsageError("--take-over needs --socket: a port cannot be shared. See: execcomp help serve");
    if (flags.check) return checkServe(io);
    // Whatever this process makes from here on is for its user only.
    process.umask(0o077);
    prepareFolder(config.dataDir);
    const state = storeState(config.dataDir);
    if (config.store === "") requireStore(config, state);
    const folder = holdFolder(config.dataDir);
    let services: Services | undefined;
    let listener: Listener | undefined;
    let owners: OwnersListener | null = null;
    let pool: Pool | null = null;
    try {
      if (flags.takeOver) listener = await takePlace(config, folder, log);
      else takeFolder(folder);
      if (inherited !== null) listener = listen(config, log, inherited);
      if (config.processes !== 1) {
        owners = await (await import("./serve-workers.ts")).listenForWorkers(config, io, log);
        ({ listener } = owners);
      }
      services = openServices(config, io.runtime, log, "anyone", { lock: folder });
      if (state === "lost" && config.store === "") tellLostStore(config, log);
      services.program = io.program;
      pool = owners?.start(services, log) ?? null;
      if (pool !== null) services.metrics = { ...services.metrics, registry: pool.registry };
      const server = startServer(services, listener);
      await pool?.ready;
      // The executable starts with a JIT that holds back, for a quick start (docs/decisions/executable.md).
      Bun.unsafe.setJITPolicy(1);
      return await untilStopped({ server, services, pool, supervisor, log }, io);
    } finally {
      await pool?.stop(0);
      await services?.close();
      folder.release();
      log.info("stopped");
      log.flush();
    }
  },
});

/** A server that answers. */
interface Running {
  server: ReturnType<typeof startServer>;
  services: Services;
  /** Null where one process answers. */
  pool: Pool | null;
  supervisor: Supervisor;
  log: Log;
}

/** Tells that the server answers, does what it does beside that, and stops it when it is asked to. @returns the exit code */
async function untilStopped({ server, services, pool, supervisor, log }: Running, io: Io): Promise<number> {
  const { config, snapshots } = services;
  const { main } = server.serverUrls;
  warnOfPlainHttp(config, log);
  const setUp = await firstOwner(services, main, sameFolder(io.loaded));
  const tidy = setTimeout(letGoOfStart, TIDY_MS);
  const stopped = io.untilStopped();
  let jobs: Jobs | null = null;
  io.whenReloaded(() => {
    log.info("reloaded", snapshotFields(snapshots));
    void snapshots.check();
    jobs?.following?.lookNow();
    pool?.reload();
    void server.renewCertificate().catch((error: unknown) => {
      log.error("certificate_not_renewed", { error: String(error) });
    });
  });
  log.info("started", { origin: main.origin, ...snapshotFields(snapshots) });
  io.print(`ready ${readyAt(config, server.port)}`);
  const endReporting = report(supervisor);
  const endTelling = tellFirstOwner(setUp, services, main, io, sameFolder(io.loaded));
  jobs = await startJobs(services, io, log);
  const ended = await Promise.race([stopped, jobs.unlocked]);
  log.info("stopping", { signal: ended });
  endReporting();
  clearTimeout(tidy);
  endTelling();
  jobs.end();
  await pool?.stop();
  await server.stop();
  return ended === UNLOCKED ? 1 : 0;
}

/** The socket that the service manager hands over, listening; null where there is none. */
async function inheritedSocket(
  { socket }: Supervisor,
  { origins }: Io["loaded"],
  isTakeOver: boolean,
): Promise<InheritedSocket | null> {
  if (socket === null) return null;
  if (isTakeOver || origins.socket.origin !== "default") {
    throw new OperatorError(
      "The service manager hands over a socket, which it keeps over restarts: drop --socket and --take-over.",
    );
  }
  return onDemand.openInherited(socket);
}

/** The settings of a server that listens where its service manager says. */
function behind({ host, port, path }: InheritedSocket, config: Services["config"]): Services["config"] {
  return path === "" ? { ...config, host, port } : { ...config, socket: path };
}

/** Listens, and takes the place of the server before. What cannot work is told before that one is asked to end. */
async function takePlace(config: Services["config"], folder: HeldFolder, log: Log): Promise<Listener> {
  createServerUrls(config, config.port);
  const listener = listen(config, log);
  const previous = serverBehind(config.socket);
  await takeOver({ listener, previous, folder, end: (pid) => process.kill(pid, "SIGTERM") });
  return listener;
}

/**
 * Takes the lock. Where it cannot be written (a full disk, a read-only one) anonymous callers are served all the same,
 * and it is taken when the store can be opened.
 * @throws FolderInUseError
 */
function takeFolder(folder: HeldFolder): void {
  try {
    folder.acquire();
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
  }
}

/** `--require-store`: an empty store in the place of a real one would refuse every key and give everybody new credits. */
function requireStore(
  { requireStore: isRequired, dataDir }: Services["config"],
  state: "there" | "new" | "lost",
): void {
  if (!isRequired || state === "there") return;
  throw new OperatorError(
    `There is no store in ${dataDir}, and --require-store is set. Is its disk mounted? Restore a backup (execcomp restore FILE), or start once without --require-store to create a new store.`,
  );
}

function tellLostStore({ dataDir }: Services["config"], log: Log): void {
  log.error("store_lost", {
    message: `The store of ${dataDir} is missing, though a server ran on this folder before: a new one without users, keys and credits replaces it. Stop the server and restore a backup (execcomp restore FILE).`,
  });
}

/** Anybody may sign up only where nobody from outside can reach it. */
function refuseOpenSignUp(config: Services["config"]): void {
  if (config.signUp !== "open" || !isReachableByOthers(config)) return;
  const { host, publicUrl, trustedProxies } = config;
  const why = !isLoopback(host)
    ? `listen on ${host}`
    : publicUrl !== null
      ? `be known as ${publicUrl}`
      : `be behind the proxy ${trustedProxies.join(", ")}`;
  throw new OperatorError(
    `Sign-up is open and the server would ${why}, which others can reach. Set --sign-up invite, or let only this machine reach it.`,
  );
}

/** Told before anybody is answered: an ingest that could never run, and two that would overwrite each other. */
function refuseIngests({ ingestEvery, contact, offline, datasetUrl }: Services["config"]): void {
  if (ingestEvery === null) return;
  if (offline)
    throw new OperatorError("--ingest-every fetches filings, and --offline is set. Drop one of them.");
  if (contact === "")
    throw new OperatorError(
      'EDGAR requires a name and a mail address with every request: --ingest-every needs --contact "Name mail@host".',
    );
  if (datasetUrl !== "")
    throw new OperatorError(
      "--dataset-url replaces what --ingest-every adds: let the server that publishes the dataset ingest.",
    );
}

function refuseWindows({ windows, offline }: Services["config"]): void {
  if (windows.length === 0 || !offline) return;
  throw new OperatorError("--windows connects to other servers, and --offline is set. Drop one of them.");
}

/** Told before anybody is answered: a database that may not be connected to, and backups that would be of nothing. */
function refuseDatabase({ store, offline, backupDir }: Services["config"]): void {
  if (store === "") return;
  if (offline)
    throw new OperatorError("--store connects to a database, and --offline is set. Drop one of them.");
  if (backupDir !== "")
    throw new OperatorError(
      "--backup-dir copies the file in the data folder, and --store keeps the accounts in PostgreSQL. Drop it, and back the database up with pg_dump.",
    );
}

/** Said at every start: what others can see on the way. */
function warnOfPlainHttp(config: Services["config"], log: Log): void {
  if (!isReachableByOthers(config) || config.publicUrl?.startsWith("https:") === true) return;
  if (config.tlsCert !== "") return;
  const message =
    "Keys, passwords and cookies cross the network unencrypted: set --public-url to an https address.";
  log.warn("plain_http", { message });
}

/**
 * Tells whoever started the server that it answers, and goes on telling as often as is asked for.
 * @returns what says that it ends
 */
function report(supervisor: Supervisor): () => void {
  supervisor.ready();
  const { aliveEveryMs } = supervisor;
  const timer = aliveEveryMs === null ? undefined : setInterval(() => supervisor.alive(), aliveEveryMs);
  return () => {
    clearInterval(timer);
    supervisor.stopping();
  };
}

/** How long after its start a server lets go of what only starting needed. */
const TIDY_MS = 1000;

/** One full collection, beside the answers and not in their place: 1 to 2 MB less at idle (`docs/performance.md`). */
function letGoOfStart(): void {
  Bun.gc(false);
}

/** What the log says of the data in use, and that the executable carries newer ones than those installed. */
function snapshotFields(snapshots: Snapshots) {
  const { origin, contentHash, edition, rows } = snapshots.current().info;
  const newer = origin === "installed" && snapshots.embedded().edition > edition;
  const hint = newer ? { embeddedIsNewer: "execcomp data rollback" } : {};
  return { snapshot: contentHash, snapshotOrigin: origin, edition, rows, ...hint };
}

/** Where the server answers on this machine; scripts read it. */
function readyAt({ host, socket, tlsCert }: Services["config"], port: number): string {
  if (socket !== "") return `unix:${socket}`;
  const anywhere = isLoopback(host) || ["0.0.0.0", "::", "[::]"].includes(host);
  return `${tlsCert === "" ? "http" : "https"}://${anywhere ? "localhost" : host}:${port}`;
}
