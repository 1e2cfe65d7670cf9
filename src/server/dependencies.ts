import { messageOf, OperatorError, whatToCheck } from "../errors.ts";
import { createMailer } from "../jobs/mail.ts";
import type { BaseUrls } from "../http/base-urls.ts";
import { tryBackupFolder } from "../jobs/backups.ts";
import { providerOf } from "./app.ts";
import type { Services } from "./compose.ts";

/** Connects to a service that counts requests. @throws OperatorError if it does not answer */
async function tryWindows(url: string): Promise<void> {
  if (url.startsWith("postgres"))
    return (await import("../shared-store/migrate.ts")).checkPostgres(url, "--windows");
  const service = (await import("../shared-store/valkey-rate-limits.ts")).valkeyRateLimits(url);
  try {
    await service.connect();
  } catch (cause) {
    const place = new URL(url).host;
    throw new OperatorError(
      `${service.name} at ${place} cannot be used: ${messageOf(cause)}. ${whatToCheck(cause, "--windows", "the service")}`,
    );
  } finally {
    service.close();
  }
}

/**
 * Tries what a server needs outside of its data folder: the database, the service that counts requests, the
 * mail server, the folder for backups, the sign-in provider.
 * @throws OperatorError naming the setting of the first that does not work
 */
export async function tryDependencies({ config, runtime }: Services, baseUrls: BaseUrls): Promise<void> {
  if (config.store !== "") await (await import("../shared-store/migrate.ts")).checkPostgres(config.store);
  for (const url of config.windows) await tryWindows(url);
  const mailer = createMailer(config);
  await mailer?.check();
  if (config.backupDir !== "") tryBackupFolder(config.backupDir);
  const provider = providerOf(config);
  if (provider === null) return;
  const { checkProvider } = await import("../web/pages/single-sign-on.ts");
  await checkProvider(runtime, provider, baseUrls);
}
