/** Which dataset is served: the installed one, else the embedded one; and the change from one to the next under a running server. */
import { mkdirSync } from "node:fs";
import { OperatorError } from "../errors.ts";
import { openEmbedded } from "./embedded.ts";
import { installedPath, pointerStamp, readInstalled, snapshotFolder } from "./installed.ts";
import { openFile, type OpenSnapshot, SnapshotError } from "./open.ts";
import { type Dataset, datasetOf, type DatasetInfo } from "./reader.ts";

/** The dataset in use. */
export interface Snapshots {
  /** Take it once a request: a later call may give another. */
  current(): Dataset;
  /** The embedded dataset's own word, whichever is in use. Opens it when it is not. */
  embedded(): DatasetInfo;
}

/** How to hold the datasets. */
export interface SnapshotOptions {
  dataDir: string;
  /** Milliseconds that never go back: how often the data folder is looked at. */
  monotonic(): number;
  /** Told when another dataset came into use under the running server. */
  onSwap?(info: DatasetInfo): void;
  /** Told, once, when what was installed cannot be used; the one in use stays. */
  onFault?(error: Error): void;
  /** The embedded snapshot; tests hand in another. */
  openEmbedded?(folder: string): OpenSnapshot;
}

/** The data folder is looked at this often at most: what another process installs is served within it. */
const LOOK_EVERY_MS = 1000;

/**
 * Opens the dataset in use. Nothing is written but, for a large embedded one, its file in the data folder.
 * @throws SnapshotError when what is installed cannot be used; the message names the way back
 */
export function openSnapshots(options: SnapshotOptions): Snapshots {
  const { dataDir, monotonic } = options;
  const open = options.openEmbedded ?? openEmbedded;
  let embedded: Dataset | undefined;
  const useEmbedded = (): Dataset => (embedded ??= datasetOf(open(preparedFolder(dataDir)), "embedded"));
  const choose = (): Dataset => {
    const { current } = readInstalled(dataDir);
    if (current === null) return useEmbedded();
    const path = installedPath(dataDir, current);
    const snapshot = openFile(path);
    if (snapshot.seal.contentHash !== current.contentHash) {
      snapshot.database.close();
      throw new SnapshotError(
        "damaged",
        `The snapshot ${path} is not the one that was installed. Run \`execcomp data rollback\`, or install it again.`,
      );
    }
    return datasetOf(snapshot, "installed");
  };

  let stamp = pointerStamp(dataDir);
  let dataset = choose();
  let lookedAt = monotonic();
  const look = () => {
    const now = pointerStamp(dataDir);
    if (now === stamp) return;
    stamp = now;
    try {
      const next = choose();
      if (next.info.contentHash === dataset.info.contentHash && next.info.origin === dataset.info.origin)
        return;
      // The old one is not closed: requests that took it may still read. It goes when the last of them lets go.
      dataset = next;
      options.onSwap?.(next.info);
    } catch (error) {
      options.onFault?.(error instanceof Error ? error : new OperatorError(String(error)));
    }
  };
  return {
    current() {
      const now = monotonic();
      if (now - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = now;
        look();
      }
      return dataset;
    },
    embedded: () => useEmbedded().info,
  };
}

/** The folder for extracted files; where it cannot be made, small snapshots still open. */
function preparedFolder(dataDir: string): string {
  const folder = snapshotFolder(dataDir);
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Only a large embedded snapshot needs it, and says so when it cannot write there.
  }
  return folder;
}
