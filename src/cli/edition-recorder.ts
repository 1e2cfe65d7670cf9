/** Records what changed with each dataset that comes into use: in a process of its own, so that comparing two holds up no answer. */
import { runProgram } from "../admin/program.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Runtime } from "../runtime.ts";
import type { ChangeHistory } from "../snapshot/changes/history.ts";
import type { Recorded } from "../snapshot/changes/record.ts";
import type { Snapshots } from "../snapshot/snapshots.ts";

/** What recording needs. */
export interface EditionRecorderDeps {
  dataDir: string;
  /** What starts this program, before the command. */
  program: readonly string[];
  snapshots: Pick<Snapshots, "current">;
  changes: Pick<ChangeHistory, "latest">;
  runtime: Pick<Runtime, "monotonic">;
  log: Log;
}

/** How often it is looked whether another dataset is in use, and how soon after the start. */
const LOOK_EVERY_MS = 10_000;
/** What was installed is recorded, and this server answers from another (it found the first damaged): no process every ten seconds. */
const UNCHANGED_MS = 60_000;
/** How long after a failure it is tried again: a full or read-only folder is said once in a while, not all the time. */
const RETRY_MS = 15 * 60_000;
/** Recording takes a tenth of a processor at most: with half a million rows it takes seconds, and datasets may come by the minute. */
const REST = 9;

/** Looks again and again. @returns what ends it */
export function recordEditions(deps: EditionRecorderDeps): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => void recordIfNew(deps).then(wait), ms);
    timer.unref();
  };
  wait(LOOK_EVERY_MS);
  return () => clearTimeout(timer);
}

/** Records the dataset in use where it is not the one recorded last. @returns after how many milliseconds to look again */
export async function recordIfNew(deps: EditionRecorderDeps): Promise<number> {
  const { dataDir, program, snapshots, changes, runtime, log } = deps;
  const startedMs = runtime.monotonic();
  try {
    if (changes.latest()?.contentHash === snapshots.current().info.contentHash) return LOOK_EVERY_MS;
    const { code, out, err } = await runProgram(program, ["record-changes", "--json", "--data-dir", dataDir]);
    if (code !== 0) throw new Error(err);
    // Printed by this same program (`changes.ts`).
    const recorded = JSON.parse(out) as Recorded;
    if (recorded.kind === "unchanged") return UNCHANGED_MS;
    log.info("changes_recorded", recorded);
    return Math.max(LOOK_EVERY_MS, REST * (runtime.monotonic() - startedMs));
  } catch (error) {
    log.error("changes_not_recorded", { message: messageOf(error) });
    return RETRY_MS;
  }
}
