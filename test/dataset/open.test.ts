import { expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import {
  FORMAT,
  openBytes,
  openFile,
  openWhole,
  requireWhole,
  schemaHash,
  SnapshotError,
} from "../../src/dataset/open.ts";
import { checkSeal, blankSeal, readSealLine, sealFile, signFile } from "../../src/dataset/seal.ts";
import { tableStatements } from "../../src/dataset/schema.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const EMPTY_SEAL = blankSeal({ edition: "2026-01-01", sequence: 1 });
const whole = writeTestSnapshot(folder, "whole.sqlite");
const bytes = readFileSync(whole);

function fault(open: () => unknown): [string, string] {
  try {
    open();
  } catch (error) {
    if (error instanceof SnapshotError) return [error.fault, error.message];
    throw error;
  }
  return ["none", ""];
}

function broken(name: string, change: (copy: Buffer) => Buffer | void): string {
  const path = join(folder, name);
  const copy = Buffer.from(bytes);
  writeFileSync(path, change(copy) ?? copy);
  return path;
}

test("nothing in a file can call functions", () => {
  for (const { database } of [openFile(whole), openWhole(whole), openBytes("bytes", new Uint8Array(bytes))]) {
    expect(database.query("pragma trusted_schema").get()).toEqual({ trusted_schema: 0 });
    database.close();
  }
});

test("an intact snapshot opens from its file and from memory, read-only either way", () => {
  for (const { database, seal, bytes: size } of [
    openFile(whole),
    openBytes("memory", new Uint8Array(bytes)),
  ]) {
    expect(size).toBe(bytes.length);
    expect(seal.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(seal.key).toBeNull();
    for (const change of ["delete from rows", "create table t (a)", "update meta set value = ''"]) {
      expect(() => database.run(change)).toThrow(/readonly/i);
    }
    database.close();
  }
  expect(readFileSync(whole).equals(bytes)).toBe(true);
});

test("an unusual folder name does not prevent opening a snapshot", () => {
  const path = broken("a ?b#c%20 é.sqlite", () => undefined);
  const { database } = openFile(path);
  expect(database.query("select count(*) as n from rows").get()).toEqual({ n: 2 });
  database.close();
});

test.each([
  ["an absent file", () => join(folder, "none.sqlite"), "missing", "data rollback"],
  [
    "a file cut in the middle",
    () => broken("cut.sqlite", (copy) => copy.subarray(0, 8000)),
    "truncated",
    "data install FILE",
  ],
  [
    "a file cut by one byte",
    () => broken("cut1.sqlite", (copy) => copy.subarray(0, -1)),
    "truncated",
    "data rollback",
  ],
  [
    "a file cut in its header",
    () => broken("cut2.sqlite", (copy) => copy.subarray(0, 50)),
    "truncated",
    "data rollback",
  ],
  ["an empty file", () => broken("empty.sqlite", () => Buffer.alloc(0)), "truncated", "data rollback"],
  [
    "a file with trailing data",
    () => broken("long.sqlite", (copy) => Buffer.concat([copy, copy.subarray(0, 9)])),
    "damaged",
    "data rollback",
  ],
  [
    "a newer format",
    () => broken("newer.sqlite", (copy) => void copy.writeUInt32BE(FORMAT + 1, 60)),
    "newer_format",
    "Install a newer execcomp",
  ],
  [
    "an older format",
    () => broken("older.sqlite", (copy) => void copy.writeUInt32BE(FORMAT - 1, 60)),
    "older_format",
    "execcomp ingest",
  ],
  [
    "another database",
    () => broken("other.sqlite", (copy) => void copy.writeUInt32BE(7, 68)),
    "foreign",
    "data export --format sqlite",
  ],
  [
    "no database",
    () => broken("text.sqlite", (copy) => void copy.write("plain text, nothing else")),
    "foreign",
    "data export",
  ],
  [
    "a file without its seal",
    () => broken("unsealed.sqlite", (copy) => void copy.write("x", copy.indexOf("execcomp-seal-2:"))),
    "damaged",
    "data install",
  ],
  [
    "garbage after the header",
    () => broken("garbage.sqlite", (copy) => void copy.fill(0xff, 100)),
    "damaged",
    "data rollback",
  ],
] as const)("%s is refused with the next step", (_, path, expected, next) => {
  const file = path();
  const [kind, message] = fault(() => openFile(file));
  expect([kind, message.includes(next), message.includes(file)]).toEqual([expected, true, true]);
});

test("a flipped byte anywhere is found by checking the file, including the seal's own bytes", () => {
  const seal = bytes.indexOf("execcomp-seal-2:");
  const places = [
    ...Array.from({ length: 40 }, (_, index) => Math.floor((index * bytes.length) / 40)),
    bytes.length - 1,
    ...[0, 16, 25, 32, 33, 97, 98, 99, 120, 162, 163, 200, 291].map((offset) => seal + offset),
  ];
  for (const at of places) {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    const path = join(folder, "flipped.sqlite");
    writeFileSync(path, copy);
    expect([at, fault(() => requireWhole(path))[0]]).not.toEqual([at, "none"]);
    const found = checkSeal(copy);
    expect([at, found !== undefined && found.actualHash === found.seal.contentHash]).toEqual([at, false]);
  }
  expect(fault(() => requireWhole(whole))[0]).toBe("none");
});

/** A publisher's genuine line: a signature over the content of `whole`. */
function genuineLine(): string {
  const signed = broken("genuine.sqlite", () => undefined);
  signFile(signed, "ab".repeat(32), "cd".repeat(64));
  return readFileSync(signed)
    .toString("latin1", bytes.indexOf("execcomp-seal-2:"))
    .slice(0, EMPTY_SEAL.length);
}

test("a view that returns the publisher's line instead of the seal is refused", () => {
  const path = broken("view.sqlite", () => undefined);
  const database = new Database(path);
  database.run("alter table seal rename to mine");
  database.run("update mine set line = ?", [EMPTY_SEAL]);
  // Split in two, so that the file's own seal is the first in its bytes.
  const [head, tail] = [genuineLine().slice(0, 9), genuineLine().slice(9)];
  database.run(`create view seal as select 1 as id, '${head}' || '${tail}' as line`);
  database.run("vacuum");
  database.close();
  sealFile(path);
  expect(checkSeal(path)?.actualHash).toBe(checkSeal(path)?.seal.contentHash ?? "");
  const [kind, message] = fault(() => openFile(path));
  expect([kind, message.includes("not exactly those of format")]).toEqual(["damaged", true]);
  expect(fault(() => openBytes("bytes", readFileSync(path)))[0]).toBe("damaged");
});

test("a seal that differs between the bytes and SQL is refused", () => {
  const path = broken("two-seals.sqlite", (copy) => {
    const line = copy.indexOf("execcomp-seal-2:");
    copy.write(genuineLine(), line, "latin1");
    // The unused part of the first page, between its cell pointers and its cells.
    const header = copy.readUInt8(100) === 5 ? 12 : 8;
    const used = 100 + header + 2 * copy.readUInt16BE(103);
    expect(copy.readUInt16BE(105) - used).toBeGreaterThan(EMPTY_SEAL.length);
    copy.write(EMPTY_SEAL, used, "latin1");
  });
  sealFile(path);
  expect(checkSeal(path)?.actualHash).toBe(checkSeal(path)?.seal.contentHash ?? "");
  expect(fault(() => openFile(path))).toEqual(["damaged", expect.stringContaining("it is not sealed")]);
});

test.each([
  "create table extra (a)",
  "create trigger t after insert on meta begin select 1; end",
  "drop index grids_of",
])("a snapshot after `%s` is refused", (change) => {
  const path = broken("changed.sqlite", () => undefined);
  const database = new Database(path);
  database.run(change);
  database.run("vacuum");
  database.close();
  sealFile(path);
  expect(fault(() => openFile(path))[1]).toContain("not exactly those of format");
});

test("the accepted tables are those that this program writes", () => {
  const database = new Database(":memory:");
  for (const statement of tableStatements()) database.run(statement);
  const { database: written } = openFile(whole);
  expect(schemaHash(database)).toBe(schemaHash(written));
  for (const one of [database, written]) one.close();
});

test.each([
  ["rows with other fields", "row_shape", "0123456789abcdef", "older_format", "execcomp ingest"],
  [
    "another edition than the sealed one",
    "edition",
    "2030-01-01",
    "damaged",
    "its edition is not the sealed one",
  ],
  ["another sequence than the sealed one", "sequence", "9", "damaged", "its edition is not the sealed one"],
])("a snapshot of %s is refused", (_, key, value, expected, told) => {
  const path = broken(`other-${key}.sqlite`, () => undefined);
  const database = new Database(path);
  database.query("update meta set value = ? where key = ?").run(value, key);
  database.close();
  sealFile(path);
  const [kind, message] = fault(() => openFile(path));
  expect([kind, message.includes(told)]).toEqual([expected, true]);
});

test("a file of several chunks is hashed to its end", () => {
  const path = writeTestSnapshot(folder, "long.sqlite", [testRecord({ name: "N".repeat(3_500_000) })]);
  const long = readFileSync(path);
  expect(long.length).toBeGreaterThan(6 << 20);
  for (const at of [(1 << 20) + 7, (4 << 20) + 7, long.length - 7]) {
    const copy = Buffer.from(long);
    copy[at] = (copy[at] ?? 0) ^ 1;
    const flipped = join(folder, "flipped-late.sqlite");
    writeFileSync(flipped, copy);
    expect([at, fault(() => requireWhole(flipped))[0], fault(() => openWhole(flipped))[0]]).toEqual([
      at,
      "damaged",
      "damaged",
    ]);
  }
  expect([fault(() => requireWhole(path))[0], fault(() => openWhole(path))[0]]).toEqual(["none", "none"]);
});

test("a signature changes the seal, but neither the hash nor the content", () => {
  const path = broken("signed.sqlite", () => undefined);
  const before = checkSeal(path);
  const [key, signature] = ["ab".repeat(32), "cd".repeat(64)];
  signFile(path, key, signature);
  const after = checkSeal(path);
  expect(after?.seal).toEqual({
    edition: "2026-01-01",
    sequence: 1,
    contentHash: before?.seal.contentHash ?? "",
    key,
    signature,
  });
  expect(after?.actualHash).toBe(after?.seal.contentHash ?? "");
  expect(checkSeal(readFileSync(path))).toEqual(after);
  const { database, seal } = openFile(path);
  expect(seal.key).toBe(key);
  database.close();
});

test("half a signature is not a seal", () => {
  const line = EMPTY_SEAL.replace(/:0{64}/, `:${"a".repeat(64)}`);
  expect(readSealLine(EMPTY_SEAL)).toBeUndefined();
  expect(readSealLine(line)?.key).toBeNull();
  expect(readSealLine(`${line.slice(0, -1)}1`)).toBeUndefined();
  expect(readSealLine(line.replace(/:0{64}:/, `:${"b".repeat(64)}:`))).toBeUndefined();
});

test("a file without room for a seal is not sealed", () => {
  const path = join(folder, "plain.sqlite");
  const database = new Database(path, { create: true });
  database.run("create table t (a)");
  database.close();
  expect(() => sealFile(path)).toThrow("no seal");
  expect(checkSeal(path)).toBeUndefined();
  truncateSync(path, 0);
  expect(checkSeal(path)).toBeUndefined();
});
