import { flagOf, SETTING_NAMES, shownSetting, variableOf } from "../config.ts";
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
    const rows = SETTING_NAMES.map((name) => {
      const { origin, text } = loaded.origins[name];
      const read = loaded.config[name];
      const shown = (text: string) => shownSetting(name, text);
      const value = Array.isArray(read)
        ? read.map(shown)
        : typeof read === "string"
          ? shown(read)
          : asGiven(read, text);
      return { name, setting: flagOf(name), variable: variableOf(name), value, origin };
    });
    if (json) {
      io.printJson(
        rows.map(({ setting, variable, value, origin }) => ({ setting, variable, value, origin })),
      );
      return 0;
    }
    const width = Math.max(...rows.map(({ setting }) => setting.length));
    for (const { setting, value, origin } of rows) {
      const shown =
        value === null || value === "" ? "–" : Array.isArray(value) ? value.join(",") : String(value);
      io.print(`${setting.padEnd(width)}  ${shown}${origin === "default" ? "" : `  (${origin})`}`);
    }
    return 0;
  },
});

/** A value as the setting accepts it: a duration is `5m`, not its milliseconds. */
function asGiven(read: number | boolean | null, text: string): number | boolean | string | null {
  return typeof read === "number" && String(read) !== text ? text : read;
}
