/** Publishing a dataset once for many servers, and following it. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type } from "../../domain/schema.ts";
import { SERVER } from "../../accounts/audit.ts";
import { messageOf, OperatorError } from "../../errors.ts";
import { replaceFile, requireFile } from "../../files.ts";
import { ALL_ROWS } from "../../analysis/export/index.ts";
import { asFullDisk, installedPath, readInstalled, requireRoom } from "../../dataset/installed.ts";
import { installTrusted, requireTrustedHead, type TrustOptions } from "../../dataset/signature.ts";
import { openDataset } from "../../dataset/snapshots.ts";
import { exportInUse } from "./data-export.ts";
import { type Edition, editionName, isOlder } from "../../domain/edition.ts";
import { readSealLine, readSealLineOf, SEAL_WITHIN } from "../../dataset/seal.ts";
import { recordOutside } from "../accounts/accounts.ts";
import { command, type Io, UsageError } from "../command.ts";
import {
  FOLLOW_SETTINGS,
  isEncrypted,
  readDatasetAddress,
  S3_SETTINGS,
  shownAddress,
} from "../../operate/dataset.ts";
import type { Runtime } from "../../runtime.ts";
import { requireReplaceable } from "../output.ts";

const MAX_BYTES = 16 * 1024 ** 3;
const UPLOAD_MS = 6 * 3_600_000;

/** `execcomp data publish` */
export const publish = command({
  name: "data publish",
  summary: "Publish the dataset in use, signed, for servers to follow.",
  details:
    "The address names one file, which is replaced atomically: a path, an https address that accepts PUT, or\n" +
    "s3://BUCKET/KEY. Servers with --dataset-url switch to it within their --dataset-every.",
  operands: [{ name: "ADDRESS", about: "Where to publish it." }],
  settings: [...S3_SETTINGS],
  examples: [
    ["data publish /srv/share/execcomp.sqlite", "A folder that all servers can read."],
    [
      "data publish s3://pay/execcomp.sqlite --s3-endpoint https://s3.example.com",
      "Storage; the secret is in EXECCOMP_S3_SECRET_ACCESS_KEY.",
    ],
  ],
  async run({ operands: [address = ""] }, io) {
    const { config } = io.loaded;
    const { dataDir, offline } = config;
    const target = readDatasetAddress(address, "PUT", config);
    if (offline && target.kind === "web")
      throw new OperatorError("--offline is set, so nothing can be sent.");
    if (target.kind === "file") requireReplaceable(target.path);
    const dataset = openDataset(dataDir);
    const { contentHash, rows } = dataset.info;
    const edition = editionName(dataset.info);
    const file = target.kind === "file" ? target.path : join(dataDir, `publish-${process.pid}.sqlite`);
    let key: string | null;
    try {
      ({ key } = await exportInUse(io, dataset, { ...ALL_ROWS, format: "sqlite" }, file));
      if (target.kind === "web") await upload(file, target.url, io);
    } finally {
      if (target.kind === "web") rmSync(file, { force: true });
    }
    const place = shownAddress(address);
    const after = { to: place, edition, rows };
    await recordOutside(io, { act: "dataset_published", subject: contentHash, after });
    const answer = { address: place, edition, content_hash: contentHash, signed_by: key };
    io.answer(answer, `${place}: edition ${edition}, ${contentHash}\nsigned by ${key}`);
  },
});

async function upload(file: string, url: URL, { runtime }: Io): Promise<void> {
  const place = shownAddress(url.href);
  const headers = { "content-type": "application/vnd.sqlite3" };
  const signal = AbortSignal.timeout(UPLOAD_MS);
  const sent = runtime.fetch(url, { method: "PUT", body: Bun.file(file), headers, signal });
  const answer = await sent.catch((cause: unknown) => {
    throw new OperatorError(`Cannot upload to ${place}: ${String(cause)}.`);
  });
  if (!answer.ok) throw new OperatorError(`${place} answered ${answer.status}. Nothing was published.`);
  await answer.body?.cancel();
}

