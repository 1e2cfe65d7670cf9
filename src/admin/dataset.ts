import { rmSync } from "node:fs";
import { OperatorError } from "../errors.ts";
import { type InstalledState, readInstalled } from "../snapshot/installed.ts";
import { type Program, runProgram } from "./program.ts";

/** What is in use after a change, as the commands say it. */
export interface InUse {
  edition: string;
  rows: number;
  content_hash: string;
}

/** What owners do to the dataset, each in a process of its own: reading every byte of a large file takes long. */
export interface DatasetAdmin {
  /** What is installed, and what a rollback leads to. */
  installed(): InstalledState;
  /** Reads every byte of what is in use. @throws OperatorError naming what is damaged */
  verify(): Promise<void>;
  /**
   * Installs a file of ours, which is gone afterwards either way. The server answers from it within a second.
   * @param name what its owner calls it, for messages
   * @throws OperatorError when it is no snapshot, damaged, forged or of a signer who is not trusted
   */
  install(file: string, name: string, trust: boolean): Promise<InUse>;
  /** Returns to the one before. @throws OperatorError when nothing is installed */
  rollBack(): Promise<InUse>;
}

/** @param program what starts this program */
export function createDatasetAdmin(program: Program, dataDir: string): DatasetAdmin {
  const run = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await runProgram(program, ["data", ...words, "--json", "--data-dir", dataDir]);
    if (code !== 0) throw new OperatorError(err === "" ? "It did not work, and did not say why." : err);
    return out;
  };
  // Printed by `data install` and `data rollback` of this same program.
  const inUse = (out: string): InUse => (JSON.parse(out) as { in_use: InUse }).in_use;
  return {
    installed: () => readInstalled(dataDir),
    verify: async () => void (await run("verify")),
    async install(file, name, trust) {
      try {
        return inUse(await run("install", file, "--by-server", ...(trust ? ["--trust"] : [])));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        // The owner knows the file by its own name, and has a box to tick in the place of a flag.
        const told = error.message.replaceAll(file, name);
        throw new OperatorError(told.replace(/, then run `[^`]*`/, ', then tick "Trust this file"'));
      } finally {
        rmSync(file, { force: true });
      }
    },
    rollBack: async () => inUse(await run("rollback", "--by-server")),
  };
}
