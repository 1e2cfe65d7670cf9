/** The RPM package: lead, signature header (digests only), header, compressed cpio. @see RPM V4 format */
import { bytesOf, type Entry, gzip } from "../archives.ts";
import type { Built, ReleaseFile } from "../contents.ts";
import { REGION, rpmHeader, type RpmValue } from "./rpm-header.ts";
import { CONFIGURATION, DESCRIPTION, SUMMARY, systemFiles, systemScripts } from "./system.ts";

const RELEASE = "1";
const SHA256 = 8;
const REGULAR_FILE = 0o100000;
const CONFIG_NOREPLACE = 1 | 16;
/** Flags of a dependency: less or equal, on a feature of rpm itself. */
const RPMLIB = 0x1000000 | 2 | 8;
const EQUAL = 8;

/** The package of one machine; undefined if RPM systems have no such architecture. */
export function rpmPackage(built: Built): ReleaseFile | undefined {
  const { platform, source } = built;
  if (platform.rpm === null) return undefined;
  const files = systemFiles(built)
    .map((entry) => ({ ...entry, path: forRpm(entry.path) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const archive = cpio(files, source.date);
  const payload = gzip(archive);
  const header = rpmHeader(mainTags(built, platform.rpm, files, payload), REGION.immutable);
  const body = Buffer.concat([header, payload]);
  const signature = rpmHeader(
    new Map<number, RpmValue>([
      [269, string(digest("sha1", header))],
      [273, string(digest("sha256", header))],
      [1000, int32(body.length)],
      [1004, { type: "bytes", value: new Bun.CryptoHasher("md5").update(body).digest() }],
      [1007, int32(archive.length)],
    ]),
    REGION.signatures,
  );
  const padding = Buffer.alloc((8 - (signature.length % 8)) % 8);
  const name = `execcomp-${source.version}-${RELEASE}`;
  return {
    name: `${name}.${platform.rpm}.rpm`,
    bytes: new Uint8Array(Buffer.concat([lead(name, platform.rpm), signature, padding, body])),
  };
}

/** Paths on RPM systems that differ from Debian's. */
function forRpm(path: string): string {
  return path.replace("share/zsh/vendor-completions/", "share/zsh/site-functions/");
}

function mainTags(
  { source }: Built,
  architecture: string,
  files: readonly Entry[],
  payload: Uint8Array,
): Map<number, RpmValue> {
  const { version } = source;
  const { afterInstall, beforeRemove } = systemScripts();
  const seconds = Math.floor(source.date.getTime() / 1000);
  const size = files.reduce((sum, { content }) => sum + bytesOf(content).length, 0);
  return new Map<number, RpmValue>([
    [1000, string("execcomp")],
    [1001, string(version)],
    [1002, string(RELEASE)],
    [1004, { type: "i18n", values: [SUMMARY] }],
    [1005, { type: "i18n", values: [DESCRIPTION] }],
    [1006, int32(seconds)],
    [1007, string("localhost")],
    [1009, int32(size)],
    [1014, string("Apache-2.0")],
    [1016, { type: "i18n", values: ["Unspecified"] }],
    [1021, string("linux")],
    [1022, string(architecture)],
    // Scripts after installation and before removal, each with its interpreter.
    [1024, string(afterInstall)],
    [1086, string("/bin/sh")],
    [1025, string(beforeRemove)],
    [1087, string("/bin/sh")],
    [1044, string(`execcomp-${version}-${RELEASE}.src.rpm`)],
    [1047, strings(["execcomp"])],
    [1112, int32(EQUAL)],
    [1113, strings([`${version}-${RELEASE}`])],
    ...dependencyTags(),
    ...fileTags(files, seconds),
    [1064, string("4.18.0")],
    [1094, string("")],
    [1124, string("cpio")],
    [1125, string("gzip")],
    [1126, string("6")],
    [5062, string("utf-8")],
    [5092, strings([digest("sha256", payload)])],
    [5093, int32(SHA256)],
  ]);
}

function dependencyTags(): [number, RpmValue][] {
  const needs = [
    ["/bin/sh", 0, ""],
    ["/usr/sbin/useradd", 0, ""],
    ["libc.so.6(GLIBC_2.17)(64bit)", 0, ""],
    ["rpmlib(CompressedFileNames)", RPMLIB, "3.0.4-1"],
    ["rpmlib(FileDigests)", RPMLIB, "4.6.0-1"],
    ["rpmlib(PayloadFilesHavePrefix)", RPMLIB, "4.0-1"],
  ] as const;
  return [
    [1048, int32(...needs.map(([, flags]) => flags))],
    [1049, strings(needs.map(([name]) => name))],
    [1050, strings(needs.map(([, , version]) => version))],
  ];
}

function fileTags(files: readonly Entry[], seconds: number): [number, RpmValue][] {
  const each = <T>(value: (entry: Entry, place: number) => T) => files.map(value);
  const folderOf = (path: string) => `/${path.slice(0, path.lastIndexOf("/") + 1)}`;
  const folders = [...new Set(each(({ path }) => folderOf(path)))];
  const configuration: readonly string[] = CONFIGURATION;
  return [
    [1028, int32(...each(({ content }) => bytesOf(content).length))],
    [1030, { type: "int16", values: each(({ mode }) => REGULAR_FILE | mode) }],
    [1033, { type: "int16", values: each(() => 0) }],
    [1034, int32(...each(() => seconds))],
    [1035, strings(each(({ content }) => digest("sha256", bytesOf(content))))],
    [1036, strings(each(() => ""))],
    [1037, int32(...each(({ path }) => (configuration.includes(path) ? CONFIG_NOREPLACE : 0)))],
    [1039, strings(each(() => "root"))],
    [1040, strings(each(() => "root"))],
    [1045, int32(...each(() => 0xffffffff))],
    [1095, int32(...each(() => 1))],
    [1096, int32(...each((_entry, place) => place + 1))],
    [1097, strings(each(() => ""))],
    [1116, int32(...each(({ path }) => folders.indexOf(folderOf(path))))],
    [1117, strings(each(({ path }) => path.slice(path.lastIndexOf("/") + 1)))],
    [1118, strings(folders)],
    [5011, int32(SHA256)],
  ];
}

/** The 96 bytes of the lead, for old tools: the headers repeat all of it. */
function lead(name: string, architecture: string): Buffer {
  const bytes = Buffer.alloc(96);
  bytes.write("edabeedb0300", 0, "hex");
  bytes.writeUInt16BE(architecture === "aarch64" ? 19 : 1, 8);
  bytes.write(name, 10, 65, "latin1");
  bytes.writeUInt16BE(1, 76);
  bytes.writeUInt16BE(5, 78);
  return bytes;
}

/** @see cpio(5), "New ASCII format" */
function cpio(files: readonly Entry[], date: Date): Uint8Array<ArrayBuffer> {
  const seconds = Math.floor(date.getTime() / 1000);
  const parts = files.flatMap(({ path, content, mode }, place) =>
    cpioMember(`./${path}`, bytesOf(content), [place + 1, REGULAR_FILE | mode, seconds]),
  );
  return new Uint8Array(Buffer.concat([...parts, ...cpioMember("TRAILER!!!", new Uint8Array(), [0, 0, 0])]));
}

function cpioMember(
  name: string,
  content: Uint8Array,
  [inode, mode, seconds]: readonly [number, number, number],
): Uint8Array[] {
  const fields = [inode, mode, 0, 0, 1, seconds, content.length, 0, 0, 0, 0, name.length + 1, 0];
  const head = `070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}${name}\0`;
  return [padded(bytesOf(head)), padded(content)];
}

function padded(bytes: Uint8Array): Uint8Array {
  const missing = (4 - (bytes.length % 4)) % 4;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function digest(algorithm: "sha1" | "sha256", bytes: Uint8Array): string {
  return new Bun.CryptoHasher(algorithm).update(bytes).digest("hex");
}

function string(value: string): RpmValue {
  return { type: "string", value };
}

function strings(values: readonly string[]): RpmValue {
  return { type: "strings", values };
}

function int32(...values: readonly number[]): RpmValue {
  return { type: "int32", values };
}
