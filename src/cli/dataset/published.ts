/** Publishing a dataset once for many servers, and following it. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type } from "../../domain/schema.ts";
import { SERVER } from "../../accounts/audit.ts";
import { OperatorError } from "../../errors.ts";
import { replaceFile, requireFile } from "../../files.ts";
import { ALL_ROWS, exportDataset } from "../../analysis/export/index.ts";
import { installedPath, readInstalled } from "../../dataset/installed.ts";
import {
  signSnapshot,
  installTrusted,
  requireTrustedHead,
  type TrustOptions,
} from "../../dataset/signature.ts";
import { openSnapshots } from "../../dataset/snapshots.ts";
import { type Edition, editionName, isOlder } from "../../domain/edition.ts";
import { readSealLine, readSealLineOf } from "../../dataset/seal.ts";
import { recordOutside } from "../accounts/accounts.ts";
import { command, type Io, UsageError } from "../command.ts";
import {
  FOLLOW_SETTINGS,
  readDatasetAddress,
  S3_SETTINGS,
  shownAddress,
} from "../../operate/published-dataset.ts";
import { downloadIfChanged } from "./download.ts";
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
    const dataset = openSnapshots({
      dataDir,
      monotonic: io.runtime.monotonic,
      who: "command",
    }).current();
    const { contentHash, rows } = dataset.info;
    const edition = editionName(dataset.info);
    const { current } = readInstalled(dataDir);
    const source = current === null ? null : installedPath(dataDir, current);
    const file = target.kind === "file" ? target.path : join(dataDir, `publish-${process.pid}.sqlite`);
    let key = "";
    try {
      await exportDataset(dataset, source, { ...ALL_ROWS, format: "sqlite" }, file, (path) => {
        key = signSnapshot(dataDir, path, (bytes) => io.runtime.secret(bytes));
      });
      if (target.kind === "web") await upload(file, target.url, io);
    } finally {
      if (target.kind === "web") rmSync(file, { force: true });
    }
    const place = shownAddress(address);
    await recordOutside(io, {
      act: "dataset_published",
      subject: contentHash,
      after: { to: place, edition, rows },
    });
    if (io.json) io.printJson({ address: place, edition, content_hash: contentHash, signed_by: key });
    else io.print(`${place}: edition ${edition}, ${contentHash}\nsigned by ${key}`);
  },
});

async function upload(file: string, url: URL, { runtime }: Io): Promise<void> {
  const place = url.origin + url.pathname;
  let answer: Response;
  try {
    answer = await runtime.fetch(url, {
      method: "PUT",
      body: Bun.file(file),
      headers: { "content-type": "application/vnd.sqlite3" },
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
  } catch (cause) {
    throw new OperatorError(`Cannot upload to ${place}: ${String(cause)}.`);
  }
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
    if (io.json) io.printJson({ changed, content_hash: current?.contentHash ?? null });
    else io.print(changed ? `installed ${current?.contentHash ?? ""}` : "unchanged");
  },
});

/** The last version installed from an address, so that it is fetched only after a change, and its edition. */
const Followed = type({ address: "string", version: "string | null", edition: "string", sequence: "number" });

/** @returns whether a new dataset was installed */
async function followOnce(address: string, allowOlder: boolean, io: Io): Promise<boolean> {
  const { config } = io.loaded;
  const { dataDir, offline, datasetSigner } = config;
  const followed = lastFollowed(dataDir, address);
  const known = followed?.version ?? null;
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
    if (version === known) return false;
    return installVersion(io, address, source.path, version, accepted);
  }
  if (offline) throw new OperatorError("--offline is set, so nothing can be fetched.");
  const progress = (received: number) => io.status(`${(received / 1e6).toFixed(1)} MB`);
  const { fetch } = io.runtime;
  const inspect = (head: Uint8Array) => requireTrustedHead(dataDir, shownAddress(address), head, accepted);
  const deps = { fetch, dataDir, maxBytes: MAX_BYTES, name: address, inspect, progress };
  const fetched = await downloadIfChanged(source.url, deps, known);
  io.status("");
  if (fetched === null) return false;
  const isNew = await installVersion(io, address, fetched.file, fetched.validator, accepted);
  fetched.done();
  return isNew;
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
  remember(dataDir, { address, version, edition, sequence });
  if (contentHash === before) return false;
  await recordOutside(
    io,
    { act: "dataset_installed", subject: contentHash, after: { from: shownAddress(address) } },
    SERVER,
  );
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

function remember(dataDir: string, followed: typeof Followed.infer): void {
  replaceFile(join(dataDir, FOLLOWED_FILE), JSON.stringify(followed));
}
