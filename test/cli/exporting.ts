import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { COLUMNS, flatRows } from "../../src/analysis/export/columns.ts";
import { openFile } from "../../src/dataset/open.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { cli, type Ran } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { testRuntime } from "../support/runtime.ts";

/** Column names of every table. */
export const names = COLUMNS.map(({ name }) => name);

/** Machines that export, for the tests of one file. */
export function exporting() {
  const folder = tempFolder();
  let secrets = 0;

  /** A separate machine: a data folder, and randomness that no other machine shares. */
  function machine(name: string) {
    const dataDir = join(folder, name);
    const runtime = testRuntime();
    for (let call = 0; call < secrets; call++) runtime.secret(1);
    secrets++;
    const run = (...words: string[]): Promise<Ran> =>
      cli(...words, { environment: { EXECCOMP_DATA_DIR: dataDir }, runtime });
    return { dataDir, run };
  }

  const here = machine("here");
  /** The file in a format, created once. */
  const exported = async (format: string): Promise<string> => {
    const out = join(folder, `pay.${format}`);
    if (existsSync(out)) return out;
    const { code, err } = await here.run("data", "export", "--format", format, "--out", out);
    expect([code, err]).toEqual([0, ""]);
    return out;
  };

  const truth = async () => [...flatRows(datasetOf(openFile(await exported("sqlite")), "installed"))];
  return { folder, machine, here, exported, truth };
}
