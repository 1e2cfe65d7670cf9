import { join } from "node:path";
import packageJson from "../../package.json";
import { OperatorError } from "../errors.ts";
import { command, type Io, UsageError } from "./command.ts";
import { readReleaseKey } from "./minisign.ts";
import projectKey from "./release-key.pub" with { type: "text" };
import { readOrRefuse, verifyRelease } from "./verify-release.ts";

/** `execcomp version` */
export const version = command({
  name: "version",
  summary: "Print the version, the licences of third-party code, or verify a release.",
  operands: [],
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
  settings: [],
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
    if (io.json) io.printJson(facts);
    else io.print(packageJson.version);
    return 0;
  },
});

/** Prints the notices that `scripts/build.ts` stores next to the code; a checkout has none. */
async function printLicences(io: Io): Promise<number> {
  const file = Bun.file(join(import.meta.dir, "notices.txt"));
  if (!(await file.exists()))
    throw new OperatorError(
      "Only a built executable contains the notices. Build one with bun scripts/build.ts.",
    );
  const notices = await file.text();
  if (io.json) io.printJson({ notices });
  else await io.write(notices);
  return 0;
}

async function verify(list: string, keyFile: string | undefined, io: Io): Promise<number> {
  const key = readReleaseKey(keyFile === undefined ? projectKey : readOrRefuse(keyFile).toString("utf8"));
  if (key === undefined)
    throw new OperatorError(`${keyFile ?? "The built-in key"} is not a minisign public key.`);
  const { comment, good, missing, wrong } = await verifyRelease(list, key);
  if (io.json) io.printJson({ key: key.id, comment, good, missing, wrong });
  else {
    io.print(`${list} is signed by key ${key.id}: ${comment}`);
    for (const name of good) io.print(`ok       ${name}`);
    for (const name of missing) io.print(`missing  ${name}`);
    for (const name of wrong) io.print(`WRONG    ${name}`);
  }
  if (wrong.length > 0)
    io.note(`${wrong.length} of the files do not match the signed list. Do not use them.`);
  return wrong.length > 0 ? 1 : 0;
}
