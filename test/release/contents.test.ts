import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changesOf } from "../../scripts/release/contents.ts";
import { manPage } from "../../scripts/release/man.ts";
import { COMMAND_NAMES, loadCommand } from "../../src/cli/registry.ts";
import { flagOf, SETTING_NAMES } from "../../src/config/settings.ts";
import { cli } from "../support/cli.ts";

const commands = await Promise.all(COMMAND_NAMES.map(loadCommand));
const ROOT = join(import.meta.dir, "../..");
const DATE = new Date("2026-11-21T22:10:30Z");

test("the manual has every command, flag and setting, and no line that groff would take for a request", () => {
  const page = manPage(commands, "1.2.3", DATE);
  for (const { name } of commands) expect(page).toContain(`.SS ${name.replace("-", "\\-")}\n`);
  for (const name of SETTING_NAMES) expect(page).toContain(`--${flagOf(name)}`.replaceAll("-", "\\-"));
  const requests = new Set(page.match(/^\.\w+/gm));
  expect([...requests].toSorted()).toEqual([".B", ".PP", ".SH", ".SS", ".TH", ".TP"]);
  expect(page).not.toContain("`");
});

test("a version's changes are exactly its own section", () => {
  const changelog = "# Changelog\n\n## 0.2.0, unreleased\n\n- new\n\n## 0.1.0, 2026-11-21\n\n- old\n";
  expect(changesOf(changelog, "0.1.0")).toBe("# execcomp 0.1.0, 2026-11-21\n\n- old\n");
  expect(changesOf(changelog, "0.2.0")).toBe("# execcomp 0.2.0, unreleased\n\n- new\n");
  expect(() => changesOf(changelog, "0.3.0")).toThrow("no section for 0.3.0");
});

test("every crate in the wasm that draws pictures is in its notice, with its version", () => {
  const wasm = readFileSync(join(ROOT, "node_modules/@resvg/resvg-wasm/index_bg.wasm"), "latin1");
  const crates = new Set(
    [...wasm.matchAll(/\/([a-z0-9_-]+)-(\d+\.\d+\.\d+)\/src/g)].map(([, ...crate]) => crate.join(" ")),
  );
  expect(crates.size).toBeGreaterThan(35);
  const notice = readFileSync(join(ROOT, "scripts/release/files/resvg-wasm.txt"), "utf8").replaceAll(
    /\s+/g,
    " ",
  );
  const missing = [...crates].filter((crate) => {
    const [name = "", version = ""] = crate.split(" ");
    return !new RegExp(`[ ,]${name}( [^,]* and)? ${version.replaceAll(".", "\\.")}[, ]`).test(notice);
  });
  expect(missing).toEqual([]);
});

test("a checkout embeds no notices and says how to get them", async () => {
  const ran = await cli("version", "--licences");
  expect([ran.code, ran.out]).toEqual([1, ""]);
  expect(ran.err).toContain("bun scripts/build.ts");
});
