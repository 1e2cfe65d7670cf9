/** The owners' actions on the dataset: verify, install, roll back. */
import { rmSync } from "node:fs";
import { readInstalled } from "../dataset/installed.ts";
import { OperatorError } from "../errors.ts";
import { parseAs } from "../lib/validation.ts";
import { outputOf, type Program } from "./program.ts";

/** What `data install` and `data rollback` of this program print. */
const CHANGED = { in_use: { edition: "string", rows: "number", content_hash: "string" } } as const;

/** The dataset in use after a change. */
export type InUse = ReturnType<typeof parseAs<typeof CHANGED>>["in_use"];

/**
 * The owners' actions on the dataset. Each runs in a separate process, because reading all of a large file takes long.
 */
export type DatasetAdmin = ReturnType<typeof createDatasetAdmin>;

/** @param program command line that starts this program */
export function createDatasetAdmin(program: Program, dataDir: string) {
  const run = (...words: string[]) => outputOf(program, ["data", ...words, "--json", "--data-dir", dataDir]);
  const inUse = (out: string): InUse => parseAs(CHANGED, out).in_use;
  return {
    /** The installed dataset, and the target of a rollback. */
    installed: () => readInstalled(dataDir),
    /** Verifies every byte of the dataset in use. @throws OperatorError naming the damage */
    verify: async () => void (await run("verify")),
    /**
     * Installs an uploaded file, and deletes the file in any case. The server uses the dataset within a second.
     * @param name the owner's name for the file, for messages
     * @throws OperatorError if it is not a snapshot, damaged, forged or signed by an untrusted key
     */
    async install(file: string, name: string, trust: boolean): Promise<InUse> {
      try {
        return inUse(await run("install", file, "--by-server", ...(trust ? ["--trust"] : [])));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        // Messages use the owner's file name, and refer to the checkbox instead of the flag.
        const text = error.message.replaceAll(file, name);
        throw new OperatorError(text.replace(/, then run `[^`]*`/, ', then tick "Trust this file"'));
      } finally {
        rmSync(file, { force: true });
      }
    },
    /** Returns to the previous dataset. @throws OperatorError if none is installed */
    rollBack: async () => inUse(await run("rollback", "--by-server")),
  };
}
