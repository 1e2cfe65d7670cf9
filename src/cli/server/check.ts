/** `execcomp serve --check`: whether a server could start with these settings, without starting one. */
import { Passwords } from "../../accounts/passwords.ts";
import { normalizeEmail } from "../../accounts/users.ts";
import { requireUsable } from "../../accounts/oauth-state/redirects.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { messageOf, OperatorError } from "../../errors.ts";
import { createServerUrls } from "../../http/base-urls.ts";
import { checkListenSettings, createApp, readMetricsAddress } from "../../server/app.ts";
import { openServices, type Services } from "../../server/compose.ts";
import { silentLog } from "../../log.ts";
import { tryDependencies } from "../../server/dependencies.ts";
import { examine } from "../../store/examine.ts";
import { prepareFolder, storeState } from "../../store/folder.ts";
import type { Io } from "../command.ts";
import { requireStore } from "./contradictions.ts";
import { settingWarnings } from "./setting-warnings.ts";

/**
 * Reads and builds everything that a start would, and tries what a server needs outside its folder:
 * the database, the folder for backups, the sign-in provider. Changes nothing in the data folder; a server may be running on
 * it. A port in use is not reported: it may belong to the server that is about to be restarted.
 * @returns the exit code
 * @throws OperatorError for the first problem that would prevent a start
 */
export async function checkServe(io: Io): Promise<number> {
  const { config } = io.loaded;
  const serverUrls = createServerUrls(config, config.port);
  checkListenSettings(config);
  if (config.metricsListen !== "") requireOwnPort(config);
  requireSound(config, io.runtime.now());
  prepareFolder(config.dataDir);
  requireStore(config);
  await requireFirstOwner(config);
  requireHost(config);
  // Without a store, there is no authorization server here to refuse them.
  requireUsable(config.clientCallbacks);
  const services = openServices(config, io.runtime, silentLog(), "operator");
  try {
    createApp(services, () => serverUrls);
    await tryDependencies(services, serverUrls.main);
  } finally {
    await services.close();
  }
  const dataset = openDataset(config.dataDir);
  const { edition, origin, rows } = dataset.info;
  const warnings = settingWarnings(io.loaded, dataset, io.runtime.now());
  for (const warning of warnings) if (!io.json) io.note(`warning: ${warning}`);
  const found = {
    url: serverUrls.main.origin,
    data_dir: config.dataDir,
    edition,
    dataset: origin,
    rows,
    warnings,
  };
  const where = config.port === 0 && config.publicUrl === null ? "on a free port" : found.url;
  io.answer(found, `ok: would serve ${where} from the ${origin} dataset of ${edition} (${rows} rows)`);
  return 0;
}

/** Requires an address and a password with which the first owner could be created. */
async function requireFirstOwner(config: Services["config"]): Promise<void> {
  const { ownerEmail, ownerPassword, dataDir, store } = config;
  if (ownerEmail === "" || ownerPassword === "" || store !== "" || storeState(dataDir) === "there") return;
  const refuse = (setting: string) => (cause: unknown) => {
    throw new OperatorError(`${setting}: ${messageOf(cause)}`);
  };
  await Promise.try(normalizeEmail, ownerEmail).catch(refuse("--owner-email"));
  await new Passwords().hash(ownerPassword, ownerEmail).catch(refuse("--owner-password"));
}

/** Requires that this machine has the address to listen on, by listening on a free port of it. */
function requireHost({ socket, host }: Services["config"]): void {
  if (socket !== "") return;
  try {
    Bun.listen({ hostname: host, port: 0, socket: { data() {} } }).stop(true);
  } catch (cause) {
    throw new OperatorError(
      `Cannot listen on ${host} (--host): ${messageOf(cause)}. Give an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
    );
  }
}

/** Requires a port for metrics that is not the server's own. */
function requireOwnPort({ metricsListen, socket, host, port: own }: Io["loaded"]["config"]): void {
  const { hostname, port } = readMetricsAddress(metricsListen);
  if (port === 0 || port !== own || socket !== "" || ![hostname, "0.0.0.0", "::"].includes(host)) return;
  throw new OperatorError(
    `--metrics-listen and --port are both ${port}. Choose another port for one of them.`,
  );
}

/** Requires a folder and a store in which `doctor` finds nothing broken. */
function requireSound({ dataDir, store }: Services["config"], nowMs: number): void {
  for (const { check, status, message } of examine(dataDir, nowMs, { isRecentOnly: true }))
    if (status === "broken" && (store === "" || check === "folder")) throw new OperatorError(message);
}
