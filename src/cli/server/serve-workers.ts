/** `serve --processes`: starts the workers of the process that owns the store, and the socket on which they reach it. */
import { availableParallelism } from "node:os";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort, listen, type Listener, peerBehind } from "../../server/app.ts";
import type { Services } from "../../server/compose.ts";
import { environmentWith, SETTING_NAMES, type SettingName, SETTINGS, variableOf } from "../../config.ts";
import { OperatorError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { type Pool, startPool } from "../../processes/pool.ts";
import type { Io } from "../command.ts";

/** Settings used only by the process that owns the store. */
const OWNER_SETTINGS = [
  "processes",
  "socket",
  "metricsListen",
  "windows",
  "datasetUrl",
  "s3SecretAccessKey",
  "ownerPassword",
  "ssoClientSecret",
  "smtpUrl",
  "ingestEvery",
  "backupDir",
] as const satisfies SettingName[];

/** The socket on which workers reach the process that owns the store. */
export interface OwnersListener {
  /** Accepts requests forwarded by workers as if callers had connected here. */
  listener: Listener;
  /** The port the workers listen on. */
  port: number;
  /** Starts the workers, once the owner's services exist. */
  start(services: Services, log: Log): Pool;
}

/** Opens the owner's socket in its data folder. @throws OperatorError if the port is taken */
export async function listenForWorkers(
  config: Services["config"],
  io: Io,
  log: Log,
): Promise<OwnersListener> {
  const { program } = io;
  if (program === null) throw new OperatorError("Workers cannot be started from here.");
  const port = await freePort(config);
  const socket = join(config.dataDir, "owner.sock");
  // Left behind by a process that was killed: this process holds the folder.
  for (const name of readdirSync(config.dataDir)) {
    if (name.startsWith("owner.sock")) rmSync(join(config.dataDir, name), { force: true });
  }
  const inner = listen({ ...config, socket, tlsCert: "", tlsKey: "" }, log);
  inner.publish();
  const listener: Listener = {
    ...inner,
    port,
    answerWith: (answer) => inner.answerWith((request) => answer(request, peerBehind(request))),
  };
  const own: Record<string, string> = Object.fromEntries(
    OWNER_SETTINGS.map((name) => [variableOf(name), SETTINGS[name].fallback]),
  );
  const environment = {
    ...environmentWith(io.loaded, SETTING_NAMES),
    ...own,
    [variableOf("port")]: String(port),
  };
  return {
    listener,
    port,
    start: ({ operations, onDemand, snapshots, metrics }) =>
      startPool({
        count: config.processes === 0 ? availableParallelism() : config.processes,
        command: [...program, "serve-worker", socket],
        environment,
        access: operations,
        onDemand,
        companyOf: (cik) => snapshots.current().findByCik(cik),
        registry: metrics.registry,
        log,
        note: (lines) => io.note(lines),
        monotonic: io.runtime.monotonic,
      }),
  };
}
