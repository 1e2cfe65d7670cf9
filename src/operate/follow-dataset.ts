/** Follows a published dataset while a server runs. Each check is a separate process, so that it does not delay requests. */
import { runProgram } from "./program.ts";
import { messageOf } from "../errors.ts";
import { environmentWith, type LoadedConfig } from "../config.ts";
import type { Log } from "../log.ts";
import { FOLLOW_SETTINGS, shownAddress } from "./dataset-address.ts";

/** Dependencies of `followDataset`. */
export interface FollowDeps {
  loaded: LoadedConfig;
  /** The command line that starts this program, without the command. */
  program: readonly string[];
  log: Log;
}

/** Delay of the first check, to let a starting server answer first. */
const FIRST_MS = 1000;

/** Controls following a published dataset. */
export interface Following {
  /** Checks now, or again after a check in progress. */
  lookNow(): void;
  end(): void;
}

/** Checks at the configured interval; the running server picks up an installed dataset within a second. */
export function followDataset(deps: FollowDeps): Following {
  const { datasetEvery } = deps.loaded.config;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = false;
  let wanted = false;
  const begin = async () => {
    underWay = true;
    do {
      wanted = false;
      await look(deps);
    } while (wanted);
    underWay = false;
    wait(datasetEvery);
  };
  const wait = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void begin(), ms);
    timer.unref();
  };
  wait(FIRST_MS);
  return {
    lookNow() {
      wanted = true;
      if (!underWay) wait(0);
    },
    end: () => clearTimeout(timer),
  };
}

/** Checks once. Errors are logged, and the dataset in use stays. */
export async function look({ loaded, program, log }: FollowDeps): Promise<void> {
  const { dataDir } = loaded.config;
  const url = shownAddress(loaded.config.datasetUrl);
  try {
    const words = ["data", "follow", "--json", "--data-dir", dataDir];
    const { code, out, err } = await runProgram(program, words, environmentWith(loaded, FOLLOW_SETTINGS));
    if (code !== 0) throw new Error(err);
    if (/"changed":\s*true/.test(out)) log.info("dataset_followed", { url });
  } catch (error) {
    const message = messageOf(error);
    log.error("dataset_not_followed", { url, message });
  }
}
