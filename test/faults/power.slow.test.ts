import { beforeAll, describe, expect, test } from "bun:test";
import { canInject } from "../support/soak/sqlite.ts";
import { cuts, eventsOf, type Recording, record } from "../support/soak/power.ts";
import { tempFolder } from "../support/folder.ts";

const folder = tempFolder();
const possible = canInject();
if (!possible) console.log("skipped: recording writes needs Linux, strace and the right to use it");

// More, over three checkpoints of the log: bun run soak --store sqlite
describe.skipIf(!possible)("power cuts at random moments under load", () => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await record(folder, 800);
  }, 300_000);

  test("everything reported to be on disk is there, and the file is intact", async () => {
    expect((await cuts(recording, 40, "honest", folder)).lines).toEqual([]);
  }, 300_000);

  test("on a disk that ignores flushes it is not: the simulation detects losses", async () => {
    expect((await cuts(recording, 10, "ignores flushes", folder)).failed).toBeGreaterThan(0);
  }, 300_000);
});

test("a call split by another thread's line is one event, and a flush covers what ended before it began", () => {
  const trace = [
    String.raw`7 pwrite64(5</d/store.sqlite-wal>, "\x61\x62", 2, 32) = 2`,
    "8 fdatasync(9</d/store.sqlite-wal> <unfinished ...>",
    String.raw`7 pwrite64(5</d/store.sqlite-wal>, "\x63", 1, 34 <unfinished ...>`,
    "8 <... fdatasync resumed>)           = 0",
    "7 <... pwrite64 resumed>)             = 1",
    String.raw`7 write(3</d/acks>, "\x61\x0a", 2)     = 2`,
    "7 fsync(4</d/store.sqlite>) = -1 EIO (Input/output error) (INJECTED)",
  ].join("\n");
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  expect(eventsOf(trace)).toEqual([
    { kind: "write", file: "store.sqlite-wal", at: 32, bytes: bytes("ab"), startedAt: 0 },
    { kind: "flush", file: "store.sqlite-wal", startedAt: 1 },
    { kind: "write", file: "store.sqlite-wal", at: 34, bytes: bytes("c"), startedAt: 1 },
    { kind: "told", lines: ["a"], startedAt: 3 },
  ]);
});
