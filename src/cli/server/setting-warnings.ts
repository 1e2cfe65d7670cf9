/** What `serve --check` says about settings with which a server starts, and which cannot do what they are for. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { type LoadedConfig, nameWhereSet } from "../../config/load.ts";
import type { SettingName } from "../../config/settings.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { normalizeSymbol } from "../../domain/company.ts";
import { isReachableByOthers } from "../../http/base-urls.ts";
import { suggestions } from "../../operations/company.ts";

/** Settings that do nothing unless another one is set. */
const NEEDS: readonly (readonly [SettingName, SettingName])[] = [
  ["ingestIndex", "ingestEvery"],
  ["ingestTicker", "ingestEvery"],
  ["backupEvery", "backupDir"],
  ["backupKeep", "backupDir"],
  ["storeConnections", "store"],
  ["mailFrom", "smtpUrl"],
  ["ssoName", "ssoIssuer"],
];

/** Settings that do nothing if another one is set. */
const OVERRULED: readonly (readonly [SettingName, SettingName])[] = [
  ["port", "socket"],
  ["host", "socket"],
  ["requireStore", "store"],
  ["smtpUrl", "offline"],
  ["ssoIssuer", "offline"],
  ["priceHistory", "unmetered"],
  ["priceQuestion", "unmetered"],
];

/** A sentence for each setting that can never match or work. */
export function settingWarnings(
  { config, origins }: LoadedConfig,
  dataset: Dataset,
  nowMs: number,
): string[] {
  const isSet = (name: SettingName) =>
    origins[name].origin !== "default" && !["", "false"].includes(origins[name].text);
  const named = (name: SettingName) =>
    nameWhereSet(name, origins[name].origin === "default" ? "flag" : origins[name].origin);
  return [
    ...NEEDS.flatMap(([name, needed]) =>
      isSet(name) && !isSet(needed) ? [`${named(name)} has no effect without ${named(needed)}.`] : [],
    ),
    ...OVERRULED.flatMap(([name, other]) =>
      isSet(name) && isSet(other) ? [`${named(name)} has no effect with ${named(other)}.`] : [],
    ),
    ...config.ingestTicker.flatMap((symbol) =>
      dataset.findBySymbol(normalizeSymbol(symbol)) === undefined
        ? [
            `${named("ingestTicker")} ${JSON.stringify(symbol)}: no company of the dataset has this symbol, and an ingest fails unless EDGAR lists it.${suggestions(dataset, [symbol])}`,
          ]
        : [],
    ),
    ...trafficWarnings(config),
    ...certificateWarnings(config, nowMs),
  ];
}

function trafficWarnings(config: LoadedConfig["config"]): string[] {
  const { publicUrl, tlsCert, socket, trustedProxies } = config;
  if (!isReachableByOthers(config) || tlsCert !== "") return [];
  if (publicUrl?.startsWith("https:") !== true)
    return [
      "Keys, passwords and cookies cross the network unencrypted. Set --public-url to an https address.",
    ];
  return socket === "" && trustedProxies.length === 0
    ? ["All callers share one rate limit: name the proxy that speaks https with --trusted-proxies."]
    : [];
}

/** Whether callers would accept the certificate: a start only requires that it belongs to its key. */
function certificateWarnings({ tlsCert, publicUrl }: LoadedConfig["config"], nowMs: number): string[] {
  if (tlsCert === "") return [];
  const certificate = new X509Certificate(readFileSync(tlsCert));
  const host = publicUrl === null ? null : new URL(publicUrl).hostname.replace(/^\[|\]$/g, "");
  const isFor =
    host === null || (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  const ended = Date.parse(certificate.validTo);
  return [
    ...(isFor
      ? []
      : [`The certificate of --tls-cert is not for ${host}, so callers of --public-url refuse it.`]),
    ...(ended < nowMs
      ? [`The certificate of --tls-cert expired on ${new Date(ended).toISOString().slice(0, 10)}.`]
      : []),
  ];
}
