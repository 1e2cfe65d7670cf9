/** Packages for npm: `execcomp` chooses one of the platform packages, which npm installs by `os`, `cpu` and `libc`. */
import { type Entry, tarGz } from "../archives.ts";
import type { Built, Contents, ReleaseFile } from "../contents.ts";
import { type Platform, PLATFORMS } from "../platforms.ts";
import { ROOT, type Source } from "../source.ts";

const COMMON = {
  description:
    "What public companies paid their named executive officers: one executable with its own dataset.",
  license: "Apache-2.0",
} as const;

/** The name of a platform's package. */
function npmName(platform: Platform): string {
  return `@execcomp/${platform.name}`;
}

/** The package with one machine's executable. */
export async function npmPlatformPackage(built: Built): Promise<ReleaseFile> {
  const { platform, source, contents, executable } = built;
  const { os, cpu, libc } = platform.npm;
  const manifest = {
    name: npmName(platform),
    version: source.version,
    ...COMMON,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    files: [platform.executable, "THIRD-PARTY-NOTICES.txt"],
  };
  return pack(source, `execcomp-${source.version}-npm-${platform.name}.tgz`, [
    { path: "package/package.json", content: json(manifest), mode: 0o644 },
    { path: `package/${platform.executable}`, content: executable, mode: 0o755 },
    ...texts(contents),
  ]);
}

/** The package that users install. @param platforms those that have packages */
export async function npmMainPackage(source: Source, contents: Contents): Promise<ReleaseFile> {
  const manifest = {
    name: "execcomp",
    version: source.version,
    ...COMMON,
    bin: { execcomp: "launcher.js" },
    type: "module",
    engines: { node: ">=18" },
    files: ["launcher.js", "THIRD-PARTY-NOTICES.txt"],
    optionalDependencies: Object.fromEntries(PLATFORMS.map((one) => [npmName(one), source.version])),
  };
  return pack(source, `execcomp-${source.version}-npm.tgz`, [
    { path: "package/package.json", content: json(manifest), mode: 0o644 },
    { path: "package/launcher.js", content: await launcher(), mode: 0o755 },
    ...texts(contents),
  ]);
}

/** `launcher.ts` as JavaScript for Node. */
async function launcher(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [`${ROOT}/scripts/release/files/launcher.ts`],
    target: "node",
    format: "esm",
    banner: "#!/usr/bin/env node",
  });
  const [output] = built.outputs;
  if (output === undefined) throw new Error("the launcher does not bundle");
  return output.text();
}

function texts(contents: Contents): Entry[] {
  return [
    { path: "package/LICENSE", content: contents.licence, mode: 0o644 },
    { path: "package/README.md", content: contents.readme, mode: 0o644 },
    { path: "package/THIRD-PARTY-NOTICES.txt", content: contents.notices, mode: 0o644 },
  ];
}

async function pack(source: Source, name: string, entries: readonly Entry[]): Promise<ReleaseFile> {
  return { name, bytes: await tarGz(entries, source.date) };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
