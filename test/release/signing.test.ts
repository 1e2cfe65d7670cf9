import { afterAll, expect, test } from "bun:test";
import { createHash, generateKeyPairSync } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSecretKey, signatureFile } from "../../scripts/release/signing.ts";
import { checkSignature, readReleaseKey } from "../../src/cli/version.ts";
import { cli } from "../support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "execcomp-sign-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Signature algorithm, key derivation (none), checksum algorithm, then 48 bytes of unused derivation parameters. */
const FILE_HEAD = Buffer.concat([Buffer.from("Ed\0\0B2", "latin1"), Buffer.alloc(48)]);

/** A new key: the files of its two halves. */
function makeKeyFiles(): { secret: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
  const open = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const id = createHash("sha256").update(open).digest().subarray(0, 8);
  const body = Buffer.concat([id, seed, open]);
  const checksum = new Bun.CryptoHasher("blake2b256")
    .update(Buffer.concat([Buffer.from("Ed"), body]))
    .digest();
  const comment = (half: string) => `untrusted comment: execcomp release ${half} key`;
  return {
    secret: `${comment("secret")}\n${Buffer.concat([FILE_HEAD, body, checksum]).toString("base64")}\n`,
    publicKey: `${comment("public")}\n${Buffer.concat([Buffer.from("Ed"), id, open]).toString("base64")}\n`,
  };
}

const keys = makeKeyFiles();
const secret = readSecretKey(keys.secret);
const COMMENT = "execcomp 9.9.9, commit abc";
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

function requireKey(text: string) {
  const key = readReleaseKey(text);
  if (key === undefined) throw new Error("no key");
  return key;
}

/** A release of two files in a new folder; the list names a third that does not exist. */
function release(name: string): string {
  const list = join(folder, `${name}-SHA256SUMS`);
  writeFileSync(join(folder, `${name}-a`), "a");
  writeFileSync(join(folder, `${name}-b`), "b");
  const text = ["a", "b", "c"].map((one) => `${sha256(one)}  ${name}-${one}\n`).join("");
  writeFileSync(list, text);
  writeFileSync(`${list}.minisig`, signatureFile(Buffer.from(text), COMMENT, secret));
  return list;
}

const publicKey = join(folder, "key.pub");
writeFileSync(publicKey, keys.publicKey);

test("a valid signature is accepted, and any variation is refused", () => {
  const key = requireKey(keys.publicKey);
  const content = Buffer.from("content");
  const signature = signatureFile(content, COMMENT, secret);
  expect(checkSignature(content, signature, key)).toEqual({ kind: "good", comment: COMMENT });
  expect(checkSignature(Buffer.from("contenu"), signature, key)).toEqual({ kind: "wrong" });
  expect(checkSignature(content, signature.replace("9.9.9", "9.9.8"), key)).toEqual({ kind: "wrong" });
  expect(checkSignature(content, "no signature", key)).toEqual({ kind: "malformed" });
  const other = makeKeyFiles();
  expect(checkSignature(content, signature, requireKey(other.publicKey))).toEqual({
    kind: "other_key",
    id: key.id,
  });
  // The correct key id on another signer's key.
  const forger = readSecretKey(other.secret);
  const forged = signatureFile(content, COMMENT, { id: secret.id, seed: forger.seed });
  expect(checkSignature(content, forged, key)).toEqual({ kind: "wrong" });
});

test("a key with a password and a file that is not a key are refused", () => {
  const bytes = Buffer.from(keys.secret.trim().split("\n").at(-1) ?? "", "base64");
  bytes.write("Sc", 2, "latin1");
  expect(() => readSecretKey(bytes.toString("base64"))).toThrow(/has a password/);
  expect(() => readSecretKey("hello")).toThrow(/not a minisign secret key/);
  expect(readReleaseKey("hello")).toBeUndefined();
});

test("version --verify reports which files match and which are missing", async () => {
  const list = release("good");
  const ran = await cli("version", "--verify", list, "--public-key", publicKey);
  expect(ran.err).toBe("");
  expect(ran.code).toBe(0);
  expect(ran.out).toContain(`: ${COMMENT}\nok       good-a\nok       good-b\nmissing  good-c\n`);
});

test("version --verify exits 1 for a changed file, and names it", async () => {
  const list = release("changed");
  writeFileSync(join(folder, "changed-b"), "B");
  const ran = await cli("version", "--verify", list, "--public-key", publicKey, "--json");
  expect(ran.code).toBe(1);
  expect(ran.json()).toMatchObject({ good: ["changed-a"], wrong: ["changed-b"], missing: ["changed-c"] });
});

test("version --verify refuses a changed list, one signed with another key, and one without a signature", async () => {
  const list = release("list");
  expect((await cli("version", "--verify", list)).err).toMatch(/was signed by key [0-9A-F]{16}, not by/);
  writeFileSync(list, `${sha256("x")}  list-a\n`);
  const changed = await cli("version", "--verify", list, "--public-key", publicKey);
  expect([changed.code, changed.out]).toEqual([1, ""]);
  expect(changed.err).toMatch(/does not match the signature of key [0-9A-F]{16}/);
  rmSync(`${list}.minisig`);
  const unsigned = (await cli("version", "--verify", list, "--public-key", publicKey)).err;
  expect(unsigned).toContain(`There is no ${list}.minisig`);
  expect(unsigned).toContain(`sha256sum --ignore-missing -c ${list}`);
});

test("a list that names files in other folders is refused even if signed", async () => {
  const list = join(folder, "outside");
  const text = `${sha256("a")}  ../../etc/passwd\n`;
  writeFileSync(list, text);
  writeFileSync(`${list}.minisig`, signatureFile(Buffer.from(text), COMMENT, secret));
  const ran = await cli("version", "--verify", list, "--public-key", publicKey);
  expect([ran.code, ran.err.includes("expected a hash and a file name")]).toEqual([1, true]);
});

const minisign = Bun.which("minisign");
if (minisign === null) console.log("skipped: minisign is not installed, so it does not check our signatures");
test.skipIf(minisign === null)("minisign accepts the signature", () => {
  const list = release("minisign");
  const child = Bun.spawnSync([minisign ?? "", "-V", "-p", publicKey, "-m", list]);
  expect(child.stdout.toString()).toContain("Signature and comment signature verified");
});

test("the check that docs/install.md prints works on a part of a release, and names the project's key", async () => {
  const top = join(import.meta.dir, "../..");
  const page = readFileSync(join(top, "docs/install.md"), "utf8");
  const [, block = ""] = /## Check what you downloaded[^]*?```sh\n([^]*?)```/.exec(page) ?? [];
  const [minisign = "", sha256sum = ""] = block.trim().split("\n");
  const [, key = ""] = readFileSync(join(top, "src/cli/release-key.pub"), "utf8").split("\n");
  expect(minisign).toBe(`minisign -V -P ${key} -m SHA256SUMS`);
  const work = mkdtempSync(join(folder, "printed-"));
  const list = release("printed");
  copyFileSync(list, join(work, "SHA256SUMS"));
  copyFileSync(join(folder, "printed-a"), join(work, "printed-a"));
  const check = () => Bun.$`sh -c ${sha256sum}`.cwd(work).quiet().nothrow();
  const good = await check();
  expect([good.exitCode, good.stdout.toString()]).toEqual([0, "printed-a: OK\n"]);
  writeFileSync(join(work, "printed-a"), "changed");
  expect((await check()).exitCode).toBe(1);
});
