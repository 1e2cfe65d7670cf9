/**
 * Chooses the served dataset, installed or embedded, and replaces it in a running server. An installed snapshot is not
 * served before every byte has been verified; a damaged one is skipped and reported.
 */
import { mkdirSync, statSync } from "node:fs";
import { OperatorError, ServiceError } from "../errors.ts";
import { DAMAGED_EXECUTABLE, embeddedBytes, openEmbedded } from "./embedded.ts";
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
  GO_BACK,
  openWhole,
  requireAsSealed,
  requireWhole,
  SnapshotError,
} from "./open.ts";
import type { Dataset, DatasetInfo } from "./dataset.ts";
import { datasetOf } from "./read-snapshot.ts";
import { checkSealInBackground } from "./seal.ts";

export interface SnapshotOptions {
  dataDir: string;
  /** Monotonic clock in milliseconds, for the interval between checks of the data folder. */
  monotonic(): number;
  /**
   * How to treat an installed snapshot that is damaged or large. A command refuses a damaged one and waits until a large one
   * is verified. In both cases a server uses the previous or the embedded one instead.
   */
  who: "command" | "server";
  /** Called when another dataset is put into use in a running server. */
  onSwap?(info: DatasetInfo): void;
  /** Called, once per fault, if the installed dataset cannot be used. */
  onFault?(error: Error): void;
  /** The embedded snapshot; tests pass another. */
  embedded?: EmbeddedSource;
  /** Minimum size of a large snapshot in bytes; tests pass a small one. */
  inMemoryBytes?: number;
}

/** Source of the embedded snapshot. */
export interface EmbeddedSource {
  open(folder: string, who: SnapshotOptions["who"]): OpenSnapshot;
  bytes(): Uint8Array;
}

/** Minimum interval between checks of the data folder: installations by other processes take effect within it. */
const LOOK_EVERY_MS = 1000;

/** The dataset in use, for a command. @throws SnapshotError as in `Snapshots` */
export function openDataset(dataDir: string): Dataset {
  return new Snapshots({ dataDir, monotonic: () => 0, who: "command" }).current();
}

/** The snapshot in use, for a command that needs a connection of its own. @throws SnapshotError as in `Snapshots` */
export function openInUse(dataDir: string): OpenSnapshot {
  const { current } = readInstalled(dataDir);
  return current === null ? openEmbedded(preparedFolder(dataDir)) : openInstalled(dataDir, current);
}

