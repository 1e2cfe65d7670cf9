/** What the Debian and the RPM package put into a system: the same files, the same scripts. */
import { basename } from "node:path";
import { bytesOf, type Entry, gzip } from "../archives.ts";
import { DICTIONARY } from "../contents.ts";
import type { Built } from "../make.ts";
import { readText } from "../source.ts";

/** One line and a paragraph about the program. */
export const SUMMARY = "Pay of named executive officers from SEC proxy statements";
/** What package managers show. */
export const DESCRIPTION =
  "One executable with its own dataset: it answers on the command line, over REST and MCP, and on pages, and needs no network and no account.";

/** Files that a person may change: kept at an upgrade. */
export const CONFIGURATION = ["etc/execcomp/execcomp.toml"] as const;

/** The installed files, paths from the root without the slash. */
export function systemFiles({ contents, executable }: Built): Entry[] {
  const file = (path: string, content: Entry["content"]): Entry => ({ path, content, mode: 0o644 });
  const own = (name: string) => readText(`scripts/release/files/system/${name}`);
  return [
    { path: "usr/bin/execcomp", content: executable, mode: 0o755 },
    file("usr/lib/systemd/system/execcomp.service", own("execcomp.service")),
    file("usr/lib/sysusers.d/execcomp.conf", own("execcomp.sysusers")),
    { path: "etc/execcomp/execcomp.toml", content: own("execcomp.toml"), mode: 0o644 },
    file("usr/share/man/man1/execcomp.1.gz", gzip(bytesOf(contents.man))),
    file("usr/share/bash-completion/completions/execcomp", contents.completions["execcomp.bash"] ?? ""),
    file("usr/share/zsh/vendor-completions/_execcomp", contents.completions["_execcomp"] ?? ""),
    file("usr/share/fish/vendor_completions.d/execcomp.fish", contents.completions["execcomp.fish"] ?? ""),
    file("usr/share/doc/execcomp/copyright", `${contents.notices}\n${contents.licence}`),
    file(`usr/share/doc/execcomp/${basename(DICTIONARY)}`, contents.dictionary),
    file("usr/share/doc/execcomp/changelog.gz", gzip(bytesOf(contents.changes))),
  ];
}

/** Run when the package has been installed, and before it goes. */
export function systemScripts(): { afterInstall: string; beforeRemove: string } {
  return {
    afterInstall: readText("scripts/release/files/system/postinst"),
    beforeRemove: readText("scripts/release/files/system/prerm"),
  };
}
