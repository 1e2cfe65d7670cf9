import { join } from "node:path";
import packageJson from "../../package.json";
import { OperatorError } from "../errors.ts";
import { command, type Io } from "./command.ts";

/** `execcomp version` */
export const version = command({
  name: "version",
  summary: "Print the version, or the licences of third-party code.",
  flags: {
    licences: { about: "Print the third-party notices: every bundled package with its licence." },
  },
  examples: [
    ["version", "The version, alone on its line."],
    ["version --licences", "The bundled packages and their licences."],
  ],
  async run({ flags }, io) {
    if (flags.licences) return printLicences(io);
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
