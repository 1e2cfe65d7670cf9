import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { createDeflate, type Entry, tar, tarGz, zip } from "../../scripts/release/archives.ts";

const DATE = new Date("2026-11-21T22:10:30Z");
const ENTRIES: readonly Entry[] = [
  { path: "execcomp-1/share/a.txt", content: "text", mode: 0o644 },
  { path: "execcomp-1/execcomp", content: new Uint8Array([1, 2, 3]), mode: 0o755 },
];
const inOtherOrder = ENTRIES.toReversed();

test("a tar archive has every folder, sorted paths, modes, one date, and root as owner", async () => {
  const found = await unpackTar(await tar(ENTRIES, DATE));
  expect(found.map(({ header }) => [header.name, header.mode, header.type])).toEqual([
    ["execcomp-1/", 0o755, "directory"],
    ["execcomp-1/execcomp", 0o755, "file"],
    ["execcomp-1/share/", 0o755, "directory"],
    ["execcomp-1/share/a.txt", 0o644, "file"],
  ]);
  for (const { header } of found) {
    expect(header.mtime).toEqual(new Date("2026-11-21T22:10:30Z"));
    expect([header.uid, header.gid, header.uname, header.gname]).toEqual([0, 0, "root", "root"]);
  }
});

test("the order in which entries are passed does not change the bytes", async () => {
  expect(await tarGz(inOtherOrder, DATE)).toEqual(await tarGz(ENTRIES, DATE));
  expect(await zip(inOtherOrder, DATE, createDeflate())).toEqual(await zip(ENTRIES, DATE, createDeflate()));
});

test("a zip archive contains its files", async () => {
  const found = unzipSync(await zip(ENTRIES, DATE, createDeflate()));
  expect(Object.keys(found)).toEqual(["execcomp-1/execcomp", "execcomp-1/share/a.txt"]);
  expect(found["execcomp-1/execcomp"]).toEqual(new Uint8Array([1, 2, 3]));
});

test("the time zone of the machine does not change a zip archive", () => {
  const folder = mkdtempSync(join(tmpdir(), "execcomp-zip-"));
  const script = join(folder, "zip.ts");
  const archives = join(import.meta.dir, "../../scripts/release/archives.ts");
  const hashIn = (zone: string) => {
    const child = Bun.spawnSync([process.execPath, script], { env: { TZ: zone } });
    expect(child.stderr.toString()).toBe("");
    return child.stdout.toString();
  };
  try {
    const source = `import { createDeflate, zip } from ${JSON.stringify(archives)};
      const bytes = await zip([{ path: "a", content: "a", mode: 0o644 }], new Date(${DATE.getTime()}), createDeflate());
      console.log(Bun.hash(bytes));`;
    writeFileSync(script, source);
    expect(hashIn("Asia/Tokyo")).toBe(hashIn("America/New_York"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
