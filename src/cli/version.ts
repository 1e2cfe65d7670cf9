import packageJson from "../../package.json";
import projectKey from "./release-key.pub" with { type: "text" };
import { dirname, join } from "node:path";
import { OperatorError, messageOf } from "../errors.ts";
import { type Io, UsageError, command } from "./command.ts";
import { existsSync, readFileSync } from "node:fs";
import { createHash, verify as isVerified } from "node:crypto";
import { ed25519PublicKey } from "../dataset/signature.ts";

/** `execcomp version` */
export const version = command({
  name: "version",
  summary: "Print the version, the licences of third-party code, or verify a release.",
  flags: {
    licences: { about: "Print the third-party notices: every bundled package with its licence." },
    verify: {
      value: "FILE",
      about: "Check a release's SHA256SUMS, its signature (FILE.minisig) and the files in the same folder.",
    },
    publicKey: {
      value: "FILE",
      about: "With `--verify`: a minisign public key to trust instead of the project's own.",
    },
  },
  examples: [
    ["version", "The version, alone on its line."],
    ["version --licences", "The bundled packages and their licences."],
    ["version --verify SHA256SUMS", "Check that downloaded files are the ones that the project signed."],
  ],
  async run({ flags }, io) {
    if (flags.licences && flags.verify !== undefined)
      throw new UsageError("Use --licences or --verify, not both.");
    if (flags.licences) return printLicences(io);
    if (flags.verify !== undefined) return verify(flags.verify, flags.publicKey, io);
    if (flags.publicKey !== undefined)
      throw new UsageError("--public-key requires --verify. See: execcomp help version");
    const facts = {
      version: packageJson.version,
      bun: Bun.version,
      platform: `${process.platform}-${process.arch}`,
    };
    io.answer(facts, packageJson.version);
  },
});

/** Prints the notices that `scripts/build.ts` stores next to the code; a checkout has none. */
async function printLicences(io: Io): Promise<void> {
  const file = Bun.file(join(import.meta.dir, "notices.txt"));
  if (!(await file.exists()))
    throw new OperatorError(
      "Only a built executable contains the notices. Build one with bun scripts/build.ts.",
    );
  const notices = await file.text();
  if (io.json) io.printJson({ notices });
  else await io.write(notices);
}

/**
 * Checks the signature of a `SHA256SUMS` file, then all listed files that are in the same folder.
 *
 * @returns the exit code
 * @throws OperatorError if the list cannot be read or is not signed by the key; the files are not checked then
 */
async function verify(list: string, keyFile: string | undefined, io: Io): Promise<number> {
  const key = readReleaseKey(keyFile === undefined ? projectKey : readOrRefuse(keyFile).toString("utf8"));
  if (key === undefined)
    throw new OperatorError(`${keyFile ?? "The built-in key"} is not a minisign public key.`);
  const content = readOrRefuse(list);
  const comment = requireSigned(list, content, key);
  const { good, missing, wrong } = await checkFiles(dirname(list), content.toString("utf8"));
  io.answer({ key: key.id, comment, good, missing, wrong }, [
    `${list} is signed by key ${key.id}: ${comment}`,
    ...good.map((name) => `ok       ${name}`),
    ...missing.map((name) => `missing  ${name}`),
    ...wrong.map((name) => `WRONG    ${name}`),
  ]);
  if (wrong.length === 0) return 0;
  io.note(`${wrong.length} of the files do not match the signed list. Do not use them.`);
  return 1;
}

/** The comment of a list's signature. @throws OperatorError */
function requireSigned(list: string, content: Buffer, key: ReleaseKey): string {
  const file = `${list}.minisig`;
  if (!existsSync(file))
    throw new OperatorError(
      `There is no ${file}, so it is not known who made the list. Download it beside the list; the hashes alone are checked by: sha256sum --ignore-missing -c ${list}`,
    );
  const check = checkSignature(content, readOrRefuse(file).toString("utf8"), key);
  if (check.kind === "good") return check.comment;
  if (check.kind === "malformed")
    throw new OperatorError(`${file} is not a minisign signature. Download it again.`);
  const why =
    check.kind === "other_key"
      ? `was signed by key ${check.id}, not by ${key.id}`
      : `does not match the signature of key ${key.id}`;
  throw new OperatorError(`${list} ${why}. Do not use these files.`);
}

