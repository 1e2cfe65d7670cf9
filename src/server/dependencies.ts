import type { BaseUrls } from "../http/base-urls.ts";
import { tryBackupFolder } from "../jobs/backups.ts";
import { providerOf } from "./app.ts";
import type { Services } from "./compose.ts";

/**
 * Tries what a server needs outside of its data folder: the database, the folder for backups, the sign-in provider.
 * @throws OperatorError naming the setting of the first that does not work
 */
export async function tryDependencies({ config, runtime }: Services, baseUrls: BaseUrls): Promise<void> {
  if (config.store !== "") await (await import("../shared-store/migrate.ts")).checkPostgres(config.store);
  if (config.backupDir !== "") tryBackupFolder(config.backupDir);
  const provider = providerOf(config);
  if (provider === null) return;
  const { checkProvider } = await import("../web/pages/single-sign-on.ts");
  await checkProvider(runtime, provider, baseUrls);
}