/** Opens an installed snapshot after verifying every byte; for a large one the verification is remembered. */
function openInstalled(
  dataDir: string,
  entry: InstalledEntry,
  inMemoryBytes: number = IN_MEMORY_BYTES,
): OpenSnapshot {
  const path = installedPath(dataDir, entry);
  if (sizeOf(path) <= inMemoryBytes) return requireInstalled(path, entry, openWhole(path, GO_BACK));
  if (!wasChecked(path)) {
    requireWhole(path, GO_BACK);
    rememberChecked(path);
  }
  return requireInstalled(path, entry, openFile(path));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Refuses another intact snapshot in the place of the one that was installed. */
export function requireInstalled(path: string, entry: InstalledEntry, snapshot: OpenSnapshot): OpenSnapshot {
  if (snapshot.seal.contentHash === entry.contentHash) return snapshot;
  snapshot.database.close();
  throw new SnapshotError(
    "damaged",
    `The snapshot ${path} is not the one that was installed. Run \`execcomp data rollback\`, or install it again.`,
  );
}

/**
 * Access to the dataset in use. Writes nothing except the extracted copy of the embedded snapshot (for a server, or if it is
 * large) and the record that a file was verified.
 */
export class Snapshots {
  private dataset: Dataset;
  private embeddedDataset: Dataset | undefined;
  private stamp: string;
  private lookedAtMs: number;
  private inUseFromMs = Number.NEGATIVE_INFINITY;
  private fault: Error | null = null;
  /** Installed snapshots found damaged; cleared after an installation. */
  private readonly damaged = new Set<string>();
  private executableIsDamaged = false;
  private readonly underWay = new Map<string, Promise<void>>();

  /** @throws SnapshotError for a command if the installed snapshot cannot be used; the message says how to recover */
  constructor(private readonly options: SnapshotOptions) {
    this.stamp = pointerStamp(options.dataDir);
    this.lookedAtMs = options.monotonic();
    this.dataset = this.choose();
  }

  /** Call once per request: a later call may return another dataset. */
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

  /** Info of the dataset in use; null if it was put into use after that time. Does not check for a new one. */
  inUseSince(monotonicMs: number): DatasetInfo | null {
    return this.inUseFromMs <= monotonicMs ? this.dataset.info : null;
  }

  /** Info of the embedded dataset, even if it is not in use; opens it if needed. */
  embedded(): DatasetInfo {
    return this.useEmbedded().info;
  }

  /** Null if the chosen dataset is in use; otherwise a message for the operator: what is damaged and how to recover. */
  failure(): string | null {
    return this.fault?.message ?? null;
  }

  /** Verifies every byte of the dataset in use in the background. If it is damaged, another one is served. */
  check(): Promise<void> {
    const { origin, contentHash } = this.dataset.info;
    if (origin === "embedded") return this.once(contentHash, () => this.checkEmbedded());
    const entry = this.installed().find((one) => one.contentHash === contentHash);
    return entry === undefined ? Promise.resolve() : this.checkInstalled(entry);
  }

  /** Checks whether another process has installed a snapshot. */
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
      // The old one is not closed, because requests may still read from it; it is released with the last of them.
      this.dataset = next;
      this.inUseFromMs = this.options.monotonic();
      this.options.onSwap?.(next.info);
    } catch (error) {
      this.report(error);
    }
  }

  /** The newest usable installed snapshot, otherwise the embedded one. */
  private choose(): Dataset {
    for (const entry of this.installed()) {
      if (this.damaged.has(entry.contentHash)) continue;
      try {
        const snapshot = this.open(entry);
        if (snapshot !== undefined) return datasetOf(snapshot, "installed");
      } catch (error) {
        if (this.options.who === "command") throw error;
        this.damaged.add(entry.contentHash);
        this.report(error);
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
      this.report(error);
      return [];
    }
  }

  /** Opens an installed snapshot. For a large one that a server has not verified, starts the verification and returns undefined. */
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
    const { dataDir, who, embedded } = this.options;
    const open = embedded?.open ?? openEmbedded;
    return (this.embeddedDataset ??= datasetOf(open(preparedFolder(dataDir), who), "embedded"));
  }

  /** Verifies every byte of an installed snapshot, then chooses the served one again. */
  private checkInstalled(entry: InstalledEntry): Promise<void> {
    const path = installedPath(this.options.dataDir, entry);
    return this.once(entry.contentHash, async () => {
      try {
        requireAsSealed(path, await checkSealInBackground(path), GO_BACK);
        rememberChecked(path);
      } catch (error) {
        this.damaged.add(entry.contentHash);
        this.report(error);
      }
    }).then(() => this.chooseAgain());
  }

  /** Joins a check already in progress instead of starting another. */
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
    const found = await checkSealInBackground(bytes);
    if (found !== undefined && found.actualHash === found.seal.contentHash) return;
    this.executableIsDamaged = true;
    this.report(new SnapshotError("damaged", DAMAGED_EXECUTABLE));
  }

  /** Verifies the extracted copy of the embedded snapshot; a damaged copy is replaced and reported. */
  private async checkExtracted(file: string, contentHash: string): Promise<void> {
    const found = await checkSealInBackground(file).catch(() => undefined);
    if (found?.actualHash === contentHash && found.seal.contentHash === contentHash) return;
    forgetChecked(file);
    this.embeddedDataset = undefined;
    const again = this.useEmbedded();
    if (this.dataset.info.origin === "embedded") this.dataset = again;
    this.options.onFault?.(new SnapshotError("damaged", `${file} was damaged and has been extracted again.`));
  }

  private report(error: unknown): void {
    const fault = error instanceof Error ? error : new OperatorError(String(error));
    const isNews = this.fault?.message !== fault.message;
    this.fault = fault;
    if (isNews) this.options.onFault?.(fault);
  }
}

/** The folder for extracted files; if it cannot be created, small snapshots still open. */
function preparedFolder(dataDir: string): string {
  const folder = snapshotFolder(dataDir);
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Only a large embedded snapshot needs the folder, and reports that it cannot write there; a small one is read into memory.
  }
  return folder;
}
