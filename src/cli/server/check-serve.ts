/** `execcomp serve --check`: whether a server could start with these settings, without starting one. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { checkListenSettings, readMetricsAddress } from "../../server/app.ts";
import { createServerUrls } from "../../http/base-urls.ts";
import { OperatorError } from "../../errors.ts";
import { openSnapshots } from "../../dataset/snapshots.ts";
import { storeState } from "../../store/folder.ts";
import type { Io } from "../command.ts";

/**
 * Reads everything that a start would read, and writes nothing; a server may be running on the same folder. A port in use is
 * not detected: it may be used by the server that is to be restarted.
 * @returns the exit code
 * @throws OperatorError for the first problem that would prevent a start
 */
export async function checkServe(io: Io): Promise<number> {
  const { config } = io.loaded;
  const serverUrls = createServerUrls(config, config.port);
  checkListenSettings(config);
  if (config.metricsListen !== "") readMetricsAddress(config.metricsListen);
  requireFolder(config.dataDir);
  if (config.requireStore && storeState(config.dataDir) !== "there") {
    throw new OperatorError(`There is no store in ${config.dataDir} but --require-store is set.`);
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
