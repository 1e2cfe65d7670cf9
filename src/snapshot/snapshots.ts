/**
 * Which dataset is served: the installed one, else the embedded one; and the change from one to the next under a
 * running server. Nothing installed answers before every byte of it was checked; what is damaged is left out, and said.
 */
import { mkdirSync, statSync } from "node:fs";
import { OperatorError, ServiceError } from "../errors.ts";
import { embeddedBytes, openEmbedded, openEmbeddedToServe } from "./embedded.ts";
import {
  forgetChecked,
  type InstalledEntry,
  installedPath,
  pointerStamp,
  readInstalled,
  rememberChecked,
  snapshotFolder,
  wasChecked,
} from "./installed.ts";
import {
  IN_MEMORY_BYTES,
  openFile,
  type OpenSnapshot,
  openWhole,
  requireAsSealed,
  requireWhole,
  SnapshotError,
} from "./open.ts";
import type { Dataset, DatasetInfo } from "./dataset.ts";
import { datasetOf } from "./reader.ts";
import { checkBytesInBackground, checkFileInBackground } from "./seal.ts";

/** The dataset in use. */
export interface Snapshots {
  /** Take it once a request: a later call may give another. */
  current(): Dataset;
  /** What the dataset in use says of itself; null where it came into use after that time. Does not look for another. */
  inUseSince(monotonicMs: number): DatasetInfo | null;
  /** What the embedded dataset says of itself, whichever is in use. Opens it when it is not. */
  embedded(): DatasetInfo;
  /** Null while what was chosen is what answers, else the operator's sentence: what is damaged, and the way back. */
  failure(): string | null;
  /** Looks at every byte of the dataset in use again, without holding up answers. Damage changes what is served. */
  check(): Promise<void>;
}

/** How to hold the datasets. */
export interface SnapshotOptions {
  dataDir: string;
  /** Milliseconds that never go back: how often the data folder is looked at. */
  monotonic(): number;
  /**
   * What to do about an installed snapshot that is damaged, and one that is large: a command refuses the first and
   * waits for the second to be checked; a server answers from the one before it, or from the embedded one, meanwhile.
   */
  who: "command" | "server";
  /** Told when another dataset came into use under the running server. */
  onSwap?(info: DatasetInfo): void;
  /** Told, once, when what was installed cannot be used. */
  onFault?(error: Error): void;
  /** The embedded snapshot; tests hand in another. */
  embedded?: EmbeddedSource;
  /** What counts as large, in bytes; tests make it small. */
  inMemoryBytes?: number;
}

/** Where the embedded snapshot comes from. */
export interface EmbeddedSource {
  open(folder: string): OpenSnapshot;
  bytes(): Uint8Array;
}

/** The data folder is looked at this often at most: what another process installs is served within it. */
const LOOK_EVERY_MS = 1000;

const DAMAGED_EXECUTABLE = "The dataset inside this executable is damaged. Fetch execcomp again.";

/**
 * Opens the dataset in use. Nothing is written but the file that the embedded one is extracted into (by a server, or where it is
 * large), and the note that a file was checked.
 * @throws SnapshotError for a command, when what is installed cannot be used; the message names the way back
 */
export function openSnapshots(options: SnapshotOptions): Snapshots {
  return new ServedSnapshots(options);
}

/** The dataset in use, for one command. @throws SnapshotError as `openSnapshots` */
export function openDataset(dataDir: string): Dataset {
  return openSnapshots({ dataDir, monotonic: () => 0, who: "command" }).current();
}

/** The snapshot in use, for a command that wants a connection of its own. @throws SnapshotError as `openSnapshots` */
export function openInUse(dataDir: string): OpenSnapshot {
  const { current } = readInstalled(dataDir);
  return current === null ? openEmbedded(preparedFolder(dataDir)) : openInstalled(dataDir, current);
}

