/** `execcomp serve --check`: whether a server could start with these settings, without starting one. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { checkListenSettings, readMetricsAddress } from "../app.ts";
import { createServerUrls } from "../base-urls.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { openSnapshots } from "../snapshot/snapshots.ts";
import { storeState } from "../store/folder.ts";
import type { Io } from "./command.ts";

/**
 * Reads everything that a start reads and writes nothing; a server may run on the same folder meanwhile. A port that is
 * taken is not seen: it may be taken by the very server that is to be restarted.
 * @returns the exit code
 * @throws OperatorError for the first thing that would keep a server from starting
 */
export async function checkServe(io: Io): Promise<number> {
  const { config } = io.loaded;
  const serverUrls = createServerUrls(config, config.port);
  checkListenSettings(config);
  refuseProcesses(config, false);
  if (config.metricsListen !== "") readMetricsAddress(config.metricsListen);
  requireFolder(config.dataDir);
  if (config.requireStore && storeState(config.dataDir) !== "there") {
    throw new OperatorError(`There is no store in ${config.dataDir}, and --require-store is set.`);
  }
  const snapshots = openSnapshots({
    dataDir: config.dataDir,
    monotonic: io.runtime.monotonic,
    who: "command",
  });
  const { edition, origin, rows } = snapshots.current().info;
  const found = { url: serverUrls.main.origin, data_dir: config.dataDir, edition, dataset: origin, rows };
  if (io.json) io.printJson(found);
  else io.print(`ok: would serve ${found.url} from the ${origin} dataset of ${edition} (${rows} rows)`);
  return 0;
}

/** Settings that processes cannot share a port with. @throws OperatorError naming the flag to drop */
export function refuseProcesses({ processes, socket }: Config, isInherited: boolean): void {
  if (processes === 1) return;
  if (process.platform !== "linux")
    throw new OperatorError("--processes shares a port in a way that only Linux has: drop it.");
  if (isInherited)
    throw new OperatorError(
      "The service manager hands over one socket, which processes cannot share: drop --processes, or the .socket unit.",
    );
  if (socket !== "") throw new OperatorError("--processes needs a port: drop it, or --socket.");
}

/** The folder, or the one that it would be made in, can be written. */
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
