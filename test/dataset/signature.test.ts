import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blankSeal, readSealLine, readSealLineOf } from "../../src/dataset/seal.ts";
import { signerOf, signSnapshot } from "../../src/dataset/signature.ts";
import { tempFolder } from "../support/folder.ts";
import { writeTestSnapshot } from "../support/snapshot.ts";

test.each(["no snapshot", blankSeal({ edition: "2026-01-01", sequence: 1 })])(
  "a file without a seal is not signed, and no key is made for it: %p",
  (content) => {
    const folder = tempFolder();
    const file = join(folder, "file.sqlite");
    writeFileSync(file, content);
    expect(() => signSnapshot(folder, file, (bytes) => new Uint8Array(bytes))).toThrow("has no seal to sign");
    expect(readdirSync(folder)).toEqual(["file.sqlite"]);
  },
);

const folder = tempFolder();
const path = writeTestSnapshot(folder, "signed.sqlite");
const key = signSnapshot(folder, path, (bytes) => new Uint8Array(bytes).fill(7));
const seal = readSealLine(readSealLineOf(path) ?? "");
if (seal === undefined) throw new Error("not sealed");

test("a signature is good for one content and one edition only", () => {
  expect(signerOf(folder, seal)).toEqual({ kind: "signed", key, trust: "own" });
  const forged = { kind: "forged" as const, key };
  const digit = (text: string) => (text.startsWith("0") ? "1" : "0") + text.slice(1);
  expect(signerOf(folder, { ...seal, contentHash: digit(seal.contentHash) })).toEqual(forged);
  expect(signerOf(folder, { ...seal, signature: digit(seal.signature ?? "") })).toEqual(forged);
  expect(signerOf(folder, { ...seal, edition: "2026-01-02" })).toEqual(forged);
  expect(signerOf(folder, { ...seal, sequence: 2 })).toEqual(forged);
});

test.each([
  ["the neutral point", `01${"00".repeat(31)}`],
  ["the same with the other sign", `01${"00".repeat(30)}80`],
  ["a point of order 4", "00".repeat(32)],
  ["a point of order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"],
  ["a point of order 2, not reduced", `ec${"ff".repeat(30)}7f`],
])("%s is no signer's key: one signature would fit any content", (_, small) => {
  // R is the neutral point and S is 0: [S]B = R + [k]A holds for every content if A is the neutral point.
  const signature = `01${"00".repeat(31)}${"00".repeat(32)}`;
  const found = [1, 2, 3, 4, 5, 6, 7, 8].map(
    (sequence) => signerOf(folder, { ...seal, sequence, key: small, signature }).kind,
  );
  expect(found).toEqual(found.map(() => "forged"));
});
