import { expect } from "bun:test";
import { join } from "node:path";
import { type SettingName, variableOf } from "../../src/config.ts";
import { realRuntime } from "../../src/runtime.ts";
import { cli } from "../support/cli.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

/** Machines that publish and follow, with two editions of a dataset, for the tests of one file. */
export function publishing() {
  const folder = tempFolder();
  const first = writeTestSnapshot(folder, "first.sqlite");
  const second = writeTestSnapshot(
    folder,
    "second.sqlite",
    [testRecord({ name: "Acme Corporation" })],
    "2026-02-01",
  );
  let machines = 0;

  /** A machine with its own data folder. */
  function machine(settings: Partial<Record<SettingName, string>> = {}) {
    const dataDir = join(folder, `machine-${++machines}`);
    const environment: Record<string, string> = { EXECCOMP_DATA_DIR: dataDir };
    // Object.entries of a record of settings gives their names.
    for (const [name, text] of Object.entries(settings)) environment[variableOf(name as SettingName)] = text;
    const run = (...words: string[]) => cli(...words, { environment, runtime: realRuntime() });
    return { dataDir, run };
  }

  /** A publisher with a current snapshot; publishing returns the public key. */
  function publisher(settings: Partial<Record<SettingName, string>> = {}) {
    const { run } = machine(settings);
    return async (snapshot: string, address: string): Promise<string> => {
      expect((await run("data", "install", snapshot, "--trust")).code).toBe(0);
      const { code, out, err } = await run("data", "publish", address, "--json");
      expect([code, err]).toEqual([0, ""]);
      return (JSON.parse(out) as { signed_by: string }).signed_by;
    };
  }

  return { folder, first, second, machine, publisher };
}
