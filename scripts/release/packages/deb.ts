/** The Debian package. @see deb(5), deb-control(5) */
import { basename } from "node:path";
import { bytesOf, type Entry, gzip, tarGz } from "../archives.ts";
import { type Built, copyrightOf, DICTIONARY, type ReleaseFile } from "../contents.ts";
import { readText } from "../source.ts";

/** Configuration files: kept on upgrades. */
const CONFIGURATION = ["etc/execcomp/execcomp.toml"];

/** A file of `scripts/release/files/system/`. */
const ownText = (name: string) => readText(`scripts/release/files/system/${name}`);

/** The package of one machine; undefined if Debian has no such architecture. */
export async function debPackage(built: Built): Promise<ReleaseFile | undefined> {
  const { platform, source } = built;
  if (platform.deb === null) return undefined;
  const files = systemFiles(built);
  const kibibytes = Math.ceil(files.reduce((sum, { content }) => sum + bytesOf(content).length, 0) / 1024);
  const sums = files.map(({ path, content }) => `${md5(bytesOf(content))}  ${path}\n`).join("");
  const control = [
    { path: "./control", content: controlFile(source.version, platform.deb, kibibytes), mode: 0o644 },
    { path: "./conffiles", content: CONFIGURATION.map((path) => `/${path}\n`).join(""), mode: 0o644 },
    { path: "./md5sums", content: sums, mode: 0o644 },
    { path: "./postinst", content: ownText("postinst"), mode: 0o755 },
    { path: "./prerm", content: ownText("prerm"), mode: 0o755 },
  ];
  const data = files.map((entry) => ({ ...entry, path: `./${entry.path}` }));
  const bytes = ar(
    [
      { name: "debian-binary", bytes: bytesOf("2.0\n") },
      { name: "control.tar.gz", bytes: await tarGz(control, source.date) },
      { name: "data.tar.gz", bytes: await tarGz(data, source.date) },
    ],
    source.date,
  );
  return { name: `execcomp_${source.version}_${platform.deb}.deb`, bytes };
}

/** The installed files, with paths from the root without the leading slash. */
function systemFiles({ contents, executable }: Built): Entry[] {
  const { completions } = contents;
  const file = (path: string, content: Entry["content"] = ""): Entry => ({ path, content, mode: 0o644 });
  return [
    { path: "usr/bin/execcomp", content: executable, mode: 0o755 },
    file("usr/lib/systemd/system/execcomp.service", ownText("execcomp.service")),
    file("usr/lib/sysusers.d/execcomp.conf", ownText("execcomp.sysusers")),
    file("etc/execcomp/execcomp.toml", ownText("execcomp.toml")),
    file("usr/share/man/man1/execcomp.1.gz", gzip(bytesOf(contents.man))),
    file("usr/share/bash-completion/completions/execcomp", completions["execcomp.bash"]),
    file("usr/share/zsh/vendor-completions/_execcomp", completions["_execcomp"]),
    file("usr/share/fish/vendor_completions.d/execcomp.fish", completions["execcomp.fish"]),
    file("usr/share/doc/execcomp/copyright", copyrightOf(contents)),
    file(`usr/share/doc/execcomp/${basename(DICTIONARY)}`, contents.dictionary),
    file("usr/share/doc/execcomp/changelog.gz", gzip(bytesOf(contents.changes))),
  ];
}

function controlFile(version: string, architecture: string, kibibytes: number): string {
  return [
    "Package: execcomp",
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    "Maintainer: execcomp <execcomp@localhost>",
    `Installed-Size: ${kibibytes}`,
    "Depends: libc6 (>= 2.17), passwd",
    "Section: database",
    "Priority: optional",
    "Description: Pay of named executive officers from SEC proxy statements",
    " One executable with its own dataset: it answers on the command line, over REST and MCP, and on pages, and needs no network and no account.",
    "",
  ].join("\n");
}

/** The outer archive of a Debian package. @see ar(5) */
function ar(members: readonly { name: string; bytes: Uint8Array }[], date: Date): Uint8Array<ArrayBuffer> {
  const seconds = String(Math.floor(date.getTime() / 1000));
  const parts = members.flatMap(({ name, bytes }) => {
    const head = `${name.padEnd(16)}${seconds.padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`;
    return [bytesOf(head), bytes, bytesOf(bytes.length % 2 === 1 ? "\n" : "")];
  });
  return new Uint8Array(Buffer.concat([bytesOf("!<arch>\n"), ...parts]));
}

function md5(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("md5").update(bytes).digest("hex");
}
