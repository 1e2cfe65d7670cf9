/** Background jobs of a server: checks, backups, ingests. */
import { SERVER } from "../../accounts/audit.ts";
import { checkRegularly, isUnlocked, selfCheck, troublesOf } from "../../jobs/self-check.ts";
import type { Services } from "../../server/compose.ts";
import type { Log } from "../../log.ts";
import type { Io } from "../command.ts";
import { scheduleBackups } from "../../jobs/backups.ts";
import { ServiceError } from "../../errors.ts";
import type { BaseUrls } from "../../http/base-urls.ts";
import { ROUTES } from "../../http/routes.ts";

/** Why a server stops on its own. */
export const UNLOCKED = "the data folder is not locked";

/** The jobs that run until the server stops. */
export type Jobs = Awaited<ReturnType<typeof startJobs>>;

/** Starts the configured jobs. @throws OperatorError if nothing can be ingested */
export async function startJobs(services: Services, { program, runtime }: Io, log: Log) {
  const { config, metrics, accounts, snapshots } = services;
  const jobs = new DisposableStack();
  const examining = examineRegularly(services, log, program);
  jobs.defer(examining.end);
  if (program !== null && config.store === "") {
    const onEnd = (outcome: "made" | "failed", detail: string) => {
      metrics.backedUp(outcome);
      services.backups.failure = outcome === "failed" ? detail : null;
      // A store that cannot be written to reports that itself.
      if (outcome === "made")
        void accounts?.audit.record(SERVER, { act: "backup_made", subject: detail }).catch(() => {});
    };
    jobs.defer(scheduleBackups({ config, program, now: runtime.now, log, onEnd }));
  }
  // Loaded only on servers that need it.
  if (config.ingestEvery !== null) {
    const { createIngestAdmin, scheduleIngests } = await import("../../jobs/ingest.ts");
    const ingests = createIngestAdmin(program, config, runtime.now);
    jobs.defer(scheduleIngests({ config, ingests, snapshots, runtime, log }));
  }
  return { unlocked: examining.unlocked, end: () => jobs.dispose() };
}

/**
 * Checks store, dataset and lock; problems appear in the log, in `/readyz` and in the metrics. `unlocked` resolves if
 * another server could use the same data folder: two would corrupt it.
 */
function examineRegularly(services: Services, log: Log, program: Io["program"]) {
  const unlocked = Promise.withResolvers<typeof UNLOCKED>();
  const { config, examined } = services;
  let lastReported = "";
  const look = async () => {
    const found = await selfCheck(services, program);
    if (found === null) return examined.broken.length > 0;
    const troubles = troublesOf(found);
    // A repeated check reports each finding once.
    const text = JSON.stringify(troubles);
    for (const { check, status, message } of text === lastReported ? [] : troubles) {
      services.metrics.examined(check, status);
      (status === "broken" ? log.error : log.warn)("examination", { check, message });
    }
    lastReported = text;
    if (isUnlocked(found) && services.storeFailure() === null) {
      log.error("folder_not_locked", {
        message: `The file system of ${config.dataDir} does not lock files, so a second server would corrupt the store. Put the data folder on a local disk (--data-dir).`,
      });
      unlocked.resolve(UNLOCKED);
    }
    return examined.broken.length > 0;
  };
  return { unlocked: unlocked.promise, end: checkRegularly(services.runtime, look) };
}

/** The message about the first owner; null if none is needed, undefined while the store is unavailable. */
export type FirstOwner = string | null | undefined;

/** Retry interval while the store is unavailable. */
const ASK_EVERY_MS = 1000;

/**
 * Creates the owner named in the configuration; otherwise, if there is none yet, returns instructions for creating one.
 * @param folder appended to the command in the instructions (see `sameFolder`)
 */
export async function firstOwner(
  { accounts, config }: Services,
  baseUrls: BaseUrls,
  folder: string = "",
): Promise<FirstOwner> {
  if (accounts === null) return null;
  const { signUps, store, users } = accounts;
  await store.ready();
  if (store.failure !== null) return undefined;
  try {
    if (await users.hasOwner()) return null;
    if (config.ownerEmail !== "" && config.ownerPassword !== "") {
      await signUps.createWithPassword(config.ownerEmail, config.ownerPassword);
      return null;
    }
    const secret = await signUps.setUpSecret();
    if (secret === null) return null;
    return `This server has no owner yet. Set it up in a browser with this one-time link, valid for a week:\n  ${baseUrls.origin}${ROUTES.setUp.path}?token=${secret}\nor run${config.store === "" ? "" : ", with --store as for this server"}: execcomp users create --user EMAIL --password-stdin${folder}`;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === "unavailable") return undefined;
    throw error;
  }
}

/**
 * Prints the message about the first owner, waiting until the store is available if necessary.
 * @returns a function that stops waiting
 */
export function printFirstOwner(
  owner: FirstOwner,
  services: Services,
  baseUrls: BaseUrls,
  io: Pick<Io, "print">,
  folder: string = "",
): () => void {
  let isStopped = false;
  const ask = () =>
    firstOwner(services, baseUrls, folder).catch((error: unknown) => {
      services.log.error("no_first_owner", { message: String(error) });
      return null;
    });
  void (async () => {
    let found = owner;
    while (found === undefined) {
      await Bun.sleep(ASK_EVERY_MS);
      if (isStopped) return;
      found = await ask();
    }
    if (found !== null && !isStopped) io.print(found);
  })();
  return () => {
    isStopped = true;
  };
}
