/** Follows a published dataset while a server runs: each look is a process of its own, so that no answer waits for it. */
import { runProgram } from "../admin/program.ts";
import { messageOf } from "../errors.ts";
import { environmentWith, type LoadedConfig } from "../config.ts";
import type { Log } from "../log.ts";
import { FOLLOW_SETTINGS } from "./dataset-address.ts";

/** What following needs. */
export interface FollowDeps {
  loaded: LoadedConfig;
  /** What starts this program, before the command. */
  program: readonly string[];
  log: Log;
}

/** A server that has just started answers first. */
const FIRST_MS = 1000;

/** Looks as often as is set; the running server takes up what is installed within a second. @returns what ends it */
export function followDataset(deps: FollowDeps): () => void {
  const { datasetUrl, datasetEvery } = deps.loaded.config;
  if (datasetUrl === "") return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => void look(deps).then(() => wait(datasetEvery)), ms);
    timer.unref();
  };
  wait(FIRST_MS);
  return () => clearTimeout(timer);
}

/** Looks once; what went wrong is in the log, and the dataset in use stays. */
export async function look({ loaded, program, log }: FollowDeps): Promise<void> {
  const { dataDir, datasetUrl } = loaded.config;
  try {
    const words = ["data", "follow", "--json", "--data-dir", dataDir];
    const { code, out, err } = await runProgram(program, words, environmentWith(loaded, FOLLOW_SETTINGS));
    if (code !== 0) throw new Error(err);
    if (/"changed":\s*true/.test(out)) log.info("dataset_followed", { url: datasetUrl });
  } catch (error) {
    const message = messageOf(error);
    log.error("dataset_not_followed", { url: datasetUrl, message });
  }
}
