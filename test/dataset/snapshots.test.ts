import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  installFile,
  installedPath,
  readInstalled,
  rollBack,
  snapshotFolder,
} from "../../src/dataset/installed.ts";
import { openBytes, openFile } from "../../src/dataset/open.ts";
import { openDataset, Snapshots, type SnapshotOptions } from "../../src/dataset/snapshots.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";
import { until } from "../support/until.ts";

const folder = tempFolder();
const files = ["First", "Second", "Third", "Fourth"].map((name, index) =>
  writeTestSnapshot(
    folder,
    `${name}.sqlite`,
    [testRecord({ name: `${name} Corp` })],
    `2026-0${index + 1}-01`,
  ),
);
const [first = "", second = "", third = "", fourth = ""] = files;
const NOW = "2026-05-01T00:00:00.000Z";
let made = 0;

const embedded = {
  open: () => openBytes("embedded", new Uint8Array(readFileSync(first))),
  bytes: (): Uint8Array => readFileSync(first),
};

/** A data folder and the datasets that a server would use on it, with a stopped clock. */
function server(prepare: (dataDir: string) => void = () => {}, options: Partial<SnapshotOptions> = {}) {
  const dataDir = join(folder, `data-${++made}`);
  mkdirSync(dataDir);
  prepare(dataDir);
  const clock = { ms: 0 };
  const swaps: string[] = [];
  const faults: string[] = [];
  const snapshots = new Snapshots({
    dataDir,
    monotonic: () => clock.ms,
    onSwap: ({ edition, origin }) => swaps.push(`${origin} ${edition}`),
    onFault: ({ message }) => faults.push(message),
    who: "server",
    embedded,
    ...options,
  });
  return {
    dataDir,
    clock,
    swaps,
    faults,
    snapshots,
    name: () => snapshots.current().findBySymbol("ACME")?.name,
  };
}

test("without an install the embedded dataset is served", () => {
  const { snapshots, name } = server();
  expect([snapshots.current().info.origin, name()]).toEqual(["embedded", "First Corp"]);
});

test("an installed dataset takes precedence over the embedded one, even after a restart", () => {
  const { snapshots, name } = server((dataDir) => installFile(dataDir, second, NOW));
  expect([snapshots.current().info.origin, name()]).toEqual(["installed", "Second Corp"]);
  expect(snapshots.embedded().edition).toBe("2026-01-01");
});

test("a running server loads what another process installs within a second, and not before its next check", () => {
  const { dataDir, clock, swaps, name, snapshots } = server();
  const held = snapshots.current();
  installFile(dataDir, second, NOW);
  clock.ms = 999;
  expect(name()).toBe("First Corp");
  clock.ms = 1000;
  expect(name()).toBe("Second Corp");
  expect(swaps).toEqual(["installed 2026-02-01"]);
  // Code that already has the previous dataset continues with it.
  expect(held.findBySymbol("ACME")?.name).toBe("First Corp");
  expect(held.years("0000000042")).toHaveLength(1);
});

test("rollback goes back step by step, finally to the embedded dataset, and then says so", () => {
  const { dataDir, clock, name } = server();
  for (const file of [second, third]) installFile(dataDir, file, NOW);
  const names = [second, third, fourth].map(() => {
    clock.ms += 1000;
    const served = name();
    rollBack(dataDir);
    return served;
  });
  expect(names).toEqual(["Third Corp", "Second Corp", "First Corp"]);
  expect(rollBack(dataDir)).toBeUndefined();
});

test("installing the current dataset changes nothing; an older one is a new install", () => {
  const { dataDir } = server();
  installFile(dataDir, second, NOW);
  const state = readInstalled(dataDir);
  installFile(dataDir, second, "2027-01-01T00:00:00.000Z");
  expect(readInstalled(dataDir)).toEqual(state);
  installFile(dataDir, third, NOW);
  installFile(dataDir, second, NOW);
  const { current, previous } = readInstalled(dataDir);
  expect([current?.contentHash, previous.length]).toEqual([state.current?.contentHash ?? "", 1]);
});

test("only the snapshots that rollback can reach stay on disk", () => {
  const { dataDir } = server();
  for (const file of [first, second, third, fourth]) installFile(dataDir, file, NOW);
  const { current, previous } = readInstalled(dataDir);
  const kept = [current, ...previous].map((entry) => entry?.file ?? "none");
  expect(kept).toHaveLength(3);
  const notes = kept.map((file) => `${file}.checked`);
  expect(readdirSync(snapshotFolder(dataDir)).sort()).toEqual([...kept, ...notes, "current.json"].sort());
});

