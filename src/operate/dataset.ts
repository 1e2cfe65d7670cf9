import { rmSync } from "node:fs";
import { OperatorError } from "../errors.ts";
import { type InstalledState, readInstalled } from "../dataset/installed.ts";
import { type Program, runProgram } from "./program.ts";

/** The dataset in use after a change, as printed by the commands. */
export interface InUse {
  edition: string;
  rows: number;
  content_hash: string;
}

/**
 * The owners' actions on the dataset. Each runs in a separate process, because reading all of a large file takes long.
 */
export interface DatasetAdmin {
  /** The installed dataset, and the target of a rollback. */
  installed(): InstalledState;
  /** Verifies every byte of the dataset in use. @throws OperatorError naming the damage */
  verify(): Promise<void>;
  /**
   * Installs an uploaded file, and deletes the file in any case. The server uses the dataset within a second.
   * @param name the owner's name for the file, for messages
   * @throws OperatorError if it is not a snapshot, damaged, forged or signed by an untrusted key
   */
  install(file: string, name: string, trust: boolean): Promise<InUse>;
  /** Returns to the previous dataset. @throws OperatorError if none is installed */
  rollBack(): Promise<InUse>;
}

/** @param program command line that starts this program */
export function createDatasetAdmin(program: Program, dataDir: string): DatasetAdmin {
  const run = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await runProgram(program, ["data", ...words, "--json", "--data-dir", dataDir]);
    if (code !== 0) throw new OperatorError(err === "" ? "The command failed without a message." : err);
    return out;
  };
  // Printed by `data install` and `data rollback` of this program.
  const inUse = (out: string): InUse => (JSON.parse(out) as { in_use: InUse }).in_use;
  return {
    installed: () => readInstalled(dataDir),
    verify: async () => void (await run("verify")),
    async install(file, name, trust) {
      try {
        return inUse(await run("install", file, "--by-server", ...(trust ? ["--trust"] : [])));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        // Messages use the owner's file name, and refer to the checkbox instead of the flag.
        const told = error.message.replaceAll(file, name);
        throw new OperatorError(told.replace(/, then run `[^`]*`/, ', then tick "Trust this file"'));
      } finally {
        rmSync(file, { force: true });
      }
    },
    rollBack: async () => inUse(await run("rollback", "--by-server")),
  };
}
