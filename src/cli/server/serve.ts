import {
  type Listener,
  type RunningServer,
  checkListenSettings,
  listen,
  readMetricsAddress,
  serverBehind,
  startServer,
} from "../../server/app.ts";
import { type Services, openServices } from "../../server/compose.ts";
import { OperatorError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { bufferedLog, logOptions } from "../bounded-output.ts";
import { createServerUrls, isLoopback, isReachableByOthers } from "../../http/base-urls.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import {
  FolderInUseError,
  HeldFolder,
  keepServerUrl,
  prepareFolder,
  storeState,
} from "../../store/folder.ts";
import { type Io, UsageError, command, sameFolder } from "../command.ts";
import type { Supervisor } from "./supervisor.ts";
import { type Jobs, UNLOCKED, firstOwner, printFirstOwner, startJobs } from "./serve-jobs.ts";
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";

/** `execcomp serve`, which is also the default command. */
export const serve = command({
  name: "serve",
  summary: "Serve REST, MCP and web pages over HTTP. The default command when there is no terminal.",
  details:
    "Prints `ready http://localhost:PORT` on standard output once it answers and, until the server has an owner, a\n" +
    "one-time link to set one up. The log goes to standard error, one JSON line per event. On SIGTERM, requests in\n" +
    "flight get up to eight seconds to finish.",
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
    const { config } = io.loaded;
    refuseOpenSignUp(config);
    refuseContradictions(config);
    if (flags.takeOver && config.socket === "")
      throw new UsageError(
        "--take-over requires --socket, because a port cannot be shared. See: execcomp help serve",
      );
    if (flags.check) return checkServe(io);
    // Files created from here on are accessible only to this user.
    process.umask(0o077);
    prepareFolder(config.dataDir);
    const state = storeState(config.dataDir);
    if (config.store === "") requireStore(config);
    const folder = new HeldFolder(config.dataDir);
    let services: Services | undefined;
    let listener: Listener | undefined;
    try {
      if (flags.takeOver) listener = await takePlace(config, folder, log);
      else takeFolder(folder);
      services = openServices(config, io.runtime, log, "anyone", { lock: folder });
      services.origins = io.loaded.origins;
      if (state === "lost" && config.store === "") {
        const { dataDir } = config;
        const message = `The store of ${dataDir} is missing, although a server has run on this folder before. It was replaced by a new one without users, keys or credits. Stop the server and restore a backup (execcomp restore FILE).`;
        log.error("store_lost", { message });
      }
      services.program = io.program;
      const server = startServer(services, listener);
      // The executable starts with a conservative JIT policy, for a quick start (docs/decisions/executable.md).
      Bun.unsafe.setJITPolicy(1);
      return await untilStopped(server, services, supervisor, io);
    } finally {
      await services?.close();
      folder.release();
      log.info("stopped");
      log.flush();
    }
  },
});

/** Reports that the server is ready, runs its background jobs, and stops it when asked to. @returns the exit code */
async function untilStopped(
  server: RunningServer,
  services: Services,
  supervisor: Supervisor,
  io: Io,
): Promise<number> {
  const { config, snapshots, log } = services;
  const { main } = server.serverUrls;
  warnOfPlainHttp(config, log);
  const setUp = await firstOwner(services, main, sameFolder(io.loaded));
  // One full collection between requests: saves 1 to 2 MB at idle (docs/performance.md).
  const tidy = setTimeout(() => Bun.gc(false), TIDY_MS);
  const stopped = io.untilStopped();
  let jobs: Jobs | null = null;
  io.whenReloaded(() => {
    log.info("reloaded", snapshotFields(snapshots));
    void snapshots.check();
    void server.renewCertificate().catch((error: unknown) => {
      log.error("certificate_not_renewed", { error: String(error) });
    });
  });
  log.info("started", { origin: main.origin, ...snapshotFields(snapshots) });
  io.print(`ready ${readyAt(config, server.port)}`);
  keepServerUrl(config.dataDir, main.origin);
  const notifyStopping = supervisor();
  const endTelling = printFirstOwner(setUp, services, main, io, sameFolder(io.loaded));
  jobs = await startJobs(services, io, log);
  const ended = await Promise.race([stopped, jobs.unlocked]);
  log.info("stopping", { signal: ended });
  notifyStopping();
  clearTimeout(tidy);
  endTelling();
  jobs.end();
  await server.stop();
  return ended === UNLOCKED ? 1 : 0;
}

/** Its public methods: tests pass their own. */
type Held = Pick<HeldFolder, keyof HeldFolder>;

/** Listens and replaces the previous server. Errors in the settings are reported before that server is asked to stop. */
async function takePlace(config: Services["config"], folder: Held, log: Log): Promise<Listener> {
  createServerUrls(config, config.port);
  const listener = listen(config, log);
  const previous = serverBehind(config.socket);
  await takeOver(listener, previous, folder, (pid) => process.kill(pid, "SIGTERM"));
  return listener;
}

/** `--require-store`: an empty store in place of a real one would refuse every key and give everyone new credits. */
function requireStore({ requireStore: isRequired, dataDir }: Services["config"]): void {
  if (!isRequired || storeState(dataDir) === "there") return;
  throw new OperatorError(
    `There is no store in ${dataDir} but --require-store is set. Is its disk mounted? Restore a backup (execcomp restore FILE), or start once without --require-store to create a new store.`,
  );
}

/** Refuses open sign-up on a server that others can reach. */
function refuseOpenSignUp(config: Services["config"]): void {
  if (config.signUp !== "open" || !isReachableByOthers(config)) return;
  const { host, publicUrl, trustedProxies } = config;
  const why = !isLoopback(host)
    ? `listen on ${host}`
    : publicUrl !== null
      ? `be known as ${publicUrl}`
      : `be behind the proxy ${trustedProxies.join(", ")}`;
  throw new OperatorError(
    `Sign-up is open and the server would ${why}, which others can reach. Set --sign-up invite, or make it reachable only from this machine.`,
  );
}

