import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EMPTY_SEAL } from "../../src/dataset/seal.ts";
import { signSnapshot } from "../../src/dataset/signature.ts";
import { tempFolder } from "../support/folder.ts";

test.each(["no snapshot", EMPTY_SEAL])(
  "a file without a seal is not signed, and no key is made for it: %p",
  (content) => {
    const folder = tempFolder();
    const file = join(folder, "file.sqlite");
    writeFileSync(file, content);
    expect(() => signSnapshot(folder, file, (bytes) => new Uint8Array(bytes))).toThrow("has no seal to sign");
    expect(readdirSync(folder)).toEqual(["file.sqlite"]);
  },
);
