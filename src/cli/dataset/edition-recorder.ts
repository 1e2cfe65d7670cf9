/** Records what changed with each new dataset, in a separate process so that the comparison does not delay requests. */
import { runProgram } from "../../operate/program.ts";
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Runtime } from "../../runtime.ts";
import type { ChangeHistory } from "../../dataset/changes/history.ts";
import type { Recorded } from "../../dataset/changes/record.ts";
import type { Snapshots } from "../../dataset/snapshots.ts";

/** Dependencies of the recorder. */
export interface EditionRecorderDeps {
  dataDir: string;
  /** The command line that starts this program, without the command. */
  program: readonly string[];
  snapshots: Pick<Snapshots, "current">;
  changes: Pick<ChangeHistory, "latest">;
  runtime: Pick<Runtime, "monotonic">;
  log: Log;
}

/** Interval of checks for a new dataset, also before the first check. */
const LOOK_EVERY_MS = 10_000;
/** Interval while the installed dataset is recorded but this server uses another because that one is damaged: avoids a process every ten seconds. */
const UNCHANGED_MS = 60_000;
/** Delay after a failure, so that a full or read-only folder is reported only occasionally. */
const RETRY_MS = 15 * 60_000;
/** Idle time as a multiple of the recording time, which limits recording to a tenth of a processor: half a million rows take seconds. */
const REST = 9;

/** Checks repeatedly for a new dataset. @returns a function that stops it */
export function recordEditions(deps: EditionRecorderDeps): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => void recordIfNew(deps).then(wait), ms);
    timer.unref();
  };
  wait(LOOK_EVERY_MS);
  return () => clearTimeout(timer);
}

/** Records the dataset in use unless it is the last one recorded. @returns milliseconds until the next check */
export async function recordIfNew(deps: EditionRecorderDeps): Promise<number> {
  const { dataDir, program, snapshots, changes, runtime, log } = deps;
  const startedMs = runtime.monotonic();
  try {
    if (changes.latest()?.contentHash === snapshots.current().info.contentHash) return LOOK_EVERY_MS;
    const { code, out, err } = await runProgram(program, ["record-changes", "--json", "--data-dir", dataDir]);
    if (code !== 0) throw new Error(err);
    // Printed by the same program (`changes.ts`).
    const recorded = JSON.parse(out) as Recorded;
    if (recorded.kind === "unchanged") return UNCHANGED_MS;
    log.info("changes_recorded", recorded);
    return Math.max(LOOK_EVERY_MS, REST * (runtime.monotonic() - startedMs));
  } catch (error) {
    log.error("changes_not_recorded", { message: messageOf(error) });
    return RETRY_MS;
  }
}
