/** Files and scripts that the Debian and the RPM package have in common. */
import { basename } from "node:path";
import { bytesOf, type Entry, gzip } from "../archives.ts";
import { type Built, copyrightOf, DICTIONARY } from "../contents.ts";
import { readText } from "../source.ts";

/** A short and a long description of the program. */
export const SUMMARY = "Pay of named executive officers from SEC proxy statements";
/** The description in package managers. */
export const DESCRIPTION =
  "One executable with its own dataset: it answers on the command line, over REST and MCP, and on pages, and needs no network and no account.";

/** Configuration files: kept on upgrades. */
export const CONFIGURATION = ["etc/execcomp/execcomp.toml"] as const;

/** The installed files, with paths from the root without the leading slash. */
export function systemFiles({ contents, executable }: Built): Entry[] {
  const { completions } = contents;
  const file = (path: string, content: Entry["content"] = ""): Entry => ({ path, content, mode: 0o644 });
  const own = (name: string) => readText(`scripts/release/files/system/${name}`);
  return [
    { path: "usr/bin/execcomp", content: executable, mode: 0o755 },
    file("usr/lib/systemd/system/execcomp.service", own("execcomp.service")),
    file("usr/lib/sysusers.d/execcomp.conf", own("execcomp.sysusers")),
    file("etc/execcomp/execcomp.toml", own("execcomp.toml")),
    file("usr/share/man/man1/execcomp.1.gz", gzip(bytesOf(contents.man))),
    file("usr/share/bash-completion/completions/execcomp", completions["execcomp.bash"]),
    file("usr/share/zsh/vendor-completions/_execcomp", completions["_execcomp"]),
    file("usr/share/fish/vendor_completions.d/execcomp.fish", completions["execcomp.fish"]),
    file("usr/share/doc/execcomp/copyright", copyrightOf(contents)),
    file(`usr/share/doc/execcomp/${basename(DICTIONARY)}`, contents.dictionary),
    file("usr/share/doc/execcomp/changelog.gz", gzip(bytesOf(contents.changes))),
  ];
}

/** Run after the package is installed, and before it is removed. */
export function systemScripts(): { afterInstall: string; beforeRemove: string } {
  return {
    afterInstall: readText("scripts/release/files/system/postinst"),
    beforeRemove: readText("scripts/release/files/system/prerm"),
  };
}
