/** The Debian package. @see deb(5), deb-control(5) */
import { bytesOf, tarGz } from "../archives.ts";
import type { Built, ReleaseFile } from "../contents.ts";
import { CONFIGURATION, DESCRIPTION, SUMMARY, systemFiles, systemScripts } from "./system.ts";

/** The package of one machine; undefined if Debian has no such architecture. */
export async function debPackage(built: Built): Promise<ReleaseFile | undefined> {
  const { platform, source } = built;
  if (platform.deb === null) return undefined;
  const files = systemFiles(built);
  const kibibytes = Math.ceil(files.reduce((sum, { content }) => sum + bytesOf(content).length, 0) / 1024);
  const { afterInstall, beforeRemove } = systemScripts();
  const sums = files.map(({ path, content }) => `${md5(bytesOf(content))}  ${path}\n`).join("");
  const control = [
    { path: "./control", content: controlFile(source.version, platform.deb, kibibytes), mode: 0o644 },
    { path: "./conffiles", content: CONFIGURATION.map((path) => `/${path}\n`).join(""), mode: 0o644 },
    { path: "./md5sums", content: sums, mode: 0o644 },
    { path: "./postinst", content: afterInstall, mode: 0o755 },
    { path: "./prerm", content: beforeRemove, mode: 0o755 },
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
    `Description: ${SUMMARY}`,
    ` ${DESCRIPTION}`,
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