/** `execcomp data follow` */
export const follow = command({
  name: "data follow",
  summary: "Check once whether the followed dataset has changed, and install it if so.",
  details:
    "A server with --dataset-url does this regularly. A file without a trusted signature, or of an older edition, is\n" +
    "refused, and the current dataset stays in use. An unchanged file is not fetched again, even after `data rollback`.",
  flags: {
    allowOlder: { about: "Accept an edition older than the installed one, if its publisher went back." },
  },
  settings: [...FOLLOW_SETTINGS],
  examples: [["data follow --dataset-url https://data.example.com/execcomp.sqlite", "Once, from cron."]],
  async run({ flags }, io) {
    const { datasetUrl } = io.loaded.config;
    if (datasetUrl === "") throw new UsageError("--dataset-url is not set. See: execcomp help data follow");
    const changed = await followOnce(datasetUrl, flags.allowOlder, io);
    const { current } = readInstalled(io.loaded.config.dataDir);
    const hash = current?.contentHash ?? null;
    io.answer({ changed, content_hash: hash }, changed ? `installed ${hash ?? ""}` : "unchanged");
  },
});

/** The last version installed from an address, so that it is fetched only after a change, and its edition. */
const Followed = type({ address: "string", version: "string | null", edition: "string", sequence: "number" });

/** @returns whether a new dataset was installed */
async function followOnce(address: string, allowOlder: boolean, io: Io): Promise<boolean> {
  const { config } = io.loaded;
  const { dataDir, offline, datasetSigner } = config;
  const followed = lastFollowed(dataDir, address);
  const lastVersion = followed?.version ?? null;
  const accepted: TrustOptions = {
    today: new Date(io.runtime.now()).toISOString(),
    name: shownAddress(address),
    trust: datasetSigner,
    atLeast: allowOlder ? null : newest(followed, installedEdition(dataDir)),
    advice: (key) =>
      key === null
        ? "Publish it with `execcomp data publish`, which signs it."
        : `Check the key with its publisher, then set --dataset-signer ${key}.`,
    note: io.note,
  };
  const source = readDatasetAddress(address, "GET", config);
  if (source.kind === "file") {
    const version = versionOf(source.path);
    if (version === lastVersion) return false;
    return installVersion(io, address, source.path, version, accepted);
  }
  if (offline) throw new OperatorError("--offline is set, so nothing can be fetched.");
  const file = join(dataDir, "followed.part");
  try {
    const fetched = await downloadIfChanged(source.url, lastVersion, {
      fetch: io.runtime.fetch,
      file,
      maxBytes: MAX_BYTES,
      inspect: (head) => requireTrustedHead(dataDir, shownAddress(address), head, accepted),
      progress: (received) => io.status(`${(received / 1e6).toFixed(1)} MB`),
    });
    io.status("");
    return fetched !== null && (await installVersion(io, address, file, fetched.validator, accepted));
  } finally {
    rmSync(file, { force: true });
  }
}

/** Dependencies of a download. */
interface DownloadDeps {
  fetch: Runtime["fetch"];
  /** Where to; replaced. */
  file: string;
  /** Larger files are refused. */
  maxBytes: number;
  /** Called with the first `SEAL_WITHIN` bytes of a file, or all of a shorter one, before more is stored; throws to refuse it. */
  inspect(head: Uint8Array): void;
  progress(received: number): void;
}

/** How long a publisher may send nothing. */
const SILENT_MS = 60_000;

/**
 * Downloads a file, always from its beginning.
 *
 * @param version the server's validator of the version that exists; null for none
 * @returns the validator of the new version, which not every server sends; null if the file has not changed
 * @throws OperatorError with the reason; the caller deletes what has arrived
 */
export async function downloadIfChanged(
  url: URL,
  version: string | null,
  deps: DownloadDeps,
): Promise<{ validator: string | null } | null> {
  const place = shownAddress(url.href);
  const connection = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = () => connection.abort(new Error(`no data for ${SILENT_MS / 1000} seconds`));
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, SILENT_MS);
  };
  heard();
  const headers = { "accept-encoding": "identity", ...conditionOf(version) };
  const request = { headers, signal: connection.signal, decompress: false };
  try {
    const answer = await deps.fetch(url, request).catch((cause: unknown) => {
      throw new OperatorError(`No response from ${place}: ${messageOf(cause)}.`);
    });
    const problem = problemOf(answer, url, version);
    if (problem !== null) throw new OperatorError(`${place} ${problem}`);
    if (answer.status === 304) return null;
    await receive(answer, place, deps, heard);
    return { validator: validatorOf(answer) };
  } finally {
    clearTimeout(timer);
    // Closes a connection on which a refused file is still arriving.
    connection.abort();
  }
}

/** The conditional header for a validator, which is an entity tag in quotation marks or a date. */
function conditionOf(version: string | null): Record<string, string> {
  if (version === null) return {};
  return version.startsWith('"') ? { "if-none-match": version } : { "if-modified-since": version };
}

