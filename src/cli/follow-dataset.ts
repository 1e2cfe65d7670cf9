/** Follows a published dataset while a server runs: each look is a process of its own, so that no answer waits for it. */
import { runProgram } from "../admin/program.ts";
import { messageOf } from "../errors.ts";
import { environmentWith, type LoadedConfig } from "../config.ts";
import type { Log } from "../log.ts";
import { FOLLOW_SETTINGS, shownAddress } from "./dataset-address.ts";

/** What following needs. */
export interface FollowDeps {
  loaded: LoadedConfig;
  /** What starts this program, before the command. */
  program: readonly string[];
  log: Log;
}

/** A server that has just started answers first. */
const FIRST_MS = 1000;

/** What a server does about a published dataset. */
export interface Following {
  /** Looks at once, or once more after a look that is under way. */
  lookNow(): void;
  end(): void;
}

/** Looks as often as is set; the running server takes up what is installed within a second. */
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

/** Looks once; what went wrong is in the log, and the dataset in use stays. */
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