test("a damaged file is not installed, and the current dataset stays", () => {
  const { dataDir } = server((to) => installFile(to, second, NOW));
  const damaged = join(folder, "damaged.sqlite");
  const bytes = readFileSync(third);
  bytes[bytes.length - 2000] = (bytes.at(-2000) ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  expect(() => installFile(dataDir, damaged, NOW)).toThrow(/is damaged: its content hash is/);
  expect(() => installFile(dataDir, join(folder, "none.sqlite"), NOW)).toThrow(
    /Cannot open the snapshot .*none.sqlite/,
  );
  expect(readInstalled(dataDir).current?.file).toBe(
    readdirSync(snapshotFolder(dataDir)).find((one) => one.endsWith(".sqlite")) ?? "",
  );
});

/** Changes one digit of an amount in the file, as failing storage would. */
function rot(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('"total_compensation":');
  if (at < 0) throw new Error("no row in the file");
  const digit = at + '"total_compensation":'.length;
  bytes[digit] = (bytes[digit] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test("an installed snapshot that is truncated or corrupt is not used: the previous one answers, and the server reports it", () => {
  for (const damage of [(path: string) => truncateSync(path, 10_000), rot]) {
    const { name, snapshots, faults } = server((dataDir) => {
      installFile(dataDir, second, NOW);
      damage(installedPath(dataDir, installFile(dataDir, third, NOW)));
    });
    expect(name()).toBe("Second Corp");
    expect(snapshots.failure()).toMatch(/is (truncated|damaged)/);
    expect(faults).toEqual([snapshots.failure() ?? ""]);
  }
});

test("without a previous one, the embedded dataset replaces a damaged one until it is installed again", () => {
  const { name, snapshots, dataDir, clock } = server((to) =>
    rot(installedPath(to, installFile(to, second, NOW))),
  );
  expect([name(), snapshots.current().info.origin]).toEqual(["First Corp", "embedded"]);
  installFile(dataDir, second, NOW);
  clock.ms = 1000;
  expect([name(), snapshots.failure()]).toEqual(["Second Corp", null]);
});

test("a command refuses a corrupt snapshot and says how to recover", () => {
  const { dataDir } = server((to) => rot(installedPath(to, installFile(to, second, NOW))));
  expect(() => openDataset(dataDir)).toThrow(/is damaged: its content hash is/);
});

test("corruption under a running server is found by the full check, and the file is no longer served", async () => {
  for (const inMemoryBytes of [undefined, 1000]) {
    const { name, snapshots, dataDir, faults } = server(
      (to) => {
        installFile(to, second, NOW);
        installFile(to, third, NOW);
      },
      inMemoryBytes === undefined ? {} : { inMemoryBytes },
    );
    expect(name()).toBe("Third Corp");
    await snapshots.check();
    expect([name(), snapshots.failure()]).toEqual(["Third Corp", null]);
    const { current } = readInstalled(dataDir);
    if (current === null) throw new Error("nothing installed");
    rot(installedPath(dataDir, current));
    await snapshots.check();
    expect(name()).toBe("Second Corp");
    expect(snapshots.failure()).toContain("is damaged");
    expect(faults).toHaveLength(1);
  }
});

test("a large snapshot that was never checked is used after the check, and the previous one until then", async () => {
  const forget = (to: string) => {
    installFile(to, second, NOW);
    const entry = installFile(to, third, NOW);
    rmSync(`${installedPath(to, entry)}.checked`);
  };
  const { name, snapshots, swaps } = server(forget, { inMemoryBytes: 1000 });
  expect([name(), snapshots.failure()]).toEqual(["Second Corp", null]);
  await until("the third answers", () => name() === "Third Corp");
  expect(swaps).toEqual(["installed 2026-03-01"]);
});

test("a large corrupt snapshot is never used", async () => {
  const { name, snapshots } = server((to) => rot(installedPath(to, installFile(to, third, NOW))), {
    inMemoryBytes: 1000,
  });
  while (snapshots.failure() === null) {
    expect(name()).toBe("First Corp");
    await Bun.sleep(1);
  }
  expect([name(), snapshots.failure()]).toEqual(["First Corp", expect.stringContaining("is damaged")]);
});

test("an executable whose own dataset is damaged refuses instead of answering from it", async () => {
  const rotten = readFileSync(first);
  rotten[rotten.length - 2000] = (rotten.at(-2000) ?? 0) ^ 1;
  const { snapshots } = server(() => {}, { embedded: { ...embedded, bytes: () => rotten } });
  expect(snapshots.current().info.origin).toBe("embedded");
  await snapshots.check();
  expect(snapshots.failure()).toContain("Download execcomp again");
  expect(() => snapshots.current()).toThrow(/Download execcomp again/);
});

test("a running server keeps its dataset if the installed one cannot be used, and reports that once", () => {
  const { dataDir, clock, faults, swaps, name } = server();
  const entry = installFile(dataDir, second, NOW);
  truncateSync(installedPath(dataDir, entry), 10_000);
  for (let look = 1; look <= 3; look++) {
    clock.ms = look * 1000;
    expect(name()).toBe("First Corp");
  }
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain("execcomp data rollback");
  expect(swaps).toEqual([]);
});

test("a different file in place of the installed one is ignored", () => {
  const { name, snapshots } = server((dataDir) => {
    const entry = installFile(dataDir, second, NOW);
    writeFileSync(installedPath(dataDir, entry), readFileSync(third));
  });
  expect([name(), snapshots.failure()]).toEqual([
    "First Corp",
    expect.stringContaining("is not the one that was installed"),
  ]);
});

test("an unreadable pointer is refused by a command with instructions, and a server answers without it", () => {
  for (const text of [
    "",
    "{}",
    '{"current":{"file":"../../etc/passwd","contentHash":"x","installedAt":""},"previous":[]}',
  ]) {
    const { dataDir, name, snapshots } = server((to) => {
      mkdirSync(snapshotFolder(to));
      writeFileSync(join(snapshotFolder(to), "current.json"), text);
    });
    const wayOut = /Cannot read .*current\.json.*Delete it/;
    expect(() => openDataset(dataDir)).toThrow(wayOut);
    expect([name(), wayOut.test(snapshots.failure() ?? "")]).toEqual(["First Corp", true]);
  }
});

test("a read-only data folder still serves the embedded dataset", () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const snapshots = new Snapshots({
    dataDir: join(file, "below"),
    monotonic: () => 0,
    who: "server",
    embedded,
  });
  expect(snapshots.current().info.origin).toBe("embedded");
});

test("an install leaves no partial copy on disk", () => {
  const { dataDir } = server();
  installFile(dataDir, second, NOW);
  expect(readdirSync(snapshotFolder(dataDir)).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect(existsSync(join(snapshotFolder(dataDir), "current.json"))).toBe(true);
  openFile(second).database.close();
});