/** A weak tag only means that the content is equivalent, not that the bytes are the same. */
function validatorOf({ headers }: Response): string | null {
  const etag = headers.get("etag");
  return etag !== null && !etag.startsWith("W/") ? etag : headers.get("last-modified");
}

/** Why a response cannot be used, as a predicate; null if it can. */
function problemOf(answer: Response, url: URL, version: string | null): string | null {
  const from = answer.url === "" ? url : new URL(answer.url);
  if (!isEncrypted(from)) return `redirects to ${shownAddress(from.href)}, which does not use https.`;
  const encoding = answer.headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity")
    return `answered with the content coding ${encoding.slice(0, 40)}, which was not asked for: a small file could unpack to a disk full. Switch compression off there.`;
  const isUsed = answer.status === 200 || (answer.status === 304 && version !== null);
  return isUsed ? null : `answered ${answer.status}.`;
}

/** Stores the body. @throws OperatorError if it is too large, refused by `inspect`, or the connection breaks */
async function receive(
  answer: Response,
  place: string,
  { file, maxBytes, inspect, progress }: DownloadDeps,
  heard: () => void,
): Promise<void> {
  const length = answer.headers.get("content-length");
  const total = length === null ? null : Number(length);
  let received = 0;
  const receivedMore = (bytes: number) => {
    received += bytes;
    const least = Math.max(received, total ?? 0);
    if (least > maxBytes)
      throw new OperatorError(`The file has at least ${least} bytes, more than the limit of ${maxBytes}.`);
  };
  const inspectHead = async () => inspect(await Bun.file(file).slice(0, SEAL_WITHIN).bytes());
  receivedMore(0);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  requireRoom(dirname(file), total ?? 0);
  writeFileSync(file, "", { mode: 0o600 });
  try {
    for await (const chunk of answer.body ?? []) {
      heard();
      const isHeadComplete = received >= SEAL_WITHIN;
      receivedMore(chunk.byteLength);
      appendFileSync(file, chunk);
      if (!isHeadComplete && received >= SEAL_WITHIN) await inspectHead();
      progress(received);
    }
    if (received < SEAL_WITHIN) await inspectHead();
    if (total !== null && received !== total) throw new Error("the connection ended");
  } catch (cause) {
    const failure = asFullDisk(cause, dirname(file));
    if (failure instanceof OperatorError) throw failure;
    const of = total === null ? "" : ` of ${total}`;
    throw new OperatorError(
      `${place} was interrupted after ${received}${of} bytes: ${messageOf(cause)}. Run the same command again.`,
    );
  }
}

async function installVersion(
  io: Io,
  address: string,
  file: string,
  version: string | null,
  accepted: TrustOptions,
): Promise<boolean> {
  const { dataDir } = io.loaded.config;
  const before = readInstalled(dataDir).current?.contentHash;
  const { contentHash } = installTrusted(dataDir, file, accepted);
  const { edition, sequence } = installedEdition(dataDir) ?? { edition: "", sequence: 0 };
  const followed: typeof Followed.infer = { address, version, edition, sequence };
  replaceFile(join(dataDir, FOLLOWED_FILE), JSON.stringify(followed));
  if (contentHash === before) return false;
  const after = { from: shownAddress(address) };
  await recordOutside(io, { act: "dataset_installed", subject: contentHash, after }, SERVER);
  return true;
}

/** A version identifier: replacing a file changes its inode, overwriting it its time or size. */
function versionOf(path: string): string {
  requireFile(path);
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino}-${mtimeMs}-${size}`;
}

const FOLLOWED_FILE = "followed.json";

/** The edition in the seal of the installed snapshot; null if none is installed, or its file is unreadable. */
function installedEdition(dataDir: string): Edition | null {
  const { current } = readInstalled(dataDir);
  const path = current === null ? null : installedPath(dataDir, current);
  if (path === null || !existsSync(path)) return null;
  return readSealLine(readSealLineOf(path) ?? "") ?? null;
}

function newest(one: Edition | null, other: Edition | null): Edition | null {
  if (one === null || other === null) return one ?? other;
  return isOlder(one, other) ? other : one;
}

function lastFollowed(dataDir: string, address: string): typeof Followed.infer | null {
  const file = join(dataDir, FOLLOWED_FILE);
  if (!existsSync(file)) return null;
  try {
    const followed = Followed(JSON.parse(readFileSync(file, "utf8")));
    return followed instanceof type.errors || followed.address !== address ? null : followed;
  } catch {
    // Damaged: the file is fetched again, and its hash shows whether it has changed.
    return null;
  }
}