/** An installed snapshot of which every byte is as it was sealed: a large one is looked at once, and remembered. */
function openInstalled(
  dataDir: string,
  entry: InstalledEntry,
  inMemoryBytes: number = IN_MEMORY_BYTES,
): OpenSnapshot {
  const path = installedPath(dataDir, entry);
  if (sizeOf(path) <= inMemoryBytes) return requireInstalled(path, entry, openWhole(path));
  if (!wasChecked(path)) {
    requireWhole(path);
    rememberChecked(path);
  }
  return requireInstalled(path, entry, openFile(path));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function requireInstalled(path: string, entry: InstalledEntry, snapshot: OpenSnapshot): OpenSnapshot {
  if (snapshot.seal.contentHash === entry.contentHash) return snapshot;
  snapshot.database.close();
  throw new SnapshotError(
    "damaged",
    `The snapshot ${path} is not the one that was installed. Run \`execcomp data rollback\`, or install it again.`,
  );
}

class ServedSnapshots implements Snapshots {
  private dataset: Dataset;
  private embeddedDataset: Dataset | undefined;
  private stamp: string;
  private lookedAtMs: number;
  private inUseFromMs = Number.NEGATIVE_INFINITY;
  private fault: Error | null = null;
  /** Installed snapshots that were found damaged; forgotten when something is installed. */
  private readonly damaged = new Set<string>();
  private executableIsDamaged = false;
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(private readonly options: SnapshotOptions) {
    this.stamp = pointerStamp(options.dataDir);
    this.lookedAtMs = options.monotonic();
    this.dataset = this.choose();
  }

  current(): Dataset {
    const nowMs = this.options.monotonic();
    if (nowMs - this.lookedAtMs >= LOOK_EVERY_MS) {
      this.lookedAtMs = nowMs;
      this.look();
    }
    if (this.executableIsDamaged && this.dataset.info.origin === "embedded") {
      throw new ServiceError("unavailable", DAMAGED_EXECUTABLE, { retryAfterSeconds: 3600 });
    }
    return this.dataset;
  }

  inUseSince(monotonicMs: number): DatasetInfo | null {
    return this.inUseFromMs <= monotonicMs ? this.dataset.info : null;
  }

  embedded(): DatasetInfo {
    return this.useEmbedded().info;
  }

  failure(): string | null {
    return this.fault?.message ?? null;
  }

  check(): Promise<void> {
    const { origin, contentHash } = this.dataset.info;
    if (origin === "embedded") return this.once(contentHash, () => this.checkEmbedded());
    const entry = this.installed().find((one) => one.contentHash === contentHash);
    return entry === undefined ? Promise.resolve() : this.checkInstalled(entry);
  }

  /** Takes up what another process installed. */
  private look(): void {
    const now = pointerStamp(this.options.dataDir);
    if (now === this.stamp) return;
    this.stamp = now;
    this.damaged.clear();
    this.fault = null;
    this.chooseAgain();
  }

  private chooseAgain(): void {
    try {
      const next = this.choose();
      const { contentHash, origin } = this.dataset.info;
      if (next.info.contentHash === contentHash && next.info.origin === origin) return;
      // The old one is not closed: requests that took it may still read. It goes when the last of them lets go.
      this.dataset = next;
      this.inUseFromMs = this.options.monotonic();
      this.options.onSwap?.(next.info);
    } catch (error) {
      this.tell(error);
    }
  }

  /** The newest of what was installed that can be used, else the embedded one. */
  private choose(): Dataset {
    for (const entry of this.installed()) {
      if (this.damaged.has(entry.contentHash)) continue;
      try {
        const snapshot = this.open(entry);
        if (snapshot !== undefined) return datasetOf(snapshot, "installed");
      } catch (error) {
        if (this.options.who === "command") throw error;
        this.damaged.add(entry.contentHash);
        this.tell(error);
      }
    }
    return this.useEmbedded();
  }

  /** Installed snapshots, the one in use first. */
  private installed(): readonly InstalledEntry[] {
    try {
      const { current, previous } = readInstalled(this.options.dataDir);
      return current === null ? [] : [current, ...previous];
    } catch (error) {
      if (this.options.who === "command") throw error;
      this.tell(error);
      return [];
    }
  }

  /** Opens an installed snapshot; undefined for a large one that a server still has to check, which begins then. */
  private open(entry: InstalledEntry): OpenSnapshot | undefined {
    const { dataDir, who, inMemoryBytes = IN_MEMORY_BYTES } = this.options;
    const path = installedPath(dataDir, entry);
    if (who === "server" && sizeOf(path) > inMemoryBytes && !wasChecked(path)) {
      void this.checkInstalled(entry);
      return undefined;
    }
    return openInstalled(dataDir, entry, inMemoryBytes);
  }

  private useEmbedded(): Dataset {
    const { dataDir } = this.options;
    const open =
      this.options.embedded?.open ?? (this.options.who === "server" ? openEmbeddedToServe : openEmbedded);
    return (this.embeddedDataset ??= datasetOf(open(preparedFolder(dataDir)), "embedded"));
  }

  /** Every byte of an installed snapshot; then what is served is chosen again. */
  private checkInstalled(entry: InstalledEntry): Promise<void> {
    const path = installedPath(this.options.dataDir, entry);
    return this.once(entry.contentHash, async () => {
      try {
        requireAsSealed(path, await checkFileInBackground(path));
        rememberChecked(path);
      } catch (error) {
        this.damaged.add(entry.contentHash);
        this.tell(error);
      }
    }).then(() => this.chooseAgain());
  }

  /** A check that is under way already is not begun again. */
  private once(contentHash: string, check: () => Promise<void>): Promise<void> {
    const begun = this.underWay.get(contentHash);
    if (begun !== undefined) return begun;
    const running = check().finally(() => this.underWay.delete(contentHash));
    this.underWay.set(contentHash, running);
    return running;
  }

  private async checkEmbedded(): Promise<void> {
    const { file, info } = this.useEmbedded();
    if (file !== null) return this.checkExtracted(file, info.contentHash);
    const bytes = (this.options.embedded?.bytes ?? embeddedBytes)();
    const found = await checkBytesInBackground(bytes);
    if (found !== undefined && found.actualHash === found.seal.contentHash) return;
    this.executableIsDamaged = true;
    this.tell(new SnapshotError("damaged", DAMAGED_EXECUTABLE));
  }

  /** The file that the embedded snapshot is read from. One that is no longer as it was is replaced, and said. */
  private async checkExtracted(file: string, contentHash: string): Promise<void> {
    const found = await checkFileInBackground(file).catch(() => undefined);
    if (found?.actualHash === contentHash && found.seal.contentHash === contentHash) return;
    forgetChecked(file);
    this.embeddedDataset = undefined;
    const again = this.useEmbedded();
    if (this.dataset.info.origin === "embedded") this.dataset = again;
    this.options.onFault?.(new SnapshotError("damaged", `${file} was damaged and has been made again.`));
  }

  private tell(error: unknown): void {
    const fault = error instanceof Error ? error : new OperatorError(String(error));
    const isNews = this.fault?.message !== fault.message;
    this.fault = fault;
    if (isNews) this.options.onFault?.(fault);
  }
}

/** The folder for extracted files; where it cannot be made, small snapshots still open. */
function preparedFolder(dataDir: string): string {
  const folder = snapshotFolder(dataDir);
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Only a large embedded snapshot needs it, and says so when it cannot write there; a small one is read into memory.
  }
  return folder;
}
