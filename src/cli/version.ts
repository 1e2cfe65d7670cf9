import packageJson from "../../package.json";
import { command } from "./command.ts";

/** `execcomp version` */
export const version = command({
  name: "version",
  summary: "Print the version of this executable.",
  operands: [],
  flags: {},
  settings: [],
  examples: [["version", "The version, alone on its line."]],
  async run(_given, io) {
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
