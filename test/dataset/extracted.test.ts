import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddedFile, extractedPath, openEmbedded, openExtracted } from "../../src/dataset/embedded.ts";
import { rememberChecked } from "../../src/dataset/installed.ts";
import { checkSeal } from "../../src/dataset/seal.ts";
import { datasetOf } from "../../src/dataset/read-snapshot.ts";
import { Snapshots } from "../../src/dataset/snapshots.ts";
import { tempFolder } from "../support/folder.ts";
import { testRecord } from "../support/record.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

const folder = tempFolder();
const made = (name: string) =>
  readFileSync(
    writeTestSnapshot(folder, `${name}.sqlite`, [testRecord({ name: `${name} Corp` })], "2026-01-01"),
  );
const ours = made("Ours");
const other = made("Othr");
let folders = 0;

/** The embedded snapshot, how often it was read, and the place for its file in a new folder. */
function executable(bytes: Buffer = ours) {
  const reads = { count: 0 };
  const place = join(folder, `data-${++folders}`);
  mkdirSync(place);
  const carried: EmbeddedFile = {
    size: bytes.length,
    contentHash: checkSeal(ours)?.seal.contentHash ?? "",
    read() {
      reads.count++;
      return new Uint8Array(bytes);
    },
  };
  return { carried, reads, place, file: extractedPath(place, "1a2b3c4d5e6f70819") };
}

const nameIn = (open: ReturnType<typeof openExtracted>) =>
  datasetOf(open, "embedded").findBySymbol("ACME")?.name;

/** Changes one digit of an amount, as failing storage or an editor might. */
function tampered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const digit = copy.indexOf('"total_compensation":') + '"total_compensation":'.length;
  copy[digit] = (copy[digit] ?? 0) ^ 1;
  return copy;
}

test("a snapshot is extracted once and read from its file; another version's file is deleted", () => {
  const { carried, reads, place, file } = executable();
  writeFileSync(extractedPath(place, "0000000000000000"), "");
  for (const _ of [1, 2, 3]) expect(nameIn(openExtracted(file, carried))).toBe("Ours Corp");
  expect(datasetOf(openExtracted(file, carried), "embedded").file).toBe(file);
  expect(reads.count).toBe(1);
  expect(readdirSync(place).sort()).toEqual([
    "embedded-1a2b3c4d5e6f7081.sqlite",
    "embedded-1a2b3c4d5e6f7081.sqlite.checked",
  ]);
});

test.each([
  ["changed", (file: string) => writeFileSync(file, tampered(ours))],
  ["cut short", (file: string) => truncateSync(file, 10_000)],
  ["gone", (file: string) => rmSync(file)],
  [
    "another sealed snapshot, noted as checked",
    (file: string) => {
      writeFileSync(file, other);
      rememberChecked(file);
    },
  ],
] as const)("a file that is %s is not used: it is extracted again", (_, damage) => {
  const { carried, reads, file } = executable();
  openExtracted(file, carried).database.close();
  damage(file);
  expect(nameIn(openExtracted(file, carried))).toBe("Ours Corp");
  expect([reads.count, readFileSync(file).equals(ours)]).toEqual([2, true]);
});

test("the two snapshots have the same size, so that only their content distinguishes them", () => {
  expect(other.length).toBe(ours.length);
});

test("a file without its note is checked completely, and noted, before it is used", () => {
  const { carried, reads, place, file } = executable();
  openExtracted(file, carried).database.close();
  rmSync(`${file}.checked`);
  expect(nameIn(openExtracted(file, carried))).toBe("Ours Corp");
  expect([reads.count, readdirSync(place)]).toEqual([
    1,
    expect.arrayContaining(["embedded-1a2b3c4d5e6f7081.sqlite.checked"]),
  ]);
});

test("if nothing can be written, the snapshot is kept in memory", () => {
  const { carried, place } = executable();
  const file = join(place, "a-file");
  writeFileSync(file, "");
  const open = openEmbedded(join(file, "below"), "server", carried);
  expect([nameIn(open), datasetOf(open, "embedded").file]).toEqual(["Ours Corp", null]);
});

test("a command writes nothing, but uses what a server has extracted", () => {
  const { carried, reads, place } = executable();
  const fileOf = (open: ReturnType<typeof openExtracted>) => datasetOf(open, "embedded").file;
  expect(fileOf(openEmbedded(place, "command", carried))).toBeNull();
  expect(readdirSync(place)).toEqual([]);
  const extracted = fileOf(openEmbedded(place, "server", carried));
  expect([extracted, reads.count]).toEqual([extractedPath(place, carried.contentHash), 2]);
  expect([fileOf(openEmbedded(place, "command", carried)), reads.count]).toEqual([extracted, 2]);
});

test("an embedded dataset that is itself damaged is refused, and its file is deleted", () => {
  const { carried, place, file } = executable(tampered(ours));
  expect(() => openExtracted(file, carried)).toThrow(/Download execcomp again/);
  expect(readdirSync(place)).toEqual([]);
});

test("a file changed after its note was written is found by the full check, and extracted again", async () => {
  const { carried, file, place } = executable();
  openExtracted(file, carried).database.close();
  writeFileSync(file, tampered(ours));
  rememberChecked(file);
  const faults: string[] = [];
  const snapshots = new Snapshots({
    dataDir: place,
    monotonic: () => 0,
    who: "server",
    onFault: ({ message }) => faults.push(message),
    embedded: { open: () => openExtracted(file, carried), bytes: carried.read },
  });
  const served = snapshots.current();
  await snapshots.check();
  expect(faults).toEqual([`${file} was damaged and has been extracted again.`]);
  expect(readFileSync(file).equals(ours)).toBe(true);
  expect([snapshots.failure(), snapshots.current() === served]).toEqual([null, false]);
  await snapshots.check();
  expect(faults).toHaveLength(1);
});
