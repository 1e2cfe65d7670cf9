import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  installFile,
  installedPath,
  readInstalled,
  rollBack,
  snapshotFolder,
} from "../../src/snapshot/installed.ts";
import { openBytes, openFile, SnapshotError } from "../../src/snapshot/open.ts";
import { openSnapshots } from "../../src/snapshot/snapshots.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

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

/** A data folder of its own, and the datasets that a server would hold on it, with a clock that stands still. */
function server(prepare: (dataDir: string) => void = () => {}) {
  const dataDir = join(folder, `data-${++made}`);
  mkdirSync(dataDir);
  prepare(dataDir);
  const clock = { ms: 0 };
  const swaps: string[] = [];
  const faults: string[] = [];
  const snapshots = openSnapshots({
    dataDir,
    monotonic: () => clock.ms,
    onSwap: ({ edition, origin }) => swaps.push(`${origin} ${edition}`),
    onFault: ({ message }) => faults.push(message),
    openEmbedded: () => openBytes("embedded", new Uint8Array(readFileSync(first))),
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

test("what was installed wins over the embedded dataset, over a restart too", () => {
  const { snapshots, name } = server((dataDir) => installFile(dataDir, second, NOW));
  expect([snapshots.current().info.origin, name()]).toEqual(["installed", "Second Corp"]);
  expect(snapshots.embedded().edition).toBe("2026-01-01");
});

test("a running server takes up what another process installs, within a second and not before it looks", () => {
  const { dataDir, clock, swaps, name, snapshots } = server();
  const held = snapshots.current();
  installFile(dataDir, second, NOW);
  clock.ms = 999;
  expect(name()).toBe("First Corp");
  clock.ms = 1000;
  expect(name()).toBe("Second Corp");
  expect(swaps).toEqual(["installed 2026-02-01"]);
  // Whoever took the dataset before goes on with it.
  expect(held.findBySymbol("ACME")?.name).toBe("First Corp");
  expect(held.years("0000000042")).toHaveLength(1);
});

test("rollback returns step by step, in the end to the embedded dataset, and then says so", () => {
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

test("installing what is in use changes nothing; an older one comes back as a new install", () => {
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
  expect(readdirSync(snapshotFolder(dataDir)).sort()).toEqual([...kept, "current.json"].sort());
});

test("a damaged file is not installed, and what was in use stays", () => {
  const { dataDir } = server((to) => installFile(to, second, NOW));
  const damaged = join(folder, "damaged.sqlite");
  const bytes = readFileSync(third);
  bytes[bytes.length - 2000] = (bytes.at(-2000) ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  expect(() => installFile(dataDir, damaged, NOW)).toThrow(/is damaged: its content hash is/);
  expect(() => installFile(dataDir, join(folder, "none.sqlite"), NOW)).toThrow(/Cannot read .*none.sqlite/);
  expect(readInstalled(dataDir).current?.file).toBe(
    readdirSync(snapshotFolder(dataDir)).find((one) => one.endsWith(".sqlite")) ?? "",
  );
});

test("a server does not start on an installed snapshot that is cut short, and names the way back", () => {
  let message = "";
  try {
    server((dataDir) => {
      const entry = installFile(dataDir, second, NOW);
      truncateSync(installedPath(dataDir, entry), 10_000);
    });
  } catch (error) {
    message = error instanceof SnapshotError ? error.message : "";
  }
  expect(message).toContain("is cut short");
  expect(message).toContain("execcomp data rollback");
});

test("a running server keeps what it has when the installed one cannot be used, and says so once", () => {
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

test("another file in the installed one's place is refused", () => {
  expect(() =>
    server((dataDir) => {
      const entry = installFile(dataDir, second, NOW);
      writeFileSync(installedPath(dataDir, entry), readFileSync(third));
    }),
  ).toThrow(/is not the one that was installed/);
});

test("an unreadable pointer is refused with the way out", () => {
  for (const text of [
    "",
    "{}",
    '{"current":{"file":"../../etc/passwd","contentHash":"x","installedAt":""},"previous":[]}',
  ]) {
    expect(() =>
      server((dataDir) => {
        mkdirSync(snapshotFolder(dataDir));
        writeFileSync(join(snapshotFolder(dataDir), "current.json"), text);
      }),
    ).toThrow(/Cannot read .*current\.json.*Delete it/);
  }
});

test("a data folder that cannot be written still serves the embedded dataset", () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  const snapshots = openSnapshots({
    dataDir: join(file, "below"),
    monotonic: () => 0,
    openEmbedded: () => openBytes("embedded", new Uint8Array(readFileSync(first))),
  });
  expect(snapshots.current().info.origin).toBe("embedded");
});

test("what one second held is gone from disk without a trace of half a copy", () => {
  const { dataDir } = server();
  installFile(dataDir, second, NOW);
  expect(readdirSync(snapshotFolder(dataDir)).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect(existsSync(join(snapshotFolder(dataDir), "current.json"))).toBe(true);
  openFile(second).database.close();
});
