import type { LoadedConfig } from "../config/load.ts";
import { type ServerUrls, createServerUrls } from "../http/base-urls.ts";
import { lastServerUrl } from "../store/folder.ts";

/** The addresses in links and answers: as configured, otherwise of the server that last ran on the data folder. */
export function siteOf({ config, origins }: LoadedConfig): ServerUrls {
  const isSet = (["publicUrl", "host", "port"] as const).some((name) => origins[name].origin !== "default");
  const lastUrl = isSet ? null : lastServerUrl(config.dataDir);
  return createServerUrls(lastUrl === null ? config : { ...config, publicUrl: lastUrl }, config.port);
}
