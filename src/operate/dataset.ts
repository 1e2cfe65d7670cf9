/** What a server does with datasets beside answering: the owners' actions; a published dataset, its address (a file, a URL, or an object in S3-compatible storage), and a server that follows it. */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readInstalled } from "../dataset/installed.ts";
import { type Config, type SettingName, environmentWith, type LoadedConfig } from "../config.ts";
import { OperatorError, messageOf } from "../errors.ts";
import { outputOf, type Program, repeat, type Repeated } from "./program.ts";
import type { Log } from "../log.ts";

/** Settings of the storage for `s3://` addresses. */
export const S3_SETTINGS = [
  "s3Endpoint",
  "s3Region",
  "s3AccessKeyId",
  "s3SecretAccessKey",
] as const satisfies SettingName[];

/** Settings needed to follow a published dataset. */
export const FOLLOW_SETTINGS = [
  "datasetUrl",
  "datasetSigner",
  ...S3_SETTINGS,
] as const satisfies SettingName[];

/** Connection settings of S3-compatible storage. */
export type S3Settings = Pick<Config, (typeof S3_SETTINGS)[number]>;

/** The location of a published dataset. */
export type DatasetAddress = { kind: "file"; path: string } | { kind: "web"; url: URL };

/** Validity of a presigned object URL in seconds: longer than the slowest download. */
const SIGNED_SECONDS = 6 * 3600;

/**
 * Parses an address. For an object it returns a URL presigned for the method, which needs no further credentials.
 *
 * @throws OperatorError if the address is malformed, or the storage credentials are missing
 */
export function readDatasetAddress(given: string, method: "GET" | "PUT", s3: S3Settings): DatasetAddress {
  if (given.startsWith("s3://")) return { kind: "web", url: requireSafe(signedUrl(given, method, s3)) };
  if (given.startsWith("file://")) return { kind: "file", path: fileURLToPath(given) };
  if (!/^https?:\/\//.test(given)) return { kind: "file", path: given };
  if (!URL.canParse(given)) throw new OperatorError(`Cannot read the address ${JSON.stringify(given)}.`);
  return { kind: "web", url: requireSafe(new URL(given)) };
}

/** @throws OperatorError for plain http to another machine: whoever is on the way could hold back editions or read the address */
function requireSafe(url: URL): URL {
  if (isEncrypted(url)) return url;
  throw new OperatorError(
    `${shownAddress(url.href)} does not use https. Plain http is for this machine only.`,
  );
}

/** Whether nobody between this machine and the address can read or change what is transferred. */
export function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** An address for logs and messages, without any password or signature. */
export function shownAddress(address: string): string {
  if (!/^https?:/.test(address) || !URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

function signedUrl(given: string, method: "GET" | "PUT", s3: S3Settings): URL {
  const { s3Endpoint, s3Region: region, s3AccessKeyId, s3SecretAccessKey } = s3;
  const [, bucket = "", key = ""] = /^s3:\/\/([^/]+)\/(.+)$/.exec(given) ?? [];
  if (key === "") throw new OperatorError(`Cannot read ${given}: expected s3://BUCKET/KEY.`);
  if (s3AccessKeyId === "" || s3SecretAccessKey === "")
    throw new OperatorError(`${given} needs --s3-access-key-id and EXECCOMP_S3_SECRET_ACCESS_KEY.`);
  const client = new Bun.S3Client({
    bucket,
    region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    ...(s3Endpoint === null ? {} : { endpoint: s3Endpoint }),
  });
  return new URL(client.presign(key, { method, expiresIn: SIGNED_SECONDS }));
}

/** Dependencies of `followDataset`. */
export interface FollowDeps {
  loaded: LoadedConfig;
  program: Program;
  log: Log;
}

/** Delay of the first check, to let a starting server answer first. */
const FIRST_MS = 1000;

/** Checks at the configured interval; the running server picks up an installed dataset within a second. */
export function followDataset(deps: FollowDeps): Repeated {
  return repeat(FIRST_MS, async () => {
    await look(deps);
    return deps.loaded.config.datasetEvery;
  });
}

/** Checks once, in a separate process, so that it does not delay requests. Errors are logged, and the dataset in use stays. */
export async function look({ loaded, program, log }: FollowDeps): Promise<void> {
  const { dataDir } = loaded.config;
  const url = shownAddress(loaded.config.datasetUrl);
  try {
    const words = ["data", "follow", "--json", "--data-dir", dataDir];
    const out = await outputOf(program, words, { env: environmentWith(loaded, FOLLOW_SETTINGS) });
    if (/"changed":\s*true/.test(out)) log.info("dataset_followed", { url });
  } catch (error) {
    log.error("dataset_not_followed", { url, message: messageOf(error) });
  }
}

/** The dataset in use after a change, as printed by the commands. */
export interface InUse {
  edition: string;
  rows: number;
  content_hash: string;
}

/**
 * The owners' actions on the dataset. Each runs in a separate process, because reading all of a large file takes long.
 */
export type DatasetAdmin = ReturnType<typeof createDatasetAdmin>;

/** @param program command line that starts this program */
export function createDatasetAdmin(program: Program, dataDir: string) {
  const run = (...words: string[]) => outputOf(program, ["data", ...words, "--json", "--data-dir", dataDir]);
  // Printed by `data install` and `data rollback` of this program.
  const inUse = (out: string): InUse => (JSON.parse(out) as { in_use: InUse }).in_use;
  return {
    /** The installed dataset, and the target of a rollback. */
    installed: () => readInstalled(dataDir),
    /** Verifies every byte of the dataset in use. @throws OperatorError naming the damage */
    verify: async () => void (await run("verify")),
    /**
     * Installs an uploaded file, and deletes the file in any case. The server uses the dataset within a second.
     * @param name the owner's name for the file, for messages
     * @throws OperatorError if it is not a snapshot, damaged, forged or signed by an untrusted key
     */
    async install(file: string, name: string, trust: boolean): Promise<InUse> {
      try {
        return inUse(await run("install", file, "--by-server", ...(trust ? ["--trust"] : [])));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        // Messages use the owner's file name, and refer to the checkbox instead of the flag.
        const text = error.message.replaceAll(file, name);
        throw new OperatorError(text.replace(/, then run `[^`]*`/, ', then tick "Trust this file"'));
      } finally {
        rmSync(file, { force: true });
      }
    },
    /** Returns to the previous dataset. @throws OperatorError if none is installed */
    rollBack: async () => inUse(await run("rollback", "--by-server")),
  };
}
