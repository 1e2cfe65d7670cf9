import { type Listener, type RunningServer, listen, serverBehind, startServer } from "../../server/app.ts";
import { type Services, openServices } from "../../server/compose.ts";
import { restoreInto } from "../../store/faults.ts";
import type { Log } from "../../log.ts";
import { bufferedLog, logOptions } from "../bounded-output.ts";
import { createServerUrls, isReachableByOthers } from "../../http/base-urls.ts";
import { HeldFolder, keepServerUrl, prepareFolder, storeState } from "../../store/folder.ts";
import { type Io, UsageError, command, sameFolder } from "../command.ts";
import { refuseContradictions, requireStore } from "./contradictions.ts";
import { takeFolder, takeOver } from "./take-over.ts";
import { type Jobs, UNLOCKED, firstOwner, printFirstOwner, startJobs } from "./serve-jobs.ts";

/** `execcomp serve` */
export const serve = command({
  name: "serve",
  summary: "Serve REST, MCP and web pages over HTTP.",
  details:
    "Prints `ready http://localhost:PORT`, or its public URL, on standard output once it answers and, until the server\n" +
    "has an owner, a one-time link to set one up. The log goes to standard error, one JSON line per event. On SIGTERM, requests in\n" +
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
    const { config } = io.loaded;
    refuseContradictions(config);
    if (flags.takeOver && config.socket === "")
      throw new UsageError(
        "--take-over requires --socket, because a port cannot be shared. See: execcomp help serve",
      );
    if (flags.check) return (await import("./check.ts")).checkServe(io);
    // Files created from here on are accessible only to this user.
    process.umask(0o077);
    prepareFolder(config.dataDir);
    const state = storeState(config.dataDir);
    requireStore(config);
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
        const message = `The store of ${dataDir} is missing, although a server has run on this folder before. It was replaced by a new one without users, keys or credits. Stop the server and restore a backup (${restoreInto(dataDir)}).`;
        log.error("store_lost", { message });
      }
      services.program = io.program;
      const server = startServer(services, listener);
      return await untilStopped(server, services, io);
    } finally {
      await services?.close();
      folder.release();
      log.info("stopped");
      log.flush();
    }
  },
});

/** Reports that the server is ready, runs its background jobs, and stops it when asked to. @returns the exit code */
async function untilStopped(server: RunningServer, services: Services, io: Io): Promise<number> {
  const { config, snapshots, log } = services;
  const { main } = server.serverUrls;
  warnOfPlainHttp(config, log);
  const setUp = await firstOwner(services, main, sameFolder(io.loaded));
  const tidy = setTimeout(() => {
    // The executable starts with a conservative JIT policy (docs/decisions/executable.md).
    Bun.unsafe.setJITPolicy(1);
    // One full collection between requests: saves 1 to 2 MB at idle (docs/performance.md).
    Bun.gc(false);
  }, TIDY_MS);
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
  for (const line of readyLines(config, main.origin, server.port)) io.print(line);
  keepServerUrl(config.dataDir, main.origin);
  const endTelling = printFirstOwner(setUp, services, main, io, sameFolder(io.loaded));
  jobs = await startJobs(services, io, log);
  const ended = await Promise.race([stopped, jobs.unlocked]);
  log.info("stopping", { signal: ended });
  clearTimeout(tidy);
  endTelling();
  jobs.end();
  await server.stop();
  return ended === UNLOCKED ? 1 : 0;
}

/** Listens and replaces the previous server. Errors in the settings are reported before that server is asked to stop. */
async function takePlace(config: Services["config"], folder: HeldFolder, log: Log): Promise<Listener> {
  createServerUrls(config, config.port);
  const listener = listen(config, log);
  const previous = await serverBehind(config.socket);
  await takeOver(listener, previous, folder, (pid) => process.kill(pid, "SIGTERM"));
  return listener;
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

/** Where the server answers, which scripts parse; then where it listens, if a proxy passes on what is sent there. */
function readyLines({ host, socket, publicUrl }: Services["config"], origin: string, port: number): string[] {
  if (socket !== "") return [`ready unix:${socket}`, `answers for ${origin}`];
  const address = `${host.includes(":") ? `[${host.replace(/[[\]]/g, "")}]` : host}:${port}`;
  const { protocol, port: published } = new URL(origin);
  const isDirect = publicUrl === null || new URL(`${protocol}//${address}`).port === published;
  return [`ready ${origin}`, ...(isDirect ? [] : [`listening on ${address}, answers for ${origin} only`])];
}
