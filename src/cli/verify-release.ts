/** Verifies the files of a release against the project's signature. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError, messageOf } from "../errors.ts";
import { checkSignature, type ReleaseKey } from "./minisign.ts";

/** The result of verifying a release: the signature's comment, and the state of each listed file. */
export interface VerifiedRelease {
  comment: string;
  good: readonly string[];
  /** Listed but not in the folder. */
  missing: readonly string[];
  /** In the folder but different from the list. */
  wrong: readonly string[];
}

const LINE = /^([0-9a-f]{64}) [ *](.+)$/;

/**
 * Checks the signature of a `SHA256SUMS` file, then all listed files that are in the same folder.
 *
 * @throws OperatorError if the list cannot be read or is not signed by `key`; the files are not checked then
 */
export async function verifyRelease(list: string, key: ReleaseKey): Promise<VerifiedRelease> {
  const content = readOrRefuse(list);
  if (!existsSync(`${list}.minisig`)) {
    throw new OperatorError(
      `There is no ${list}.minisig, so it is not known who made the list. Download it beside the list; the hashes alone are checked by: sha256sum --ignore-missing -c ${list}`,
    );
  }
  const signature = readOrRefuse(`${list}.minisig`).toString("utf8");
  const check = checkSignature(content, signature, key);
  switch (check.kind) {
    case "malformed":
      throw new OperatorError(`${list}.minisig is not a minisign signature. Download it again.`);
    case "other_key":
      throw new OperatorError(
        `${list} was signed by key ${check.id}, not by ${key.id}. Do not use these files.`,
      );
    case "wrong":
      throw new OperatorError(
        `${list} does not match the signature of key ${key.id}. Do not use these files.`,
      );
    case "good":
      return { comment: check.comment, ...(await checkFiles(dirname(list), content.toString("utf8"))) };
  }
}

async function checkFiles(folder: string, list: string): Promise<Omit<VerifiedRelease, "comment">> {
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
export function readOrRefuse(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new OperatorError(`Cannot read ${file}: ${messageOf(cause)}.`);
  }
}