const LINE = /^([0-9a-f]{64}) [ *](.+)$/;

/** The listed files: as listed, not in the folder, or different from the list. */
async function checkFiles(folder: string, list: string) {
  const found: Record<"good" | "missing" | "wrong", string[]> = { good: [], missing: [], wrong: [] };
  for (const line of list.split("\n").filter((one) => one !== "")) {
    const [, hash = "", name = ""] = LINE.exec(line) ?? [];
    if (name === "" || /[/\\]/.test(name))
      throw new OperatorError(
        `Cannot read the line ${JSON.stringify(line)}: expected a hash and a file name.`,
      );
    const file = join(folder, name);
    if (!existsSync(file)) found.missing.push(name);
    else if ((await hashOf(file)) === hash) found.good.push(name);
    else found.wrong.push(name);
  }
  return found;
}

async function hashOf(file: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}

/** @throws OperatorError */
function readOrRefuse(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new OperatorError(`Cannot read ${file}: ${messageOf(cause)}.`);
  }
}

/**
 * A public key with its key id, in the format of minisign: Ed25519 over the BLAKE2b-512 hash of a file, with a trusted comment.
 * @see https://jedisct1.github.io/minisign/ (section "Signature format")
 */
export interface ReleaseKey {
  /** Eight bytes in upper-case hex, most significant byte first. */
  id: string;
  /** 32 bytes. */
  key: Uint8Array;
}

/** The result of checking a signature. */
export type SignatureCheck =
  | { kind: "good"; comment: string }
  | { kind: "malformed" }
  /** Signed with a different key. */
  | { kind: "other_key"; id: string }
  | { kind: "wrong" };

const PLAIN = "Ed";
const HASHED = "ED";

/** Parses a public key: a file written by minisign, or its base64 line. Undefined if malformed. */
export function readReleaseKey(text: string): ReleaseKey | undefined {
  const line = text.trim().split(/\r?\n/).at(-1) ?? "";
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== 42 || bytes.toString("latin1", 0, 2) !== PLAIN) return undefined;
  return { id: idOf(bytes.subarray(2, 10)), key: new Uint8Array(bytes.subarray(10)) };
}

/** Checks a detached signature over `content` and over its trusted comment. @param signature content of the `.minisig` file */
export function checkSignature(content: Uint8Array, signature: string, key: ReleaseKey): SignatureCheck {
  const [, body = "", comment = "", global = ""] = signature.split(/\r?\n/);
  const bytes = Buffer.from(body, "base64");
  const trusted = /^trusted comment: (.*)$/.exec(comment)?.[1];
  if (bytes.length !== 74 || trusted === undefined) return { kind: "malformed" };
  const algorithm = bytes.toString("latin1", 0, 2);
  if (algorithm !== HASHED && algorithm !== PLAIN) return { kind: "malformed" };
  const id = idOf(bytes.subarray(2, 10));
  if (id !== key.id) return { kind: "other_key", id };
  const signed = algorithm === HASHED ? createHash("blake2b512").update(content).digest() : content;
  const over = bytes.subarray(10);
  const good =
    isSignedBy(key, signed, over) &&
    isSignedBy(key, Buffer.concat([over, Buffer.from(trusted)]), Buffer.from(global, "base64"));
  return good ? { kind: "good", comment: trusted } : { kind: "wrong" };
}

/** The key id as text; minisign stores it least significant byte first. */
function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.toReversed()).toString("hex").toUpperCase();
}

function isSignedBy({ key }: ReleaseKey, content: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && isVerified(null, content, ed25519PublicKey(key), signature);
}
