import { shownSettings } from "../config.ts";
import { command } from "./command.ts";

/** `execcomp config print` */
export const print = command({
  name: "config print",
  summary: "Show every setting and its source, with secrets masked.",
  operands: [],
  flags: {},
  settings: "all",
  examples: [
    ["config print", "The settings that a server would use."],
    ["config print --port 9000 --json", "The same with a flag, as JSON."],
  ],
  async run(_given, { loaded, json, ...io }) {
    const rows = shownSettings(loaded.config, loaded.origins).map(({ flag, variable, value, origin }) => ({
      setting: flag,
      variable,
      value,
      origin,
    }));
    if (json) {
      io.printJson(rows);
      return 0;
    }
    const width = Math.max(...rows.map(({ setting }) => setting.length));
    for (const { setting, value, origin } of rows) {
      const shown =
        value === null || value === "" ? "–" : Array.isArray(value) ? value.join(",") : String(value);
      const from = origin === "default" ? "" : `  (${origin})`;
      io.print(`${setting.padEnd(width)}  ${shown}${from}`, " ".repeat(width + 2));
    }
    return 0;
  },
});
