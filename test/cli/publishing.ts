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

  const nameOf = async ({ run }: ReturnType<typeof machine>) =>
    (JSON.parse((await run("get", "/t/ACME/facts")).out) as { company_name: string }).company_name;

  /** Publishes twice and follows, for any kind of address. */
  async function round(address: string, settings: Partial<Record<SettingName, string>> = {}) {
    const publish = publisher(settings);
    const key = await publish(first, address);
    const stranger = machine({ ...settings, datasetUrl: address });
    const refused = await stranger.run("data", "follow");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`--dataset-signer ${key}`)]);
    const follower = machine({ ...settings, datasetUrl: address, datasetSigner: key });
    const follow = async () => {
      const { code, out, err } = await follower.run("data", "follow");
      return [code, out.split(" ")[0]?.trim(), err];
    };
    expect(await follow()).toEqual([0, "installed", ""]);
    expect(await nameOf(follower)).toBe("Acme Corp");
    expect(await follow()).toEqual([0, "unchanged", ""]);
    await publish(second, address);
    expect(await follow()).toEqual([0, "installed", ""]);
    expect(await nameOf(follower)).toBe("Acme Corporation");
    // After an operator's rollback, the old edition stays until something new is published.
    expect((await follower.run("data", "rollback")).code).toBe(0);
    expect(await follow()).toEqual([0, "unchanged", ""]);
    expect(await nameOf(follower)).toBe("Acme Corp");
  }

  return { folder, first, second, machine, publisher, nameOf, round };
}