/** Refuses settings that contradict each other. */
function refuseContradictions(config: Services["config"]): void {
  const { offline, contact, windows, store, backupDir } = config;
  const ingests = config.ingestEvery !== null;
  const contradictions = [
    ingests && offline && "--ingest-every fetches filings, but --offline is set. Remove one of them.",
    ingests &&
      contact === "" &&
      'EDGAR requires a name and an e-mail address with every request. --ingest-every requires --contact "Name mail@host".',
    windows.length > 0 &&
      offline &&
      "--windows connects to other servers, but --offline is set. Remove one of them.",
    store !== "" && offline && "--store connects to a database, but --offline is set. Remove one of them.",
    store !== "" &&
      backupDir !== "" &&
      "--backup-dir copies the store file in the data folder, but --store keeps the accounts in PostgreSQL. Remove --backup-dir and back up the database with pg_dump.",
  ];
  const found = contradictions.find((message) => message !== false);
  if (found !== undefined) throw new OperatorError(found);
}

/** Warns at every start if traffic is not encrypted. */
function warnOfPlainHttp(config: Services["config"], log: Log): void {
  if (!isReachableByOthers(config) || config.publicUrl?.startsWith("https:") === true) return;
  if (config.tlsCert !== "") return;
  const message =
    "Keys, passwords and cookies cross the network unencrypted. Set --public-url to an https address.";
  log.warn("plain_http", { message });
}

/** Delay after which memory used only for starting is collected. */
const TIDY_MS = 1000;

/** Log fields about the dataset in use, with a hint if the embedded one is newer than the installed one. */
function snapshotFields(snapshots: Services["snapshots"]) {
  const { origin, contentHash, edition, rows } = snapshots.current().info;
  const newer = origin === "installed" && snapshots.embedded().edition > edition;
  const hint = newer ? { embeddedIsNewer: "execcomp data rollback" } : {};
  return { snapshot: contentHash, snapshotOrigin: origin, edition, rows, ...hint };
}

/** The address at which this machine reaches the server; scripts parse it. */
function readyAt({ host, socket, tlsCert }: Services["config"], port: number): string {
  if (socket !== "") return `unix:${socket}`;
  const anywhere = isLoopback(host) || ["0.0.0.0", "::", "[::]"].includes(host);
  return `${tlsCert === "" ? "http" : "https"}://${anywhere ? "localhost" : host}:${port}`;
}

/** `execcomp serve --check`: whether a server could start with these settings, without starting one. */

/**
 * Reads everything that a start would read, and writes nothing; a server may be running on the same folder. A port in use is
 * not detected: it may be used by the server that is to be restarted.
 * @returns the exit code
 * @throws OperatorError for the first problem that would prevent a start
 */
async function checkServe(io: Io): Promise<number> {
  const { config } = io.loaded;
  const serverUrls = createServerUrls(config, config.port);
  checkListenSettings(config);
  if (config.metricsListen !== "") readMetricsAddress(config.metricsListen);
  requireFolder(config.dataDir);
  requireStore(config);
  const { edition, origin, rows } = openDataset(config.dataDir).info;
  const found = { url: serverUrls.main.origin, data_dir: config.dataDir, edition, dataset: origin, rows };
  io.answer(found, `ok: would serve ${found.url} from the ${origin} dataset of ${edition} (${rows} rows)`);
  return 0;
}

/** Requires that the folder, or the one it would be created in, is writable. */
function requireFolder(dataDir: string): void {
  let folder = dataDir;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new OperatorError(
      `Cannot write to the data folder ${dataDir}. Give this user write permission to ${folder}, or choose another with --data-dir.`,
    );
  }
}

/**
 * Acquires the lock of the data folder. If it cannot be written (a full or read-only disk), anonymous callers are served
 * anyway, and the lock is acquired once the store can be opened.
 * @throws FolderInUseError
 */
function takeFolder(folder: Held): void {
  try {
    folder.acquire();
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
  }
}

/** Time in which connections made before the socket link was changed are accepted. */
const ACCEPT_MS = 300;
/** The previous server has eight seconds for requests in flight, and exits within ten. */
const MAX_WAIT_MS = 15_000;
const LOOK_MS = 20;

/**
 * Takes over: new connections go to the new socket at once and wait; the previous server stops, and its data folder is taken.
 * @param previous its process id; null if there is none
 * @param end asks a process to stop
 * @throws OperatorError if it does not stop; connections then go to it again
 */
export async function takeOver(
  listener: Listener,
  previous: number | null,
  folder: Held,
  end: (process: number) => void,
): Promise<void> {
  const takeBack = listener.publish();
  try {
    // If the folder is free there is no server to stop: the process id in the link may belong to another process by now.
    if (isTaken(folder)) return;
    if (previous !== null) {
      await Bun.sleep(ACCEPT_MS);
      try {
        end(previous);
      } catch {
        // It has already exited.
      }
    }
    for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += LOOK_MS) {
      if (isTaken(folder)) return;
      await Bun.sleep(LOOK_MS);
    }
    throw new OperatorError(
      `The previous server (process ${previous ?? "unknown"}) still holds the data folder after ${MAX_WAIT_MS / 1000} seconds. Connections go to it again.`,
    );
  } catch (error) {
    takeBack();
    await listener.stop(0);
    throw error;
  }
}

/** Whether this process holds the folder now; false while another server does. */
function isTaken(folder: Held): boolean {
  try {
    folder.acquire();
    return true;
  } catch (error) {
    if (error instanceof FolderInUseError) return false;
    throw error;
  }
}
